"""Tiebreakers on small published examples, each with its source; whole events are in `test_own_packs`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from shared.rules.model import PLAYED, Facts, Game, Outcome, Score, Value
from shared.rules.tiebreakers import TIEBREAKERS, Criterion, Played, Records, records_of

OUTCOMES: dict[str, Outcome] = {"W": "win", "D": "draw", "L": "loss", "B": "win"}


def season(wins: int, losses: int, draws: int = 0, byes: int = 0) -> list[Played]:
    """Return rounds against unnamed opponents, worth 3, 0 and 1 points."""
    results = "B" * byes + "W" * (wins - byes) + "L" * losses + "D" * draws
    worth = {"W": 3, "B": 3, "L": 0, "D": 1}
    return [
        Played(round, None if said == "B" else "anybody", OUTCOMES[said], {"points": worth[said]}, said == "B")
        for round, said in enumerate(results, 1)
    ]


def met(*opponents: str | None, outcomes: str = "") -> list[Played]:
    """Return rounds against these opponents; None is a bye."""
    results = outcomes or "W" * len(opponents)
    return [
        Played(round, other, OUTCOMES[said], {}, other is None)
        for round, (other, said) in enumerate(zip(opponents, results, strict=True), 1)
    ]


def worth(piece: str, records: Records, player: str, **settings: Any) -> Value:
    rule = Criterion(column="value", piece=piece, clause="own", **{"of": "points", **settings})
    return sum(TIEBREAKERS[piece].shares(records, list(records), rule)(player))


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "byes", "expected"),
    [(5, 2, 1, 0, Fraction(16, 24)), (1, 3, 0, 0, Fraction(3, 12)), (3, 2, 0, 1, Fraction(9, 15))],
)
def test_match_win_percentage(wins: int, losses: int, draws: int, byes: int, expected: Fraction) -> None:
    """Source: Magic: The Gathering Tournament Rules, appendix C, the three players of an eight-round tournament."""
    assert worth("match_win", {"player": season(wins, losses, draws, byes)}, "player", full=3) == expected


def test_opponents_match_win_percentage_with_a_floor() -> None:
    """Source: Guild Wars Wiki, "Match win percentage": 2-1-1 against 2-2-0, 1-2-1, 3-1-0 and 0-4-0 gives 0.46.

    The wiki's floor is 0.33 and its sum 1.83 is made of rounded parts; the exact floor here is a third.
    """
    records = {"a": season(2, 2), "b": season(1, 2, 1), "c": season(3, 1), "d": season(0, 4)}
    records["player"] = met("a", "b", "c", "d", outcomes="WLDW")
    records["anybody"] = []
    found = worth("opponents_match_win", records, "player", full=3, floor="1/3")
    assert found == (Fraction(6, 12) + Fraction(4, 12) + Fraction(9, 12) + Fraction(1, 3)) / 4
    assert worth("opponents_match_win", records, "player", full=3) == Fraction(19, 48)
    records["player"] = met("a", None, "c", outcomes="WBW")
    assert worth("opponents_match_win", records, "player", full=3, floor="1/3") == Fraction(15, 24)


@pytest.mark.parametrize(
    ("games", "expected"),
    [([(2, 0, 0)], (6, 0)), ([(2, 1, 0)], (6, 3)), ([(2, 0, 1)], (7, 1))],
)
def test_game_points(games: list[tuple[int, int, int]], expected: tuple[int, int]) -> None:
    """Source: Magic: The Gathering Tournament Rules, appendix C, "Game points": 2-0-0, 2-1-0 and 2-0-1."""
    records: dict[str, list[Played]] = {"one": [], "two": []}
    for round, (won, lost, drawn) in enumerate(games, 1):
        ours, theirs = {"games": won, "drawn": drawn}, {"games": lost, "drawn": drawn}
        records["one"].append(Played(round, "two", "win", ours, False, theirs))
        records["two"].append(Played(round, "one", "loss", theirs, False, ours))
    possible = 3 * sum(sum(match) for match in games)
    settings = {"of": "games", "drawn": "drawn", "full": 3}
    for player, other, points in [("one", "two", expected[0]), ("two", "one", expected[1])]:
        assert worth("game_win", records, player, **settings) == Fraction(points, possible)
        floor = max(Fraction(1, 3), Fraction(points, possible))
        assert worth("opponents_game_win", records, other, floor="1/3", **settings) == floor
        assert worth("game_win", records, player, floor="1/3", **settings) == floor
        assert worth("game_win", {"one": []}, "one", floor="1/3", **settings) == 0


def test_the_floor_applies_to_own_matches() -> None:
    """Source: Magic: The Gathering Tournament Rules, appendix C: no match-win percentage counts for less than 0.33."""
    assert worth("match_win", {"player": season(0, 4)}, "player", full=3, floor="1/3") == Fraction(1, 3)
    assert worth("match_win", {"player": season(2, 2)}, "player", full=3, floor="1/3") == Fraction(1, 2)


def test_median_buchholz() -> None:
    """Source: Rapptz, "How Median-Buchholz tie breaker works": 4 2 3 4 5 6 without 6 and 2 is 16."""
    records: dict[str, list[Played]] = {
        f"o{index}": [Played(1, None, "win", {"points": points}, False)]
        for index, points in enumerate([4, 2, 3, 4, 5, 6])
    }
    records["player"] = met(*records)
    assert worth("buchholz", records, "player", cut_lowest=1, cut_highest=1) == 16
    assert worth("buchholz", records, "player", cut_lowest=1) == 22
    assert worth("buchholz", records, "player") == worth("schedule_sum", records, "player") == 24
    assert worth("schedule_average", records, "player") == 4
    assert worth("schedule_extended", records, "player") == 0
    assert worth("buchholz", records, "player", cut_lowest=9, cut_highest=9) == 0


def test_a_round_without_an_opponent_is_cut_first() -> None:
    records = {"a": season(1, 0), "b": season(2, 0), "player": met("a", None, "b", outcomes="WBW"), "anybody": []}
    assert worth("buchholz", records, "player") == worth("buchholz", records, "player", cut_lowest=1) == 9


def test_cumulative_score() -> None:
    """Source: Sydney Academy of Chess, "Tiebreak System": win, loss, win, draw gives 1 + 1 + 2 + 2½ = 6½."""
    values = {"W": 2, "D": 1, "L": 0}
    rounds = [Played(round, "x", OUTCOMES[said], {"points": values[said]}, False) for round, said in enumerate("WLWD")]
    assert Fraction(worth("cumulative", {"player": rounds, "x": []}, "player"), 2) == Fraction(13, 2)


def test_sonneborn_berger_in_two_games_with_each() -> None:
    """Source: Sensei's Library, "Sonneborn-Berger": A 11, B 9, C 6, D 4."""
    table = {"A": "BCDBCD WWWLWL", "B": "ACDACD LWWWLW", "C": "ABDABD LLWLWW", "D": "ABCABC LLLWLL"}
    table |= {"A": "BCDBCD WWWLWL", "D": "ABCABC LLLWLL"}
    records = {}
    for player, line in table.items():
        others, outcomes = line.split()
        records[player] = [
            Played(round, other, OUTCOMES[said], {"points": int(said == "W")}, False)
            for round, (other, said) in enumerate(zip(others, outcomes, strict=True), 1)
        ]
    assert [worth("total", records, player) for player in "ABCD"] == [4, 4, 3, 1]
    assert [worth("sonneborn_berger", records, player) for player in "ABCD"] == [11, 9, 6, 4]


