"""How the runner compares: by what values are in JSON, and always with the first place that differs."""

from typing import Any

import pytest

from golden.runner.comparing import ABSENT, Difference, first_difference, first_missing

CONTAINED = [
    ({}, {"a": 1}),
    ({"a": None}, {"a": None, "b": 1}),
    ([{"a": 1}], [{"a": 1, "b": 2}]),
    ({"a": {"b": []}}, {"a": {"b": [], "c": 0}}),
    ("\U0001d11e", "\ud834\udd1e".encode("utf-16", "surrogatepass").decode("utf-16")),
]
MISSING = [
    (True, 1, "$"),
    (0, False, "$"),
    (1, 1.0, "$"),
    (None, False, "$"),
    ("a", "a ", "$"),
    ("\u00e9", "e\u0301", "$"),  # the same letter to a reader, other code points
    ({"a": None}, {}, "$.a"),
    ({"a": 1}, [], "$"),
    ({"a": {"b": [0, {"c": 1}]}}, {"a": {"b": [0, {"c": 2}]}}, "$.a.b[1].c"),
    ({"x": 1, "y": 2}, {"x": 3, "y": 4}, "$.x"),
    ([[1], 2], [[3], 4], "$[0][0]"),
    ({"at://a/b": 1}, {"at://a/b": 2}, '$["at://a/b"]'),
    ([1, 2], [1], "$[1]"),
    ([1], [1, 2], "$[1]"),
    ([{"a": 1}], [{}], "$[0].a"),
]


@pytest.mark.parametrize(("expected", "found"), CONTAINED)
def test_what_is_expected_is_there(expected: Any, found: Any) -> None:
    assert first_missing(expected, found) is None


@pytest.mark.parametrize(("expected", "found", "path"), MISSING)
def test_the_first_place_that_differs_is_named(expected: Any, found: Any, path: str) -> None:
    for compare in (first_missing, first_difference):
        difference = compare(expected, found)
        assert difference is not None
        assert difference.path == path


def test_one_side_may_have_nothing() -> None:
    assert first_missing([1], []) == Difference("$[0]", 1, ABSENT)
    assert first_missing([], [1]) == Difference("$[0]", ABSENT, 1)
    assert repr(ABSENT) == "nothing"


def test_answers_are_the_same_when_no_key_is_more() -> None:
    assert first_difference({"a": 1, "b": 2}, {"b": 2, "a": 1}) is None
    assert first_difference({"a": 1}, {"a": 1, "b": 2}) == Difference("$.b", ABSENT, 2)


def test_depth_is_no_danger() -> None:
    one: Any = 1
    other: Any = 2
    for _ in range(100_000):
        one, other = [one], [other]
    difference = first_missing(one, other)
    assert difference is not None
    assert (difference.expected, difference.found) == (1, 2)
    _unnest(one)
    _unnest(other)


def _unnest(value: Any) -> None:
    """Take a deep value apart step by step: to drop it at once would be deep as well."""
    while isinstance(value, list):
        value = value.pop()
