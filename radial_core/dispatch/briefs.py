"""What is asked for by a type that no record of the space describes: our own words for the built-in types (A1).

Strategy: a brief is the template of the type and what must come of it; what the person adds stands beside it. Where
the space has defined a type, its record's words are used as they are and nothing in them is filled in or interpreted.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Brief(NamedTuple):
    """What to do, and what must come of it."""

    brief: str
    output_spec: str


BUILT_IN_BRIEFS: Final = {
    "plan": Brief(
        "Write a plan by which somebody else could reach the goal: what will be changed, in which order, and why so.",
        "One plan, in Markdown, with criteria by which a person can tell whether the goal was reached. No code is "
        "changed.",
    ),
    "implementation": Brief(
        "Carry out what the basis says, or the goal where there is no basis, in the repository. Take up every open "
        "finding. Change nothing that is not needed for it.",
        "Commits on the branch of this turn, and one implementation that says what was done, what was not, and how it "
        "can be tried.",
    ),
    "review": Brief(
        "Judge the subject by the goal, by the criteria and by what the checks say. What a check has answered need not "
        "be asked again.",
        "One review: a verdict, approve or request_changes, and findings, each with its severity and, where there is "
        "one, the path and line that it is about.",
    ),
    "answer": Brief(
        "Answer the message that is the subject, out of what is known here and in the repository.",
        "One reply, in Markdown, to that message. Nothing is changed.",
    ),
}
