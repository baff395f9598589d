"""Treats createdAt as text: an offset makes a record later than it is."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, indexes, objects, serve


def _spoil(request: Message, answer: Message) -> Message:
    dates = {record["uri"]: _date(record.get("value")) for record in request.get("records", ())}
    for item in objects([*indexes(answer)]):
        if "records" in item:
            item["records"].sort(key=lambda uri: (dates[uri], uri))
    return answer


def _date(value: object) -> str:
    return str(value.get("createdAt")) if isinstance(value, dict) else ""


if __name__ == "__main__":
    serve(_spoil)
