"""Vouching for a guest's words, and taking that back (M2; RAD-13.8).

Strategy: what a blessing copies stays, whatever becomes of the guest, so nobody blesses what they have not read: the
comment comes from the guest's own server, is judged as every record is, and is shown whole, with every character that a
terminal would hide spelled out. Where nobody is asked, the CID says which version was read.
"""

from __future__ import annotations

from collections.abc import Iterator

from radial_cli.acting.manner import Manner
from radial_cli.acting.performing import perform
from radial_cli.acting.view import View, now as clock
from radial_cli.exits import NOT_FOUND, USAGE, Failure
from radial_cli.outside import told
from radial_cli.running import run
from radial_cli.untrusted import one_line, visible
from radial_core.acts.draft import Act
from radial_core.acts.guests import bless as bless_comment, retract_bless
from radial_core.identifiers import record_parts
from radial_io.atproto.identity import open_servers
from radial_io.viewing.backlinks import MESSAGES, Hit
from radial_io.viewing.comments import Comment, NotShownError, fetch_comment


def bless(manner: Manner, *, goal: str, comment: str, cid: str | None) -> None:
    """Copy a guest's words into a goal."""
    parts = record_parts(comment)
    if parts is None or parts[1] != MESSAGES:
        raise Failure(f"{one_line(comment, 300)} is no message's URI", "`radial guests GOAL` lists comments.", USAGE)
    if manner.yes and cid is None and not manner.dry_run:
        raise Failure(
            "--yes alone blesses what nobody has read", "Add --cid with the version that you have read.", USAGE
        )
    hit = Hit(parts[0], parts[2])
    read: dict[str, Comment] = {}

    def build(view: View) -> Act:
        target = view.find(goal, "goal")
        if target not in read:
            read[target] = _fetch(hit, target, manner)
        said = read[target]
        if cid is not None and said.cid != cid:
            raise Failure(f"the comment is {said.cid} now, not {one_line(cid, 100)}", "Read it again.", NOT_FOUND)
        return bless_comment(view.desk, target, {"uri": said.uri, "cid": said.cid}, said.body)

    perform(
        manner,
        build,
        whole=lambda: [line for said in [*read.values()][-1:] for line in spelled(said)],
        question="Bless it, word for word?",
    )


def _fetch(hit: Hit, goal: str, manner: Manner) -> Comment:
    async def fetch() -> Comment:
        async with open_servers(pds=manner.pds, plc=manner.plc) as (client, resolver):
            return await fetch_comment(hit, goal, client=client, resolver=resolver, now=clock())

    with told(f"the comment {one_line(hit.uri)} cannot be fetched: "):
        try:
            return run(fetch)
        except NotShownError as error:
            raise Failure(f"{one_line(hit.uri)} {one_line(str(error), 300)}", status=NOT_FOUND) from error


def spelled(said: Comment) -> Iterator[str]:
    """Spell a comment line by line, without a byte left out; tabs and carriage returns too."""
    size = len(said.body.encode())
    yield f"  {said.guest} wrote, {one_line(said.created_at, 40)}, in {size} bytes, {said.cid}:"
    for line in said.body.split("\n"):
        yield f"  | {visible(line.replace(chr(92), chr(92) * 2)).replace(chr(9), chr(92) + 't')}"
    yield "  (that is all of it; a backslash is written twice)"
    if not said.proven:
        yield "  Its author's repository did not sign for it: only the hash was checked."


def retract(manner: Manner, *, blessing: str) -> None:
    """Withdraw a blessing."""
    perform(
        manner,
        lambda view: retract_bless(view.desk, view.find(blessing, "blessComment")),
        is_ending=True,
        question="Withdraw it?",
    )
