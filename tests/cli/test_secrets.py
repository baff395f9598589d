"""The app password and the tokens are in the vault and nowhere else: no output, log, file, argument or core dump.

The command runs as a process with everything that talks turned up: Python's development mode, every logger at DEBUG,
tracebacks with their variables. Its server quotes secrets back wherever it can.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from radial_io.accounts.book import Accounts
from radial_io.accounts.session import open_session
from radial_io.atproto import procedures
from radial_io.atproto.procedures import Procedure
from radial_io.store.outbox import open_outbox
from tests.cli.test_accounts import LETTER, NOW
from tests.io.fakes import ALICE
from tests.io.home import ACCESS, REFRESH, Home, error, served

PASSWORD = "abcd-efgh-ijkl-mnop"
SECRETS = (PASSWORD, ACCESS, REFRESH, ACCESS.partition(".")[0], REFRESH.partition(".")[0])
LOUD = "import logging; logging.basicConfig(level=logging.DEBUG); from radial_cli.main import main; main()"
ABORT = """
import os, resource, sys, anyio
from pathlib import Path
from radial_io.accounts.book import Accounts
from radial_io.accounts.session import open_session

async def crash():
    accounts = Accounts(Path(sys.argv[1]))
    async with open_session(accounts, accounts.find(None)) as session:
        print(resource.getrlimit(resource.RLIMIT_CORE)[0], flush=True)
        os.abort()

anyio.run(crash)
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def home() -> Home:
    return Home()


@pytest.fixture
def pds(home: Home) -> Iterator[str]:
    with served(home) as url:
        yield url


@pytest.fixture
def run(root: Path, tmp_path: Path) -> Run:
    """Return the command as a loud process, whose working folder and files are those of the test."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "PYTHONDEVMODE": "1",
        "PYTHONWARNINGS": "default",
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path / "tmp"),
        "RADIAL_ACCOUNTS": str(tmp_path / "accounts"),
        "RADIAL_STORE": str(tmp_path / "store.db"),
        "RADIAL_VAULT": "file",
    }
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()

    def start(*words: str, program: str = LOUD, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", program, *words],
            cwd=tmp_path,
            env=environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (_most_core(), _most_core())),
        )

    return start


def _most_core() -> int:
    return resource.getrlimit(resource.RLIMIT_CORE)[1]


def shown_in(text: str | bytes) -> list[str]:
    """List the secrets that a text shows."""
    raw = text if isinstance(text, bytes) else text.encode()
    return [secret for secret in SECRETS if secret.encode() in raw]


def leaks(folder: Path) -> dict[str, list[str]]:
    """List the files outside the vault that show a secret."""
    vault = folder / "accounts" / "secrets"
    files = [file for file in folder.rglob("*") if file.is_file() and vault not in file.parents]
    assert files
    found = {str(file.relative_to(folder)): shown_in(file.read_bytes()) for file in files}
    return {name: secrets for name, secrets in found.items() if secrets}


def echoing(nsid: str, _number: int) -> httpx.Response | None:
    """Refuse every write, and quote the secrets that came with it."""
    words = f"{ACCESS} {REFRESH} {PASSWORD}"
    return error(400, "InvalidRequest", words) if nsid.endswith("putRecord") else None


FAULTS: dict[str, Any] = {
    "none": lambda _nsid, _number: None,
    "quoted": echoing,
    "cut": lambda nsid, _number: ConnectionError() if nsid.endswith("putRecord") else None,
    "expired for good": lambda nsid, _number: (
        error(400, "ExpiredToken", REFRESH) if nsid.endswith(("putRecord", "refreshSession")) else None
    ),
    "limited": lambda nsid, _number: error(429, retry_after="3600") if nsid.endswith("putRecord") else None,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_no_command_shows_or_leaves_a_secret(fault: str, run: Run, pds: str, home: Home, tmp_path: Path) -> None:
    done = [
        run("login", "alice.example", "--pds", pds, "--password-stdin", stdin=PASSWORD[:-1] + "\n"),
        run("login", "alice.example", "--pds", pds, "--password-stdin", stdin=PASSWORD + "\n"),
    ]
    assert [one.returncode for one in done] == [1, 0], [one.stderr for one in done]
    with open_outbox(tmp_path / "store.db") as outbox:
        outbox.add([LETTER], NOW)
    home.before = FAULTS[fault]
    words = (["whoami"], ["accounts", "--json"], ["outbox", "send"], ["outbox", "list", "--json"], ["logout"])
    done += [run(*each) for each in words]
    assert done[1].returncode == 0
    assert [shown_in(text) for one in done for text in (one.stdout, one.stderr)] == [[]] * 2 * len(done)
    assert "DEBUG:" in done[4].stderr  # the loggers were on
    assert leaks(tmp_path) == {}


def test_the_vault_is_where_they_are(run: Run, pds: str, tmp_path: Path) -> None:
    """The search above can find something."""
    run("login", "alice.example", "--pds", pds, "--password-stdin", stdin=PASSWORD + "\n")
    (file,) = (tmp_path / "accounts" / "secrets").iterdir()
    assert shown_in(file.read_bytes()) == [secret for secret in SECRETS if secret != PASSWORD]
    (tmp_path / "copy").write_bytes(file.read_bytes())
    assert set(leaks(tmp_path)) == {"copy"}


def test_there_is_no_option_that_takes_a_password(run: Run) -> None:
    assert "--password " not in run("login", "--help").stdout
    assert run("login", "alice.example", "--password", PASSWORD).returncode == 2


def test_a_crash_leaves_no_image_of_the_memory(run: Run, pds: str, tmp_path: Path) -> None:
    run("login", "alice.example", "--pds", pds, "--password-stdin", stdin=PASSWORD + "\n")
    crashed = run(str(tmp_path / "accounts"), program=ABORT)
    assert (crashed.returncode, crashed.stdout) == (-6, "0\n")
    assert shown_in(crashed.stderr) == []
    assert leaks(tmp_path) == {}


@pytest.mark.parametrize("kind", [RuntimeError, httpx.ReadError, TimeoutError])
def test_a_traceback_with_all_variables_shows_none(
    kind: type[Exception], run: Run, pds: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("login", "alice.example", "--pds", pds, "--password-stdin", stdin=PASSWORD + "\n")

    async def fail(*_arguments: object) -> None:
        raise kind("in the middle")

    async def work() -> None:
        accounts = Accounts(tmp_path / "accounts")
        async with open_session(accounts, accounts.find(ALICE)) as session:
            monkeypatch.setattr(procedures, "_body", fail)
            await session.call(Procedure("com.atproto.repo.putRecord", json.dumps({"repo": ALICE}).encode()))

    with pytest.raises(Exception) as failed:  # noqa: PT011 - whichever it becomes
        anyio.run(work)
    text = "".join(traceback.TracebackException.from_exception(failed.value, capture_locals=True).format())
    assert "SecretHeaders" in text  # the variables are there
    assert shown_in(text) == []
