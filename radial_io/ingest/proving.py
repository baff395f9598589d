"""From the signed events of a stream to observations, and to what is known of each repo's standing.

Strategy: `Taking` gathers one batch; `Prover` turns events into its parts. Keys are asked for when the first event of a
batch needs one, and afresh once when a signature fails. A DID that leads nowhere is left alone for a while, so that one
dead server does not slow down the stream of all: its repo is read anew when it answers again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

import attrs

from radial_core.cids import Cid
from radial_core.instants import parse_instant
from radial_core.records import COLLECTIONS
from radial_io.atproto.car import read_car
from radial_io.atproto.commits import Commit, latest_rev, verify_commit
from radial_io.atproto.documents import Identity
from radial_io.atproto.keys import SigningKey
from radial_io.atproto.proofs import CommitProof, ProvenOp, prove_commit
from radial_io.errors import CarError, DisprovedError, RadialIoError, SignatureError, quoted
from radial_io.ingest.attending import StreamFlow
from radial_io.ingest.frames import Event
from radial_io.ingest.requests import RepoOf, Resolve
from radial_io.store.values import Account, Batch, Failure, Gone, Repo, RepoState, Seen, Source, Spoiled, State

P = TypeVar("P")

_REST: Final = 60  # seconds for which a DID that led nowhere, or was looked up afresh, is left alone
_INACTIVE: Final[dict[str, State]] = {
    state: state for state in ("deactivated", "takendown", "suspended", "deleted", "desynchronized", "throttled")
}


def account_state(*, active: bool, status: str | None) -> State:
    """Give the state of an account. A status that nobody knows is an account whose content is not shown."""
    return "active" if active else _INACTIVE.get(status or "", "deactivated")


@attrs.define
class Taking:
    """One batch while it grows. `doubts`: the repos to be read anew, and why. `moved`: whose document changed."""

    source: Source
    now: str
    seen: list[Seen] = attrs.field(factory=list)
    gone: list[Gone] = attrs.field(factory=list)
    spoiled: list[Spoiled] = attrs.field(factory=list)
    accounts: dict[str, Account] = attrs.field(factory=dict)
    standings: dict[str, Repo] = attrs.field(factory=dict)
    advanced: dict[str, RepoState] = attrs.field(factory=dict)
    failures: dict[str, Failure] = attrs.field(factory=dict)
    doubts: dict[str, str] = attrs.field(factory=dict)
    moved: set[str] = attrs.field(factory=set)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to be kept but a cursor."""
        return not (self.seen or self.gone or self.spoiled or self.accounts or self.advanced or self.failures)

    def doubt(self, did: str, why: str) -> None:
        """Have a repo read anew; the first reason is told."""
        self.doubts.setdefault(did, why)

    def doubt_all(self, dids: Iterable[str], why: str) -> None:
        """Have repos read anew."""
        for did in sorted(dids):
            self.doubt(did, why)

    def fail(self, did: str, words: str) -> None:
        """Say in words what is missing of a repo."""
        self.failures[did] = Failure(did, self.source, words)

    def batch(self, cursor: str | None) -> Batch:
        """Close the batch."""
        return Batch(
            source=self.source,
            cursor=cursor,
            seen=tuple(self.seen),
            gone=tuple(self.gone),
            spoiled=tuple(self.spoiled),
            accounts=tuple(self.accounts.values()),
            repos=tuple(self.advanced.values()),
            failures=tuple(self.failures.values()),
        )


