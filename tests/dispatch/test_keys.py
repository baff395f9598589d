import base64
import hashlib

from radial_core.dispatch.keys import record_key
from radial_core.identifiers import is_record_key


def test_a_key_is_the_hash_of_its_parts_in_dag_cbor() -> None:
    written = b"\x83\x61x\x61a\x01"  # an array of three: "x", "a", 1
    expected = base64.b32encode(hashlib.sha256(written).digest()[:20]).decode().lower()
    assert record_key("x", "a", 1) == expected
    assert len(expected) == 32
    assert is_record_key(expected)


def test_parts_are_told_apart_from_their_concatenation_and_by_their_purpose() -> None:
    keys = {
        record_key("x", "ab"),
        record_key("x", "a", "b"),
        record_key("y", "ab"),
        record_key("x", "1"),
        record_key("x", 1),
    }
    assert len(keys) == 5
