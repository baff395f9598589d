"""Every act of a person, told through the command line: four accounts, two spaces, one real PDS.

Strategy: each line of the story is one command line, carried out as the process would, in an environment of its own for
each person: their session, their store, their drafts. What a command printed as JSON is kept under names that the story
gives, `kind/name`; nothing else is known of what was written. Numbers and beginnings of titles are used as people do.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import attrs

from radial_cli.main import run
from tests.pds.accounts import Account, Servers
from tests.pds.story import PIXEL, PREFIX

LONG_BODY: Final = "# How it was built\n\n" + "And then one more stone was laid upon the other.\n" * 4000
FINDINGS: Final = [
    {"severity": "major", "path": "plan.md", "line": 3, "body": "And then?"},
    {"severity": "nit", "body": "A “typo”."},
]
DREARY: Final = "Well done!\nAnd \x1b[31mred\x1b[0m,\twith a tab."  # what a guest said


class NotDoneError(AssertionError):
    """A command that should have succeeded did not."""


@attrs.define
class Person:
    """Somebody with an account and a machine of their own."""

    account: Account
    handle: str
    home: Path
    servers: Servers
    said: str = ""  # on standard error, by the last command

    @property
    def did(self) -> str:
        return self.account.did

    @property
    def settings(self) -> dict[str, str]:
        """What the environment of this machine says."""
        return {
            "RADIAL_ACCOUNTS": str(self.home / "accounts"),
            "RADIAL_VAULT": "file",
            "RADIAL_STORE": str(self.home / "store.db"),
            "XDG_STATE_HOME": str(self.home / "state"),
        }

    def radial(self, *words: str, stdin: str = "") -> tuple[int, str]:
        """Carry out a command line; gives its status and what it printed."""
        streams = (io.TextIOWrapper(io.BytesIO(stdin.encode())), *(io.TextIOWrapper(io.BytesIO()) for _ in range(2)))
        with self._at_home():
            before = sys.stdin, sys.stdout, sys.stderr
            sys.stdin, sys.stdout, sys.stderr = streams
            try:
                status = run(words)
            finally:
                sys.stdin, sys.stdout, sys.stderr = before
        out, self.said = (_content(stream) for stream in streams[1:])
        return status, out

    @contextmanager
    def _at_home(self) -> Iterator[None]:
        before = dict(os.environ)
        os.environ.update(self.settings)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)

    def log_in(self) -> None:
        self.home.mkdir()
        password = f"{self.handle.removesuffix('.test')}-password\n"
        status, _ = self.radial("login", self.handle, "--pds", self.servers.pds, "--password-stdin", stdin=password)
        assert status == 0, self.said

    def ask(self, *words: str) -> dict[str, Any]:
        """Carry out an act and give what it says as JSON, whatever came of it."""
        _, out = self.radial(*words, "--json", "--yes", "--plc", self.servers.plc)
        assert out, self.said
        said: dict[str, Any] = json.loads(out)
        return said


def _content(stream: io.TextIOWrapper) -> str:
    stream.flush()
    held = stream.buffer
    assert isinstance(held, io.BytesIO)
    return held.getvalue().decode()


@attrs.define
class Tale:
    """Who acts, and what was written: each record as the command reported it, by its name."""

    ruth: Person
    mate: Person
    bot: Person
    gast: Person
    folder: Path
    written: dict[str, dict[str, Any]] = attrs.field(factory=dict)

    def act(self, who: Person, *words: str, names: tuple[str, ...]) -> dict[str, Any]:
        """Have somebody act; what it writes, in order, is called by these names."""
        said = who.ask(*words)
        if said["outcome"] != "written":
            raise NotDoneError(f"{words}: {said['outcome']}: {who.said}")
        assert [record["how"] for record in said["records"]] == ["written"] * len(names), words
        for name, record in zip(names, said["records"], strict=True):
            assert record["uri"].split("/")[3] == PREFIX + name.split("/")[0]
            self.written[name] = record
        return said

    def uri(self, name: str) -> str:
        return str(self.written[name]["uri"])

    def cid(self, name: str) -> str:
        return str(self.written[name]["cid"])

    def at(self, name: str) -> str:
        return str(self.written[name]["value"]["createdAt"])

    def __getitem__(self, name: str) -> dict[str, str]:
        """Give a record's strongref."""
        return {"uri": self.uri(name), "cid": self.cid(name)}

    def file(self, name: str, content: str | bytes) -> str:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)


