"""`diff`, `validate`, `sample` and `explain`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from radial_cli.names import Names
from tests.cli.conftest import Call
from tests.cli.people import ADA, BEN, SPACE, WREN, line, ref, uri


def without(example: Path, folder: Path, *names: str) -> Path:
    """Write the example without the lines of some records."""
    lines = example.read_text(encoding="utf-8").splitlines(keepends=True)
    file = folder / "part.jsonl"
    kept = (each for each in lines if not any(f'/com.disnetdev.radial.{name}","cid"' in each[:120] for name in names))
    file.write_text("".join(kept), encoding="utf-8")
    return file


def test_equal_sets_are_equal_whatever_their_order(radial: Call, example: Path) -> None:
    backwards = b"\n".join(reversed(example.read_bytes().splitlines()))
    done = radial("diff", example, "-", stdin=backwards)
    assert (done.status, done.out, done.err) == (0, f"equal: {radial('digest', example).out}", "")


def test_one_missing_record_is_named_with_its_goal(radial: Call, example: Path, tmp_path: Path) -> None:
    part = without(example, tmp_path, "closeGoal/quiet-gauge")
    done = radial("diff", example, part)
    assert done.status == 1
    assert "goal Warn the crew when the gauge goes quiet" in done.out
    assert "only in A  closeGoal/quiet-gauge  B never saw it" in done.out
    assert done.out.count("only in") == 1
    assert "reads both at once" in done.err
    assert "only in B  closeGoal/quiet-gauge  A never saw it" in radial("diff", part, example).out
    found = json.loads(radial("diff", example, part, "--json").out)
    assert found["equal"] is False
    assert [(each["kind"], each["uri"], each["onlyHere"]) for each in found["differences"]] == [
        ("goal", uri(BEN, "goal/quiet-gauge"), [uri(ADA, "closeGoal/quiet-gauge")])
    ]


def test_a_record_that_the_other_ignores_is_told_from_one_it_never_saw(
    radial: Call, example: Path, tmp_path: Path
) -> None:
    part = without(example, tmp_path, "addMember/wren")
    shown = " ".join(radial("diff", example, part).out.split())
    assert "only in A addMember/wren B never saw it" in shown
    assert "only in A artifact/plan-spring-1 ignored there by T5" in shown


def test_another_version_is_named(radial: Call, example: Path) -> None:
    lines = example.read_bytes().splitlines(keepends=True)
    shown = radial("diff", example, "-", stdin=b"".join(lines[:60])).out
    assert "in different versions  agent/builder" in shown


def test_diff_takes_saved_trees_in_place_of_records(radial: Call, example: Path, tmp_path: Path) -> None:
    part = tmp_path / "part.jsonl"
    part.write_bytes(b"".join(example.read_bytes().splitlines(keepends=True)[:-1]))
    trees = tmp_path / "mine.tree", tmp_path / "theirs.tree"
    for tree, records in zip(trees, (example, part), strict=True):
        tree.write_text(radial("digest", "--tree", "--json", records).out)
    plain = json.loads(radial("diff", example, part, "--json").out)
    for sides in ((trees[0], trees[1]), (example, trees[1]), (trees[0], part)):
        done = radial("diff", *sides, "--json")
        assert (done.status, json.loads(done.out)) == (1, plain)
    shown = radial("diff", *trees).out
    (difference,) = plain["differences"]
    assert difference["uri"] in shown
    assert f"only in A  {difference['onlyHere'][0].split('.')[-1]}" in shown
    assert radial("diff", trees[0], example).out == f"equal: {plain['digests'][0]}\n"
    assert radial("diff", "-", trees[0], stdin=trees[0].read_bytes()).status == 0


def test_a_tree_that_is_broken_or_in_the_wrong_place_is_refused(radial: Call, example: Path, tmp_path: Path) -> None:
    whole = radial("digest", "--tree", "--json", example).out
    tree = tmp_path / "a.tree"
    for spoilt in (whole[: len(whole) // 2], whole.replace("goal/", "goat/", 1), '{"digest": "x"}', '{"digest": 1} x'):
        tree.write_text(spoilt)
        done = radial("diff", tree, example)
        assert (done.status, done.out) == (1, "")
        assert "is no whole digest tree" in done.err
        assert "Save it again" in done.err
    tree.write_bytes(b'{"digest":"\xff"}')
    assert "not UTF-8" in radial("diff", tree, example).err
    tree.write_text(whole)
    done = radial("goals", tree)
    assert (done.status, done.out) == (2, "")
    assert "is a saved digest tree" in done.err


def test_standard_input_is_read_once(radial: Call, example: Path) -> None:
    done = radial("diff", "-", "-", stdin=example.read_bytes())
    assert (done.status, done.out) == (2, "")
    assert "can be read once" in done.err


def test_a_difference_makes_no_new_names(radial: Call, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are of the whole input: made for each difference anew, they make `diff` quadratic."""
    made: list[Names] = []

    def counting(uris: Iterable[str], dids: Iterable[str]) -> Names:
        made.append(Names(uris, dids))
        return made[-1]

    monkeypatch.setattr("radial_cli.differing.Names", counting)
    done = radial("diff", example, "-", stdin=example.read_bytes().splitlines()[0])
    assert done.out.count("\n\n") > 1
    assert len(made) == 1


