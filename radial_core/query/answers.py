"""Questions and answers: what may be asked, and what an answer always states.

Strategy: an answer tells more than what was asked for. Whether the subject is there at all is another fact than that
nothing rests on it (`resolved`, `total`); what is shown may be less than there is (`truncated`); what was looked
through is told (`coverage`), and how old that is (`freshness`, which the core cannot know: it is an argument).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import attrs

from radial_core.query.notes import Note

SURFACE: Final = 1  # the version of questions and answers: another one is another surface
QUESTIONS: Final = ("subject", "dependents", "dependencies", "impact", "search")
USUAL_LIMIT: Final = 50
HIGHEST_LIMIT: Final = 1000
LONGEST_WORDS: Final = 8192  # characters: as long as the longest URI


@attrs.frozen(kw_only=True)
class Question:
    """One bounded question: `about` a record, by its URI, or for `search` the words.

    At most `limit` items are given, after `skip` others. `space` and `superseded` go with `search` alone: look in one
    space only, and also through what was superseded. Raises `ValueError` for what can be no question.
    """

    ask: str
    about: str
    limit: int = USUAL_LIMIT
    skip: int = 0
    space: str | None = None
    superseded: bool = False

    def __attrs_post_init__(self) -> None:
        """Refuse what can be no question."""
        if self.ask not in QUESTIONS:
            raise ValueError(f"there is no such question: one of {', '.join(QUESTIONS)}")
        if not self.about.strip() or len(self.about) > LONGEST_WORDS:
            raise ValueError(f"a question is about something, in at most {LONGEST_WORDS} characters")
        if not 1 <= self.limit <= HIGHEST_LIMIT or self.skip < 0:
            raise ValueError(f"a limit lies between 1 and {HIGHEST_LIMIT}, and nothing less than nothing is skipped")
        if self.ask != "search" and (self.space is not None or self.superseded):
            raise ValueError("only a search is narrowed to a space, or widened to what was superseded")


class Link(NamedTuple):
    """A reference between two records: the `field` that holds it, the version that it pins and what became of that.

    `pin` is `held`, `edited` or `unseen` as in the index; null when the reference does not resolve (L4).
    """

    field: str
    cid: str
    pin: str | None


@attrs.frozen(kw_only=True)
class Item:
    """One thing that an answer names: a record's URI, and its note when it counts here.

    `resolved` is false for what a record refers to in vain. `steps` counts the references on the shortest way from or
    to the subject; null where there is no way in question. `links` are the references of a single step; `excerpt` is
    where a search found its words.
    """

    uri: str
    resolved: bool = True
    note: Note | None = None
    steps: int | None = None
    links: tuple[Link, ...] = ()
    excerpt: str | None = None


@attrs.frozen(kw_only=True)
class Subject:
    """What a question is about: `verdict`, `rule` and `sentences` as `Index.explain` has them, and its `note`.

    `state` are the words that hold of it now, such as `open` and `dispatchable` of a request.
    """

    uri: str
    verdict: str
    rule: str | None
    sentences: tuple[str, ...]
    note: Note | None
    state: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Coverage:
    """What an answer rests on: the digest of the index, the spaces looked through, and how many records count there.

    `ignored` counts the records of the whole index that do not count, and are in no answer; `superseded` those that a
    search passed by, because a later version took their place or their author took them back.
    """

    digest: str
    spaces: tuple[str, ...]
    records: int
    ignored: int
    superseded: int = 0


@attrs.frozen(kw_only=True)
class Freshness:
    """How old the observations are, as their keeper knows.

    `state` is `live` while everything that members write is heard of at once, else `unknown`. `as_of` is the latest
    moment up to which the repos of all members were looked at, `behind` how many seconds that is ago at most; both are
    null when nobody knows. `unread` are the DIDs of members whose repo was never read wholly: of these, more may be
    missing.
    """

    state: str = "unknown"
    as_of: str | None = None
    behind: int | None = None
    unread: tuple[str, ...] = ()


UNKNOWN: Final = Freshness()


@attrs.frozen(kw_only=True)
class Answer:
    """An answer. `resolved` is whether the subject counts here, null for a search, which has none.

    `items` are those from `skip` on, at most `limit`; `total` counts all there are; `truncated` is whether some are
    left after these.
    """

    surface: int
    question: Question
    resolved: bool | None
    subject: Subject | None
    items: tuple[Item, ...]
    total: int
    truncated: bool
    coverage: Coverage
    freshness: Freshness
