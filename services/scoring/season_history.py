"""The history of a season: changes of ranks, earlier standings, a player's tournaments, warnings."""

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

_WHOLE_LOG = 1_000_000
"""Events of a log to read: more than any season has."""

_CHANGE_NAMES = MappingProxyType(
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
"""Event of registration that can change standings -> its name in answers."""

_ABOUT_ALL = ("TournamentGathered", "TournamentReleased")
"""Events that concern all players."""

_MAX_CHANGES = 100
"""At most this many events of registration are listed with one change."""


class ChangeView(EventView, frozen=True, kw_only=True):
    """An event of registration between two standings."""

    what: str


class HistoryItem(View, frozen=True, kw_only=True):
    """A change of a player's rank or values.

    told_only: a correction after the end that did not change the standings.
    """

    number: Annotated[int, "The number of the standings."]
    time: str
    told_only: bool
    move: SeasonMoveView | None
    causes: Annotated[list[TakenView], "The tournaments whose results caused the change."]
    changes: Annotated[list[ChangeView], "Events of registration that contributed to the change, such as merges."]


class HistoryView(View, frozen=True, kw_only=True):
    """All changes of a player's rank or values, oldest first."""

    player: str
    name: str
    items: list[HistoryItem]


class _Recording(Struct):
    """Recorded standings, with the results taken by the same command."""

    number: int
    time: str
    rows: list[SeasonRowRecorded]
    causes: list[StandingsCause]
    registration: int
    taken: list[SeasonResultsTaken]


def history_of(database: Database, season: str, state: Tournament, player: str) -> list[HistoryItem]:
    """Return all changes of a player's rank or values with their causes, oldest first.

    state: the season's state, which has the names. player: id of the player's current identity.
    """
    with database.reading() as connection:
        log = require_intact(log_page(connection, "scoring", season, 0, _WHOLE_LOG))
        registered = require_intact(log_page(connection, "registration", season, 0, _WHOLE_LOG))
    items: list[HistoryItem] = []
    before: _Recording | None = None
    for item in _recordings(log):
        if isinstance(item, _Recording):
            items += _change_between(before, item, registered, state, player)
            before = item
        else:
            items += _ineffective_correction(item, state, player)
    return items


def standings_recorded(database: Database, season: str, number: int) -> RecordedTable:
    """Return the recorded standings with a number. Raises StandingsUnknown."""
    with database.reading() as connection:
        log = require_intact(log_page(connection, "scoring", season, 0, _WHOLE_LOG))
    for item in _recordings(log):
        if isinstance(item, _Recording) and item.number == number:
            return RecordedTable(item.number, item.rows, item.registration, item.causes, time=item.time)
    fault = Fault("/number", str(number), expects("at-least", least=1))
    raise StandingsUnknown(f"No standings have the number {number}.", [fault])


def _recordings(log: Sequence[Recorded]) -> Iterator[_Recording | tuple[str, list[Any]]]:
    """Yield recorded standings in order, and (time, pages) for results that did not change them."""
    taken: list[SeasonResultsTaken] = []
    command = ""
    recording: _Recording | None = None
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
                recording = _Recording(
                    event.number, recorded.time, [], list(event.causes), event.registration, list(taken)
                )
            if recording is not None:
                recording.rows += event.rows
                if event.page == event.pages:
                    yield recording
                    recording = None


def _change_between(
    before: _Recording | None, after: _Recording, registered: Sequence[Recorded], state: Tournament, player: str
) -> list[HistoryItem]:
    """Return the change of the player between two standings, if there is one."""
    old_rows = {row.player: row for row in before.rows} if before else {}
    new_rows = {row.player: row for row in after.rows}
    if player not in new_rows and player not in old_rows:
        return []
    if player in new_rows and player in old_rows and _comparable(new_rows[player]) == _comparable(old_rows[player]):
        return []
    rules = season_of(state.entries)
    all_moves = moves(as_table(rules, before.rows if before else []), as_table(rules, after.rows))
    move = next((item for item in all_moves if item.player == player), None)
    if move is None:
        return []
    since = before.registration if before else 0
    between = [event for event in registered if since < event.position <= after.registration]
    return [
        HistoryItem(
            number=after.number,
            time=after.time,
            told_only=False,
            move=move_view(move, state.entries.players),
            causes=[_taken_view(item, state) for item in _first_pages(after.taken)],
            changes=_changes(between, {player, *move.passed_by}),
        )
    ]


def _changes(registered: Sequence[Recorded], players: set[str]) -> list[ChangeView]:
    """Return the events about these players and about gathered tournaments; if there are none, those about anyone."""
    changes = [_change_view(item) for item in registered if item.type in _CHANGE_NAMES]
    relevant = [item for item in changes if item.type in _ABOUT_ALL or players & _players_of(item.data)]
    return (relevant or changes)[-_MAX_CHANGES:]


def _change_view(recorded: Recorded) -> ChangeView:
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
        what=_CHANGE_NAMES[event.type],
    )


def _players_of(data: Mapping[str, Any]) -> set[str]:
    """Return the players that an event is about."""
    return {data.get("player", ""), data.get("into", ""), *data.get("players", ())}


def _comparable(row: SeasonRowRecorded) -> SeasonRowRecorded:
    return msgspec.structs.replace(row, was=None, overall=0, rating=None)


