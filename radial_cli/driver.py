"""Our side of the golden suite: the core, asked over lines of JSON (golden/PROTOCOL.md).

Strategy: one request, one answer, nothing kept in between. A request is data that somebody else wrote: what is wrong
with it is answered as an `error`. A bug is not: it ends the process with its traceback, which the runner shows. Nothing
here needs a checkout or more than the core.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from radial_core import Index, Instant, Lease, __version__, live, materialize, parse_instant, read_jsonl, winner
from radial_core.canonical import cid_of, encode
from radial_core.jsonform import JsonError, from_json
from radial_core.observations import MalformedLine, Record, observation_of

if TYPE_CHECKING:
    from radial_core.observations import Observation

PROTOCOL: Final = 1


def serve(requests: Iterable[bytes], out: BinaryIO) -> None:
    """Answer requests, each as soon as it comes, until `stop`."""
    for line in requests:
        request = _parsed(line)
        out.write(json.dumps(reply(request), separators=(",", ":")).encode("ascii") + b"\n")
        out.flush()
        if isinstance(request, dict) and request.get("cmd") == "stop":
            return


def _parsed(line: bytes) -> Any:
    """Read a line; one that is no JSON is no request either."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def serve_standard_streams() -> None:
    """Be the driver of this process."""
    serve(sys.stdin.buffer, sys.stdout.buffer)


def reply(request: Any) -> dict[str, Any]:
    """Answer one request."""
    if not isinstance(request, dict) or not isinstance(request.get("cmd"), str):
        return {"error": "a request is one line of JSON, an object with a text `cmd`"}
    seq = {"seq": request["seq"]} if "seq" in request else {}
    try:
        return seq | _COMMANDS[request["cmd"]](request)
    except KeyError as fault:
        return seq | {"error": f"the request has no {fault}, or it is none of {', '.join(_COMMANDS)}"}
    except ValueError as fault:
        return seq | {"error": str(fault)}


def _start(_request: dict[str, Any]) -> dict[str, Any]:
    return {"ok": True, "name": "radial-py", "version": __version__, "protocol": PROTOCOL}


def _stop(_request: dict[str, Any]) -> dict[str, Any]:
    return {"ok": True}


def _encode(request: dict[str, Any]) -> dict[str, Any]:
    value = from_json(request["value"])
    return {"hex": encode(value).hex(), "cid": cid_of(value)}


def _parse(request: dict[str, Any]) -> dict[str, Any]:
    try:
        observations = [*read_jsonl([request["line"]])]
    except MalformedLine as malformed:
        return {"ok": False, "faults": list(malformed.faults)}
    return {"ok": True, "cid": next((one.cid for one in observations if isinstance(one, Record)), None)}


def _run(request: dict[str, Any]) -> dict[str, Any]:
    index = materialize(_observations(request["records"]))
    return {"answers": [answer(index, asked) for asked in request["ask"]]}


def _observations(records: list[Any]) -> Iterator[Observation]:
    for number, record in enumerate(records):
        try:
            yield observation_of(from_json(record))
        except JsonError as fault:
            raise ValueError(f"records[{number}]: {fault}") from fault


_COMMANDS: Final[Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "start": _start,
    "run": _run,
    "encode": _encode,
    "parse": _parse,
    "stop": _stop,
}


# What a question asks ------------------------------------------------------------------------------------------------


def answer(index: Index, asked: dict[str, Any]) -> dict[str, Any]:
    """Answer one question about a fold."""
    answers: dict[str, Callable[[Any], Any]] = {
        "index": lambda _: index.to_json(),
        "explain": lambda uris: [_explanation(index, uri) for uri in uris],
        "capable": lambda rows: [row | {"agents": _capable(index, row)} for row in rows],
        "upstream": lambda uris: {uri: list(index.upstream(uri)) for uri in uris},
        "downstream": lambda uris: {uri: list(index.downstream(uri)) for uri in uris},
        "live": lambda claims: {claim: _live(index, claim, asked) for claim in claims},
        "winner": lambda requests: {request: _winner(index, request, asked) for request in requests},
    }
    return {key: answers[key](wanted) for key, wanted in asked.items() if key in answers}


def _explanation(index: Index, uri: str) -> dict[str, Any]:
    told = index.explain(uri)
    return {"uri": uri, "verdict": told.verdict, "places": list(told.places), "rule": told.rule}


def _capable(index: Index, row: dict[str, str]) -> list[str]:
    return [agent.uri for agent in index.capable(row["space"], row["type"])]


def _winner(index: Index, request: str, asked: dict[str, Any]) -> str | None:
    lease = winner(index.leases(request), _sightings(index, asked), parse_instant(asked["at"]))
    return None if lease is None else lease.uri


def _live(index: Index, claim: str, asked: dict[str, Any]) -> bool | None:
    """Tell whether a claim's lease runs; null for a claim that does not count."""
    lease = _lease(index, claim)
    if lease is None:
        return None
    return live(lease, _sightings(index, asked).get((lease.uri, lease.cid)), parse_instant(asked["at"]))


def _lease(index: Index, claim: str) -> Lease | None:
    entry = index.entry(claim)
    if entry is None or entry.record.kind != "claim":
        return None
    return next(lease for lease in index.leases(entry.value["request"]["uri"]) if lease.uri == claim)


def _sightings(index: Index, asked: dict[str, Any]) -> dict[tuple[str, str], Instant]:
    """The sightings of the question; one without a CID is of the version that counts."""
    found: dict[tuple[str, str], Instant] = {}
    for row in asked["sightings"]:
        entry = index.entry(row["uri"])
        cid = row.get("cid", entry.cid if entry is not None else None)
        if cid is not None:
            found[row["uri"], cid] = parse_instant(row["seenAt"])
    return found


if __name__ == "__main__":
    serve_standard_streams()
