"""The conversation: JSON objects over lines, one answer for each request (PROTOCOL.md).

Strategy: an answer is read as strictly as a record. It is one JSON object in UTF-8 without a repeated key, names the
request that it answers, and says one of the things that answer such a request; anything else is a protocol error, told
apart from a wrong answer, because it is mended somewhere else. An implementation that broke off is started again when
the next question comes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from golden.runner.process import Broken, Process

if TYPE_CHECKING:
    from collections.abc import Sequence

PROTOCOL: Final = 1
_SECONDS_TO_START: Final = 60.0
# What each command is answered with; `skip` and `error` answer any of the three.
_ANSWERS: Final[dict[str, dict[str, type]]] = {
    "run": {"answers": list},
    "encode": {"hex": str, "cid": str},
    "parse": {"ok": bool},
}
_REFUSALS: Final = ("skip", "error")


class Implementation:
    """The program under test: started when it is first asked, started again after it broke off."""

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self.command = command
        self.name = ""
        self._seconds = seconds
        self._process: Process | None = None
        self._seq = 0

    @property
    def runs(self) -> bool:
        """Tell whether there is a process to talk to."""
        return self._process is not None

    def start(self) -> None:
        """Start the program and greet it. Raises `Broken`, or `OSError` when there is no such program."""
        self._process = Process(self.command)
        try:
            answer = self._say({"cmd": "start", "protocol": PROTOCOL}, _SECONDS_TO_START)
            _check_greeting(answer)
        except Broken:
            self.kill()
            raise
        self.name = " ".join(str(answer.get(key, "?")) for key in ("name", "version"))

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask one question and give its answer, whose form is checked. Raises `Broken`; the process is gone then."""
        self._seq += 1
        try:
            answer = self._say({"cmd": request["cmd"], "seq": self._seq, **request}, self._seconds)
            _check_form(request["cmd"], self._seq, answer)
        except Broken:
            self.kill()
            raise
        return answer

    def stop(self) -> None:
        """Say goodbye. Raises `Broken` when the program does not answer, or does not end as it has to."""
        if self._process is None:
            return
        try:
            answer = self._say({"cmd": "stop"}, self._seconds)
            if answer.get("ok") is not True:
                raise Broken("protocol-error", f"stop was answered with {_shown(answer)}")
            self._process.leave(self._seconds)
        finally:
            self.kill()

    def kill(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _say(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        if self._process is None:
            raise Broken("crashed", "it was not started")
        return _read(self._process.exchange(json.dumps(request).encode("ascii"), seconds))


def _read(line: bytes) -> dict[str, Any]:
    """Read one answer. Raises `Broken` with a protocol error."""
    try:
        answer = json.loads(line.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as fault:
        told = ascii(line[:200].decode("utf-8", "backslashreplace"))
        raise Broken("protocol-error", f"a line that is no JSON ({fault}): {told}") from None
    if not isinstance(answer, dict):
        raise Broken("protocol-error", f"a line that is no object: {_shown(answer)}")
    return answer


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def _check_greeting(answer: dict[str, Any]) -> None:
    if answer.get("ok") is not True or "protocol" not in answer:
        raise Broken("protocol-error", f"start was answered with {_shown(answer)}")
    if answer["protocol"].__class__ is not int or answer["protocol"] != PROTOCOL:
        raise Broken("protocol-error", f"it speaks protocol {_shown(answer['protocol'])}, this runner {PROTOCOL}")


def _check_form(command: str, seq: int, answer: dict[str, Any]) -> None:
    """An answer has the number of its request, and is the answer, a `skip` or an `error`: exactly one of them."""
    if answer.get("seq").__class__ is not int or answer["seq"] != seq:
        raise Broken("protocol-error", f"request {seq} was answered with seq {_shown(answer.get('seq'))}")
    wanted = _ANSWERS[command]
    said = [key for key in (next(iter(wanted)), *_REFUSALS) if key in answer]
    if len(said) != 1:
        raise Broken("protocol-error", f"{command} was answered with {_shown(answer)}")
    for key, kind in (wanted if said[0] in wanted else {said[0]: str}).items():
        if answer.get(key).__class__ is not kind:
            raise Broken("protocol-error", f"{command} was answered with {key} {_shown(answer.get(key))}")


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else text[:200] + "..."  # noqa: PLR2004 - enough to recognise it by
