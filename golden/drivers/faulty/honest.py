"""What the faulty drivers share: an honest one, of which each spoils one thing.

They exist to be caught: tests/golden/test_runner.py says with which status. From the top folder of the checkout:

    python golden/run.py 'python -m golden.drivers.faulty.unsorted'
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, TypeAlias

from radial_cli.driver import reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Message: TypeAlias = dict[str, Any]


def requests() -> Iterator[Message]:
    """Give the requests, to the end of standard input."""
    for line in sys.stdin:
        yield json.loads(line)


def say(answer: Message) -> None:
    """Write one answer."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def serve(spoil: Callable[[Message, Message], Message]) -> None:
    """Answer every request with what `spoil(request, answer)` makes of the honest answer, until `stop`."""
    for request in requests():
        say(spoil(request, reply(request)))
        if request["cmd"] == "stop":
            return


def serve_honestly() -> None:
    """Answer honestly: for a flaw that sits deeper."""
    serve(lambda _request, answer: answer)


def indexes(answer: Message) -> Iterator[Message]:
    """Give the index of each answer to a `run`."""
    for one in answer.get("answers", ()):
        yield one["index"]


def objects(value: Any) -> Iterator[Message]:
    """Give every object in a value, however deep."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield item
        stack.extend(item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())
