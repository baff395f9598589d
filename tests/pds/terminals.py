"""An act at a terminal, as a process: what it asks is read, and answered on the keyboard."""

from __future__ import annotations

import os
import pty
import subprocess

from tests.pds.acts_story import Person
from tests.pds.following import PROGRAM, ROOT


class Asked:
    """A command at a terminal, which asks before it writes."""

    def __init__(self, person: Person, *words: str) -> None:
        mine, theirs = pty.openpty()
        command = [*PROGRAM, *words, "--plc", person.servers.plc]
        own = {**os.environ, **person.settings}
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=own, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        os.close(theirs)
        self.keyboard = mine
        self.said = ""

    def until(self, words: str) -> None:
        """Read what it says up to some words."""
        assert self.process.stderr is not None
        while not self.said.endswith(words):
            letter = self.process.stderr.read(1)
            assert letter, self.said
            self.said += letter.decode("utf-8", "replace")

    def answer(self, text: str) -> int:
        """Type something; gives the status with which it ends."""
        os.write(self.keyboard, text.encode())
        _, rest = self.process.communicate(timeout=60)
        self.said += rest.decode()
        os.close(self.keyboard)
        return self.process.returncode
