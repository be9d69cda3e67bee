"""The initial state of a table, and the counts that a goal still needs."""

from __future__ import annotations

import pytest
from msgspec.structs import asdict, replace

from shared.coop.moves import missing_count
from shared.coop.ruleset import GoalCard, faults_of_coop
from shared.coop.table import Table
from shared.formats.packs import shipped_ruleset

KILLS = [GoalCard(card_id=id, condition_key="kills", counted_thing="kill", counted_number=3) for id in ("g1", "g2")]
MORE_KILLS = GoalCard(card_id="g3", condition_key="more kills", counted_thing="kill", counted_number=4)
CARDS = {card.card_id: card for card in (*KILLS, MORE_KILLS)}


@pytest.mark.clause("AB-GOAL-2")
def test_identical_goals_add_up() -> None:
    table = Table(completed=["g1"], counts={"kill": 5})
    assert missing_count(table, KILLS[1], CARDS) == 1
    assert missing_count(table, MORE_KILLS, CARDS) == 0
    unnamed = Table(completed=["a goal without a card"], counts={"kill": 2})
    assert missing_count(unnamed, KILLS[0], CARDS) == 1


@pytest.mark.clause("AB-PWR-3", "AB-GOAL-3")
def test_initial_table() -> None:
    assert [name for name, value in asdict(Table()).items() if value] == []


@pytest.mark.clause("AB-SET-6")
@pytest.mark.parametrize(("more", "places"), [(0, []), (1, ["/kit/camp_tokens_at_start"])])
def test_tokens_at_the_start_are_limited_by_the_supply(more: int, places: list[str]) -> None:
    shipped = shipped_ruleset("atomic-bonds")
    kit = replace(shipped.kit, camp_tokens_at_start=shipped.kit.camp_tokens + more)
    assert [fault.where for fault in faults_of_coop(replace(shipped, kit=kit))] == places
