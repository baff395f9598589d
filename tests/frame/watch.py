"""Runs a piece of code and names every touch of the world outside it.

Strategy: two nets, because neither is tight alone. An audit hook hears what Python itself calls an event: opening,
importing, compiling, sockets, processes, the collector. It does not hear clocks, randomness and the environment; those
are caught by a profile hook, which sees every call of a built-in or a Python function and is asked whose it is. An
audit hook cannot be taken off again, so this belongs in a process of its own.
"""

import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FrameType
from typing import Any

# Modules of which no function may be called: whatever they hold is a clock, a file, a process, a socket or chance.
OUTSIDE = {
    *(
        "time",
        "posix",
        "os",
        "pathlib",
        "io",
        "shutil",
        "tempfile",
        "subprocess",
        "signal",
        "socket",
        "_socket",
        "select",
    ),
    *("random", "_random", "secrets", "uuid", "_uuid", "gc", "locale", "_locale", "logging", "sqlite3"),
}
# Where a value lies in memory: how a shared part of a value is recognised. It reads nothing from outside.
HARMLESS = {"builtins.id"}
# Of types, the class methods that ask a clock; of the built-ins, those that reach a terminal.
CLOCKS = {"now", "today", "utcnow"}
TERMINAL = {"input", "print"}


def events_of(action: Callable[[], object]) -> list[str]:
    """Run `action` and name everything that it touched, each once, in order of name."""
    seen: set[str] = set()
    listening = False

    def hear(event: str, args: tuple[object, ...]) -> None:
        if listening and event not in HARMLESS:
            seen.add(f"event {event} {args[:1]!r}")

    def see(frame: FrameType, kind: str, called: Any) -> None:
        name = _outside_builtin(called) if kind == "c_call" else _outside_function(frame) if kind == "call" else None
        if name:
            seen.add(f"call {name}")

    sys.addaudithook(hear)
    sys.setprofile(see)
    listening = True
    action()
    listening = False
    sys.setprofile(None)
    return sorted(seen)


def _outside_function(frame: FrameType) -> str | None:
    module = frame.f_globals.get("__name__", "")
    return f"{module}.{frame.f_code.co_name}" if module.split(".")[0] in OUTSIDE else None


def _outside_builtin(called: BuiltinFunctionType) -> str | None:
    owner = getattr(called, "__self__", None)
    if isinstance(owner, type):
        return called.__qualname__ if called.__name__ in CLOCKS else None
    module = called.__module__ or type(owner).__module__
    named = module in OUTSIDE or (module == "builtins" and called.__name__ in TERMINAL)
    return f"{module}.{called.__name__}" if named else None
