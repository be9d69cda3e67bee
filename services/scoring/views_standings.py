"""Views of standings for all formats: rows, explanations, awards, changes since a version, consequences.

Recently served versions stay in memory, to compute `?since=` differences.
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
from shared.names import matches_words, name_sort_key
from shared.refusals import Fault
from shared.rules.model import Draw
from shared.service.state import LoadedAggregate
from shared.service.views import AnsweredSince, EventView, ExternalId, Gone, Version
from shared.shapes import TOTAL, Number, View
from shared.tournament.rounds import DrawMade
from shared.tournament.state import Tournament
from shared.web.paging import OrderPage, csv_answer, parse_since, removed_ids

_MAX_VERSIONS = 64
_MAX_ROWS = 400_000
"""Rows in all kept versions of one list. Versions share unchanged rows, so most cost eight bytes."""


class ListRow(Protocol):
    """A row of a list."""

    @property
    def player(self) -> str: ...

    @property
    def rank(self) -> int: ...


class ServedVersion(Struct, frozen=True):
    """A served version of a list. seen: source -> position. rows: the complete list, in order."""

    seen: dict[str, int]
    rows: Sequence[ListRow]


class ServedVersions:
    """Recently served versions of one list, kept to compute `?since=` differences."""

    def __init__(self, limit: int = _MAX_VERSIONS, row_limit: int = _MAX_ROWS) -> None:
        self._versions: OrderedDict[tuple[tuple[str, int], ...], ServedVersion] = OrderedDict()
        self._limit, self._row_limit = limit, row_limit

    def add(self, version: ServedVersion) -> None:
        """Keep a version, and drop the oldest ones beyond the limits."""
        self._versions[_key(version.seen)] = version
        while (
            len(self._versions) > self._limit
            or sum(len(kept.rows) for kept in self._versions.values()) > self._row_limit
        ):
            if len(self._versions) == 1:
                break
            self._versions.popitem(last=False)

    def at(self, seen: Mapping[str, int]) -> ServedVersion | None:
        """Return the list at exactly this version, or None if this process does not have it."""
        return self._versions.get(_key(seen))


def _key(seen: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(seen.items()))


def differing(before: Sequence[Any], now: Sequence[Any]) -> tuple[set[str], set[str]]:
    """Return the players whose row was changed, added or removed, and those for whom only the rank changed."""
    old_rows = {row.player: row for row in before}
    changed: set[str] = set()
    moved: set[str] = set()
    for row in now:
        old = old_rows.pop(row.player, None)
        if old != row:
            only_rank = old is not None and structs.replace(old, rank=row.rank) == row
            (moved if only_rank else changed).add(row.player)
    return changed | old_rows.keys(), moved


class RowView(View, frozen=True, kw_only=True):
    """A row of standings."""

    rank: int
    player: str
    name: str
    external_id: ExternalId
    values: Annotated[
        dict[str, Number],
        "The columns of the ruleset: whole numbers, or decimals as strings. "
        "A value that is computed within tied groups is empty for players who are not tied.",
    ]
    tied: Annotated[bool, "Only a draw separates the player from the previous or next one."]
    status: str
    separated_by: Annotated[
        str | UnsetType,
        "Campaigns: the criterion that separates this row from the one above. Empty: they share a rank.",
    ] = UNSET
    crosstable: Annotated[
        dict[str, list[Number]] | UnsetType,
        "Round robins: opponent -> the points of each game against them, in order.",
    ] = UNSET
    byes: Annotated[int | UnsetType, "Byes up to this round. Absent: none."] = UNSET
    venue: Annotated[str | UnsetType, "The player's venue. Only with `venue`."] = UNSET
    venue_rank: Annotated[int | UnsetType, "The rank among the players of this venue. Only with `venue`."] = UNSET


class DrawView(View, frozen=True, kw_only=True):
    """A draw that broke a tie. Anyone can repeat it from the seed."""

    purpose: str
    round: int
    order: list[str]
    seed: str


class CountedVenue(View, frozen=True, kw_only=True):
    """A venue in the standings."""

    venue: str
    name: str
    round: Annotated[int, "The last round of which every game at this venue is counted."]


class StandingsView(View, frozen=True, kw_only=True):
    """Standings, with the draws that broke ties."""

    tournament: str
    round: int
    final: bool
    provisional: Annotated[
        bool,
        "The standings are not recorded: the round is open, or a player has left since. Or the venues are not counted"
        " after the same round.",
    ]
    after: Annotated[list[CountedVenue] | UnsetType, "Events of several venues: what is counted of each."] = UNSET
    columns: list[str]
    words: Annotated[
        dict[str, str] | UnsetType,
        "The heading of each column, and of what settles a tie (`tied`). Absent in campaigns.",
    ] = UNSET
    items: list[RowView]
    draws: Annotated[list[DrawView], "The draws that concern the listed players."]
    next: Annotated[str | None, "The cursor of the next page. null: this is the last page, or no page was requested."]
    total: Annotated[int, TOTAL]
    version: Version = UNSET
    since: AnsweredSince = UNSET
    gone: Gone = UNSET
    publish_at: Annotated[str | UnsetType, "For staff: when held back standings are published, if a time is set."] = (
        UNSET
    )
    ranks: Annotated[
        dict[str, int] | UnsetType,
        "With `since`: player -> new rank, for rows in which only the rank changed.",
    ] = UNSET


class StandingsRow(Protocol):
    """A row of an order."""

    @property
    def player(self) -> str: ...

    @property
    def status(self) -> str: ...

    @property
    def rank(self) -> int: ...


Place = TypeVar("Place", bound=StandingsRow)


class Order(Struct, Generic[Place], frozen=True, kw_only=True):
    """Complete standings, and functions to show parts of them.

    rows: in order. draws: all that broke ties. about: the answer without items and draws. render: returns the views of
    rows. players_of: returns the players of rows. comparable_rows: returns the rows to compare for `?since=`, if `rows`
    do not contain everything that is rendered. compare: compares two lists of them. draws_of: returns the draws that
    concern some rows, if the rows know them.
    """

    rows: Sequence[Place]
    draws: Sequence[DrawMade | Draw]
    render: Callable[[Sequence[Place]], list[RowView]]
    about: StandingsView
    players_of: Callable[[Sequence[Place]], Sequence[str]] = lambda rows: [row.player for row in rows]
    comparable_rows: Callable[[], Sequence[StandingsRow]] | None = None
    compare: Callable[[Any, Any], tuple[set[str], set[str]]] = differing
    draws_of: Callable[[Sequence[Place]], Sequence[Draw]] | None = None


About = Callable[[Callable[[Any], bool], str], Sequence[EventView]]
"""Returns the views of scoring's events that match a condition on their data and mention an id."""


