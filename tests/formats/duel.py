"""A format of one evening, in rows alone: two players, one game, and who won it. Nothing of the product names it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from services.pairing.formats import FORMATS as PAIRED
from services.pairing.tournament.commands import PairRound
from services.pairing.tournament.drafts import Draft, Plan
from services.pairing.tournament.format import PairingFormat
from services.pairing.tournament.seating import numbered, seated
from services.pairing.tournament.state import seed_of
from services.pairing.tournament.whole_round import events_of, refuse_other_than_next
from services.registration.formats import FORMATS as JOINED
from services.registration.handlers import HANDLERS as REGISTRATION
from services.registration.tournament.format import RegistrationFormat
from services.registration.tournament.state import player_of
from services.scoring.formats import ENDINGS
from services.scoring.formats import FORMATS as SCORED
from services.scoring.tournament.commands import CloseRound, Conclude
from services.scoring.tournament.format import Ending, ScoringFormat
from services.scoring.tournament.rounds import concluded, standings_pages
from services.scoring.tournament.views import seat_view
from services.scoring.tournament.views_consequences import standings_moved
from services.scoring.tournament.views_standings import ExplainedView, Order, RowView, StandingsView
from services.scoring.views import VIEWS, FormatViews
from shared.application.handlers import Handler
from shared.events.base import Event
from shared.formats import FORMATS, fold
from shared.refusals import Fault
from shared.roles import ORGANISER_UP
from shared.rules.refusals import ImpossibleResult
from shared.rules.ruleset import AnyRuleset
from shared.shapes import Command
from shared.tournament.context import Context
from shared.tournament.events.scoring import RoundClosed, StandingRow
from shared.tournament.format import Format
from shared.tournament.state import OfFormat, Slice, Tournament

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
    """shots: that each may fire."""

    shots: int


class Challenged(Event, frozen=True, kw_only=True):
    """Somebody challenged somebody else."""

    player: str


class Challenges(OfFormat):
    """players: who were challenged."""

    players: list[str] = []


CHALLENGES = Slice("challenges", Challenges)


def challenged(challenges: Challenges, event: Challenged, row: Any) -> None:
    """One more."""
    challenges.players.append(event.player)


class Challenge(Command, frozen=True, kw_only=True):
    """Challenge a player."""

    player: str


def challenge(state: Tournament, command: Challenge, context: Context) -> Sequence[Event]:
    """Whoever is here may be challenged."""
    return [Challenged(player=player_of(state.entries, command.player).id)]


def pair(format: PairingFormat, state: Tournament, command: PairRound, context: Context) -> Sequence[Event]:
    """The first two meet."""
    refuse_other_than_next(state, command.round)
    one, two = [player.id for player in state.entries.active()][:2]
    plan = Plan(stage="duel", method="arrival", drafts=[Draft(kind="game", player_1=one, player_2=two)])
    seats = numbered(state, 1, seated(state, plan.drafts, avoid_repeats=False))
    return events_of(1, plan, seats, made_from=0, seed=seed_of(state, 1, context))


def possible(state, round, seat, facts: Mapping[str, Any], by) -> dict[str, Any]:
    """Somebody wins."""
    if facts.get("winner") not in (1, 2):
        raise ImpossibleResult("A duel has a winner.", [Fault("/facts/winner", str(facts.get("winner")), "1 or 2")])
    return {"kind": "game", "winner": facts["winner"]}


def table(state: Tournament) -> list[StandingRow]:
    """The winner, then the loser."""
    (seat,) = state.rounds.rounds[1].seats.values()
    won = seat.players[state.results.results[seat.game].facts["winner"] - 1]
    order = sorted(seat.players, key=lambda player: player != won)
    return [
        StandingRow(rank=rank, player=player, values={"won": int(player == won)}, tied=False, status="active")
        for rank, player in enumerate(order, start=1)
    ]


def close(state: Tournament, command: CloseRound, context: Context) -> Sequence[Event]:
    """The table stands."""
    return [*standings_pages(table(state), 1, ""), RoundClosed(round=1, games=1)]


def conclude(state: Tournament, command: Conclude, context: Context) -> Sequence[Event]:
    """Whoever won the game has won."""
    if state.results.concluded:
        return []
    return [concluded([table(state)[0].player], 1, context.draws, "")]


def standings(loaded, tournament: str, round: int | None) -> Order:
    """The table as it stands."""
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

    return Order(rows=table(state), draws=[], shown=shown, about=about)


IN_SHARED = Format(
    name="duel",
    ruleset=DuelRuleset,
    faults=lambda ruleset: [],
    events={"registration": [Challenged]},
    slices=[CHALLENGES],
    changes={"registration": CHALLENGES.changed_by({Challenged: challenged})},
)
IN_REGISTRATION = RegistrationFormat()
IN_PAIRING = PairingFormat(pair=pair)
IN_SCORING = ScoringFormat(possible=possible, close=close, rerecorded=lambda state, corrected, context: [])
ENDING = Ending(conclude)
SHOWN = FormatViews(
    game=seat_view,
    standings=standings,
    explained=lambda loaded, player, about: ExplainedView(player=player, name="", values=[]),
    consequences=lambda before, after: standings_moved(before, after, standings_round=1, ranks=[]),
)


@contextmanager
def in_shared() -> Iterator[None]:
    """The format has its row in the tables that every service shares, inside of the block."""
    with pytest.MonkeyPatch.context() as rows:
        rows.setitem(FORMATS, "duel", IN_SHARED)
        rows.setitem(fold.OWNERS, "registration", (*fold.OWNERS["registration"], Challenged))
        rows.setitem(fold.CATALOGUE, "Challenged", fold.event_type(Challenged))
        changes = {**fold.EVOLVE["registration"], **IN_SHARED.changes["registration"]}
        rows.setitem(fold.EVOLVE, "registration", changes)
        rows.setitem(fold.DECODERS, CHALLENGES.name, fold.decoder_of(CHALLENGES))
        yield


@contextmanager
def registered() -> Iterator[None]:
    """The format has its row in every table, inside of the block."""
    with in_shared(), pytest.MonkeyPatch.context() as rows:
        rows.setitem(REGISTRATION, Challenge, Handler(challenge, ORGANISER_UP, formats=("duel",)))
        for table, row in (
            (JOINED, IN_REGISTRATION),
            (PAIRED, IN_PAIRING),
            (SCORED, IN_SCORING),
            (ENDINGS, ENDING),
            (VIEWS, SHOWN),
        ):
            rows.setitem(table, "duel", row)
        yield
