"""Handles, verified both ways: the document claims the handle, and the handle's host names the DID. No I/O.

Strategy: a handle is for people to look at, never part of who somebody is; one that is not confirmed is not shown. Of
the two ways to confirm it we ask the host over https, at the well-known place. The other, a DNS record, would take a
resolver library whose packets pass by the guard of addresses; so a handle that only DNS confirms stays unconfirmed,
which is not the same as contradicted.
"""

from __future__ import annotations

from typing import Final

from radial_core.identifiers import LONGEST_DID, is_did, is_handle

LONGEST_ANSWER: Final = LONGEST_DID + 64  # bytes; a DID and some white space

# Names that lead nowhere on the open internet, or to somebody's own network.
_RESERVED: Final = (*(".alt", ".arpa", ".example", ".internal", ".invalid", ".local", ".localhost", ".onion", ".test"),)


def normal_handle(text: str) -> str | None:
    """Give a handle in its one spelling, lower case; None for what is no handle."""
    return text.lower() if is_handle(text) else None


def handle_url(handle: str) -> str | None:
    """Give where a handle's host says whose it is; None when there is no such host on the open internet."""
    return None if handle.endswith(_RESERVED) else f"https://{handle}/.well-known/atproto-did"


def read_handle_answer(body: bytes) -> str | None:
    """Read the answer from `handle_url`: a DID with white space around it, or None for anything else."""
    if len(body) > LONGEST_ANSWER or not body.isascii():
        return None
    text = body.decode("ascii").strip()
    return text if is_did(text) else None
