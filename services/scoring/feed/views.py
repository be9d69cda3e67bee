"""`view=results`: what a club's site wants of the feed without joining anything: a game as each event left it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import orjson

from services.scoring.views import VIEWS
from shared.application.repository import LoadedAggregate, Repository
from shared.eventlog.database import Database
from shared.eventlog.read import hash_at, log_page
from shared.events.recorded import Head, Recorded, seen_of
from shared.formats.fold import data_of
from shared.shapes import View
from shared.tournament.state import Tournament

RESULT = "GameResult"
"""Type of the CloudEvents of this view; no event of a log is called so."""
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
"""Events that this view is made of; all are scoring's and name a game."""


class SideScore(View, frozen=True, kw_only=True):
    """One side of a game. outcome: as the ruleset calls it; values: points by the ruleset's columns."""

    player: str
    name: str
    outcome: Annotated[str | None, "null: nothing is reported, or this side has none."]
    values: dict[str, int]


class GameResult(View, frozen=True, kw_only=True):
    """A game as an event left it."""

    tournament: str
    tournament_name: str
    round: int
    game: str
    venue: str
    table: Annotated[int, "0: no table."]
    status: str
    binds: Annotated[bool, "Standings count it."]
    players: list[SideScore]
    facts: dict[str, Any]
    because: Annotated[str, "Type of the event."]
    replaced: Annotated[list[SideScore] | None, "The binding result that stood before, where it is another one now."]


class Replay:
    """States of tournaments as events found and left them; quick while those of a tournament are told in their order.

    most: tournaments whose states are kept; None for all.
    """

    def __init__(self, database: Database, repository: Repository, most: int | None = None) -> None:
        self._database = database
        self._repository = repository
        self._most = most
        self._states: dict[str, LoadedAggregate] = {}

    def result(self, event: Recorded) -> GameResult | None:
        """The game that an event is about, as it left it; None for a tournament whose players do not meet in games."""
        game = data_of(event)["game"]
        heads = {**seen_of(event.seen), event.source: event.position - 1}
        known = self._states.get(event.tournament)
        if known is not None and known.heads[event.source].position >= event.position:
            del self._states[event.tournament]  # it is told again
        state = self._state(event.tournament, heads)
        before = _shown(state, event, game)
        state = self._state(event.tournament, {event.source: event.position})
        after = _shown(state, event, game)
        if after is None or before is None or not before.binds:
            return after
        moved = not after.binds or (before.players, before.facts) != (after.players, after.facts)
        return msgspec.structs.replace(after, replaced=before.players if moved else None)

    def _state(self, tournament: str, heads: dict[str, int]) -> Tournament:
        known = self._states.get(tournament)
        if known is None:
            with self._database.reading() as connection:
                wanted = {
                    source: Head(position, hash_at(connection, source, tournament, position))
                    for source, position in heads.items()
                }
            if len(self._states) == self._most:
                del self._states[next(iter(self._states))]
            known = self._states[tournament] = self._repository.as_of(tournament, wanted)
            return known.state
        with self._database.reading() as connection:
            told = [
                event
                for source, position in heads.items()
                if (after := known.heads[source].position) < position
                for event in log_page(connection, source, tournament, after, position - after)
            ]
        known.take_stored(told)
        return known.state


def result_line(event: Recorded, result: GameResult) -> bytes:
    """The CloudEvent of a result; its id is that of the event that it comes from."""
    attributes = {
        "specversion": "1.0",
        "id": event.id,
        "source": event.source,
        "type": RESULT,
        "subject": f"{event.tournament}/{result.game}",
        "time": event.time,
        "datacontenttype": "application/json",
    }
    return orjson.dumps(attributes)[:-1] + b',"data":' + msgspec.json.encode(result) + b"}"


def _shown(state: Tournament, event: Recorded, game: str) -> GameResult | None:
    row = VIEWS.get(state.entries.format)
    for round in state.rounds.rounds.values() if row else ():
        if (seat := round.seats.get(game)) is not None and row is not None:
            view = row.game(state, round.number, seat)
            score = view.score or None
            groups = {group.group: (group.outcome, group.values) for group in getattr(score, "groups", None) or ()}
            if score and not groups:
                groups[view.player_1] = (score.outcome_1, score.values_1)
                groups[view.player_2] = (score.outcome_2 or "", score.values_2)
            names = {view.player_1: view.name_1, view.player_2: view.name_2}
            sides = [*dict.fromkeys([*filter(None, names), *groups])]
            return GameResult(
                tournament=event.tournament,
                tournament_name=state.entries.name,
                round=view.round,
                game=game,
                venue=view.venue,
                table=view.table,
                status=view.status,
                binds=view.binds,
                players=[
                    SideScore(
                        player=side,
                        name=names.get(side) or state.entries.players[side].name,
                        outcome=groups[side][0] if side in groups else None,
                        values=groups[side][1] if side in groups else {},
                    )
                    for side in sides
                ],
                facts=view.facts or {},
                because=event.type,
                replaced=None,
            )
    return None
