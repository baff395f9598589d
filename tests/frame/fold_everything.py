"""A program: folds every file it is given, uses the index in every way there is, prints what `watch` saw as JSON.

Files are read, and modules imported, before anybody listens: an import reads files, but that is Python's doing, once.
Two imports wait until they are needed: the core's of multiformats, for a CID in an unusual form, and cbor2's of the
modules whose types it knows, for the first value that is more than plain JSON. A link to such a CID needs both.
"""

import json
import sys
from pathlib import Path

from radial_core import Deletion, Index, Record, materialize, parse_instant, read_jsonl, winner
from radial_core.acts.desk import Desk
from radial_core.acts.draft import Draft
from radial_core.acts.foresight import foresee
from radial_core.acts.references import numbered, resolve
from radial_core.acts.requests import Wish, request
from radial_core.identifiers import record_parts
from radial_core.jsonviews import to_plain
from radial_core.query.answers import QUESTIONS, Question
from radial_core.query.asking import Reader
from radial_core.query.describing import describe
from radial_core.query.happenings import lately, timeline
from radial_core.query.inbox import inbox
from radial_core.query.lineage import ancestry, offspring
from radial_core.query.lists import documents, queue
from radial_core.records import CLASSES
from tests.frame.watch import events_of

NOW = parse_instant("2026-06-01T12:00:00Z")
UNUSUAL = '{"uri": "at://x", "value": {"$link": "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n"}}'


def lines_of(file: Path) -> list[str]:
    """Read the observations of a golden scenario, or of a JSON Lines file."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".jsonl":
        return text.splitlines()
    return [json.dumps(observation) for observation in json.loads(text)["records"]]


def use(lines: list[str]) -> None:
    """Read, fold, extend, ask, compare and write out."""
    observations = [*read_jsonl(lines)]
    index = materialize(observations)
    half = materialize(observations[: len(observations) // 2])
    grown = half.extend(observations[len(observations) // 2 :])
    grown.diff(half)
    json.dumps(index.to_json())
    for observation in observations:
        index.explain(observation.uri)
        index.upstream(observation.uri)
        index.downstream(observation.uri)
        index.capable(observation.uri, "plan")
        leases, seen = index.leases(observation.uri), index.sightings(observation.uri)
        winner(leases, seen, NOW)
    ask(index, observations)
    act(index, observations)


def ask(index: Index, observations: list[Record | Deletion]) -> None:
    """Ask every question about everything; list what waits, what is in flight, what happened."""
    reader = Reader(index)
    for about in {seen.uri for seen in observations if seen.uri.strip()}:
        for question in QUESTIONS:
            to_plain(reader.ask(Question(ask=question, about=about[:100])))
        timeline(index, reader.web, about)
        if index.entry(about) is not None:
            ancestry(index, about)
            offspring(index, about, 1)
    for space in index.spaces:
        for member in space.members:
            inbox(index, member.did, NOW)
        for project in space.projects:
            documents(index, project)
    queue(index)
    lately(index, 10, since=NOW)
    json.dumps(describe())


def act(index: Index, observations: list[Record | Deletion]) -> None:
    """Ask from every artifact; write everything again under another key; look everything up."""
    for kind in (owner.kind for owner in CLASSES):
        resolve(index, "the", kinds=[kind])
    for uri in numbered(index, "artifact"):
        desk = Desk(index=index, author=uri.split("/")[2], now="2026-06-01T12:00:00Z", keys=lambda: "next")
        foresee(index, desk.author, request(desk, Wish(type="plan"), context=uri).drafts)
    for seen in observations:
        parts = record_parts(seen.uri)
        if isinstance(seen, Record) and isinstance(seen.value, dict) and parts is not None:
            foresee(index, parts[0], [Draft(collection=parts[1], rkey="again", value=seen.value)])


def main(files: list[str]) -> None:
    """Print every event of every file."""
    next(read_jsonl([UNUSUAL]))
    batches = [lines_of(Path(file)) for file in files]

    def use_all() -> None:
        for lines in batches:
            use(lines)

    print(json.dumps(events_of(use_all)))


if __name__ == "__main__":
    main(sys.argv[1:])
