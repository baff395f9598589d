"""A program: folds every file it is given, uses the index in every way there is, prints what `watch` saw as JSON.

Files are read, and the libraries imported, before anybody listens: an import reads files, but that is Python's doing,
once, and the core puts one of them off until it is first needed.
"""

import json
import sys
from pathlib import Path

import attrs
import cattrs
import cbor2
import multiformats

from radial_core import Record, materialize, read_jsonl
from tests.frame.watch import events_of

LIBRARIES = (attrs, cattrs, cbor2, multiformats)


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
        if isinstance(observation, Record):
            index.capable(observation.uri, "plan")


def main(files: list[str]) -> None:
    """Print every event of every file."""
    batches = [lines_of(Path(file)) for file in files]

    def use_all() -> None:
        for lines in batches:
            use(lines)

    print(json.dumps(events_of(use_all)))


if __name__ == "__main__":
    main(sys.argv[1:])
