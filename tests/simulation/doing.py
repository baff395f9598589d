"""What a simulated daemon does when it carries out an action, and what befalls it in doing so.

Strategy: one function for each action. Each write may fail for certain, succeed with the answer lost, or be the last
thing that the process does; turns end well, with a question, with nothing, or are broken off. Records are written as a
harness would have them written: what `turn` makes of a submission is tested elsewhere, and a daemon that asked for an
answer would have to do it here, as no action says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from radial_core import parse_instant
from radial_core.dispatch import actions, receipts
from radial_core.dispatch.keys import record_key
from radial_core.dispatch.usage import Count, Usage
from radial_core.leases import Lease
from tests.simulation.billing import Report
from tests.simulation.repos import PREFIX, Standing, ref, text_of, uri_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.simulation.daemon import Daemon

_RARE: Final = {"artifactRequest": 5, "checkrun": 3, "review": 3, "message": 5}  # by how much likelier a crash is there
_STOPPING: Final = 60  # seconds that a turn may take to stop, at most
_COMMIT: Final = "c0ffee" + "0" * 34
_NO_TURN_USES: Final = 2**53 - 1


class CrashError(Exception):
    """The process dies here."""


class Run:
    """A turn's process."""

    def __init__(self, action: actions.StartTurn, claim: dict[str, str] | None) -> None:
        self.action = action
        self.claim = claim


def write(daemon: Daemon, uri: str, value: dict[str, Any]) -> Standing | None:
    """Write a record, or find it there; nothing when it is not known whether it was written."""
    kind = value["$type"].removeprefix(PREFIX)
    crash = daemon.faults.crash * _RARE.get(kind, 1)
    if daemon.chance(crash):
        raise CrashError
    repo = daemon.world.repos[daemon.did]
    if daemon.did in daemon.cut:
        daemon.watch.events[f"{kind} out of reach"] += 1
        return None
    if uri not in repo.records:
        daemon.watch.writes(daemon, uri, value)
        daemon.world.write(uri, value)
        daemon.watch.flagged()
    if daemon.chance(crash):
        daemon.watch.events[f"{kind} without a receipt"] += 1
        raise CrashError
    return None if daemon.chance(daemon.faults.lost_answer) else repo.records[uri]


def failed(daemon: Daemon, action: actions.Action) -> None:
    daemon.watch.failed(daemon, action)
    daemon.state = receipts.failed(daemon.state, action.key, daemon.now)


def claim(daemon: Daemon, action: actions.WriteClaim | actions.NextGenerationClaim) -> None:
    at = daemon.world.time
    daemon.watch.claims(daemon, action)
    value = {
        "$type": PREFIX + "claim", "createdAt": daemon.clock.text(at), "request": ref_to(daemon, action.request),
        "expiresAt": text_of(daemon.clock.seconds(at) + action.lease),
    }  # fmt: skip
    standing = write(daemon, uri_of(daemon.did, "claim", action.rkey), value)
    if standing is None:
        failed(daemon, action)
    else:
        uri = uri_of(daemon.did, "claim", action.rkey)
        daemon.watch.done(daemon, action)
        daemon.state = receipts.claimed(daemon.state, action, lease_in(uri, standing))
        if daemon.now >= lease_in(uri, standing).expires_at:
            # It was there, its receipt lost, and has lapsed since: nothing is covered by that (seed 4002806).
            daemon.watch.troubled.add((daemon.did, action.request))
            daemon.plans_again = True
        if action.request in daemon.runs:
            daemon.runs[action.request].claim = ref(uri, standing.cid)


