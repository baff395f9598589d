"""`radial diff` where one of the two is a digest tree that somebody saved (D2).

Strategy: a tree has no records, so what is compared are two trees; records are folded into theirs first. Whose record
is missing on which side is all that a tree can tell; why, only the records could.
"""

from __future__ import annotations

from typing import IO, Any, Final, TypeAlias, TypeVar

from radial_cli.exits import FAILURE, Failure, Silent
from radial_cli.inputs import opened_tree
from radial_cli.names import Names
from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.reading import reading
from radial_cli.render import Page
from radial_cli.untrusted import file_name
from radial_core import Difference
from radial_core.jsonform import JsonError, parse_json
from radial_core.jsonviews import to_plain
from radial_core.trees import DigestTree, TreeError, read_tree, tree_differences

T = TypeVar("T")
Pair: TypeAlias = tuple[T, T]

_LONGEST: Final = 512 * 2**20  # bytes of a saved tree


def saved_tree(file: str) -> DigestTree | None:
    """Read a saved digest tree; nothing, and nothing read, when the file holds something else.

    Raises `Failure` for a tree that is not whole, or that somebody changed.
    """
    with opened_tree(file) as stream:
        return None if stream is None else _read(file, stream)


def _read(file: str, stream: IO[bytes]) -> DigestTree:
    text = stream.read(_LONGEST + 1)
    if len(text) > _LONGEST:
        raise Failure(f"{file_name(file)} is a digest tree of more than {_LONGEST} bytes", "Compare space by space.")
    try:
        return read_tree(parse_json(text.decode("utf-8-sig")))
    except UnicodeDecodeError as fault:
        raise _broken(file, f"not UTF-8: byte {fault.start + 1} @ $") from fault
    except JsonError as fault:
        raise _broken(file, fault.faults[0]) from fault
    except TreeError as fault:
        raise _broken(file, str(fault)) from fault


def _broken(file: str, fault: str) -> Failure:
    return Failure(
        f"{file_name(file)} is no whole digest tree: {fault}", "Save it again: radial digest --tree --json FILE… > TREE"
    )


def compare_trees(files: Pair[str], trees: Pair[DigestTree | None], *, keep_going: bool, as_json: bool) -> None:
    """Print where two sides differ, at least one of which is a tree. Raises `Silent` when they do."""
    here, there = (_tree_of(file, tree, keep_going=keep_going) for file, tree in zip(files, trees, strict=True))
    differences = tree_differences(here, there)
    is_equal = here.digest == there.digest
    if as_json:
        out_json(_json(here, there, differences, is_equal=is_equal))
    elif is_equal:
        out(f"equal: {here.digest}\n")
    else:
        _print(files, here, there, differences)
    if not is_equal:
        raise Silent(FAILURE)


def _tree_of(file: str, tree: DigestTree | None, *, keep_going: bool) -> DigestTree:
    if tree is not None:
        return tree
    with reading([file], keep_going=keep_going) as found:
        return read_tree(found.index.digest_tree())


def _json(
    here: DigestTree, there: DigestTree, differences: tuple[Difference, ...], *, is_equal: bool
) -> dict[str, Any]:
    return {
        "equal": is_equal,
        "digests": [here.digest, there.digest],
        "differences": [to_plain(difference) for difference in differences],
    }


def _print(files: tuple[str, str], here: DigestTree, there: DigestTree, differences: tuple[Difference, ...]) -> None:
    page = Page(width(), styled=is_terminal())
    page.columns((name, tree.digest, file) for name, tree, file in zip("AB", (here, there), files, strict=True))
    uris = {uri for each in differences for uri in (*each.only_here, *each.only_there, *each.changed)}
    names = Names(uris, ())
    for difference in differences:
        page.gap()
        page.line([f"{difference.kind} ", (difference.uri, "title")], hang=4)
        rows = [
            *(["only in A", names.record(uri)] for uri in difference.only_here),
            *(["only in B", names.record(uri)] for uri in difference.only_there),
            *(["in different versions", names.record(uri)] for uri in difference.changed),
        ]
        page.columns(rows or [["the same records; what is read off them differs"]], indent=2)
    out(page.text())
    say("radial: a tree names records and holds none: `radial diff` on the records of both also says why")
