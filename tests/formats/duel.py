"""A format of one evening in one module: two players, one game, one winner. The product does not know it.

The module has the names that each service and `shared/` require of a format, and is registered in their dictionaries.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from services.pairing import amendments as changes
from services.pairing.amendments import AmendPairings
from services.pairing.guards import seed_of
from services.pairing.handlers import FORMATS as PAIRED
from services.pairing.plans import ByHand, Plan, PlannedPairing
from services.pairing.rounds import PairRound, require_next_round, round_events
from services.pairing.seating import number_games, seat_pairings
from services.registration.guards import player_of
from services.registration.handlers import FORMATS as JOINED
from services.registration.handlers import HANDLERS as REGISTRATION
from services.scoring import results
from services.scoring.format_views import VIEWS
from services.scoring.handlers import FORMATS as SCORED
from services.scoring.results import CorrectResult
from services.scoring.rounds import CloseRound, Conclude, conclusion, standings_pages
from services.scoring.views_games import seat_view as game_view
from services.scoring.views_standings import (
    ExplainedView,
    Order,
    RowView,
    StandingsMoved,
    StandingsView,
    standings_moved,
)
from shared.formats import FORMATS, fold
from shared.log.event import Event
from shared.refusals import Fault, one_of
from shared.roles import ORGANISER_UP
from shared.rules.model import ImpossibleResult
from shared.rules.parts import AnyRuleset
from shared.service.handlers import Handler
from shared.shapes import Command
from shared.tournament.format import Placings, Replay
from shared.tournament.guards import Context
from shared.tournament.people import Entries
from shared.tournament.results import RoundClosed, StandingRow, StandingsRecorded
from shared.tournament.state import FormatState, Slice, Tournament

__all__ = ["game_view"]

PACK = {
    "id": "duel-1.0",
    "version": "1.0",
    "name": "Duel",
    "format": "duel",
    "document": {"name": "A duel", "version": "1", "date": "2026", "clause": "DUEL-1"},
    "tiers": [{"id": "evening", "rounds": "organiser", "list_due": False, "judge_may_play": True, "clause": "DUEL-2"}],
    "entry": {"minimum_players": 2, "late": "none", "clause": "DUEL-3"},
    "shots": 3,
}


class DuelRuleset(AnyRuleset, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ruleset. `shots`: number of shots for each player."""

    shots: int


class Challenged(Event, frozen=True, kw_only=True):
    """A player challenged another one."""

    player: str


class Challenges(FormatState):
    """The challenged players."""

    players: list[str] = []


CHALLENGES = Slice("challenges", Challenges)


def challenged(challenges: Challenges, event: Challenged, row: Any) -> None:
    """Record a challenge."""
    challenges.players.append(event.player)


class Challenge(Command, frozen=True, kw_only=True):
    """Challenge a player."""

    player: str


def challenge(state: Tournament, command: Challenge, context: Context) -> Sequence[Event]:
    """Accept any active player."""
    return [Challenged(player=player_of(state.entries, command.player).id)]


# The interface for pairing

MET_CLAUSE = ""


def met_before(state: Tournament, number: int) -> dict[str, dict[str, Any]]:
    """Return no meetings: there is only one round."""
    return {}


def faults_by_hand(state: Tournament, number: int, pairing: ByHand, kind: str, where: str) -> list[Fault]:
    """Return no faults: anyone may meet anyone."""
    return []


def avoid_repeats(entries: Entries) -> bool:
    """Return False: there is only one round."""
    return False


def amend(state: Tournament, command: AmendPairings, context: Context) -> Sequence[Event]:
    """Replace a player."""
    return changes.amend(this, state, command, context)


def timing_view(state: Tournament, round: object) -> None:
    """Return None: a duel has no clock."""


def pair(state: Tournament, command: PairRound, context: Context) -> Sequence[Event]:
    """Pair the first two players."""
    require_next_round(state, command.round)
    one, two = [player.id for player in state.entries.active()][:2]
    plan = Plan(stage="duel", method="arrival", pairings=[PlannedPairing(kind="game", player_1=one, player_2=two)])
    seats = number_games(state, 1, seat_pairings(state, plan.pairings, avoid_repeats=False))
    return round_events(1, plan, seats, made_from=0, seed=seed_of(state, 1, context))


# The interface for scoring


def possible_facts(state, round, seat, facts: Mapping[str, Any], by, first_report=False) -> dict[str, Any]:
    """Accept facts with a winner."""
    if facts.get("winner") not in (1, 2):
        raise ImpossibleResult(
            "A duel has a winner.", [Fault("/facts/winner", str(facts.get("winner")), one_of([1, 2]))]
        )
    return {"kind": "game", "winner": facts["winner"]}


