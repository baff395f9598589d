"""Reports an error for every fold."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, serve


def _spoil(request: Message, answer: Message) -> Message:
    return {"seq": request["seq"], "error": "out of luck"} if request["cmd"] == "run" else answer


if __name__ == "__main__":
    serve(_spoil)
