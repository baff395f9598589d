"""The invariants of a simulation: what holds in every history, looked at from outside; in its end see `ending`.

Strategy: each has a name, and breaks as a `ViolationError` at the very event that breaks it. They look at what was
written, at what ran and at the witness, and keep count of their own. Of the code under test they believe the fold (what
counts, whether a request is open, which claims are live: the golden suite has that) and ask each daemon what it knew;
never whether what it did was right.

- `answered`: once all is connected, every dispatchable request is answered, or every daemon that could has tried as
  often as it may.
- `first claim first`: no turn starts on a claim while one that ranks before it, and was written before it, is live.
- `winner`: a turn goes on only while its claim wins as its own daemon sees it, and only one claim can.
- `overlap`: two turns on one request do not go on together for longer than one ingestion each and one lease.
- `covered`: a turn on a claim has a claim that lasts, of which a good part is left, unless a write came to nothing.
- `flagged`: work under a claim that had lost when it was written says so.
- `reviewed`: what is to be reviewed by itself (R8), and landed by a daemon's agent, has been asked for a review of in
  its own space; what is said in another has no part in that.
- `one hop`: a daemon asks for reviews only, of artifacts that no daemon's request brought about, once, and only where
  nobody else is known to have asked. It never asks for an answer.
- `budget`: turns and claims stay within their numbers, nothing starts while something stops it, and no limit of a
  run's budget is passed by a turn that is planned when what is certain has reached it.
- `told`: a limit that could not be enforced, because turns did not say what they used, or go on when the time is over,
  is told in the next plan; and no other is.
- `busy`: what is done within an hour is bounded (`pace`), what came to nothing waits before it is tried again, and a
  request is tried a bounded number of times.
- `open`: what starts is open, dispatchable and awaits nobody, is not answered already by the one who starts it, and
  what is to be judged or answered counts where it was asked for.
- `stopped`: no turn goes on that its own daemon knows to be of no use, or whose agent it knows to be no member; and
  nothing is asked for, checked, looked up or claimed where it knows that the goal has ended or the project is archived.
- `contract`: every claim keeps C2, is renewed only while it lasts on its writer's own clock, is written at a fresh URI,
  and is not kept when it lies in its writer's own future.
- `left over`: when everything is done, no claim is left that counts.
- `warned`: who has a clock that is off is told so, each time that it went wrong, and nobody else is.
- `one digest`: when all have seen the same, all show the same, and what the witness shows.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from radial_core import parse_instant
from radial_core.dispatch.actions import (
    NextGenerationClaim,
    PollMerge,
    RenewClaim,
    RequestReview,
    RunChecks,
    StartTurn,
    WriteClaim,
)
from radial_core.leases import breach, live
from tests.simulation.billing import Bill, Report
from tests.simulation.knowing import cancelled, has_answered, is_about_nothing, is_active, is_member, requests_at
from tests.simulation.pace import Pace
from tests.simulation.repos import PREFIX, Standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.dispatch.actions import Action
    from radial_core.dispatch.plan import Survey
    from radial_core.views import ClaimMark
    from tests.simulation.daemon import Daemon
    from tests.simulation.world import World

_TOLERATED: Final = 30  # seconds
_SILENT: Final = Report()
INVARIANTS: Final = (
    "answered", "first claim first", "winner", "overlap", "covered", "flagged", "one hop", "budget", "busy", "open",
    "stopped", "contract", "left over", "warned", "reviewed", "told", "one digest",
)  # fmt: skip


class ViolationError(Exception):
    """An invariant does not hold."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name}: {text}")
        self.name = name


class _Pair:
    """Two turns on one request: since when both go on, and when each daemon has ended a whole cycle begun after."""

    def __init__(self, since: int) -> None:
        self.since = since
        self.seen: dict[str, int] = {}


