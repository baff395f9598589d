"""Answers every question twice."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, say, serve


def _spoil(request: Message, answer: Message) -> Message:
    if request["cmd"] == "run":
        say(answer)
    return answer


if __name__ == "__main__":
    serve(_spoil)
