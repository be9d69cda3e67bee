"""What follows when a campaign's result begins to bind, or ceases to: phases opened, groups restored. FS-REP-5."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from services.scoring.campaign.dice import AT, with_rolls
from services.scoring.campaign.games import accepted, musters_of
from services.scoring.campaign.league import rerecorded
from services.scoring.campaign.round_decision import RoundDecision
from services.scoring.tournament.state import game_of
from shared.events.base import Event
from shared.formats.campaign.league import GAME, absent_from, report_of, round_at_hand, sides_of
from shared.formats.campaign.rules.asked_dice import RollPurpose
from shared.formats.campaign.rules.deeds import jailers_among
from shared.formats.campaign.rules.dice import Thrown
from shared.formats.campaign.rules.dice_source import RollTold
from shared.formats.campaign.rules.evolve import evolve
from shared.formats.campaign.rules.opening import faults_of_correction, open_after_bye, open_post_game
from shared.formats.campaign.rules.outcomes import GroupRestored
from shared.formats.campaign.rules.payloads import GroupBefore
from shared.formats.campaign.rules.refusals import StepRefused
from shared.formats.campaign.rules.report import end_of_game
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.state import CAMPAIGN
from shared.refusals import Fault
from shared.tournament.context import Context
from shared.tournament.events.pairing import Seat
from shared.tournament.events.scoring import (
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    ResultRuled,
    ResultVoided,
)
from shared.tournament.results import Result
from shared.tournament.state import Tournament

Facts = dict[str, Any]


def settle(state: Tournament, command: Any, events: Sequence[Event], context: Context) -> Sequence[Event]:
    """Return a decision about a result with what it brings about in all groups of the game.

    After a correction that comes too late to restore the groups, only the league is recorded anew. Raises StepRefused
    if the result bound already and its post-game phases have gone too far.
    """
    _, seat = game_of(state, command.game)
    known = state.results.results.get(seat.game)
    before, after = _binding(known), _binding_after(known, events)
    corrections = [event for event in events if isinstance(event, ResultCorrected)]
    if corrections and before is not None and not can_be_restored(state, seat, before, context):
        return [*events, *(more for event in corrections for more in rerecorded(state, event, context))]
    builder = RoundDecision(state, context, "result", list(events))
    if before != after:
        if before is not None:
            restore(builder, seat, before, getattr(command, "reason", "the result was changed"))
        if after is not None:
            open_phases(builder, seat, after)
    return builder.ended(settled=after is not None)


def can_be_restored(state: Tournament, seat: Seat, facts: Facts, context: Context) -> bool:
    """Return True if all groups of a game can be put back to where they were before it. facts: that bind."""
    number = round_at_hand(state)
    if state.results.concluded or number in state.results.closed or seat.game not in state.rounds.rounds[number].seats:
        return False
    builder = RoundDecision(state, context, "result")
    return not any(faults_of_restoring(builder, id, facts) for id in seat.players)


def open_phases(builder: RoundDecision, seat: Seat, facts: Facts) -> None:
    """The post-game phases of all groups: the die that ended the game first, then what it did to each. FS-RND-1."""
    if facts["kind"] != GAME:
        away = absent_from(seat, facts)
        for id in seat.players:
            opened = open_after_bye(builder.rules, builder.known(id), builder.round, _ending(id in away))
            builder.say(*opened, group=id)
        return
    dice_source = builder.dice_source(builder.present_at(seat.player_1))

    def cast(roll: Thrown, asked: RollPurpose, where: str) -> Thrown:
        return dice_source.made(RollTold(roll.dice, roll.rolled_by, roll.witnessed_by), "", asked, where=AT + where)

    report = with_rolls(report_of(facts), cast)
    played = accepted(builder.rules, report, builder.groups, musters_of(builder.state, seat), sides_of(seat))
    builder.say(*end_of_game(builder.rules, report), group=seat.player_1)
    for part in played:
        opened = open_post_game(
            builder.rules,
            builder.known(part.side.group),
            builder.round,
            part,
            builder.context.draws,
            jailers=jailers_among(builder.rules, [builder.known(id) for id in part.rivals]),
            at_table={deeds.member: deeds.injury for deeds in part.side.members if deeds.injury is not None},
        )
        builder.say(*opened, group=part.side.group)


def restore(builder: RoundDecision, seat: Seat, facts: Facts, reason: str) -> None:
    """All groups as they were before the game. Raises StepRefused once step 2 of one of them is closed. FS-REP-5."""
    found = {id: faults_of_restoring(builder, id, facts) for id in seat.players}
    faults = [fault for of_group in found.values() for fault in of_group]
    if faults:
        open = {id: phase.step for id in found if (phase := builder.known(id).phase) is not None}
        raise StepRefused(
            f"The post-game phase of {seat.game} has gone too far; correct the result, and enter what it changes.",
            faults,
            open=open,
        )
    builder.cause, cause = "void", builder.cause
    for id in seat.players:
        before = _before(builder, id)
        if before is not None:  # ids that were given since are never given again: FS-GRP-13
            builder.say(
                GroupRestored(GroupBefore.of(replace(before, serial=builder.known(id).serial)), reason), group=id
            )
    builder.cause = cause


def faults_of_restoring(builder: RoundDecision, id: str, facts: Facts) -> list[Fault]:
    """Why a group can no longer be put back to where it was before a game.

    A game's report can be taken back until step 2 closes; a phase without a game while nothing was done in it.
    """
    group, before = builder.known(id), _before(builder, id)
    if facts["kind"] == GAME:
        faults = faults_of_correction(group, builder.round)
    elif before is None:
        rated = id in CAMPAIGN.of(builder.state).ratings.get(builder.round, {})
        faults = [Fault("", "9", "a phase in which nothing has been done", "FS-REP-5")] if rated else []
    else:
        untouched = any(_opened(builder, before, away) == group for away in (False, True))
        said_step = group.phase.step if group.phase else "9"
        faults = [] if untouched else [Fault("", said_step, "a phase in which nothing has been done", "FS-REP-5")]
    return [Fault(f"/groups/{id}", fault.said, fault.expected, fault.clause) for fault in faults]


def _before(builder: RoundDecision, id: str) -> Group | None:
    """A group as it was before the phase that it is in, if that is of this round."""
    phase = builder.known(id).phase
    return CAMPAIGN.of(builder.state).before.get(id) if phase is not None and phase.round == builder.round else None


def _opened(builder: RoundDecision, before: Group, away: bool) -> Group:
    return evolve(before, open_after_bye(builder.rules, before, builder.round, _ending(away)))


def _ending(away: bool) -> str:
    return "no_show" if away else "bye"


def _binding(known: Result | None) -> Facts | None:
    return known.facts if known is not None and known.binds else None


def _binding_after(known: Result | None, events: Sequence[Event]) -> Facts | None:
    """The facts that bind once these events are appended; nothing where none do."""
    told, binding = (known.facts if known else None), _binding(known)
    for event in events:
        match event:
            case ResultReported():
                told = event.facts
            case ResultConfirmed():
                binding = told
            case ResultRuled() | ResultCorrected():
                told = binding = event.facts
            case ResultDisputed() | ResultVoided():
                binding = None
    return binding
