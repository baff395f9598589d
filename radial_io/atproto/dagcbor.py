"""A strict reader of DAG-CBOR: atproto's part of it, and only the one canonical spelling.

Strategy: what is read here was hashed and signed, so a value has one spelling and every other is refused, with the
reason and the byte: heads of the least length, keys that are strings, in their order and each once, no indefinite
lengths, no tags but links, no floats, nothing behind the value. A link is one of the two CIDs that atproto knows
(version 1, DAG-CBOR or raw, SHA-256).

One loop with a stack of its own reads any nesting: depth is bounded by `max_depth`, not by Python's. A length is
believed only as far as there are bytes for it, so no short text can ask for much memory. What nearly every value is
made of is read in the loop itself; the rest, and every complaint, has a function below.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from radial_core.canonical import MAX_WRITTEN_DEPTH
from radial_core.cids import Cid
from radial_io.errors import DagCborError

DEEPEST: Final = MAX_WRITTEN_DEPTH  # O5: a value of more levels has no canonical bytes that anybody should write

CID_BYTES: Final = 36
DAG_CBOR_CID: Final = b"\x01\x71\x12\x20"  # version 1, DAG-CBOR, SHA-256, 32 bytes
BLESSED_CIDS: Final = frozenset({DAG_CBOR_CID, b"\x01\x55\x12\x20"})  # and the same of raw bytes

_LINK_HEAD: Final = b"\xd8\x2a\x58\x25\x00"  # tag 42, 37 bytes, of which the first is zero
_CONSTANTS: Final = {0xF4: False, 0xF5: True, 0xF6: None}
# The first byte of an item is its kind in three bits, and in five the argument, or how it is spelled.
_NEGATIVE, _BYTES, _TEXT, _ARRAY, _MAP, _TAG, _SIMPLE = range(0x20, 0x100, 0x20)
_SHORT: Final = 24  # arguments below this need no bytes of their own
_INDEFINITE: Final = 31
_ARGUMENTS: Final = {24: (1, _SHORT), 25: (2, 2**8), 26: (4, 2**16), 27: (8, 2**32)}  # bytes, the least they may hold
_GREATEST: Final = 2**63 - 1


def decode(raw: bytes, *, max_depth: int = DEEPEST) -> Any:
    """Read one value; nothing may follow it. Links are `Cid`, byte strings `bytes`. Raises `DagCborError`.

    `max_depth` counts levels as L6 does: containers, links and byte strings.
    """
    value, end = decode_first(raw, max_depth=max_depth)
    if end != len(raw):
        _refuse(f"{len(raw) - end} bytes behind the value", end)
    return value


def decode_first(raw: bytes, start: int = 0, *, max_depth: int = DEEPEST) -> tuple[Any, int]:
    """Read the value that begins at `start`; give it and where it ends. For frames, which are two values in a row.

    Raises `DagCborError`.
    """
    value, end = _read(raw, start, max_depth)
    if end > len(raw):
        _refuse("cut short", len(raw))
    return value, end


def _read(raw: bytes, at: int, max_depth: int) -> tuple[Any, int]:  # noqa: C901, PLR0912, PLR0915 - the hot loop
    """Read the value at `at`. Where it ends may lie behind the last byte: then it was cut short."""
    around: list[tuple[Any, bool, int, int, bytes]] = []  # the containers that the present one stands in
    items: Any = []  # the present container; the outermost is a list for the one value
    keyed, left = False, 1
    longest, last = -1, b""  # the key before, by which the next must be greater
    key = ""
    value: Any
    try:
        while True:
            if keyed:
                size, begin = raw[at] - _TEXT, at + 1
                if not 0 <= size < _SHORT:
                    size, begin = _key_head(raw, at)
                end = begin + size
                spelled = raw[begin:end]
                if size <= longest and (size < longest or spelled <= last):
                    _refuse("keys out of order, or one twice", at)
                longest, last, at = size, spelled, end
                key = spelled.decode()
            deeper = 0
            head = raw[at]
            if _TEXT <= head < _ARRAY:
                size, begin = head - _TEXT, at + 1
                if size == _SHORT and raw[begin] >= _SHORT:  # most texts have a length of one byte
                    size, begin = raw[begin], begin + 1
                elif size >= _SHORT:
                    size, begin = _argument(raw, at)
                at = begin + size
                value = raw[begin:at].decode()
            elif _ARRAY <= head < _TAG:
                size, begin = head & 0x1F, at + 1
                if size >= _SHORT:
                    size, begin = _argument(raw, at)
                if len(around) >= max_depth:
                    _refuse(f"nested deeper than {max_depth} levels", at)
                if size > len(raw) - begin:
                    _refuse("more items than bytes", at)
                at, deeper = begin, size
                value = [] if head < _MAP else {}
            elif head in _CONSTANTS:
                value = _CONSTANTS[head]
                at += 1
            elif head < _SHORT:
                value = head
                at += 1
            else:
                if len(around) >= max_depth and head >= _BYTES:
                    _refuse(f"nested deeper than {max_depth} levels", at)
                value, at = _rarer(raw, at)

            if keyed:
                items[key] = value
            else:
                items.append(value)
            left -= 1
            if deeper:
                around.append((items, keyed, left, longest, last))
                items, keyed, left, longest = value, head >= _MAP, deeper, -1
                continue
            while not left:
                if not around:
                    return items[0], at
                items, keyed, left, longest, last = around.pop()
    except IndexError:
        _refuse("cut short", len(raw))
    except UnicodeDecodeError as error:
        raise DagCborError("text that is not UTF-8", at - len(error.object)) from error


def _argument(raw: bytes, at: int) -> tuple[int, int]:
    """Read an argument that has bytes of its own; give it and where the item goes on."""
    info = raw[at] & 0x1F
    if info not in _ARGUMENTS:
        _refuse("a length that is not told" if info == _INDEFINITE else "a head that CBOR does not have", at)
    width, least = _ARGUMENTS[info]
    begin = at + 1 + width
    if begin > len(raw):
        _refuse("cut short", len(raw))
    argument = int.from_bytes(raw[at + 1 : begin], "big")
    if argument < least:
        _refuse("a head longer than it need be", at)
    return argument, begin


def _key_head(raw: bytes, at: int) -> tuple[int, int]:
    if not _TEXT <= raw[at] < _ARRAY:
        _refuse("a key that is no string", at)
    return _argument(raw, at)


def _rarer(raw: bytes, at: int) -> tuple[Any, int]:
    """Read an integer, a byte string or a link, or say why the item is none of them."""
    head = raw[at]
    if head >= _SIMPLE:
        _refuse(_SIMPLES.get(head, "a simple value that atproto does not have"), at)
    if head >= _TAG:
        return _link(raw, at)
    return _integer(raw, at) if head < _BYTES else _byte_string(raw, at)


_SIMPLES: Final = dict.fromkeys((0xF9, 0xFA, 0xFB), "a float") | {0xF7: "undefined", 0xFF: "a break"}


def _integer(raw: bytes, at: int) -> tuple[int, int]:
    is_negative, number, begin = raw[at] >= _NEGATIVE, raw[at] & 0x1F, at + 1
    if number >= _SHORT:
        number, begin = _argument(raw, at)
    if number > _GREATEST:
        _refuse("an integer beyond 64 bits", at)
    return -1 - number if is_negative else number, begin


def _byte_string(raw: bytes, at: int) -> tuple[bytes, int]:
    size, begin = raw[at] - _BYTES, at + 1
    if size >= _SHORT:
        size, begin = _argument(raw, at)
    return raw[begin : begin + size], begin + size


def _link(raw: bytes, at: int) -> tuple[Cid, int]:
    begin = at + len(_LINK_HEAD)
    end = begin + CID_BYTES
    if end > len(raw) and raw.startswith(_LINK_HEAD[: len(raw) - at], at):
        _refuse("cut short", len(raw))
    if raw[at:begin] != _LINK_HEAD:
        _refuse("a tag that is no link of 36 bytes", at)
    if raw[begin : begin + len(DAG_CBOR_CID)] not in BLESSED_CIDS:
        _refuse("a link that is neither DAG-CBOR nor raw with SHA-256", at)
    return Cid(raw[begin:end]), end


def _refuse(reason: str, at: int) -> NoReturn:
    raise DagCborError(reason, at)
