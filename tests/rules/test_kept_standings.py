"""Incremental standings equal a new ranking, whatever games are added, changed and removed."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from msgspec.structs import replace

from shared.rules.model import Draw, Entrant, Game
from shared.rules.tiebreakers import TIEBREAKERS, Criterion, criterion_values, records_of, updated_values
from shared.swiss.ruleset import Ruleset
from shared.swiss.standings import Ranking, rank
from tests.examples import examples
from tests.rules.tournaments import BY_ID, RULESETS, read, text_of, tournaments

CARDS = BY_ID["collectible-cards-1"]
VALUE = CARDS.standings.criteria[0].of


def criterion(piece: str) -> Criterion:
    """Return a criterion of a piece, with the settings that it needs."""
    row = TIEBREAKERS[piece]
    return Criterion(
        column=piece,
        piece=piece,
        of="" if row.of_nothing else VALUE,
        full=3 if row.of_possible else 0,
        floor="1/3" if "floor" in row.settings else "0",
        cut_lowest=1 if "cut_lowest" in row.settings else 0,
        lowest_first=piece == "against",
        divisor=2 if piece == "cumulative" else 1,
        clause="own",
    )


def with_order(*pieces: str, **members: object) -> Ruleset:
    """Return a ruleset that ranks by these pieces in this order."""
    order = replace(CARDS.standings, criteria=[criterion(piece) for piece in pieces], **members)
    return replace(CARDS, id="-".join(pieces), standings=order)


OWN = [
    *(with_order(piece) for piece in TIEBREAKERS),
    with_order("wins", "head_to_head", "total", "buchholz"),
    *(with_order("wins", "head_to_head", unresolved=word) for word in ("shared", "shared_below_first")),
    *(
        replace(
            with_order("koya", "wins"), disqualification=replace(CARDS.disqualification, opponents=said, listed=put)
        )
        for said, put in product(("void_games", "keep_results"), ("removed", "last"))
    ),
]


@pytest.mark.parametrize("ruleset", [*RULESETS, *OWN], ids=lambda ruleset: ruleset.id)
@settings(max_examples=examples(25), deadline=None)
@given(data=some.data())
def test_an_incremental_ranking_equals_a_new_one(ruleset: Ruleset, data: some.DataObject) -> None:
    """Two tournaments of the same players: games of one replace those of the other, in any order, some twice."""
    drawn_from = CARDS if ruleset in OWN else ruleset
    files = data.draw(tournaments(drawn_from))
    entrants, first = read(drawn_from, text_of(files.players), text_of(files.results))
    games = {f"g{number}": game for number, game in enumerate(first)}
    last = max(game.round for game in first)
    kept = data.draw(some.lists(_draws(entrants, last), max_size=2))
    statuses = {entrant.player: entrant.status for entrant in entrants}
    standings = Ranking(ruleset, statuses, {}, round=last, seed="s", kept=kept)
    counted: dict[str, Game] = {}
    for names in data.draw(some.lists(some.lists(some.sampled_from(sorted(games)), max_size=3), max_size=8)):
        change = {name: data.draw(some.sampled_from([games[name], _turned(games[name]), None])) for name in names}
        standings.put(change)
        counted = {id: game for id, game in (counted | change).items() if game is not None}
        expected = rank(ruleset, entrants, counted.values(), round=last, seed="s", kept=kept)
        now = standings.standings()
        assert replace(now, rows=tuple(now.rows), draws=tuple(now.draws)) == expected


def _draws(entrants: list[Entrant], round: int) -> some.SearchStrategy[Draw]:
    """Return a recorded draw."""
    orders = some.permutations([entrant.player for entrant in entrants])
    return orders.map(lambda order: Draw("standings", round, "t", tuple(sorted(order)), tuple(order)))


def _turned(game: Game) -> Game:
    """Return the game with values and outcomes of the sides swapped, as a correction could do."""
    score = game.score
    if game.player_2 is None or score.outcome_2 is None:
        return game
    return replace(
        game,
        score=replace(
            score,
            outcome_1=score.outcome_2,
            outcome_2=score.outcome_1,
            values_1=score.values_2,
            values_2=score.values_1,
        ),
    )


@pytest.mark.parametrize("piece", sorted(TIEBREAKERS))
@settings(max_examples=examples(60), deadline=None)
@given(data=some.data())
def test_a_tiebreaker_affects_only_players_within_its_reach(piece: str, data: some.DataObject) -> None:
    """After one more game, players out of reach keep their values."""
    files = data.draw(tournaments(CARDS, leaving=False))
    _, games = read(CARDS, text_of(files.players), text_of(files.results))
    more = data.draw(some.sampled_from(games))
    rule, players = criterion(piece), dict.fromkeys(files.ids)
    before = criterion_values(records_of([game for game in games if game is not more], players), players, rule)
    records = records_of(games, players)
    met = {player: {*_sides(game, player)} for player in players for game in games}
    for player, game in product(players, games):
        met[player].update(_sides(game, player))
    moved = [player for player in (more.player_1, more.player_2) if player is not None]
    expected = updated_values(records, players, rule, moved, lambda player: met[player])
    assert before | expected == criterion_values(records, players, rule)
    assert set(moved) <= set(expected)


def _sides(game: Game, player: str) -> list[str]:
    sides = [side for side in (game.player_1, game.player_2) if side is not None]
    return sides if player in sides else []
