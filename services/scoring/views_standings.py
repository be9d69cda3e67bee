"""Views of standings in every format: rows, explanations, awards, changes since, consequences.

Recent answers stay in memory for a while, to tell returning readers what has changed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Generic, Protocol, TypeVar

import msgspec
from flask import Response
from msgspec import UNSET, Struct, UnsetType, structs

from services.scoring.guards import PlayerUnknown
from services.scoring.views_games import StandingsQuery
from shared.names import by_name, is_found
from shared.refusals import Fault
from shared.rules.model import Draw
from shared.service.state import LoadedAggregate
from shared.service.views import AnsweredSince, EventView, ExternalId, Gone, Version
from shared.shapes import TOTAL, Number, View
from shared.tournament.rounds import DrawMade
from shared.tournament.state import Tournament
from shared.web.paging import OrderPage, csv_answer, parse_since, removed_ids

MOST_LOOKS = 64
MOST_ROWS = 400_000
"""Of one list, in all looks; a row is eight bytes where it is the same in several."""


class OfPlayer(Protocol):
    """A row of a list."""

    @property
    def player(self) -> str: ...

    @property
    def rank(self) -> int: ...


class Look(Struct, frozen=True):
    """A list at a version. seen: source -> position; rows: all of them, in order."""

    seen: dict[str, int]
    rows: Sequence[OfPlayer]


class Looks:
    """The latest versions of one list that somebody was answered. It lives as long as the state that it is of."""

    def __init__(self, most: int = MOST_LOOKS, most_rows: int = MOST_ROWS) -> None:
        self._looks: OrderedDict[tuple[tuple[str, int], ...], Look] = OrderedDict()
        self._most, self._most_rows = most, most_rows

    def note(self, look: Look) -> None:
        """Keep a version; the oldest ones make place for it."""
        self._looks[_key(look.seen)] = look
        while len(self._looks) > self._most or sum(len(kept.rows) for kept in self._looks.values()) > self._most_rows:
            if len(self._looks) == 1:
                break
            self._looks.popitem(last=False)

    def at(self, seen: Mapping[str, int]) -> Look | None:
        """The list at exactly this version; None where this process has not answered it, or no longer knows."""
        return self._looks.get(_key(seen))


def _key(seen: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(seen.items()))


def differing(before: Sequence[Any], now: Sequence[Any]) -> tuple[set[str], set[str]]:
    """Whose row is another one now, is new, or is no more; and whose rank alone is another one. Rows are structs."""
    known = {row.player: row for row in before}
    changed: set[str] = set()
    moved: set[str] = set()
    for row in now:
        was = known.pop(row.player, None)
        if was != row:
            only_rank = was is not None and structs.replace(was, rank=row.rank) == row
            (moved if only_rank else changed).add(row.player)
    return changed | known.keys(), moved


class RowView(View, frozen=True, kw_only=True):
    """A line of standings."""

    rank: int
    player: str
    name: str
    external_id: ExternalId
    values: Annotated[
        dict[str, Number],
        "The ruleset's columns: whole numbers, or decimals as strings; "
        "a value within tied groups is empty for a player in none.",
    ]
    tied: Annotated[bool, "Only a recorded draw separates the player from a neighbour."]
    status: str
    separated_by: Annotated[
        str | UnsetType, "Campaigns: what it is lower by than the row above; empty where they share a rank."
    ] = UNSET
    crosstable: Annotated[
        dict[str, list[Number]] | UnsetType,
        "Round robins: each opponent met, with the points of each of those games in order.",
    ] = UNSET


class DrawView(View, frozen=True, kw_only=True):
    """A draw that broke a tie: anybody can make it again from its seed."""

    purpose: str
    round: int
    order: list[str]
    seed: str


class StandingsView(View, frozen=True, kw_only=True):
    """Standings, with the draws that broke ties."""

    tournament: str
    round: int
    final: bool
    provisional: Annotated[bool, "Not as recorded, because the round is open or somebody has left."]
    columns: list[str]
    words: Annotated[
        dict[str, str] | UnsetType,
        "What people call each column, and (`tied`) what settles a tie; campaigns have none.",
    ] = UNSET
    items: list[RowView]
    draws: Annotated[list[DrawView], "Those of whoever is shown."]
    next: Annotated[str | None, "Cursor of the next page; null: the end, or no page was asked for."]
    total: Annotated[int, TOTAL]
    version: Version = UNSET
    since: AnsweredSince = UNSET
    gone: Gone = UNSET
    publish_at: Annotated[
        str | UnsetType, "For staff: when standings that are kept back are published, if a time is set."
    ] = UNSET
    ranks: Annotated[
        dict[str, int] | UnsetType,
        "Where `since` was asked for: player -> rank, of rows in which nothing but the rank is another one.",
    ] = UNSET


class Placed(Protocol):
    """Somebody's place in an order."""

    @property
    def player(self) -> str: ...

    @property
    def status(self) -> str: ...

    @property
    def rank(self) -> int: ...


Place = TypeVar("Place", bound=Placed)


class Order(Struct, Generic[Place], frozen=True, kw_only=True):
    """Standings of which anything may be shown. rows: all of them, in order; draws: all that broke ties.

    shown: rows as answers have them. about: what holds for all, without items and draws. players: who rows are of.
    compared: rows by which it is told what has changed, where `rows` do not hold all that is shown. differing: of
    two such lists, whose row is another one, and whose rank alone is. drawn: rows -> the draws that any of them took
    part in, where rows know it by themselves.
    """

    rows: Sequence[Place]
    draws: Sequence[DrawMade | Draw]
    shown: Callable[[Sequence[Place]], list[RowView]]
    about: StandingsView
    players: Callable[[Sequence[Place]], Sequence[str]] = lambda rows: [row.player for row in rows]
    compared: Callable[[], Sequence[Placed]] | None = None
    differing: Callable[[Any, Any], tuple[set[str], set[str]]] = differing
    drawn: Callable[[Sequence[Place]], Sequence[Draw]] | None = None


