"""Rulings in a campaign: corrections of results, their consequences, ledger entries. FS-REP-5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from services.scoring.campaign_dice import AT, with_rolls
from services.scoring.campaign_games import (
    GameNotReady,
    accept,
    kind_of,
    musters_of_game,
    placed,
    plain_facts,
    possible_facts,
    pre_game_members,
    read_report,
)
from services.scoring.campaign_reports import MAX_GOODS
from services.scoring.campaign_rounds import (
    RoundDecision,
    after_events,
    close,
    conclude,
    record_again,
    recorded_again,
)
from services.scoring.guards import confirm_improbable, game_of
from services.scoring.results import CorrectResult, correction, game_to_correct
from shared.campaign.dice import RollPurpose, RollTold, Thrown
from shared.campaign.evolve import evolve
from shared.campaign.facts import GameReport
from shared.campaign.group import finalise_rating, group_rating
from shared.campaign.league import (
    GAME,
    absent_groups,
    current_groups,
    improbable_facts,
    latest_round,
    report_of,
    sides_of,
)
from shared.campaign.ledger import LedgerEntry, Ruling, ruled_entries
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
    """Enter corrections of a group's goods, balances or experience. If one is refused, none is entered."""

    group: Id
    entries: Annotated[list[LedgerEntry], Size(MAX_GOODS, 1)]


Facts = dict[str, Any]


def settle(state: Tournament, command: Any, events: Sequence[Event], context: Context) -> Sequence[Event]:
    """Return the events of a decision about a result, and its consequences for all groups of the game.

    A correction that comes too late to restore the groups only records the standings again. Raises StepRefused if
    groups must be restored but their post-game phases are too far advanced.
    """
    _, seat = game_of(state, command.game)
    result = state.results.results.get(seat.game)
    before, after = _binding(result), _binding_after(result, events)
    corrections = [event for event in events if isinstance(event, ResultCorrected)]
    if corrections and before is not None and not can_be_restored(state, seat, before, context):
        return [*events, *(page for event in corrections for page in record_again(state, event, context))]
    builder = RoundDecision(state, context, "result", list(events))
    if before != after:
        if before is not None:
            restore(builder, seat, before, getattr(command, "reason", "the result was changed"))
        if after is not None:
            open_phases(builder, seat, after)
    return builder.finish(settled=after is not None)


def can_be_restored(state: Tournament, seat: Seat, facts: Facts, context: Context) -> bool:
    """Return True if all groups of a game can be restored to their state before it. facts: the binding result."""
    number = latest_round(state)
    if state.results.concluded or number in state.results.closed or seat.game not in state.rounds.rounds[number].seats:
        return False
    builder = RoundDecision(state, context, "result")
    return not any(faults_of_restoring(builder, id, facts) for id in seat.players)


def open_phases(builder: RoundDecision, seat: Seat, facts: Facts) -> None:
    """Open the post-game phases of all groups: first the roll that ended the game, then each group (FS-RND-1)."""
    if facts["kind"] != GAME:
        away = absent_groups(seat, facts)
        for id in seat.players:
            opened = open_after_bye(builder.rules, builder.find_group(id), builder.round, _ending(id in away))
            builder.record(*opened, group=id)
        return
    dice_source = builder.dice_source(builder.people_at(seat.player_1))

    def cast(roll: Thrown, asked: RollPurpose, where: str) -> Thrown:
        return dice_source.throw(RollTold(roll.dice, roll.rolled_by, roll.witnessed_by), "", asked, where=AT + where)

    report = with_rolls(report_of(facts), cast)
    played = accept(builder.rules, report, builder.groups, musters_of_game(builder.state, seat), sides_of(seat))
    builder.record(*end_of_game(builder.rules, report), group=seat.player_1)
    for part in played:
        opened = open_post_game(
            builder.rules,
            builder.find_group(part.side.group),
            builder.round,
            part,
            builder.context.draws,
            jailers=jailers_among(builder.rules, [builder.find_group(id) for id in part.rivals]),
            at_table={deeds.member: deeds.injury for deeds in part.side.members if deeds.injury is not None},
        )
        builder.record(*opened, group=part.side.group)