def tell(tale: Tale) -> None:
    """Tell all of it."""
    membership(tale)
    settings(tale)
    goals(tale)
    planning(tale)
    building(tale)
    talking(tale)
    for_the_project(tale)
    guests(tale)
    refused(tale)
    elsewhere(tale)


def membership(tale: Tale) -> None:
    ruth, mate, bot, gast = tale.ruth, tale.mate, tale.bot, tale.gast
    tale.act(ruth, "space", "create", "Lab", "--description", "Where it is tried out", names=("space/lab", "join/ruth"))
    tale.act(ruth, "member", "add", mate.handle, names=("addMember/mate-1",))
    tale.act(ruth, "member", "add", f"@{mate.handle}", "--role", "admin", names=("addMember/mate-2",))
    tale.act(mate, "space", "join", tale.uri("space/lab"), names=("join/mate",))
    tale.act(mate, "member", "add", bot.did, "--kind", "agent", names=("addMember/bot",))
    tale.act(bot, "space", "join", tale.uri("space/lab"), names=("join/bot",))
    tale.act(ruth, "member", "add", gast.did, names=("addMember/gast",))
    tale.act(ruth, "member", "remove", gast.handle, names=("removeMember/gast",))
    tale.act(mate, "space", "guest-comments", "on", names=("setGuestComments/on",))


def settings(tale: Tale) -> None:
    ruth, mate, bot = tale.ruth, tale.mate, tale.bot
    git = "https://git.example.com/tool"
    options = ("--git", git, "--check", "test=make test", "--auto-review", "implementation")
    tale.act(ruth, "project", "create", "Tool", *options, names=("project/tool",))
    tale.act(ruth, "project", "edit", "tool", "--name", "The tool", "--branch", "trunk", names=("editProject/name",))
    tale.act(mate, "project", "auto-review", "1", "plan", "on", names=("setAutoReview/plan",))
    tale.act(ruth, "project", "archive", "The tool", names=("archiveProject/on",))
    tale.act(ruth, "project", "archive", "The tool", "--undo", names=("archiveProject/off",))
    tale.act(mate, "type", "add", "--from-template", "glossary", names=("artifactType/glossary",))
    risk = ("risk", "--brief", "What could go wrong", "--output-spec", "A list.", "--scope", "goal")
    tale.act(mate, "type", "add", *risk, names=("artifactType/risk",))
    coder = ("coder", "--harness", "codex", "--model", "m-1=low", "--type", "plan")
    tale.act(bot, "agent", "publish", *coder, names=("agent/coder-1",))
    more = ("--model", "m-2", "--type", "implementation", "--name", "The coder")
    tale.act(bot, "agent", "publish", *coder, *more, names=("agent/coder",))
    tale.act(bot, "agent", "publish", "temp", "--harness", "h", "--model", "m", "--type", "plan", names=("agent/temp",))
    gone = bot.ask("agent", "retire", "temp")
    assert (gone["outcome"], gone["records"][0]["operation"]) == ("written", "delete")


def goals(tale: Tale) -> None:
    ruth, mate = tale.ruth, tale.mate
    text = tale.file("goal.md", "It should work.\n")
    picture = tale.file("pixel.png", PIXEL)
    tale.act(ruth, "image", "add", picture, "--alt", "A pixel", "--into", text, names=("image/pixel",))
    tale.act(ruth, "goal", "create", "Make it work", "--body-file", text, names=("goal/g1",))
    body = ("--project", "The tool", "--body", "Green.")
    tale.act(mate, "goal", "create", "Paint it", *body, names=("goal/g2",))
    tale.act(ruth, "goal", "close", "2", "--disposition", "dropped", names=("closeGoal/g2-1",))
    tale.act(ruth, "goal", "reopen", "paint", names=("closeGoal/g2-2",))
    tale.act(mate, "goal", "close", "Paint it", names=("closeGoal/g2-3",))