@attrs.define
class Prover:
    """Turns events of followed repos into observations.

    `_silent`: DIDs that led nowhere, until when they are left alone, and the error; `_fresh`: those whose key was
    looked up afresh, until when that is not done again. Seconds as of an instant.
    """

    quarantine: int
    _silent: dict[str, tuple[int, str]] = attrs.field(factory=dict, init=False)
    _fresh: dict[str, int] = attrs.field(factory=dict, init=False)

    def commit(self, event: Event, taking: Taking) -> StreamFlow[None]:
        """Take a `#commit`: its proven ops, and the standing if it continues it."""
        if event.body.get("tooBig"):
            taking.doubt(event.did, "a commit was too big for the stream")
            return
        latest = latest_rev(taking.now)
        proof = yield from self._verified(event, taking, lambda key: prove_commit(event.body, key, latest=latest))
        if proof is None:
            return
        standing = yield from _standing(event.did, taking)
        whole = [self._op(op, event.did, proof.commit.rev, taking) for op in proof.ops if op.collection in COLLECTIONS]
        why = continues(standing, proof) or ("" if all(whole) else "an operation came without its proof")
        _advance(standing, proof.commit, why, taking)

    def sync(self, event: Event, taking: Taking) -> StreamFlow[None]:
        """Take a `#sync`: a commit without its ops. Where the tree is the one that is known, the standing advances."""
        latest = latest_rev(taking.now)
        commit = yield from self._verified(
            event, taking, lambda key: _lone_commit(event.body["blocks"], event.did, key, latest)
        )
        if commit is None:
            return
        standing = yield from _standing(event.did, taking)
        _advance(
            standing, commit, "" if standing.root == str(commit.data) else "its host set it to a new state", taking
        )

    def _verified(self, event: Event, taking: Taking, prove: Callable[[SigningKey], P]) -> StreamFlow[P | None]:
        """Prove something with the author's key; with one looked up afresh when the first did not sign it."""
        seconds = parse_instant(taking.now).seconds
        try:
            try:
                return prove((yield from self._key(event.did, seconds, fresh=False)))
            except SignatureError:
                if seconds < self._fresh.get(event.did, 0):
                    raise
                self._fresh[event.did] = seconds + _REST
                return prove((yield from self._key(event.did, seconds, fresh=True)))
        except DisprovedError as error:
            yield from self._disproved(event, error, taking)
        except RadialIoError as error:  # nobody to ask: nothing is known against the event, nor for it
            taking.fail(event.did, quoted(error))
            taking.doubt(event.did, "an event could not be verified")
        return None

    def _key(self, did: str, seconds: int, *, fresh: bool) -> StreamFlow[SigningKey]:
        """Give the key of a DID. Raises `RadialIoError`, without asking again for a while."""
        until, words = self._silent.get(did, (0, ""))
        if seconds < until:
            raise RadialIoError(words)
        try:
            return _signing_key((yield Resolve(did, fresh)))
        except RadialIoError as error:
            self._silent[did] = seconds + _REST, quoted(error)
            raise

    def _disproved(self, event: Event, error: DisprovedError, taking: Taking) -> StreamFlow[None]:
        """Set the event aside, and have the repo read.

        Where the repo stands beyond it, there is nothing to repair: an account's old events are signed with keys that
        it no longer has.
        """
        rev, words = event.body["rev"], f"an event was refused: {quoted(error)}"
        standing = yield from _standing(event.did, taking)
        if standing.rev is not None and rev <= standing.rev:
            taking.fail(event.did, words)
            return
        raw = event.body["blocks"][: self.quarantine]
        taking.spoiled.append(Spoiled(event.did, None, None, None, rev, words, raw))
        taking.doubt(event.did, words)

    def _op(self, op: ProvenOp, did: str, rev: str, taking: Taking) -> bool:
        """Take one operation; tell whether it was proven."""
        if op.unproven:
            return False
        if op.action == "delete":
            taking.gone.append(Gone(did, op.collection, op.rkey, rev))
            return True
        raw, cid = op.raw or b"", op.cid or ""
        if op.spoiled:
            spoiled = Spoiled(did, op.collection, op.rkey, cid, rev, op.spoiled, raw[: self.quarantine])
            taking.spoiled.append(spoiled)
        else:
            taking.seen.append(Seen(did, op.collection, op.rkey, cid, rev, raw, "cbor"))
        return True


def take_account(did: str, state: State, taking: Taking) -> StreamFlow[None]:
    """Take the state of an account. What happened while it was away is in the repo alone."""
    standing = yield from _standing(did, taking)
    before = taking.accounts[did].state if did in taking.accounts else standing.state
    taking.accounts[did] = Account(did, state)
    if state == "active" and before not in {"active", None}:
        taking.doubt(did, "its account is active again")


def look_up_moved(taking: Taking) -> StreamFlow[None]:
    """Look up afresh those whose document changed: the cache is everybody's."""
    for did in sorted(taking.moved):
        try:
            yield Resolve(did, fresh=True)
        except RadialIoError as error:
            taking.fail(did, quoted(error))


def _standing(did: str, taking: Taking) -> StreamFlow[Repo]:
    """Give where a repo stands, with what this batch has added."""
    if did not in taking.standings:
        taking.standings[did] = yield RepoOf(did)
    return taking.standings[did]


def continues(standing: Repo, proof: CommitProof) -> str:
    """Say why a commit does not lead on from where the repo stands; empty when it does, or when it is behind."""
    commit = proof.commit
    if standing.rev is not None and commit.rev <= standing.rev:
        return ""
    if proof.unchained:
        return f"a commit does not show that it is whole: {quoted(proof.unchained)}"
    if standing.rev is None:
        return "" if proof.since is None else "it was not read yet"
    if proof.previous is not None and str(proof.previous) == standing.root:
        return ""
    if standing.root is None:
        return "it was only listed so far: no tree is known that this commit could continue"
    return (
        f"what came between its revisions {standing.rev} and {commit.rev} was not told: "
        "versions that were replaced in between are not known"
    )


def _advance(standing: Repo, commit: Commit, why: str, taking: Taking) -> None:
    """Move the standing, or say why it stays."""
    did = commit.did
    if standing.rev is not None and commit.rev <= standing.rev:
        return
    if why:
        taking.doubt(did, why)
        taking.fail(did, why)
        return
    state = RepoState(did, commit.rev, str(commit.data), taking.source)
    taking.advanced[did] = state
    taking.failures.pop(did, None)
    taking.standings[did] = attrs.evolve(standing, rev=state.rev, root=state.root)


def _signing_key(identity: Identity) -> SigningKey:
    if identity.key is None:
        raise RadialIoError(f"the document of {identity.did} names no key that signs")
    return identity.key


def _lone_commit(blocks: bytes, did: str, key: SigningKey, latest: str) -> Commit:
    roots, held = read_car(blocks)
    if len(roots) != 1 or roots[0] not in held:
        raise CarError("a #sync without its commit")
    return verify_commit(held[roots[0]], Cid(roots[0]), did=did, key=key, latest=latest)
