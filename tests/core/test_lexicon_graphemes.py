"""Counting graphemes: each rule of the approximation, and its neighbours."""

from __future__ import annotations

import pytest

from radial_core.lexicon.graphemes import count_graphemes


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("abc", 3),
        ("a\r\nb", 3),
        ("\n\r", 2),
        ("\u00e9\r\n\u00e9", 3),
        ("\u00e9\n\r\u00e9", 4),
        ("e\u0301e\u0301\u0302", 2),
        ("\u0301", 1),
        ("\u0928\u093f", 1),
        ("\U0001f1e9\U0001f1ea", 1),
        ("\U0001f1e9\U0001f1ea\U0001f1eb", 2),
        ("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", 2),
        ("\U0001f1e9a\U0001f1ea\U0001f1eb", 3),
        ("\U0001f44d\U0001f3fd\U0001f44d", 2),
        ("\U0001f469\u200d\U0001f469\u200d\U0001f466", 1),
        ("\U0001f3f3\ufe0f\u200d\U0001f308", 1),
        ("a\u200db", 2),
        ("\u2764\ufe0f\u2764\ufe0e", 2),
        ("1\ufe0f\u20e3", 1),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", 1),
        ("\ud55c\uad6d\uc5b4", 3),
        ("\u1112\u1161\u11ab\u1100\u116e\u11a8", 2),
        ("\u1100\ud7b0\ud7cb", 1),
        ("\u20ac\u4e16\u754c", 3),
    ],
    ids=ascii,
)
def test_a_reader_would_count(text: str, count: int) -> None:
    assert count_graphemes(text) == count
