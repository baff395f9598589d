"""What a plan costs: over an index that stands, after one more record, and from nothing.

    python -m bench.plan [--requests N …] [--runs N] [--json]

Strategy: a space with so many requests, ten to a goal. As usual, a tenth of them is open, a third of that claimed by
somebody else; at worst, all are open and all claimed by somebody else, so that a plan with room looks at every one. The
planner has followed the index before, as in a daemon that runs. The collector is as any program has it.
"""

from __future__ import annotations

import argparse
import json
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
_TO_A_GOAL: Final = 10
_OPERATOR: Final = Operator(
    profiles=(Profile(did=BOT, name="all", types=("plan",)),), routes={"plan": Route(harness="command")}, turns=4
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


def records(requests: int, *, worst: bool) -> Iterator[Record]:
    """Give a space with so many requests, as usual or at worst."""
    space = _write(ROOT, "space", "s", 0, name="S")
    project = _write(
        ROOT, "project", "p", 1, space=_ref(space), name="P", gitUrl="https://git.example/p", defaultBranch="main"
    )
    yield from (space, project)
    for did in (BOT, CAT):
        yield _write(ROOT, "addMember", did[8:], 2, space=_ref(space), did=did, kind="agent", role="agent")
    goal = project
    for number in range(requests):
        if number % _TO_A_GOAL == 0:
            goal = _write(ROOT, "goal", f"g{number}", 3, space=_ref(space), project=_ref(project), title="T", body="B")
            yield goal
        asked = _write(ROOT, "artifactRequest", f"r{number}", 4 + number, goal=_ref(goal), type="plan")
        yield asked
        if number % _TO_A_GOAL and not worst:
            yield _write(
                CAT, "artifact", f"a{number}", 5 + number, goal=_ref(goal), request=_ref(asked), type="plan", body="B"
            )
        elif worst or number // _TO_A_GOAL % 3 == 0:
            ends = _datetime(4 + number + 3_000)
            yield _write(CAT, "claim", f"c{number}", 4 + number, request=_ref(asked), expiresAt=ends)


def _timed(action: Callable[[], object]) -> float:
    start = process_time()
    action()
    return (process_time() - start) * 1e3


def _measured(requests: int, runs: int, *, worst: bool) -> dict[str, Any]:
    held = list(records(requests, worst=worst))
    index = materialize(held)
    planner = Planner()
    cold = _timed(lambda: planner.survey(index, _OPERATOR, State(), _NOW))
    warm = [_timed(lambda: planner.survey(index, _OPERATOR, State(), _NOW)) for _ in range(runs)]
    goal = next(record for record in reversed(held) if ".goal/" in record.uri)
    before = planner.dockets.drawn_up if planner.dockets is not None else 0
    moved: list[float] = []
    extended: list[float] = []
    for run in range(runs):
        more = _write(ROOT, "artifactRequest", f"more{run}", 1, goal=_ref(goal), type="plan")
        start = process_time()
        index = index.extend([more])
        extended.append((process_time() - start) * 1e3)
        start = process_time()
        planner.survey(index, _OPERATOR, State(), _NOW)
        moved.append((process_time() - start) * 1e3)
    after = planner.dockets.drawn_up if planner.dockets is not None else 0
    return {
        "requests": requests,
        "worst": worst,
        "places": before,
        "coldMs": cold,
        "warmMs": median(warm),
        "movedMs": median(moved),
        "extendMs": median(extended),
        "lookedAtAgain": (after - before) / runs,
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--requests", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [_measured(requests, options.runs, worst=worst) for worst in (False, True) for requests in options.requests]
    if options.json:
        print(json.dumps(rows))
        return
    print("milliseconds of CPU time, medians (aim at 10,000 requests: under 50 warm)")
    print(f"{'requests':>18}{'places':>9}{'first plan':>12}{'warm':>9}{'one record':>12}{'places':>8}{'extend':>9}")
    for row in rows:
        head = f"{'worst' if row['worst'] else 'usual':<8}{row['requests']:>10,}{row['places']:>9,}"
        plans = f"{row['coldMs']:>12.1f}{row['warmMs']:>9.2f}{row['movedMs']:>12.2f}"
        print(f"{head}{plans}{row['lookedAtAgain']:>8.1f}{row['extendMs']:>9.2f}")


if __name__ == "__main__":
    main()
