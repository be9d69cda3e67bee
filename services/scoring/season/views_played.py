"""What a player of a season did in its tournaments, one after the other; and the warnings, to staff."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from services.scoring.season.views import table_now
from services.scoring.season.views_rank import member_of
from shared.formats.fold import read_event
from shared.log.database import Connection
from shared.log.reading import events_of_type
from shared.roles import EVERY_TOURNAMENT
from shared.season.entries import SEASON_ENTRIES, GatheredTournament, season_of
from shared.season.state import SEASON
from shared.season.table import ResultExplained, explain
from shared.service.state import LoadedAggregate
from shared.service.views import WarningView, intact, warning_view
from shared.service.visibility import is_of_another, is_there
from shared.shapes import View
from shared.tournament.format import GameTaken, ResultRow
from shared.tournament.registration import TournamentAnnounced
from shared.web.tokens import Caller


class GamePlayedView(View, frozen=True, kw_only=True):
    """A game as the player saw it."""

    round: Annotated[int, "0: not known."]
    kind: Annotated[str, "game, bye or forfeit."]
    outcome: Annotated[str, "win, draw or loss."]
    opponent: Annotated[str, "Their id in that tournament; empty: nobody."]
    opponent_name: str
    score: int
    against: int


class TournamentPlayedView(View, frozen=True, kw_only=True):
    """What a player did in one tournament of the season."""

    tournament: str
    name: str
    played_on: str
    entry: Annotated[str, "The player's id there."]
    entry_name: Annotated[str, "Empty: no results are taken yet."]
    concluded: Annotated[bool, "Whether its results are taken; the members below say nothing before that."]
    status: str
    place: Annotated[int, "0: none."]
    field: Annotated[int, "How many had a place."]
    points: Annotated[str, "What it is worth in the season, exact; empty: nothing."]
    reason: Annotated[str, "Why it does not count; empty where it does."]
    games: list[GamePlayedView]


class SeasonPlayedView(View, frozen=True, kw_only=True):
    """A player's tournaments in the order of the season."""

    player: str
    name: str
    items: list[TournamentPlayedView]


class SeasonWarningView(WarningView, frozen=True, kw_only=True):
    """A warning in one of the tournaments."""

    tournament: str
    name: str
    entry: Annotated[str, "The player's id there."]


class SeasonWarningsView(View, frozen=True, kw_only=True):
    """A player's warnings in the tournaments of a season that the caller may see, in the order of the season."""

    player: str
    name: str
    items: list[SeasonWarningView]


def season_played(loaded: LoadedAggregate, player: str) -> SeasonPlayedView:
    """The tournaments of a player, as the season's own log has them. Raises PlayerUnknown."""
    state = loaded.state
    member, table = member_of(state, player), table_now(loaded)
    explained = explain(season_of(state.entries), table, member).results if table.row(member) else ()
    worth = {result.tournament: result for result in explained}
    items = []
    for tournament, entry in _entries(loaded, member):
        taken = SEASON.of(state).taken.get(tournament.tournament)
        rows = {row.entry: row for row in taken.rows} if taken else {}
        items.append(_tournament(tournament, entry, rows, worth.get(tournament.tournament)))
    return SeasonPlayedView(player=member, name=state.entries.players[member].name, items=items)


def season_warnings(connection: Connection, loaded: LoadedAggregate, player: str, who: Caller) -> SeasonWarningsView:
    """The warnings of a player, from the copies of registration's logs. Raises PlayerUnknown.

    who: asks, and is told nothing of private tournaments of others.
    """
    member = member_of(loaded.state, player)
    items: list[SeasonWarningView] = []
    for tournament, entry in _entries(loaded, member):
        if not _may_see(connection, tournament.tournament, who):
            continue
        for event in intact(events_of_type(connection, "registration", tournament.tournament, "PlayerWarned")):
            warning = warning_view(event)
            if warning.player == entry:
                items.append(
                    SeasonWarningView(
                        player=warning.player,
                        time=warning.time,
                        actor=warning.actor,
                        actor_text=warning.actor_text,
                        reason=warning.reason,
                        clause=warning.clause,
                        tournament=tournament.tournament,
                        name=tournament.name,
                        entry=entry,
                    )
                )
    return SeasonWarningsView(player=member, name=loaded.state.entries.players[member].name, items=items)


def warnings_in_seasons(
    connection: Connection, seasons: Iterable[tuple[str, LoadedAggregate]], tournament: str, player: str, who: Caller
) -> list[SeasonWarningView]:
    """The warnings of a tournament's player in the seasons that count it, each once, in the order of the seasons.

    seasons: id and state of those that count the tournament. who: as of `season_warnings`; a private season of others
    is passed over.
    """
    found: dict[tuple[str, str, str], SeasonWarningView] = {}
    for season, loaded in seasons:
        member = SEASON_ENTRIES.of(loaded.state).claims.get(tournament, {}).get(player)
        if member is None or not is_there(season, loaded.state, who):
            continue
        for warning in season_warnings(connection, loaded, member, who).items:
            found.setdefault((warning.tournament, warning.time, warning.reason), warning)
    return list(found.values())


def _entries(loaded: LoadedAggregate, member: str) -> Iterator[tuple[GatheredTournament, str]]:
    """The tournaments that count, in the order of the season, each with who the player is there."""
    season = SEASON_ENTRIES.of(loaded.state)
    for tournament in season.in_order():
        for entry, owner in sorted(season.claims.get(tournament.tournament, {}).items()):
            if owner == member:
                yield tournament, entry


def _tournament(
    tournament: GatheredTournament, entry: str, rows: dict[str, ResultRow], worth: ResultExplained | None
) -> TournamentPlayedView:
    row = rows.get(entry)
    return TournamentPlayedView(
        tournament=tournament.tournament,
        name=tournament.name,
        played_on=tournament.played_on,
        entry=entry,
        entry_name=row.name if row else "",
        concluded=bool(rows),
        status=row.status if row else "",
        place=row.place if row else 0,
        field=sum(bool(other.place) for other in rows.values()),
        points=worth.points if row and worth else "",
        reason=worth.reason if row and worth else "",
        games=[_game(game, rows) for game in (row.games if row else ())],
    )


def _game(game: GameTaken, rows: dict[str, ResultRow]) -> GamePlayedView:
    opponent = rows.get(game.opponent)
    return GamePlayedView(
        round=game.round,
        kind=game.kind,
        outcome=game.outcome,
        opponent=game.opponent,
        opponent_name=opponent.name if opponent else "",
        score=game.score,
        against=game.against,
    )


def _may_see(connection: Connection, tournament: str, who: Caller) -> bool:
    """Whether a tournament is public, or the caller's own; nobody changes that after it was announced."""
    announced = intact(events_of_type(connection, "registration", tournament, TournamentAnnounced.__name__))
    events = [read_event(event.type, event.version, event.data) for event in announced]
    return any(isinstance(event, TournamentAnnounced) and _is_open(event, tournament, who) for event in events)


def _is_open(announced: TournamentAnnounced, tournament: str, who: Caller) -> bool:
    if announced.visibility == "public" or who.tournament == tournament:
        return True
    return who.tournament == EVERY_TOURNAMENT and not is_of_another(announced.organiser, who)