def improbable_facts(state: Tournament, facts: Mapping[str, Any]) -> list[Fault]:
    """Return no faults: either player may win."""
    return []


def settle(state: Tournament, command: Any, events: Sequence[Event], context: Context) -> Sequence[Event]:
    """Return no further events."""
    return events


def correct(state: Tournament, command: CorrectResult, context: Context) -> Sequence[Event]:
    """Replace the winner."""
    return results.correct(this, state, command, context)


def table(state: Tournament) -> list[StandingRow]:
    """Return the winner, then the loser."""
    (seat,) = state.rounds.rounds[1].seats.values()
    won = seat.players[state.results.results[seat.game].facts["winner"] - 1]
    order = sorted(seat.players, key=lambda player: player != won)
    return [
        StandingRow(rank=rank, player=player, values={"won": int(player == won)}, tied=False, status="active")
        for rank, player in enumerate(order, start=1)
    ]


def close(state: Tournament, command: CloseRound, context: Context) -> Sequence[Event]:
    """Record the table."""
    return [*standings_pages(table(state), 1, ""), RoundClosed(round=1, games=1)]


def conclude(state: Tournament, command: Conclude, context: Context) -> Sequence[Event]:
    """Name the winner of the game."""
    if state.results.concluded:
        return []
    return [conclusion([table(state)[0].player], 1, context.draws, "")]


def standings_order(loaded, tournament: str, round: int | None) -> Order:
    """Return the current table."""
    state = loaded.state
    about = StandingsView(
        tournament=tournament,
        round=1,
        final=state.results.concluded,
        provisional=False,
        columns=["won"],
        items=[],
        draws=[],
        next=None,
        total=2,
    )

    def shown(rows: Sequence[StandingRow]) -> list[RowView]:
        players, known_as = state.entries.players, state.entries.external_id_of
        return [
            RowView(
                rank=row.rank,
                player=row.player,
                name=players[row.player].name,
                external_id=known_as(row.player),
                values=row.values,
                tied=row.tied,
                status=row.status,
            )
            for row in rows
        ]

    return Order(rows=table(state), draws=[], render=shown, about=about)


def explain_rank(loaded, player: str, about) -> ExplainedView:
    """Explain the rank by the game."""
    return ExplainedView(player=player, name="", values=[])


def consequences(before: Tournament, after: Tournament) -> StandingsMoved:
    """Return no consequences."""
    return standings_moved(before, after, standings_round=1, ranks=[])


# The interface for registration

LINKS: Mapping[str, tuple[str, str]] = {}
ON_PURPOSE: Sequence[str] = ()


# The interface for `shared/`


def faults(ruleset: DuelRuleset) -> list[Fault]:
    """Return no faults: any number of shots is valid."""
    return []


def planned_rounds(state: Tournament) -> int | None:
    """Return the announced number of rounds."""
    return state.entries.rounds


def placings(state: Tournament, round: int, recorded: StandingsRecorded | None) -> Placings:
    """Return the winner, then the loser."""
    rows = [{"rank": row.rank, "player": row.player, **row.values} for row in table(state)]
    return Placings(columns=["rank", "player", "won"], rows=rows)


RULESET = DuelRuleset
EVENTS = {"registration": [Challenged]}
SLICES = [CHALLENGES]
CHANGES = {"registration": CHALLENGES.changed_by({Challenged: challenged})}
REPLAY = Replay(
    recording=StandingsRecorded,
    number="round",
    recorded_numbers=lambda state: state.results.closed,
    current_number=lambda state: 1,
    placings=placings,
    provisional_message="the duel is not over",
)
final_results = None

this: Any = sys.modules[__name__]


@contextmanager
def in_shared() -> Iterator[None]:
    """Register the format in the dictionary of `shared/` and the tables derived from it, inside the block."""
    with pytest.MonkeyPatch.context() as rows:
        rows.setitem(FORMATS, "duel", this)
        rows.setitem(fold.OWNERS, "registration", (*fold.OWNERS["registration"], Challenged))
        rows.setitem(fold.CATALOGUE, "Challenged", fold.event_type(Challenged))
        changes = {**fold.EVOLVE["registration"], **CHANGES["registration"]}
        rows.setitem(fold.EVOLVE, "registration", changes)
        rows.setitem(fold.DECODERS, CHALLENGES.name, fold.decoder_of(CHALLENGES))
        yield


@contextmanager
def registered() -> Iterator[None]:
    """Register the format in the dictionary of each place, inside the block."""
    with in_shared(), pytest.MonkeyPatch.context() as rows:
        rows.setitem(REGISTRATION, Challenge, Handler(challenge, ORGANISER_UP, formats=("duel",)))
        for formats in (JOINED, PAIRED, SCORED, VIEWS):
            rows.setitem(formats, "duel", this)
        yield
