"""Answers with one line of twenty million characters."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, serve


def _spoil(request: Message, answer: Message) -> Message:
    return answer if request["cmd"] in {"start", "stop"} else answer | {"more": "x" * 20_000_000}


if __name__ == "__main__":
    serve(_spoil)
