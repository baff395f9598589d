"""The file in which an operator says who does what: TOML, or JSON.

Strategy: the file is read here, what it says is judged by the core. Every fault is named, with its place; then the
command ends.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radial_cli.exits import USAGE, Failure
from radial_cli.output import say
from radial_cli.untrusted import file_name, one_line
from radial_core.dispatch.setup import read_operator

if TYPE_CHECKING:
    from radial_core.dispatch.routing import Operator


def operator_in(name: str) -> Operator:
    """Read an operator's file. Raises `Failure` for one that cannot be read or says something wrong."""
    found = read_operator(_value_of(name), name)
    if not isinstance(found, tuple):
        return found
    for fault in found:
        say(f"{file_name(name)}: {one_line(fault)}")
    raise Failure(f"{file_name(name)} is no operator's file", "docs/reference/operator.md says what one holds.")


def _value_of(name: str) -> Any:
    shown = file_name(name)
    try:
        text = Path(name).read_text(encoding="utf-8")
        return json.loads(text) if name.endswith(".json") else tomllib.loads(text)
    except OSError as error:
        raise Failure(f"{shown} cannot be read: {error.strerror or error}", "Name a file.", USAGE) from error
    except (ValueError, RecursionError) as error:  # no UTF-8, no TOML and no JSON are all such
        kind = "JSON" if name.endswith(".json") else "TOML"
        raise Failure(f"{shown} is no {kind}: {one_line(str(error), 200)}") from error
