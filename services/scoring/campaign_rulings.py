"""Rulings in a campaign: results corrected, what follows from them, ledger entries. FS-REP-5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from services.scoring.campaign_dice import AT, with_rolls
from services.scoring.campaign_games import (
    GameNotReady,
    accepted,
    kind_of,
    musters_of,
    placed,
    plain_facts,
    possible_facts,
    read_report,
    recorded_in,
)
from services.scoring.campaign_reports import MOST_GOODS
from services.scoring.campaign_rounds import RoundDecision, close, conclude, rerecorded
from services.scoring.guards import confirm_improbable, game_of
from services.scoring.results import CorrectResult, corrected, game_to_correct
from shared.campaign.dice import RollPurpose, RollTold, Throw
from shared.campaign.evolve import evolve
from shared.campaign.facts import GameReport
from shared.campaign.league import (
    GAME,
    absent_groups,
    current_groups,
    improbable_facts,
    latest_round,
    report_of,
    sides_of,
)
from shared.campaign.ledger import LedgerEntry, ruled_entries
from shared.campaign.outcomes import GroupRestored
from shared.campaign.post_game import faults_of_correction, open_after_bye, open_post_game
from shared.campaign.report import end_of_game, faults_of_outcome, jailers_among
from shared.campaign.roster import Group, GroupBefore
from shared.campaign.state import CAMPAIGN, rules_at
from shared.campaign.tables import Rules
from shared.campaign.words import ReportRefused, StepRefused
from shared.log.event import Event
from shared.refusals import Fault, display_text, expects
from shared.shapes import Command, Id, Size
from shared.tournament.guards import By, Context, require_decider
from shared.tournament.results import (
    Result,
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    ResultRuled,
    ResultVoided,
)
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament

__all__ = ["close", "conclude", "correct", "improbable_facts", "possible_facts", "settle"]


class EnterLedger(Command, frozen=True, kw_only=True):
    """All entries, or none."""

    group: Id
    entries: Annotated[list[LedgerEntry], Size(MOST_GOODS, 1)]


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
    number = latest_round(state)
    if state.results.concluded or number in state.results.closed or seat.game not in state.rounds.rounds[number].seats:
        return False
    builder = RoundDecision(state, context, "result")
    return not any(faults_of_restoring(builder, id, facts) for id in seat.players)


def open_phases(builder: RoundDecision, seat: Seat, facts: Facts) -> None:
    """The post-game phases of all groups: the die that ended the game first, then what it did to each. FS-RND-1."""
    if facts["kind"] != GAME:
        away = absent_groups(seat, facts)
        for id in seat.players:
            opened = open_after_bye(builder.rules, builder.known(id), builder.round, _ending(id in away))
            builder.record(*opened, group=id)
        return
    dice_source = builder.dice_source(builder.present_at(seat.player_1))

    def cast(roll: Throw, asked: RollPurpose, where: str) -> Throw:
        return dice_source.throw(RollTold(roll.dice, roll.rolled_by, roll.witnessed_by), "", asked, where=AT + where)

    report = with_rolls(report_of(facts), cast)
    played = accepted(builder.rules, report, builder.groups, musters_of(builder.state, seat), sides_of(seat))
    builder.record(*end_of_game(builder.rules, report), group=seat.player_1)
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
        builder.record(*opened, group=part.side.group)


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
            builder.record(
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
        faults = [Fault("", "9", expects("untouched-phase"), "FS-REP-5")] if rated else []
    else:
        untouched = any(_opened(builder, before, away) == group for away in (False, True))
        said_step = group.phase.step if group.phase else "9"
        faults = [] if untouched else [Fault("", said_step, expects("untouched-phase"), "FS-REP-5")]
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


HAD_EFFECT = ("members", "searches", "freed", "loot", "missed", "left")
"""What in a report has done its work once step 2 is closed."""


def correct(state: Tournament, command: CorrectResult, context: Context) -> Sequence[Event]:
    """Replace a binding result. While its phases can be taken back, all its groups play on from the new one; later only
    the league moves, and what else the ruling changes is entered. Raises what a report does. FS-REP-5, FS-LGE-3."""
    round, seat, known = game_to_correct(state, command, context)
    restores = can_be_restored(state, seat, known.facts, context)
    if restores:
        facts = possible_facts(state, round, seat, command.facts, context.by)
    else:
        rules = rules_at(state.entries, round.number)
        facts = _league_facts(state, rules, seat, known.facts, command.facts, context.by)
    if facts == known.facts:
        return []
    # What was asked back when it was reported is part of a result whose effects stand.
    improbable = (
        confirm_improbable(state, improbable_facts(state, facts), command.improbable) if restores else known.improbable
    )
    return [corrected(command, round, facts, improbable=improbable)]


def enter(state: Tournament, command: EnterLedger, context: Context) -> Sequence[Event]:
    """Entries by the organiser's ruling, each with its reason and clause, once a game cannot be voided any more.

    Raises StepRefused before that, BalanceTooLow or ChoiceRefused at the place of the entry. Source: FS-REP-5.
    """
    builder = RoundDecision(state, context, "ruling")
    require_decider(state.entries, context.by, "rulings")
    group = builder.known(command.group)
    phase = group.phase
    if phase is not None:
        there = [group, *map(builder.known, (*phase.played.allies, *phase.played.rivals))]
        if not any(faults_of_correction(one, builder.round) for one in there):
            fault = Fault("/group", command.group, expects("group-past-step-2", step=phase.step), "FS-REP-5")
            raise StepRefused(
                "The group's step 2 is still open: void the game and have it reported again.", [fault], open=phase.step
            )
    builder.record(*ruled_entries(builder.rules, group, command.entries), group=command.group)
    return builder.ended()


def _league_facts(
    state: Tournament, rules: Rules, seat: Seat, recorded: Mapping[str, Any], facts: Mapping[str, Any], by: By
) -> dict[str, Any]:
    """The facts as they are once their effects stand: who won may change, what members did may not.

    What is left out stays as recorded. Raises ReportRefused, GameNotReady, StaffOnly.
    """
    kind = kind_of(facts, seat, by)
    if kind != GAME:
        return {name: facts[name] for name in ("kind", "conceded_by") if name in facts}
    if recorded["kind"] != GAME:
        fault = Fault("/facts/kind", GAME, expects("recorded-kind", kind=recorded["kind"]), "FS-REP-5")
        raise GameNotReady(f"What precedes {seat.game} was not recorded; enter what the game changes instead.", [fault])
    was = report_of(recorded)
    told = read_report(facts["report"], seat, by, {side.group: recorded_in(side) for side in was.sides})
    report = _merged(was, told)
    faults = faults_of_outcome(rules, report, current_groups(state), sides_of(seat))
    if faults:
        raise ReportRefused("this cannot have happened in the game", [placed(fault) for fault in faults])
    return plain_facts(report)


def _merged(was: GameReport, told: GameReport) -> GameReport:
    """Raises ReportRefused for a change of what has had its effect."""
    faults = [
        Fault(
            f"{AT}/sides/{number}/{name}",
            display_text(getattr(new, name)),
            expects("as-recorded-or-nothing"),
            "FS-REP-5",
        )
        for number, (old, new) in enumerate(zip(was.sides, told.sides, strict=True))
        for name in HAD_EFFECT
        if getattr(new, name) not in ((), 0, getattr(old, name))
    ]
    faults += [
        Fault(f"{AT}/{name}", display_text(getattr(told, name)), expects("as-recorded-or-nothing"), "FS-REP-5")
        for name in ("encounters", "terrain")
        if getattr(told, name) not in ((), None, getattr(was, name))
    ]
    if was.end_roll is not None and told.end_roll not in (None, was.end_roll):
        faults.append(
            Fault(f"{AT}/end_roll", display_text(told.end_roll), expects("as-recorded-or-nothing"), "FS-REP-5")
        )
    if faults:
        raise ReportRefused("What happened to members can no longer change; enter what the ruling changes.", faults)
    sides = tuple(
        replace(old, lines=new.lines, vp=new.vp, conceded=new.conceded)
        for old, new in zip(was.sides, told.sides, strict=True)
    )
    return replace(
        told,
        sides=sides,
        end_roll=was.end_roll or told.end_roll,
        encounters=was.encounters,
        terrain=was.terrain,
    )
