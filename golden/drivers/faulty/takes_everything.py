"""Takes every line and every record for a good one."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, indexes, serve


def _spoil(request: Message, answer: Message) -> Message:
    if request["cmd"] == "parse":
        return {"seq": request["seq"], "ok": True, "cid": None}
    for index in indexes(answer):
        index["ignored"] = [row for row in index["ignored"] if row["rule"] != "L1"]
    return answer


if __name__ == "__main__":
    serve(_spoil)
