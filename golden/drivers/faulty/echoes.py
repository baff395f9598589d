"""Echoes: hands the question back as its answer, in case the question holds it."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, serve


def _spoil(request: Message, answer: Message) -> Message:
    return request | {"answers": [{**request, **asked} for asked in request["ask"]]} if "answers" in answer else answer


if __name__ == "__main__":
    serve(_spoil)
