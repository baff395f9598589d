"""The law of foresight: what is foreseen is what folding everything anew gives, for any history and any record."""

from typing import Any

from hypothesis import given, strategies as st

from radial_core import Index, Record, materialize
from radial_core.acts.draft import Draft
from radial_core.acts.foresight import foresee
from radial_core.jsonform import from_json
from radial_core.observations import observation_of
from radial_corpus import observations
from tests.histories import FIELDS, PEOPLE, PREFIX, HistoryMaker

LAST = {"rev": "3zzzzzzzzzzz2", "seen_at": "9000-01-01T00:00:00Z"}


@st.composite
def moments(draw: st.DrawFn) -> tuple[list[dict[str, Any]], str, list[Draft]]:
    """Draw a history, somebody, and what they mean to write now, at new keys; some of it is no record at all."""

    def pick(options: Any) -> Any:
        return options[draw(st.integers(0, len(options) - 1))]

    maker = HistoryMaker(pick)
    history = maker.history(draw(st.integers(0, 25)))
    drafts: list[Draft] = []
    for number in range(draw(st.integers(1, 3))):
        kind = pick(tuple(FIELDS))
        value = maker.record(kind)
        if draw(st.integers(0, 5)) == 0:
            value[pick(tuple(value))] = pick((None, 7, "", []))
        drafts.append(Draft(collection=PREFIX + kind, rkey=f"new{number}", value=from_json(value)))
    return history, pick(PEOPLE), drafts


def counted(index: Index) -> dict[str, str]:
    """Give the kind of every record that counts, by URI."""
    entries = index.filing.entries.items()
    return {uri: entry.record.kind for uri, entry in entries if index.entry(uri) is not None}


def dispatchable(index: Index) -> dict[str, tuple[bool, bool]]:
    """Give for every request whether it is open and whether it is dispatchable."""
    goals = [one for space in index.spaces for goal in space.goals for one in goal.requests]
    others = [one for space in index.spaces for project in space.projects for one in project.requests]
    return {one.uri: (one.open, one.dispatchable) for one in (*goals, *others)}


@given(moments())
def test_refused_is_what_a_fold_of_everything_ignores(moment: tuple[list[dict[str, Any]], str, list[Draft]]) -> None:
    history, author, drafts = moment
    held = [observation_of(from_json(line)) for line in history]
    before = materialize(held)
    written = [Record(uri=one.uri(author), cid=one.cid, value=one.value, **LAST) for one in drafts]
    after = materialize([*held, *written])
    forecast = foresee(before, author, drafts)
    ignored = {row.uri: row.rule for row in after.ignored}
    expected = [(one.uri, ignored[one.uri]) for one in written if one.uri in ignored]
    assert [(refusal.uri, refusal.rule) for refusal in forecast.refusals] == expected
    assert before == materialize(held)


@given(moments())
def test_hidden_and_shown_are_what_two_folds_differ_in(moment: tuple[list[dict[str, Any]], str, list[Draft]]) -> None:
    history, author, drafts = moment
    held = [observation_of(from_json(line)) for line in history]
    before = materialize(held)
    forecast = foresee(before, author, drafts)
    own = {one.uri(author) for one in drafts}
    was, now = counted(before), counted(materialize([*held, *_recorded(forecast.index, own)]))
    hidden = {uri for uri in was if uri not in now}
    told = {uri: one.kind for one in forecast.hidden for uri in one.uris}
    assert told == {uri: was[uri] for uri in hidden}
    assert {uri for one in forecast.shown for uri in one.uris} == {
        uri for uri in now if uri not in was and uri not in own
    }


def _recorded(index: Index, own: set[str]) -> list[Record]:
    """Give what was drafted as it was folded, without what is no record."""
    entries = (index.filing.entries.get(uri) for uri in own)
    return [Record(uri=one.uri, cid=one.cid, value=one.value, **LAST) for one in entries if one is not None]


@given(moments())
def test_stopped_and_resumed_are_what_two_folds_say_of_requests(
    moment: tuple[list[dict[str, Any]], str, list[Draft]],
) -> None:
    history, author, drafts = moment
    before = materialize([observation_of(from_json(line)) for line in history])
    forecast = foresee(before, author, drafts)
    was, now = dispatchable(before), dispatchable(forecast.index)
    both = {uri: (was[uri], now[uri]) for uri in was if uri in now}
    assert {*forecast.stopped} == {uri for uri, one in both.items() if one == ((True, True), (True, False))}
    assert {*forecast.resumed} == {uri for uri, (one, other) in both.items() if not one[1] and other[1]}


def test_every_record_of_a_realistic_space_is_foreseen_as_it_comes() -> None:
    index, refused = materialize([]), 0
    for seen in observations(500, seed=7):
        after = index.extend([seen])
        parts = seen.uri.split("/")
        fresh = isinstance(seen, Record) and index.explain(seen.uri).verdict == "unknown" and len(parts) == 5
        if isinstance(seen, Record) and fresh and isinstance(seen.value, dict) and parts[2].startswith("did:"):
            draft = Draft(collection=parts[3], rkey=parts[4], value=seen.value)
            forecast = foresee(index, parts[2], [draft])
            row = after.ignored_at(seen.uri)
            assert [one.rule for one in forecast.refusals] == ([] if row is None else [row.rule])
            refused += row is not None
        index = after
    assert refused > 5
