"""Round robin: Berger tables cell by cell, complete fields of 3 to 24, drops, numbers, the crosstable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, groupby
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from msgspec.structs import replace

from shared.formats.options import apply_options
from shared.formats.packs import shipped_swiss
from shared.rules.model import Entrant, Facts, Game, RoundsNotFixed
from shared.swiss.pairing import PairedRound, pair_round
from shared.swiss.rounds import berger_table, crosstable, number_of_rounds
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game
from shared.swiss.standings import rank
from tests.examples import examples
from tests.rules.documents import blocks

SINGLE = shipped_swiss("round-robin")
DOUBLE = apply_options(SINGLE, {"cycles": "double"})
SEEDED = apply_options(SINGLE, {"numbers": "seeded"})
DOUBLE_SEEDED = apply_options(DOUBLE, {"numbers": "seeded"})
PRINTED = {
    size: [[tuple(map(int, pair.split("-"))) for pair in line.split()] for line in lines]
    for size, lines in blocks("berger_tables")["RR-TAB-1"].items()
}
sizes = some.integers(3, 24)
few = settings(max_examples=examples(30), deadline=None)


def field(size: int) -> list[Entrant]:
    return [Entrant(f"p{number}") for number in range(1, size + 1)]


def results(ruleset: Ruleset, paired: PairedRound, chance: Random) -> list[Game]:
    """Return every game of a round with a random result."""
    games = []
    for pairing in paired.pairings:
        scores = chance.choice([(1, 0), (0, 1), (1, 1)])
        facts = Facts("bye") if pairing.kind == "bye" else Facts(points_1=scores[0], points_2=scores[1])
        score = score_game(ruleset, facts)
        games.append(Game(paired.round, None, pairing.kind, pairing.player_1, pairing.player_2, facts, score))
    return games


def played(ruleset: Ruleset, entrants: Sequence[Entrant], seed: str = "s") -> list[PairedRound]:
    """Return every planned round, each paired from the earlier results with its own seed."""
    rounds: list[PairedRound] = []
    games: list[Game] = []
    chance = Random(seed)
    for round in range(1, (number_of_rounds(ruleset, len(entrants)) or 0) + 1):
        rounds.append(pair_round(ruleset, entrants, games, round=round, seed=f"{seed}{round}"))
        games += results(ruleset, rounds[-1], chance)
    return rounds


def games_in(rounds: Iterable[PairedRound]) -> list[tuple[str, str]]:
    return [(p.player_1, p.player_2 or "") for paired in rounds for p in paired.pairings if p.kind == "game"]


@pytest.mark.clause("RR-TAB-1", "RR-TAB-3")
@pytest.mark.parametrize("size", PRINTED)
def test_the_tables_are_those_of_the_document_cell_by_cell(size: int) -> None:
    assert berger_table(size) == PRINTED[size]


@pytest.mark.clause("RR-DBL-1", "RR-DBL-2")
@pytest.mark.parametrize("size", PRINTED)
def test_the_second_cycle_swaps_sides_and_the_first_reverses_its_last_two_rounds(size: int) -> None:
    printed = PRINTED[size]
    first = [*printed[:-2], printed[-1], printed[-2]]
    assert berger_table(size, 2) == first + [[(two, one) for one, two in pairs] for pairs in printed]


@pytest.mark.clause("RR-TAB-1", "RR-TAB-2", "RR-RND-1", "RR-NUM-1", "RR-NUM-2")
@pytest.mark.parametrize("ruleset", [SINGLE, SEEDED], ids=["drawn", "seeded"])
@few
@given(size=sizes, seed=some.text("abc", max_size=4))
def test_all_players_meet_once_with_one_bye_each_in_an_odd_field(ruleset: Ruleset, size: int, seed: str) -> None:
    rounds = played(ruleset, field(size), seed)
    assert len(rounds) == (size if size % 2 else size - 1)
    for paired in rounds:
        assert sorted(p for pairing in paired.pairings for p in pairing.players) == sorted(
            e.player for e in field(size)
        )
        assert all(pairing.reason and not pairing.rematch for pairing in paired.pairings)
    met = Counter(map(frozenset, games_in(rounds)))
    assert met == Counter(map(frozenset, combinations([e.player for e in field(size)], 2)))
    byes = Counter(p.player_1 for paired in rounds for p in paired.pairings if p.kind == "bye")
    assert byes == Counter({e.player: 1 for e in field(size)} if size % 2 else {})


@pytest.mark.clause("RR-DBL-1", "RR-TAB-2", "RR-RND-1")
@pytest.mark.parametrize("ruleset", [DOUBLE, DOUBLE_SEEDED], ids=["drawn", "seeded"])
@few
@given(size=sizes, seed=some.text("abc", max_size=4))
def test_in_a_double_round_robin_all_players_meet_once_on_each_side(ruleset: Ruleset, size: int, seed: str) -> None:
    rounds = played(ruleset, field(size), seed)
    assert len(rounds) == 2 * (size if size % 2 else size - 1)
    ids = [entrant.player for entrant in field(size)]
    assert Counter(games_in(rounds)) == Counter((one, two) for one in ids for two in ids if one != two)
    assert not any(pairing.rematch for paired in rounds for pairing in paired.pairings)
    byes = Counter(p.player_1 for paired in rounds for p in paired.pairings if p.kind == "bye")
    assert byes == Counter(dict.fromkeys(ids, 2) if size % 2 else {})


def longest(sides: Iterable[bool]) -> int:
    return max(len(list(run)) for _, run in groupby(sides))


@pytest.mark.clause("RR-TAB-3", "RR-DBL-2")
@pytest.mark.parametrize("size", range(4, 25, 2))
def test_sides_are_balanced_and_never_three_times_the_same(size: int) -> None:
    for cycles in (1, 2):
        table = berger_table(size, cycles)
        for number in range(1, size + 1):
            sides = [number == one for pairs in table for one, two in pairs if number in (one, two)]
            assert abs(sides.count(True) - sides.count(False)) == (1 if cycles == 1 else 0)
            assert longest(sides) <= 2
    straight = berger_table(size)
    exchanged = [[(two, one) for one, two in pairs] for pairs in straight]
    sides = [one == 1 for pairs in straight + exchanged for one, two in pairs if 1 in (one, two)]
    assert longest(sides) == 3, "without the reversal number 1 has one side three times"


@pytest.mark.clause("RR-NUM-2", "RR-TAB-1")
def test_seeded_numbers_follow_the_order_of_entry() -> None:
    rounds = played(SEEDED, field(12))
    for paired, pairs in zip(rounds, PRINTED[12], strict=True):
        assert games_in([paired]) == [(f"p{one}", f"p{two}") for one, two in pairs]


@pytest.mark.clause("RR-NUM-2")
def test_ids_with_equal_numbers_are_ordered() -> None:
    entrants = [Entrant(player) for player in ("p01", "p1", "p001", "p2")]
    assert games_in(played(SEEDED, entrants)[:1]) == [("p001", "p2"), ("p01", "p1")]


@pytest.mark.clause("RR-TAB-2", "RR-NUM-2")
def test_an_odd_field_uses_the_table_of_the_next_even_size() -> None:
    for paired, pairs in zip(played(SEEDED, field(5)), PRINTED[6], strict=True):
        assert games_in([paired]) == [(f"p{one}", f"p{two}") for one, two in pairs if 6 not in (one, two)]
        (bye,) = [p.player_1 for p in paired.pairings if p.kind == "bye"]
        assert [f"p{one + two - 6}" for one, two in pairs if 6 in (one, two)] == [bye]


@pytest.mark.clause("RR-NUM-2")
@given(size=sizes)
@few
def test_a_seeded_round_1_determines_the_numbers(size: int) -> None:
    rounds = played(SEEDED, field(size))
    games = [game for paired in rounds[:2] for game in results(SEEDED, paired, Random(size))]
    assert pair_round(SINGLE, field(size), games, round=3, seed="").pairings == rounds[2].pairings


@pytest.mark.clause("RR-NUM-1")
def test_drawn_numbers_depend_only_on_the_pairings_of_round_1() -> None:
    pairs = {tuple(games_in(played(SINGLE, field(6), seed)[1:2])) for seed in "abcdefgh"}
    assert len(pairs) > 4
    first = pair_round(SINGLE, field(6), [], round=1, seed="a")
    games = results(SINGLE, first, Random(1))
    again = [pair_round(SINGLE, field(6), games[::-1], round=2, seed=seed).pairings for seed in "xyz"]
    assert again[0] == again[1] == again[2]
    assert {draw.purpose for draw in first.draws} == {"first-pairing"}


@pytest.mark.clause("RR-NUM-1", "RR-TAB-1")
def test_a_manual_round_1_determines_its_own_table() -> None:
    facts = Facts(points_1=1, points_2=0)
    score = score_game(SINGLE, facts)
    hand = [("p4", "p1"), ("p6", "p3"), ("p2", "p5")]
    games = [Game(1, None, "game", one, two, facts, score) for one, two in hand]
    chance, met = Random(2), {frozenset(pair) for pair in hand}
    for round in range(2, 6):
        paired = pair_round(SINGLE, field(6), games, round=round, seed="")
        games += results(SINGLE, paired, chance)
        met |= set(map(frozenset, games_in([paired])))
    assert len(met) == 15


@pytest.mark.clause("RR-OUT-1", "RR-AMB-2")
@few
@given(size=some.integers(4, 12), data=some.data())
def test_players_who_left_cause_byes_and_other_pairings_stay(size: int, data: some.DataObject) -> None:
    entrants, ruleset = field(size), data.draw(some.sampled_from([SINGLE, SEEDED, DOUBLE]))
    gone = data.draw(some.sampled_from(entrants)).player
    after = data.draw(some.integers(1, (number_of_rounds(ruleset, size) or 0) - 1))
    whole = played(ruleset, entrants)
    games = [game for paired in whole[:after] for game in results(ruleset, paired, Random(3))]
    left = [replace(e, status="dropped", dropped_after=after) if e.player == gone else e for e in entrants]
    for due in whole[after:]:
        paired = pair_round(ruleset, left, games, round=due.round, seed="other")
        assert games_in([paired]) == [pair for pair in games_in([due]) if gone not in pair]
        without = {p.player_1 for p in paired.pairings if p.kind == "bye"}
        had = {p.player_1 for p in due.pairings if p.kind == "bye"}
        assert without == (had | {other for pair in games_in([due]) if gone in pair for other in pair}) - {gone}
        games += results(ruleset, paired, Random(4))
    bye = score_game(ruleset, Facts("bye"))
    assert (bye.outcome_1, bye.values_1["half_points"]) == ("win", 2)


@pytest.mark.clause("RR-OUT-1", "RR-OUT-2")
def test_reasons_name_absent_opponents_and_earlier_results_stay() -> None:
    whole = played(SEEDED, field(4))
    games = results(SEEDED, whole[0], Random(5))
    left = [replace(e, status="dropped", dropped_after=1) if e.player == "p4" else e for e in field(4)]
    paired = pair_round(SEEDED, left, games, round=2, seed="")
    assert [(p.kind, p.players, p.reason) for p in paired.pairings] == [
        ("game", ("p1", "p2"), "numbers 1 and 2 of the table"),
        ("bye", ("p3",), "number 3 of the table meets number 4, p4, who does not play"),
    ]
    rows = {row.player: row for row in rank(SEEDED, left, games, round=1, seed="").rows}
    assert rows["p4"].status == "dropped"
    assert {game.player_2 for game in games if game.player_1 == "p1"} == {"p4"}
    assert rows["p1"].values["points"] + rows["p4"].values["points"] == 1


@pytest.mark.clause("RR-OUT-1")
@pytest.mark.parametrize("kind", ["no_show", "forfeit"])
def test_an_absent_player_loses_whatever_a_bye_is_worth(kind: str) -> None:
    ruleset = apply_options(SINGLE, {"bye_half_points": 0})
    score = score_game(ruleset, Facts(kind, conceded_by=2))  # type: ignore[arg-type]
    assert (score.values_1["half_points"], score.values_2["half_points"]) == (2, 0)
    assert score_game(ruleset, Facts("bye")).values_1["half_points"] == 0


@pytest.mark.clause("RR-RND-1")
def test_a_round_beyond_the_table_is_refused() -> None:
    games = [game for paired in played(SINGLE, field(4)) for game in results(SINGLE, paired, Random(6))]
    with pytest.raises(RoundsNotFixed) as refused:
        pair_round(SINGLE, field(4), games, round=4, seed="")
    assert refused.value.data == {"rounds": 3}
    assert [number_of_rounds(SINGLE, size) for size in (3, 4, 5, 24, 25)] == [3, 3, 5, 23, None]
    assert [number_of_rounds(DOUBLE, size) for size in (3, 4, 5, 24, 25)] == [6, 6, 10, 46, None]
    with pytest.raises(RoundsNotFixed):
        number_of_rounds(SINGLE, 2)


@pytest.mark.clause("RR-AMB-4")
def test_a_player_missing_in_round_1_has_no_number() -> None:
    games = results(SINGLE, pair_round(SINGLE, field(4), [], round=1, seed=""), Random(7))
    with pytest.raises(RoundsNotFixed) as refused:
        pair_round(SINGLE, field(5), games, round=2, seed="")
    assert refused.value.data == {"players": ["p5"]}


def test_an_early_meeting_is_reported_and_the_table_continues() -> None:
    whole = played(SEEDED, field(4))
    games = results(SEEDED, whole[0], Random(8))
    facts = Facts(points_1=1, points_2=0)
    score = score_game(SEEDED, facts)
    games += [Game(2, None, "game", one, two, facts, score) for one, two in [("p2", "p4"), ("p3", "p1")]]
    third = pair_round(SEEDED, field(4), games, round=3, seed="")
    assert [(p.players, p.rematch) for p in third.pairings] == [(("p2", "p4"), True), (("p3", "p1"), True)]
    assert "before their turn" in third.pairings[0].reason


@pytest.mark.clause("RR-DOC-1", "RR-PTS-1")
def test_the_crosstable_has_points_by_opponent_in_round_order() -> None:
    def game(round: int, one: str, two: str, *points: int) -> Game:
        facts = Facts(points_1=points[0], points_2=points[1])
        return Game(round, None, "game", one, two, facts, score_game(DOUBLE, facts))

    bye = Game(1, None, "bye", "c", None, Facts("bye"), score_game(DOUBLE, Facts("bye")))
    games = [game(4, "b", "a", 2, 2), game(1, "a", "b", 3, 0), game(2, "c", "a", 5, 1), bye]
    assert crosstable(DOUBLE, ["a", "b", "c"], games, round=4) == {
        "a": {"b": [1, "0.5"], "c": [0]},
        "b": {"a": [0, "0.5"]},
        "c": {"a": [1]},
    }
    assert crosstable(DOUBLE, ["a", "c"], games, round=1) == {"a": {"b": [1]}, "c": {}}


@pytest.mark.clause("RR-DOC-1")
@few
@given(size=sizes)
def test_crosstable_cells_and_byes_add_up_to_the_points(size: int) -> None:
    games = [game for paired in played(SINGLE, field(size)) for game in results(SINGLE, paired, Random(size))]
    last = max(game.round for game in games)
    rows = rank(SINGLE, field(size), games, round=last, seed="").rows
    cells = crosstable(SINGLE, [row.player for row in rows], games, round=last)
    for row in rows:
        assert len(cells[row.player]) == size - 1
        halves = sum(2 * float(worth) for against in cells[row.player].values() for worth in against)
        assert halves + 2 * (size % 2) == 2 * row.values["points"]


@pytest.mark.clause("RR-OUT-2")
@pytest.mark.parametrize(
    ("left_games", "rounds", "points"),
    [
        ("count", 2, {"a": 1, "b": 1, "f": 0}),
        ("below_half", 2, {"a": 0, "b": 0, "f": 0}),
        ("below_half", 3, {"a": 1, "b": 1, "c": 1, "f": 0}),
        ("struck_out", 3, {"a": 0, "b": 0, "c": 0, "f": 0}),
    ],
)
def test_games_of_a_player_who_left_count_or_are_struck_out(
    left_games: str, rounds: int, points: dict[str, int]
) -> None:
    """Of six players, f loses to a, b and c, and leaves. No other game was played."""
    ruleset = apply_options(SINGLE, {"left_games": left_games})
    reported = Facts(points_1=1, points_2=0)
    score = score_game(ruleset, reported)
    games = [Game(n, None, "game", name, "f", reported, score) for n, name in enumerate("abc"[:rounds], 1)]
    games += [Game(1, None, "game", one, two, Facts("double_no_show"), score_game(ruleset, Facts("double_no_show")))
              for one, two in ("bc", "de")]  # fmt: skip
    field = [Entrant(name) for name in "abcde"] + [Entrant("f", status="dropped", dropped_after=rounds)]
    rows = rank(ruleset, field, games, round=rounds, seed="s").rows
    assert {row.player: row.values["points"] for row in rows if row.player in points} == points
