"""The tree of commands: one row a verb, in the order and the sections in which the help lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from radial_cli.commands import (
    accounts,
    agent,
    artifact,
    bless,
    body,
    bundle,
    capture,
    conformance,
    describe,
    diff,
    digest,
    doctor,
    explain,
    export,
    fetch,
    goal,
    goals,
    guests,
    handoff,
    image,
    import_,
    inbox,
    log,
    login,
    logout,
    materialize,
    member,
    members,
    message,
    outbox,
    project,
    provenance,
    quarantine,
    query,
    queue,
    rebuild,
    request,
    requests,
    review,
    sample,
    show,
    space,
    spaces,
    status,
    store,
    sync,
    system,
    type_,
    use,
    validate,
    watch,
    whoami,
    why,
)
from radial_cli.exits import MEANINGS

_EPILOG: Final = "\n".join(
    (
        "\b",
        "Examples:",
        "  radial fetch SPACE_URI -o space.jsonl",
        "  radial show SPACE_URI space.jsonl",
        "  radial explain RECORD_URI space.jsonl",
        "  radial watch SPACE_URI",
        "  radial login alice.example",
        "  radial inbox",
        "  radial request plan --goal 3",
        "",
        "\b",
        "Exit status:",
        *(f"  {status:>3}  {meaning}" for status, meaning in MEANINGS.items()),
        "Status 1 also says: a file cannot be read or is something else altogether,",
        "standard output cannot be written, --keep-going left lines out, fetch or",
        "sync found records that cannot be taken, doctor found something to do, a rule",
        "refuses what was to be written, the answer was no, a run of the golden suite",
        "is red.",
        "",
        "\b",
        "Data goes to standard output, talk to standard error. Colour and tables are",
        "for terminals only, and NO_COLOR=1 takes the colour away there too.",
    )
)

# By what somebody is about to do: verbs with their examples, groups with their names.
_SECTIONS: Final[Mapping[str, tuple[tuple[Callable[..., None] | typer.Typer, str], ...]]] = {
    "Follow spaces": (
        (fetch.fetch, fetch.EXAMPLES),
        (sync.sync, sync.EXAMPLES),
        (watch.watch, watch.EXAMPLES),
        (status.status, status.EXAMPLES),
        (doctor.doctor, doctor.EXAMPLES),
    ),
    "See and ask": (
        (inbox.inbox, inbox.EXAMPLES),
        (show.show, show.EXAMPLES),
        (goals.goals, goals.EXAMPLES),
        (requests.requests, requests.EXAMPLES),
        (members.members, members.EXAMPLES),
        (queue.queue, queue.EXAMPLES),
        (system.system, system.EXAMPLES),
        (log.log, log.EXAMPLES),
        (guests.guests, guests.EXAMPLES),
        (body.body, body.EXAMPLES),
        (provenance.provenance, provenance.EXAMPLES),
        (query.query, query.EXAMPLES),
        (describe.describe, describe.EXAMPLES),
        (explain.explain, explain.EXAMPLES),
    ),
    "Act: a record in your own repo, shown before it is written": (
        (space.space, "space"),
        (spaces.spaces, spaces.EXAMPLES),
        (member.member, "member"),
        (project.project, "project"),
        (type_.type_, "type"),
        (goal.goal, "goal"),
        (request.request, "request"),
        (capture.capture, capture.EXAMPLES),
        (artifact.artifact, "artifact"),
        (review.review, review.EXAMPLES),
        (message.message, message.EXAMPLES),
        (message.reply, message.REPLY_EXAMPLES),
        (message.decline, message.DECLINE_EXAMPLES),
        (message.ask, message.ASK_EXAMPLES),
        (bless.bless, "bless"),
        (agent.agent, "agent"),
        (image.image, "image"),
    ),
    "In whose name": (
        (login.login, login.EXAMPLES),
        (logout.logout, logout.EXAMPLES),
        (whoami.whoami, whoami.EXAMPLES),
        (accounts.accounts, accounts.EXAMPLES),
        (use.use, use.EXAMPLES),
        (outbox.outbox, "outbox"),
    ),
    "Work of agents": (
        (why.why, why.EXAMPLES),
        (bundle.bundle, bundle.EXAMPLES),
        (handoff.handoff, "handoff"),
    ),
    "Records, files, the store": (
        (validate.validate, validate.EXAMPLES),
        (materialize.materialize, materialize.EXAMPLES),
        (digest.digest, digest.EXAMPLES),
        (diff.diff, diff.EXAMPLES),
        (sample.sample, sample.EXAMPLES),
        (export.export, export.EXAMPLES),
        (import_.import_, import_.EXAMPLES),
        (rebuild.rebuild, rebuild.EXAMPLES),
        (quarantine.quarantine, quarantine.EXAMPLES),
        (store.store, "store"),
    ),
}


_LONGEST_NAME: Final = 11


class _Sectioned(TyperGroup):
    """The commands, listed by section."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as typer calls it
        """Write each section with the first sentence of each of its commands."""
        for title, verbs in _SECTIONS.items():
            names = [_name_of(verb, text) for verb, text in verbs]
            width = formatter.width - _LONGEST_NAME - 6
            with formatter.section(title):
                formatter.write_dl([(name.ljust(_LONGEST_NAME), self._sentence(name, width)) for name in names])

    def _sentence(self, name: str, width: int) -> str:
        return self.commands[name].get_short_help_str(width)


def _name_of(verb: Callable[..., None] | typer.Typer, text: str) -> str:
    return text if isinstance(verb, typer.Typer) else verb.__name__.rstrip("_")


app = typer.Typer(
    name="radial",
    cls=_Sectioned,
    epilog=_EPILOG,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for _verb, _text in chain.from_iterable(_SECTIONS.values()):
    if isinstance(_verb, typer.Typer):
        app.add_typer(_verb, name=_text)
    else:
        app.command(_name_of(_verb, _text), epilog=_text)(_verb)
# For those who write Radial in another language: told where the suite is told, not among what users do.
app.add_typer(conformance.conformance, name="conformance", hidden=True)


def _version(wanted: bool) -> None:
    if wanted:
        from radial_core.version import __version__

        typer.echo(f"radial {__version__}")
        raise typer.Exit


@app.callback()
def radial(
    *,
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """See what the public records of a Radial space amount to, from members to what became of goals; write your own."""
