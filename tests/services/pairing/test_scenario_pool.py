"""The scenario pool of an organiser: named scenarios must be in it, others are drawn from it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from services.pairing.plans import ByHand
from services.pairing.rounds import PairRound
from services.pairing.swiss_clocks import StartRound
from shared.formats.options import apply_options
from shared.formats.packs import load, shipped_ruleset, shipped_text
from shared.refusals import one_of
from shared.rules.model import Facts, ImpossibleResult, PackRefused
from shared.rules.parts import to_json
from shared.swiss.scoring import score_game
from shared.tournament import results
from tests.auditing import decided_again
from tests.services.pairing.stories import FALLOUT, Story

POOL = ("Confrontation", "Raid", "Melee")


def story_of(*pool: str, rounds: int = 6) -> Story:
    """Eight of Factions, who play scenarios of this pool."""
    story = Story(
        pack=to_json(apply_options(shipped_ruleset(FALLOUT), {"scenario_pool": ",".join(pool)})), rounds=rounds
    )
    story.join(8)
    return story


def failures(story: Story) -> list[str]:
    return [str(failure) for failure in decided_again(story.logs, "pairing")]


@pytest.mark.clause("FF-SET-4")
def test_a_scenario_outside_the_pool_is_refused_by_its_clause_and_one_inside_is_taken():
    story = story_of(*POOL)
    refusal = story.refusal(PairRound(scenario="Takeover"))
    assert (refusal.code, refusal.faults[0].where, refusal.faults[0].clause) == (
        "pairings-refused",
        "/scenario",
        "FF-SET-4",
    )
    assert refusal.faults[0].expected == one_of(["Confrontation", "Raid", "Melee"])
    *_, paired = story.do(PairRound(scenario="Chokepoint"))
    assert (paired.scenario, paired.draws[0].purpose) == ("Raid", "first-pairing")


@pytest.mark.clause("FF-SET-4")
def test_rounds_without_a_name_are_drawn_from_the_pool_each_scenario_once_before_any_comes_again():
    story = story_of(*POOL)
    scenarios = []
    for number in range(1, 7):
        *_, paired = story.do(PairRound())
        (draw,) = [draw for draw in paired.draws if draw.purpose == "scenario"]
        assert (draw.order[0], draw.round, draw.seed) == (paired.scenario, number, paired.seed)
        scenarios.append(paired.scenario)
        story.do(StartRound(round=number))
        for seat in story.seats(number):
            score_to(story, seat.game, paired.scenario)
        story.close(number)
    assert sorted(scenarios[:3]) == sorted(scenarios[3:]) == sorted(POOL)
    assert failures(story) == []


def score_to(story: Story, game: str, scenario: str) -> None:
    """A draw of nothing to nothing, which every scenario can end with but Escalation."""
    facts = {"points_1": 0, "points_2": 0, "scenario": scenario, "kind": "game"}
    story.scoring(
        results.ResultReported(round=story.round_of(game), game=game, facts=facts, side=1),
        results.ResultConfirmed(round=story.round_of(game), game=game, side=2),
    )


@pytest.mark.clause("FF-SET-4")
def test_an_audit_finds_a_scenario_that_was_not_drawn_and_one_outside_the_pool():
    for forged in ("Raid", "Takeover"):
        story = story_of("Confrontation", "Melee")
        story.do(PairRound())
        place = next(at for at, event in enumerate(story.logs["pairing"]) if event.type == "RoundPaired")
        recorded = story.logs["pairing"][place]
        drawn = story.state.rounds.rounds[1].scenario
        story.logs["pairing"][place] = type(recorded)(
            **{name: getattr(recorded, name) for name in recorded.__struct_fields__}
            | {"data": recorded.data.replace(f'"scenario":"{drawn}"', f'"scenario":"{forged}"')}
        )
        found = failures(story)
        assert any(f'with scenario \\"{forged}\\"' in failure or f'scenario "{forged}"' in failure for failure in found)
        assert any(f'scenario "{drawn}"' in failure for failure in found)


@pytest.mark.clause("FF-SET-4")
def test_results_keep_to_the_pool_too_where_every_table_has_its_own_scenario():
    ruleset = apply_options(shipped_ruleset(FALLOUT), {"scenario_pool": "Melee,Raid", "scenario_per": "table"})
    assert score_game(ruleset, Facts(points_1=3, points_2=3, scenario="Chokepoint")).outcome_1 == "draw"
    with pytest.raises(ImpossibleResult) as refused:
        score_game(ruleset, Facts(points_1=5, points_2=5, scenario="Takeover"))
    assert [(fault.where, fault.clause) for fault in refused.value.faults] == [("/scenario", "FF-SET-4")]


@pytest.mark.clause("FF-SET-4")
@pytest.mark.parametrize(
    ("pool", "advised"),
    [
        (("Confrontation", "Raid"), ["ranged"]),
        (("Melee", "Escalation", "Crossroads"), ["moving"]),
        (("Raid", "Melee"), []),
    ],
)
def test_a_pool_of_one_focus_is_advised_against_and_taken(serve, pool, advised):
    advice = serve(story_of(*pool)).get("/timetable").json["advice"]
    assert [row["said"] for row in advice if row["clause"] == "FF-SET-4"] == advised


def test_without_a_pool_all_eight_are_in_and_the_organiser_names_each():
    story = Story(pack=to_json(shipped_ruleset(FALLOUT)))
    story.join(4)
    assert story.refusal(PairRound()).code == "scenario-missing"
    assert story.do(PairRound(scenario="Takeover"))


def test_a_pool_of_a_pack_names_scenarios_of_the_pack():
    text = shipped_text(FALLOUT).replace("  scenario_per: round\n", "  scenario_per: round\n  pool: [Melee, Ambush]\n")
    with pytest.raises(PackRefused) as refused:
        load(text, "own.yaml")
    assert any("/result/pool/1" in fault.where and fault.said == "Ambush" for fault in refused.value.faults)


def test_the_rounds_by_hand_name_their_scenario():
    story = story_of(*POOL)
    games = [ByHand(player_1=one, player_2=two) for one, two in list(pairwise(f"p{n}" for n in range(1, 9)))[::2]]
    assert story.refusal(PairRound(pairings=games)).code == "scenario-missing"
