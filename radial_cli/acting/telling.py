"""What is said before and after an act, to a person and to a program.

Strategy: before, everything that a person should know to say no: in which space, as whom, into which repo, in earnest
or not; what each short reference was taken for; every field of every record; what would disappear. After, each record
with its URI and CID, and the place where it stands as it is now. What others wrote is made visible, never obeyed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from radial_cli.acting.after import after_json, draw_after
from radial_cli.acting.manner import Manner
from radial_cli.acting.prepared import Prepared
from radial_cli.exits import Failure
from radial_cli.names import short_name
from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.pictures.words import brief_title, counted
from radial_cli.render import Page, Parts
from radial_cli.untrusted import one_line, visible
from radial_core.acts.draft import Draft, Removal, Vain
from radial_core.acts.foresight import Hidden, Refusal
from radial_core.cids import Cid
from radial_core.jsonform import to_json
from radial_io.writing.written import Written

_REFERENCE: Final = {"uri", "cid"}
_MOST_LINES: Final = 40  # of one text, as it is shown before it is written
_WORDS: Final = {"create": "new", "update": "in place of", "delete": "taken away"}


@attrs.frozen
class Outcome:
    """How an act ended: what was prepared, and what was written of it."""

    ready: Prepared
    manner: Manner
    written: tuple[Written, ...]
    ending: str | None = None  # where it is none of the usual: `refused` by a rule, `kept` to be sent later, `failed`

    @property
    def word(self) -> str:
        """Say in a word what became of it."""
        if self.ending is not None:
            return self.ending
        if self.ready.is_empty:
            return "nothing to do"
        return "written" if self.written else "not written"


def mode_of(manner: Manner) -> str:
    """Say whether it is in earnest."""
    if manner.dry_run:
        return "dry run"
    return "forced" if manner.force else "real"


def say_prepared(ready: Prepared, manner: Manner) -> None:
    """Say on standard error what is about to be written, where, as whom (RK-12.9), and what would come of it."""
    page = Page(width(), styled=False)
    _draw_head(page, ready, manner)
    if not (manner.dry_run and not manner.as_json):  # then the records are the data, and follow
        for draft in ready.act.drafts:
            _draw_draft(page, draft, ready)
    for removal in ready.act.removals:
        uri = removal.uri(ready.view.account.did)
        page.line(f"Taken away: {short_name(uri) or uri}, {removal.replaces}")
    _draw_consequences(page, ready)
    say(page.text().rstrip("\n"))


def _draw_head(page: Page, ready: Prepared, manner: Manner) -> None:
    view, act = ready.view, ready.act
    rows: list[Sequence[Parts]] = []
    if act.space is not None:
        rows.append(("space", f"{view.title(act.space) or 'new'}  {act.space}"))
    rows += [
        ("as", f"{view.account.handle}  {view.account.did}"),
        ("repo", view.account.pds),
        ("mode", {"dry run": "dry run: nothing is written", "forced": "forced", "real": "real"}[mode_of(manner)]),
    ]
    if ready.waiting:
        words = counted(len(ready.waiting), "record that waits", "records that wait")
        rows.append(("first", f"{words} in the outbox from before (`radial outbox list`)"))
    for meant in view.meant:
        name = meant.name or view.title(meant.uri)
        rows.append((one_line(meant.text, 60), f"{f'“{brief_title(name)}” ' if name else ''}{meant.uri}"))
    page.line(f"radial {act.verb}")
    page.columns(rows, indent=2)


def _draw_draft(page: Page, draft: Draft, ready: Prepared) -> None:
    uri = draft.uri(ready.view.account.did)
    replaced = f" {draft.replaces}" if draft.replaces is not None else ""
    page.line(f"{short_name(uri) or uri} ({_WORDS[draft.operation]}{replaced})", indent=2)
    for name, value in draft.value.items():
        if name not in {"$type", "createdAt"}:
            _draw_field(page, name, value, ready)


def _draw_field(page: Page, name: str, value: Any, ready: Prepared) -> None:
    if isinstance(value, str) and ("\n" in value or len(value) > page.width // 2):
        page.line(f"{name}:", indent=4)
        left = page.prose(value, indent=6, most=_MOST_LINES)
        if left:
            page.line(f"… and {counted(left, 'line')} more", indent=6)
        return
    page.line(f"{name}: {_spelled(value, ready)}", indent=4, hang=6)


def _spelled(value: Any, ready: Prepared) -> str:
    if isinstance(value, Mapping):
        if value.keys() == _REFERENCE:
            return ready.view.reading.names.record(str(value["uri"]))
        return "; ".join(f"{name} {_spelled(inner, ready)}" for name, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_spelled(inner, ready) for inner in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int | Cid) else visible(str(value))


def _draw_consequences(page: Page, ready: Prepared) -> None:
    forecast = ready.forecast
    for caution in ready.warnings:
        page.line(f"Note: {ready.view.reading.names.within(caution.words)}")
    if forecast.hidden:
        page.line(f"It would hide {_listed(forecast.hidden)} (T5).")
        page.columns(_examples(forecast.hidden, ready), indent=2)
    if forecast.shown:
        page.line(f"It would bring back {_listed(forecast.shown)}.")
    for uris, words in (
        (forecast.stopped, "would be dispatched no more"),
        (forecast.resumed, "would be dispatched again"),
    ):
        if uris:
            page.line(f"{counted(len(uris), 'open request')} {words}.")


def _listed(hidden: Iterable[Hidden]) -> str:
    return ", ".join(map(str, hidden))


def _examples(hidden: Iterable[Hidden], ready: Prepared) -> Iterator[Sequence[Parts]]:
    """Name what has a name: goals and projects tell a person more than numbers do."""
    for group in hidden:
        for uri in group.uris[:5] if group.kind in {"goal", "project"} else ():
            yield group.kind, [f"“{ready.view.title(uri)}”", f"  {ready.view.reading.names.record(uri)}"]


def say_refusals(ready: Prepared) -> None:
    """Say why each record would not count, or would be for nothing."""
    reasons: tuple[Refusal | Vain, ...] = (*ready.forecast.refusals, *ready.act.vain)
    for each in reasons:
        say(f"radial: {one_line(ready.view.reading.names.within(str(each)))}")
        say(f"  {each.remedy}")


def tell(outcome: Outcome) -> Outcome:
    """Print what was written and what the place looks like now. Raises `Failure`, which says so if it was written."""
    try:
        _tell(outcome)
    except Failure as failure:
        if not outcome.written:
            raise
        uris = ", ".join(each.uri for each in outcome.written)
        raise Failure(f"{failure.message}; but it is written: {uris}", "Do not write it again.") from failure
    return outcome


def _tell(outcome: Outcome) -> None:
    ready, manner = outcome.ready, outcome.manner
    if manner.as_json:
        out_json(_json(outcome))
    elif manner.dry_run:
        out_json([_record(draft, None, ready) for draft in _all(ready)])
    elif not outcome.written:
        say("radial: there was nothing to write")
    else:
        out(_page(outcome))


def _page(outcome: Outcome) -> str:
    if not is_terminal():
        return "".join(f"{each.uri}\t{each.cid or ''}\t{each.how}\n" for each in outcome.written)
    page = Page(width(), styled=True)
    for each in outcome.written:
        words = "taken away" if each.cid is None else each.how
        page.line([(words, "good"), "  ", (each.uri, "name")])
        if each.cid is not None:
            page.line((each.cid, "quiet"), indent=2)
    page.gap()
    draw_after(page, outcome.ready)
    return page.text()


def _json(outcome: Outcome) -> dict[str, Any]:
    ready, manner = outcome.ready, outcome.manner
    view, forecast = ready.view, ready.forecast
    written = {each.uri: each for each in outcome.written}
    return {
        "verb": ready.act.verb,
        "outcome": outcome.word,
        "mode": mode_of(manner),
        "space": ready.act.space,
        "principal": {"did": view.account.did, "handle": view.account.handle},
        "repo": view.account.pds,
        "meant": [{"text": each.text, "kind": each.kind, "uri": each.uri} for each in view.meant],
        "waiting": list(ready.waiting),
        "records": [_record(draft, written.get(draft.uri(view.account.did)), ready) for draft in _all(ready)],
        "warnings": [attrs.asdict(caution) for caution in ready.warnings],
        "vain": [attrs.asdict(each) for each in ready.act.vain],
        "refused": [attrs.asdict(refusal) for refusal in forecast.refusals],
        "hidden": [attrs.asdict(group) for group in forecast.hidden],
        "shown": [attrs.asdict(group) for group in forecast.shown],
        "stopped": list(forecast.stopped),
        "resumed": list(forecast.resumed),
        "after": after_json(ready) if outcome.written and outcome.ending is None else None,
    }


def _all(ready: Prepared) -> tuple[Draft | Removal, ...]:
    return (*ready.act.drafts, *ready.act.removals)


def _record(draft: Draft | Removal, written: Written | None, ready: Prepared) -> dict[str, Any]:
    """Give one record; what is in it stands there exactly as it is, or would be, in the repo."""
    account = ready.view.account
    kept = draft if isinstance(draft, Draft) else None
    return {
        "uri": draft.uri(account.did),
        "cid": kept.cid if kept is not None else None,
        "repo": account.pds,
        "did": account.did,
        "operation": kept.operation if kept is not None else "delete",
        "replaces": draft.replaces,
        "value": to_json(dict(kept.value)) if kept is not None else None,
        "rev": written.rev if written is not None else None,
        "how": written.how if written is not None else None,
    }
