"""Types of artifact: defined, from a template or from scratch (RAD-8.4)."""

from __future__ import annotations

from radial_cli.acting.manner import Manner
from radial_cli.acting.performing import perform
from radial_cli.acting.words import chosen, named
from radial_cli.exits import USAGE, Failure
from radial_core.acts.registry import add_type
from radial_core.acts.templates import TEMPLATES


def add(
    manner: Manner,
    *,
    name: str | None,
    template: str | None,
    brief: str | None,
    output_spec: str | None,
    scope: str | None,
) -> None:
    """Define a type; what is said by hand goes before what the template says."""
    if template is not None:
        ready = TEMPLATES[chosen(template, tuple(sorted(TEMPLATES)), "a template")]
        name = name if name is not None else template
        brief = brief if brief is not None else ready.brief
        output_spec = output_spec if output_spec is not None else ready.output_spec
        scope = scope if scope is not None else ready.scope
    if name is None or brief is None or output_spec is None or scope is None:
        raise Failure(
            "a type needs a name, --brief, --output-spec and --scope",
            "Or begin with a ready-made one: --from-template NAME.",
            USAGE,
        )
    named(name, "a type")
    called, told, result, place = name, brief, output_spec, chosen(scope, ("goal", "project"), "a scope")
    perform(
        manner,
        lambda view: add_type(view.desk, view.chosen_space(), called, brief=told, output_spec=result, scope=place),
    )
