"""Decisions that publish the draft of a round, now or at a time set; and what a draft refuses."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from services.pairing.tournament.commands import CancelPublication, PublishDueRound, PublishRound
from services.pairing.tournament.refusals import (
    CutNotPublished,
    DraftOutdated,
    OwnGame,
    RoundAlreadyPublished,
    RoundNotClosed,
    RoundNotPublished,
)
from services.pairing.tournament.state import current_round, seed_of
from services.pairing.tournament.unpublished import RoundDraft, round_draft, round_row
from services.pairing.tournament.whole_round import pairings_drawn, refuse_other_than_next
from shared.log.event import Event
from shared.rules.parts import SILENT
from shared.tournament.format import rules_of
from shared.tournament.guards import By, Context, recorded_actor, running
from shared.tournament.rounds import Round, RoundPaired, Seat, need_due, time_to_come
from shared.tournament.state import PrivateRow, Tournament


def complete(state: Tournament, command: PublishRound | PublishDueRound) -> PublishRound | PublishDueRound:
    """Return the command with the draft that it publishes, so that it can be decided from the log alone."""
    draft = round_draft(state)
    if draft is None or draft.paired.round != command.round:
        return command
    whole = replace(command, paired=draft.paired, pairings=draft.pairings)
    return replace(whole, at=draft.publish_at, set_by=draft.set_by) if isinstance(whole, PublishDueRound) else whole


def publish(state: Tournament, command: PublishRound, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish a draft as it is; or set the time at which that happens.

    state: without drafts. Raises as `current_round`, RoundAlreadyPublished, RoundNotClosed if the round before was
    opened again, and PublicationPast.
    """
    paired = _need_draft(state, command.round, command.paired)
    if command.at is None:
        return _published(state, paired, command.pairings, context)
    at, draft = time_to_come(command.at, context.now), _draft(state)
    if at == draft.publish_at:
        return []
    return [round_row(replace(draft, publish_at=at, set_by=recorded_actor(state, context.by)))]


def cancel(state: Tournament, command: CancelPublication, context: Context) -> Sequence[PrivateRow]:
    """Cancel the time set for a draft. Raises as `current_round`, and RoundAlreadyPublished."""
    round = current_round(state, command.round)
    if not round.draft:
        raise RoundAlreadyPublished(f"Round {round.number} is published.", round=round.number)
    return [round_row(replace(_draft(state), publish_at="", set_by=None))] if round.publish_at else []


def publish_due(state: Tournament, command: PublishDueRound, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish a draft whose time has come. Raises as `publish`, and PublicationNotDue."""
    need_due(command.at, context.now, f"Round {command.round} is", round=command.round)
    return _published(state, _need_draft(state, command.round, command.paired), command.pairings, context)


def _draft(state: Tournament) -> RoundDraft:
    draft = round_draft(state)
    assert draft is not None  # it completed the command, or is a round of this state
    return draft


def _need_draft(state: Tournament, number: int, paired: RoundPaired | None) -> RoundPaired:
    if paired is None:
        round = current_round(state, number)
        raise RoundAlreadyPublished(f"Round {round.number} is published.", round=round.number)
    return paired


def _published(
    state: Tournament, paired: RoundPaired, pairings: Sequence[Seat], context: Context
) -> list[Event | PrivateRow]:
    running(state)
    refuse_other_than_next(state, paired.round)
    players = {player for seat in pairings for player in seat.players}
    if paired.seed and seed_of(state, paired.round, context, players) != paired.seed:
        raise DraftOutdated(
            f"The secret that round {paired.round} was drawn from is lost; pair the round again.", round=paired.round
        )
    before = paired.round - 1
    if before and before not in state.results.closed:
        raise RoundNotClosed(
            f"Round {before} was opened again since round {paired.round} was drafted.",
            round=before,
            games=state.open_games(before),
        )
    return [*pairings_drawn(paired.round, pairings), paired, round_row(None)]


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
