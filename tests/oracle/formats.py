"""Strategy: the string formats of atproto, one pattern each, no more than a record's fields need (L1, O6)."""

from __future__ import annotations

import re

PREFIX = "com.disnetdev.radial."
DID = re.compile(r"did:[a-z]+:[a-zA-Z0-9._:%-]*[a-zA-Z0-9._-]")
LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
LETTER_LABEL = r"[a-zA-Z](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
HANDLE = re.compile(rf"(?:{LABEL}\.)+{LETTER_LABEL}")
NSID = re.compile(rf"{LETTER_LABEL}(?:\.{LABEL})+\.[a-zA-Z][a-zA-Z0-9]{{0,62}}")
RECORD_KEY = re.compile(r"[a-zA-Z0-9_~.:-]{1,512}")
CID = re.compile(r"[a-zA-Z0-9+=]{8,256}")
URI = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:[!-~]+")
TID = re.compile(r"[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}")


def is_did(text: str) -> bool:
    """L1: the format `did`."""
    return len(text) <= 2048 and DID.fullmatch(text) is not None


def is_handle(text: str) -> bool:
    """Say whether the text is a handle, which an at-uri may have as authority."""
    return len(text) <= 253 and HANDLE.fullmatch(text) is not None


def is_authority(text: str) -> bool:
    """Say whether the text may stand first in an at-uri."""
    return is_did(text) or is_handle(text)


def is_nsid(text: str) -> bool:
    """L1: the format `nsid`."""
    return len(text) <= 317 and NSID.fullmatch(text) is not None


def is_record_key(text: str) -> bool:
    """L1, O6: the format `record-key`."""
    return text not in (".", "..") and RECORD_KEY.fullmatch(text) is not None


def is_cid(text: str) -> bool:
    """L1: the format `cid`, loosely: what looks like one and is not of version 0."""
    return CID.fullmatch(text) is not None and not text.startswith("Qm")


def is_uri(text: str) -> bool:
    """L1: the format `uri`."""
    return len(text) <= 8192 and URI.fullmatch(text) is not None


def is_tid(text: str) -> bool:
    """O5: the format of `rev`."""
    return TID.fullmatch(text) is not None


def uri_parts(text: str) -> list[str] | None:
    """Return authority, collection and record key, as many as there are; None when the text is no at-uri."""
    if len(text) > 8192 or not text.startswith("at://"):
        return None
    parts = text[len("at://") :].split("/")
    tests = (is_authority, is_nsid, is_record_key)
    if len(parts) > len(tests) or not all(test(part) for test, part in zip(tests, parts, strict=False)):
        return None
    return parts


def is_at_uri(text: str) -> bool:
    """L1: the format `at-uri`."""
    return uri_parts(text) is not None


def kind_named(uri: str) -> str | None:
    """Return the short name of the collection an at-uri names, None when it names none of the prefix."""
    parts = uri_parts(uri)
    if parts is None or len(parts) < 2 or not parts[1].startswith(PREFIX):
        return None
    return parts[1].removeprefix(PREFIX)


def authority(uri: str) -> str:
    """Return the authority of an at-uri. Precondition: it is one."""
    return uri.removeprefix("at://").split("/")[0]
