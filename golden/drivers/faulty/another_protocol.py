"""Speaks another version of the protocol."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, serve


def _spoil(request: Message, answer: Message) -> Message:
    return answer | {"protocol": 2} if request["cmd"] == "start" else answer


if __name__ == "__main__":
    serve(_spoil)
