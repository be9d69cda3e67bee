"""Campaigns in which one statement in ten is mistyped and taken back end as they would have without the mistakes."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.auditing import failures
from tests.campaign.mistyped import Json, dice_of, played, said_again


@pytest.mark.clause("FS-REP-5", "FS-AUD-1", "FS-PGP-3")
@pytest.mark.parametrize(
    ("groups", "rounds", "seed"),
    [
        pytest.param(4, 2, "a slip", id="small"),
        pytest.param(6, 3, "many slips", id="middle"),
        pytest.param(12, 10, "a winter of slips", id="full"),
    ],
)
def test_a_campaign_ends_as_if_nothing_had_been_mistyped(tmp_path: Path, groups: int, rounds: int, seed: str) -> None:
    script = played(tmp_path / "once", groups, rounds, seed)
    again = said_again(tmp_path / "again", script, seed)
    # Enough was mistyped, by hands that may and that may not take it back themselves.
    statements = sum("/choices" in request.path or "/closing" in request.path for request in script.requests)
    assert again.counts["mistyped"] >= statements // 25
    assert again.counts["player"] > 0
    assert again.counts["staff"] > 0
    # The end is the same, to the last id.
    assert again.groups == script.groups
    assert again.standings == script.standings
    # No ledger was ever below zero.
    assert min(again.balances.values()) == 0, again.balances
    # A die is the same whenever its question is asked.
    faces: dict[str, set[str]] = defaultdict(set)
    asked: list[Json] = dice_of(again.logs)
    for die in asked:
        faces[die["question"]].add(str(die["dice"]))
    assert len(asked) > len(faces)  # some were asked more than once
    assert {question: seen for question, seen in faces.items() if len(seen) > 1} == {}
    assert failures(again.logs) == []
