"""Decisions after the fact: a campaign's result corrected, and entries for what a ruling changes. FS-REP-5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from services.scoring.campaign.commands import EnterLedger
from services.scoring.campaign.dice import AT
from services.scoring.campaign.games import kind_of, placed, plain_facts, possible_facts, read_report, recorded_in
from services.scoring.campaign.round_decision import RoundDecision
from services.scoring.campaign.settling import can_be_restored
from services.scoring.tournament.commands import CorrectResult
from services.scoring.tournament.refusals import GameNotReady
from services.scoring.tournament.rulings import corrected, game_to_correct
from services.scoring.tournament.state import stood_by
from shared.campaign.facts import GameReport
from shared.campaign.league import GAME, groups_of, improbable_facts, report_of, sides_of
from shared.campaign.ledger import ruled_entries
from shared.campaign.post_game import faults_of_correction
from shared.campaign.report import faults_of_outcome
from shared.campaign.state import campaign_of
from shared.campaign.tables import Rules
from shared.campaign.words import ReportRefused, StepRefused
from shared.log.event import Event
from shared.refusals import Fault, as_said, expects
from shared.tournament.guards import By, Context, need_decider
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament

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
        rules = campaign_of(state.entries, round.number)
        facts = _league_facts(state, rules, seat, known.facts, command.facts, context.by)
    if facts == known.facts:
        return []
    # What was asked back when it was reported is part of a result whose effects stand.
    improbable = stood_by(state, improbable_facts(state, facts), command.improbable) if restores else known.improbable
    return [corrected(command, round, facts, improbable=improbable)]


def enter(state: Tournament, command: EnterLedger, context: Context) -> Sequence[Event]:
    """Entries by the organiser's ruling, each with its reason and clause, once a game cannot be voided any more.

    Raises StepRefused before that, BalanceTooLow or ChoiceRefused at the place of the entry. Source: FS-REP-5.
    """
    builder = RoundDecision(state, context, "ruling")
    need_decider(state.entries, context.by, "rulings")
    group = builder.known(command.group)
    phase = group.phase
    if phase is not None:
        there = [group, *map(builder.known, (*phase.played.allies, *phase.played.rivals))]
        if not any(faults_of_correction(one, builder.round) for one in there):
            fault = Fault("/group", command.group, expects("group-past-step-2", step=phase.step), "FS-REP-5")
            raise StepRefused(
                "The group's step 2 is still open: void the game and have it reported again.", [fault], open=phase.step
            )
    builder.say(*ruled_entries(builder.rules, group, command.entries), group=command.group)
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
    faults = faults_of_outcome(rules, report, groups_of(state), sides_of(seat))
    if faults:
        raise ReportRefused("this cannot have happened in the game", [placed(fault) for fault in faults])
    return plain_facts(report)


def _merged(was: GameReport, told: GameReport) -> GameReport:
    """Raises ReportRefused for a change of what has had its effect."""
    faults = [
        Fault(f"{AT}/sides/{number}/{name}", as_said(getattr(new, name)), expects("as-recorded-or-nothing"), "FS-REP-5")
        for number, (old, new) in enumerate(zip(was.sides, told.sides, strict=True))
        for name in HAD_EFFECT
        if getattr(new, name) not in ((), 0, getattr(old, name))
    ]
    faults += [
        Fault(f"{AT}/{name}", as_said(getattr(told, name)), expects("as-recorded-or-nothing"), "FS-REP-5")
        for name in ("encounters", "terrain")
        if getattr(told, name) not in ((), None, getattr(was, name))
    ]
    if was.end_roll is not None and told.end_roll not in (None, was.end_roll):
        faults.append(Fault(f"{AT}/end_roll", as_said(told.end_roll), expects("as-recorded-or-nothing"), "FS-REP-5"))
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
