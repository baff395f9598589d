"""The invariants of a simulation: what holds in every history, looked at from outside.

Strategy: each has a name, and breaks as a `ViolationError` at the very event that breaks it. None of them asks the code
under test what is right; they look at what was written, at what ran, and at the witness.

- `answered`: once all is connected, every dispatchable request is answered, or every daemon that could has given it up.
- `first claim first`: no turn starts on a claim while one that ranks before it, and was written before it, is live.
- `winner`: a turn goes on only while its claim wins as its own daemon sees it, and only one claim can.
- `overlap`: two turns on one request do not go on together for longer than one ingestion each and one lease.
- `flagged`: work under a claim that had lost when it was written says so.
- `reviewed`: what is to be reviewed by itself (R8), and landed by a daemon's agent, has been asked for a review of in
  its own space; what is said in another has no part in that.
- `one hop`: a daemon asks for reviews only, of artifacts that no daemon's request brought about, once, and only where
  nobody else is known to have asked. It never asks for an answer.
- `budget`: turns and claims stay within their numbers, nothing starts while something stops it, and no limit of a
  run's budget is passed by a turn that starts when what is certain has reached it.
- `told`: a limit that could not be enforced, because turns did not say what they used, or go on when the time is over,
  is told in the next plan; and no other is.
- `busy`: actions per hour are bounded; a request is tried a bounded number of times.
- `open`: what starts is open, dispatchable and awaits nobody, is not answered already by the one who starts it, and
  what is to be judged or answered counts where it was asked for.
- `stopped`: no turn goes on that its own daemon knows to be of no use.
- `contract`: every claim keeps C2, is renewed only while it lasts on its writer's own clock, is written at a fresh URI,
  and is not kept when it lies in its writer's own future.
- `left over`: when everything is done, no claim is left that counts.
- `warned`: who has a clock that is off is told so, each time that it went wrong, and nobody else is.
- `one digest`: when all have seen the same, all show the same, and what the witness shows.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Any, Final

from radial_core import parse_instant
from radial_core.dispatch.actions import CancelTurn
from radial_core.leases import breach, live
from tests.simulation.billing import Bill, Report
from tests.simulation.repos import PREFIX, Standing

if TYPE_CHECKING:
    from radial_core.dispatch.actions import StartTurn
    from radial_core.dispatch.plan import Survey
    from tests.simulation.daemon import Daemon
    from tests.simulation.world import World

_MOST_AN_HOUR: Final = 60  # actions of one daemon, and as many again for each request there is
_A_WHILE: Final = 900
_TOLERATED: Final = 30  # seconds
_SILENT: Final = Report()
INVARIANTS: Final = (
    "answered", "first claim first", "winner", "overlap", "flagged", "one hop", "budget", "busy", "open", "stopped",
    "contract", "left over", "warned", "reviewed", "told", "one digest",
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
        self.acts: dict[str, deque[int]] = {}
        self.failures: Counter[tuple[str, str]] = Counter()  # in a row
        self.asked: set[str] = set()
        self.events: Counter[str] = Counter()

    def _no(self, name: str, text: str) -> None:
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
        view, truth = daemon.index.request(action.request), self.world.witness.request(action.request)
        if view is None or not view.dispatchable or view.awaiting_input:
            self._no("open", f"{daemon.did} starts {action.request}, which is not open to it")
        elif _is_about_nothing(view):
            self._no("open", f"{daemon.did} starts {action.request}, which is about nothing that counts")
        # That who asked was removed a moment ago is not known to it yet.
        elif truth is not None and any(uri.startswith(f"at://{daemon.did}/") for uri in truth.fulfilled_by):
            self._no("open", f"{daemon.did} starts {action.request}, which it has answered itself")
        if daemon.state.may_not_start is not None:
            self._no("budget", f"{daemon.did} starts a turn although {daemon.state.may_not_start}")
        if len(daemon.state.turns) >= daemon.operator.turns:
            self._no("budget", f"{daemon.did} starts one turn too many")
        spent = self.bill(daemon).spent(daemon, action.request, self.world.time)
        slots = daemon.operator.budget.slots
        if spent or (slots is not None and len(daemon.runs) >= slots):
            self._no("budget", f"{daemon.did} starts {action.request} though its budget is spent: {spent}, {slots}")
        if self.failures[daemon.did, action.request] >= daemon.operator.attempts:
            self._no("busy", f"{daemon.did} tries {action.request} once more")
        if action.claim is not None:
            self._first_claim_first(daemon, action.claim, action.request)

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
                self._no("first claim first", f"{daemon.did} starts {request} while {uri} is live")

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
        if how == "asked":
            self.failures[daemon.did, request] = 0
        elif how == "failed":
            self.failures[daemon.did, request] += 1
        self.stopped(daemon, request)

    def stopped(self, daemon: Daemon, request: str) -> None:
        self.running.get(request, {}).pop(daemon.did, None)
        self.pairs = {key: pair for key, pair in self.pairs.items() if key[0] != request or daemon.did not in key[1:]}

    def stopped_all(self, daemon: Daemon) -> None:
        self.events["crashes"] += 1
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
        cancelled = {action.request for action in survey.actions if isinstance(action, CancelTurn)}
        for turn in daemon.state.turns:
            view = daemon.index.request(turn.request)
            mine = view is not None and any(uri.startswith(f"at://{daemon.did}/") for uri in view.fulfilled_by)
            useless = view is None or (not view.dispatchable and not mine)
            if useless and turn.request not in cancelled:
                self._no("stopped", f"{daemon.did} goes on with {turn.request}")
            elif view is not None and view.assignee is None and not mine and turn.request not in cancelled:
                self._winner(daemon, turn.request)
        keys = {action.key for action in survey.actions} | daemon.state.tries.keys()
        for claim in (one for one in daemon.state.claims if one.request not in cancelled):
            ahead = max(claim.created_at, claim.renewed_at).since(daemon.now)
            if ahead > _TOLERATED and f"release {claim.uri}" not in keys:
                self._no("contract", f"{daemon.did} keeps {claim.uri}, which lies {ahead} s in its own future")
        self._warned(daemon, survey)
        self._told(daemon, survey)
        acts = self.acts.setdefault(daemon.did, deque())
        acts.extend(self.world.time for _ in survey.actions)
        while acts and acts[0] < self.world.time - 3600:
            acts.popleft()
        if len(acts) > _MOST_AN_HOUR * (1 + len(self.world.asked())):
            self._no("busy", f"{daemon.did} did {len(acts)} things within an hour")

    def _warned(self, daemon: Daemon, survey: Survey) -> None:
        clock, keys = daemon.clock, daemon.state.done | {action.key for action in survey.actions}
        told = any(key.startswith("clock ") for key in keys)
        off = abs(clock.offset) > _TOLERATED + 1 and daemon.asked_at > clock.jumped_at
        is_right = abs(clock.offset) < _TOLERATED - 1 and daemon.asked_at > clock.jumped_at
        if told < off or (told and (is_right or not clock.was_off)):  # so that it is told again when it is off again
            self._no("warned", f"{daemon.did}, whose clock is {clock.offset} s ahead, is told: {told}")

    def _told(self, daemon: Daemon, survey: Survey) -> None:
        run, keys = daemon.state.run.number, daemon.state.done | {action.key for action in survey.actions}
        bill, budget = self.bill(daemon), daemon.operator.budget
        told = {name for name in ("tokens", "cost", "seconds") if f"budget {run} {name} unenforced" in keys}
        over = {"seconds"} if budget.seconds is not None and self.world.time - bill.began >= budget.seconds else set()
        now = over if daemon.state.turns else set()
        bill.silent |= now
        lasting = bill.unsaid(budget) - {"seconds"}
        if not now | lasting <= told <= bill.unsaid(budget):
            self._no("told", f"{daemon.did} is told that it cannot hold {told or 'nothing'} in run {run}")

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
                self._no("winner", f"{daemon.did} goes on with {request}, on which {lease.uri} wins")

    def acted(self, daemon: Daemon) -> None:
        state, operator = daemon.state, daemon.operator
        covering = sum(1 for claim in state.claims if claim.generation > 0)
        if len(state.claims) > operator.claims + covering or len(state.turns) > operator.turns:
            self._no("budget", f"{daemon.did} holds {len(state.claims)} claims and runs {len(state.turns)} turns")
        for (request, one, two), pair in self.pairs.items():
            if len(pair.seen) == 2 and self.world.time > max(pair.seen.values()) + operator.lease:
                self._no("overlap", f"{one} and {two} both work on {request} since {pair.since}")

    # What is written

    def writes(self, daemon: Daemon, uri: str, value: dict[str, Any]) -> None:
        kind = value["$type"].removeprefix(PREFIX)
        self.events[kind] += 1
        if kind == "claim":
            self._contract(daemon, uri, value)
        elif kind == "artifactRequest":
            self._one_hop(daemon, value)

    def renews(self, daemon: Daemon, uri: str, value: dict[str, Any]) -> None:
        self.events["renewals"] += 1
        before = self.world.repos[daemon.did].records[uri].value
        if daemon.now >= parse_instant(before["expiresAt"]):
            self._no("contract", f"{daemon.did} renews {uri}, which has lapsed on its own clock")
        self._contract(daemon, uri, value)

    def _contract(self, daemon: Daemon, uri: str, value: dict[str, Any]) -> None:
        from tests.simulation.daemon import lease_in  # noqa: PLC0415 - which looks at this module for its types alone

        broken = breach(lease_in(uri, Standing("", value, "", 0)))
        if broken is not None:
            self._no("contract", f"{daemon.did} writes {uri}: {broken}")
        if uri in self.world.repos[daemon.did].deleted:
            self._no("contract", f"{daemon.did} writes again at {uri}, which it deleted")

    def _one_hop(self, daemon: Daemon, value: dict[str, Any]) -> None:
        subject = value.get("subject", {}).get("uri", "")
        if value["type"] != "review" or ".artifact/" not in subject:
            self._no("one hop", f"{daemon.did} asks for {value['type']} of {subject}")
        goals = self.world.realm_of(subject).goals
        known = [one for goal in goals for one in _requests(daemon, goal["uri"]) if one.type == "review"]
        if subject in self.asked or any(one.subject is not None and one.subject.uri == subject for one in known):
            self._no("one hop", f"{daemon.did} asks once more for a review of {subject}")
        self.asked.add(subject)
        cause = self.world.witness.filing.entries[subject].value["request"]["uri"]
        if cause.split("/")[2] in self.daemons:
            self._no("one hop", f"{daemon.did} follows up on {cause}, which a daemon asked for")

    # In the end

    def flagged(self) -> None:
        """Look at all work of daemons as the witness shows it."""
        claims = self._claims_ever()
        for goal in self.world.goals:
            view = self.world.witness.goal(goal["uri"])
            for artifact in view.artifacts if view is not None else ():
                mark = artifact.claim
                if mark is not None and mark.lost is not None:
                    made, uri, request = claims[mark.uri]
                    standing = [one for one in claims.values() if one[2] == request and one[:2] < (made, uri)]
                    ends = [self._end(one[1]) for one in standing]
                    lost = any(end is not None and end > made for end in ends)
                    if mark.lost != lost:
                        self._no("flagged", f"{artifact.uri} says {mark.lost} of {mark.uri}")

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

    def answered(self) -> list[str]:
        """Give the requests that somebody has still to answer."""
        return [
            request.uri for request in self.world.asked()
            if request.dispatchable and request.uri not in self.world.poisoned and not _is_about_nothing(request)
            and self._hopefuls(request)
        ]  # fmt: skip

    def _hopefuls(self, request: Any) -> list[str]:
        """Give the daemons that could work on a request and have not given it up."""
        members = self.world.realm_of(request.uri).members()
        able = (self.daemons[did] for did in self.daemons if did in members and request.assignee in (None, did))
        return [one.did for one in able if not self._gave_up(one, request.uri) and not self._spent(one, request.uri)]

    def _spent(self, daemon: Daemon, request: str) -> bool:
        return bool(self.bill(daemon).spent(daemon, request, self.world.time))

    def _gave_up(self, daemon: Daemon, request: str) -> bool:
        tries = daemon.state.tries.get(request)
        return tries is not None and tries.failed >= daemon.operator.attempts

    def is_quiet(self) -> bool:
        """Tell whether nothing is left to do, nor has been done for a while."""
        if self.world.time < self.world.written_at + _A_WHILE:
            return False
        busy = any(daemon.state.turns or daemon.state.claims for daemon in self.daemons.values())
        return not busy and not self._claims_left() and not self.answered() and not self.unreviewed()

    def unreviewed(self) -> list[str]:
        """Give what landed, is to be reviewed by itself, and for which nobody has asked in its own space."""
        witness, found = self.world.witness, list[str]()
        for realm in self.world.realms:
            members = realm.members() & self.daemons.keys()
            asked = {one.subject.uri for one in self.world.asked(realm) if one.type == "review" and one.subject}
            archived = witness.project(realm.project["uri"])
            for goal in map(witness.goal, (goal["uri"] for goal in realm.goals)):
                if goal is not None and not goal.ended and archived is not None and not archived.archived:
                    wanted = (one for one in goal.artifacts if one.auto_review and one.author in members)
                    found += [one.uri for one in wanted if one.uri not in asked]
        return found

    def _claims_left(self) -> list[str]:
        claims = (uri for did in self.daemons for uri in self.world.repos[did].records if ".claim/" in uri)
        return [uri for uri in claims if self.world.witness.place_of(uri) is not None]

    def finish(self) -> None:
        """Look at the end of it all."""
        left = self.answered()
        if left:
            self._no("answered", f"nobody has answered {left}")
        if self.unreviewed():
            self._no("reviewed", f"nobody has asked for a review of {self.unreviewed()}")
        self.flagged()
        if self._claims_left():
            self._no("left over", f"{self._claims_left()}")
        self._chains()
        digests = {daemon.index.digest for daemon in self.daemons.values()}
        if digests != {self.world.witness.digest}:
            self._no("one digest", f"{sorted(digests)} and the witness {self.world.witness.digest}")

    def _chains(self) -> None:
        """Look at everything that daemons ever asked for, in their repos and nowhere else."""
        logs = (entry for did in self.daemons for entry in self.world.repos[did].log)
        asked = {uri: value for _, uri, value in logs if value is not None and ".artifactRequest/" in uri}
        subjects = [value.get("subject", {}).get("uri") for value in asked.values()]
        if any(value["type"] != "review" for value in asked.values()) or len({*subjects}) < len(subjects):
            self._no("one hop", f"daemons asked for {[*asked.values()]}")


def _is_about_nothing(request: Any) -> bool:
    """L4: nothing can answer a review or an answer whose subject is not there; it has to be found again, or ended."""
    return request.type in {"review", "answer"} and not (request.subject is not None and request.subject.resolved)


def _rank(uri: str, standing: Standing) -> tuple[Any, str]:
    return parse_instant(standing.value["createdAt"]), uri


def _requests(daemon: Daemon, goal: str) -> Any:
    view = daemon.index.goal(goal)
    return view.requests if view is not None else ()
