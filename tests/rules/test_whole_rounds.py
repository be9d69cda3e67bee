"""Whole rounds under every ruleset, including byes, compared with all pairings; awkward fields of up to 40."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from shared.formats.packs import load
from shared.rules.matching import meetings, optimal_pairing
from shared.rules.model import Entrant, Facts, Game
from shared.swiss import registries
from shared.swiss.pairing import pair_round
from shared.swiss.rounds import number_of_rounds, robin_cycles
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game
from tests.examples import examples
from tests.rules.story import met_once
from tests.rules.test_brackets import cost, every_pairing
from tests.rules.tournaments import RULESETS

PROCEDURES = [name for name, kind in registries.PAIRING_POLICIES.items() if name != "random" and not kind.cycles]
CHESS = load((Path(__file__).parents[2] / "docs/examples/chess-club.yaml").read_text("utf-8"), "chess-club.yaml")
SCENARIO = {"fallout-factions-comp-1.0": "Melee"}


def reported(ruleset: Ruleset, pairing_kind: str, chance: random.Random) -> Facts:
    """Facts that may be reported under the ruleset: a bye, or a game that one side or the other wins."""
    scenario = SCENARIO.get(ruleset.id, "")
    if pairing_kind == "bye":
        return Facts("bye", scenario=scenario)
    points = chance.sample([0, 2], 2)
    facts = {"winner": 1 if points[0] else 2} if "winner" in ruleset.result.fields else {}
    if "second_player" in ruleset.result.fields:
        facts["second_player"] = 1
    return Facts(points_1=points[0], points_2=points[1], scenario=scenario, **facts)


@pytest.mark.clause("AR-PAIR-5", "AR-AMB-13", "DW-PAIR-4", "FF-PAIR-6", "FF-AMB-10")
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
@settings(max_examples=examples(25), deadline=None)
@given(size=some.integers(3, 10), chance=some.randoms(use_true_random=False))
def test_rounds_are_complete_without_avoidable_rematches(ruleset: Ruleset, size: int, chance: random.Random) -> None:
    field = [Entrant(f"p{index}") for index in range(size)]
    games: list[Game] = []
    last = number_of_rounds(ruleset, size) if robin_cycles(ruleset) else size
    for round in range(1, min(last or size, 6) + 1):
        paired = pair_round(ruleset, field, games, round=round, seed="s")
        assert sorted(player for pairing in paired.pairings for player in pairing.players) == [e.player for e in field]
        assert [pairing.kind for pairing in paired.pairings].count("bye") == size % 2
        assert all(pairing.reason for pairing in paired.pairings)
        met = meetings(games, round, ruleset.played)
        pairs = [(one, two) for one, two in (p.players for p in paired.pairings if p.kind == "game")]
        group = [sorted(player for pair in pairs for player in pair)]
        least = min(cost(group, met, others)[:3] for others in every_pairing(group[0]))
        assert cost(group, met, pairs)[:3] == least
        assert sum(pairing.rematch for pairing in paired.pairings) == least[0]
        for pairing in paired.pairings:
            facts = reported(ruleset, pairing.kind, chance)
            score = score_game(ruleset, facts)
            games.append(Game(round, None, pairing.kind, pairing.player_1, pairing.player_2, facts, score))


@pytest.mark.clause("AR-AMB-12")
@pytest.mark.parametrize("policy", PROCEDURES)
@settings(max_examples=examples(12), deadline=None)
@given(size=some.integers(6, 20).map(lambda half: 2 * half), chance=some.randoms(use_true_random=False))
def test_late_rounds_of_up_to_forty_players_have_the_exact_cost(policy: str, size: int, chance: random.Random) -> None:
    points = dict.fromkeys([f"p{index:02}" for index in range(size)], 0)
    met: dict[str, set[str]] = {player: set() for player in points}
    kind = registries.PAIRING_POLICIES[policy]
    for _ in range(min(size - 1, 18)):
        ranked = sorted(points, key=lambda player: (-points[player], player))
        groups = kind.group(ranked, points)
        known = met_once(met)
        pairs = kind.pair(groups, known)
        assert sorted(player for pair in pairs for player in pair) == sorted(points)
        assert cost(groups, known, pairs) == cost(groups, known, optimal_pairing(groups, known).pairs)
        for one, two in pairs:
            met[one].add(two)
            met[two].add(one)
            points[chance.choice((one, two))] += 1


@pytest.mark.parametrize(("size", "rounds", "times"), [(4, 12, {4}), (5, 15, {3}), (6, 14, {2, 3}), (16, 17, {1, 2})])
def test_rounds_after_a_full_cycle_spread_rematches_evenly(size: int, rounds: int, times: set[int]) -> None:
    chance = random.Random(size)
    field = [Entrant(f"p{index}") for index in range(size)]
    games: list[Game] = []
    for round in range(1, rounds + 1):
        for pairing in pair_round(CHESS, field, games, round=round, seed="s").pairings:
            facts = reported(CHESS, pairing.kind, chance)
            score = score_game(CHESS, facts)
            games.append(Game(round, None, pairing.kind, pairing.player_1, pairing.player_2, facts, score))
        met = meetings(games, round)
        assert not any(
            game.round == round and met[game.player_1][game.player_2].running for game in games if game.player_2
        )
    counted = {again.earlier for others in meetings(games, rounds + 1).values() for again in others.values()}
    assert counted == times