def _ineffective_correction(
    item: tuple[str, list[SeasonResultsTaken]], state: Tournament, player: str
) -> list[HistoryItem]:
    """Return a correction after the end of a season, if it changed the player's own results."""
    time, pages = item
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
            causes=[_taken_view(page, state) for page in _first_pages(pages)],
            changes=[],
        )
    ]


def _first_pages(taken: Sequence[SeasonResultsTaken]) -> Iterator[SeasonResultsTaken]:
    return (page for page in taken if page.page == 1)


def _taken_view(taken: SeasonResultsTaken, state: Tournament) -> TakenView:
    """Return the view of a tournament whose results were taken."""
    gathered = SEASON_ENTRIES.of(state).gathered.get(taken.tournament)
    return TakenView(
        tournament=taken.tournament,
        name=gathered.name if gathered else "",
        reason=taken.reason,
        heads=heads_view(taken.heads),
        causes=[changed_by_view(cause) for cause in taken.causes],
    )


class GamePlayedView(View, frozen=True, kw_only=True):
    """A game from the view of the player."""

    round: Annotated[int, "The round. 0: unknown."]
    kind: Annotated[str, "`game`, `bye` or `forfeit`."]
    outcome: Annotated[str, "`win`, `draw` or `loss`."]
    opponent: Annotated[str, "The opponent's id in that tournament. Empty: no opponent."]
    opponent_name: str
    score: int
    against: int


class TournamentPlayedView(View, frozen=True, kw_only=True):
    """The result of a player in one tournament of the season."""

    tournament: str
    name: str
    played_on: str
    entry: Annotated[str, "The player's id in that tournament."]
    entry_name: Annotated[str, "The player's name in that tournament. Empty: its results are not taken yet."]
    concluded: Annotated[bool, "The results are taken. Otherwise the following members are empty."]
    status: str
    place: Annotated[int, "The place. 0: none."]
    field: Annotated[int, "The number of players with a place."]
    points: Annotated[str, "The exact points in the season. Empty: none."]
    reason: Annotated[str, "Why the result does not count. Empty: it counts."]
    games: list[GamePlayedView]


class SeasonPlayedView(View, frozen=True, kw_only=True):
    """The tournaments of a player, in the order of the season."""

    player: str
    name: str
    items: list[TournamentPlayedView]


class SeasonWarningView(WarningView, frozen=True, kw_only=True):
    """A warning in a tournament of the season."""

    tournament: str
    name: str
    entry: Annotated[str, "The player's id in that tournament."]


class SeasonWarningsView(View, frozen=True, kw_only=True):
    """The warnings of a player in tournaments that the caller may see, in the order of the season."""

    player: str
    name: str
    items: list[SeasonWarningView]


def season_played(loaded: LoadedAggregate, player: str) -> SeasonPlayedView:
    """Return the tournaments of a player. Raises PlayerUnknown."""
    state = loaded.state
    member, table = member_of(state, player), table_now(loaded)
    explained = explain(season_of(state.entries), table, member).results if table.row(member) else ()
    worth = {result.tournament: result for result in explained}
    items = []
    for tournament, entry in _entries_of(loaded, member):
        taken = SEASON.of(state).taken.get(tournament.tournament)
        rows = {row.entry: row for row in taken.rows} if taken else {}
        items.append(_tournament(tournament, entry, rows, worth.get(tournament.tournament)))
    return SeasonPlayedView(player=member, name=state.entries.players[member].name, items=items)


def season_warnings(connection: Connection, loaded: LoadedAggregate, player: str, caller: Caller) -> SeasonWarningsView:
    """Return the warnings of a player in tournaments that the caller may see. Raises PlayerUnknown."""
    member = member_of(loaded.state, player)
    items: list[SeasonWarningView] = []
    for tournament, entry in _entries_of(loaded, member):
        if not _is_visible(connection, tournament.tournament, caller):
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
    connection: Connection, seasons: Iterable[tuple[str, LoadedAggregate]], tournament: str, player: str, caller: Caller
) -> list[SeasonWarningView]:
    """Return the warnings of a tournament's player in the seasons that count it, each once.

    seasons: (id, state) of these seasons. Seasons that the caller may not see are skipped.
    """
    warnings: dict[tuple[str, str, str], SeasonWarningView] = {}
    for season, loaded in seasons:
        member = SEASON_ENTRIES.of(loaded.state).claims.get(tournament, {}).get(player)
        if member is None or not is_visible(season, loaded.state, caller):
            continue
        for warning in season_warnings(connection, loaded, member, caller).items:
            warnings.setdefault((warning.tournament, warning.time, warning.reason), warning)
    return list(warnings.values())


def _entries_of(loaded: LoadedAggregate, member: str) -> Iterator[tuple[GatheredTournament, str]]:
    """Yield the tournaments of a player in the order of the season, each with the player's id there."""
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


def _is_visible(connection: Connection, tournament: str, caller: Caller) -> bool:
    """Return True if a tournament is public or the token covers it. Visibility never changes."""
    announced = require_intact(events_of_type(connection, "registration", tournament, TournamentAnnounced.__name__))
    events = [read_event(event.type, event.version, event.data) for event in announced]
    return any(isinstance(event, TournamentAnnounced) and _token_covers(event, tournament, caller) for event in events)


def _token_covers(announced: TournamentAnnounced, tournament: str, caller: Caller) -> bool:
    if announced.visibility == "public" or caller.tournament == tournament:
        return True
    return caller.tournament == EVERY_TOURNAMENT and not is_foreign_organiser(announced.organiser, caller)
