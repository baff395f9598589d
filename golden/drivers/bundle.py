"""A second, independent writer of packets: a hand-written outline -> bundle.json and bundle.md.

Strategy: this file exists to disagree with the library when the library is wrong, so it shares nothing with it. What a
packet holds, and why, a person wrote down (`outline.toml`); this file only spells it: it looks the words up in the
records, counts bytes, tries every length of a text that does not fit, quotes, and hashes. It is slow and obvious.

    python golden/drivers/bundle.py golden/bundles            checks every case, and names the first byte that differs
    python golden/drivers/bundle.py golden/bundles --write    writes bundle.json and bundle.md of every case
"""

from __future__ import annotations

import json
import sys
import tomllib
import unicodedata
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from golden.drivers.cid import cid_of

PREFIX = "com.disnetdev.radial."
ENDS_OF_LINES = "\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"
LONGEST_FIELD = 512
LOOKS_BACK = 32  # code points
FENCE, FARTHEST_RIGHT = 3, 3  # backticks or tildes; columns
ROOM_FOR_REPOS = 4096
Value = dict[str, Any]


# The words ------------------------------------------------------------------------------------------------------------


def written(value: Any) -> str:
    """JSON as packets have it: no spaces, nothing escaped but what must be."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def size_of(text: str) -> int:
    """Count the bytes."""
    return len(text.encode("utf-8"))


def some(number: int, noun: str) -> str:
    """Spell a number of things."""
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


def look_up(value: Any, pointer: str) -> Any:
    """Follow a JSON pointer."""
    for step in pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value.get(step)
        if value is None:
            return None
    return value


def quoted(text: str, language: str) -> str:
    """Each line of a fenced text behind a `>`; a fence is longer than every run of backticks in the text."""
    run = longest = 0
    for letter in text:
        run = run + 1 if letter == "`" else 0
        longest = max(longest, run)
    fence = "`" * max(3, longest + 1)
    whole = f"{fence}{language}\n{text}\n{fence}\n"
    out, begins = "", True
    for at, letter in enumerate(whole):
        out += ("> " if begins else "") + letter
        begins = letter in ENDS_OF_LINES and whole[at : at + 2] != "\r\n"
    return out


# Where a text is cut --------------------------------------------------------------------------------------------------


def joins(text: str, at: int) -> bool:
    """Tell whether the code point at a place makes one character with the one before it."""
    here, before = text[at], text[at - 1]
    kind = unicodedata.category(here)
    if "\U0001f1e6" <= here <= "\U0001f1ff":
        run = at
        while run > max(0, at - LOOKS_BACK) and "\U0001f1e6" <= text[run - 1] <= "\U0001f1ff":
            run -= 1
        return (at - run) % 2 == 1
    return (
        kind in {"Mn", "Mc", "Me"}
        or here in "\u200c\u200d"
        or "\u1160" <= here <= "\u11ff"
        or "\ud7b0" <= here <= "\ud7fb"
        or "\U0001f3fb" <= here <= "\U0001f3ff"
        or "\U000e0020" <= here <= "\U000e007f"
        or (before == "\u200d" and kind in {"So", "Sm", "Sk"})
        or (before, here) == ("\r", "\n")
    )


def between_characters(text: str, end: int) -> int:
    """Move a cut back to where it parts no character, if that is near enough."""
    at = end
    while at > max(0, end - LOOKS_BACK):
        if not joins(text, at):
            return at
        at -= 1
    return end


def fenced(text: str) -> list[tuple[int, int]]:
    """List where the fenced blocks of a text begin and end. No text here has one in a list or a quotation."""
    blocks, place, opening, start = [], 0, "", 0
    for line in text.replace("\r\n", " \n").replace("\r", "\n").split("\n"):
        words = line.lstrip(" ")
        run = words[: len(words) - len(words.lstrip(words[:1]))] if words[:1] in {"`", "~"} else ""
        is_fence = len(run) >= FENCE and len(line) - len(words) <= FARTHEST_RIGHT
        if not opening and is_fence and not (run[0] == "`" and "`" in words[len(run) :]):
            opening, start = run, place
        elif opening and is_fence and run.startswith(opening) and not words[len(run) :].strip():
            blocks.append((start, place + len(line)))
            opening = ""
        place += len(line) + 1
    return [*blocks, (start, len(text) + 1)] if opening else blocks


def cut_at(text: str, end: int) -> int:
    """Give where a text is cut of which so many code points would fit."""
    at = between_characters(text, end)
    for start, stop in fenced(text):
        if start < at < stop:
            ends = [place for place in range(1, at + 1) if text[place - 1] in "\r\n"]
            for better in (start, max(ends, default=0)):
                if better >= at / 2:
                    return better
    return at


# One piece ------------------------------------------------------------------------------------------------------------


class Writer:
    """Spells one case: its records by `kind/key`, the frame that is the same in all, its limits."""

    def __init__(self, frame: Value, records: list[Value], limits: Value) -> None:
        self.frame = frame
        self.records = {row["uri"].split(PREFIX)[1]: row for row in records}
        self.limits = limits

    def named(self, text: str) -> str:
        """Put URIs for the `<kind/key>` in a sentence."""
        for name, row in self.records.items():
            text = text.replace(f"<{name}>", row["uri"]).replace(f"<{name}#>", f"{row['uri']}#{row['cid']}")
        return text

    def ref(self, name: str) -> Value:
        """Refer to a record."""
        return {"uri": self.records[name]["uri"], "cid": self.records[name]["cid"]}

    def piece(self, row: Value) -> Value:
        """Make a piece of a row of the outline, whole."""
        if "builtIn" in row:
            kind, field = row["builtIn"].split("/")
            text = self.frame["builtIn"][kind][field]
            found: Value = {"uri": None, "cid": None, "author": None, "kind": "artifactType"}
            return self.sized(found, row, {}, text)
        if "unseen" in row:
            authority = row["unseen"].split("/")[2]
            author = authority if authority.startswith("did:") else None
            found = {"uri": row["unseen"], "cid": row.get("cid"), "author": author, "kind": row.get("kind", "record")}
            return self.sized(found, row, {}, "")
        record = self.records[row["of"]]
        found = {"uri": record["uri"], "cid": record["cid"], "author": record["uri"].split("/")[2]}
        found["kind"] = row.get("kind", row["of"].split("/")[0])
        return self.sized(found, row, self.fields(row, record["value"]), self.text(row, record["value"]))

    def fields(self, row: Value, value: Value) -> dict[str, str]:
        """Look up short fields by pointer, from `at` or from the record; or take them as they are given."""
        given = row.get("fields", [])
        if isinstance(given, dict):
            return given
        inner = look_up(value, row.get("at", ""))
        found = {pointer.split("/")[-1]: look_up(inner, "/" + pointer) for pointer in given}
        return {name: text for name, text in found.items() if text is not None}

    def text(self, row: Value, value: Value) -> str:
        """Give the text that is named, or is what stands at `part`; none where the outline says so."""
        where = row.get("text", row.get("part", ""))
        found = look_up(value, where) if where else ""
        return found if isinstance(found, str) else ""

    def sized(self, found: Value, row: Value, fields: dict[str, str], text: str) -> Value:
        """Put a piece together, in the order of its keys."""
        size = size_of(text) + sum(size_of(one) for one in fields.values())
        found |= {"part": row.get("part", ""), "why": self.named(row["why"])}
        marks = {
            name: self.named(mark) if isinstance(mark, str) else mark for name, mark in row.get("marks", {}).items()
        }
        cut = {name: clipped(one) for name, one in fields.items()}
        return shown({**found, "marks": marks, "fields": cut, "text": text, "size": size})


def clipped(field: str) -> str:
    """Cut a field down to the bytes that one may have."""
    if size_of(field) <= LONGEST_FIELD:
        return field
    length = max(length for length in range(len(field)) if size_of(field[:length]) <= LONGEST_FIELD)
    return field[: between_characters(field, length)]


def shown(piece: Value) -> Value:
    """Say how much of a piece is here."""
    here = size_of(piece["text"]) + sum(size_of(one) for one in piece["fields"].values())
    return {**piece, "shown": here, "cut": here < piece["size"]}


def as_markdown(piece: Value) -> str:
    """Spell a piece in Markdown."""
    out = f"### {piece['kind']}: {piece['why']}\n\n"
    if piece["uri"] is None:
        out += "- source: built into Radial\n"
    else:
        at = f" at {piece['part']}" if piece["part"] else ""
        version = "" if piece["cid"] is None else f"#{piece['cid']}"
        out += f"- source: {piece['uri']}{version}{at}\n- author: {piece['author'] or 'unknown'}\n"
    for name, mark in piece["marks"].items():
        out += f"- {name}: {('yes' if mark else 'no') if isinstance(mark, bool) else mark}\n"
    out += f"- size: {some(piece['size'], 'byte')}"
    out += f", cut: {piece['shown']} of them are here\n\n" if piece["cut"] else "\n\n"
    if piece["fields"]:
        out += quoted(written(piece["fields"]), "json") + "\n"
    if piece["text"]:
        out += quoted(piece["text"], "text") + "\n"
    return out


def cost(piece: Value) -> int:
    """Count the bytes of the longer form; in JSON a comma stands behind a piece."""
    return max(size_of(as_markdown(piece)), size_of(written(piece)) + 1)


class Row(NamedTuple):
    """A piece of the outline, its rank, and how many bytes of text it is granted whatever a piece may have."""

    rank: list[int]
    piece: Value
    grant: int


# One section ----------------------------------------------------------------------------------------------------------


def omitted(pieces: list[Value]) -> Value:
    """Count what is left out; no record is named yet."""
    uris = {piece["uri"] for piece in pieces if piece["uri"] is not None}
    return {"pieces": len(pieces), "bytes": sum(one["size"] for one in pieces), "records": [], "unlisted": len(uris)}


def section_markdown(head: Value, section: Value) -> str:
    """Spell a section in Markdown."""
    out = f"## {head['title']}\n\n{head['about']}\n\n"
    out += "".join(as_markdown(piece) for piece in section["pieces"]) or "Nothing.\n\n"
    left = section["omitted"]
    if left["pieces"]:
        out += f"Left out for want of room: {some(left['pieces'], 'piece')}, {some(left['bytes'], 'byte')}, from\n\n"
        out += "".join(f"- {uri}\n" for uri in left["records"])
        out += f"- {some(left['unlisted'], 'record')} not named: {head['elsewhere']}\n" if left["unlisted"] else ""
        out += "\n"
    return out


def fitting(piece: Value, room: int) -> Value | None:
    """Give the longest beginning of a piece that takes so many bytes; nothing when there is none."""
    if cost(piece) <= room:
        return piece
    for length in range(len(piece["text"]) - 1, 0, -1):
        if cost(shown({**piece, "text": piece["text"][:length]})) <= room:
            return shown({**piece, "text": piece["text"][: cut_at(piece["text"], length)]})
    return None


def choose(rows: list[Row], free: int, longest: int) -> dict[int, Value]:
    """Take pieces by their ranks until the room is full."""
    chosen: dict[int, Value] = {}
    for at in sorted(range(len(rows)), key=lambda at: (rows[at].rank, at)):
        whole, grant = rows[at].piece, rows[at].grant
        bare = cost(shown({**whole, "text": ""}))
        piece = fitting(whole, min(free, max(longest, bare + grant if grant else 0)))
        if piece is not None:
            chosen[at] = piece
            free -= cost(piece)
    return chosen


def fill(head: Value, rows: list[Row], room: int, longest: int) -> Value:
    """Make a section. When something is left out, an eighth of the room is kept for the names of the records."""
    everything = {"name": head["name"], "room": room, "pieces": [], "omitted": omitted([row.piece for row in rows])}
    free = room - max(size_of(section_markdown(head, everything)), size_of(written(everything)) + 1)
    chosen = choose(rows, free, longest)
    if len(chosen) < len(rows):
        chosen = choose(rows, free - free // 8, longest)
    free -= sum(cost(piece) for piece in chosen.values())
    left = [row.piece for at, row in enumerate(rows) if at not in chosen]
    names = omitted(left)
    for uri in dict.fromkeys(piece["uri"] for piece in left if piece["uri"] is not None):
        free -= len(uri) + len('"",')
        if free < 0:
            break
        names["records"].append(uri)
        names["unlisted"] -= 1
    pieces = [chosen[at] for at in sorted(chosen)]
    return {"name": head["name"], "room": room, "pieces": pieces, "omitted": names}


def rooms(frame: Value, limits: Value) -> dict[str, int]:
    """Share the total among the sections: all shrink alike, and none below its least."""
    least = {head["name"]: head["least"] for head in frame["sections"]}
    given = {head["name"]: head["room"] for head in frame["sections"]} | limits.get("sections", {})
    above = {name: room - least[name] for name, room in given.items()}
    free = limits.get("total", frame["total"]) - frame["frame"] - sum(least.values())
    whole = max(1, sum(above.values()))
    return {name: least[name] + room * min(free, whole) // whole for name, room in above.items()}


# A packet -------------------------------------------------------------------------------------------------------------


def packet_of(writer: Writer, case: Value, outline: Value) -> Value:
    """Put the packet together."""
    room = rooms(writer.frame, writer.limits)
    longest = (writer.frame | writer.limits)["piece"]
    sections = []
    for head in writer.frame["sections"]:
        name = head["name"]
        rows = [
            Row(row.get("rank", [0, at]), writer.piece(row), writer.frame["leastBrief"] if row.get("own") else 0)
            for at, row in enumerate(outline.get(name, []))
        ]
        share = room[name] // 3 if name == "request" else room[name]
        sections.append(fill(head, rows, room[name], min(longest, share)))
    left = [section["omitted"] for section in sections]
    cut = [piece["size"] - piece["shown"] for section in sections for piece in section["pieces"] if piece["cut"]]
    counts = {"pieces": sum(one["pieces"] for one in left), "bytes": sum(one["bytes"] for one in left)}
    return {
        "format": 1,
        "sections": sections,
        "request": writer.ref(outline["stands"]["request"]),
        "space": writer.records[outline["stands"]["space"]]["uri"],
        "project": writer.ref(outline["stands"]["project"]),
        "goal": writer.ref(outline["stands"]["goal"]) if "goal" in outline["stands"] else None,
        "limit": case["limits"].get("total", writer.frame["total"]),
        "partial": bool(counts["pieces"] or cut),
        "omitted": counts,
        "cut": {"pieces": len(cut), "bytes": sum(cut)},
        "notices": outline["stands"].get("notices", []),
    }


def listed(behind: list[str]) -> Value:
    """Name the repos that there is room for, and count the others."""
    repos, free = [], ROOM_FOR_REPOS
    for did in behind:
        free -= size_of(f"- not read to its end: {did}\n")
        if free < 0:
            break
        repos.append(did)
    return {"repos": repos, "unlisted": len(behind) - len(repos)}


def foot(told: Value, revision: str, stale: str, behind: Value) -> str:
    """Spell what a packet says of itself."""

    def name(ref: Value) -> str:
        return f"{ref['uri']}#{ref['cid']}"

    goal = "" if told["goal"] is None else f"- goal: {name(told['goal'])}\n"
    left, cut = told["omitted"], told["cut"]
    more = some(behind["unlisted"], "repo")
    return (
        f"## This packet\n\n- revision: {revision}, at most {told['limit']} bytes\n"
        f"- request: {name(told['request'])}\n- space: {told['space']}\n- project: {name(told['project'])}\n{goal}"
        f"- partial: {'yes' if told['partial'] else 'no'}; left out: {some(left['pieces'], 'piece')} of "
        f"{some(left['bytes'], 'byte')}; cut: {some(cut['pieces'], 'piece')} by {some(cut['bytes'], 'byte')}\n"
        f"- stale: {stale}\n"
        + "".join(f"- not read to its end: {did}\n" for did in behind["repos"])
        + (f"- not read to their ends either: {more}\n" if behind["unlisted"] else "")
        + "".join(f"- notice: {notice}\n" for notice in told["notices"])
    )


def spelled(folder: Path) -> dict[str, str]:
    """Spell the two files of a case."""
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    frame = json.loads((folder.parent / "frame.json").read_text(encoding="utf-8"))
    records = json.loads((folder.parent / case["records"]).read_text(encoding="utf-8"))["records"]
    if wrong := [row["uri"] for row in records if row["cid"] != cid_of(row["value"])]:
        raise ValueError(f"no true CID: {wrong}")
    writer = Writer(frame, records, case["limits"])
    told = packet_of(writer, case, tomllib.loads((folder / "outline.toml").read_text(encoding="utf-8")))
    if told["request"]["uri"] != case["request"]:
        raise ValueError(f"{folder}: the outline is for another request")
    stale = None if case["behind"] is None else case["behind"] != []
    behind, revision = listed(sorted(set(case["behind"] or []))), cid_of(told)
    whole = {"packet": told, "revision": revision, "stale": stale, "behind": behind}
    word = {None: "unknown", True: "yes", False: "no"}[stale]
    heads = zip(frame["sections"], told["sections"], strict=True)
    body = "".join(section_markdown(head, section) for head, section in heads)
    return {
        "bundle.json": written(whole) + "\n",
        "bundle.md": f"{frame['head']}\n{body}{foot(told, revision, word, behind)}",
    }


def difference(folder: Path) -> str | None:
    """Name the first byte at which a file of a case is not what the outline amounts to."""
    for name, text in spelled(folder).items():
        wanted, found = text.encode(), (folder / name).read_bytes()
        if wanted != found:
            at = next((at for at, (one, two) in enumerate(zip(wanted, found, strict=False)) if one != two), -1)
            return f"{folder.name}/{name} differs at byte {at}"
    return None


def cases(folder: Path) -> list[Path]:
    """List the folders of cases."""
    return sorted(path.parent for path in folder.glob("*/case.json"))


def main(arguments: list[str]) -> int:
    """Check every case, or write its files."""
    folder, *words = arguments
    found = cases(Path(folder))
    if words == ["--write"]:
        for case in found:
            for name, text in spelled(case).items():
                (case / name).write_bytes(text.encode())
    faults = [fault for case in found if (fault := difference(case)) is not None]
    print(*faults, f"{len(found)} cases, {len(faults)} faults", sep="\n")
    return 1 if faults or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