class ShareView(View, frozen=True, kw_only=True):
    """The contribution of one round to a value."""

    round: int
    opponent: Annotated[str, "The opponent. Empty: a bye, or several opponents (see `opponents`)."]
    opponents: Annotated[list[str] | UnsetType, "Campaigns: all opposing groups of the game."] = UNSET
    value: Annotated[str, "Exact: 8 or 13/6."]


class ValueView(View, frozen=True, kw_only=True):
    """A value of a row with its clause and the contributions of the rounds."""

    column: str
    clause: str
    value: Annotated[str, "Exact: 8 or 13/6."]
    shares: list[ShareView] = msgspec.field(name="from")
    parts: Annotated[dict[str, int] | UnsetType, "Campaigns: the parts of a group's final rating."] = UNSET


class NeighbourView(View, frozen=True, kw_only=True):
    """The previous or next row, and the criterion that separates it. `separated_by` empty: they share a rank."""

    player: str
    name: str
    separated_by: str


class ExplainedView(View, frozen=True, kw_only=True):
    """The origin of every value of a row."""

    player: str
    name: str
    values: list[ValueView]
    rank: Annotated[int | UnsetType, "Campaigns: the current rank."] = UNSET
    above: NeighbourView | UnsetType | None = UNSET
    below: NeighbourView | UnsetType | None = UNSET


class AwardView(View, frozen=True, kw_only=True):
    """An award. It does not affect ranks."""

    id: str
    name: str
    player: str
    winner: Annotated[str | UnsetType, "The player's name."] = UNSET
    reason: str


class AwardsView(View, frozen=True, kw_only=True):
    """All awards of a tournament."""

    items: list[AwardView]


def matching_rows(order: Order[Place], state: Tournament, query: StandingsQuery) -> Sequence[Place]:
    """Return the rows that match a query, in its order."""
    players, rows = state.entries.players, order.rows
    if (query.venue, query.status, query.q) != (UNSET, UNSET, UNSET):
        rows = [
            row
            for row in rows
            if query.venue in (UNSET, players[row.player].venue)
            and query.status in (UNSET, row.status)
            and (query.q is UNSET or matches_words(players[row.player].name, query.q))
        ]
    return sorted(rows, key=lambda row: name_sort_key(players[row.player].name)) if query.sort == "name" else rows


def standings_page(order: Order[Place], page: OrderPage[Place]) -> StandingsView:
    """Return the answer for a page of rows, with the draws that concern them."""
    return structs.replace(
        order.about,
        items=order.render(page.items),
        draws=[
            DrawView(purpose=draw.purpose, round=draw.round, order=list(draw.order), seed=draw.seed)
            for draw in _relevant_draws(order, page.items)
        ],
        next=page.next,
        total=page.total,
    )


def _relevant_draws(order: Order[Place], items: Sequence[Place]) -> Sequence[Draw | DrawMade]:
    if len(items) == len(order.rows):
        return order.draws
    if order.draws_of is not None:
        return order.draws_of(items)
    players = {row.player for row in items}
    return [draw for draw in order.draws if not players.isdisjoint(draw.order)]


def with_venue_ranks(answer: StandingsView, order: Order[Place], state: Tournament, venue: str) -> StandingsView:
    """Return an answer with the rank of each row among the players of a venue. A shared rank is shared there, too."""
    ranks: dict[str, int] = {}
    place, last = 0, 0
    for count, row in enumerate(matching_rows(order, state, StandingsQuery(venue=venue)), start=1):
        place, last = (place, last) if row.rank == last else (count, row.rank)
        ranks[row.player] = place
    items = [structs.replace(item, venue=venue, venue_rank=ranks[item.player]) for item in answer.items]
    return structs.replace(answer, items=items)


