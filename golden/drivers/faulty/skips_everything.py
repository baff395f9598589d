"""Skips everything: who does nothing does nothing wrong."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, serve


def _spoil(request: Message, answer: Message) -> Message:
    return {"seq": request["seq"], "skip": "not implemented"} if "seq" in request else answer


if __name__ == "__main__":
    serve(_spoil)
