"""Numbers its answers from nought, by itself."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, serve


def _spoil(_request: Message, answer: Message) -> Message:
    return answer | {"seq": answer["seq"] - 1} if "seq" in answer else answer


if __name__ == "__main__":
    serve(_spoil)
