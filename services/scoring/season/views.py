"""What scoring shows of a season: its standings, and why somebody stands where they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from services.scoring.season.commands import CutMissing
from services.scoring.tournament.refusals import PlayerUnknown
from shared.application.repository import LoadedAggregate
from shared.formats.season.end import moves_of
from shared.formats.season.entries import SEASON_ENTRIES, season_of
from shared.formats.season.ranking import rows_recorded, same_standings, table_of
from shared.formats.season.rules.explain import explain
from shared.formats.season.rules.model import SeasonTable
from shared.formats.season.scoring_events import SeasonRowRecorded
from shared.formats.season.state import SEASON, Table, Taken
from shared.refusals import Fault
from shared.rules.model import as_json, as_value
from shared.tournament.state import Tournament


def table_now(loaded: LoadedAggregate) -> SeasonTable:
    """The table of everything that the season's logs hold, made once until something is new."""
    return loaded.derived("season table", lambda: table_of(loaded.state))


def standings_view(loaded: LoadedAggregate, tournament: str, recorded: Table | None = None) -> dict[str, Any]:
    """The standings as recorded last, or as given."""
    state = loaded.state
    table = recorded or SEASON.of(state).table
    rows = table.rows if table else []

    def current() -> bool:
        return same_standings(rows_recorded(table_now(loaded), None), rows)

    return {
        "tournament": tournament,
        "number": table.number if table else 0,
        "time": table.time if table else "",
        "final": state.results.concluded and recorded is None,
        "provisional": recorded is None and not loaded.derived("season current", current),
        "columns": season_of(state.entries).columns,
        "causes": msgspec.to_builtins(table.causes) if table else [],
        "rows": rows_view(state, rows),
    }


def rows_view(state: Tournament, rows: Sequence[SeasonRowRecorded]) -> list[dict[str, Any]]:
    """Rows with names; values as whole numbers or decimal strings."""
    players = state.entries.players
    return [
        {
            **_whole(row),
            "name": players[row.player].name,
            "values": {column: as_json(as_value(value)) for column, value in row.values.items()},
        }
        for row in rows
    ]


def _whole(row: SeasonRowRecorded) -> dict[str, Any]:
    """A row with all members, those at their defaults too."""
    return {
        **msgspec.structs.asdict(row),
        "results": [msgspec.structs.asdict(one) for one in row.results],
        "rating": msgspec.structs.asdict(row.rating) if row.rating else None,
    }


def results_view(state: Tournament) -> dict[str, Any]:
    """The tournaments whose results are here, with where their logs ended, and those still waited for."""
    season, taken = SEASON_ENTRIES.of(state), SEASON.of(state).taken
    tournaments = []
    for one in season.in_order():
        for told, found in ((False, taken), (True, SEASON.of(state).told)):
            if one.tournament in found:
                tournaments.append(_taken_view(found[one.tournament], one.name) | {"told": told})
    return {
        "tournaments": tournaments,
        "waiting": [one.tournament for one in season.in_order() if one.tournament not in taken],
    }


def _taken_view(taken: Taken, name: str) -> dict[str, Any]:
    return {
        "tournament": taken.tournament,
        "name": name,
        "why": taken.why,
        "time": taken.time,
        "entries": len(taken.rows),
        "heads": {source: {"position": end.position, "hash": end.hash} for source, end in taken.heads.items()},
        "because": [msgspec.structs.asdict(one) for one in taken.because],
    }


def member_of(state: Tournament, player: str) -> str:
    """The player of the season as who they are by now. Raises PlayerUnknown."""
    if player not in state.entries.players:
        fault = Fault("/player", player, "a player of this season")
        raise PlayerUnknown(f"No player of this season has the id {player}.", [fault])
    return SEASON_ENTRIES.of(state).identity(player)


def rank_explained(loaded: LoadedAggregate, player: str) -> dict[str, Any]:
    """What a rank is made of: results, values, what separates it from both neighbours. Raises PlayerUnknown."""
    state = loaded.state
    member = member_of(state, player)
    table = table_now(loaded)
    if table.row(member) is None:
        known = state.entries.players[member]
        fault = Fault("/player", player, "a player of the standings")
        raise PlayerUnknown(f"{known.name} is {known.status}, and not in the standings.", [fault])
    found = explain(season_of(state.entries), table, member)
    players, gathered = state.entries.players, SEASON_ENTRIES.of(state).gathered
    neighbours = {
        side: msgspec.structs.asdict(one) | {"name": players[one.player].name} if one else None
        for side, one in (("above", found.above), ("below", found.below))
    }
    results = [one for one in found.results if one.place or one.left != "absent"]
    return {
        **msgspec.to_builtins(found),
        **neighbours,
        "name": players[member].name,
        "results": [msgspec.structs.asdict(one) | {"name": gathered[one.tournament].name} for one in results],
        "rating": msgspec.structs.asdict(found.rating) if found.rating else None,
    }


def divisions_view(state: Tournament) -> dict[str, Any]:
    """Who goes up and down: as decided at the end, or as it would be by the standings of this moment."""
    decided = state.results.concluded
    moves, undecided = (SEASON.of(state).moves, ()) if decided else moves_of(state, ())
    players = state.entries.players
    return {
        "decided": decided,
        "moves": [msgspec.structs.asdict(move) | {"name": players[move.player].name} for move in moves],
        "undecided": [msgspec.structs.asdict(one) for one in undecided],
    }


def final_view(state: Tournament) -> dict[str, Any]:
    """Who is invited to the final, in the order of invitation. Raises CutMissing."""
    final = SEASON.of(state).final
    if final is None:
        raise CutMissing("Nobody is invited to a final yet.")
    return {
        "standings": final.standings,
        "named": final.named,
        "players": [
            {
                "player": player,
                "name": state.entries.players[player].name,
                "status": status,
                "instead_of": final.instead.get(player, ""),
            }
            for player, status in final.answers.items()
        ],
    }