def planning(tale: Tale) -> None:
    ruth, mate, bot = tale.ruth, tale.mate, tale.bot
    asked = ("request", "plan", "--goal", "1", "--brief", "Short, please.")
    tale.act(mate, *asked, names=("artifactRequest/plan",))
    plan = ("--title", "A plan", "--body", "First this.", "--criterion", "It works")
    tale.act(bot, "artifact", "submit", tale.uri("artifactRequest/plan"), *plan, names=("artifact/plan-1",))
    findings = tale.file("findings.json", json.dumps(FINDINGS))
    judged = ("review", tale.uri("artifact/plan-1"), "request-changes", "--findings", findings)
    tale.act(ruth, *judged, names=("review/plan-1",))
    better = ("--title", "A better plan", "--body", "First this, then that.")
    tale.act(bot, "artifact", "submit", tale.uri("artifactRequest/plan"), *better, names=("artifact/plan-2",))
    words = ("request", "review", "--from", "A better", "--assignee", mate.handle)
    tale.act(ruth, *words, names=("artifactRequest/review",))
    tale.act(mate, "review", "A better plan", "approve", "--finding", "nit: fine", names=("review/plan-2",))


def building(tale: Tale) -> None:
    ruth, bot = tale.ruth, tale.bot
    words = ("request", "implementation", "--from", tale.uri("artifact/plan-2"))
    tale.act(ruth, *words, "--assignee", "@coder", "--auto-review", names=("artifactRequest/declined",))
    request = tale.uri("artifactRequest/declined")
    tale.act(bot, "decline", request, "--body", "I cannot.", names=("message/no",))
    twice = ("--alternatives", "2", "--no-auto-review")
    tale.act(ruth, *words, *twice, names=("artifactRequest/build", "artifactRequest/spare"))
    tale.act(ruth, "request", "retract", tale.uri("artifactRequest/spare"), names=("retractRequest/spare",))
    pull = "https://git.example.com/tool/pulls/1"
    links = ("--branch", "work", "--commit", "c0ffee", "--pr", pull)
    long = ("--title", "Built", "--summary", "Stone on stone.", "--body-file", tale.file("built.md", LONG_BODY))
    request = tale.uri("artifactRequest/build")
    tale.act(bot, "artifact", "submit", request, *long, *links, names=("artifact/build",))


def talking(tale: Tale) -> None:
    ruth, mate, bot = tale.ruth, tale.mate, tale.bot
    hello = ("message", "Make it", "--body", "Hello.", "--mention", mate.handle)
    tale.act(ruth, *hello, names=("message/hello",))
    tale.act(mate, "reply", tale.uri("message/hello"), "--body", "Hello yourself.", names=("message/hello-2",))
    on_plan = ("message", tale.uri("artifact/plan-2"), "--body", "Good plan.")
    tale.act(mate, *on_plan, names=("message/on-plan",))
    tale.act(mate, "request", "risk", "--goal", "1", names=("artifactRequest/open",))
    question = ("message", "1", "--re", tale.uri("artifactRequest/open"), "--body", "Which one?")
    tale.act(bot, *question, names=("message/question",))
    tale.act(ruth, "reply", tale.uri("message/question"), "--body", "That one.", names=("message/reply",))
    asked = ("ask", "@coder", "1", "--body", "Why two passes?")
    tale.act(ruth, *asked, names=("message/why", "artifactRequest/why"))
    tale.act(bot, "reply", tale.uri("message/why"), "--body", "It is safer.", names=("message/because",))


def for_the_project(tale: Tale) -> None:
    ruth, mate = tale.ruth, tale.mate
    words = ("capture", "A better plan", "glossary", "--brief", "The words in it.")
    tale.act(ruth, *words, names=("artifactRequest/captured",))
    asked = ("request", "glossary", "--project", "1", "--assignee", mate.did)
    tale.act(ruth, *asked, names=("artifactRequest/words",))
    submitted = ("artifact", "submit", tale.uri("artifactRequest/words"), "--body", "Gauge: a stick.")
    tale.act(mate, *submitted, names=("artifact/words",))