def renew(daemon: Daemon, action: actions.RenewClaim) -> None:
    if daemon.chance(daemon.faults.crash):
        raise CrashError
    repo = daemon.world.repos[daemon.did]
    if daemon.did in daemon.cut:
        failed(daemon, action)
        return
    if action.claim not in repo.records:
        daemon.state = receipts.let_go(daemon.state, action.claim)
        return
    if daemon.now >= action.before:  # the clock jumped, or the machine slept, since the plan was made
        daemon.plans_again = True
        return
    at = daemon.clock.seconds(daemon.world.time)
    value = {**repo.records[action.claim].value, "renewedAt": text_of(at), "expiresAt": text_of(at + action.lease)}
    daemon.watch.renews(daemon, action.claim, value)
    daemon.world.write(action.claim, value)
    if daemon.chance(daemon.faults.crash):
        raise CrashError
    if daemon.chance(daemon.faults.lost_answer):
        failed(daemon, action)
    else:
        daemon.watch.done(daemon, action)
        daemon.state = receipts.renewed(
            daemon.state, action.claim, parse_instant(text_of(at)), parse_instant(text_of(at + action.lease))
        )


def let_go(daemon: Daemon, action: actions.ReleaseClaim | actions.RetireClaim) -> None:
    if daemon.chance(daemon.faults.crash):
        raise CrashError
    if daemon.did in daemon.cut:
        failed(daemon, action)
        return
    daemon.world.delete(action.claim)
    if daemon.chance(daemon.faults.crash):
        raise CrashError
    daemon.state = receipts.let_go(daemon.state, action.claim)


def start(daemon: Daemon, action: actions.StartTurn) -> None:
    if daemon.chance(daemon.faults.crash):
        raise CrashError
    daemon.watch.starts(daemon, action)
    claim = None if action.claim is None else daemon.world.repos[daemon.did].records.get(action.claim)
    run = Run(action, None if claim is None or action.claim is None else ref(action.claim, claim.cid))
    daemon.state = receipts.started(daemon.state, action, daemon.now)
    daemon.runs[action.request] = run
    daemon.watch.started(daemon, action.request)
    if daemon.chance(daemon.faults.crash):
        raise CrashError
    daemon.later(daemon.world.random.choice(daemon.lasting), lambda: finish(daemon, run))


def cancel(daemon: Daemon, action: actions.CancelTurn) -> None:
    """Tell a turn to stop, which it does in its own time; it may have done its work before."""
    run = daemon.runs.get(action.request)
    daemon.state = receipts.cancelling(daemon.state, action.request)

    def end() -> None:
        if run is not None and daemon.runs.get(action.request) is run:
            stop(daemon, action.request, "cancelled")

    daemon.later(daemon.world.random.choice((0, 1, _STOPPING)), end)


def stop(daemon: Daemon, request: str, how: str) -> None:
    daemon.runs.pop(request, None)
    told = report(daemon)
    daemon.watch.ended(daemon, request, how, told)
    used = Usage(input=Count.of(told.tokens), output=Count.of(0), cost=Count.of(told.cost))
    daemon.state = receipts.ended(daemon.state, request, how, daemon.now, used)


def report(daemon: Daemon) -> Report:
    """Say what a turn used; now and then nothing is said, or not all, or what no turn can have used."""
    tokens, told = daemon.world.random.randrange(1, 1_000), daemon.world.random.random()
    if told < 0.06:
        return Report(_NO_TURN_USES, _NO_TURN_USES)
    return Report() if told < 0.15 else Report(tokens) if told < 0.3 else Report(tokens, 2 * tokens)


def finish(daemon: Daemon, run: Run) -> None:
    """End a turn by itself: with its one record, with a question, or with nothing."""
    request = run.action.request
    if daemon.runs.get(request) is not run:
        return
    try:
        if request in daemon.world.poisoned:
            stop(daemon, request, "failed")
        elif daemon.chance(daemon.faults.failure):
            stop(daemon, request, daemon.world.random.choice(("failed", "failed", "outage", "blocked")))
        elif daemon.chance(daemon.faults.question):
            ask(daemon, run)
        else:
            deliver(daemon, run)
    except CrashError:
        daemon.crash(daemon.world.random.choice((1, 60, 1200, 7200)))


def ask(daemon: Daemon, run: Run) -> None:
    request = run.action.request
    key = record_key("question", request, run.action.attempt, daemon.world.time)
    value = {
        "$type": PREFIX + "message", "createdAt": daemon.clock.text(daemon.world.time), "body": "which?",
        "goal": goal_of(daemon, request), "re": ref_to(daemon, request), **fence(run),
    }  # fmt: skip
    standing = write(daemon, uri_of(daemon.did, "message", key), value)
    stop(daemon, request, "failed" if standing is None else "asked")


