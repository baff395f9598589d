"""Answers before it is asked: the answer to the next question follows that to this one."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, say, serve


def _spoil(request: Message, answer: Message) -> Message:
    if request["cmd"] == "run":
        say(answer)
        return answer | {"seq": request["seq"] + 1}
    return answer


if __name__ == "__main__":
    serve(_spoil)
