"""The second implementation (golden/drivers/js) answers the golden suite, and agrees with ours.

Strategy: one Node.js process answers everything, as the conformance runner would have it. It was written from the
protocol's text alone, so where the two agree on a generated history, neither has only misread the text its own way.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from radial_core import materialize, read_jsonl
from tests.golden.partial import first_difference
from tests.histories import HistoryMaker

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.node

GOLDEN = Path(__file__).parents[2] / "golden"
FOLDER = GOLDEN / "drivers" / "js"
ASKED_AS_IT_IS = ("at", "sightings", "capable")
ASKED_BY_KEY = ("live", "winner", "upstream", "downstream")
HISTORIES = range(300)
DEEP = 30_000


class Driver:
    """The JavaScript fold behind its line protocol: one answer to each request."""

    def __init__(self, node: str) -> None:
        command = [node, str(FOLDER / "main.js")]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def ask(self, **request: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"the driver ended instead of answering {request['cmd']}"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> int:
        """Say farewell, and give the exit status."""
        assert self.ask(cmd="stop") == {"ok": True}
        with self.process as ending:
            return ending.wait(timeout=60)

    def index(self, records: list[Any]) -> dict[str, Any]:
        index: dict[str, Any] = self.ask(cmd="run", seq=0, records=records, ask=[{}])["answers"][0]["index"]
        return index


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("there is no Node.js here")
    if not (FOLDER / "node_modules").is_dir():
        pytest.skip(f"the driver's packages are not installed: npm ci in {FOLDER.relative_to(GOLDEN.parent)}")
    return found


@pytest.fixture(scope="module")
def driver(node: str) -> Iterator[Driver]:
    driver = Driver(node)
    assert driver.ask(cmd="start", protocol=1)["name"] == "radial-js"
    yield driver
    assert driver.close() == 0


def _files(folder: str) -> list[Path]:
    files = sorted((GOLDEN / folder).rglob("*.json"))
    assert files, f"golden/{folder} is empty: nothing would be tested"
    return files


def _read(file: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def _name(file: Path) -> str:
    return str(file.relative_to(GOLDEN).with_suffix(""))


@pytest.mark.parametrize("file", _files("scenarios"), ids=_name)
def test_scenario_holds(driver: Driver, file: Path) -> None:
    scenario = _read(file)
    questions = [_question(expectation) for expectation in scenario["expect"]]
    for records in (scenario["records"], scenario["records"][::-1], scenario["records"] * 2):
        answers = driver.ask(cmd="run", seq=1, records=records, ask=questions)["answers"]
        for expectation, answer in zip(scenario["expect"], answers, strict=True):
            found = answer | {key: answer["index"][key] for key in ("ignored", "edits")}
            wanted = {key: value for key, value in expectation.items() if key not in ("description", "at", "sightings")}
            assert first_difference(wanted, found) is None, expectation["description"]


def _question(expectation: dict[str, Any]) -> dict[str, Any]:
    """Ask what the expectation answers, without the answers."""
    asked = {key: expectation[key] for key in ASKED_AS_IT_IS if key in expectation}
    asked |= {key: list(expectation[key]) for key in ASKED_BY_KEY if key in expectation}
    return asked | {"explain": [row["uri"] for row in expectation.get("explain", ())]}


@pytest.mark.parametrize("file", _files("canonical"), ids=_name)
def test_canonical_bytes(driver: Driver, file: Path) -> None:
    wanted = _read(file)
    found = driver.ask(cmd="encode", seq=2, value=wanted["value"])
    assert found == {"seq": 2, "hex": wanted["bytes"], "cid": wanted["cid"]}


@pytest.mark.parametrize("file", _files("lines"), ids=_name)
def test_line(driver: Driver, file: Path) -> None:
    wanted = _read(file)
    found = driver.ask(cmd="parse", seq=3, line=wanted["line"])
    assert found["ok"] is not wanted["malformed"], found
    assert all(re.search(r" @ \$", fault) for fault in found.get("faults", ()))


@pytest.mark.parametrize("file", _files("records"), ids=_name)
def test_record(driver: Driver, file: Path) -> None:
    wanted = _read(file)
    rows = driver.index([{"uri": wanted["uri"], "value": wanted["value"]}])["ignored"]
    faults = [fault for row in rows if row["rule"] == "L1" for fault in row["reason"].split("; ")]
    assert [fault.split(" @ ")[1] for fault in faults] == ([wanted["fault"]] if "fault" in wanted else []), faults


@pytest.mark.parametrize("seed", HISTORIES)
def test_both_folds_agree(driver: Driver, seed: int) -> None:
    chance = random.Random(seed)
    history = HistoryMaker(chance.choice).history(chance.randrange(120))
    ours = materialize(read_jsonl(json.dumps(record) for record in history)).to_json()
    assert _difference(_without_reasons(ours), _without_reasons(driver.index(history))) is None, history


def _without_reasons(index: dict[str, Any]) -> dict[str, Any]:
    """Drop the wording, which is free."""
    return index | {"ignored": [{**row, "reason": None} for row in index["ignored"]]}


def _difference(ours: Any, theirs: Any) -> str | None:
    """Give the first path where they differ; neither may hold more than the other."""
    return first_difference(ours, theirs) or first_difference(theirs, ours)


def test_a_malformed_observation_is_an_error(driver: Driver) -> None:
    answer = driver.ask(cmd="run", seq=4, records=[{"uri": "at://did:plc:ada", "value": 1.5}], ask=[])
    assert answer.keys() == {"seq", "error"}
    assert "$.records[0].value" in answer["error"]


def test_integers_beyond_doubles_are_exact(driver: Driver) -> None:
    assert driver.ask(cmd="encode", seq=5, value=2**53 + 1)["hex"] == "1b0020000000000001"
    assert driver.ask(cmd="encode", seq=5, value=-(2**53) - 2)["hex"] == "3b0020000000000001"


def test_a_thread_of_any_depth_is_folded(node: str, tmp_path: Path) -> None:
    """Messages each of which replies to the one before: `fold FILE` walks them without recursion."""
    file = tmp_path / "thread.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in _thread(DEEP)), encoding="utf-8")
    run = subprocess.run([node, str(FOLDER / "main.js"), "fold", str(file)], check=True, capture_output=True)
    [goal] = json.loads(run.stdout)["spaces"][0]["goals"]
    assert [message["depth"] for message in goal["messages"]] == list(range(DEEP))


def _thread(length: int) -> Iterator[dict[str, Any]]:
    def made(kind: str, key: object, **fields: Any) -> dict[str, Any]:
        value = {"$type": f"com.disnetdev.radial.{kind}", "createdAt": "2026-03-02T09:00:00Z", **fields}
        return {"uri": _uri(kind, key), "value": value}

    yield made("space", "s", name="Lab")
    yield made("project", "p", space=_ref("space", "s"), name="Site", gitUrl="https://git.test", defaultBranch="main")
    yield made("goal", "g", space=_ref("space", "s"), project=_ref("project", "p"), title="Ship", body="It.")
    yield made("message", 0, goal=_ref("goal", "g"), body="First.")
    for number in range(1, length):
        yield made("message", number, goal=_ref("goal", "g"), body="Next.", parent=_ref("message", number - 1))


def _uri(kind: str, key: object) -> str:
    return f"at://did:plc:ada/com.disnetdev.radial.{kind}/{key}"


def _ref(kind: str, key: object) -> dict[str, str]:
    return {"uri": _uri(kind, key), "cid": "bafyreiaxnry7mekwjllsula7q6oqnb3twb3gng4yuhoodmevoscvzcjpsu"}
