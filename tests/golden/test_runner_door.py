"""`radial conformance`: a thin door to the runner, and our driver without a checkout."""

import io
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from radial_cli.driver import reply, serve
from radial_cli.main import run

PROGRAM = [sys.executable, "-c", "from radial_cli.main import main; main()"]


def test_the_door_leads_to_the_runner(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status = run(
        ["conformance", "run", "--only", "smoke", "--", sys.executable, str(root / "golden/drivers/python.py")]
    )
    assert (status, capfd.readouterr().out.splitlines()[-1]) == (0, "green")


def test_red_is_red_behind_the_door(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["conformance", "run", "--only", "smoke", "--", sys.executable, "-c", "raise SystemExit(3)"]) == 1
    assert "it ended with status 3" in capfd.readouterr().out


def test_a_suite_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conformance", "run", "--golden", str(tmp_path), "--", "true"]) == 2
    assert "there is no golden suite" in capsys.readouterr().err


def test_our_driver_needs_no_checkout(root: Path, tmp_path: Path) -> None:
    for package in ("radial_cli", "radial_core"):
        shutil.copytree(root / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    command = shlex.join(["env", f"PYTHONPATH={tmp_path}", *PROGRAM, "conformance", "serve"])
    runner = [sys.executable, str(root / "golden/run.py"), "--only", "smoke", "--only", "canonical", command]
    done = subprocess.run(runner, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "green"), done.stdout


def test_requests_are_answered_until_stop() -> None:
    out = io.BytesIO()
    serve([b'{"cmd": "start", "protocol": 1}\n', b'{"cmd": "stop"}\n', b'{"cmd": "start"}\n'], out)
    start, stop = map(json.loads, out.getvalue().splitlines())
    assert (start["ok"], start["protocol"], stop) == (True, 1, {"ok": True})


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ({"cmd": "fly", "seq": 4}, "'fly'"),
        ({"cmd": "run", "seq": 4, "ask": []}, "'records'"),
        ({"cmd": "run", "seq": 4, "records": [{"uri": 7}], "ask": []}, "records[0]: "),
        ({"cmd": "encode", "seq": 4, "value": 1.5}, "fraction"),
        ({"cmd": "encode", "seq": 4, "value": {"$link": "x"}}, "$link"),
    ],
)
def test_a_request_that_cannot_be_answered_is_an_error(request_: dict[str, Any], error: str) -> None:
    answer = reply(request_)
    assert answer.keys() == {"seq", "error"}
    assert answer["seq"] == 4
    assert error in answer["error"]


def test_a_claim_that_does_not_count_is_neither_live_nor_dead() -> None:
    asked = {"index": True, "at": "2026-01-01T00:00:00Z", "sightings": [], "live": ["at://x"], "winner": ["at://y"]}
    (answer,) = reply({"cmd": "run", "seq": 1, "records": [], "ask": [asked]})["answers"]
    assert (answer["live"], answer["winner"]) == ({"at://x": None}, {"at://y": None})