def against_totals(totals: list[int], outcomes: str = "") -> Records:
    """Return records of a player whose opponents ended with these totals."""
    records = {f"o{index}": [Played(1, None, "win", {"points": total}, False)] for index, total in enumerate(totals)}
    return {**records, "player": met(*records, outcomes=outcomes)}


@pytest.mark.parametrize(
    ("totals", "solkoff", "modified_median"), [([0, 3, 3, 4, 5], 15, 15), ([3, 2, 5, 3, 3], 16, 14)]
)
def test_solkoff_and_the_modified_median_of_a_plus_score(totals: list[int], solkoff: int, modified_median: int) -> None:
    """Source: WinTD, help, "Tie Breaker (US Chess Rules)": players A and B with 4 of 5."""
    records = against_totals(totals)
    assert worth("buchholz", records, "player") == solkoff
    assert worth("buchholz", records, "player", cut_lowest=1) == modified_median


@pytest.mark.parametrize(("line", "expected"), [("WWLLW", 10), ("LLWWW", 6)])
def test_cumulative_score_rewards_early_wins(line: str, expected: int) -> None:
    """Source: scichess.org, "Tiebreaking Systems": 1 2 2 2 3 is 10, and 0 0 1 2 3 is 6."""
    rounds = [Played(round, "x", OUTCOMES[said], {"points": said == "W"}, False) for round, said in enumerate(line)]
    assert worth("cumulative", {"player": rounds, "x": []}, "player") == expected


