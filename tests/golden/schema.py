"""Just enough of JSON Schema for the schemas of the suite; a keyword it does not know is an error.

The suite is checked with it rather than with a library, so that a schema cannot say something that nobody checks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "null": lambda v: v is None,
}
WORDS = {"$schema", "$defs", "title", "description"}  # they demand nothing


class Schema:
    """A schema document with its definitions."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document

    def faults(self, value: Any) -> list[str]:
        """List what is wrong with a value, each fault with its path."""
        return [*self._check(self.document, value, "$")]

    def _check(self, schema: Any, value: Any, path: str) -> Iterator[str]:
        if schema is True:
            return
        for keyword, wanted in schema.items():
            if keyword not in WORDS:
                yield from getattr(self, "_" + keyword.removeprefix("$"))(wanted, value, path, schema)

    def _is(self, schema: Any, value: Any, path: str) -> bool:
        return next(self._check(schema, value, path), None) is None

    def _ref(self, name: str, value: Any, path: str, _schema: Any) -> Iterator[str]:
        yield from self._check(self.document["$defs"][name.removeprefix("#/$defs/")], value, path)

    def _type(self, name: str, value: Any, path: str, _schema: Any) -> Iterator[str]:
        if not TYPES[name](value):
            yield f"{path} is no {name}"

    def _const(self, wanted: Any, value: Any, path: str, _schema: Any) -> Iterator[str]:
        if not _same(wanted, value):
            yield f"{path} is not {wanted!r}"

    def _enum(self, wanted: list[Any], value: Any, path: str, _schema: Any) -> Iterator[str]:
        if not any(_same(one, value) for one in wanted):
            yield f"{path} is none of {wanted}"

    def _pattern(self, pattern: str, value: Any, path: str, _schema: Any) -> Iterator[str]:
        if isinstance(value, str) and not re.search(pattern, value):
            yield f"{path} does not match {pattern}"

    def _minLength(self, least: int, value: Any, path: str, _schema: Any) -> Iterator[str]:  # noqa: N802 - a keyword
        if isinstance(value, str) and len(value) < least:
            yield f"{path} is shorter than {least}"

    def _minimum(self, least: int, value: Any, path: str, _schema: Any) -> Iterator[str]:
        if TYPES["integer"](value) and value < least:
            yield f"{path} is less than {least}"

    def _minItems(self, least: int, value: Any, path: str, _schema: Any) -> Iterator[str]:  # noqa: N802
        if isinstance(value, list) and len(value) < least:
            yield f"{path} has fewer than {least} items"

    def _uniqueItems(self, wanted: bool, value: Any, path: str, _schema: Any) -> Iterator[str]:  # noqa: N802, FBT001
        if (
            wanted
            and isinstance(value, list)
            and len({json.dumps(item, sort_keys=True) for item in value}) < len(value)
        ):
            yield f"{path} has an item twice"

    def _items(self, schema: Any, value: Any, path: str, _schema: Any) -> Iterator[str]:
        for index, item in enumerate(value if isinstance(value, list) else ()):
            yield from self._check(schema, item, f"{path}[{index}]")

    def _properties(self, schemas: dict[str, Any], value: Any, path: str, _schema: Any) -> Iterator[str]:
        for key, schema in schemas.items():
            if isinstance(value, dict) and key in value:
                yield from self._check(schema, value[key], f"{path}.{key}")

    def _additionalProperties(self, schema: Any, value: Any, path: str, whole: Any) -> Iterator[str]:  # noqa: N802
        for key in value.keys() - whole.get("properties", {}).keys() if isinstance(value, dict) else ():
            if schema is False:
                yield f"{path}.{key} is unknown"
            else:
                yield from self._check(schema, value[key], f"{path}.{key}")

    def _required(self, keys: list[str], value: Any, path: str, _schema: Any) -> Iterator[str]:
        yield from (f"{path}.{key} is missing" for key in keys if isinstance(value, dict) and key not in value)

    def _dependentRequired(self, wanted: dict[str, list[str]], value: Any, path: str, _schema: Any) -> Iterator[str]:  # noqa: N802
        for key, others in wanted.items():
            if isinstance(value, dict) and key in value:
                yield from (f"{path}.{other} is missing beside {key}" for other in others if other not in value)

    def _not(self, schema: Any, value: Any, path: str, _schema: Any) -> Iterator[str]:
        if self._is(schema, value, path):
            yield f"{path} is what it must not be"

    def _anyOf(self, schemas: list[Any], value: Any, path: str, _schema: Any) -> Iterator[str]:  # noqa: N802
        if not any(self._is(schema, value, path) for schema in schemas):
            yield f"{path} is none of what it may be"

    def _oneOf(self, schemas: list[Any], value: Any, path: str, _schema: Any) -> Iterator[str]:  # noqa: N802
        if sum(self._is(schema, value, path) for schema in schemas) != 1:
            yield f"{path} is not exactly one of what it may be"


def _same(one: Any, other: Any) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)
