"""The writer against a server that answers in every way there is: written once, or known not to be."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import attrs
import httpx
import pytest

from radial_io.errors import RateLimitError, RefusedError, UnreachableError
from radial_io.store.outbox import Entry, open_outbox, peek_outbox
from radial_io.store.store import open_store
from radial_io.writing.blobs import upload_blob, upload_picture
from radial_io.writing.errors import (
    ConflictError,
    KeptError,
    TooLongError,
    WriteError,
    WriteRefusedError,
    WrittenOtherwiseError,
)
from radial_io.writing.executing import execute, send_pending
from radial_io.writing.intents import Intent, Removal
from radial_io.writing.letters import MOST_BYTES, MOST_WRITES
from radial_io.writing.taking import own_writes
from radial_io.writing.written import Delivered, Refused, Written
from tests.io.fakes import ALICE, GOAL, cid
from tests.io.home import Home, error, once

PUT, APPLY, DELETE = "putRecord", "applyWrites", "deleteRecord"


@attrs.frozen(kw_only=True)
class Goal:
    """A record as somebody means to write it."""

    rkey: str
    title: str = "a goal"
    replaces: str | None = None
    collection: str = GOAL

    @property
    def value(self) -> dict[str, Any]:
        return {"$type": GOAL, "title": self.title, "createdAt": "2026-01-01T00:00:00Z"}

    @property
    def key(self) -> str:
        return f"{GOAL}/{self.rkey}"


def write(home: Home, folder: Path, *intents: Intent, **patience: Any) -> tuple[Written, ...]:
    async def work() -> tuple[Written, ...]:
        async with home.session(folder) as session:
            return await execute(intents, session=session, store=folder / "store.db", manners=home.manners(**patience))

    return anyio.run(work)


def send(home: Home, folder: Path) -> Delivered:
    async def work() -> Delivered:
        async with home.session(folder) as session:
            return await send_pending(session=session, store=folder / "store.db", manners=home.manners())

    return anyio.run(work)


def kept(folder: Path) -> tuple[Entry, ...]:
    return peek_outbox(folder / "store.db")


def stored(folder: Path) -> dict[tuple[str, str], tuple[str, str | None]]:
    with open_store(folder / "store.db", write=False) as store:
        return store.held(ALICE)


def how(written: Sequence[Written]) -> list[str]:
    return [one.how for one in written]


def test_a_new_record_is_one_request_and_in_the_store_at_once(tmp_path: Path) -> None:
    home, goal = Home(), Goal(rkey="one")
    written = write(home, tmp_path, goal)
    assert written == (Written(f"at://{ALICE}/{goal.key}", cid(goal.value), home.rev_text, "written"),)
    assert home.asked == [
        ("com.atproto.repo.putRecord",
         {"repo": ALICE, "collection": GOAL, "rkey": "one", "swapRecord": None, "record": goal.value})
    ]  # fmt: skip
    assert kept(tmp_path) == ()
    assert stored(tmp_path) == {(GOAL, "one"): (cid(goal.value), home.rev_text)}


def test_an_act_of_several_new_records_is_one_commit(tmp_path: Path) -> None:
    home = Home()
    goals = [Goal(rkey=f"g{number}") for number in range(3)]
    assert how(write(home, tmp_path, *goals)) == ["written"] * 3
    assert home.commits == [tuple(goal.key for goal in goals)]
    assert kept(tmp_path) == ()


def test_batches_are_bounded_by_number(tmp_path: Path) -> None:
    home = Home()
    write(home, tmp_path, *(Goal(rkey=f"g{number:03}") for number in range(2 * MOST_WRITES + 1)))
    assert [len(keys) for keys in home.commits] == [MOST_WRITES, MOST_WRITES, 1]


def test_batches_are_bounded_by_bytes(tmp_path: Path) -> None:
    home, lengths = Home(), []

    def measure(request: httpx.Request) -> httpx.Response:
        lengths.append(len(request.content))
        return home.answer(request)

    async def work() -> None:
        async with home.session(tmp_path) as session:
            session.client.http = httpx.AsyncClient(transport=httpx.MockTransport(measure))
            goals = [Goal(rkey=f"g{number}", title="é" * 15_000) for number in range(12)]
            await execute(goals, session=session, store=tmp_path / "store.db")

    anyio.run(work)
    assert [len(keys) for keys in home.commits] == [5, 5, 2]  # 30 KB each, five to a request of 150 KiB
    assert max(lengths) <= MOST_BYTES


def test_what_no_server_takes_is_refused_before_it_is_recorded(tmp_path: Path) -> None:
    home = Home()
    with pytest.raises(TooLongError):
        write(home, tmp_path, Goal(rkey="one"), Goal(rkey="long", title="x" * MOST_BYTES))
    assert home.asked == []
    assert kept(tmp_path) == ()


def test_what_is_no_atproto_data_is_a_mistake_of_the_caller(tmp_path: Path) -> None:
    home = Home()
    with pytest.raises(ValueError, match="surrogate"):
        write(home, tmp_path, Goal(rkey="one", title="\ud800"))
    assert home.asked == []


def test_a_renewal_names_what_it_replaces(tmp_path: Path) -> None:
    home, old, new = Home(), Goal(rkey="one"), Goal(rkey="one", title="better")
    write(home, tmp_path, old)
    written = write(home, tmp_path, attrs.evolve(new, replaces=cid(old.value)))
    assert how(written) == ["written"]
    assert home.asked[-1][1]["swapRecord"] == cid(old.value)
    assert home.records[old.key] == new.value


def test_a_removal_is_taken_into_the_store(tmp_path: Path) -> None:
    home, goal = Home(), Goal(rkey="one")
    write(home, tmp_path, goal)
    removal = Removal(collection=GOAL, rkey="one", replaces=cid(goal.value))
    assert how(write(home, tmp_path, removal)) == ["written"]
    assert home.records == {}
    assert stored(tmp_path) == {}
    assert how(write(home, tmp_path, removal)) == ["was there already"]


def test_writing_again_writes_nothing(tmp_path: Path) -> None:
    home, goal = Home(), Goal(rkey="one")
    first = write(home, tmp_path, goal)
    second = write(home, tmp_path, goal)
    assert how(second) == ["was there already"]
    assert second[0].rev == first[0].rev  # the repo held still, so it was seen in this revision
    assert len(home.commits) == 1


def test_another_version_there_is_a_conflict_and_leaves_nothing_behind(tmp_path: Path) -> None:
    home, theirs = Home(), Goal(rkey="one", title="theirs")
    home.records[theirs.key] = theirs.value
    with pytest.raises(ConflictError) as failed:
        write(home, tmp_path, Goal(rkey="one"))
    assert failed.value.standing == cid(theirs.value)
    assert home.records[theirs.key] == theirs.value
    assert kept(tmp_path) == ()


def test_a_renewal_of_what_is_gone_is_a_conflict(tmp_path: Path) -> None:
    home, old = Home(), Goal(rkey="one")
    with pytest.raises(ConflictError, match="nothing stands there") as failed:
        write(home, tmp_path, Goal(rkey="one", title="better", replaces=cid(old.value)))
    assert failed.value.standing is None


LOST = [
    pytest.param(httpx.ReadError("cut"), id="answer cut"),
    pytest.param(httpx.ReadTimeout("late"), id="answer late"),
    pytest.param(httpx.RemoteProtocolError("half"), id="half an answer"),
    pytest.param(error(500, "InternalServerError"), id="500"),
    pytest.param(error(502), id="502"),
    pytest.param(httpx.Response(504, html="<h1>Gateway</h1>"), id="504 HTML"),
    pytest.param(httpx.Response(200, content=b"<html>"), id="200 that is no JSON"),
    pytest.param(httpx.Response(200, json={}), id="200 that says nothing"),
]


@pytest.mark.parametrize("fault", LOST)
@pytest.mark.parametrize("many", [1, 3])
def test_a_lost_answer_is_looked_up_and_not_sent_again(
    fault: httpx.Response | Exception, many: int, tmp_path: Path
) -> None:
    home = Home(after=once(PUT if many == 1 else APPLY, fault))
    goals = [Goal(rkey=f"g{number}") for number in range(many)]
    written = write(home, tmp_path, *goals)
    assert how(written) == ["was there already"] * many
    assert {one.rev for one in written} == {home.rev_text}
    assert home.calls(PUT) + home.calls(APPLY) == 1
    assert kept(tmp_path) == ()
    assert home.naps == []


@pytest.mark.parametrize("fault", LOST)
@pytest.mark.parametrize("many", [1, 3])
def test_a_lost_request_is_looked_up_and_sent_again(
    fault: httpx.Response | Exception, many: int, tmp_path: Path
) -> None:
    home = Home(before=once(PUT if many == 1 else APPLY, fault))
    goals = [Goal(rkey=f"g{number}") for number in range(many)]
    assert how(write(home, tmp_path, *goals)) == ["written"] * many
    assert [name.rpartition(".")[2] for name, _ in home.asked].count("getRecord") == many
    assert len(home.commits) == 1
    assert home.naps == [0.25]


def test_in_which_revision_it_was_found_is_not_guessed(tmp_path: Path) -> None:
    """Another device writes while this one looks: the record was there, in a revision that nobody told."""
    home = Home(after=once(PUT, httpx.ReadError("cut")))

    def meanwhile(nsid: str, _number: int) -> None:
        home.rev += nsid.endswith("getRecord")

    home.before = meanwhile
    (written,) = write(home, tmp_path, Goal(rkey="one"))
    assert (written.how, written.rev) == ("was there already", None)
    assert stored(tmp_path) == {(GOAL, "one"): (written.cid, None)}


def test_a_lost_deletion_is_looked_up(tmp_path: Path) -> None:
    home, goal = Home(after=once(DELETE, httpx.ReadError("cut"))), Goal(rkey="one")
    home.records[goal.key] = goal.value
    written = write(home, tmp_path, Removal(collection=GOAL, rkey="one", replaces=cid(goal.value)))
    assert how(written) == ["was there already"]
    assert home.records == {}
    assert home.calls(DELETE) == 1


def test_a_lost_renewal_is_looked_up(tmp_path: Path) -> None:
    home, old = Home(after=once(PUT, httpx.ReadError("cut"))), Goal(rkey="one")
    home.records[old.key] = old.value
    new = Goal(rkey="one", title="better", replaces=cid(old.value))
    assert how(write(home, tmp_path, new)) == ["was there already"]
    assert len(home.commits) == 1


def test_of_a_batch_that_is_there_in_part_the_rest_is_written(tmp_path: Path) -> None:
    home, goals = Home(), [Goal(rkey=f"g{number}") for number in range(3)]
    home.records[goals[1].key] = goals[1].value
    assert how(write(home, tmp_path, *goals)) == ["written", "was there already", "written"]
    assert home.commits == [(goals[0].key, goals[2].key)]


def test_a_batch_that_this_server_finds_too_large_goes_in_parts(tmp_path: Path) -> None:
    home = Home()
    home.before = lambda nsid, _number: (
        error(413, "PayloadTooLarge") if nsid.endswith(APPLY) and len(home.asked[-1][1]["writes"]) > 2 else None
    )
    goals = [Goal(rkey=f"g{number}") for number in range(5)]
    assert how(write(home, tmp_path, *goals)) == ["written"] * 5
    assert sorted(key for keys in home.commits for key in keys) == [goal.key for goal in goals]


@pytest.mark.parametrize(
    ("fault", "naps"),
    [
        pytest.param(error(429, "RateLimitExceeded", retry_after="7"), [7.0], id="Retry-After in seconds"),
        pytest.param(
            error(
                429, retry_after="Thu, 01 Jan 2026 00:00:09 GMT", date="Thu, 01 Jan 2026 00:00:01 GMT"
            ), [8.0], id="Retry-After as a date",
        ),
        pytest.param(
            error(429, ratelimit_reset="1767225605", date="Thu, 01 Jan 2026 00:00:01 GMT"), [4.0],
            id="ratelimit-reset as an epoch",
        ),
        pytest.param(error(429, ratelimit_reset="30"), [0.25], id="ratelimit-reset as a delta, by mistake"),
        pytest.param(error(429, retry_after="0"), [0.25], id="Retry-After at once"),
        pytest.param(error(429, retry_after="99999999"), [0.25], id="Retry-After of three years"),
        pytest.param(error(429, retry_after="soon"), [0.25], id="Retry-After in words"),
        pytest.param(httpx.Response(429, html="<h1>Too many</h1>"), [0.25], id="HTML without headers"),
        pytest.param(error(503, retry_after="3"), [3.0], id="503 with Retry-After"),
    ],
)  # fmt: skip
def test_a_busy_server_is_left_alone_for_a_while(fault: httpx.Response, naps: list[float], tmp_path: Path) -> None:
    home = Home(before=once(PUT, fault))
    assert how(write(home, tmp_path, Goal(rkey="one"))) == ["written"]
    assert home.naps == naps
    assert home.calls(PUT) == 2


def test_our_own_waits_grow(tmp_path: Path) -> None:
    home = Home(before=once(PUT, *[error(429)] * 5))
    write(home, tmp_path, Goal(rkey="one"))
    assert home.naps == [0.25, 0.5, 1.0, 2.0, 4.0]


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        (error(429, retry_after="3600"), RateLimitError),
        (error(429), RateLimitError),
        (error(503), RefusedError),
        (httpx.ReadTimeout("late"), UnreachableError),
        (httpx.ConnectError("no way"), UnreachableError),
    ],
)
def test_what_does_not_work_out_is_kept_and_sent_later(
    fault: httpx.Response | Exception, cause: type[Exception], tmp_path: Path
) -> None:
    home, goal = Home(before=lambda nsid, _number: fault if nsid.endswith(PUT) else None), Goal(rkey="one")
    with pytest.raises(KeptError, match="1 record is kept in the outbox") as failed:
        write(home, tmp_path, goal)
    assert isinstance(failed.value.cause, cause)
    (entry,) = kept(tmp_path)
    assert (entry.state, entry.letter.cid) == ("pending", cid(goal.value))
    again = Home()
    assert how(send(again, tmp_path).written) == ["written"]
    assert again.records == {goal.key: goal.value}
    assert kept(tmp_path) == ()


def test_an_answer_that_says_nothing_is_said_to_say_nothing(tmp_path: Path) -> None:
    home = Home(before=lambda nsid, _number: httpx.Response(200, json={}) if nsid.endswith(PUT) else None)
    with pytest.raises(KeptError, match="does not say what it has written; 1 record is kept"):
        write(home, tmp_path, Goal(rkey="one"))


def test_what_was_written_and_never_acknowledged_is_found_and_not_sent_again(tmp_path: Path) -> None:
    """RK-20.3: the log of an earlier run is no proof that nothing happened outside."""
    home, goal = Home(), Goal(rkey="one")
    home.after = lambda nsid, _number: httpx.ReadError("cut") if nsid.endswith(PUT) else None
    home.before = lambda nsid, _number: error(503) if "get" in nsid else None
    with pytest.raises(KeptError):
        write(home, tmp_path, goal, attempts=1)
    home.before = home.after = lambda _nsid, _number: None
    home.asked.clear()
    assert how(send(home, tmp_path).written) == ["was there already"]
    assert home.calls(PUT) == 0
    assert len(home.commits) == 1


def test_a_server_that_wants_an_hour_is_asked_once(tmp_path: Path) -> None:
    home = Home(before=lambda _nsid, _number: error(429, retry_after="3600"))
    with pytest.raises(KeptError):
        write(home, tmp_path, Goal(rkey="one"))
    assert len(home.asked) == 1
    assert home.naps == []


def test_a_refusal_leaves_nothing_and_says_what_was_written(tmp_path: Path) -> None:
    home, old = Home(), Goal(rkey="old")
    home.records[old.key] = old.value
    home.before = lambda nsid, _number: (
        error(400, "InvalidRequest", "no such thing") if nsid.endswith(PUT) and home.calls(PUT) == 2 else None
    )
    renewal = Goal(rkey="old", title="better", replaces=cid(old.value))
    with pytest.raises(WriteRefusedError, match="InvalidRequest: no such thing") as failed:
        write(home, tmp_path, renewal, Goal(rkey="new"), Removal(collection=GOAL, rkey="elsewhere"))
    assert [one.uri for one in failed.value.written] == [f"at://{ALICE}/{old.key}"]
    assert kept(tmp_path) == ()
    assert home.calls(DELETE) == 0


def test_another_value_than_ours_is_told(tmp_path: Path) -> None:
    answer = {"uri": "at://x", "cid": cid({}), "commit": {"cid": cid({}), "rev": "3kaaaaaaaaaa2"}}
    home = Home(after=once(PUT, httpx.Response(200, json=answer)))
    with pytest.raises(WrittenOtherwiseError):
        write(home, tmp_path, Goal(rkey="one"))
    assert kept(tmp_path) == ()


def test_what_an_earlier_run_left_goes_first(tmp_path: Path) -> None:
    home, first, second = Home(before=once(PUT, *[error(503)] * 6)), Goal(rkey="first"), Goal(rkey="second")
    with pytest.raises(KeptError):
        write(home, tmp_path, first)
    assert [one.uri for one in write(home, tmp_path, second)] == [f"at://{ALICE}/{second.key}"]
    assert home.commits == [(first.key,), (second.key,)]
    assert kept(tmp_path) == ()


def test_what_an_earlier_run_left_and_is_refused_stays_with_the_reason(tmp_path: Path) -> None:
    home, first, second = Home(before=once(PUT, *[error(503)] * 6)), Goal(rkey="first"), Goal(rkey="second")
    with pytest.raises(KeptError):
        write(home, tmp_path, first)
    home.records[first.key] = Goal(rkey="first", title="theirs").value
    told: list[tuple[Refused, int]] = []

    async def work() -> Sequence[Written]:
        async with home.session(tmp_path) as session:
            note = lambda refused: told.append((refused, len(home.commits)))  # noqa: E731 - when it was told counts too
            return await execute([second], session=session, store=tmp_path / "store.db", tell=note)

    assert how(anyio.run(work)) == ["written"]
    (entry,) = kept(tmp_path)
    assert entry.state == "refused"
    assert "stands there" in (entry.words or "")
    assert told == [(Refused(f"at://{ALICE}/{first.key}", entry.words or ""), 0)]  # before the second was sent
    assert send(home, tmp_path) == Delivered()


def test_of_an_earlier_act_that_is_refused_in_part_the_rest_is_not_sent(tmp_path: Path) -> None:
    home, old = Home(before=once(PUT, *[error(503)] * 6)), Goal(rkey="old")
    home.records[old.key] = old.value
    renewal = Goal(rkey="old", title="better", replaces=cid(old.value))
    with pytest.raises(KeptError, match="2 records are kept"):
        write(home, tmp_path, renewal, Goal(rkey="new"))
    home.records[old.key] = Goal(rkey="old", title="theirs").value
    delivered = send(home, tmp_path)
    assert [no.uri.rpartition("/")[2] for no in delivered.refused] == ["old", "new"]
    assert [entry.state for entry in kept(tmp_path)] == ["refused", "refused"]
    assert f"{GOAL}/new" not in home.records


def test_what_was_written_of_a_batch_that_is_given_up_is_told_and_taken(tmp_path: Path) -> None:
    home, goals = Home(), [Goal(rkey=f"g{number}") for number in range(4)]

    def refuse(nsid: str, _number: int) -> httpx.Response | None:
        keys = [write["rkey"] for write in home.asked[-1][1]["writes"]] if nsid.endswith(APPLY) else []
        return error(413) if len(keys) == 4 else error(400, "InvalidRequest") if "g3" in keys else None

    home.before = refuse
    with pytest.raises(WriteRefusedError) as failed:
        write(home, tmp_path, *goals)
    assert [one.uri.rpartition("/")[2] for one in failed.value.written] == ["g0", "g1"]
    assert set(stored(tmp_path)) == {(GOAL, "g0"), (GOAL, "g1")}
    assert kept(tmp_path) == ()


def test_an_act_writes_a_place_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="once"):
        write(Home(), tmp_path, Goal(rkey="one"), Removal(collection=GOAL, rkey="one"))


def test_one_module_writes_and_nobody_can_name_another_author(root: Path) -> None:
    """RK-13.6, RAD-1.2: what is written is of the session's DID; there is no parameter for anybody else's."""
    procedure = re.compile(r"com\.atproto\.repo\.(?:put|create|delete)Record|com\.atproto\.repo\.applyWrites")
    files = [file for name in ("radial_io", "radial_cli", "radial_core") for file in (root / name).rglob("*.py")]
    assert [file.stem for file in files if procedure.search(file.read_text(encoding="utf-8"))] == ["letters"]
    for function in (execute, send_pending, upload_blob, upload_picture):
        assert inspect.signature(function).parameters.keys() <= {
            "intents",
            "raw",
            "kind",
            "session",
            "store",
            "manners",
            "tell",
        }
    assert {field.name for field in attrs.fields(Removal)} == {"collection", "rkey", "replaces"}


def test_while_somebody_holds_the_store_the_record_is_told_beside_it(tmp_path: Path) -> None:
    home, goal = Home(), Goal(rkey="one")
    with open_store(tmp_path / "store.db", write=True) as held:
        assert how(write(home, tmp_path, goal)) == ["written"]
        (told,) = own_writes(tmp_path / "store.db")
        assert (told.uri, told.rev) == (f"at://{ALICE}/{goal.key}", home.rev_text)
        assert held.held(ALICE) == {}
    write(home, tmp_path, Goal(rkey="two"))
    assert own_writes(tmp_path / "store.db") == ()
    assert set(stored(tmp_path)) == {(GOAL, "one"), (GOAL, "two")}


def test_an_entry_that_the_holder_of_the_store_has_met_is_let_go(tmp_path: Path) -> None:
    home = Home()
    with open_store(tmp_path / "store.db", write=True):
        write(home, tmp_path, Goal(rkey="one"))
    write(home, tmp_path, Goal(rkey="two"))  # both are in the store now
    with open_outbox(tmp_path / "store.db") as outbox, open_store(tmp_path / "store.db", write=True):
        write(home, tmp_path, Goal(rkey="one"))  # a watcher holds the store, and knows this one
        assert outbox.entries() == ()


def test_the_outbox_of_another_account_is_left_alone(tmp_path: Path) -> None:
    home = Home(before=once(PUT, *[error(503)] * 6))
    with pytest.raises(KeptError):
        write(home, tmp_path, Goal(rkey="one"))
    with open_outbox(tmp_path / "store.db") as outbox:
        (entry,) = outbox.entries()
        outbox.drop([entry])
        outbox.add([attrs.evolve(entry.letter, did="did:plc:" + "b" * 24)], "2026-01-01T00:00:00Z")
    assert send(home, tmp_path) == Delivered()
    assert len(kept(tmp_path)) == 1


def test_no_error_is_without_advice() -> None:
    assert all(kind.advice for kind in WriteError.__subclasses__())
