"""`radial rebuild`: the index anew, from what was seen."""

from __future__ import annotations

from radial_cli.options import AsJson, InStore

EXAMPLES = """\b
Examples:
  radial rebuild
  radial rebuild --json | jq .same
"""


def rebuild(store: InStore = None, as_json: AsJson = False) -> None:
    """Fold the store from its first row and compare digests.

    The digest is printed and saved. Where one was saved before, of the same rows and by the same version of this
    program, the two have to be equal; if they are not, the status is 1.
    """
    from radial_cli.storing.rebuilding import rebuild as run

    run(store, as_json=as_json)
