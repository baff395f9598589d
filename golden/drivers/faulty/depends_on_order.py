"""Answers as expected, and beyond what is expected differently for each order of arrival."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, indexes, serve


def _spoil(request: Message, answer: Message) -> Message:
    for index in indexes(answer):
        index["first"] = [record["uri"] for record in request["records"][:1]]
    return answer


if __name__ == "__main__":
    serve(_spoil)
