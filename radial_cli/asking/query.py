"""`radial describe` and `radial query`: the core's questions and answers, for a person or a program (RK-13.1–13.3)."""

from __future__ import annotations

from typing import Any

import attrs

from radial_cli.asking.freshness import Ages, in_words
from radial_cli.exits import NOT_FOUND, USAGE, Failure, Silent
from radial_cli.output import is_terminal, out, out_json, width
from radial_cli.pictures.happening import happening
from radial_cli.pictures.words import PINS, counted, moment
from radial_cli.reading import Reading
from radial_cli.render import Page, Part
from radial_cli.untrusted import one_line
from radial_core.jsonviews import to_plain
from radial_core.query.answers import Answer, Item, Question
from radial_core.query.asking import query
from radial_core.query.describing import describe


def print_description(*, as_json: bool) -> None:
    """Print what can be asked."""
    told = describe()
    if as_json:
        out_json(told)
        return
    page = Page(width(), styled=is_terminal())
    page.line((f"Surface {told['surface']}", "title"))
    for question in told["questions"]:
        page.heading(f"radial query {question['ask']}", f"about {question['about']}")
        page.line(question["asks"], indent=2)
        page.line(("gives " + question["items"], "quiet"), indent=2)
    page.heading("Every answer states")
    page.columns([[(name, "name"), words] for name, words in told["answers"].items()], indent=2)
    page.heading("Kinds of records", f"({len(told['kinds'])})")
    page.columns([[(each["kind"], "name"), ", ".join(each["refersBy"])] for each in told["kinds"]], indent=2)
    limits = told["limits"]
    page.gap()
    page.line(f"At most {limits['usual']} items unless --limit says otherwise, which goes up to {limits['highest']}.")
    page.line("--json also prints the JSON Schema of an answer.")
    out(page.text())


def print_answer(found: Reading, asked: dict[str, Any], fresh: Ages, *, as_json: bool) -> None:
    """Print the answer to a question. Raises `Failure` for what is none, `Silent` where the subject is not here."""
    if asked["space"] is not None:
        (space,) = found.spaces(asked["space"])
        asked = asked | {"space": space.uri}
    if asked["ask"] != "search":
        asked = asked | {"about": found.names.look_up(asked["about"]) or asked["about"]}
    try:
        question = Question(**asked)
    except ValueError as fault:
        raise Failure(one_line(str(fault)), "`radial describe` lists the questions.", USAGE) from fault
    answer = query(found.index, question)
    answer = attrs.evolve(answer, freshness=fresh(answer.coverage.spaces))
    if as_json:
        out_json(to_plain(answer))
    else:
        out(_page(answer, found))
    if answer.resolved is False:
        raise Silent(NOT_FOUND)


def _page(answer: Answer, found: Reading) -> str:
    page = Page(width(), styled=is_terminal())
    _draw_subject(page, answer, found)
    for item in answer.items:
        _draw_item(page, item, found)
    page.gap()
    for words in _extent(answer):
        page.line((words, "quiet"))
    return page.text()


def _draw_subject(page: Page, answer: Answer, found: Reading) -> None:
    subject = answer.subject
    if subject is None:
        return
    state: list[Part] = [(f"  {', '.join(subject.state)}", "wait")] if subject.state else []
    page.line([(found.names.record(subject.uri), "title"), *state])
    note = subject.note
    if note is None:
        page.line(("Unresolved: no such record counts here.", "bad"))
        for sentence in subject.sentences:
            page.line(found.names.within(sentence))
        return
    who = (found.names.did(note.author), "name")
    page.line([who, " ", happening(note, found), f", {moment(note.created_at, found)}"])
    page.gap()


def _draw_item(page: Page, item: Item, found: Reading) -> None:
    steps = [(f"{item.steps}  ", "quiet")] if item.steps is not None and not item.links else []
    links = ", ".join(link.field + (f" ({PINS[link.pin]})" if PINS[link.pin] else "") for link in item.links)
    by = [(f"{links}  ", "quiet")] if links else []
    page.line([*steps, *by, found.names.record(item.uri), *_said(item, found)], indent=2)
    if item.excerpt:
        page.line(item.excerpt, indent=6)


def _said(item: Item, found: Reading) -> list[Part]:
    if item.note is None:
        return []
    note = item.note
    when = (f", {moment(note.created_at, found)}", "quiet")
    return ["  ", (found.names.did(note.author), "name"), " ", happening(note, found), when]


def _extent(answer: Answer) -> list[str]:
    """Say how much of how much this is, what it rests on, and how old that is."""
    question, covered = answer.question, answer.coverage
    shown = f"{len(answer.items)} of {counted(answer.total, 'item')}"
    more = f"; --skip {question.skip + question.limit} goes on" if answer.truncated else ""
    ignored = f"; {counted(covered.ignored, 'record')} ignored" if covered.ignored else ""
    passed = f"; {covered.superseded} superseded passed by: --superseded" if covered.superseded else ""
    rests = f"{counted(covered.records, 'record')} in {counted(len(covered.spaces), 'space')}{ignored}{passed}"
    return [shown + more, rests, in_words(answer.freshness)]
