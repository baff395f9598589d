"""The people of the example, and lines that tests make up."""

from __future__ import annotations

import json
from typing import Any

PREFIX = "com.disnetdev.radial."
ADA = "did:plc:ada7xxegdkaxvl552wbq3gzp"
BEN = "did:plc:benm4ainhep65ea4nfhbjyiw"
ROOK = "did:plc:rookfqvxmcalvufrjz2czjkw"
WREN = "did:plc:wrenwhr4f3a2qcumzw6nwbfs"
OSKAR = "did:plc:oskarxvky3zpxsrlwot2umfw"
SPACE = f"at://{ADA}/{PREFIX}space/tidewater"


def uri(author: str, name: str) -> str:
    """Spell the URI of a record by its kind and key."""
    return f"at://{author}/{PREFIX}{name}"


def line(author: str, record: str, /, *, at: str = "2026-01-01T00:00:00Z", **fields: Any) -> str:
    """Write one observation."""
    value = {"$type": PREFIX + record.partition("/")[0], "createdAt": at, **fields}
    return json.dumps({"uri": uri(author, record), "value": value}) + "\n"


def ref(author: str, name: str) -> dict[str, str]:
    """Refer to a record, in a version that nobody saw (L4: references resolve by URI)."""
    return {"uri": uri(author, name), "cid": "bafyreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"}
