"""`radial capture`: what a goal taught, for its project."""

from __future__ import annotations

from radial_cli.acting.manner import Manner, acting
from radial_cli.acting.options import Artifact, Assignee, Brief, BriefFile, TypeName

EXAMPLES = """\b
Examples:
  radial capture "The plan" decision
  radial capture artifact/3mgdi7lg52222 architecture --brief "Of storage"
"""


@acting
def capture(
    manner: Manner,
    artifact: Artifact,
    type_name: TypeName,
    assignee: Assignee = None,
    brief: Brief = None,
    brief_file: BriefFile = None,
) -> None:
    """Ask that a goal's work be distilled for its project.

    It is a request at the project, based on the artifact; nothing is copied, and the artifact stays as it is.
    """
    from radial_cli.acting.requests import capture as run

    run(manner, artifact=artifact, type_name=type_name, assignee=assignee, source=(brief, brief_file))
