"""Reading the answers of `listRecords`.

Strategy: a page is parsed whole when it can be; each of its items is then judged alone, and an item that cannot be a
record of this repo and collection is set aside with its reason. A page that cannot be parsed may still say what it
holds: `skim` walks its brackets, without recursion and without building anything, as far as the text goes, and brings
back the one URI and the cursor. That is enough to name a hostile record and to step over it.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import attrs

from radial_core.canonical import CanonicalError, cid_of
from radial_core.identifiers import record_parts
from radial_core.jsonform import JsonError, from_json
from radial_io.errors import NotJsonError, quoted


@attrs.frozen
class Held:
    """A record that a repo was seen to hold."""

    uri: str
    cid: str
    value: Any


@attrs.frozen
class SetAside:
    """A record that was listed and cannot be taken: what names it, and why. `cid` as listed, if it was."""

    uri: str
    cid: str | None
    reason: str


@attrs.frozen
class Page:
    """One answer: its items as parsed, not judged yet, and where to go on."""

    items: tuple[Any, ...]
    cursor: str | None


@attrs.frozen
class Skimmed:
    """What could be made out of an answer that could not be parsed."""

    uri: str | None
    cid: str | None
    cursor: str | None


def read_page(url: str, body: bytes) -> Page:
    """Parse one answer. Raises `NotJsonError` when it is not JSON, nested too deep for the parser, or no page."""
    try:
        page = json.loads(body)
    except RecursionError as error:
        raise NotJsonError(url, "holds a value nested too deep to be read", body) from error
    except ValueError as error:
        raise NotJsonError(url, f"is not JSON ({quoted(error)})", body) from error
    items = page.get("records") if isinstance(page, dict) else None
    cursor = page.get("cursor") if isinstance(page, dict) else None
    if not isinstance(items, list) or not isinstance(cursor, str | None):
        raise NotJsonError(url, "is not a page of records", body)
    return Page(tuple(items), cursor)


def read_item(item: Any, prefix: str) -> Held | SetAside:
    """Judge one item of a page. `prefix` is `at://DID/COLLECTION/`: a repo speaks for nobody else.

    O5: the CID is computed anew here, where records enter; one that differs is set aside, as is a value that no
    atproto record can have.
    """
    fields = item if isinstance(item, dict) else {}
    uri, cid = fields.get("uri"), fields.get("cid")
    if not isinstance(uri, str) or not uri.startswith(prefix) or record_parts(uri) is None:
        return SetAside(
            quoted(uri or prefix),
            quoted(cid) if isinstance(cid, str) else None,
            f"the listing of {prefix} cannot hold this item",
        )
    if not isinstance(cid, str) or "value" not in fields:
        return SetAside(uri, None, "the item has no cid or no value")
    try:
        value = from_json(fields["value"])
        computed = cid_of(value)
    except (JsonError, CanonicalError) as fault:
        return SetAside(uri, quoted(cid), quoted(fault))
    if computed != cid:
        return SetAside(uri, quoted(cid), f"its cid is not that of its value, which is {computed}")
    return Held(uri, cid, value)


# A string, a bracket, a comma, a colon, or any other run of characters; spaces before it. Possessive: no way back.
_TOKEN: Final = re.compile(rb'\s*+(?:("[^"\\]*+(?:\\.[^"\\]*+)*+")|([{}\[\],:])|[^\s"{}\[\],:]++)', re.DOTALL)
_DEEPEST_OF_INTEREST: Final = 3
_PLACES: Final = {("cursor",): "cursor", ("records", "", "uri"): "uri", ("records", "", "cid"): "cid"}


def skim(body: bytes) -> Skimmed:
    """Look for `cursor`, `records[].uri` and `records[].cid` in JSON text of any depth, whole or cut off.

    Of several records only the last is named: it is for answers that were asked to hold one.
    """
    found: dict[str, str] = {}
    path: list[str] = []  # per open bracket of interest: the key at hand, "" in an array and before a key
    objects: list[bool] = []
    depth = position = 0
    while match := _TOKEN.match(body, position):
        position = match.end()
        text, mark = match.group(1, 2)
        if mark in {b"{", b"["}:
            depth += 1
            if depth <= _DEEPEST_OF_INTEREST:
                path.append("")
                objects.append(mark == b"{")
        elif mark in {b"}", b"]"}:
            if depth <= _DEEPEST_OF_INTEREST and path:
                path.pop()
                objects.pop()
            depth -= 1
        elif depth > _DEEPEST_OF_INTEREST or not path:
            continue
        elif mark == b",":
            path[-1] = ""
        elif text is not None and objects[-1] and not path[-1]:
            path[-1] = _plain(text)
        elif text is not None and (place := _PLACES.get(tuple(path))):
            found[place] = _plain(text)
    return Skimmed(found.get("uri"), found.get("cid"), found.get("cursor"))


def _plain(text: bytes) -> str:
    """Read a JSON string; empty if it is none."""
    try:
        return str(json.loads(text))
    except ValueError:
        return ""
