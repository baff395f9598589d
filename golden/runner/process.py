"""The implementation as a process: lines in, lines out, and nothing that it does can hold us up.

Strategy: three threads do what may block (writing, reading, listening to standard error), so that the one that asks
waits for one thing only, with a deadline. Reading stops once a line is longer than anybody needs. Whatever goes wrong
is one exception that says how: the process is gone (`crashed`), silent (`timeout`), or speaks out of turn
(`protocol-error`). A process that failed is killed with everything it started.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO

LONGEST_LINE: Final = 16 * 1024 * 1024  # bytes
_CHUNK: Final = 65_536
_LAST_WORDS: Final = 4_096  # bytes of standard error that are kept
_GRACE: Final = 5.0  # seconds in which a process that closed its output has to end


class Broken(Exception):  # noqa: N818 - it is a finding, with a status, that ends a conversation
    """The conversation is over: `status` says how, `stderr` holds the last words of the process."""

    def __init__(self, status: str, message: str, stderr: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.stderr = stderr


class Process:
    """A running implementation. Raises `OSError` when its program cannot be started."""

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        # A session of its own: what the program starts can be killed with it, and Ctrl-C reaches us alone.
        self._popen = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        self._heard = threading.Condition()
        self._buffer = bytearray()
        self._ended = False
        self._stderr = b""
        self._to_write: SimpleQueue[bytes | None] = SimpleQueue()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._write, self._read, self._listen)]
        for thread in self._threads:
            thread.start()

    # One exchange

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Send a line and wait for the one that answers it. Raises `Broken`."""
        with self._heard:
            if self._buffer:
                raise self._broken("protocol-error", f"it spoke without being asked: {_shown(self._buffer)}")
        self._to_write.put(line + b"\n")
        with self._heard:
            self._heard.wait_for(self._is_enough, seconds)
            return self._take(seconds)

    def _is_enough(self) -> bool:
        return self._ended or b"\n" in self._buffer or len(self._buffer) > LONGEST_LINE

    def _take(self, seconds: float) -> bytes:
        line, newline, rest = bytes(self._buffer).partition(b"\n")
        if len(line) > LONGEST_LINE:
            raise self._broken("protocol-error", f"a line of more than {LONGEST_LINE} bytes")
        if rest:
            told = f"{_shown(line)}, then {_shown(rest)}"
            raise self._broken("protocol-error", f"more than one line for one request: {told}")
        if not newline:
            raise self._gone(line) if self._ended else self._silent(line, seconds)
        self._buffer.clear()
        return line

    def _silent(self, line: bytes, seconds: float) -> Broken:
        told = f"{len(line)} bytes without a newline" if line else "no answer"
        return self._broken("timeout", f"{told} within {seconds:g} s")

    def _gone(self, line: bytes) -> Broken:
        told = f", in the middle of a line: {_shown(line)}" if line else ""
        return self._broken("crashed", self._ending() + told)

    def _ending(self) -> str:
        try:
            code = self._popen.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "it closed its standard output and went on running"
        return f"it ended with status {code}" if code >= 0 else f"it was ended by signal {-code}"

    def _broken(self, status: str, message: str) -> Broken:
        if self._ended:
            self._threads[2].join(1)  # its last words may still be on their way
        return Broken(status, message, self._stderr.decode("utf-8", "backslashreplace"))

    # Endings

    def leave(self, seconds: float) -> None:
        """Expect the process to end by itself in time, with status 0 and without a word. Raises `Broken`."""
        self._to_write.put(None)
        with self._heard:
            if not self._heard.wait_for(lambda: self._ended or bool(self._buffer), seconds):
                raise self._broken("timeout", f"it was told to stop and still runs after {seconds:g} s")
            if self._buffer:
                raise self._broken("protocol-error", f"it spoke after having stopped: {_shown(self._buffer)}")
        if (ending := self._ending()) != "it ended with status 0":
            raise self._broken("crashed", ending)

    def kill(self) -> None:
        """End the process and all that it started, if it still runs, and close the pipes."""
        if self._popen.poll() is None:
            self._kill_group()
        self._popen.wait()
        self._to_write.put(None)
        for thread in self._threads:
            thread.join(1)
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.close()  # type: ignore[union-attr]

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._popen.pid, signal.SIGKILL)
            else:
                self._popen.kill()

    # The threads

    def _write(self) -> None:
        stdin = _opened(self._popen.stdin)
        while (line := self._to_write.get()) is not None:
            with contextlib.suppress(OSError):  # a process that is gone is noticed where its answer is missing
                stdin.write(line)
                stdin.flush()
        with contextlib.suppress(OSError):
            stdin.close()

    def _read(self) -> None:
        stdout = _opened(self._popen.stdout)
        while len(self._buffer) <= LONGEST_LINE and (chunk := _read_some(stdout)):
            with self._heard:
                self._buffer += chunk
                self._heard.notify()
        with self._heard:
            self._ended = len(self._buffer) <= LONGEST_LINE
            self._heard.notify()

    def _listen(self) -> None:
        stderr = _opened(self._popen.stderr)
        while chunk := _read_some(stderr):
            self._stderr = (self._stderr + chunk)[-_LAST_WORDS:]


def _opened(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:  # pragma: no cover - Popen opens what it was given PIPE for
        raise TypeError("no pipe")
    return stream


def _read_some(stream: IO[bytes]) -> bytes:
    """Read what there is; nothing at the end, or when the pipe was closed under our hands."""
    try:
        return os.read(stream.fileno(), _CHUNK)
    except (OSError, ValueError):
        return b""


def _shown(spoken: bytes | bytearray) -> str:
    return ascii(bytes(spoken[:200]).decode("utf-8", "backslashreplace"))
