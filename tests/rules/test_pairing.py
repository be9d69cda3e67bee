"""Pairings: the bye, the brackets, the reasons."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.model import Entrant, Facts, Game, TooFewPlayers, draw_order
from shared.swiss.pairing import PairedRound, pair_round
from shared.swiss.scoring import score_game
from shared.swiss.standings import Standings, rank
from tests.examples import examples
from tests.rules.story import ARMADA, EXAMPLES, bye, entered, game_of_example, pairs_of, worth
from tests.rules.test_standings import STORIES, field_of


def met(paired: PairedRound) -> set[frozenset[str]]:
    """Return the opponents of a round."""
    return {frozenset(pairing.players) for pairing in paired.pairings if pairing.kind == "game"}


def sits_out(paired: PairedRound) -> str | None:
    """Return the player with the bye, which comes last."""
    last = paired.pairings[-1]
    return last.player_1 if last.kind == "bye" else None


@pytest.mark.clause("AR-EX-5", "AR-EX-6", "AR-EX-7", "AR-PAIR-3", "AR-PAIR-4", "AR-PAIR-5", "AR-PAIR-7")
@pytest.mark.clause("AR-AMB-2", "AR-AMB-12", "AR-AMB-16", "AR-AMB-17")
@pytest.mark.parametrize("id", STORIES)
@pytest.mark.parametrize("seed", ["1", "2", "3", "4", "5", "6"])
def test_pairings_of_the_worked_examples_whatever_the_draw(id: str, seed: str) -> None:
    example = EXAMPLES[id]
    games = [game_of_example(row) for row in example["games"]]
    for round, expected in example["rounds"].items():
        if "pairings" not in expected:
            continue
        paired = pair_round(ARMADA, field_of(example, round - 1), games, round=round, seed=seed)
        assert met(paired) in [pairs_of(pairs) for pairs in expected["pairings"]]
        assert sits_out(paired) == expected.get("bye")


@pytest.mark.clause("AR-EX-5", "AR-AMB-12")
def test_the_default_pairing_follows_the_order_of_the_draw() -> None:
    games = [game_of_example(row) for row in EXAMPLES["AR-EX-5"]["games"]]
    for seed in map(str, range(12)):
        paired = pair_round(ARMADA, entered("Ana", "Ben", "Cy", "Dee", "Eli"), games, round=2, seed=seed)
        first = draw_order(seed, "pairing", 2, ["Cy", "Dee"])[0]
        assert frozenset({"Eli", first}) in met(paired)


@pytest.mark.clause("AR-EX-8", "AR-PAIR-7", "AR-AMB-2")
@pytest.mark.parametrize("case", EXAMPLES["AR-EX-8"])
def test_recipients_of_the_bye_from_round_two_on(case: dict[str, Any]) -> None:
    games = [
        worth(1, player, f"out-{player}", points, 0, margin) for player, (points, margin) in case["values"].items()
    ]
    for seed in ("a", "b", "c", "d"):
        paired = pair_round(ARMADA, entered(*case["values"]), games, round=2, seed=seed)
        assert sits_out(paired) == draw_order(seed, "bye", 2, case["candidates"])[0]
        byes = [draw for draw in paired.draws if draw.purpose == "bye"]
        assert [set(draw.group) for draw in byes] == [set(case["candidates"])] * (len(case["candidates"]) > 1)


@pytest.mark.clause("AR-AMB-14")
def test_a_second_bye_is_possible_unless_the_organiser_avoids_it() -> None:
    games = [bye(1, "c"), worth(1, "a", "b", 10, 10), worth(2, "c", "a", 0, 8), bye(2, "b")]
    assert sits_out(pair_round(ARMADA, entered(*"abc"), games, round=3, seed="")) == "c"
    kind = apply_options(ARMADA, {"avoid_repeat_byes": True})
    assert sits_out(pair_round(kind, entered(*"abc"), games, round=3, seed="")) == "a"


@pytest.mark.clause("AR-AMB-13")
def test_the_bye_is_assigned_first_and_moves_only_if_allowed() -> None:
    games = [worth(1, "a", "b", 10, 0), worth(1, "c", "d", 6, 4)]
    paired = pair_round(ARMADA, [Entrant("a"), Entrant("b"), Entrant("c")], games, round=2, seed="")
    assert (sits_out(paired), met(paired)) == ("b", {frozenset("ac")})
    games = [worth(1, "a", "c", 10, 6), worth(2, "d", "e", 5, 5)]
    paired = pair_round(ARMADA, entered(*"abc"), [*games, worth(2, "b", "d", 1, 9)], round=3, seed="")
    assert (sits_out(paired), [pairing.rematch for pairing in paired.pairings]) == ("b", [True, False])
    assert paired.pairings[0].reason.endswith("; second meeting; fewest possible")
    kind = apply_options(ARMADA, {"bye_may_move": True})
    moved = pair_round(kind, entered(*"abc"), [*games, worth(2, "b", "d", 1, 9)], round=3, seed="")
    assert (sits_out(moved), [pairing.rematch for pairing in moved.pairings]) == ("c", [False, False])


@pytest.mark.clause("AR-AMB-13", "AR-AMB-24")
def test_the_last_two_players_meet_again() -> None:
    paired = pair_round(ARMADA, entered("a", "b"), [worth(1, "a", "b", 7, 3)], round=2, seed="")
    assert [(pairing.players, pairing.rematch) for pairing in paired.pairings] == [(("a", "b"), True)]


@pytest.mark.clause("AR-AMB-24")
def test_a_single_player_cannot_be_paired() -> None:
    with pytest.raises(TooFewPlayers) as refused:
        pair_round(ARMADA, entered("a"), [], round=1, seed="")
    assert refused.value.data == {"players": 1}


@pytest.mark.clause("AR-AMB-16", "AR-AMB-17", "AR-AMB-22")
def test_only_players_of_the_round_are_paired() -> None:
    entrants = [
        *entered("a", "b"),
        Entrant("dropped", status="dropped", dropped_after=1),
        Entrant("drops later", status="dropped", dropped_after=2),
        Entrant("out", status="disqualified"),
        Entrant("late", joined_round=2),
        Entrant("later", joined_round=3),
    ]
    paired = pair_round(ARMADA, entrants, [], round=2, seed="")
    assert {player for pairing in paired.pairings for player in pairing.players} == {"a", "b", "late", "drops later"}


@pytest.mark.clause("AR-PAIR-3", "AR-PAIR-4")
def test_a_pairing_has_a_reason() -> None:
    games = [worth(1, "a", "x", 8, 0), worth(1, "b", "y", 8, 0), worth(1, "c", "z", 8, 0), worth(1, "d", "w", 5, 0)]
    paired = pair_round(ARMADA, entered(*"abcd"), games, round=2, seed="")
    assert [pairing.reason for pairing in paired.pairings] == [
        "same group, 8 points",
        "paired down from 8 to 5 points",
    ]
    first = pair_round(ARMADA, entered(*"abc"), [], round=1, seed="")
    assert [pairing.reason for pairing in first.pairings] == [
        "drawn for the first round",
        "left over by the draw of the first round",
    ]


@pytest.mark.clause("DW-PAIR-3", "DW-PAIR-4")
def test_the_reason_of_a_pairing_by_standings_names_the_players_between() -> None:
    ruleset = shipped_ruleset("dust-warfare-1.0")

    def beat(round: int, one: str, two: str, points: int) -> Game:
        facts = Facts(points_1=points, points_2=0, winner=1)
        return Game(round, None, "game", one, two, facts, score_game(ruleset, facts))

    games = [beat(1, "a", "c", 90), beat(1, "b", "d", 80), beat(2, "a", "b", 70), beat(2, "c", "d", 60)]
    paired = pair_round(ruleset, entered(*"abcd"), games, round=3, seed="")
    assert [(pairing.players, pairing.reason) for pairing in paired.pairings] == [
        (("a", "d"), "nearest in the standings for a (a has met b and c), 20 and 6 points"),
        (("b", "c"), "next to each other in the standings, 13 and 13 points"),
    ]


@pytest.mark.clause("AR-PAIR-1", "AR-PAIR-6")
def test_different_seeds_give_different_first_rounds() -> None:
    field = entered(*(f"p{index}" for index in range(9)))
    rounds = [pair_round(ARMADA, field, [], round=1, seed=str(seed)) for seed in range(12)]
    assert len({frozenset(met(paired)) for paired in rounds}) > 6
    assert len({sits_out(paired) for paired in rounds}) > 3


@settings(max_examples=examples(60), deadline=None)
@given(some.integers(2, 9), some.randoms(use_true_random=False))
def test_whole_small_tournaments(size: int, chance: random.Random) -> None:
    """Every player plays once a round, rematches occur only if unavoidable, and input order has no effect."""
    field = entered(*(f"p{index}" for index in range(size)))
    games: list[Game] = []
    for round in range(1, 5):
        paired = pair_round(ARMADA, field, games, round=round, seed="s")
        again = pair_round(ARMADA, chance.sample(field, size), chance.sample(games, len(games)), round=round, seed="s")
        assert again == paired
        assert sorted(player for pairing in paired.pairings for player in pairing.players) == sorted(
            entrant.player for entrant in field
        )
        for pairing in paired.pairings:
            if pairing.player_2 is None:
                games.append(bye(round, pairing.player_1))
            else:
                points = chance.randint(5, 10)
                games.append(worth(round, pairing.player_1, pairing.player_2, points, 10 - points, points))


def test_the_next_round_of_a_real_tournament(real: tuple[list[Entrant], list[Game], Standings]) -> None:
    entrants, games, standings = real
    ruleset = shipped_ruleset("star-wars-armada-400")
    paired = pair_round(ruleset, entrants, games, round=5, seed="s")
    assert paired == pair_round(ruleset, entrants, games, round=5, seed="s", standings=standings)
    assert len(paired.pairings) == 73
    assert not any(pairing.rematch for pairing in paired.pairings)
    points = {row.player: row.values["tournament_points"] for row in standings.rows}
    leading_down = [
        points[pairing.player_1]
        for pairing in paired.pairings
        if pairing.player_2 and points[pairing.player_1] != points[pairing.player_2]
    ]
    assert len(leading_down) == len(set(leading_down)), "nobody floats where an even number was left"


@pytest.mark.clause("AR-AMB-16")
def test_a_voided_meeting_is_still_a_meeting() -> None:
    void = apply_options(ARMADA, {"dq_opponent_results": "void_games"})
    entrants = [*entered("a", "b"), Entrant("x", status="disqualified")]
    games = [worth(1, "a", "b", 10, 0), worth(2, "a", "x", 10, 0)]
    assert pair_round(void, entrants, games, round=3, seed="").pairings[0].rematch
    assert short_points(void, entrants, games) == {"a": 10, "b": 0}


def short_points(ruleset: Any, entrants: list[Entrant], games: list[Game]) -> dict[str, object]:
    rows = rank(ruleset, entrants, games, round=2, seed="").rows
    return {row.player: row.values["tournament_points"] for row in rows}


@pytest.mark.clause("AR-PAIR-2")
def test_travel_partners_do_not_meet_in_round_one_if_possible() -> None:
    partners = [("a", "b"), ("c", "d")]
    for seed in map(str, range(10)):
        paired = pair_round(ARMADA, entered(*"abcd"), [], round=1, seed=seed, apart=partners)
        assert not met(paired) & {frozenset(pair) for pair in partners}
    family = [("a", "b"), ("a", "c"), ("b", "c")]
    paired = pair_round(ARMADA, entered(*"abcd"), [], round=1, seed="", apart=[*family, ("a", "d")])
    assert not any(pairing.rematch for pairing in paired.pairings)


def test_a_round_is_plain_json() -> None:
    paired = pair_round(ARMADA, entered(*"abc"), [], round=1, seed="")
    assert msgspec.convert(msgspec.to_builtins(paired), PairedRound) == paired
