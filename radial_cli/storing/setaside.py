"""`radial quarantine`: what was received and could not be taken.

Strategy: a list of reasons first, since most people ask why something is missing. The bytes themselves come from people
who may wish us ill: text is shown with everything spelled out that a terminal would act upon, anything else as
hexadecimal digits beside the letters in it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from typing import Any, Final

from radial_cli.exits import NOT_FOUND, Failure
from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.pictures.words import counted
from radial_cli.render import Page
from radial_cli.storing.place import opened
from radial_cli.untrusted import one_line, visible
from radial_io.store.values import Quarantined

_FIELDS: Final = ("uri", "cid", "rev", "reason", "bytes", "times", "first", "last", "source")
_WIDTH: Final = 16
_PRINTABLE: Final = range(0x20, 0x7F)


def print_quarantine(name: str | None, did: str | None, *, as_json: bool) -> None:
    """List what was set aside, of one repo or of all."""
    with opened(name, write=False) as store:
        entries = store.quarantine(did)
        if as_json:
            out_json({"quarantine": [_as_json(entry) for entry in entries]})
            return
        found = list(entries)
    if not found:
        say("radial: nothing was set aside")
    out(_list(found) if is_terminal() else "".join("\t".join(map(one_line, row)) + "\n" for row in _rows(found)))


def show_set_aside(name: str | None, uri: str, *, as_json: bool) -> None:
    """Print what was set aside at a URI, with its bytes. Raises `Failure` when there is nothing."""
    with opened(name, write=False) as store:
        found = [
            entry for entry in store.quarantine(uri.removeprefix("at://").partition("/")[0]) if uri_of(entry) == uri
        ]
    if not found:
        raise Failure(
            f"nothing was set aside at {one_line(uri, 200)}", "`radial quarantine` lists what was.", NOT_FOUND
        )
    if as_json:
        raws = (base64.b64encode(entry.raw).decode("ascii") for entry in found)
        out_json({"quarantine": [{**_as_json(entry), "raw": raw} for entry, raw in zip(found, raws, strict=True)]})
        return
    out("\n".join("\n".join(_page(entry)) + "\n" for entry in found))


def uri_of(entry: Quarantined) -> str:
    """Name what was set aside, as far as it is known."""
    return "at://" + "/".join(part for part in (entry.did, entry.collection, entry.rkey) if part is not None)


def _list(entries: Iterable[Quarantined]) -> str:
    page = Page(width(), styled=True)
    for entry in entries:
        page.line((uri_of(entry), "name"))
        page.line((entry.reason, "bad"), indent=2)
        page.line((f"{entry.length} bytes, {counted(entry.times, 'time')}, last {entry.last_at}", "quiet"), indent=2)
    return page.text()


def _rows(entries: Iterable[Quarantined]) -> Iterator[tuple[str, ...]]:
    yield _FIELDS
    for entry in entries:
        named = (uri_of(entry), entry.cid or "", entry.rev or "", entry.reason)
        met = (str(entry.length), str(entry.times), entry.first_at, entry.last_at)
        yield (*named, *met, f"{entry.source.adapter} {entry.source.host}")


def _as_json(entry: Quarantined) -> dict[str, Any]:
    return {
        "uri": uri_of(entry),
        "did": entry.did,
        "cid": entry.cid,
        "rev": entry.rev,
        "reason": entry.reason,
        "bytes": entry.length,
        "times": entry.times,
        "firstAt": entry.first_at,
        "lastAt": entry.last_at,
        "source": {"adapter": entry.source.adapter, "host": entry.source.host, "subject": entry.source.subject},
    }


def _page(entry: Quarantined) -> Iterator[str]:
    source = entry.source
    yield f"uri      {one_line(uri_of(entry))}"
    yield f"cid      {one_line(entry.cid or 'unknown')}"
    yield f"rev      {one_line(entry.rev or 'unknown')}"
    yield f"reason   {one_line(entry.reason)}"
    yield f"from     {source.adapter} {one_line(source.host)} {one_line(source.subject)}".rstrip()
    yield f"seen     {entry.first_at} to {entry.last_at}, {entry.times} times"
    yield f"bytes    {entry.length}" + (f", of which these are the first {len(entry.raw)}" if _is_cut(entry) else "")
    if entry.raw:
        yield ""
        yield from _spelled(entry.raw)


def _is_cut(entry: Quarantined) -> bool:
    return len(entry.raw) < entry.length


def _spelled(raw: bytes) -> Iterable[str]:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return _dump(raw)
    return visible(text).splitlines() if text.lstrip()[:1] in {"{", "["} else _dump(raw)


def _dump(raw: bytes) -> Iterator[str]:
    for start in range(0, len(raw), _WIDTH):
        piece = raw[start : start + _WIDTH]
        letters = "".join(chr(byte) if byte in _PRINTABLE else "." for byte in piece)
        yield f"{start:08x}  {piece.hex(' '):<{3 * _WIDTH - 1}}  {letters}"
