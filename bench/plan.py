"""What a plan costs: the first one, one while nothing moves, one after one more record, one when everything moved.

    python -m bench.plan [--requests N …] [--runs N] [--json]

Strategy: a space with so many requests, ten to a goal or all on one. As usual, a tenth of them is open, a third of that
claimed by somebody else, and half of the answers are by our own agent, with a commit and a pull request, checked and
merged; *ours* has all answers by our agent, none of them checked or merged, so that each calls for both in every plan.
At worst, all are open and all claimed by somebody else, so that a plan with room has to know of every one that it is
taken. *Warm* is a planner that followed the index before, as in a daemon that runs, whatever moved since: a message on
a goal; a request that somebody has claimed at once; a work of ours that lands; the project's automatic reviews, on
which every artifact of every goal rests, of a type that nobody makes here, and of the one that everybody does, so that
a review of each work of ours is asked for at once. None of them takes up room, so that each run does the same work. The
collector is as any program has it; the dearest run is told beside the middle one, and what was looked at beside what it
took.
"""

from __future__ import annotations

import argparse
import json
from hashlib import sha1
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any, Final

from radial_core import Record, materialize, parse_instant
from radial_core.canonical import cid_of
from radial_core.dispatch.plan import Planner
from radial_core.dispatch.routing import Operator, Profile, Route
from radial_core.dispatch.state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT, BOT, CAT = (f"did:plc:{name}" for name in ("root", "bot", "cat"))
_A_TENTH: Final = 10
_OPERATOR: Final = Operator(
    profiles=(Profile(did=BOT, name="all", types=("implementation",)),),
    routes={"implementation": Route(harness="command")},
    turns=4,
)
_NOW: Final = parse_instant("2026-01-01T12:00:00Z")
_SEEN: Final = "2026-01-01T11:59:00Z"


def _datetime(second: int) -> str:
    return f"2026-01-01T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"


def _write(did: str, kind: str, key: str, second: int, /, **fields: Any) -> Record:
    value = {"$type": f"com.disnetdev.radial.{kind}", "createdAt": _datetime(second), **fields}
    return Record(uri=f"at://{did}/com.disnetdev.radial.{kind}/{key}", cid=cid_of(value), value=value, seen_at=_SEEN)


def _ref(record: Record) -> dict[str, str]:
    return {"uri": record.uri, "cid": record.cid}


def _links(key: str) -> dict[str, str]:
    return {"commit": sha1(key.encode()).hexdigest(), "pr": f"https://git.example/p/{key}"}  # noqa: S324 - as git does


def _work(did: str, key: str, second: int, goal: Record, asked: Record) -> Record:
    fields = {"goal": _ref(goal), "request": _ref(asked), "type": "implementation", "body": "B", "links": _links(key)}
    return _write(did, "artifact", key, second, **fields)


def _settled(work: Record, key: str, second: int) -> Iterator[Record]:
    links, about = _links(key), _ref(work)
    yield _write(BOT, "checkrun", key, second, artifact=about, commit=links["commit"], results=[])
    yield _write(BOT, "merge", key, second, artifact=about, pr=links["pr"])


def records(requests: int, *, kind: str, to_a_goal: int) -> Iterator[Record]:
    """Give a space with so many requests, of one of the `KINDS`."""
    space = _write(ROOT, "space", "s", 0, name="S")
    project = _write(
        ROOT, "project", "p", 1, space=_ref(space), name="P", gitUrl="https://git.example/p", defaultBranch="main",
        checks=[{"name": "t", "command": "make"}],
    )  # fmt: skip
    yield from (space, project)
    for did in (BOT, CAT):
        yield _write(ROOT, "addMember", did[8:], 2, space=_ref(space), did=did, kind="agent", role="agent")
    goal = project
    for number in range(requests):
        if number % to_a_goal == 0:
            goal = _write(ROOT, "goal", f"g{number}", 3, space=_ref(space), project=_ref(project), title="T", body="B")
            yield goal
        asked = _write(ROOT, "artifactRequest", f"r{number}", 4 + number, goal=_ref(goal), type="implementation")
        yield asked
        if number % _A_TENTH and kind != "worst":
            is_ours = kind == "ours" or number % 2 == 0
            work = _work(BOT if is_ours else CAT, f"a{number}", 5 + number, goal, asked)
            yield from (work, *(_settled(work, f"a{number}", 6 + number) if kind == "usual" else ()))
        elif kind == "worst" or number // _A_TENTH % 3 == 0:
            ends = _datetime(4 + number + 3_000)
            yield _write(CAT, "claim", f"c{number}", 4 + number, request=_ref(asked), expiresAt=ends)


def _timed(action: Callable[[], object]) -> float:
    start = process_time()
    action()
    return (process_time() - start) * 1e3


