"""Irrelevant input has no effect under any ruleset: names, order, sides, venues, line endings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from shared.rules.model import RoundsNotFixed, TooFewPlayers
from shared.swiss.pairing import pair_round
from shared.swiss.rounds import robin_cycles
from shared.swiss.ruleset import Ruleset
from shared.swiss.standings import rank, rows_as_json
from tests.examples import examples
from tests.rules.tournaments import RULESETS, Files, read, text_of, tournaments, turned

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
few = settings(max_examples=examples(8), deadline=None)

Texts = tuple[str | bytes, str | bytes]


def texts(files: Files) -> Texts:
    return text_of(files.players), text_of(files.results)


def standings(ruleset: Ruleset, texts: Texts) -> list[dict[str, Any]]:
    """Return the rows after the last round."""
    entrants, games = read(ruleset, *texts)
    last = max(game.round for game in games)
    return rows_as_json(rank(ruleset, entrants, games, round=last, seed="s"))


def pairings(ruleset: Ruleset, files: Texts) -> list[tuple[str, ...]]:
    """Return the next round; empty if too few players remain, or a round robin is over."""
    entrants, games = read(ruleset, *files)
    following = 1 + max(game.round for game in games)
    try:
        return [pairing.players for pairing in pair_round(ruleset, entrants, games, round=following, seed="s").pairings]
    except (TooFewPlayers, RoundsNotFixed):
        return []


def same(ruleset: Ruleset, one: Texts, other: Texts) -> None:
    assert standings(ruleset, one) == standings(ruleset, other)
    assert pairings(ruleset, one) == pairings(ruleset, other)


@every_ruleset
@few
@given(data=some.data())
def test_the_order_of_rows_and_columns_does_not_matter(ruleset: Ruleset, data: some.DataObject) -> None:
    files = data.draw(tournaments(ruleset))
    shuffled = [
        text_of(data.draw(some.permutations(rows)), data.draw(some.permutations(list(rows[0])))) for rows in files
    ]
    same(ruleset, texts(files), (shuffled[0], shuffled[1]))


@every_ruleset
@few
@given(data=some.data())
def test_the_order_of_sides_does_not_matter(ruleset: Ruleset, data: some.DataObject) -> None:
    files = data.draw(tournaments(ruleset))
    changed = tuple(turned(row) if data.draw(some.booleans()) else row for row in files.results)
    if robin_cycles(ruleset):  # the sides of round 1 say who has which number
        assert standings(ruleset, texts(files)) == standings(ruleset, texts(files._replace(results=changed)))
    else:
        same(ruleset, texts(files), texts(files._replace(results=changed)))


@every_ruleset
@few
@given(data=some.data())
def test_line_endings_byte_order_mark_and_spaces_do_not_matter(ruleset: Ruleset, data: some.DataObject) -> None:
    players, results = texts(data.draw(tournaments(ruleset)))
    windows = [f"\ufeff{text}".replace("\n", "\r\n").encode() for text in (str(players), str(results))]
    same(ruleset, (players, results), (windows[0], windows[1]))
    spaced = [str(text).replace(",", " , ") for text in (players, results)]
    same(ruleset, (players, results), (spaced[0], spaced[1]))


@every_ruleset
@few
@given(data=some.data())
def test_venues_clubs_factions_names_and_tables_do_not_matter(ruleset: Ruleset, data: some.DataObject) -> None:
    files = data.draw(tournaments(ruleset))
    words = some.sampled_from(["", "north", "south"])
    marked = tuple(
        row | {name: data.draw(words) for name in ("venue", "club", "faction", "name")} for row in files.players
    )
    moved = tuple(row | {"table": row["table"] and str(9 + int(row["table"]))} for row in files.results)
    same(ruleset, texts(files), texts(Files(marked, moved)))


@every_ruleset
@few
@given(data=some.data())
def test_the_round_of_a_game_does_not_matter(ruleset: Ruleset, data: some.DataObject) -> None:
    """No document weighs early rounds more. The last round keeps its number, which draws depend on."""
    files = data.draw(tournaments(ruleset, leaving=False))
    rounds = sorted({row["round"] for row in files.results})
    moved = dict(zip(rounds, [*data.draw(some.permutations(rounds[:-1])), rounds[-1]], strict=True))
    other = files._replace(results=tuple(row | {"round": moved[row["round"]]} for row in files.results))
    assert standings(ruleset, texts(files)) == standings(ruleset, texts(other))


@every_ruleset
@few
@given(data=some.data())
def test_ids_of_players_matter_only_for_draws(ruleset: Ruleset, data: some.DataObject) -> None:
    """Renaming players keeps values and ranks. Only the order inside a drawn group may change."""
    files = data.draw(tournaments(ruleset))
    order = data.draw(some.sampled_from([files.ids, files.ids[::-1]]) | some.permutations(files.ids))
    names = {old: f"Émile {place:02}" for place, old in enumerate(order)} | {"": ""}
    renamed = Files(
        tuple(row | {"player": names[row["player"]]} for row in files.players),
        tuple(row | {side: names[row[side]] for side in ("player_1", "player_2")} for row in files.results),
    )
    before, after = standings(ruleset, texts(files)), standings(ruleset, texts(renamed))
    found = {row["player"]: row for row in after}
    for row, moved in zip(before, after, strict=True):
        assert moved["rank"] == row["rank"]
        own = found[names[row["player"]]]
        for column in (*ruleset.columns, "tied"):
            assert own[column] == moved[column] == row[column]
        assert own.get("status") == row.get("status")
        if not row["tied"]:
            assert moved["player"] == names[row["player"]]


@every_ruleset
@few
@given(data=some.data())
def test_players_who_never_played_change_no_other_row(ruleset: Ruleset, data: some.DataObject) -> None:
    files = data.draw(tournaments(ruleset))
    more = files._replace(players=(*files.players, {"player": "zoe"}, {"player": "aad"}))
    before = standings(ruleset, texts(files))
    after = [row for row in standings(ruleset, texts(more)) if row["player"] in files.ids]
    unplaced = {"rank": 0, "tied": False}
    assert [{**row, **unplaced} for row in after] == [{**row, **unplaced} for row in before]