class Watch:
    """Looks at everything that happens in one world."""

    def __init__(self, world: World, blind: frozenset[str] = frozenset()) -> None:
        self.world = world
        self.blind = blind
        self.bills: dict[str, Bill] = {}
        self.daemons: dict[str, Daemon] = {}
        self.running: dict[str, dict[str, int]] = {}  # request -> daemon -> since when, frozen time left out
        self.pairs: dict[tuple[str, str, str], _Pair] = {}
        self.pace = Pace()
        self.troubled: set[tuple[str, str]] = set()  # whose last write of a claim, on which request, came to nothing
        self.asked: set[str] = set()
        self.lost: set[str] = set()  # work that was done under a claim that had lost when it was written
        self.events: Counter[str] = Counter()

    def no(self, name: str, text: str) -> None:
        if name not in self.blind:
            raise ViolationError(name, f"at {self.world.time} s: {text}")

    # What it costs

    def bill(self, daemon: Daemon) -> Bill:
        return self.bills.setdefault(daemon.did, Bill(0))

    def begins_run(self, daemon: Daemon) -> None:
        self.bills[daemon.did] = self.bill(daemon).again(self.world.time)
        self.events["runs"] += 1

    # What runs

    def starts(self, daemon: Daemon, action: StartTurn) -> None:
        view, truth = daemon.planned_on.request(action.request), self.world.witness.request(action.request)
        if view is None or not view.dispatchable or view.awaiting_input:
            self.no("open", f"{daemon.did} starts {action.request}, which is not open to it")
        elif is_about_nothing(view):
            self.no("open", f"{daemon.did} starts {action.request}, which is about nothing that counts")
        # That who asked was removed a moment ago is not known to it yet.
        elif has_answered(daemon, truth):
            self.no("open", f"{daemon.did} starts {action.request}, which it has answered itself")
        if len(daemon.state.turns) >= daemon.operator.turns:
            self.no("budget", f"{daemon.did} starts one turn too many")
        spent = self.bill(daemon).spent(daemon, action.request)
        slots = daemon.operator.budget.slots
        if spent or (slots is not None and len(daemon.runs) >= slots):
            self.no("budget", f"{daemon.did} starts {action.request} though its budget is spent: {spent}, {slots}")
        if self.is_worn_out(daemon, action.request) or self.pace.starts_early(daemon, action.request, self.world.time):
            self.no("busy", f"{daemon.did} tries {action.request} once more")
        if action.claim is not None:
            self._first_claim_first(daemon, action.claim, action.request)

    def is_worn_out(self, daemon: Daemon, request: str) -> bool:
        """Tell whether a daemon has tried a request as often as it may."""
        ends = self.pace.ends[daemon.did, request]
        return ends.failed >= daemon.operator.attempts or ends.outages >= daemon.operator.outages

    def _first_claim_first(self, daemon: Daemon, claim: str, request: str) -> None:
        mine = self.world.repos[daemon.did].records.get(claim)
        if mine is None:
            return  # deleted by itself in another life: the next plan will know
        made = self._written(claim)[0]
        for uri, standing in self._rivals(daemon, request):
            earlier = [at for at in self._written(uri) if at < made]  # the whole cycle has read the last of these
            foremost = bool(earlier) and _rank(uri, standing) < _rank(claim, mine)
            alive = foremost and self.world.time < earlier[-1] + daemon.operator.lease
            # It has counted this lease by one clock, and the writer was a member at all times that it can have read.
            if alive and daemon.clock.jumped_at < earlier[-1] and self._was_member(uri.split("/")[2], request, made):
                self.no("first claim first", f"{daemon.did} starts {request} while {uri} is live")

    def _was_member(self, did: str, request: str, since: int) -> bool:
        """Tell whether somebody has been a member all the time since then: one may be out and in, read in between."""
        realm = self.world.realm_of(request)
        events = [
            (at, ".addMember/" in uri) for at, uri, value in self.world.repos[realm.root].log
            if value is not None and value.get("did") == did
        ]  # fmt: skip
        before = [added for at, added in events if at < since]
        return bool(before) and before[-1] and len(before) == len(events)

    def _rivals(self, daemon: Daemon, request: str) -> list[tuple[str, Standing]]:
        standing = (one for did in self.daemons if did != daemon.did for one in self.world.repos[did].records.items())
        return [one for one in standing if ".claim/" in one[0] and one[1].value["request"]["uri"] == request]

    def _written(self, uri: str) -> list[int]:
        """Give when the versions of a record were committed, the earliest first."""
        return [at for at, one, _ in self.world.repos[uri.split("/")[2]].log if one == uri]

    def started(self, daemon: Daemon, request: str) -> None:
        self.events["turns"] += 1
        self.bill(daemon).started(request)
        self._go_on(daemon.did, request, self.world.time)

    def _go_on(self, did: str, request: str, since: int) -> None:
        view = self.world.witness.request(request)
        others = self.running.setdefault(request, {})
        if view is None or view.assignee is None:
            for other, begun in others.items():
                one, two = sorted((did, other))
                self.pairs[request, one, two] = _Pair(max(since, begun))
                self.events["overlaps"] += 1
        others[did] = since

    def ended(self, daemon: Daemon, request: str, how: str, report: Report = _SILENT) -> None:
        self.bill(daemon).ended(request, how, report)
        self.pace.ends[daemon.did, request].add(how, self.world.time)
        self.events[f"turns {how}"] += 1
        self.stopped(daemon, request)

    def stopped(self, daemon: Daemon, request: str) -> None:
        self.running.get(request, {}).pop(daemon.did, None)
        over = [key for key in self.pairs if key[0] == request and daemon.did in key[1:]]
        for pair in map(self.pairs.pop, over):
            self.events["overlaps longer than a lease"] += self.world.time > pair.since + daemon.operator.lease
            self.events["overlaps that both have seen"] += len(pair.seen) > 1

    def stopped_all(self, daemon: Daemon) -> None:
        self.events["crashes"] += 1
        self.pace.mishap(daemon.did, self.world.time)
        for request in self.running:
            self.stopped(daemon, request)

    def frozen(self, daemon: Daemon, until: int) -> None:
        """A frozen process does nothing: its turns go on when it does."""
        for request, others in self.running.items():
            if daemon.did in others:
                self.stopped(daemon, request)
                self._go_on(daemon.did, request, until)

    # What is known

    def cycle(self, daemon: Daemon, began: int) -> None:
        for key, pair in self.pairs.items():
            if daemon.did in key[1:] and began >= pair.since:
                pair.seen.setdefault(daemon.did, self.world.time)

    def planned(self, daemon: Daemon, survey: Survey) -> None:
        self.bill(daemon).looked_at(self.world.time)
        self._useless(daemon, survey)
        keys = {action.key for action in survey.actions} | daemon.state.tries.keys()
        # What is being stopped keeps its claim until it has.
        stopping = cancelled(survey) | {turn.request for turn in daemon.state.turns if turn.cancelling}
        for claim in (one for one in daemon.state.claims if one.request not in stopping):
            ahead = max(claim.created_at, claim.renewed_at).since(daemon.now)
            if ahead > _TOLERATED and f"release {claim.uri}" not in keys:
                self.no("contract", f"{daemon.did} keeps {claim.uri}, which lies {ahead} s in its own future")
        for action in survey.actions:
            self._planned(daemon, action)
        self._warned(daemon, survey)
        self._told(daemon, survey)

    def _useless(self, daemon: Daemon, survey: Survey) -> None:
        stopping = cancelled(survey)
        for turn in daemon.state.turns:
            if turn.cancelling or turn.request in stopping:
                continue
            view = daemon.index.request(turn.request)
            mine = has_answered(daemon, view)
            if view is None or not (view.dispatchable or mine) or not is_member(daemon, turn.request):
                self.no("stopped", f"{daemon.did} goes on with {turn.request}")
            elif view.assignee is None and not mine:
                self._winner(daemon, turn.request)

    def _planned(self, daemon: Daemon, action: Action) -> None:
        if self.pace.is_early(daemon, action.key, self.world.time):
            self.no("busy", f"{daemon.did} tries {action.key} again so soon")
        if isinstance(action, StartTurn) and daemon.state.may_not_start is not None:
            self.no("budget", f"{daemon.did} starts a turn although {daemon.state.may_not_start}")
        if isinstance(action, StartTurn | WriteClaim | RequestReview | RunChecks | PollMerge):
            about = action.request if isinstance(action, StartTurn | WriteClaim) else action.artifact
            # The claim that was written without a receipt is looked into wherever it stands.
            if not is_active(daemon.index, about):
                self.no("stopped", f"{daemon.did} does {action.key} about {about}, where nothing goes on")

    def _warned(self, daemon: Daemon, survey: Survey) -> None:
        clock, keys = daemon.clock, daemon.state.done | {action.key for action in survey.actions}
        told = any(key.startswith("clock ") for key in keys)
        off = abs(clock.offset) > _TOLERATED + 1 and daemon.asked_at > clock.jumped_at
        is_right = abs(clock.offset) < _TOLERATED - 1 and daemon.asked_at > clock.jumped_at
        if told < off or (told and (is_right or not clock.was_off)):  # so that it is told again when it is off again
            self.no("warned", f"{daemon.did}, whose clock is {clock.offset} s ahead, is told: {told}")

    def _told(self, daemon: Daemon, survey: Survey) -> None:
        run, keys = daemon.state.run.number, daemon.state.done | {action.key for action in survey.actions}
        bill, budget = self.bill(daemon), daemon.operator.budget
        told = {name for name in ("tokens", "cost", "seconds") if f"budget {run} {name} unenforced" in keys}
        over = {"seconds"} if budget.seconds is not None and self.world.time - bill.began >= budget.seconds else set()
        now = over if daemon.state.turns else set()
        bill.silent |= now
        lasting = bill.unsaid(budget) - {"seconds"}
        if not now | lasting <= told <= bill.unsaid(budget):
            self.no("told", f"{daemon.did} is told that it cannot hold {told or 'nothing'} in run {run}")

    def _winner(self, daemon: Daemon, request: str) -> None:
        """C3, C4: of the claims that are live to it, its own ranks first."""
        sightings, now = daemon.index.sightings(request), daemon.now
        own = [
            (claim.created_at, claim.uri) for claim in daemon.state.claims
            if claim.request == request and now < claim.expires_at
            and max(claim.created_at, claim.renewed_at).since(now) <= _TOLERATED
        ]  # fmt: skip
        for lease in daemon.index.leases(request):
            seen = sightings[lease.uri, lease.cid]
            theirs = lease.uri.split("/")[2] != daemon.did and (seen is None or seen.since(now) <= _TOLERATED)
            first = not own or (lease.created_at, lease.uri) < min(own)
            if theirs and first and live(lease, seen, now):
                self.no("winner", f"{daemon.did} goes on with {request}, on which {lease.uri} wins")

    def acted(self, daemon: Daemon) -> None:
        state, operator = daemon.state, daemon.operator
        if len(state.turns) > operator.turns:
            self.no("budget", f"{daemon.did} runs {len(state.turns)} turns")
        for turn in state.turns:
            self._covered(daemon, turn)
        for (request, one, two), pair in self.pairs.items():
            if len(pair.seen) == 2 and self.world.time > max(pair.seen.values()) + operator.lease:
                self.no("overlap", f"{one} and {two} both work on {request} since {pair.since}")

    def _covered(self, daemon: Daemon, turn: Any) -> None:
        """C6: what was planned a moment ago, and done, leaves half of a lease at least."""
        view = daemon.planned_on.request(turn.request)
        is_claimed = view is not None and view.assignee is None and not has_answered(daemon, view)
        # It cannot know yet that a claim is gone, whose deletion was the last thing it did in another life.
        in_vain = any(one.uri in self.world.repos[daemon.did].deleted for one in daemon.state.claims)
        is_excused = turn.cancelling or in_vain or (daemon.did, turn.request) in self.troubled
        if not is_claimed or is_excused or daemon.clock.jumped_at >= daemon.planned_at:
            return
        records = self.world.repos[daemon.did].records.items()
        ends = [
            parse_instant(one.value["expiresAt"]) for uri, one in records
            if ".claim/" in uri and one.value["request"]["uri"] == turn.request
        ]  # fmt: skip
        left = max((end.since(daemon.now) for end in ends), default=0)
        if left < daemon.operator.lease // 2:
            self.no("covered", f"{daemon.did} works on {turn.request} with {left} s of its claim left")

    def failed(self, daemon: Daemon, action: Action) -> None:
        """Something that a daemon wanted to do came to nothing, as far as it knows."""
        self.pace.failed(daemon, action.key, self.world.time)
        self.pace.mishap(daemon.did, self.world.time)
        if isinstance(action, RenewClaim | WriteClaim | NextGenerationClaim):
            self.troubled.add((daemon.did, action.request))

    def done(self, daemon: Daemon, action: Action) -> None:
        """Something that a daemon wanted to do was done, and it knows."""
        self.pace.done(daemon, action.key)
        if isinstance(action, RenewClaim | WriteClaim | NextGenerationClaim):
            self.troubled.discard((daemon.did, action.request))

    # What is written

    def claims(self, daemon: Daemon, action: WriteClaim | NextGenerationClaim) -> None:
        """Look at a claim that is to be written: one for a request, and so many requests as may be claimed."""
        requests = {claim.request for claim in daemon.state.claims} - {action.request}
        if isinstance(action, WriteClaim) and len(requests) >= daemon.operator.claims:
            self.no("budget", f"{daemon.did} claims {action.request} and holds claims on {len(requests)} others")
        self._pace(daemon, "claim", action.request)

    def polls(self, daemon: Daemon, action: PollMerge) -> None:
        self.events["polls"] += 1
        self._pace(daemon, "poll", action.artifact)

    def _pace(self, daemon: Daemon, kind: str, what: str) -> None:
        often = self.pace.too_often(daemon, kind, what, self.world.time)
        if often is not None:
            self.no("busy", f"{daemon.did}: {kind} {what}, {often}")

    def writes(self, daemon: Daemon, uri: str, value: dict[str, Any]) -> None:
        kind = value["$type"].removeprefix(PREFIX)
        self.events[kind] += 1
        if kind == "claim":
            self._contract(daemon, uri, value)
        elif kind == "artifactRequest":
            self._one_hop(daemon, value)

    def renews(self, daemon: Daemon, uri: str, value: dict[str, Any]) -> None:
        self.events["renewals"] += 1
        self._pace(daemon, "renew", uri)
        before = self.world.repos[daemon.did].records[uri].value
        if daemon.now >= parse_instant(before["expiresAt"]):
            self.no("contract", f"{daemon.did} renews {uri}, which has lapsed on its own clock")
        self._contract(daemon, uri, value)

    def _contract(self, daemon: Daemon, uri: str, value: dict[str, Any]) -> None:
        from tests.simulation.doing import lease_in  # noqa: PLC0415 - which looks at this module for its types alone

        broken = breach(lease_in(uri, Standing("", value, "", 0)))
        if broken is not None:
            self.no("contract", f"{daemon.did} writes {uri}: {broken}")
        if uri in self.world.repos[daemon.did].deleted:
            self.no("contract", f"{daemon.did} writes again at {uri}, which it deleted")

    def _one_hop(self, daemon: Daemon, value: dict[str, Any]) -> None:
        subject = value.get("subject", {}).get("uri", "")
        if value["type"] != "review" or ".artifact/" not in subject:
            self.no("one hop", f"{daemon.did} asks for {value['type']} of {subject}")
        goals = self.world.realm_of(subject).goals
        known = [one for goal in goals for one in requests_at(daemon.planned_on, goal["uri"]) if one.type == "review"]
        if subject in self.asked or any(one.subject is not None and one.subject.uri == subject for one in known):
            self.no("one hop", f"{daemon.did} asks once more for a review of {subject}")
        self.asked.add(subject)
        cause = self.world.witness.filing.entries[subject].value["request"]["uri"]
        if cause.split("/")[2] in self.daemons:
            self.no("one hop", f"{daemon.did} follows up on {cause}, which a daemon asked for")

    def flagged(self) -> None:
        """Look at all work of daemons as the witness shows it now; once a claim is let go, nothing can be told (C7)."""
        claims = self._claims_ever()
        for uri, mark in self._marks():
            if mark.lost is not None:
                made, claim, request = claims[mark.uri]
                standing = [one for one in claims.values() if one[2] == request and one[:2] < (made, claim)]
                ends = [self._end(one[1]) for one in standing]
                lost = any(end is not None and end > made for end in ends)
                self.events["work under a lost claim"] += lost and uri not in self.lost
                self.lost |= {uri} if lost else set()
                if mark.lost != lost:
                    self.no("flagged", f"{uri} says {mark.lost} of {mark.uri}")

    def _marks(self) -> Iterator[tuple[str, ClaimMark]]:
        """Give everything that names a claim: artifacts, verdicts on them, and what is said (C7)."""
        for goal in self.world.goals:
            view = self.world.witness.goal(goal["uri"])
            artifacts = view.artifacts if view is not None else ()
            reviews = (review for artifact in artifacts for review in artifact.reviews)
            messages = view.messages if view is not None else ()
            work: tuple[Any, ...] = (*artifacts, *reviews, *messages)
            yield from ((one.uri, one.claim) for one in work if one.claim is not None)

    def _claims_ever(self) -> dict[str, tuple[Any, str, str]]:
        values = [
            (uri, value) for did in self.daemons for _, uri, value in self.world.repos[did].log
            if value is not None and ".claim/" in uri
        ]  # fmt: skip
        return {uri: (parse_instant(value["createdAt"]), uri, value["request"]["uri"]) for uri, value in values}

    def _end(self, uri: str) -> Any:
        standing = self.world.repos[uri.split("/")[2]].records.get(uri)
        counts = standing is not None and self.world.witness.place_of(uri) is not None
        return parse_instant(standing.value["expiresAt"]) if standing is not None and counts else None


def _rank(uri: str, standing: Standing) -> tuple[Any, str]:
    return parse_instant(standing.value["createdAt"]), uri
