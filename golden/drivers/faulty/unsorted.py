"""Forgets to sort: lists records in the order in which they arrived."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, indexes, objects, serve


def _spoil(request: Message, answer: Message) -> Message:
    arrived = [record["uri"] for record in request.get("records", ())]
    for item in objects([*indexes(answer)]):
        if "records" in item:
            item["records"].sort(key=arrived.index)
    return answer


if __name__ == "__main__":
    serve(_spoil)
