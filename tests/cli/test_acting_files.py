"""Pictures put into a repo, and guests' words copied into a space: what is checked, shown and left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from radial_cli.acting import blessing
from radial_cli.acting.blessing import spelled
from radial_cli.exits import Failure
from radial_io.viewing.comments import Comment, NotShownError
from tests.cli.harbour import Harbour, harbour
from tests.cli.people import ADA, BEN, PREFIX, uri
from tests.io.test_blobs_pictures import PNG, SVG

__all__ = ["harbour"]

GUEST = "did:plc:gina7xxegdkaxvl552wbq3gz"
COMMENT = f"at://{GUEST}/{PREFIX}message/hi"
CID = "bafyreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"
HIDDEN = "Well done!\r\nReally\u202e\x1b[31m.\tYes \\o/"


# Pictures -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def picture(tmp_path: Path) -> str:
    path = tmp_path / "gauge.png"
    path.write_bytes(PNG)
    return str(path)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "goal.md"
    path.write_text("See this:", encoding="utf-8")
    return path


def test_a_picture_is_uploaded_then_recorded_then_referred_to(harbour: Harbour, picture: str, text: Path) -> None:
    """RAD-4.20."""
    said = harbour.act("image", "add", picture, "--alt", "The gauge", "--into", str(text))
    value = said["records"][0]["value"]
    assert [upload.raw for upload in harbour.uploads] == [PNG]
    assert (value["blob"]["mimeType"], value["blob"]["size"]) == ("image/png", len(PNG))
    assert (value["alt"], value["name"]) == ("The gauge", "gauge.png")
    assert text.read_text() == f"See this:\n![The gauge](radial-image:{said['records'][0]['uri']})\n"


def test_a_second_try_goes_on_where_the_first_one_ended(harbour: Harbour, picture: str, text: Path) -> None:
    """The record was written, the text was not: neither the file nor the record goes out again."""
    (record,) = harbour.act("image", "add", picture, "--alt", "The gauge")["records"]
    observed = {"uri": record["uri"], "cid": record["cid"], "value": record["value"], "rev": "3mgdi7lg52222"}
    harbour.observe(json.dumps(observed) + "\n")
    harbour.written.clear()
    harbour.uploads.clear()
    done = harbour.call("image", "add", picture, "--alt", "The gauge", "--into", str(text), "--yes")
    assert (done.status, harbour.written, harbour.uploads) == (0, [], [])
    assert text.read_text() == f"See this:\n![The gauge](radial-image:{record['uri']})\n"
    assert len(harbour.act("image", "add", picture, "--alt", "Another gauge")["records"]) == 1


def test_without_a_text_its_locator_is_said(harbour: Harbour, picture: str) -> None:
    done = harbour.call("image", "add", picture, "--yes")
    assert f"![](radial-image:{harbour.written[0].uri(ADA)})" in done.err


def test_words_that_would_break_a_locator_are_refused(harbour: Harbour, picture: str) -> None:
    done = harbour.call("image", "add", picture, "--alt", "a](b", "--yes")
    assert (done.status, harbour.written) == (2, [])


def test_what_fails_leaves_the_text_as_it_was(harbour: Harbour, picture: str, text: Path) -> None:
    harbour.failing = Failure("the server is away", status=75)
    done = harbour.call("image", "add", picture, "--into", str(text), "--yes")
    assert done.status == 75
    assert "nothing was inserted" in done.err
    assert text.read_text() == "See this:"
    assert harbour.call("image", "add", picture, "--into", str(text), "--dry-run").status == 0
    assert text.read_text() == "See this:"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (SVG, "no picture"),
        (PNG[:-4], "cut short"),
        (PNG + b"<script>", "behind the end"),
        (PNG + b"\0" * 10_000_000, "are allowed"),
    ],
)
def test_its_own_bytes_decide_what_it_is(content: bytes, said: str, harbour: Harbour, tmp_path: Path) -> None:
    """RAD-4.24."""
    path = tmp_path / "looks-fine.png"
    path.write_bytes(content)
    done = harbour.call("image", "add", str(path), "--yes")
    assert (done.status, harbour.written, harbour.uploads) == (1, [], [])
    assert said in done.err


def test_files_that_are_not_there_are_said(harbour: Harbour, picture: str, tmp_path: Path) -> None:
    assert harbour.call("image", "add", str(tmp_path / "none.png"), "--yes").status == 2
    assert harbour.call("image", "add", picture, "--into", str(tmp_path / "none.md"), "--yes").status == 2
    assert harbour.written == []


# Guests ---------------------------------------------------------------------------------------------------------------


def comment(**changed: Any) -> Comment:
    fields = {"uri": COMMENT, "cid": CID, "guest": GUEST, "created_at": "2026-03-04T00:00:00Z", "body": HIDDEN}
    return Comment(**{**fields, "proven": True, **changed})


@pytest.fixture
def guest(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what the guest's server answers with; it may be changed."""
    answer: dict[str, Any] = {"comment": comment()}

    async def fetch(_hit: object, _goal: str, **_more: object) -> Comment:
        if isinstance(answer["comment"], Exception):
            raise answer["comment"]
        said: Comment = answer["comment"]
        return said

    monkeypatch.setattr(blessing, "fetch_comment", fetch)
    return answer


BLESS = ("bless", "goal/quiet-gauge", COMMENT)


@pytest.mark.usefixtures("guest")
def test_what_is_blessed_is_what_was_read(harbour: Harbour) -> None:
    (record,) = harbour.act(*BLESS, "--cid", CID, who=BEN)["records"]
    assert record["value"]["body"] == HIDDEN
    assert record["value"]["comment"] == {"uri": COMMENT, "cid": CID}
    assert record["value"]["goal"]["uri"] == uri(BEN, "goal/quiet-gauge")


@pytest.mark.usefixtures("guest")
def test_every_byte_is_shown_before_the_question(harbour: Harbour) -> None:
    """RAD-13.8."""
    done = harbour.call(*BLESS, stdin=b"y\n", keyboard=True)
    shown, _, question = done.err.rpartition("Bless it, word for word?")
    assert question
    assert "  | Well done!\\x0d\n  | Really\\u202e\\x1b[31m.\\tYes \\\\o/\n" in shown
    assert len(harbour.written) == 1


@pytest.mark.usefixtures("guest")
def test_nobody_blesses_unread(harbour: Harbour) -> None:
    done = harbour.call(*BLESS, "--yes")
    assert (done.status, harbour.written) == (2, [])
    assert "--cid" in done.err


def test_what_is_another_version_now_is_not_blessed(harbour: Harbour, guest: dict[str, Any]) -> None:
    guest["comment"] = comment(cid="bafyreidrnhneuaghoxctwsxjei4hom3wjlly4gpscq2z6ivsoifz5vipom")
    done = harbour.call(*BLESS, "--cid", CID, "--yes")
    assert (done.status, harbour.written) == (3, [])
    assert "Read it again" in done.err


def test_what_is_no_comment_on_the_goal_is_not_blessed(harbour: Harbour, guest: dict[str, Any]) -> None:
    guest["comment"] = NotShownError("names another goal and not this goal")
    done = harbour.call(*BLESS, "--cid", CID, "--yes")
    assert (done.status, harbour.written) == (3, [])
    assert "names another goal" in done.err


def test_a_long_comment_is_not_cut() -> None:
    lines = list(spelled(comment(body="\n".join(map(str, range(5000))), proven=False)))
    assert [line for line in lines if line.startswith("  | ")] == [f"  | {number}" for number in range(5000)]
    assert "did not sign for it" in lines[-1]