def restore(builder: RoundDecision, seat: Seat, facts: Facts, reason: str) -> None:
    """Restore all groups to their state before the game (FS-REP-5). Raises StepRefused if step 2 of one is closed."""
    faults_by_group = {id: faults_of_restoring(builder, id, facts) for id in seat.players}
    faults = [fault for of_group in faults_by_group.values() for fault in of_group]
    if faults:
        open = {id: phase.step for id in faults_by_group if (phase := builder.find_group(id).phase) is not None}
        raise StepRefused(
            f"The post-game phase of {seat.game} has gone too far; correct the result, and enter what it changes.",
            faults,
            open=open,
        )
    builder.cause, cause = "void", builder.cause
    for id in seat.players:
        before = _before(builder, id)
        if before is not None:  # the serial stays, so that ids are never reused: FS-GRP-13
            builder.record(
                GroupRestored(GroupBefore.of(replace(before, serial=builder.find_group(id).serial)), reason), group=id
            )
    builder.cause = cause


def faults_of_restoring(builder: RoundDecision, id: str, facts: Facts) -> list[Fault]:
    """Return the reasons why a group can no longer be restored to its state before a game.

    A report can be undone until step 2 closes; a phase without a game, until something was done in it.
    """
    group, before = builder.find_group(id), _before(builder, id)
    if facts["kind"] == GAME:
        faults = faults_of_correction(group, builder.round)
    elif before is None:
        rated = id in CAMPAIGN.of(builder.state).ratings.get(builder.round, {})
        faults = [Fault("", "9", expects("untouched-phase"), "FS-REP-5")] if rated else []
    else:
        untouched = any(_after_bye(builder, before, away) == group for away in (False, True))
        current_step = group.phase.step if group.phase else "9"
        faults = [] if untouched else [Fault("", current_step, expects("untouched-phase"), "FS-REP-5")]
    return [Fault(f"/groups/{id}", fault.said, fault.expected, fault.clause) for fault in faults]


def _before(builder: RoundDecision, id: str) -> Group | None:
    """Return a group as it was before its post-game phase of this round, or None."""
    phase = builder.find_group(id).phase
    return CAMPAIGN.of(builder.state).before.get(id) if phase is not None and phase.round == builder.round else None


def _after_bye(builder: RoundDecision, before: Group, away: bool) -> Group:
    return evolve(before, open_after_bye(builder.rules, before, builder.round, _ending(away)))


def _ending(away: bool) -> str:
    return "no_show" if away else "bye"


def _binding(result: Result | None) -> Facts | None:
    return result.facts if result is not None and result.binds else None


def _binding_after(result: Result | None, events: Sequence[Event]) -> Facts | None:
    """Return the facts that bind after these events, or None."""
    reported, binding = (result.facts if result else None), _binding(result)
    for event in events:
        match event:
            case ResultReported():
                reported = event.facts
            case ResultConfirmed():
                binding = reported
            case ResultRuled() | ResultCorrected():
                reported = binding = event.facts
            case ResultDisputed() | ResultVoided():
                binding = None
    return binding


_APPLIED_MEMBERS = ("members", "searches", "freed", "loot", "missed", "left")
"""Members of a report that cannot change after step 2, because their effects have been applied."""


def correct(state: Tournament, command: CorrectResult, context: Context) -> Sequence[Event]:
    """Decide CorrectResult. Raises the refusals of a report.

    While the groups can be restored, their phases start again from the new result. Later, only the standings change,
    and further effects are entered in the ledger. Source: FS-REP-5, FS-LGE-3.
    """
    round, seat, current = game_to_correct(state, command, context)
    restores = can_be_restored(state, seat, current.facts, context)
    if restores:
        facts = possible_facts(state, round, seat, command.facts, context.by)
    else:
        rules = rules_at(state.entries, round.number)
        facts = _league_facts(state, rules, seat, current.facts, command.facts, context.by)
    if facts == current.facts:
        return []
    # If the effects stay, the earlier confirmation of improbable facts stays, too.
    improbable = (
        confirm_improbable(state, improbable_facts(state, facts), command.improbable)
        if restores
        else current.improbable
    )
    return [correction(command, round, facts, improbable=improbable)]


def enter(state: Tournament, command: EnterLedger, context: Context) -> Sequence[Event]:
    """Decide EnterLedger, possible once the group's game can no longer be voided.

    Raises NotYourDecision, StepRefused, and BalanceTooLow or ChoiceRefused with the place of the entry. Source:
    FS-REP-5.
    """
    return enter_entries(RoundDecision(state, context, "ruling"), command)


