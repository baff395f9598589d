"""`radial conformance serve` answers whatever it is asked."""

from __future__ import annotations

import io
import json
import subprocess
from collections.abc import Callable

import pytest

from radial_cli.driver import serve
from tests.cli.conftest import Call

STOP = b'{"cmd":"stop"}\n'


@pytest.mark.parametrize("line", [b"junk", b"[]", b"null", b"5", b"{}", b'{"cmd":[]}', b"\xff", b"", b"[" * 100_000])
def test_what_is_no_request_is_answered_with_an_error(line: bytes) -> None:
    out = io.BytesIO()
    serve([line + b"\n", STOP], out)
    first, last = map(json.loads, out.getvalue().splitlines())
    assert first == {"error": "a request is one line of JSON, an object with a text `cmd`"}
    assert last == {"ok": True}


def test_an_unknown_command_keeps_its_number() -> None:
    out = io.BytesIO()
    serve([b'{"cmd":"nonsense","seq":7}\n', STOP], out)
    answer = json.loads(out.getvalue().splitlines()[0])
    assert answer["seq"] == 7
    assert "error" in answer


def test_the_process_goes_on_and_ends_with_stop(start: Callable[..., subprocess.Popen[bytes]]) -> None:
    process = start("conformance", "serve", stdin=subprocess.PIPE)
    out, err = process.communicate(b"junk\n" + STOP, timeout=60)
    assert (process.returncode, err, out.count(b"\n")) == (0, b"", 2)


def test_the_options_of_a_run_are_explained(radial: Call) -> None:
    page = " ".join(radial("conformance", "run", "--help").out.split())
    for words in ("known to fail", "may be skipped", "every result there", "2 that an option"):
        assert words in page