@pytest.mark.parametrize(
    ("totals", "outcomes", "halves"),
    [
        # Lippstadt 2003, Maiwald: 10, 9 and 4 beaten, five drawn with, the others lost to
        ([20, 18, 8, 28, 24, 22, 18, 6, 36, 18, 14], "WWWDDDDDLLL", 95),
        ([2, 6, 4, 4, 4], "WWWLL", 12),  # HultWiki, player A
        ([2, 4, 4, 4, 4], "WWWLL", 10),  # HultWiki, player B
    ],
)
def test_sonneborn_berger_of_one_player(totals: list[int], outcomes: str, halves: int) -> None:
    """Sources: R. Gibert on the Abit AG Open of 2003, 47½; HultWiki, "Sonneborn-Berger", 6 and 5. Kept in halves."""
    assert worth("sonneborn_berger", against_totals(totals, outcomes), "player") == halves


class TestKoya:
    """FIDE Handbook C.07, article 9.2: points against opponents with at least half of the possible points."""

    # Five rounds in which all players meet once; scores in half points.
    #       A  B  C  D  E  F | total
    #   A   .  1  2  2  0  2 |   7
    #   B   1  .  2  0  2  2 |   7
    #   C   0  0  .  2  1  2 |   5
    #   D   0  2  0  .  1  2 |   5
    #   E   2  0  1  1  .  0 |   4
    #   F   0  0  0  0  2  . |   2
    TABLE = ("-12202", "1-2022", "00-212", "020-12", "2011-0", "00002-")
    OF_HALVES = ("loss", "draw", "win")

    @pytest.fixture
    def met_all(self) -> Records:
        return {
            player: [
                Played(round, other, self.OF_HALVES[int(had)], {"points": int(had)}, False)
                for round, (other, had) in enumerate(
                    ((other, had) for other, had in zip("ABCDEF", line, strict=True) if other != player), 1
                )
            ]
            for player, line in zip("ABCDEF", self.TABLE, strict=True)
        }

    @pytest.mark.parametrize(
        ("limit", "expected"),
        [
            ("1/2", [5, 3, 2, 2, 4, 0]),  # 5 of 10 and more: A, B, C, D
            ("3/5", [1, 1, 0, 2, 2, 0]),  # 6 and more: A, B
            ("2/5", [5, 5, 3, 3, 4, 2]),  # 4 and more: all but F
            ("0", [7, 7, 5, 5, 4, 2]),  # everybody
            ("1", [0, 0, 0, 0, 0, 0]),  # nobody has all
        ],
    )
    def test_a_table_computed_by_hand(self, met_all: Records, limit: str, expected: list[int]) -> None:
        assert [worth("koya", met_all, player, full=2, limit=limit) for player in "ABCDEF"] == expected

    def test_the_default_limit_is_one_half(self, met_all: Records) -> None:
        assert [worth("koya", met_all, player, full=2) for player in "ABCDEF"] == [5, 3, 2, 2, 4, 0]

    def test_each_round_has_its_share(self, met_all: Records) -> None:
        rule = Criterion(column="koya", piece="koya", of="points", full=2, clause="own")
        assert list(TIEBREAKERS["koya"].shares(met_all, ["B"], rule)("B")) == [1, 2, 0, 0, 0]

    @pytest.mark.parametrize(("bye", "expected"), [(0, [1, 1, 1]), (2, [3, 2, 1])])
    def test_a_bye_without_points_is_no_possible_round(self, bye: int, expected: list[int]) -> None:
        """Three who all meet: A has 3, B 2, C 1 of 4. With a bye worth a win they have 5, 4 and 3 of 6."""

        def rounds(*had: tuple[str | None, int]) -> list[Played]:
            return [
                Played(round, other, self.OF_HALVES[points], {"points": points}, other is None)
                for round, (other, points) in enumerate(had, 1)
            ]

        records = {
            "A": rounds(("B", 1), ("C", 2), (None, bye)),
            "B": rounds(("A", 1), (None, bye), ("C", 1)),
            "C": rounds((None, bye), ("A", 0), ("B", 1)),
        }
        assert [worth("koya", records, player, full=2) for player in "ABC"] == expected

    def test_points_of_a_bye_count_only_for_the_opponents_total(self) -> None:
        records = {
            "A": [Played(1, "B", "win", {"points": 2}, False), Played(2, None, "win", {"points": 2}, True)],
            "B": [Played(1, "A", "loss", {"points": 0}, False), Played(2, None, "win", {"points": 2}, True)],
        }
        assert worth("koya", records, "A", full=2) == 2
        assert worth("koya", records, "A", full=2, limit="2/3") == 0

    @pytest.mark.parametrize(("as_met", "expected"), [((), 0), (("forfeit",), 2)])
    def test_a_forfeit_counts_if_the_pack_treats_it_as_a_meeting(self, as_met: tuple[Any, ...], expected: int) -> None:
        """Article 15.2 counts it in a round robin; `forfeit.award` of the pack decides here."""
        forfeit = Game(
            1, 1, "game", "A", "B", Facts(kind="forfeit"), Score("win", "loss", {"points": 2}, {"points": 0})
        )
        other = Game(2, 1, "game", "B", "C", Facts(), Score("win", "loss", {"points": 2}, {"points": 0}))
        records = records_of([forfeit, other], "ABC", PLAYED | set(as_met))
        assert worth("koya", records, "A", full=2) == expected

    def test_a_player_who_left_is_measured_by_all_rounds(self, met_all: Records) -> None:
        """G won against F and left: 2 of 2, and 2 of the 10 that were possible."""
        records = {
            **met_all,
            "G": [Played(1, "F", "win", {"points": 2}, False)],
            "H": [Played(1, "G", "draw", {"points": 1}, False)],
        }
        assert worth("koya", records, "H", full=2) == 0
        assert worth("koya", records, "H", full=2, limit="1/5") == 1


@given(some.lists(some.tuples(some.integers(0, 30), some.integers(0, 30)), max_size=6))
def test_points_for_less_points_against_is_the_difference(scores: list[tuple[int, int]]) -> None:
    rounds = [
        Played(round, "x", "win", {"points": ours}, False, {"points": theirs})
        for round, (ours, theirs) in enumerate(scores, 1)
    ]
    records = {"player": rounds, "x": []}
    assert worth("difference", records, "player") == worth("total", records, "player") - worth(
        "against", records, "player"
    )


@pytest.mark.parametrize("piece", sorted(TIEBREAKERS))
def test_values_without_opponents_or_games_are_zero(piece: str) -> None:
    assert worth(piece, {"player": []}, "player", full=3) == 0
    alone = {"player": [Played(1, None, "loss", {}, True)]}
    assert worth(piece, alone, "player", full=3) == 0


@pytest.mark.clause("AR-TB-3", "AR-AMB-4")
def test_the_schedule_average_counts_only_opponents_met() -> None:
    records = {"a": season(1, 0), "b": season(2, 0), "c": season(3, 0), "player": met("a", None, "b", "c")}
    whole = worth("schedule_sum", records, "player")
    assert worth("schedule_average", records, "player") == Fraction(whole) / 3
