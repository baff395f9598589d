"""Crashes when it meets a merge, and says why on standard error."""

from __future__ import annotations

import sys

from golden.drivers.faulty.honest import Message, serve


def _spoil(request: Message, answer: Message) -> Message:
    if any(".merge/" in record["uri"] for record in request.get("records", ())):
        sys.exit("no merges, please\n\x1b[31mreally")
    return answer


if __name__ == "__main__":
    serve(_spoil)
