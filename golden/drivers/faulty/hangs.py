"""Hangs when it meets a merge."""

from __future__ import annotations

import time

from golden.drivers.faulty.honest import Message, serve


def _spoil(request: Message, answer: Message) -> Message:
    if any(".merge/" in record["uri"] for record in request.get("records", ())):
        time.sleep(3600)
    return answer


if __name__ == "__main__":
    serve(_spoil)
