"""Drops in silence what does not count: nothing is ever ignored (against section 0)."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, indexes, serve


def _spoil(_request: Message, answer: Message) -> Message:
    for index in indexes(answer):
        index["ignored"] = []
    return answer


if __name__ == "__main__":
    serve(_spoil)
