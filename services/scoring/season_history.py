"""The history of a season: recorded standings, games of a player, warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from services.scoring.season_results import StandingsUnknown
from services.scoring.season_views import TakenView, changed_by_view, heads_view, member_of, table_now
from shared.formats.fold import read_event
from shared.log.database import Connection, Database
from shared.log.event import Recorded
from shared.log.reading import events_of_type, log_page
from shared.refusals import Fault, expects
from shared.roles import EVERY_TOURNAMENT
from shared.season.entries import SEASON_ENTRIES, GatheredTournament, season_of
from shared.season.ranking import as_table
from shared.season.state import (
    SEASON,
    RecordedTable,
    SeasonResultsTaken,
    SeasonRowRecorded,
    SeasonStandingsRecorded,
    StandingsCause,
)
from shared.season.table import ResultExplained, explain, moves
from shared.service.state import LoadedAggregate
from shared.service.views import (
    EventView,
    SeasonMoveView,
    WarningView,
    event_view,
    move_view,
    require_intact,
    warning_view,
)
from shared.service.visibility import is_foreign_organiser, is_visible
from shared.shapes import View
from shared.tournament.format import GameTaken, ResultRow
from shared.tournament.registration import TournamentAnnounced
from shared.tournament.state import Tournament
from shared.web.tokens import Caller

WHOLE = 1_000_000
"""Positions; no season's log is longer."""

IN_REGISTRATION = MappingProxyType(
    {
        "TournamentGathered": "gathered",
        "TournamentReleased": "released",
        "EntryClaimed": "claimed",
        "IdentitiesMerged": "merged",
        "IdentitySplit": "split",
        "DivisionEntered": "division",
        "PlayerJoined": "joined",
        "PlayerPromoted": "joined",
        "SeatGiven": "joined",
        "SeatTakenBack": "left",
        "PlayerWithdrawn": "left",
        "PlayerDropped": "left",
        "PlayerReinstated": "back",
        "PlayerDisqualified": "disqualified",
        "DisqualificationRevoked": "back",
        "PlayerAmended": "amended",
    }
)
"""Event of registration that moves standings -> what it is called here."""

OF_ALL = ("TournamentGathered", "TournamentReleased")
"""Those that concern everybody."""

MOST_CHANGES = 100
"""Events of registration told with one move."""


class ChangeView(EventView, frozen=True, kw_only=True):
    """An event of registration between two standings."""

    what: str


class HistoryItem(View, frozen=True, kw_only=True):
    """A time at which somebody moved. told_only: a correction after the end, whose standings stand."""

    number: Annotated[int, "The number of the standings."]
    time: str
    told_only: bool
    move: SeasonMoveView | None
    causes: Annotated[list[TakenView], "Tournaments."]
    changes: Annotated[list[ChangeView], "Who is who, and so on."]


class HistoryView(View, frozen=True, kw_only=True):
    """Every time that somebody moved, oldest first."""

    player: str
    name: str
    items: list[HistoryItem]


class _Recording(Struct):
    """Standings as recorded at one moment, with what had been taken just before them."""

    number: int
    time: str
    rows: list[SeasonRowRecorded]
    causes: list[StandingsCause]
    registration: int
    taken: list[SeasonResultsTaken]


def history_of(database: Database, season: str, state: Tournament, player: str) -> list[HistoryItem]:
    """Every time the player's rank or values moved, oldest first, with the causes; and what was only told.

    state: of the season, for names. The player is looked for as who they are by now and as who they were.
    """
    with database.reading() as connection:
        log = require_intact(log_page(connection, "scoring", season, 0, WHOLE))
        registered = require_intact(log_page(connection, "registration", season, 0, WHOLE))
    items: list[HistoryItem] = []
    before: _Recording | None = None
    for one in _recordings(log):
        if isinstance(one, _Recording):
            items += _moved(before, one, registered, state, player)
            before = one
        else:
            items += _only_told(one, state, player)
    return items


def standings_recorded(database: Database, season: str, number: int) -> RecordedTable:
    """The standings that were recorded under a number. Raises StandingsUnknown."""
    with database.reading() as connection:
        log = require_intact(log_page(connection, "scoring", season, 0, WHOLE))
    for one in _recordings(log):
        if isinstance(one, _Recording) and one.number == number:
            return RecordedTable(one.number, one.rows, one.registration, one.causes, time=one.time)
    fault = Fault("/number", str(number), expects("at-least", least=1))
    raise StandingsUnknown(f"No standings have the number {number}.", [fault])


