"""A table before anything has happened, and what a goal still lacks, from what the log counts."""

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
def test_what_a_goal_has_used_the_next_identical_one_does_not_count() -> None:
    table = Table(completed=["g1"], counts={"kill": 5})
    assert missing_count(table, KILLS[1], CARDS) == 1
    assert missing_count(table, MORE_KILLS, CARDS) == 0
    unnamed = Table(completed=["a goal without a card"], counts={"kill": 2})
    assert missing_count(unnamed, KILLS[0], CARDS) == 1


@pytest.mark.clause("AB-PWR-3", "AB-GOAL-3")
def test_nothing_has_happened_at_a_table_that_is_not_set_up() -> None:
    assert [name for name, value in asdict(Table()).items() if value] == []


@pytest.mark.clause("AB-SET-6")
@pytest.mark.parametrize(("more", "places"), [(0, []), (1, ["/kit/camp_tokens_at_start"])])
def test_all_tokens_may_be_on_the_map_at_the_start_and_no_more(more: int, places: list[str]) -> None:
    shipped = shipped_ruleset("atomic-bonds")
    kit = replace(shipped.kit, camp_tokens_at_start=shipped.kit.camp_tokens + more)
    assert [fault.where for fault in faults_of_coop(replace(shipped, kit=kit))] == places
