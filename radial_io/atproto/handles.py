"""Handles, verified both ways: the document claims the handle, and the handle's host names the DID. No I/O."""

from __future__ import annotations


def handle_url(handle: str) -> str:
    """Give where a handle's host says whose it is."""
    raise NotImplementedError


def read_handle_answer(body: bytes) -> str | None:
    """Read the answer from `handle_url`: a DID, or None for anything else."""
    raise NotImplementedError
