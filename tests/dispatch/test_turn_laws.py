"""Whatever the history and whatever an agent sends: what leaves a turn is sound, counts, and answers its request."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, strategies as st

from radial_core import Index, Record, materialize
from radial_core.canonical import cid_of, measure
from radial_core.dispatch.assignment import assign
from radial_core.dispatch.drafting import Bounds, Write
from radial_core.dispatch.lifecycle import (
    Ask,
    Cancel,
    End,
    Event,
    Failed,
    Hold,
    IllegalEvent,
    Observe,
    Start,
    Submit,
    Written,
)
from radial_core.dispatch.refusals import Refusal
from radial_core.dispatch.submission import FIELDS
from radial_core.dispatch.turn import Answer, Turn, advance
from radial_core.identifiers import StrongRef, record_parts
from radial_core.jsonform import from_json
from radial_core.observations import observation_of
from radial_core.structure import structural_faults
from tests.core.small_world import (
    ANN,
    ATTIC,
    AUDIT,
    BOT,
    EVE,
    GOAL,
    PLAN,
    PREFIX,
    PROJECT,
    REPLY,
    ROOT,
    UNSEEN,
    ref,
    uri_of,
    write,
)
from tests.dispatch.turns import CODE, COMMIT, INDEX, NOW, RECORDS, SAID, assigned
from tests.histories import PEOPLE, HistoryMaker

CLAIM = StrongRef(f"at://{BOT}/{PREFIX}claim/c", UNSEEN)


def sound(answer: Answer) -> Record:
    assert isinstance(answer, Write), answer
    did, collection, _ = record_parts(answer.uri) or ("", "", "")
    assert did
    assert measure(answer.value) is None
    assert structural_faults(collection, answer.value) == ()
    assert cid_of(answer.value) == answer.cid
    return Record(uri=answer.uri, cid=answer.cid, value=answer.value)


def answered_in_full(index: Index, request: str, author: str) -> str:
    """Run a turn that asks and delivers; give its kind, or the name of what refused it."""
    work = assign(index, request, author=author, turn="t")
    if isinstance(work, Refusal):
        return work.name
    turn, _ = advance(Turn(assignment=work, claim=CLAIM, configured="m"), Start())
    if work.asking:
        asking, answer = advance(turn, Ask(said={"body": "which?"}, at=NOW))
        asked = sound(answer)
        turn, _ = advance(asking, Written(asked.cid))
        judge_question(index, request, asked, author)
    _, answer = advance(turn, Submit(kind=work.kind, said=SAID[work.kind], at=NOW))
    record = sound(answer)
    after = index.extend([record])
    assert after.place_of(record.uri) is not None, after.explain(record.uri)
    assert record.uri not in [row.uri for row in after.ignored]
    view = after.request(request)
    assert view is not None
    assert record.uri in view.fulfilled_by
    return work.kind


def judge_question(index: Index, request: str, asked: Record, author: str) -> None:
    after = index.extend([asked])
    assert after.place_of(asked.uri) is not None, after.explain(asked.uri)
    view = after.request(request)
    assert view is not None
    space = after.space(str(space_of(after, request)))
    assert space is not None
    kinds = {member.did: member.kind for member in space.members}
    # R6: on an unassigned request a person thinking aloud is not a question.
    if view.assignee == author or kinds[author] == "agent":
        assert asked.uri in [question.uri for question in view.questions]


def space_of(index: Index, uri: str) -> str | None:
    place = index.entry(index.place_of(uri) or "")
    return None if place is None else place.value["space"]["uri"]


@given(st.randoms(use_true_random=False), st.sampled_from((60, 120)))
def test_every_record_of_every_turn_in_every_history_counts_and_answers(random: Random, length: int) -> None:
    index = materialize(observation_of(from_json(one)) for one in HistoryMaker(random.choice).history(length))
    for space in index.spaces:
        asked = [request for goal in space.goals for request in goal.requests]
        asked += [request for project in space.projects for request in project.requests]
        for request in asked:
            for author in sorted(set(PEOPLE)):
                answered_in_full(index, request.uri, author)


ELSEWHERE = write(
    ANN, "project", 70, "other", space=ref(ATTIC), name="O", gitUrl="https://git.example/o", defaultBranch="main"
)
FOREIGN = write(ANN, "goal", 71, "far", space=ref(ATTIC), project=ref(ELSEWHERE), title="Far", body="F")
FAR_WANTED = write(ANN, "artifactRequest", 72, goal=ref(FOREIGN), type="plan")
FAR_PLAN = write(ANN, "artifact", 73, goal=ref(FOREIGN), request=ref(FAR_WANTED), type="plan", body="f")
FAR_WORD = write(ANN, "message", 74, goal=ref(FOREIGN), body="far")
WIDE = (*RECORDS, ELSEWHERE, FOREIGN, FAR_WANTED, FAR_PLAN, FAR_WORD)
PLACES = (("goal", GOAL), ("project", PROJECT), ("goal", FOREIGN))
TALK = (("goal", GOAL), ("artifact", PLAN), ("artifact", AUDIT))
TYPES = ("plan", "audit", "review", "review", "answer", "answer", "answer", "poem")
KEYS = ("ma", "mb", "mc", "md")
NAMED = [{"uri": uri_of(ANN, "message", key), "cid": UNSEEN} for key in KEYS]
WORKS = [ref(one) for one in (PLAN, CODE, AUDIT, FAR_PLAN)]
SUBJECTS: dict[str, list[Any]] = {"review": WORKS, "answer": [*NAMED, *NAMED, ref(REPLY), ref(FAR_WORD)]}
ANY_SUBJECT = [*WORKS, *NAMED, ref(GOAL), ref(FAR_WORD), None, None]


def crowd(draw: Random) -> tuple[list[Record], Record]:
    """Make threads that lead anywhere, in circles too, and a request for anything about anything."""
    said: list[Record] = []
    for key in KEYS:
        place, anchor = draw.choice(TALK)
        parent = draw.choice([None, *NAMED])
        said.append(write(ANN, "message", draw.randint(40, 60), key, body=key, parent=parent, **{place: ref(anchor)}))
    place, anchor = draw.choice(PLACES)
    kind = draw.choice(TYPES)
    request = write(
        ROOT, "artifactRequest", 80, "wanted", type=kind, **{place: ref(anchor)},
        subject=draw.choice(SUBJECTS.get(kind, ANY_SUBJECT)),
        basedOn=draw.choice((None, [one for one in draw.choices(ANY_SUBJECT, k=3) if one is not None])),
        assignee=draw.choice((BOT, BOT, ANN) if kind == "answer" else (None, BOT)),
    )  # fmt: skip
    return said, request


def test_every_record_of_every_turn_about_anything_counts_and_answers() -> None:
    reached: Counter[str] = Counter()
    for seed in range(400):
        draw = Random(seed)
        said, request = crowd(draw)
        try:
            reached[answered_in_full(materialize([*WIDE, *said, request]), request.uri, draw.choice(AUTHORS))] += 1
        except Exception as failure:
            failure.add_note(f"seed {seed}")
            raise
    refusals = {"UnknownRequest", "NoMember", "AssignedToAnother", "UnknownSubject"}
    assert reached.keys() == {"artifact", "review", "reply"} | refusals, reached


AUTHORS = (BOT, BOT, BOT, ANN, ROOT, EVE)
LEAVES = (
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=9) | st.binary(max_size=3)
)
NAMES = st.text(max_size=4) | st.sampled_from([
    *(name for fields in FIELDS.values() for name in fields.names),
    "path", "line", "severity", "commit", "pr", "branch", "model", "createdAt", "author", "claim", "goal",
    "type", "$type", "prev", "re", "x",
])  # fmt: skip
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=9
)
TEXT = st.text(st.characters() | st.sampled_from("\ud800\n "), max_size=9)
FINDING = st.fixed_dictionaries(
    {"severity": st.sampled_from(("major", "x")) | LEAVES, "body": TEXT},
    optional={"path": TEXT, "line": st.integers(-1, 3), "x": LEAVES},
)
ARTIFACT = st.fixed_dictionaries(
    {"title": TEXT, "body": TEXT | st.just("long " * 300)},
    optional={
        "summary": TEXT,
        "criteria": st.lists(TEXT, max_size=2) | LEAVES,
        "links": st.dictionaries(
            st.sampled_from(("branch", "pr", "commit")), st.sampled_from(("https://x.example/1", COMMIT))
        ),
    },
)
REVIEWED = st.fixed_dictionaries(
    {"verdict": st.sampled_from(("approve", "request_changes", "approve", "fine"))},
    optional={"findings": st.lists(FINDING, max_size=2) | LEAVES, "subject": LEAVES},
)
SUBMISSIONS = st.one_of(
    st.tuples(st.sampled_from(("artifact", "review", "reply")), ANYTHING),
    st.tuples(st.just("artifact"), ARTIFACT),
    st.tuples(st.just("review"), REVIEWED),
    st.tuples(st.just("reply"), st.fixed_dictionaries({"body": TEXT})),
)
FILLED = ("$type", "createdAt", "request", "goal", "type", "prev", "subject", "root", "parent", "re", "model", "claim")


@given(SUBMISSIONS)
def test_nothing_that_an_agent_sends_bends_what_the_daemon_fills_in(submission: tuple[str, Any]) -> None:
    kind, said = submission
    turn = Turn(assignment=assigned(kind), claim=CLAIM, bounds=Bounds(record=1500, file=4000))
    for event in (Start(), Observe("observed"), Hold(CLAIM)):
        turn, _ = advance(turn, event)
    _, reference = advance(turn, Submit(kind=kind, said=SAID[kind], at=NOW))
    _, answer = advance(turn, Submit(kind=kind, said=said, at=NOW))
    if isinstance(answer, Refusal):
        assert answer.objections
        assert all(fault.path.startswith("$") and fault.remedy for fault in answer.objections)
        str(answer).encode()
        return
    record, plain = sound(answer), sound(reference)
    assert record.uri == plain.uri
    assert {name: record.value.get(name) for name in FILLED} == {name: plain.value.get(name) for name in FILLED}
    assert INDEX.extend([record]).place_of(record.uri) is not None


def spoil(value: Any) -> None:
    """Change everything in a value that can be changed."""
    for inner in [*value.values()] if isinstance(value, dict) else [*value] if isinstance(value, list) else ():
        spoil(inner)
    if isinstance(value, dict | list):
        value.clear()


WORDS = st.sampled_from(("one", "two", "long " * 300))
LINKED = st.dictionaries(st.just("branch"), st.sampled_from(("main", "next")))
JUDGED = st.fixed_dictionaries({"severity": st.just("nit"), "body": WORDS}, optional={"path": st.just("a")})
SOUND = st.one_of(
    st.tuples(
        st.just("artifact"),
        st.fixed_dictionaries(
            {"title": st.just("T"), "body": WORDS, "summary": st.just("s")},
            optional={"criteria": st.lists(st.just("c"), max_size=3), "links": LINKED},
        ),
    ),
    st.tuples(
        st.just("review"),
        st.fixed_dictionaries({"verdict": st.just("approve")}, optional={"findings": st.lists(JUDGED, max_size=2)}),
    ),
)


@given(SOUND)
def test_what_an_agent_does_to_its_submission_afterwards_changes_no_record(submission: tuple[str, Any]) -> None:
    kind, said = submission
    turn = Turn(assignment=assigned(kind), bounds=Bounds(record=4000))
    after, answer = advance(advance(turn, Start())[0], Submit(kind=kind, said=said, at=NOW))
    record = sound(answer)
    spoil(said)
    assert sound(answer) == record
    assert after.pending is answer


@given(st.lists(st.sampled_from((Start, Ask, Submit, Written, Failed, Cancel, End, "bad")), max_size=30))
def test_whatever_happens_in_whatever_order_one_terminal_record_is_written_at_most(order: list[Any]) -> None:
    turn = Turn(assignment=assigned())
    written: list[str] = []
    for step in [Start, *order]:
        made: dict[Any, Event] = {
            Ask: Ask(said={"body": "?"}, at=NOW),
            Submit: Submit(kind="artifact", said=SAID["artifact"], at=NOW),
            "bad": Submit(kind="artifact", said={"title": "", "body": "b"}, at=NOW),
            Written: Written(UNSEEN),
        }
        event = made[step] if step in made else step()
        pending = turn.pending
        try:
            turn, answer = advance(turn, event)
        except IllegalEvent:
            continue
        if event.__class__ is Written:
            assert pending is not None
            written.append(pending.uri)
        assert isinstance(answer, Write) is (turn.pending is not None and turn.pending is not pending)
    assert len(set(written)) == len(written)
    terminal = [uri for uri in written if uri == turn.assignment.terminal_uri]
    assert [turn.delivered.uri] == terminal if turn.delivered else terminal == []
    assert [ref.uri for ref in turn.questions] == [uri for uri in written if uri not in terminal]
