"""`radial image add`: a picture into one's own repo, and its locator into a text (RAD-4.20).

Strategy: first the file, then the record, and only then the text: a text never refers to a picture that is not there. A
failure on the way leaves the text as it was. Two runs with one picture write one record.
"""

from __future__ import annotations

from pathlib import Path

from radial_cli.acting.attaching import blob_value, picture
from radial_cli.acting.manner import Manner
from radial_cli.acting.performing import perform
from radial_cli.exits import USAGE, Failure
from radial_cli.files import replacing, target
from radial_cli.output import say
from radial_cli.untrusted import file_name
from radial_core.acts.images import image_record


def add(manner: Manner, *, file: str, alt: str | None, name: str | None, into: str | None) -> None:
    """Put a picture into one's own repo. Raises `Failure`."""
    if alt is not None and set(alt) & set("[]\n"):
        raise Failure("these words cannot stand in a text's reference to a picture", "Leave brackets out.", USAGE)
    text = _readable(into) if into is not None else None
    upload = picture(file)
    blob = blob_value(upload)
    called = name if name is not None else Path(file).name
    try:
        outcome = perform(manner, lambda view: image_record(view.desk, blob, alt=alt, name=called), uploads=[upload])
    except Failure:
        say("radial: nothing was inserted" + (f": {file_name(str(text))} is as it was" if text is not None else ""))
        raise
    written = [each.uri for each in outcome.written]
    if not written:
        return
    locator = f"![{alt or ''}](radial-image:{written[0]})"
    if text is None:
        say(f"radial: for a text: {locator}")
        return
    with replacing(text) as stream:
        before = text.read_bytes()
        stream.write(before + (b"" if before.endswith(b"\n") or not before else b"\n") + locator.encode() + b"\n")
    say(f"radial: {file_name(str(text))} refers to it now, on its last line")


def _readable(name: str) -> Path:
    path = target(name)
    if not path.exists():
        raise Failure(f"there is no text {file_name(name)}", "Name the text that the picture belongs to.", USAGE)
    return path
