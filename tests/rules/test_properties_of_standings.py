"""Properties of all standings: a total order, recorded draws, sums, and wins that never lower a rank."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as some

from shared.rules.model import Entrant, Game, make_draw
from shared.swiss.pairing import pair_round
from shared.swiss.rounds import robin_cycles
from shared.swiss.ruleset import Ruleset
from shared.swiss.standings import Standings, explain, rank
from tests.examples import examples
from tests.rules.tournaments import BY_ID, RULESETS, Files, beating, left, read, row_of, text_of, tournaments

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
few = settings(max_examples=examples(10), deadline=None)


def parse(ruleset: Ruleset, files: Files) -> tuple[list[Entrant], list[Game], int]:
    """Entrants, games, and the last round."""
    entrants, games = read(ruleset, text_of(files.players), text_of(files.results))
    return entrants, games, max(game.round for game in games)


def ranked(ruleset: Ruleset, files: Files) -> Standings:
    entrants, games, last = parse(ruleset, files)
    return rank(ruleset, entrants, games, round=last, seed="s")


@every_ruleset
@few
@given(data=some.data())
@pytest.mark.clause("AR-TB-1", "AR-TB-2", "AR-TB-3", "AR-AMB-15", "DW-TB-1", "DW-AMB-9", "FF-TB-1", "FF-TB-4")
def test_standings_are_a_total_order_with_repeatable_draws(ruleset: Ruleset, data: some.DataObject) -> None:
    found = ranked(ruleset, data.draw(tournaments(ruleset)))
    ranks = [row.rank for row in found.rows]
    drawn = {player: draw for draw in found.draws for player in draw.group}
    assert sum(len(draw.group) for draw in found.draws) == len(drawn)
    if ruleset.standings.unresolved == "draw":
        assert ranks == list(range(1, len(ranks) + 1))
        assert [row.player for row in found.rows if row.tied] == [p for draw in found.draws for p in draw.order]
    else:
        assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
    for draw in found.draws:
        assert draw == make_draw("s", "standings", found.round, draw.group)
        assert draw.seed == "s"


@every_ruleset
@few
@given(data=some.data())
def test_rows_are_in_the_order_of_their_values(ruleset: Ruleset, data: some.DataObject) -> None:
    """All shipped criteria rank higher values first. Disqualified players who are listed last follow all others."""
    found = ranked(ruleset, data.draw(tournaments(ruleset)))
    keys = [(row.status != "disqualified", *row.values.values()) for row in found.rows]
    assert keys == sorted(keys, reverse=True)
    for one, two in pairwise(keys):
        assert one != two or all(row.tied for row, key in zip(found.rows, keys, strict=True) if key == one)


@every_ruleset
@few
@given(data=some.data())
@pytest.mark.clause("AR-PTS-1", "AR-BYE-1", "DW-PTS-1", "FF-RES-3", "FF-BYE-1")
def test_the_sum_of_points_is_conserved(ruleset: Ruleset, data: some.DataObject) -> None:
    entrants, games, last = parse(ruleset, data.draw(tournaments(ruleset, leaving=False)))
    first = ruleset.standings.criteria[0]
    rows = rank(ruleset, entrants, games, round=last, seed="s").rows
    given = sum(score.get(first.of, 0) for game in games for score in (game.score.values_1, game.score.values_2))
    assert sum(Fraction(row.values[first.column]) for row in rows) * first.divisor == given


SUMS = {
    "star-wars-armada-1.1": {10},
    "star-wars-armada-400": {11},
    "dust-warfare-1.0": {13, 12},
    "fallout-factions-comp-1.0": {2},
    "chess-club-1": {2},
    "round-robin": {2},
    "collectible-cards-1": {3, 2},
}
"""What both sides of a played game have together in the first value of the standings."""


@every_ruleset
@few
@given(data=some.data())
@pytest.mark.clause("AR-PTS-1", "DW-PTS-1", "FF-RES-3")
def test_a_played_game_shares_out_the_same_sum(ruleset: Ruleset, data: some.DataObject) -> None:
    _, games, _ = parse(ruleset, data.draw(tournaments(ruleset, leaving=False, kinds="game")))
    value = ruleset.standings.criteria[0].of
    for game in games:
        if game.player_2 is not None and game.facts.conceded_by is None:
            assert game.score.values_1[value] + game.score.values_2[value] in SUMS[ruleset.id]


@few
@given(data=some.data())
@pytest.mark.clause("AR-TB-3", "AR-AMB-1", "AR-AMB-18")
def test_schedules_contain_points_once_for_each_opponent(data: some.DataObject) -> None:
    ruleset = BY_ID["star-wars-armada-1.1"]
    entrants, games, last = parse(ruleset, data.draw(tournaments(ruleset, leaving=False)))
    values = {row.player: row.values for row in rank(ruleset, entrants, games, round=last, seed="s").rows}
    met = Counter(player for game in games if game.facts.kind == "game" for player in (game.player_1, game.player_2))
    handed_on = sum(times * Fraction(values[str(player)]["tournament_points"]) for player, times in met.items())
    assert sum(Fraction(row["strength_of_schedule"]) for row in values.values()) == handed_on


@few
@given(data=some.data())
@pytest.mark.clause("AR-RES-8", "AR-AMB-5", "AR-TB-2")
def test_only_the_winner_has_a_margin(data: some.DataObject) -> None:
    ruleset = BY_ID["star-wars-armada-1.1"]
    _, games, _ = parse(ruleset, data.draw(tournaments(ruleset, leaving=False)))
    for game in games:
        sides = ((game.score.outcome_1, game.score.values_1), (game.score.outcome_2, game.score.values_2))
        assert all(values.get("margin_of_victory", 0) == 0 for outcome, values in sides if outcome != "win")


@every_ruleset
@few
@given(data=some.data())
def test_another_win_moves_a_player_above_their_equals(ruleset: Ruleset, data: some.DataObject) -> None:
    """A win is worth points: the winner stays ahead of lower players (except the loser) and passes equals."""
    files = data.draw(tournaments(ruleset))
    active = [row["player"] for row in files.players if row["status"] == "active"]
    assume(len(active) > 1)
    winner, beaten = data.draw(some.permutations(active))[:2]
    scenario = ruleset.scenarios[0].name if ruleset.scenarios else ""
    facts = data.draw(some.sampled_from(beating(ruleset, scenario)))
    following = 1 + max(int(row["round"]) for row in files.results)
    more = files._replace(results=(*files.results, row_of(following, "1", winner, beaten, facts)))
    before, after = ranked(ruleset, files), ranked(ruleset, more)
    column = before.columns[0]
    points = {row.player: row.values[column] for row in before.rows}
    place = {row.player: row.rank for row in after.rows}
    for player in points.keys() - {winner, beaten}:
        if points[player] <= points[winner]:
            assert place[winner] < place[player]


@every_ruleset
@few
@given(data=some.data())
@pytest.mark.clause("AR-AMB-17", "DW-AMB-17", "FF-AMB-13")
def test_a_player_who_drops_keeps_the_place_and_is_not_paired(ruleset: Ruleset, data: some.DataObject) -> None:
    entrants, games, last = parse(ruleset, data.draw(tournaments(ruleset)))
    before = rank(ruleset, entrants, games, round=last, seed="s")
    stays = [entrant.player for entrant in entrants if entrant.status == "active"][:2]
    leaving = [one for one in left(entrants, last) if one.player not in stays]
    now = leaving + [entrant for entrant in entrants if entrant.player in stays]
    after = rank(ruleset, now, games, round=last, seed="s")
    assert [(row.rank, row.player, row.values) for row in after.rows] == [
        (row.rank, row.player, row.values) for row in before.rows
    ]
    if len(stays) == 2 and not robin_cycles(ruleset):  # in a round robin it may not be their turn
        paired = pair_round(ruleset, now, games, round=last + 1, seed="s")
        assert [sorted(pairing.players) for pairing in paired.pairings] == [sorted(stays)]


@every_ruleset
@few
@given(data=some.data())
@pytest.mark.clause("AR-AMB-16", "DW-AMB-3", "FF-AMB-2")
def test_a_disqualification_does_not_change_other_values(ruleset: Ruleset, data: some.DataObject) -> None:
    files = data.draw(tournaments(ruleset, leaving=False))
    out = data.draw(some.sampled_from(files.ids))
    marked = tuple(row | {"status": "disqualified"} if row["player"] == out else row for row in files.players)
    before, after = ranked(ruleset, files), ranked(ruleset, files._replace(players=marked))
    others = [(row.player, row.values) for row in before.rows if row.player != out]
    assert [(row.player, row.values) for row in after.rows if row.player != out] == others
    assert (out in [row.player for row in after.rows]) == (ruleset.disqualification.listed == "last")


@every_ruleset
@few
@given(data=some.data())
def test_every_value_is_the_sum_of_the_games_that_explain_it(ruleset: Ruleset, data: some.DataObject) -> None:
    entrants, games, last = parse(ruleset, data.draw(tournaments(ruleset)))
    found = rank(ruleset, entrants, games, round=last, seed="s")
    reasons = explain(ruleset, entrants, games, round=last)
    for row in found.rows:
        rounds = [game.round for game in games if row.player in (game.player_1, game.player_2)]
        explained = {value.column: value for value in reasons(row.player)}
        for column, value in row.values.items():
            assert Fraction(explained[column].value) == value
            assert sum(Fraction(share.value) for share in explained[column].shares) == value
            assert [share.round for share in explained[column].shares] == sorted(rounds)
            assert explained[column].clause
