"""Writes booleans as numbers, which many languages take for equal."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, indexes, objects, serve


def _spoil(_request: Message, answer: Message) -> Message:
    for item in objects([*indexes(answer)]):
        item.update({key: int(inner) for key, inner in item.items() if isinstance(inner, bool)})
    return answer


if __name__ == "__main__":
    serve(_spoil)
