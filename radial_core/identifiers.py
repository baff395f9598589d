"""The names of atproto: DIDs, handles, NSIDs, record keys, TIDs, at-URIs, and the looser text formats of lexicons.

Strategy: each syntax is one compiled pattern, matched against the whole text and bounded in length. A name is judged,
never repaired: what is spelled in another case or escaped otherwise is another name. No pattern can cut one text in two
ways (the parts of a repeat end with what they cannot hold), so hostile text costs one pass there and one back.
Possessive repeats would say so themselves, but `fullmatch` of Python 3.11.2, which Debian 12 has, gets them wrong. Only
ASCII is named in the patterns, so no locale and no Unicode table has a say.

The author of a record is the DID in its URI (O6): `record_parts` is asked once per record and is one match.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

LONGEST_DID: Final = 2048
LONGEST_HANDLE: Final = 253
LONGEST_NSID: Final = 317
LONGEST_URI: Final = 8192
_USUAL_CID: Final = 59

# One label of a domain name: letters, digits and inner hyphens.
_LABEL: Final = r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)"
_DID: Final = r"did:[a-z]+:[A-Za-z0-9._:%-]+(?<![:%])"
_HANDLE: Final = rf"(?:{_LABEL}\.)+(?![0-9]){_LABEL}"
_NSID: Final = rf"(?=[A-Za-z])(?:{_LABEL}\.){{2,}}[A-Za-z][A-Za-z0-9]{{0,62}}"
_RECORD_KEY: Final = r"(?!\.{1,2}\Z)[A-Za-z0-9._:~-]{1,512}"
# The first character holds the top bits of a 64-bit number whose highest is zero.
_TID: Final = r"[2-7a-j][2-7a-z]{12}"
# The loose syntax of lexicon strings: any CID but version 0. A link is a parsed CID instead (radial_core.cids).
_CID: Final = r"(?!Qm)[A-Za-z0-9+=]{8,256}"
# A scheme as in RFC 3986 and something visible: at://, ssh://, git+https:// and dns: are all welcome.
_URI: Final = r"[A-Za-z][A-Za-z0-9+.-]*:[!-~]+"
# The shape of a BCP 47 tag; whether its subtags are registered is not asked.
_LANGUAGE: Final = r"(?:[a-z]{2,3}|[ixX](?=-))(?:-[A-Za-z0-9]{1,8})*"

_match_did: Final = re.compile(_DID).fullmatch
_match_handle: Final = re.compile(_HANDLE).fullmatch
_match_nsid: Final = re.compile(_NSID).fullmatch
_match_record_key: Final = re.compile(_RECORD_KEY).fullmatch
_match_tid: Final = re.compile(_TID).fullmatch
_match_cid: Final = re.compile(_CID).fullmatch
_match_uri: Final = re.compile(_URI).fullmatch
_match_language: Final = re.compile(_LANGUAGE).fullmatch
_match_at_uri: Final = re.compile(rf"at://({_DID}|{_HANDLE})(?:/({_NSID})(?:/({_RECORD_KEY}))?)?").fullmatch
_match_shelf: Final = re.compile(rf"at://({_DID})/({_NSID})").fullmatch


def is_did(text: str) -> bool:
    """Tell whether the text is a DID as atproto spells it: `did:method:name`, at most 2048 characters."""
    return len(text) <= LONGEST_DID and _match_did(text) is not None


def is_handle(text: str) -> bool:
    """Tell whether the text is a handle: a domain name of at least two labels, the last not starting with a digit."""
    return len(text) <= LONGEST_HANDLE and _match_handle(text) is not None


def is_at_identifier(text: str) -> bool:
    """Tell whether the text is a DID or a handle."""
    return is_did(text) or is_handle(text)


def is_nsid(text: str) -> bool:
    """Tell whether the text is an NSID: a reversed domain name and a last part of letters and digits."""
    return len(text) <= LONGEST_NSID and _match_nsid(text) is not None


def is_record_key(text: str) -> bool:
    """Tell whether the text is a record key: 1 to 512 of `A-Z a-z 0-9 . _ : ~ -`, but neither `.` nor `..`."""
    return _match_record_key(text) is not None


def is_tid(text: str) -> bool:
    """Tell whether the text is a TID: 13 characters of sortable base32. TIDs sort as strings."""
    return _match_tid(text) is not None


def is_cid_text(text: str) -> bool:
    """Tell whether the text looks like a CID: the loose `cid` format of lexicon strings, which does not parse it."""
    # The spelling that nearly every CID has is recognised without the pattern, which tells the rest.
    usual = len(text) == _USUAL_CID and text[0] == "b" and text.isascii() and text.isalnum()
    return usual or _match_cid(text) is not None


def is_uri(text: str) -> bool:
    """Tell whether the text is a URI: a scheme, a colon, visible ASCII; at most 8192 characters."""
    return len(text) <= LONGEST_URI and _match_uri(text) is not None


def is_language(text: str) -> bool:
    """Tell whether the text has the shape of a language tag (BCP 47)."""
    return _match_language(text) is not None


def is_at_uri(text: str) -> bool:
    """Tell whether the text is an at-URI: an authority, then perhaps a collection, then perhaps a record key."""
    # Short texts alone are kept, so that nobody can fill the memory with long ones; in them no part is too long either.
    if len(text) <= LONGEST_SHORT_URI:
        return collection_in_short(text) is not None
    return _at_uri_parts(text) is not None


LONGEST_SHORT_URI: Final = LONGEST_HANDLE


# A value of a pure function: what a space's records refer to, they refer to again and again.
@lru_cache(maxsize=2**14)
def collection_in_short(text: str) -> str | None:
    """Give the collection in an at-URI of at most `LONGEST_SHORT_URI` characters, empty if it names none.

    `None` for what is no at-URI.
    """
    match = _match_at_uri(text)
    return None if match is None else match[2] or ""


def record_parts(uri: str) -> tuple[str, str, str] | None:
    """Split the URI of a record into the DID of its repo, its collection and its record key.

    Gives nothing when the URI is not exactly those three parts, each legal: a handle is nobody's DID (O6).
    """
    shelf, _, record_key = uri.rpartition("/")
    parts = _short_shelf(shelf) if len(shelf) <= _LONGEST_SHORT_SHELF else _shelf_parts(shelf)
    # Most keys are letters and digits, and told without the pattern.
    usual = record_key.isalnum() and len(record_key) <= _USUAL_KEY and record_key.isascii()
    return (*parts, record_key) if parts is not None and (usual or is_record_key(record_key)) else None


_USUAL_KEY: Final = 64
_LONGEST_SHORT_SHELF: Final = 256


def _shelf_parts(text: str) -> tuple[str, str] | None:
    """Split `at://DID/collection`, under which a repo keeps its records of one kind."""
    match = _match_shelf(text)
    if match is None or len(match[1]) > LONGEST_DID or len(match[2]) > LONGEST_NSID:
        return None
    return match[1], match[2]


# A value of a pure function: a history has few repos, each of few kinds of records. Their names are then shared, too.
_short_shelf: Final = lru_cache(maxsize=2**12)(_shelf_parts)


def _at_uri_parts(text: str) -> tuple[str, str | None, str | None] | None:
    match = _match_at_uri(text)
    if match is None:
        return None
    authority, collection, record_key = match.groups()
    longest = LONGEST_DID if authority.startswith("did:") else LONGEST_HANDLE
    fits = len(authority) <= longest and (collection is None or len(collection) <= LONGEST_NSID)
    return (authority, collection, record_key) if fits else None


class AtUri(NamedTuple):
    """The parts of an at-URI. `authority` is a DID or a handle; without a `collection` there is no `rkey`."""

    authority: str
    collection: str | None = None
    rkey: str | None = None

    @classmethod
    def parse(cls, text: str) -> AtUri:
        """Read an at-URI. Raises `ValueError` for anything that is not one."""
        parts = _at_uri_parts(text)
        if parts is None:
            raise ValueError(f"not an at-URI: {ascii(text)[:80]}")
        return cls(*parts)

    def __str__(self) -> str:
        """Spell it as it was read."""
        return "at://" + "/".join(part for part in self if part is not None)


class StrongRef(NamedTuple):
    """A reference to a record that pins the version meant (L4). It resolves by `uri`; `cid` says what was seen."""

    uri: str
    cid: str