class _Bench:
    """One space, its index as it grows, and the planner that follows it."""

    def __init__(self, requests: int, *, kind: str, to_a_goal: int) -> None:
        held = list(records(requests, kind=kind, to_a_goal=to_a_goal))
        self.index = materialize(held)
        self.planner = Planner()
        self.project = held[1]
        self.goal = next(record for record in reversed(held) if ".goal/" in record.uri)
        self.count = 0

    def plan(self) -> float:
        return _timed(lambda: self.planner.survey(self.index, _OPERATOR, State(), _NOW))

    def looked(self) -> tuple[int, int]:
        """Give how many dockets were ever drawn up, and how often the leases on a request were looked at."""
        dockets = self.planner.dockets
        return (0, 0) if dockets is None else (dockets.drawn_up, dockets.resting.looked)

    def after(self, move: str, runs: int) -> dict[str, Any]:
        """Plan after each of so many moves of one kind."""
        taken, looks = [], [0, 0]
        for _ in range(runs):
            self.count += 1
            self.index = self.index.extend(getattr(self, "_" + move)(self.count))
            before = self.looked()
            taken.append(self.plan())
            looks = [sum_ + now - then for sum_, now, then in zip(looks, self.looked(), before, strict=True)]
        drawn, looked = looks
        return {"medianMs": median(taken), "worstMs": max(taken), "places": drawn / runs, "leases": looked / runs}

    def _nothing(self, _number: int) -> list[Record]:
        return []

    def _message(self, number: int) -> list[Record]:
        return [_write(ROOT, "message", f"m{number}", 40_000 + number, goal=_ref(self.goal), body="b")]

    def _asked(self, number: int) -> Record:
        fields = {"goal": _ref(self.goal), "type": "implementation"}
        return _write(ROOT, "artifactRequest", f"more{number}", 40_000 + number, **fields)

    def _request(self, number: int) -> list[Record]:
        asked, ends = self._asked(number), _datetime(43_000 + number)
        return [
            asked, _write(CAT, "claim", f"more{number}", 40_000 + number, request=_ref(asked), expiresAt=ends),
        ]  # fmt: skip

    def _landed(self, number: int) -> list[Record]:
        asked = self._asked(number)
        return [asked, _work(BOT, f"more{number}", 40_000 + number, self.goal, asked)]

    def _switched(self, number: int, kind: str, *, enabled: bool) -> list[Record]:
        fields = {"project": _ref(self.project), "type": kind, "enabled": enabled}
        return [_write(ROOT, "setAutoReview", f"{'on' if enabled else 'off'}{number}", 40_000 + number, **fields)]

    def _everything(self, number: int) -> list[Record]:
        return self._switched(number, "plan", enabled=number % 2 == 0)

    def _reviews(self, number: int) -> list[Record]:
        """Switch them on, each time after they were off."""
        self.index = self.index.extend(self._switched(number, "implementation", enabled=False))
        self.plan()
        return self._switched(number, "implementation", enabled=True)


KINDS: Final = ("usual", "ours", "worst")
MOVES: Final = ("nothing", "message", "request", "landed", "everything", "reviews")


def _measured(requests: int, runs: int, *, kind: str, to_a_goal: int) -> dict[str, Any]:
    bench = _Bench(requests, kind=kind, to_a_goal=to_a_goal)
    first = bench.plan()
    places, leases = bench.looked()
    rows = {move: bench.after(move, runs) for move in MOVES}
    shape = {"requests": requests, "kind": kind, "toAGoal": to_a_goal}
    return {**shape, "firstMs": first, "places": places, "leases": leases, **rows}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--requests", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    shapes = [(number, kind, goal) for kind in KINDS for number in options.requests for goal in (10, number)]
    rows = [_measured(number, options.runs, kind=kind, to_a_goal=goal) for number, kind, goal in shapes]
    if options.json:
        print(json.dumps(rows))
        return
    print("milliseconds of CPU time, the middle run and the dearest (aim at 10,000 requests: under 50 warm)")
    print(f"{'':<7}{'requests':>9}{'a goal':>8}{'first':>8}" + "".join(f"{move:>18}" for move in MOVES))
    for row in rows:
        head = f"{row['kind']:<7}{row['requests']:>9,}{row['toAGoal']:>8,}{row['firstMs']:>8.1f}"
        print(head + "".join(f"{row[move]['medianMs']:>10.2f}{row[move]['worstMs']:>8.2f}" for move in MOVES))
    print("places looked at, and leases")
    for row in rows:
        head = f"{row['kind']:<7}{row['requests']:>9,}{row['toAGoal']:>8,}{'':>8}"
        print(head + "".join(f"{row[move]['places']:>10,.0f}{row[move]['leases']:>8,.0f}" for move in MOVES))


if __name__ == "__main__":
    main()
