"""Pictures that prose may refer to (M4; RAD-4.20).

Strategy: the blob is uploaded first, the record comes second, and only then may a text name the record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_core.acts.draft import Act

if TYPE_CHECKING:
    from collections.abc import Mapping

    from radial_core.acts.desk import Desk


def image_record(desk: Desk, blob: Mapping[str, Any], *, alt: str | None = None, name: str | None = None) -> Act:
    """Record a picture whose blob, as its value stands in a record, has been uploaded."""
    draft = desk.draft("image", blob=dict(blob), alt=alt, name=name)
    return Act(verb="image add", space=None, drafts=(draft,))
