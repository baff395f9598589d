"""Where one rule refuses for several reasons, the reason that is given is the one that is so."""

from __future__ import annotations

from radial_core import materialize
from tests.core.small_world import ADD_ANN, ADD_BOT, ADD_EVE, ANN, BOT, EVE, SPACE, ref, write


def reason_for_removing(did: str, grant: dict[str, str]) -> str:
    """Have ann remove somebody who holds a grant (bot) or never did (eve), and say why that has no effect."""
    removal = write(ANN, "removeMember", 60, space=ref(SPACE), did=did, membership=grant)
    (row,) = materialize([SPACE, ADD_ANN, ADD_BOT, removal]).ignored
    assert (row.uri, row.rule) == (removal.uri, "T4")
    return row.reason


def test_a_removal_without_effect_says_whether_there_is_a_grant_at_all() -> None:
    assert f"{EVE} holds no grant" in reason_for_removing(EVE, ref(ADD_EVE))
    assert f"not the current one of {BOT}" in reason_for_removing(BOT, ref(ADD_ANN))