def guests(tale: Tale) -> None:
    """Gast is no member any more: what he says counts for nothing until somebody vouches for it."""
    ruth, mate, gast = tale.ruth, tale.mate, tale.gast
    lab, goal = tale.uri("space/lab"), tale.uri("goal/g1")
    for name, body in (("message/guest-1", DREARY), ("message/guest-2", "Well done?")):
        words = ("message", goal, "--space", lab, "--body", body)
        assert refusals(gast.ask(*words)) == ["T5"]
        tale.act(gast, *words, "--force", names=(name,))
    unread = ("bless", "1", tale.uri("message/guest-1"))
    status, out = ruth.radial(*unread, "--yes", "--plc", ruth.servers.plc)
    assert (status, out) == (2, ""), ruth.said  # nobody has read it
    tale.act(ruth, *unread, "--cid", tale.cid("message/guest-1"), names=("blessComment/kept",))
    assert "\\x1b[31mred\\x1b[0m,\\twith a tab." in ruth.said
    other = ("bless", goal, tale.uri("message/guest-2"), "--cid", tale.cid("message/guest-2"))
    tale.act(ruth, *other, names=("blessComment/taken-back",))
    tale.act(mate, "bless", "retract", tale.uri("blessComment/taken-back"), names=("retractBless/taken-back",))


def refused(tale: Tale) -> None:
    """What is for admins and authors alone is refused before it is written; two of it are written all the same."""
    bot, mate, gast = tale.bot, tale.mate, tale.gast
    kept = tale.uri("blessComment/kept")
    no_risk = ("type", "add", "odd", "--brief", "b", "--output-spec", "o", "--scope", "goal")
    cases = {
        ("member", "add", gast.did): "T2",
        ("member", "remove", mate.did): "T2",
        no_risk: "A2",
        ("space", "guest-comments", "off"): "M3",
        ("project", "auto-review", "1", "plan", "off"): "P2",
        ("project", "edit", "1", "--name", "Mine"): "P1",
        ("project", "archive", "1"): "P1",
        ("request", "retract", tale.uri("artifactRequest/open")): "R3",
        ("bless", "retract", kept): "M2",
    }
    found = {words: refusals(bot.ask(*words)) for words in cases}
    assert found == {words: [rule] for words, rule in cases.items()}
    tale.act(bot, "project", "auto-review", "1", "plan", "off", "--force", names=("setAutoReview/forced",))
    tale.act(mate, "project", "edit", "1", "--name", "Mine", "--force", names=("editProject/forced",))


def refusals(said: dict[str, Any]) -> list[str]:
    """Give the rules by which an act was refused, having written nothing."""
    assert said["outcome"] == "refused"
    assert all(record["how"] is None for record in said["records"])
    return [refusal["rule"] for refusal in said["refused"]]


def elsewhere(tale: Tale) -> None:
    """Mate has a space too. From then on none is guessed of him."""
    mate, gast = tale.mate, tale.gast
    tale.act(mate, "space", "create", "Annex", names=("space/annex", "join/annex-mate"))
    status, _ = mate.radial("space", "guest-comments", "off", "--yes", "--plc", mate.servers.plc)
    assert status == 2
    assert "2 spaces are in reach, and none is guessed" in mate.said
    tale.act(mate, "member", "add", gast.handle, "--space", "annex", names=("addMember/annex-gast",))
    tale.act(gast, "space", "join", tale.uri("space/annex"), names=("join/annex-gast",))
    tale.act(gast, "project", "create", "Shed", "--git", "https://git.example.com/shed", names=("project/shed",))
    tale.act(gast, "goal", "create", "Mend the roof", "--body", "It leaks.", names=("goal/roof",))
    tale.act(mate, "message", "Mend", "--space", "Annex", "--body", "On it.", names=("message/roof",))
    words = ("goal", "close", "mend the roof", "--disposition", "parked", "--space", "Annex")
    tale.act(mate, *words, names=("closeGoal/roof",))
