"""Agents' profiles: published, retired."""

from __future__ import annotations

from collections.abc import Sequence

from radial_cli.acting.manner import Manner
from radial_cli.acting.performing import perform
from radial_core.acts.agents import Profile, publish_agent, retire_agent


def publish(
    manner: Manner, *, profile: str, name: str | None, harness: str, models: Sequence[str], types: Sequence[str]
) -> None:
    """Publish a profile; it belongs to every space of its account."""
    ready = Profile(
        name=profile,
        handle_name=name if name is not None else profile,
        harness=harness,
        models=tuple(_model(text) for text in models),
        artifact_types=tuple(types),
    )
    perform(manner, lambda view: publish_agent(view.desk, ready))


def _model(text: str) -> tuple[str, str | None]:
    name, _, hint = text.partition("=")
    return name, hint or None


def retire(manner: Manner, *, profile: str) -> None:
    """Take a profile away."""
    perform(manner, lambda view: retire_agent(view.desk, profile), is_ending=True, question="Take it away?")