def test_valid_lines_are_counted_and_nothing_is_printed(radial: Call) -> None:
    done = radial("validate", "-", stdin=line(ADA, "space/tidewater", name="Tidewater").encode())
    assert (done.status, done.out, done.err) == (0, "", "radial: 1 observation, none of them faulty\n")


def test_every_fault_of_every_line_is_printed_with_its_place(radial: Call, tmp_path: Path) -> None:
    deep: dict[str, object] = {}
    for _ in range(70):
        deep = {"x": deep}
    file = tmp_path / "in.jsonl"
    file.write_text(
        line(ADA, "space/ok", name="Tidewater")
        + line(ADA, "space/bad", at="yesterday", name=7)
        + "junk\n"
        + line(ADA, "space/deep", name="x", deep=deep)
        + json.dumps({"uri": "at://ada.example/com.disnetdev.radial.space/x", "value": {}})
        + "\n"
        + json.dumps({"uri": SPACE, "deleted": True})
        + "\n"
        + line(ADA, "message/m", body="neither goal nor artifact"),
        encoding="utf-8",
    )
    done = radial("validate", file)
    assert done.status == 1
    said = [each.removeprefix(f"{file}:") for each in done.out.splitlines()]
    assert [each.partition(":")[0] for each in said] == ["2", "2", "3", "4", "5", "7"]
    assert {each.rpartition(" @ ")[2] for each in said[:2]} == {"$.createdAt", "$.name"}
    assert said[2] == "3: not JSON: Expecting value at character 1 @ $"
    assert said[3].startswith("4: nested deeper than 64 levels @ $.deep.x.x")
    assert said[5] == "7: must have one of goal and artifact @ $"
    assert "7 observations, 5 of them faulty" in done.err
    faulty = json.loads(radial("validate", file, "--json").out)["faulty"]
    assert [(each["line"], each["rule"]) for each in faulty] == [(2, "L1"), (3, "O5"), (4, "L6"), (5, "O6"), (7, "L1")]


def test_the_example_has_the_two_faults_that_its_story_tells(radial: Call, example: Path) -> None:
    done = radial("validate", example)
    assert done.status == 1
    paths = [each.rpartition(" @ ")[2] for each in done.out.splitlines()]
    assert paths == ["$.verdict", "$.findings[0].line"]


def test_a_sample_is_the_same_for_the_same_seed(radial: Call, tmp_path: Path) -> None:
    one, again, other = (radial("sample", "--records", "200", "--seed", seed) for seed in ("1", "1", "2"))
    assert one == again
    assert one.out != other.out
    assert len(one.out.splitlines()) == 200
    assert radial("digest", "-", stdin=one.out.encode()).status == 0
    file = tmp_path / "sample.jsonl"
    assert radial("sample", "--records", "200", "--seed", "1", "-o", file) == (0, "", "")
    assert file.read_text(encoding="utf-8") == one.out


def test_a_sample_has_no_negative_size(radial: Call) -> None:
    assert radial("sample", "--records", "-1").status == 2


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("goal/ten-years", "is a goal and counts in"),
        ("message/rewrite-it", "ignored by rule T5"),
        ("claim/half-a-morning", "write a new claim that keeps the contract"),
        ("agent/reader", "counts in every space of which"),
        ("image/slipway", "changes no view and no digest"),
    ],
)
def test_an_explanation_is_that_of_the_core(name: str, words: str, radial: Call, example: Path) -> None:
    done = radial("explain", name, example)
    assert (done.status, done.err) == (0, "")
    assert words in " ".join(done.out.split())


def test_an_unknown_record_is_explained_as_such(radial: Call, example: Path) -> None:
    done = radial("explain", uri(WREN, "goal/x"), example, "--json")
    assert done.status == 3
    assert json.loads(done.out)["verdict"] == "unknown"


def test_an_unknown_name_is_explained_as_a_uri_is(radial: Call, example: Path) -> None:
    done = radial("explain", "foo/bar", example, "--json")
    assert done.status == 3
    told = json.loads(done.out)
    assert (told["uri"], told["verdict"], told["places"], told["rule"]) == ("foo/bar", "unknown", [], None)
    assert told["sentences"] == ["nothing here is called foo/bar"]
    assert "nothing here is called foo/bar" in done.err


def test_a_record_that_rests_on_a_missing_one_says_which(radial: Call) -> None:
    alone = line(ADA, "project/p", space=ref(ADA, "space/s"), name="P", gitUrl="https://x.example", defaultBranch="m")
    assert uri(ADA, "space/s") in " ".join(radial("explain", "project/p", "-", stdin=alone.encode()).out.split())
