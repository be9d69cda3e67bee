"""Which rows of standings an address asks for, which changed since somebody asked last, and the answer they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Response
from msgspec import UNSET, Struct, structs

from services.scoring.tournament.refusals import PlayerUnknown
from services.scoring.tournament.routes.queries import StandingsQuery
from services.scoring.tournament.views_standings import DrawView, Look, Looks, Order, Place, StandingsView
from shared.names import by_name, is_found
from shared.refusals import Fault
from shared.rules.model import Draw
from shared.service.state import LoadedAggregate
from shared.tournament.rounds import DrawMade
from shared.tournament.state import Tournament
from shared.web.paging import Cut, asked_since, csv_answer, ids_gone


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
    return sorted(rows, key=lambda row: by_name(players[row.player].name)) if query.sort == "name" else rows


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


class Changed(Struct, frozen=True):
    """rows: whose row changed, came or went. moved: whose rank alone is another one."""

    rows: set[str]
    moved: set[str]


def noted(loaded: LoadedAggregate, order: Order[Place], query: StandingsQuery) -> Changed | None:
    """What changed since the version that is asked for; None where nobody asked, or nobody knows.

    The standings as they are now are kept for whoever asks later. Raises InvalidCursor.
    """
    looks = loaded.kept(("looks", query.round), Looks)
    since = asked_since(query.since, loaded.seen)
    compared = order.compared
    rows = order.rows if compared is None else loaded.derived(("compared", query.round), compared)
    looks.note(Look(dict(loaded.seen), rows))
    before = looks.at(since) if since is not None else None
    if before is None:
        return None
    changed, moved = order.differing(before.rows, rows)
    players, read = loaded.state.entries.players.values(), before.seen.get("registration", 0)
    changed |= {player.id for player in players if player.changed > read}
    return Changed(changed, moved - changed)


def standings_since(
    loaded: LoadedAggregate, order: Order[Place], query: StandingsQuery, changed: Changed
) -> StandingsView:
    """The rows that changed, of those that the query's filters leave; `gone`: who changed and is not among them."""
    wanted = rows_wanted(order, loaded.state, query)
    players = order.players(wanted)
    rows = [wanted[place] for place, player in enumerate(players) if player in changed.rows]
    ranks = {player: wanted[place].rank for place, player in enumerate(players) if player in changed.moved}
    shown = standings_shown(order, Cut(rows, None, len(wanted)))
    gone = ids_gone(changed.rows, (row.player for row in rows))
    return structs.replace(shown, since=query.since, gone=gone, ranks=ranks)
