"""The games of `view=results`: CloudEvents about games, computed by folding the feed.

A game is shown as of a place in the feed: after folding every event of its tournament up to there. A change that needs
events of two logs is therefore shown when the second one gets its place, and the last line about a game agrees with the
standings.

Lines and the latest states are cached. Repeating a page folds nothing; the next page folds only the events in between.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
import orjson

from services.scoring.feed.places import Place, handled_recopy
from services.scoring.format_views import VIEWS, FormatViews
from shared.formats.fold import current_data, evolve
from shared.log.database import Connection
from shared.log.event import Recorded
from shared.tournament.games import RESULT, GameResult, SideScore, is_binding
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament

GAME_EVENTS = frozenset(
    {
        "ResultReported",
        "ReportChanged",
        "ResultConfirmed",
        "ResultDisputed",
        "ResultRuled",
        "ResultCorrected",
        "RulingOverridden",
        "RulingAppealed",
        "AppealRejected",
        "ResultVoided",
    }
)
"""Events about one game. The game is shown after each of them, even if its result does not bind."""

SeatInRound = tuple[int, Seat]
"""A round number and a pairing of that round."""


def _games_of_player(state: Tournament, data: Mapping[str, Any]) -> Iterator[SeatInRound]:
    return ((number, seat) for number, seat in _all_games(state, data) if data["player"] in seat.players)


def _games_of_round(state: Tournament, data: Mapping[str, Any]) -> Iterator[SeatInRound]:
    round = state.rounds.rounds.get(data["round"])
    return ((round.number, seat) for seat in round.seats.values()) if round else iter(())


def _all_games(state: Tournament, data: Mapping[str, Any]) -> Iterator[SeatInRound]:
    return ((round.number, seat) for round in state.rounds.rounds.values() for seat in round.seats.values())


AFFECTED_GAMES: Mapping[str, Callable[[Tournament, Mapping[str, Any]], Iterable[SeatInRound]]] = MappingProxyType(
    {
        "RoundPaired": _games_of_round,
        "PairingAmended": _games_of_round,
        "RoundWithdrawn": _games_of_round,
        "PlayerDisqualified": _games_of_player,
        "DisqualificationRevoked": _games_of_player,
        "TournamentAmended": lambda state, data: _all_games(state, data) if data.get("ruleset") else (),
        "TournamentCancelled": _all_games,
    }
)
"""Event type that may change the values of games -> the games to compare. Games that changed are shown."""

RESULT_EVENTS = GAME_EVENTS.union(AFFECTED_GAMES)


class ResultLine(msgspec.Struct, frozen=True):
    """A CloudEvent about a game on one line. venue: venue of the game; empty: none."""

    id: str
    game: str
    venue: str
    json: bytes


def fold_results(state: Tournament, event: Recorded) -> list[GameResult]:
    """Fold an event into the state. Return the games that it was about or whose values it changed."""
    row = VIEWS.get(state.entries.format)
    if row is None or event.type not in RESULT_EVENTS:
        evolve(state, event)
        return []
    data = current_data(event)
    before = {view.game: view for view in _affected(row, state, event, data)}
    evolve(state, event)
    after = {view.game: view for view in _affected(row, state, event, data)}
    results = [_compare(before.get(game), after.get(game)) for game in {**before, **after}]
    return [
        result
        for result in results
        if result is not None and (event.type in GAME_EVENTS or _is_changed(result, before))
    ]


def result_line(event: Recorded, result: GameResult) -> ResultLine:
    """Return the CloudEvent about a game after an event."""
    id = result_id(event.id, result.game)
    attributes = {
        "specversion": "1.0",
        "id": id,
        "source": event.source,
        "type": RESULT,
        "subject": f"{event.tournament}/{result.game}",
        "time": event.time,
        "datacontenttype": "application/json",
    }
    line = orjson.dumps(attributes)[:-1] + b',"data":' + msgspec.json.encode(result) + b"}"
    return ResultLine(id, result.game, result.venue, line)


def result_id(event: str, game: str) -> str:
    """Return the id of the CloudEvent about a game. event: the id of the event that changed it."""
    return f"{event}.{game}"


def _affected(row: FormatViews, state: Tournament, event: Recorded, data: Mapping[str, Any]) -> Iterator[GameResult]:
    """Yield the games that an event may change. Games that it affects indirectly are skipped unless they bind."""
    if event.type in GAME_EVENTS:
        round = state.rounds.rounds.get(data["round"])
        seat = round.seats.get(data["game"]) if round else None
        if round is not None and seat is not None:
            yield _game(row, state, event, round.number, seat)
        return
    for number, seat in AFFECTED_GAMES[event.type](state, data):
        if is_binding(state, state.rounds.rounds[number], seat):
            yield _game(row, state, event, number, seat)


def _compare(before: GameResult | None, after: GameResult | None) -> GameResult | None:
    if after is None:  # the game was removed or no longer binds
        assert before is not None
        return msgspec.structs.replace(before, binds=False, replaced=before.players)
    if before is None or not before.binds:
        return after
    changed = not after.binds or _value_of(before) != _value_of(after)
    return msgspec.structs.replace(after, replaced=before.players if changed else None)


def _is_changed(result: GameResult, before: Mapping[str, GameResult]) -> bool:
    return result.replaced is not None or result.game not in before


def _value_of(result: GameResult) -> object:
    """Return the parts of a result that count as a change. Names and ids of players do not."""
    sides = [(side.player, side.outcome, side.values) for side in result.players]
    return sides, result.facts


def _game(row: FormatViews, state: Tournament, event: Recorded, number: int, seat: Seat) -> GameResult:
    view = row.game_view(state, number, seat)
    score = view.score or None
    groups = {group.group: (group.outcome, group.values) for group in getattr(score, "groups", None) or ()}
    if score and not groups:
        groups[view.player_1] = (score.outcome_1, score.values_1)
        groups[view.player_2] = (score.outcome_2 or "", score.values_2)
    sides = dict.fromkeys(filter(None, [view.player_1, view.player_2, *groups]))
    entries, result = state.entries, state.results.results.get(seat.game)
    clock = state.rounds.rounds[number].clock_of(seat.venue)
    return GameResult(
        tournament=event.tournament,
        tournament_name=entries.name,
        ruleset=entries.ruleset_at(number)["id"],
        round=number,
        game=seat.game,
        kind=seat.kind,
        venue=view.venue,
        table=view.table,
        played_at=(clock.started_at if clock else "") or (result.first_reported_at if result else "") or None,
        status=view.status,
        binds=view.binds,
        players=[_side(state, player, *groups.get(player, (None, {}))) for player in sides],
        facts=view.facts or {},
        because=event.type,
        replaced=None,
    )


def _side(state: Tournament, player: str, outcome: str | None, values: dict[str, int]) -> SideScore:
    return SideScore(
        player=player,
        name=state.entries.name_of(player),
        external_id=state.entries.external_id_of(player),
        outcome=outcome or None,
        values=values,
    )


_MAX_STATES = 20
"""Cached states. A tournament may have several, since readers are at different places."""
_MAX_BYTES = 16 * 1024 * 1024
"""Bytes of cached lines."""
_BATCH_SIZE = 500
"""Events read by one query."""

Lines = tuple[ResultLine, ...]


class _FoldedTournament(msgspec.Struct):
    """The state of a tournament at a place of the feed. ahead: the next events, read in advance."""

    tournament: str
    state: Tournament
    feed: int = 0
    ahead: deque[tuple[int, Recorded]] = msgspec.field(default_factory=deque)

    def next_event(self, connection: Connection) -> tuple[int, Recorded]:
        if not self.ahead:
            columns = Recorded.__struct_fields__
            rows = connection.feed_rows(
                "public_feed", "", columns, after=self.feed, limit=_BATCH_SIZE, tournament=self.tournament
            )
            self.ahead.extend((feed, Recorded(*columns)) for feed, *columns in rows)
        return self.ahead.popleft()


class ResultLines:
    """The lines of `view=results`, with a cache. Thread-safe."""

    def __init__(self) -> None:
        self._folded: list[_FoldedTournament] = []
        self._lines: OrderedDict[str, Lines] = OrderedDict()
        self._bytes = 0
        self._recopy = 0
        self._lock = threading.Lock()

    def at(self, connection: Connection, place: Place, event: Recorded) -> Lines:
        """Return the lines of the event at a place of the feed; empty if it changed no game."""
        with self._lock:
            if place.mark in self._lines:
                self._lines.move_to_end(place.mark)
                return self._lines[place.mark]
            self._reset_after_recopy(connection)
            folded = self._take_nearest(event.tournament, place.feed)
            lines: Lines = ()
            while folded.feed < place.feed:
                feed, current = folded.next_event(connection)
                results = fold_results(folded.state, current)
                folded.feed = feed
                if feed == place.feed:
                    lines = tuple(result_line(current, result) for result in results)
            self._folded.append(folded)
            del self._folded[:-_MAX_STATES]
            self._remember(place.mark, lines)
            return lines

    def _take_nearest(self, tournament: str, feed: int) -> _FoldedTournament:
        """Remove and return the nearest state before a place. A state whose folding fails is thus not reused."""
        before = [folded for folded in self._folded if folded.tournament == tournament and folded.feed < feed]
        if not before:
            return _FoldedTournament(tournament, Tournament())
        nearest = max(before, key=lambda folded: folded.feed)
        self._folded = [folded for folded in self._folded if folded is not nearest]
        return nearest

    def _remember(self, mark: str, lines: Lines) -> None:
        self._lines[mark] = lines
        self._bytes += _size(lines)
        while self._bytes > _MAX_BYTES and len(self._lines) > 1:
            _, oldest = self._lines.popitem(last=False)
            self._bytes -= _size(oldest)

    def _reset_after_recopy(self, connection: Connection) -> None:
        """Drop all states after a recopy removed places. Cached lines stay: their marks identify the feed."""
        recopy = handled_recopy(connection)
        if recopy != self._recopy:
            self._recopy, self._folded = recopy, []


def _size(lines: Lines) -> int:
    return sum(len(line.json) for line in lines) + 200
