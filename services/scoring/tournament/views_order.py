"""Which rows of standings an address asks for, and the answer that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Response
from msgspec import UNSET, structs

from services.scoring.tournament.refusals import PlayerUnknown
from services.scoring.tournament.routes.queries import StandingsQuery
from services.scoring.tournament.views_standings import DrawView, Order, Place, StandingsView
from shared.names.search import folded, is_found
from shared.refusals import Fault
from shared.rules.model import Draw
from shared.tournament.events.pairing import DrawMade
from shared.tournament.state import Tournament
from shared.web.csv_answers import csv_answer
from shared.web.ordered import Cut


def rows_wanted(order: Order[Place], state: Tournament, query: StandingsQuery) -> Sequence[Place]:
    """The rows that a query's filters leave, sorted as it says."""
    players, rows = state.entries.players, order.rows
    if (query.venue, query.status, query.q) != (UNSET, UNSET, UNSET):
        rows = [
            row
            for row in rows
            if query.venue in (UNSET, players[row.player].venue)
            and query.status in (UNSET, row.status)
            and (query.q is UNSET or is_found(players[row.player].name, query.q))
        ]
    return sorted(rows, key=lambda row: folded(players[row.player].name)) if query.sort == "name" else rows


def standings_shown(order: Order[Place], found: Cut[Place]) -> StandingsView:
    """The answer with these rows, and with the draws that any of them took part in."""
    return structs.replace(
        order.about,
        items=order.shown(found.items),
        draws=[
            DrawView(purpose=draw.purpose, round=draw.round, order=list(draw.order), seed=draw.seed)
            for draw in _draws_of(order, found.items)
        ],
        next=found.next,
        total=found.total,
    )


def _draws_of(order: Order[Place], items: Sequence[Place]) -> Sequence[Draw | DrawMade]:
    if len(items) == len(order.rows):
        return order.draws
    if order.drawn is not None:
        return order.drawn(items)
    there = {row.player for row in items}
    return [draw for draw in order.draws if not there.isdisjoint(draw.order)]


def standings_file(shown: StandingsView, headers: Mapping[str, str]) -> Response:
    """The same as a file, with the columns of `muster standings` and the names behind them."""
    columns = ["rank", "player", *shown.columns, "tied", "status", "name"]
    rows = [
        {**row.values, "rank": row.rank, "player": row.player, "tied": row.tied, "name": row.name}
        | ({} if row.status == "active" else {"status": row.status})
        for row in shown.items
    ]
    return csv_answer(columns, rows, headers)


def not_in_standings(player: str, faults: list[Fault]) -> PlayerUnknown:
    """The refusal of a page around somebody who is not there."""
    return PlayerUnknown(f"These standings have no row of the player {player}.", faults)
