"""Step 5: searches of buildings by mutants."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from shared.campaign.post_game_outcomes import ItemGained
from shared.campaign.roster import Group
from shared.campaign.scavenging import search_building
from shared.campaign.tables import Rules
from shared.campaign.words import ChoiceRefused
from shared.tournament.draws import SeededDraws
from tests.campaign.story import LOTS, RULES, kinds, of_kind, refused, rules, shop, then, thrown


@pytest.mark.clause("FS-SPC-5")
@pytest.mark.parametrize(
    ("total", "found"),
    [
        *((3, "gatling_laser"), (5, "laser_rifle"), (8, "assault_rifle_chinese"), (9, "hunting_rifle")),
        *((11, "baseball_bat_sledgehammer_nail_board"), (13, "frag_grenade"), (16, "combat_shotgun")),
        *((18, "ripper"), (19, "plasma_grenade")),
    ],
)
def test_finds_in_buildings(total: int, found: str) -> None:
    group = shop(force="super_mutants")
    events = search_building(RULES, group, ["m-2", "m-3"], thrown(total // 2, total - total // 2), LOTS)
    assert [gained.item.good for gained in of_kind(events, ItemGained)] == [found]
    assert then(group, events).phase.acted == {"m-2": ("searched",), "m-3": ("searched",)}


@pytest.mark.clause("FS-SPC-5", "FS-INJ-1", "FS-DICE-4")
def test_centaurs_and_traps() -> None:
    group = shop(force="super_mutants")
    assert then(group, search_building(RULES, group, ["m-2", "m-3"], thrown(1, 1), LOTS)).centaurs == 1
    full = replace(group, centaurs=3)
    assert kinds(search_building(RULES, full, ["m-2", "m-3"], thrown(1, 1), LOTS)) == [
        *("DieRolled", "BuildingSearched", "MemberActed", "MemberActed")
    ]
    hurt = {
        then(group, search_building(RULES, group, ["m-2", "m-3"], thrown(10, 12), SeededDraws(str(seed)))).phase.injured
        for seed in range(20)
    }
    assert hurt == {("m-2",), ("m-3",)}


@pytest.mark.clause("FS-SPC-5", "FS-PGP-4", "FS-AMB-57")
def test_restrictions_of_searching() -> None:
    group = shop(force="super_mutants", acted={"m-2": ("scavenged",)})

    def wrong(*searchers: str, who: Group = group, ruleset: Rules = RULES) -> Any:
        return refused(ChoiceRefused, search_building, ruleset, who, searchers, thrown(5, 5), LOTS)

    assert wrong("m-2", "m-3") == [("/members/m-2", "FS-PGP-4")]
    ruleset = rules(spc__scary_who="any_participant")
    assert search_building(ruleset, group, ["m-2", "m-3"], thrown(5, 5), LOTS)
    assert wrong("m-3") == [("/searchers", "FS-SPC-5")]
    assert wrong("m-3", "m-3") == [("/searchers", "FS-SPC-5")]
    assert wrong("m-3", "m-4", who=shop())[0] == ("/force", "FS-SPC-5")
    once = then(group, search_building(RULES, group, ["m-3", "m-4"], thrown(5, 5), LOTS))
    assert wrong("m-3", "m-4", who=once) == [("/members/m-3", "FS-PGP-4"), ("/members/m-4", "FS-PGP-4")]
