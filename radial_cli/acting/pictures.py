"""`radial image add`: a picture into one's own repo, and its locator into a text (RAD-4.20).

Strategy: first the file, then the record, and only then the text: a text never refers to a picture that is not there. A
failure on the way leaves the text as it was. A picture that one has recorded before, under the same words, is not
recorded again, so a second try after a failure goes on where the first one ended. One that still waits to be sent is
written as it waits, at the same key: sent twice it is written once.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from radial_cli.acting.attaching import blob_value, picture
from radial_cli.acting.manner import Manner
from radial_cli.acting.performing import perform
from radial_cli.acting.prepared import Upload
from radial_cli.acting.view import View
from radial_cli.exits import USAGE, Failure
from radial_cli.files import replacing, target
from radial_cli.output import say
from radial_cli.untrusted import file_name
from radial_core.acts.draft import Act, Caution, Draft
from radial_core.acts.images import image_record
from radial_core.identifiers import record_parts
from radial_core.records import PREFIX

_COLLECTION: Final = PREFIX + "image"


def add(manner: Manner, *, file: str, alt: str | None, name: str | None, into: str | None) -> None:
    """Put a picture into one's own repo. Raises `Failure`."""
    if alt is not None and set(alt) & set("[]\n"):
        raise Failure("these words cannot stand in a text's reference to a picture", "Leave brackets out.", USAGE)
    text = _readable(into) if into is not None else None
    called = name if name is not None else Path(file).name
    try:
        uri = _recorded(manner, picture(file), alt, called)
    except Failure:
        say("radial: nothing was inserted" + (f": {file_name(str(text))} is as it was" if text is not None else ""))
        raise
    if uri is None or manner.dry_run:
        return
    locator = f"![{alt or ''}](radial-image:{uri})"
    if text is None:
        say(f"radial: for a text: {locator}")
        return
    _append(text, locator)
    say(f"radial: {file_name(str(text))} refers to it now, on its last line")


def _recorded(manner: Manner, upload: Upload, alt: str | None, name: str) -> str | None:
    """Give the URI of the picture's record, written now or before."""
    blob = blob_value(upload)
    found: list[str] = []

    def build(view: View) -> Act:
        found[:] = [known] if (known := _known(view, blob["ref"], alt, name)) is not None else []
        if found:
            words = f"you have recorded this picture before, as {found[0]}"
            return Act(verb="image add", space=None, drafts=(), warnings=(Caution("Unchanged", words),))
        waiting = _waiting(view, blob["ref"], alt, name)
        if waiting is not None:
            return Act(verb="image add", space=None, drafts=(waiting,))
        return image_record(view.desk, blob, alt=alt, name=name)

    outcome = perform(manner, build, uploads=[upload])
    return next(iter([*found, *(each.uri for each in outcome.written)]), None)


def _known(view: View, ref: object, alt: str | None, name: str) -> str | None:
    """Find the record that says the same of the same file."""
    for image in view.reading.index.images:
        if image.author == view.account.did and _says(view.reading.value(image.uri), ref, alt, name):
            return image.uri
    return None


def _waiting(view: View, ref: object, alt: str | None, name: str) -> Draft | None:
    """Find the record that says the same of the same file, and that an earlier try left to be sent."""
    for record in view.known.meant(view.account.did):
        _, collection, rkey = record_parts(record.uri) or ("", "", "")
        if collection == _COLLECTION and _says(record.value, ref, alt, name):
            return Draft(collection=collection, rkey=rkey, value=record.value)
    return None


def _says(value: Mapping[str, Any], ref: object, alt: str | None, name: str) -> bool:
    return (value["blob"]["ref"], value.get("alt"), value.get("name")) == (ref, alt, name)


def _append(text: Path, line: str) -> None:
    before = text.read_bytes()
    with replacing(text) as stream:
        stream.write(before + (b"" if before.endswith(b"\n") or not before else b"\n") + line.encode() + b"\n")


def _readable(name: str) -> Path:
    path = target(name)
    if not path.exists():
        raise Failure(f"there is no text {file_name(name)}", "Name the text that the picture belongs to.", USAGE)
    return path