About = Callable[[Callable[[Any], bool], str], Sequence[EventView]]
"""Events of scoring whose data are wanted and name an id, as answers show them."""


class ShareView(View, frozen=True, kw_only=True):
    """What one round adds to a value."""

    round: int
    opponent: Annotated[str, "Empty: nobody, after a bye; or several, see `opponents`."]
    opponents: Annotated[list[str] | UnsetType, "Campaigns: every group of another side of that game."] = UNSET
    value: Annotated[str, "Exact: 8 or 13/6."]


class ValueView(View, frozen=True, kw_only=True):
    """A value of a row, its clause, and the rounds that it comes from."""

    column: str
    clause: str
    value: Annotated[str, "Exact: 8 or 13/6."]
    shares: list[ShareView] = msgspec.field(name="from")
    parts: Annotated[
        dict[str, int] | UnsetType, "Campaigns: what a group's rating was made of when it was made final."
    ] = UNSET


class NeighbourView(View, frozen=True, kw_only=True):
    """Who stands next to a row, and what separates the two; empty where they share a rank."""

    player: str
    name: str
    separated_by: str


class ExplainedView(View, frozen=True, kw_only=True):
    """Where every value of a row comes from."""

    player: str
    name: str
    values: list[ValueView]
    rank: Annotated[int | UnsetType, "Campaigns: the present one."] = UNSET
    above: NeighbourView | UnsetType | None = UNSET
    below: NeighbourView | UnsetType | None = UNSET


class AwardView(View, frozen=True, kw_only=True):
    """An award; it never moves a rank."""

    id: str
    name: str
    player: str
    reason: str


class AwardsView(View, frozen=True, kw_only=True):
    """Awards beside the standings."""

    items: list[AwardView]


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


def standings_shown(order: Order[Place], found: OrderPage[Place]) -> StandingsView:
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
    since = parse_since(query.since, loaded.seen)
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
    shown = standings_shown(order, OrderPage(rows, None, len(wanted)))
    gone = removed_ids(changed.rows, (row.player for row in rows))
    return structs.replace(shown, since=query.since, gone=gone, ranks=ranks)


class RankMoved(View, frozen=True, kw_only=True):
    """A rank as it is and as it would be."""

    before: int
    after: int


class ValueMoved(View, frozen=True, kw_only=True):
    """A value as it is and as it would be."""

    before: Number
    after: Number


class RowMoved(View, frozen=True, kw_only=True):
    """Somebody who would stand elsewhere or with other values."""

    player: str
    name: str
    rank: RankMoved
    values: dict[str, ValueMoved]


class ByeMoved(View, frozen=True, kw_only=True):
    """A round whose byes would have gone to others."""

    round: int
    given_to: list[str]
    would_go_to: list[str]


class CutMoved(View, frozen=True, kw_only=True):
    """Who would be in the cut."""

    would_be_in: list[str]
    would_be_out: list[str]
    seeding_changes: bool


class PlaceMoved(View, frozen=True, kw_only=True):
    """A game of the bracket that another player would go on to; pairing pairs it again.

    In a round that was paired by hand it is refused until staff pair it again.
    """

    round: int
    game: str
    leaves: str
    leaves_name: str
    goes_on: Annotated[str, "Empty: no one; the opponent goes on without a game."]
    goes_on_name: str


class LaterRound(View, frozen=True, kw_only=True):
    """A round that was paired from standings that would change; its pairings stand."""

    round: int
    pairings: int
    status: str


class WinnerMoved(View, frozen=True, kw_only=True):
    """The winner of the tournament as it is and as it would be."""

    before: str
    after: str


class StandingsMoved(View, frozen=True, kw_only=True):
    """What would move in the standings and with them. standings_round: the round that they are of."""

    standings_round: int
    ranks: list[RowMoved]
    rounds_recorded_anew: list[int]
    byes: list[ByeMoved]
    cut: CutMoved | None
    bracket: list[PlaceMoved]
    later_pairings: list[LaterRound]
    winner: WinnerMoved | None


def standings_moved(
    before: Tournament,
    after: Tournament,
    *,
    standings_round: int,
    ranks: list[RowMoved],
    byes: Sequence[ByeMoved] = (),
    cut: CutMoved | None = None,
    bracket: Sequence[PlaceMoved] = (),
) -> StandingsMoved:
    """What every format shows alike, beside the ranks that move, its byes, its cut and its bracket."""
    was, now = before.results.standings_changed_at, after.results.standings_changed_at
    changed = sorted(number for number in after.results.closed if was(number) != now(number))
    return StandingsMoved(
        standings_round=standings_round,
        ranks=ranks,
        rounds_recorded_anew=changed,
        byes=list(byes),
        cut=cut,
        bracket=list(bracket),
        later_pairings=[
            LaterRound(round=number, pairings=len(round.seats), status=round.status)
            for number, round in sorted(before.rounds.rounds.items())
            if number - 1 in changed
        ],
        winner=WinnerMoved(before=before.results.winner, after=after.results.winner)
        if before.results.concluded
        else None,
    )
