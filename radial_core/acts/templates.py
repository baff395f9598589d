"""Ready-made artifact types (RAD-8.4): what many projects keep about themselves, to be added as they are or changed.

Strategy: a template is plain words. Nothing refers to it once a type was made from it: the record is the type.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Template(NamedTuple):
    """The texts of an artifact type, in the order and under the names that `add_type` takes."""

    scope: str
    brief: str
    output_spec: str


TEMPLATES: Final[Mapping[str, Template]] = MappingProxyType(
    {
        "architecture": Template(
            "project",
            "Describe how the system is built, for somebody who has to change it: its parts and what each is for, "
            "what may depend on what, where data lives and how it moves, and the reasons that still bind. Read the "
            "code, not only the papers. Start from the current version, if there is one, and correct what is no "
            "longer so.",
            "One document in Markdown that stands alone. Every part named is to be found in the repository, by its "
            "path. What was not looked at is said.",
        ),
        "inventory": Template(
            "project",
            "List what there is of the kind that the request names: services, dependencies, interfaces, jobs, data "
            "stores. Take it from the repository, and say of each entry where it was found.",
            "One table in Markdown, a row an entry: its name, what it is for, where it is defined, who answers for it "
            "if that is written anywhere. Then the commit at which it was taken.",
        ),
        "glossary": Template(
            "project",
            "Collect the words that have a meaning of their own here, in code and in talk. One meaning each; where "
            "people use two words for one thing, say which is preferred.",
            "One list in Markdown, in alphabetical order: the word, what it means in a sentence or two, and a place "
            "where it is used. Words that changed their meaning since the last version are named at the end.",
        ),
        "conventions": Template(
            "project",
            "Write down how work is done here: style, tests, names, commits, reviews, what needs to be asked first. "
            "Take what the code and its history show, and keep apart what is only wished for.",
            "One document in Markdown of short rules, each with its reason and an example from the repository. A rule "
            "that a tool enforces names the tool.",
        ),
        "decision": Template(
            "project",
            "Record one decision: what had to be decided, what was weighed, what was chosen, and what follows from "
            "it. A decision is not rewritten: a later one supersedes it, and says which.",
            "One record in Markdown with context, options, decision and consequences, and a title that says what was "
            "decided. If it supersedes an earlier decision, it is the next version of that one.",
        ),
    }
)
