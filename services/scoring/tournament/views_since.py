"""Which rows of standings changed since somebody asked last."""

from __future__ import annotations

from msgspec import Struct, structs

from services.scoring.tournament.routes.queries import StandingsQuery
from services.scoring.tournament.views_order import rows_wanted, standings_shown
from services.scoring.tournament.views_standings import Order, Place, StandingsView
from shared.application.looks import Look, Looks
from shared.application.repository import LoadedAggregate
from shared.web.ordered import Cut
from shared.web.since import asked_since, ids_gone


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
