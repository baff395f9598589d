"""Encodes the keys of a map in the order in which they were written: CBOR, but not DAG-CBOR."""

from __future__ import annotations

import cbor2

from golden.drivers.faulty.honest import Message, serve


def _spoil(request: Message, answer: Message) -> Message:
    return answer | {"hex": cbor2.dumps(request["value"]).hex()} if "hex" in answer else answer


if __name__ == "__main__":
    serve(_spoil)
