"""Answers all but the last question."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, serve


def _spoil(_request: Message, answer: Message) -> Message:
    return answer | {"answers": answer["answers"][:-1]} if "answers" in answer else answer


if __name__ == "__main__":
    serve(_spoil)
