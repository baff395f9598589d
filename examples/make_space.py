"""Make `space.jsonl` from the story in `tidewater.toml`: run `python examples/make_space.py`.

Strategy: the story says who wrote what and when; a string `@kind/key` in it stands for a strongref to that record, in
the version last written above. CIDs are computed, and each record becomes an observation as one of two readings of the
repos saw it: the first one that came after it was written. Nothing depends on the day on which this runs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from radial_core import Deletion, Record, to_line
from radial_core.canonical import cid_of
from radial_core.cids import Cid
from radial_core.records import PREFIX

HERE: Final = Path(__file__).parent
_DIGITS: Final = "234567abcdefghijklmnopqrstuvwxyz"


def observations(story: dict[str, Any]) -> Iterator[Record | Deletion]:
    """Give what two readings of the repos saw, in the order in which it was written."""
    people: dict[str, str] = story["people"]
    written: dict[str, dict[str, str]] = {}
    for told in story["record"]:
        did, name = people[told["by"]], told["name"]
        uri = f"at://{did}/{PREFIX}{name}"
        seen = _reading(story["readings"], told["at"])
        rev = _tid(seen, [*people].index(told["by"]))
        if told.get("deleted"):
            yield Deletion(uri=uri, rev=rev, seen_at=seen)
            continue
        value = {"$type": PREFIX + name.split("/")[0]} | _filled(told["value"], people, written)
        value["createdAt"] = told.get("createdAt", told["at"])
        written[name] = {"uri": uri, "cid": cid_of(value)}
        yield Record(uri=uri, cid=written[name]["cid"], value=value, rev=rev, seen_at=seen)


def _reading(readings: list[str], at: str) -> str:
    """Give the first reading after a moment; both are written in UTC and to the second, so they compare as text."""
    return next(reading for reading in readings if reading > at)


def _tid(moment: str, number: int) -> str:
    """Spell a moment as the revision that a repo was in; `number` tells the repos apart."""
    microseconds = int(datetime.fromisoformat(moment).timestamp()) * 1_000_000 + number
    return "".join(_DIGITS[(microseconds << 10) >> shift & 31] for shift in range(60, -5, -5))


def _filled(item: Any, people: dict[str, str], written: dict[str, dict[str, str]]) -> Any:
    """Put strongrefs for `@kind/key`, DIDs for `did:name`, and a link for the one blob."""
    if isinstance(item, dict):
        return {key: _filled(inner, people, written) for key, inner in item.items()}
    if isinstance(item, list):
        return [_filled(inner, people, written) for inner in item]
    if isinstance(item, str) and item.startswith("@"):
        return written[item[1:]]
    if isinstance(item, str) and item.startswith("did:") and item[4:] in people:
        return people[item[4:]]
    return Cid.parse(item[5:]) if isinstance(item, str) and item.startswith("link:") else item


def main() -> None:
    """Write the file anew."""
    story = tomllib.loads((HERE / "tidewater.toml").read_text(encoding="utf-8"))
    lines = [to_line(observation) + "\n" for observation in observations(story)]
    (HERE / "space.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
