"""The tree of commands: one row a verb, in the order in which the help lists them."""

from __future__ import annotations

from typing import Annotated, Final

import typer

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

app = typer.Typer(
    name="radial",
    epilog=_EPILOG,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_VERBS: Final = (
    (fetch.fetch, fetch.EXAMPLES),
    (sync.sync, sync.EXAMPLES),
    (watch.watch, watch.EXAMPLES),
    (show.show, show.EXAMPLES),
    (goals.goals, goals.EXAMPLES),
    (requests.requests, requests.EXAMPLES),
    (members.members, members.EXAMPLES),
    (guests.guests, guests.EXAMPLES),
    (inbox.inbox, inbox.EXAMPLES),
    (queue.queue, queue.EXAMPLES),
    (system.system, system.EXAMPLES),
    (log.log, log.EXAMPLES),
    (provenance.provenance, provenance.EXAMPLES),
    (describe.describe, describe.EXAMPLES),
    (query.query, query.EXAMPLES),
    (body.body, body.EXAMPLES),
    (explain.explain, explain.EXAMPLES),
    (why.why, why.EXAMPLES),
    (bundle.bundle, bundle.EXAMPLES),
    (validate.validate, validate.EXAMPLES),
    (materialize.materialize, materialize.EXAMPLES),
    (digest.digest, digest.EXAMPLES),
    (diff.diff, diff.EXAMPLES),
    (sample.sample, sample.EXAMPLES),
    (export.export, export.EXAMPLES),
    (import_.import_, import_.EXAMPLES),
    (rebuild.rebuild, rebuild.EXAMPLES),
    (quarantine.quarantine, quarantine.EXAMPLES),
    (status.status, status.EXAMPLES),
    (doctor.doctor, doctor.EXAMPLES),
)
# Who acts.
_ACCOUNTS: Final = (
    (login.login, login.EXAMPLES),
    (logout.logout, logout.EXAMPLES),
    (whoami.whoami, whoami.EXAMPLES),
    (accounts.accounts, accounts.EXAMPLES),
    (use.use, use.EXAMPLES),
)
# What a person writes: each into their own repo, and only after it was shown.
_ACTS: Final = (
    (capture.capture, capture.EXAMPLES),
    (review.review, review.EXAMPLES),
    (message.message, message.EXAMPLES),
    (message.reply, message.REPLY_EXAMPLES),
    (message.decline, message.DECLINE_EXAMPLES),
    (message.ask, message.ASK_EXAMPLES),
    (spaces.spaces, spaces.EXAMPLES),
)
for _verb, _examples in (*_VERBS, *_ACCOUNTS, *_ACTS):
    app.command(_verb.__name__.rstrip("_"), epilog=_examples)(_verb)
_GROUPS: Final = (
    (space.space, "space"),
    (member.member, "member"),
    (project.project, "project"),
    (type_.type_, "type"),
    (goal.goal, "goal"),
    (request.request, "request"),
    (artifact.artifact, "artifact"),
    (bless.bless, "bless"),
    (agent.agent, "agent"),
    (image.image, "image"),
    (outbox.outbox, "outbox"),
    (handoff.handoff, "handoff"),
    (store.store, "store"),
)
for _group, _name in _GROUPS:
    app.add_typer(_group, name=_name)
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
    """See what the public records of a Radial space amount to: its members, projects, goals and what became of them."""
