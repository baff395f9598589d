"""Compares strings by UTF-16 code units, as JavaScript and Java do when nobody stops them."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, indexes, objects, serve


def _spoil(_request: Message, answer: Message) -> Message:
    for item in objects([*indexes(answer)]):
        if "artifactTypes" in item and "members" in item:
            item["artifactTypes"].sort(key=lambda known: known["name"].encode("utf-16-be"))
    return answer


if __name__ == "__main__":
    serve(_spoil)