def standings_file(standings: StandingsView, headers: Mapping[str, str]) -> Response:
    """Return standings as CSV: the columns of `muster standings`, then the name; for a venue, the rank there."""
    columns = ["rank", "player", *standings.columns, "tied", "status", "name"]
    if any(row.venue_rank is not UNSET for row in standings.items):
        columns += ["venue", "venue_rank"]
    rows = [
        {**row.values, "rank": row.rank, "player": row.player, "tied": row.tied, "name": row.name}
        | ({"venue": row.venue, "venue_rank": row.venue_rank} if row.venue_rank is not UNSET else {})
        | ({} if row.status == "active" else {"status": row.status})
        for row in standings.items
    ]
    return csv_answer(columns, rows, headers)


def not_in_standings(player: str, faults: list[Fault]) -> PlayerUnknown:
    """Return the refusal of a request for a page around a player who has no row in the standings."""
    return PlayerUnknown(f"These standings have no row of the player {player}.", faults)


class ChangedPlayers(Struct, frozen=True):
    """Changed players. rows: players whose row changed, appeared or disappeared. moved: only their rank changed."""

    rows: set[str]
    moved: set[str]


def changes_since(loaded: LoadedAggregate, order: Order[Place], query: StandingsQuery) -> ChangedPlayers | None:
    """Return the changes since the requested version, or None if none was requested or it is unknown.

    Also keeps the current version for later requests. Raises InvalidCursor.
    """
    versions = loaded.kept(("looks", query.round), ServedVersions)
    since = parse_since(query.since, loaded.seen)
    comparable = order.comparable_rows
    rows = order.rows if comparable is None else loaded.derived(("compared", query.round), comparable)
    versions.add(ServedVersion(dict(loaded.seen), rows))
    earlier = versions.at(since) if since is not None else None
    if earlier is None:
        return None
    changed, moved = order.compare(earlier.rows, rows)
    players, registered = loaded.state.entries.players.values(), earlier.seen.get("registration", 0)
    changed |= {player.id for player in players if player.changed > registered}
    return ChangedPlayers(changed, moved - changed)


def standings_since(
    loaded: LoadedAggregate, order: Order[Place], query: StandingsQuery, changed: ChangedPlayers
) -> StandingsView:
    """Return the changed rows that match a query. `gone` lists changed players without a matching row."""
    matching = matching_rows(order, loaded.state, query)
    players = order.players_of(matching)
    rows = [matching[place] for place, player in enumerate(players) if player in changed.rows]
    ranks = {player: matching[place].rank for place, player in enumerate(players) if player in changed.moved}
    answer = standings_page(order, OrderPage(rows, None, len(matching)))
    gone = removed_ids(changed.rows, (row.player for row in rows))
    return structs.replace(answer, since=query.since, gone=gone, ranks=ranks)


class RankMoved(View, frozen=True, kw_only=True):
    """A rank before and after a command."""

    before: int
    after: int


class ValueMoved(View, frozen=True, kw_only=True):
    """A value before and after a command."""

    before: Number
    after: Number


class RowMoved(View, frozen=True, kw_only=True):
    """A player whose rank or values would change."""

    player: str
    name: str
    rank: RankMoved
    values: dict[str, ValueMoved]


class ByeMoved(View, frozen=True, kw_only=True):
    """A round whose byes would have gone to other players."""

    round: int
    given_to: list[str]
    would_go_to: list[str]


class CutMoved(View, frozen=True, kw_only=True):
    """Changes to the cut."""

    would_be_in: list[str]
    would_be_out: list[str]
    seeding_changes: bool


class PlaceMoved(View, frozen=True, kw_only=True):
    """A game of the bracket to which another player would advance. It is paired again.

    In a round that was paired by hand, staff have to pair it again.
    """

    round: int
    game: str
    leaves: str
    leaves_name: str
    goes_on: Annotated[str, "The player who advances. Empty: no one; the opponent advances without a game."]
    goes_on_name: str


class LaterRound(View, frozen=True, kw_only=True):
    """A round that was paired from standings that would change. Its pairings stay."""

    round: int
    pairings: int
    status: str


class WinnerMoved(View, frozen=True, kw_only=True):
    """The winner of the tournament before and after a command."""

    before: str
    after: str


class StandingsMoved(View, frozen=True, kw_only=True):
    """Changes to the standings and their consequences. standings_round: the latest round that counts."""

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
    """Return the changes between two states. ranks, byes, cut and bracket come from the format."""
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
            LaterRound(round=number, pairings=len(round.seats), status="started" if round.has_started else "paired")
            for number, round in sorted(before.rounds.rounds.items())
            if number - 1 in changed
        ],
        winner=WinnerMoved(before=before.results.winner, after=after.results.winner)
        if before.results.concluded
        else None,
    )