def deliver(daemon: Daemon, run: Run) -> None:
    request = run.action.request
    view = daemon.index.request(request)
    if view is None:
        stop(daemon, request, "failed")
        return
    common = {
        "createdAt": daemon.clock.text(daemon.world.time),
        "request": ref_to(daemon, request),
        **fence(run),
    }
    if view.type == "review" and view.subject is not None:
        kind = "review"
        value = {**common, "subject": ref(view.subject.uri, view.subject.cid), "verdict": "request_changes"}
    elif view.type == "answer" and view.subject is not None:
        kind = "message"
        value = {"createdAt": common["createdAt"], "re": common["request"], "body": "because", **fence(run)}
        value |= {"goal": goal_of(daemon, request), "parent": ref(view.subject.uri, view.subject.cid)}
    else:
        kind = "artifact"
        links = {"commit": _COMMIT, "pr": "https://git.example/p/1"}
        value = {**common, "goal": goal_of(daemon, request), "type": view.type, "body": "B", "links": links}
    value["$type"] = PREFIX + kind
    if write(daemon, uri_of(daemon.did, kind, record_key(kind, request)), value) is None:
        daemon.later(60, lambda: finish(daemon, run))  # what became of it is looked up before anything else
    else:
        stop(daemon, request, "written")


def fence(run: Run) -> dict[str, Any]:
    return {} if run.claim is None else {"claim": run.claim}


def ref_to(daemon: Daemon, uri: str) -> dict[str, str]:
    return ref(uri, daemon.index.filing.entries[uri].cid)


def goal_of(daemon: Daemon, request: str) -> dict[str, str]:
    return ref_to(daemon, str(daemon.index.place_of(request)))


def review(daemon: Daemon, action: actions.RequestReview) -> None:
    value = {
        "$type": PREFIX + "artifactRequest", "createdAt": daemon.clock.text(daemon.world.time), "type": "review",
        "goal": ref_to(daemon, action.anchor), "subject": ref_to(daemon, action.artifact),
    }  # fmt: skip
    once(daemon, action, uri_of(daemon.did, "artifactRequest", action.rkey), value)


def check(daemon: Daemon, action: actions.RunChecks) -> None:
    value = {
        "$type": PREFIX + "checkrun", "createdAt": daemon.clock.text(daemon.world.time), "commit": action.commit,
        "artifact": ref_to(daemon, action.artifact), "results": [{"name": "t", "pass": True}],
    }  # fmt: skip
    once(daemon, action, uri_of(daemon.did, "checkrun", action.rkey), value)


def once(daemon: Daemon, action: actions.RequestReview | actions.RunChecks, uri: str, value: dict[str, Any]) -> None:
    if write(daemon, uri, value) is None:
        failed(daemon, action)
    else:
        daemon.watch.done(daemon, action)
        daemon.state = receipts.wrote(daemon.state, action.key)


def poll(daemon: Daemon, action: actions.PollMerge) -> None:
    daemon.watch.polls(daemon, action)
    daemon.state = receipts.polled(daemon.state, action.artifact, daemon.now)


def warn(daemon: Daemon, action: actions.Warn) -> None:
    daemon.state = receipts.wrote(daemon.state, action.key)


def lease_in(uri: str, standing: Standing) -> Lease:
    """Read a claim as it stands in a repo."""
    value = standing.value
    created = parse_instant(value["createdAt"])
    renewed = parse_instant(value.get("renewedAt", value["createdAt"]))
    return Lease(created, uri, standing.cid, renewed, parse_instant(value["expiresAt"]))


PERFORM: Final[dict[type, Callable[[Daemon, Any], None]]] = {
    actions.WriteClaim: claim,
    actions.NextGenerationClaim: claim,
    actions.RenewClaim: renew,
    actions.ReleaseClaim: let_go,
    actions.RetireClaim: let_go,
    actions.StartTurn: start,
    actions.CancelTurn: cancel,
    actions.RequestReview: review,
    actions.RunChecks: check,
    actions.PollMerge: poll,
    actions.Warn: warn,
}
