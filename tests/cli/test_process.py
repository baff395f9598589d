"""The command as a process: what only a real one can show."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.people import SPACE

Start = Callable[..., "subprocess.Popen[bytes]"]


def test_it_prints_and_ends(start: Start, example: Path) -> None:
    process = start("digest", example)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert out.startswith(b"bafyrei")
    assert out.count(b"\n") == 1


@pytest.mark.parametrize(
    ("arguments", "status"), [(["goals"], 2), (["goals", "/nowhere"], 2), (["show", "x", "EXAMPLE"], 3)]
)
def test_statuses_reach_the_shell(arguments: list[str], status: int, start: Start, example: Path) -> None:
    process = start(*(example if word == "EXAMPLE" else word for word in arguments))
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (status, b"")
    assert b"Traceback" not in err


@pytest.mark.parametrize(
    "command", [["sample", "--records", "20000"], ["materialize", "--json", "LARGE"]], ids=lambda c: c[0]
)
def test_a_reader_that_has_enough_ends_it_quietly(command: list[str], start: Start, tmp_path: Path) -> None:
    large = tmp_path / "large.jsonl"
    if "LARGE" in command:
        start("sample", "--records", "2000", "-o", large).communicate(timeout=60)
    process = start(*(large if word == "LARGE" else word for word in command))
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 0


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_sample_leaves_no_file(sent: signal.Signals, status: int, start: Start, tmp_path: Path) -> None:
    process = start("sample", "--records", "10000000", "-o", tmp_path / "new.jsonl")
    while not any(file.stat().st_size for file in tmp_path.iterdir()):  # the hidden half
        assert process.poll() is None
    process.send_signal(sent)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (status, b"", b"")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_reader_is_quiet(start: Start) -> None:
    process = start("goals", "-", stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b"{" * 100_000)  # more than the pipe holds: when this returns, it is reading
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_a_full_disk_is_said(start: Start, example: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        process = start("show", SPACE, example, stdout=full)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert b"standard output cannot be written" in err
    assert b"Traceback" not in err


@pytest.mark.parametrize("stream", ["stdin", "stdout", "stderr"])
def test_a_closed_stream_is_no_traceback(stream: str, environment: dict[str, str], example: Path) -> None:
    closing = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-"}[stream]
    program = "from radial_cli.main import main; main()"
    command = f'exec "$0" -c "{program}" digest {"-" if stream == "stdin" else example} {closing}'
    done = subprocess.run(
        ["bash", "-c", command, sys.executable], env=environment, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == {"stdin": 2, "stdout": 1, "stderr": 0}[stream]
    assert b"Traceback" not in done.stderr


def test_a_locale_without_our_letters_spells_them_out(environment: dict[str, str], start: Start, example: Path) -> None:
    poor = environment | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    process = start("show", "artifact/plan-quiet-2", example, env=poor)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert rb"\u201cNotice silence, and its end\u201d" in out
    printed, _ = start("show", "artifact/plan-quiet-2", example, "--json", env=poor).communicate(timeout=60)
    assert json.loads(printed.decode("utf-8"))["view"]["title"] == "Notice silence, and its end"


def on_terminal(environment: dict[str, str], *arguments: str | Path) -> str:
    """Run the command on a terminal of its own and give what it shows."""
    try:
        reader, writer = pty.openpty()
    except OSError as refusal:  # a bare root without /dev/pts
        pytest.skip(f"the system has no terminal to give: {refusal}")
    program = [sys.executable, "-c", "from radial_cli.main import main; main()", *map(str, arguments)]
    process = subprocess.Popen(program, env=environment, stdout=writer, stderr=writer, stdin=subprocess.DEVNULL)
    os.close(writer)
    shown = b""
    while True:
        try:
            piece = os.read(reader, 65536)
        except OSError:  # the terminal hangs up when its last writer is gone
            break
        shown += piece
    os.close(reader)
    process.wait(timeout=60)
    return shown.decode().replace("\r\n", "\n")


def test_colour_is_for_terminals_and_no_color_takes_it_away(
    environment: dict[str, str], start: Start, example: Path
) -> None:
    piped, _ = start("show", SPACE, example).communicate(timeout=60)
    coloured = on_terminal(environment, "show", SPACE, example)
    plain = on_terminal(environment | {"NO_COLOR": "1"}, "show", SPACE, example)
    assert b"\x1b" not in piped
    assert "\x1b[32mopen\x1b[0m" in coloured
    assert "\x1b[3" not in plain
    assert all(word in coloured for word in ("Tidewater", "fulfilled", "Digest"))


SLOW_TO_STOP = """
import sys, threading
import anyio
from radial_cli.running import run
from radial_cli.stopping import stop_when_asked

async def work():
    await anyio.sleep(0)  # by now somebody listens
    try:
        print("begun", flush=True)
        await anyio.sleep_forever()
    finally:  # a thread that nobody can stop, as a fold of a large store is
        print("asked", flush=True)
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(threading.Event().wait)

stop_when_asked()
run(work)
"""


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_second_signal_waits_for_no_thread(sent: signal.Signals, status: int, environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", SLOW_TO_STOP]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        try:
            for word in (b"begun\n", b"asked\n"):
                assert process.stdout.readline() == word
                process.send_signal(sent)
            assert process.communicate(timeout=60) == (b"", b"")
        finally:
            process.kill()
    assert process.returncode == status
