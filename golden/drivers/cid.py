"""A second, independent encoder: one JSON value -> DAG-CBOR bytes -> CIDv1.

Strategy: this file exists to disagree with the library when the library is wrong, so it shares nothing with it:
standard library only, written from the DAG-CBOR rules and from nothing else. Those rules are few: the shortest
head for every length and integer, map keys ordered by the length of their UTF-8 bytes and then by the bytes, no
floats, no indefinite lengths, tag 42 for links. A CID here is always version 1, dag-cbor, sha2-256, base32.

    python golden/drivers/cid.py < value.json              prints the bytes in hexadecimal and the CID
    python golden/drivers/cid.py --check golden            checks every CID and every byte string the suite states
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

DAG_CBOR, SHA2_256, CID_VERSION = 0x71, 0x12, 1
UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG = range(7)
LINK_TAG, INLINE = 42, 24
LARGEST, SMALLEST = 2**63 - 1, -(2**63)


def head(major: int, number: int) -> bytes:
    """The first bytes of an item: its major type and its number, in the fewest bytes that hold it."""
    if number < INLINE:
        return bytes([major << 5 | number])
    for code, width in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 1 << 8 * width:
            return bytes([major << 5 | code]) + number.to_bytes(width, "big")
    raise ValueError(f"{number} does not fit into 64 bits")


def encode(value: Any) -> bytes:
    """The DAG-CBOR bytes of a JSON value; `{"$link": …}` and `{"$bytes": …}` are links and byte strings."""
    if isinstance(value, dict):
        return special(value) or mapping(value)
    if isinstance(value, list):
        return head(ARRAY, len(value)) + b"".join(encode(item) for item in value)
    return scalar(value)


def scalar(value: Any) -> bytes:
    """Text, integer, boolean or null; anything else (a float) has no place in the data model."""
    if value is None or isinstance(value, bool):
        return {None: b"\xf6", False: b"\xf4", True: b"\xf5"}[value]
    if isinstance(value, str):
        text = value.encode("utf-8")
        return head(TEXT, len(text)) + text
    if isinstance(value, int) and SMALLEST <= value <= LARGEST:
        return head(UNSIGNED, value) if value >= 0 else head(NEGATIVE, -1 - value)
    raise ValueError(f"{value!r} has no place in the data model")


def special(value: dict[str, Any]) -> bytes | None:
    """A link is tag 42 over a zero byte and the binary CID; bytes are base64 without padding."""
    if set(value) == {"$link"}:
        binary = b"\0" + unbase32(value["$link"])
        return head(TAG, LINK_TAG) + head(BYTES, len(binary)) + binary
    if set(value) == {"$bytes"}:
        binary = base64.b64decode(value["$bytes"] + "=" * (-len(value["$bytes"]) % 4), validate=True)
        return head(BYTES, len(binary)) + binary
    return None


def mapping(value: dict[str, Any]) -> bytes:
    """Keys in DAG-CBOR order: shorter first, then byte by byte."""
    keys = sorted((key.encode("utf-8") for key in value), key=lambda key: (len(key), key))
    return head(MAP, len(value)) + b"".join(head(TEXT, len(k)) + k + encode(value[k.decode("utf-8")]) for k in keys)


def unbase32(text: str) -> bytes:
    """The binary form of a CID written in lower-case base32 (multibase prefix `b`)."""
    if text[:1] != "b":
        raise ValueError(f"{text!r} is not a base32 CID")
    body = text[1:].upper()
    return base64.b32decode(body + "=" * (-len(body) % 8))


def cid_of(value: Any) -> str:
    """The CID of a JSON value."""
    digest = hashlib.sha256(encode(value)).digest()
    binary = bytes([CID_VERSION, DAG_CBOR, SHA2_256, len(digest)]) + digest
    return "b" + base64.b32encode(binary).decode("ascii").lower().rstrip("=")


def faults(path: Path) -> list[str]:
    """What one file of the suite states about bytes and CIDs and is not so."""
    document = json.loads(path.read_text(encoding="utf-8"))
    found = [
        f"{path}: records[{n}]: {row['cid']} is not the CID of its value"
        for n, row in enumerate(document.get("records", ()))
        if "cid" in row and row["cid"] != cid_of(row["value"])
    ]
    if "bytes" in document and document["bytes"] != encode(document["value"]).hex():
        found.append(f"{path}: bytes are not those of the value")
    if "bytes" in document and document["cid"] != cid_of(document["value"]):
        found.append(f"{path}: cid is not that of the value")
    return found


def main(arguments: list[str]) -> int:
    """Encode standard input, or check the suite under a folder."""
    if arguments[:1] == ["--check"]:
        folder = Path(arguments[1])
        paths = [path for name in ("scenarios", "canonical") for path in sorted((folder / name).rglob("*.json"))]
        found = [fault for path in paths for fault in faults(path)]
        print(*found, f"{len(paths)} files, {len(found)} faults", sep="\n")
        return 1 if found else 0
    value = json.load(sys.stdin)
    print(encode(value).hex(), cid_of(value), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
