"""A real PDS on loopback, and accounts that write to it with plain XRPC: none of our own code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import httpx
import pytest

FOLDER = Path(__file__).parent / "lab"


@attrs.frozen
class Servers:
    """Where the PDS and its PLC directory listen, and the password of the PDS's administrator."""

    pds: str
    plc: str
    password: str


@contextmanager
def running(**options: Any) -> Iterator[Servers]:
    """Start both servers; they stop when their standard input is closed. Skips where they cannot be started."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node.js: `node` is not on the path")
    if not (FOLDER / "node_modules" / "@atproto" / "pds").is_dir():
        pytest.skip(f"no PDS: run `npm ci` in {FOLDER}")
    environment = os.environ | {"LAB_PDS_OPTIONS": json.dumps(options)}
    with subprocess.Popen(
        [node, "start-pds.mjs", "--stdin"],
        cwd=FOLDER,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            ready = json.loads(process.stdout.readline())
            yield Servers(ready["pds"], ready["plc"], ready["adminPassword"])
        finally:
            process.stdin.close()
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()


@contextmanager
def account(servers: Servers, name: str) -> Iterator[Account]:
    """Make an account; handles end in `.test`."""
    person = {"handle": f"{name}.test", "email": f"{name}@example.com", "password": f"{name}-password"}
    with httpx.Client(base_url=f"{servers.pds}/xrpc", timeout=60, trust_env=False) as http:
        said = http.post("/com.atproto.server.createAccount", json=person).raise_for_status().json()
        http.headers["authorization"] = f"Bearer {said['accessJwt']}"
        yield Account(said["did"], http)


@attrs.frozen
class Account:
    """Somebody who can write to their own repo."""

    did: str
    http: httpx.Client

    def call(self, nsid: str, **body: Any) -> dict[str, Any]:
        """Make a change. Raises `httpx.HTTPStatusError` when it is refused."""
        answer = self.http.post(f"/{nsid}", json=body).raise_for_status()
        said: dict[str, Any] = answer.json()
        return said

    def create_record(self, collection: str, rkey: str, record: dict[str, Any]) -> dict[str, str]:
        """Write a new record; gives its strongref, with the CID that the PDS computed."""
        said = self.call(
            "com.atproto.repo.createRecord", repo=self.did, collection=collection, rkey=rkey, record=record
        )
        return {"uri": said["uri"], "cid": said["cid"]}

    def put_record(self, collection: str, rkey: str, record: dict[str, Any]) -> dict[str, str]:
        """Rewrite a record in place; gives its new strongref."""
        said = self.call("com.atproto.repo.putRecord", repo=self.did, collection=collection, rkey=rkey, record=record)
        return {"uri": said["uri"], "cid": said["cid"]}

    def delete_record(self, collection: str, rkey: str) -> None:
        self.call("com.atproto.repo.deleteRecord", repo=self.did, collection=collection, rkey=rkey)

    def upload(self, content: bytes, kind: str) -> dict[str, Any]:
        """Upload a blob; gives the reference to put into a record."""
        answer = self.http.post("/com.atproto.repo.uploadBlob", content=content, headers={"content-type": kind})
        blob: dict[str, Any] = answer.raise_for_status().json()["blob"]
        return blob
