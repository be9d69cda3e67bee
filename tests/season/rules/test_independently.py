"""An independent, direct implementation of `season-points`, compared on random seasons."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from shared.season.ruleset import Member, Result, TournamentResults
from shared.season.table import season_table
from tests.season.rules.seasons import seasons
from tests.season.rules.story import rules

SMALL = {1: 8, 2: 5, 3: 3}
"""Points of places in fields of three to seven players; no season made up has more."""
SMALLEST = {1: {}, 2: {1: 4, 2: 2}}
"""The same of a player alone, and of two."""


def place_points(gathered: TournamentResults, result: Result) -> Fraction:
    together = [one for one in gathered.results if one.place == result.place]
    worths = SMALLEST.get(len(gathered.results), SMALL)
    taken = [worths.get(result.place + above, 0) for above in range(len(together))]
    return (Fraction(sum(taken), len(taken)) + 1) * (gathered.weight or 100) / 100


def own(member: Member, gathered: TournamentResults) -> list[Result]:
    """Return results that can count, best place first."""
    entries = {one.entry for one in member.entries if one.tournament == gathered.tournament}
    found = [one for one in gathered.results if one.entry in entries and one.status != "disqualified"]
    return sorted(found, key=lambda one: (one.place, -one.score, one.entry))[:1]


def beaten(member: Member, rivals: list[Member], tournaments: list[TournamentResults]) -> int:
    wins = 0
    for gathered in tournaments:
        theirs = {one.entry for rival in rivals for one in rival.entries if one.tournament == gathered.tournament}
        for result in own(member, gathered):
            wins += sum(game.outcome == "win" and game.opponent in theirs for game in result.games)
    return wins


def ranked(members: list[Member], tournaments: list[TournamentResults], best: int) -> list[tuple[int, str]]:
    def results(member: Member) -> list[tuple[Fraction, int]]:
        return [(place_points(one, result), result.place) for one in tournaments for result in own(member, one)]

    made = {member.player: results(member) for member in members}

    def before(member: Member) -> tuple[Fraction, int, Fraction]:
        points = sorted((worth for worth, _ in made[member.player]), reverse=True)
        firsts = sum(place == 1 for _, place in made[member.player])
        return sum(points[:best], Fraction()), firsts, max(points, default=Fraction())

    def latest(member: Member) -> Fraction:
        there = own(member, tournaments[-1])
        return place_points(tournaments[-1], there[0]) if there else Fraction()

    order: list[tuple[int, str]] = []
    for _, equal in groupby(sorted(members, key=before, reverse=True), key=before):
        group = list(equal)
        keys = {member.player: (beaten(member, group, tournaments), latest(member)) for member in group}
        first = len(order) + 1
        for member in sorted(group, key=lambda member: ([-value for value in keys[member.player]], member.player)):
            ahead = sum(keys[other.player] > keys[member.player] for other in group)
            order.append((first + ahead, member.player))
    return order


@given(season=seasons(), best=st.integers(1, 4))
def test_table_equals_that_of_an_independent_implementation(season, best):
    members, tournaments = season
    table = season_table(rules(counting={"best": best}), members, tournaments)
    assert [(row.rank, row.player) for row in table.rows] == ranked(members, tournaments, best)
