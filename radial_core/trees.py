"""A digest tree on paper: read back, believed only as far as its digests go, and compared with another (D2).

Strategy: what `Index.digest_tree` writes is enough to find where two observers differ, for somebody who has neither's
records. It is a stranger's file: its shape is checked node by node, and every digest is computed again from what it is
said to be the digest of, so that a tree which was edited, cut or mixed up is refused and never compared. The walk is
the one of `comparison`, over what the projections name: claims by URI alone, everything else by URI and CID.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from radial_core.canonical import cid_of_projection, is_well_formed
from radial_core.comparison import Difference

Node: TypeAlias = Mapping[str, Any]
Check: TypeAlias = Callable[[Any], bool]


class TreeError(ValueError):
    """What is no digest tree. Its text is `message @ $.path`."""


class DigestTree(NamedTuple):
    """A digest tree whose digests are right: that of everything, and the nodes of the spaces by URI."""

    digest: str
    spaces: Mapping[str, Node]


def read_tree(plain: Any) -> DigestTree:
    """Check a tree in the form that `Index.digest_tree` gives, or one of a single space, with its digest on top.

    Raises `TreeError` for anything else, with the first thing that is wrong.
    """
    if plain.__class__ is not dict or plain.keys() != {"digest", "spaces"} or plain["spaces"].__class__ is not list:
        raise TreeError("must be an object of a digest and a list of spaces @ $")
    nodes = [_space(node, f"$.spaces[{number}]") for number, node in enumerate(plain["spaces"])]
    spaces = {node["uri"]: node for node in nodes}
    named = [[uri, spaces[uri]["digest"]] for uri in sorted(spaces)]
    tops = [cid_of_projection({"kind": "index", "spaces": named})]
    tops += [nodes[0]["digest"]] if len(nodes) == 1 else []
    if len(spaces) != len(nodes) or plain["digest"] not in tops:
        raise TreeError("the digest is not that of these spaces @ $.digest")
    return DigestTree(plain["digest"], spaces)


def _space(node: Any, path: str) -> Node:
    _check_shape(node, _SPACE, path)
    projection = {name: node[name] for name in _SPACE if name not in ("digest", *_INNER)}
    for name, shape in _INNER.items():
        for number, place in enumerate(node[name]):
            _check_place(place, shape, f"{path}.{name}[{number}]")
        projection[name] = [[place["uri"], place["digest"]] for place in node[name]]
    _check_digest(node, projection, path)
    return node  # type: ignore[no-any-return]


def _check_place(node: Any, shape: Mapping[str, Check], path: str) -> None:
    _check_shape(node, shape, path)
    _check_digest(node, {name: node[name] for name in shape if name != "digest"}, path)


def _check_shape(node: Any, shape: Mapping[str, Check], path: str) -> None:
    if node.__class__ is not dict or node.keys() != shape.keys():
        raise TreeError(f"must be an object with the keys {', '.join(shape)} @ {path}")
    for name, is_sound in shape.items():
        if not is_sound(node[name]):
            raise TreeError(f"is not of the form that the projection gives it @ {path}.{name}")


def _check_digest(node: Node, projection: dict[str, Any], path: str) -> None:
    if cid_of_projection(projection) != node["digest"]:
        raise TreeError(f"is not the digest of what stands beside it @ {path}.digest")


# The shapes of D2's projections ---------------------------------------------------------------------------------------


def _is_text(value: Any) -> bool:
    return value.__class__ is str and is_well_formed(value)


def _is_text_or_null(value: Any) -> bool:
    return value is None or _is_text(value)


def _is_boolean(value: Any) -> bool:
    return value.__class__ is bool


def _is_list(value: Any) -> bool:
    return value.__class__ is list


def _is(word: str) -> Check:
    return lambda value: _is_text(value) and value == word


def _rows(*columns: Check) -> Check:
    def is_row(row: Any) -> bool:
        pairs = zip(columns, row, strict=True) if _is_list(row) and len(row) == len(columns) else [(_never, None)]
        return all(is_sound(item) for is_sound, item in pairs)

    return lambda value: _is_list(value) and all(map(is_row, value))


def _never(_value: Any) -> bool:
    return False


def _texts(value: Any) -> bool:
    return _is_list(value) and all(map(_is_text, value))


_PAIRS: Final = _rows(_is_text, _is_text)
_PROJECT: Final[dict[str, Check]] = {
    "digest": _is_text,
    "kind": _is("project"),
    "uri": _is_text,
    "cid": _is_text,
    "records": _PAIRS,
    "claims": _rows(_is_text, _texts),
}
_GOAL: Final[dict[str, Check]] = _PROJECT | {"kind": _is("goal"), "closed": _is_boolean}
_INNER: Final = {"projects": _PROJECT, "goals": _GOAL}
_SPACE: Final[dict[str, Check]] = {
    "digest": _is_text,
    "kind": _is("space"),
    "uri": _is_text,
    "cid": _is_text,
    "members": _rows(_is_text, _is_text, _is_text, _is_text_or_null),
    "grants": _rows(_is_text, _is_text, _is_text, _is_text_or_null),
    "types": _rows(_is_text, _is_text, _is_text),
    "guestComments": _is_boolean,
    "agents": _PAIRS,
    "projects": _is_list,
    "goals": _is_list,
}


# The walk -------------------------------------------------------------------------------------------------------------


def tree_differences(here: DigestTree, there: DigestTree) -> tuple[Difference, ...]:
    """Name every place that differs, as `Index.diff` does, from what two trees tell.

    A tree names no record of the space itself but the space, its grants, types and agents.
    """
    return tuple(_walk(here.spaces, there.spaces))


def _walk(here: Mapping[str, Node], there: Mapping[str, Node]) -> Iterator[Difference]:
    for uri in sorted(here.keys() | there.keys()):
        mine, theirs = here.get(uri), there.get(uri)
        if mine is not None and theirs is not None and mine["digest"] == theirs["digest"]:
            continue
        if mine is None or theirs is None or _own(mine) != _own(theirs):
            yield _compare("space", uri, mine, theirs)
        for name in _INNER:
            yield from _places(_by_uri(mine, name), _by_uri(theirs, name))


def _by_uri(space: Node | None, name: str) -> dict[str, Node]:
    return {place["uri"]: place for place in space[name]} if space is not None else {}


def _places(here: Mapping[str, Node], there: Mapping[str, Node]) -> Iterator[Difference]:
    for uri in sorted(here.keys() | there.keys()):
        mine, theirs = here.get(uri), there.get(uri)
        if mine is None or theirs is None or mine["digest"] != theirs["digest"]:
            yield _compare((mine or theirs or {})["kind"], uri, mine, theirs)


def _compare(kind: str, uri: str, mine: Node | None, theirs: Node | None) -> Difference:
    here, there = _named(mine), _named(theirs)
    changed = (shared for shared in here.keys() & there.keys() if here[shared] != there[shared])
    uris = (here.keys() - there.keys(), there.keys() - here.keys(), changed)
    return Difference(kind, uri, *(tuple(sorted(each)) for each in uris))


def _own(space: Node) -> dict[str, Any]:
    return {name: space[name] for name in _SPACE if name not in ("digest", *_INNER)}


def _named(node: Node | None) -> dict[str, str | None]:
    """Map each record that a node names to its CID; a claim's is in no tree (D1)."""
    if node is None:
        return {}
    if node["kind"] != "space":
        claims = {claim: None for _, ranked in node["claims"] for claim in ranked}
        return {**dict(node["records"]), **claims}
    grants = {uri: cid for uri, cid, *_ in node["grants"]}
    types = {uri: cid for _, uri, cid in node["types"]}
    return {node["uri"]: node["cid"], **grants, **types, **dict(node["agents"])}
