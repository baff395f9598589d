"""A place to plan in: one space of root's with a project and a goal, bot and cat as agents, ann as a person.

Strategy: minutes after nine are the dates, as in `small_world`; `now` is a minute too. An operator runs bot alone
unless a test says otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_core import materialize, parse_instant
from radial_core.dispatch.plan import Planner, Survey
from radial_core.dispatch.routing import Operator, Profile, Route
from radial_core.dispatch.state import State
from tests.core.small_world import ANN, BOT, ROOT, SPACE, add, at, ref, write

if TYPE_CHECKING:
    from radial_core import Deletion, Instant, Record

CAT = "did:plc:cat"
PLAN = Route(harness="codex", provider="openai", model="m-1")
WORK = Route(harness="claude-code", provider="anthropic", model="m-2", effort="high")
ROUTES = {"plan": PLAN, "implementation": WORK, "review": WORK, "answer": PLAN}

ADD_BOT = add(SPACE, 1, BOT, "agent", "agent")
ADD_CAT = add(SPACE, 2, CAT, "agent", "agent")
ADD_ANN = add(SPACE, 3, ANN, "human", "member")
PROJECT = write(
    ANN, "project", 4, "site", space=ref(SPACE), name="Site", gitUrl="https://git.example/site", defaultBranch="main",
    checks=[{"name": "t", "command": "make"}],
)  # fmt: skip
GOAL = write(ROOT, "goal", 5, "ship", space=ref(SPACE), project=ref(PROJECT), title="Ship", body="Do")
BASE = (SPACE, ADD_BOT, ADD_CAT, ADD_ANN, PROJECT, GOAL)


def minute(number: int) -> Instant:
    """Give the instant so many minutes after nine."""
    return parse_instant(at(number))


def run_by(*dids: str, **changes: Any) -> Operator:
    """Make an operator that runs these agents for everything that is routed."""
    profiles = tuple(Profile(did=did, name="all", types=tuple(ROUTES)) for did in dids)
    return Operator(**{"profiles": profiles, "routes": ROUTES, "source": "radial.toml", "turns": 2, **changes})


OPERATOR = run_by(BOT)


def request(number: int, kind: str = "plan", **fields: Any) -> Record:
    """Ask for something on the goal, `number` minutes after nine."""
    anchor = {} if "project" in fields else {"goal": ref(GOAL)}
    return write(ANN, "artifactRequest", number, f"r{number}", type=kind, **{**anchor, **fields})


def survey(
    *records: Record | Deletion, state: State | None = None, now: int = 60, operator: Operator = OPERATOR
) -> Survey:
    """Plan over the base and these records."""
    return Planner().survey(materialize([*BASE, *records]), operator, state or State(), minute(now))