def enter_entries(builder: RoundDecision, command: EnterLedger) -> list[Event]:
    """Return the events of entries of the ledger. Raises the refusals of `enter`."""
    require_decider(builder.state.entries, builder.context.by, "rulings")
    group = builder.find_group(command.group)
    phase = group.phase
    if phase is not None:
        groups_of_game = [group, *map(builder.find_group, (*phase.played.allies, *phase.played.rivals))]
        if not any(faults_of_correction(other, builder.round) for other in groups_of_game):
            fault = Fault("/group", command.group, expects("group-past-step-2", step=phase.step), "FS-REP-5")
            raise StepRefused(
                "The group's step 2 is still open: void the game and have it reported again.", [fault], open=phase.step
            )
    campaign = CAMPAIGN.of(builder.state)
    ruling = Ruling(campaign.gone.get(command.group, {}), builder.draws)
    builder.record(*ruled_entries(builder.rules, group, command.entries, ruling), group=command.group)
    if phase is not None:
        return builder.finish()
    return [*builder.finish(), *_rated_again(builder, group)]


def _rated_again(builder: RoundDecision, before: Group) -> list[Event]:
    """Return the final rating of a group after a correction changed it, and the tables of closed rounds that differ.

    before: the group as it was. Source: FS-RAT-3, FS-LGE-2.
    """
    after = builder.groups[before.id]
    rounds = [number for number, rated in CAMPAIGN.of(builder.state).ratings.items() if before.id in rated]
    rating = finalise_rating(builder.rules, after)
    if not rounds or rating.rating == group_rating(builder.rules, before):
        return []
    rated: list[Event] = [rating.about(before.id, max(rounds), "ruling")]
    state = after_events(builder.state, [*builder.all_events, *rated], builder.context)
    return [*rated, *recorded_again(state, max(rounds))]


def _league_facts(
    state: Tournament, rules: Rules, seat: Seat, recorded: Mapping[str, Any], facts: Mapping[str, Any], by: By
) -> dict[str, Any]:
    """Return corrected facts whose effects were applied: the outcome may change, the deeds of members may not.

    Absent members stay as recorded. Raises ReportRefused, GameNotReady, StaffOnly.
    """
    kind = kind_of(facts, seat, by)
    if kind != GAME:
        return {name: facts[name] for name in ("kind", "conceded_by") if name in facts}
    if recorded["kind"] != GAME:
        fault = Fault("/facts/kind", GAME, expects("recorded-kind", kind=recorded["kind"]), "FS-REP-5")
        raise GameNotReady(f"What precedes {seat.game} was not recorded; enter what the game changes instead.", [fault])
    recorded_report = report_of(recorded)
    new = read_report(facts["report"], seat, by, {side.group: pre_game_members(side) for side in recorded_report.sides})
    report = _merge(recorded_report, new)
    faults = faults_of_outcome(rules, report, current_groups(state), sides_of(seat))
    if faults:
        raise ReportRefused("this cannot have happened in the game", [placed(fault) for fault in faults])
    return plain_facts(report)


def _merge(recorded_report: GameReport, corrected_report: GameReport) -> GameReport:
    """Return the recorded report with the changed outcome. Raises ReportRefused for changes of applied effects."""
    faults = [
        Fault(
            f"{AT}/sides/{number}/{name}",
            display_text(getattr(new, name)),
            expects("as-recorded-or-nothing"),
            "FS-REP-5",
        )
        for number, (old, new) in enumerate(zip(recorded_report.sides, corrected_report.sides, strict=True))
        for name in _APPLIED_MEMBERS
        if getattr(new, name) not in ((), 0, getattr(old, name))
    ]
    faults += [
        Fault(
            f"{AT}/{name}", display_text(getattr(corrected_report, name)), expects("as-recorded-or-nothing"), "FS-REP-5"
        )
        for name in ("encounters", "terrain")
        if getattr(corrected_report, name) not in ((), None, getattr(recorded_report, name))
    ]
    if recorded_report.end_roll is not None and corrected_report.end_roll not in (None, recorded_report.end_roll):
        faults.append(
            Fault(
                f"{AT}/end_roll", display_text(corrected_report.end_roll), expects("as-recorded-or-nothing"), "FS-REP-5"
            )
        )
    if faults:
        raise ReportRefused("What happened to members can no longer change; enter what the ruling changes.", faults)
    sides = tuple(
        replace(old, lines=new.lines, vp=new.vp, conceded=new.conceded)
        for old, new in zip(recorded_report.sides, corrected_report.sides, strict=True)
    )
    return replace(
        corrected_report,
        sides=sides,
        end_roll=recorded_report.end_roll or corrected_report.end_roll,
        encounters=recorded_report.encounters,
        terrain=recorded_report.terrain,
    )