def _recordings(log: Sequence[Recorded]) -> Iterator[_Recording | tuple[str, list[Any]]]:
    """The standings in order, whole; and (time, pages) of results that were only told."""
    taken: list[SeasonResultsTaken] = []
    command = ""
    coming: _Recording | None = None
    for recorded in log:
        if recorded.command_id != command:
            command, taken = recorded.command_id, []
        event = read_event(recorded.type, recorded.version, recorded.data)
        if isinstance(event, SeasonResultsTaken):
            taken.append(event)
            if event.told and event.page == event.pages:
                yield recorded.time, taken
                taken = []
        elif isinstance(event, SeasonStandingsRecorded):
            if event.page == 1:
                coming = _Recording(
                    event.number, recorded.time, [], list(event.causes), event.registration, list(taken)
                )
            if coming is not None:
                coming.rows += event.rows
                if event.page == event.pages:
                    yield coming
                    coming = None


def _moved(
    before: _Recording | None, after: _Recording, registered: Sequence[Recorded], state: Tournament, player: str
) -> list[HistoryItem]:
    """How these standings moved the player; nothing where they did not."""
    was = {row.player: row for row in before.rows} if before else {}
    now = {row.player: row for row in after.rows}
    if player not in now and player not in was:
        return []
    if player in now and player in was and _stand(now[player]) == _stand(was[player]):
        return []
    rules = season_of(state.entries)
    found = moves(as_table(rules, before.rows if before else []), as_table(rules, after.rows))
    move = next((one for one in found if one.player == player), None)
    if move is None:
        return []
    since = before.registration if before else 0
    meanwhile = [event for event in registered if since < event.position <= after.registration]
    return [
        HistoryItem(
            number=after.number,
            time=after.time,
            told_only=False,
            move=move_view(move, state.entries.players),
            causes=[_cause(one, state) for one in _first_pages(after.taken)],
            changes=_changes(meanwhile, {player, *move.passed_by}),
        )
    ]


def _changes(registered: Sequence[Recorded], players: set[str]) -> list[ChangeView]:
    """What registration said meanwhile of these players, and which tournaments count; where that is nothing, of all."""
    found = [_change(one) for one in registered if one.type in IN_REGISTRATION]
    about = [one for one in found if one.type in OF_ALL or players & _named(one.data)]
    return (about or found)[-MOST_CHANGES:]


def _change(recorded: Recorded) -> ChangeView:
    event = event_view(recorded)
    return ChangeView(
        id=event.id,
        source=event.source,
        type=event.type,
        position=event.position,
        time=event.time,
        actor=event.actor,
        actor_text=event.actor_text,
        data=event.data,
        what=IN_REGISTRATION[event.type],
    )


def _named(data: Mapping[str, Any]) -> set[str]:
    """The players of the season whom an event is about."""
    return {data.get("player", ""), data.get("into", ""), *data.get("players", ())}


def _stand(row: SeasonRowRecorded) -> SeasonRowRecorded:
    return msgspec.structs.replace(row, was=None, overall=0, rating=None)


def _only_told(one: tuple[str, list[SeasonResultsTaken]], state: Tournament, player: str) -> list[HistoryItem]:
    """A correction after the end of a season whose standings stand, where the player's own result is another one."""
    time, pages = one
    tournament = pages[0].tournament
    entries = {entry for entry, owner in SEASON_ENTRIES.of(state).claims.get(tournament, {}).items() if owner == player}
    taken = SEASON.of(state).taken.get(tournament)
    was = {row.entry: row for row in taken.rows if row.entry in entries} if taken else {}
    now = {row.entry: row for page in pages for row in page.rows if row.entry in entries}
    if was == now:
        return []
    table = SEASON.of(state).table
    return [
        HistoryItem(
            number=table.number if table else 0,
            time=time,
            told_only=True,
            move=None,
            causes=[_cause(page, state) for page in _first_pages(pages)],
            changes=[],
        )
    ]


def _first_pages(taken: Sequence[SeasonResultsTaken]) -> Iterator[SeasonResultsTaken]:
    return (page for page in taken if page.page == 1)


def _cause(taken: SeasonResultsTaken, state: Tournament) -> TakenView:
    """A tournament whose results were taken, where its logs ended then, and what had changed in them."""
    gathered = SEASON_ENTRIES.of(state).gathered.get(taken.tournament)
    return TakenView(
        tournament=taken.tournament,
        name=gathered.name if gathered else "",
        reason=taken.reason,
        heads=heads_view(taken.heads),
        causes=[changed_by_view(cause) for cause in taken.causes],
    )


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
        for event in require_intact(events_of_type(connection, "registration", tournament.tournament, "PlayerWarned")):
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
        if member is None or not is_visible(season, loaded.state, who):
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
    announced = require_intact(events_of_type(connection, "registration", tournament, TournamentAnnounced.__name__))
    events = [read_event(event.type, event.version, event.data) for event in announced]
    return any(isinstance(event, TournamentAnnounced) and _is_open(event, tournament, who) for event in events)


def _is_open(announced: TournamentAnnounced, tournament: str, who: Caller) -> bool:
    if announced.visibility == "public" or who.tournament == tournament:
        return True
    return who.tournament == EVERY_TOURNAMENT and not is_foreign_organiser(announced.organiser, who)
