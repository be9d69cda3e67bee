"""The games of `view=results`: their lines, made by folding the feed.

The state of a tournament is that of the feed: all that has a place there before an event. So what follows from two logs
is told where the second of them gets its place, and the last line about a game agrees with the standings.

Lines are kept, and so are the states behind the last ones. A page of events that were told before costs no folding; one
that goes on where an earlier one ended costs the events between.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
import orjson

from services.scoring.feed.places import Place, mended_for
from services.scoring.format_views import VIEWS, FormatViews
from shared.formats.fold import current_data, evolve
from shared.log.database import Connection
from shared.log.event import Recorded
from shared.tournament.games import RESULT, GameResult, SideScore, is_binding
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament

ABOUT_GAMES = frozenset(
    {
        "ResultReported",
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
"""Events about one game. It is shown after each of them, whether it counts or not."""

SeatInRound = tuple[int, Seat]
"""The number of a round, and a pairing of it."""


def _of_player(state: Tournament, data: Mapping[str, Any]) -> Iterator[SeatInRound]:
    return ((number, seat) for number, seat in _everywhere(state, data) if data["player"] in seat.players)


def _of_round(state: Tournament, data: Mapping[str, Any]) -> Iterator[SeatInRound]:
    round = state.rounds.rounds.get(data["round"])
    return ((round.number, seat) for seat in round.seats.values()) if round else iter(())


def _everywhere(state: Tournament, data: Mapping[str, Any]) -> Iterator[SeatInRound]:
    return ((round.number, seat) for round in state.rounds.rounds.values() for seat in round.seats.values())


MOVES_GAMES: Mapping[str, Callable[[Tournament, Mapping[str, Any]], Iterable[SeatInRound]]] = MappingProxyType(
    {
        "RoundPaired": _of_round,
        "PairingAmended": _of_round,
        "RoundWithdrawn": _of_round,
        "PlayerDisqualified": _of_player,
        "DisqualificationRevoked": _of_player,
        "TournamentAmended": lambda state, data: _everywhere(state, data) if data.get("ruleset") else (),
        "TournamentCancelled": _everywhere,
    }
)
"""Type of an event that may change what games are worth -> the games to compare. Those that change are shown."""

TELLS_RESULTS = ABOUT_GAMES.union(MOVES_GAMES)


class ResultLine(msgspec.Struct, frozen=True):
    """A CloudEvent about a game, in one line. id: its own. venue: of the game, empty for none."""

    id: str
    game: str
    venue: str
    json: bytes


def results_of(state: Tournament, event: Recorded) -> list[GameResult]:
    """Fold an event into the state. Return the games that it was about, or whose worth it changed."""
    row = VIEWS.get(state.entries.format)
    if row is None or event.type not in TELLS_RESULTS:
        evolve(state, event)
        return []
    data = current_data(event)
    before = {view.game: view for view in _shown(row, state, event, data)}
    evolve(state, event)
    after = {view.game: view for view in _shown(row, state, event, data)}
    found = [_compared(before.get(game), after.get(game)) for game in {**before, **after}]
    return [result for result in found if result is not None and (event.type in ABOUT_GAMES or _moved(result, before))]


def result_line(event: Recorded, result: GameResult) -> ResultLine:
    """Return the CloudEvent of a result. Its id is that of the event, and the game."""
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
    """Return the id of the CloudEvent about a game. event: the id of the event that it comes from."""
    return f"{event}.{game}"


def _shown(row: FormatViews, state: Tournament, event: Recorded, data: Mapping[str, Any]) -> Iterator[GameResult]:
    """Yield the games that an event may change. Of those that it only moves, a game that does not bind is left out."""
    if event.type in ABOUT_GAMES:
        round = state.rounds.rounds.get(data["round"])
        seat = round.seats.get(data["game"]) if round else None
        if round is not None and seat is not None:
            yield _game(row, state, event, round.number, seat)
        return
    for number, seat in MOVES_GAMES[event.type](state, data):
        if is_binding(state, state.rounds.rounds[number], seat):
            yield _game(row, state, event, number, seat)


def _compared(before: GameResult | None, after: GameResult | None) -> GameResult | None:
    if after is None:  # it is no longer there, or counts no more
        assert before is not None
        return msgspec.structs.replace(before, binds=False, replaced=before.players)
    if before is None or not before.binds:
        return after
    moved = not after.binds or _worth(before) != _worth(after)
    return msgspec.structs.replace(after, replaced=before.players if moved else None)


def _moved(result: GameResult, before: Mapping[str, GameResult]) -> bool:
    return result.replaced is not None or result.game not in before


def _worth(result: GameResult) -> object:
    """Return what makes a result another one: names and ids of the players do not."""
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
    entries, round, result = state.entries, state.rounds.rounds[number], state.results.results.get(seat.game)
    return GameResult(
        tournament=event.tournament,
        tournament_name=entries.name,
        ruleset=entries.ruleset_at(number)["id"],
        round=number,
        game=seat.game,
        kind=seat.kind,
        venue=view.venue,
        table=view.table,
        played_at=round.started_at or (result.first_reported_at if result else "") or None,
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


STATES = 20
"""States that are kept. A tournament may have several: readers are at different places of it."""
KEPT_BYTES = 16 * 1024 * 1024
"""Bytes of lines that are kept."""
TOGETHER = 500
"""Events of a tournament that are read at once."""

Lines = tuple[ResultLine, ...]


class _Walk(msgspec.Struct):
    """A tournament as it was at a place of the feed. ahead: the events behind it that are read already."""

    tournament: str
    state: Tournament
    feed: int = 0
    ahead: deque[tuple[int, Recorded]] = msgspec.field(default_factory=deque)

    def next(self, connection: Connection) -> tuple[int, Recorded]:
        if not self.ahead:
            columns = Recorded.__struct_fields__
            rows = connection.placed(
                "public_feed", "", columns, after=self.feed, limit=TOGETHER, tournament=self.tournament
            )
            self.ahead.extend((feed, Recorded(*columns)) for feed, *columns in rows)
        return self.ahead.popleft()


class Results:
    """Makes the lines of results, for any number of threads."""

    def __init__(self) -> None:
        self._walks: list[_Walk] = []
        self._lines: OrderedDict[str, Lines] = OrderedDict()
        self._bytes = 0
        self._recopy = 0
        self._lock = threading.Lock()

    def at(self, connection: Connection, place: Place, event: Recorded) -> Lines:
        """Return the lines of the event at a place of the feed; none if it changed no game."""
        with self._lock:
            if place.mark in self._lines:
                self._lines.move_to_end(place.mark)
                return self._lines[place.mark]
            self._forget_if_recopied(connection)
            walk = self._walk_to(event.tournament, place.feed)
            found: Lines = ()
            while walk.feed < place.feed:
                feed, told = walk.next(connection)
                results = results_of(walk.state, told)
                walk.feed = feed
                if feed == place.feed:
                    found = tuple(result_line(told, result) for result in results)
            self._walks.append(walk)
            del self._walks[:-STATES]
            self._keep(place.mark, found)
            return found

    def _walk_to(self, tournament: str, feed: int) -> _Walk:
        """Take out the state that is nearest before a place; a walk that fails on its way is not put back."""
        before = [walk for walk in self._walks if walk.tournament == tournament and walk.feed < feed]
        if not before:
            return _Walk(tournament, Tournament())
        nearest = max(before, key=lambda walk: walk.feed)
        self._walks = [walk for walk in self._walks if walk is not nearest]
        return nearest

    def _keep(self, mark: str, lines: Lines) -> None:
        self._lines[mark] = lines
        self._bytes += _size(lines)
        while self._bytes > KEPT_BYTES and len(self._lines) > 1:
            _, oldest = self._lines.popitem(last=False)
            self._bytes -= _size(oldest)

    def _forget_if_recopied(self, connection: Connection) -> None:
        """Drop the states of a feed whose places were taken back. Marks of lines name their own feed."""
        recopy = mended_for(connection)
        if recopy != self._recopy:
            self._recopy, self._walks = recopy, []


def _size(lines: Lines) -> int:
    return sum(len(line.json) for line in lines) + 200
