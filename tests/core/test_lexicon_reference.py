"""The reference implementation (`@atproto/lexicon`, JavaScript) on our lexicons: it loads them all and it agrees.

It knows nothing of what stands beyond the lexicons, and looks at some things less closely than the protocol asks; what
it cannot know is marked in the cases, and it is asked those too, so that a mark that is no longer true is noticed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from radial_core.embedded import DOCUMENTS
from tests.core.lexicon_cases import FAULTY, SOUND, Case

FOLDER = Path(__file__).parent / "lexicon_js"


@pytest.fixture(scope="module")
def referee() -> Any:
    if shutil.which("node") is None:
        pytest.skip("Node.js is not installed")
    if not (FOLDER / "node_modules" / "@atproto" / "lexicon").is_dir():
        pytest.skip("the reference implementation is not installed: npm ci in tests/core/lexicon_js")
    cases = [{"nsid": case.nsid, "value": case.value} for case in (*SOUND, *FAULTY)]
    done = subprocess.run(
        ["node", "referee.mjs"],
        cwd=FOLDER,
        input=json.dumps({"documents": DOCUMENTS, "cases": cases}),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.node
def test_it_loads_every_document(referee: Any) -> None:
    assert referee["refused"] == []


@pytest.mark.node
def test_it_agrees_on_every_case_that_lexicons_can_tell(referee: Any) -> None:
    assert _disagreements(referee, plain=True) == []


@pytest.mark.node
def test_what_is_marked_as_beyond_lexicons_it_does_not_see(referee: Any) -> None:
    seen = [case.name for case, verdict in _verdicts(referee) if not case.plain and verdict is not None]
    assert seen == []


def _verdicts(referee: Any) -> list[tuple[Case, str | None]]:
    return list(zip((*SOUND, *FAULTY), referee["verdicts"], strict=True))


def _disagreements(referee: Any, *, plain: bool) -> list[tuple[str, str | None]]:
    told = [(case, verdict) for case, verdict in _verdicts(referee) if case.plain is plain]
    return [(case.name, verdict) for case, verdict in told if (verdict is None) != (case.paths == ())]
