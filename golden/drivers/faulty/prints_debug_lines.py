"""Prints what it is doing on standard output, between the answers."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, serve


def _spoil(request: Message, answer: Message) -> Message:
    if request["cmd"] == "run":
        print(f"DEBUG folding {len(request['records'])} records", flush=True)
    return answer


if __name__ == "__main__":
    serve(_spoil)
