"""Messages as threads (M1).

Strategy: the messages of one anchor are a forest by `parent`. A parent that is missing, stands under another anchor or
lies on a cycle makes its message a top-level one, marked unresolved; every message on a cycle is such a one, and what
hangs off it keeps its place. The walks have stacks of their own: a thread may be as deep as it likes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from radial_core.places import grouped, show_field
from radial_core.records import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from radial_core.entries import Entry
    from radial_core.places import Shelf
    from radial_core.views import Ref


class Post(NamedTuple):
    """A message in its thread: the message it replies to, if that resolves, and how deep it stands."""

    entry: Entry[Message]
    parent: Entry[Message] | None
    depth: int


class Talk(NamedTuple):
    """Who replied to whom at a place: the parent of each reply, and the replies to each message, in order."""

    parents: dict[str, str]
    replies: dict[str, list[Entry[Message]]]


def talk(place: Shelf) -> Talk:
    """Read the replies of a place off its threads."""
    replies = [
        (post.parent.uri, post.entry)
        for posts in place.fact(threads).values()
        for post in posts
        if post.parent is not None
    ]
    return Talk({entry.uri: parent for parent, entry in replies}, grouped(replies))


def threads(place: Shelf) -> dict[str, tuple[Post, ...]]:
    """Give the threads of a place by the URI of their anchor, each depth first, siblings in order (createdAt, URI)."""
    anchored: dict[str, list[Entry[Message]]] = {}
    for entry in place.all(Message):
        anchor = entry.record.goal or entry.record.artifact
        assert anchor is not None  # noqa: S101 - L1: exactly one of the two
        anchored.setdefault(anchor, []).append(entry)
    return {anchor: _thread(messages) for anchor, messages in anchored.items()}


def _thread(messages: list[Entry[Message]]) -> tuple[Post, ...]:
    parents = _parents(messages)
    replies: dict[str | None, list[Entry[Message]]] = {}
    for entry in reversed(messages):  # so that the first reply is popped first
        parent = parents.get(entry.uri)
        replies.setdefault(parent.uri if parent is not None else None, []).append(entry)
    posts: list[Post] = []
    stack = [(entry, 0) for entry in replies.get(None, ())]
    while stack:
        entry, depth = stack.pop()
        posts.append(Post(entry, parents.get(entry.uri), depth))
        stack.extend((reply, depth + 1) for reply in replies.get(entry.uri, ()))
    return tuple(posts)


def _parents(messages: Iterable[Entry[Message]]) -> dict[str, Entry[Message]]:
    """Map each message to the parent that it resolves to: under the same anchor, and not on a cycle."""
    here = {entry.uri: entry for entry in messages}
    parents = {
        uri: here[entry.record.parent]
        for uri, entry in here.items()
        if entry.record.parent is not None and entry.record.parent in here
    }
    for uri in _on_cycles(parents):
        del parents[uri]
    return parents


def _on_cycles(parents: Mapping[str, Entry[Message]]) -> list[str]:
    """Find the messages that are their own ancestors: walk up from each, and stop where some walk has been before."""
    walks: dict[str, int] = {}  # message → the walk that first came by
    cyclic: list[str] = []
    for number, start in enumerate(parents):
        uri = start
        while uri in parents and uri not in walks:
            walks[uri] = number
            uri = parents[uri].uri
        if walks.get(uri) == number:  # this walk met itself
            first = uri
            cyclic.append(first)
            while (uri := parents[uri].uri) != first:
                cyclic.append(uri)
    return cyclic


def show_parent(post: Post) -> Ref | None:
    """Show the parent that a message names beside what it resolves to."""
    return show_field(post.entry, "parent", post.parent)
