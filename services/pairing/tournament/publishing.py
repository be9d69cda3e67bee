"""Decisions about when a round that was drafted is shown to everybody."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from services.pairing.tournament.commands import CancelPublication, PublishDueRound, PublishRound
from services.pairing.tournament.refusals import (
    CutNotPublished,
    OwnGame,
    RoundAlreadyPublished,
    RoundNotClosed,
    RoundNotPublished,
)
from services.pairing.tournament.state import current_round
from shared.events.base import Event
from shared.rules.staff import SILENT
from shared.tournament.context import By, Context
from shared.tournament.events.pairing import PublicationScheduled, RoundPublished
from shared.tournament.publication import CUT, ROUNDS
from shared.tournament.rounds import Round
from shared.tournament.ruleset import rules_of
from shared.tournament.state import Tournament
from shared.tournament.times import PublicationNotDue, is_due, time_to_come


def drafts_rounds(state: Tournament) -> bool:
    """Whether a round that is paired now is a draft at first."""
    return ROUNDS in state.entries.on_purpose


def publish(state: Tournament, command: PublishRound, context: Context) -> Sequence[Event]:
    """Show a draft to everybody, as it stands; or set the time at which that happens.

    Raises as `draft_of_round`, RoundNotClosed where the round before was opened again, PublicationPast.
    """
    round = draft_of_round(state, command.round)
    if command.at is None:
        return _published(state, round)
    at = time_to_come(command.at, context.now)
    return [] if at == round.publish_at else [PublicationScheduled(round=round.number, at=at, draft=True)]


def cancel(state: Tournament, command: CancelPublication, context: Context) -> Sequence[Event]:
    """Set no time any more. Raises as `draft_of_round`."""
    round = draft_of_round(state, command.round)
    return [PublicationScheduled(round=round.number, draft=True)] if round.publish_at else []


def publish_due(state: Tournament, command: PublishDueRound, context: Context) -> Sequence[Event]:
    """Show a draft to everybody whose time has come, by the event that set it.

    Raises as `publish`, and PublicationNotDue.
    """
    round = draft_of_round(state, command.round)
    if not is_due(round.publish_at, round.scheduled, context.by.cause, context.now):
        raise PublicationNotDue(f"Round {round.number} is not due to be published.", round=round.number)
    return _published(state, round)


def draft_of_round(state: Tournament, number: int) -> Round:
    """A round that is not published yet. Raises as `current_round`, and RoundAlreadyPublished."""
    round = current_round(state, number)
    if not round.draft:
        raise RoundAlreadyPublished(f"Round {round.number} is published.", round=round.number)
    return round


def _published(state: Tournament, round: Round) -> list[Event]:
    before = round.number - 1
    if before and before not in state.results.closed:
        raise RoundNotClosed(
            f"Round {before} was opened again since round {round.number} was drafted.",
            round=before,
            games=state.open_games(before),
        )
    return [RoundPublished(round=round.number)]


def drafts_cut(state: Tournament) -> bool:
    """Whether a cut that is made now is a draft at first."""
    return CUT in state.entries.on_purpose


def refuse_draft_of_cut(state: Tournament) -> None:
    """Raises CutNotPublished for a cut that is still a draft."""
    after = state.rounds.cut_after
    if state.rounds.cut_draft:
        raise CutNotPublished(f"The cut after round {after} is a draft; publish it first.", after_round=after)


def refuse_own_game(state: Tournament, by: By, round: Round, players: Collection[str]) -> None:
    """Staff who play change no draft of their own game where the ruleset leaves their games to others (AR-AMB-20).

    players: who sits in what changes, before or after. Raises OwnGame.
    """
    rules, member = rules_of(state.entries).staff or SILENT, state.entries.staff.get(by.actor)
    if not round.draft or rules.own_games or member is None or member.player not in players:
        return
    clause = rules.cites("own_games")
    raise OwnGame(f"{member.name} plays in what would change; another one of the staff changes it.", clause=clause)


def refuse_draft(round: Round) -> None:
    """Raises RoundNotPublished for a round that is still a draft."""
    if round.draft:
        raise RoundNotPublished(f"Round {round.number} is a draft; publish it first.", round=round.number)
