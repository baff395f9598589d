"""What can be wrong with the outbox beside a store: writes that wait, and writes that a server would not have."""

from __future__ import annotations

from pathlib import Path

from radial_cli.diagnosing.findings import FAULT, WARNING, Finding
from radial_cli.pictures.words import counted
from radial_io.store.errors import StoreError
from radial_io.store.outbox import peek_outbox


def outbox_findings(store: Path) -> list[Finding]:
    """Say how the outbox is. What is written and only not in the store yet is as it should be."""
    about = str(store)
    try:
        states = [entry.state for entry in peek_outbox(store)]
    except StoreError as error:
        return [Finding(FAULT, "outbox", about, str(error), error.advice)]
    found = []
    if waiting := states.count("pending"):
        words = f"{counted(waiting, 'record')} of yours not known to be written"
        advice = "`radial outbox send` looks, and sends what is missing."
        found.append(Finding(WARNING, "outbox", about, words, advice))
    if refused := states.count("refused"):
        words = f"{counted(refused, 'record')} of yours refused by your server"
        advice = "`radial outbox` says why; `radial outbox drop` ends it."
        found.append(Finding(WARNING, "outbox", about, words, advice))
    return found
