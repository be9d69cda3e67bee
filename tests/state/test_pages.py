"""Standings of several pages take effect with the last page; until then the previous ones stay."""

from __future__ import annotations

from types import SimpleNamespace

from shared.tournament.results import EVOLVE, Results, RoundClosed, StandingRow, StandingsRecorded


def told(results: Results, position: int, event: StandingsRecorded | RoundClosed) -> None:
    EVOLVE[type(event)](results, event, SimpleNamespace(position=position))


def page(number: int, of: int, *players: str) -> StandingsRecorded:
    rows = [StandingRow(rank=rank, player=player, values={}) for rank, player in enumerate(players, start=1)]
    return StandingsRecorded(round=1, page=number, pages=of, rows=rows, seed="0" * 64)


def ranked(results: Results) -> list[str]:
    return [row.player for row in results.recorded[1].rows]


def test_standings_of_two_pages_take_effect_with_the_second_page():
    results = Results()
    told(results, 1, page(1, 1, "p1", "p2"))
    told(results, 2, RoundClosed(round=1, games=1))
    told(results, 3, page(1, 2, "p2"))
    assert ranked(results) == ["p1", "p2"]
    assert results.recorded[1].position == 1
    told(results, 4, page(2, 2, "p1"))
    assert ranked(results) == ["p2", "p1"]
    assert results.recorded[1].position == 4
    assert results.incomplete is None
