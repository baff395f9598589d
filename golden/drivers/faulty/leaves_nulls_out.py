"""Leaves out keys that are null, as some serialisers do by themselves."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, indexes, objects, serve


def _spoil(_request: Message, answer: Message) -> Message:
    for item in objects([*indexes(answer)]):
        for key in [key for key, inner in item.items() if inner is None]:
            del item[key]
    return answer


if __name__ == "__main__":
    serve(_spoil)
