"""Outcomes applied to the post-game phase of a group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from shared.formats.campaign.rules import income_outcomes as earned
from shared.formats.campaign.rules import trade_outcomes as traded
from shared.formats.campaign.rules.outcomes import (
    AdvancementRolled,
    CharacteristicRaised,
    CleanHomeChosen,
    ExperienceAwarded,
    FullyRecovered,
    InjuryDue,
    InjuryRolled,
    InjurySuffered,
    JailEscaped,
    LeaderAppointed,
    LevelsTakenBack,
    MemberIncarcerated,
    MemberRemoved,
    PerkChosen,
    RerollGained,
    RerollUsed,
    RewardClaimed,
    RewardForgone,
    StepClosed,
    TurfGained,
)
from shared.formats.campaign.rules.roster import OpenFind, OpenRoll, Phase, Quote, Visit
from shared.formats.campaign.rules.words import CampaignEvent


def _without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(other for other in names if other != name)


def _rolls_without(rolls: tuple[OpenRoll, ...], member: str) -> tuple[OpenRoll, ...]:
    return tuple(open for open in rolls if open.member != member)


def _closed(phase: Phase, outcome: StepClosed) -> Phase | None:
    if outcome.next is None:
        return None
    # A re-roll is for the injuries of its own step (FS-INJ-3).
    return replace(phase, step=outcome.next, visit=None, rerolls=0 if outcome.step == "1" else phase.rerolls)


def _injury_rolled(phase: Phase, outcome: InjuryRolled) -> Phase:
    open = OpenRoll(outcome.member, outcome.injury, outcome.roll, outcome.again, outcome.final)
    waiting = (*_rolls_without(phase.open_injuries, outcome.member), open)
    return replace(phase, injured=_without(phase.injured, outcome.member), open_injuries=waiting)


def _injury_settled(phase: Phase, member: str) -> Phase:
    settled = tuple(open for open in phase.open_injuries if open.member == member)
    waiting = _rolls_without(phase.open_injuries, member)
    return replace(phase, open_injuries=waiting, suffered=(*phase.suffered, *settled))


def _reroll_used(phase: Phase, outcome: RerollUsed) -> Phase:
    known = [open for open in (*phase.suffered, *phase.open_injuries) if open.member == outcome.member]
    waiting = (*_rolls_without(phase.open_injuries, outcome.member), replace(known[-1], again=True, final=True))
    suffered = _rolls_without(phase.suffered, outcome.member)
    return replace(phase, rerolls=phase.rerolls - 1, open_injuries=waiting, suffered=suffered)


def _removed(phase: Phase, outcome: MemberRemoved) -> Phase:
    return replace(
        phase,
        injured=_without(phase.injured, outcome.member),
        jail=_without(phase.jail, outcome.member),
        open_injuries=_rolls_without(phase.open_injuries, outcome.member),
        open_advances=_rolls_without(phase.open_advances, outcome.member),
        encounters=_without(phase.encounters, outcome.member),
        open_finds=_finds_without(phase, outcome.member),
    )


def _jailed(phase: Phase, outcome: MemberIncarcerated) -> Phase:
    """Who is in jail rolls nothing more; an injury that was rolled before stands."""
    injured = _without(phase.injured, outcome.member)
    return replace(phase, jail=_without(phase.jail, outcome.member), injured=injured)


def _advance_rolled(phase: Phase, outcome: AdvancementRolled) -> Phase:
    open = OpenRoll(outcome.member, outcome.gains, outcome.roll, outcome.again)
    return replace(phase, open_advances=(*_rolls_without(phase.open_advances, outcome.member), open))


def _advanced(phase: Phase, outcome: CharacteristicRaised | PerkChosen) -> Phase:
    return replace(phase, open_advances=_rolls_without(phase.open_advances, outcome.member))


def _levels_taken(phase: Phase, outcome: LevelsTakenBack) -> Phase:
    if not outcome.waiting:
        return phase
    return replace(phase, open_advances=_rolls_without(phase.open_advances, outcome.member))


def _acted(phase: Phase, outcome: earned.MemberActed) -> Phase:
    acted = {**phase.acted, outcome.member: (*phase.acted.get(outcome.member, ()), outcome.activity)}
    visited = (*phase.visited, outcome.target) if outcome.activity == "visited_turf" else phase.visited
    return replace(phase, acted=acted, visited=visited)


def _find_opened(phase: Phase, outcome: earned.ScavengingOpened) -> Phase:
    open = OpenFind(outcome.member, outcome.roll, outcome.face, outcome.good, outcome.free)
    return replace(phase, open_finds=(*phase.open_finds, open), extra_finds=phase.extra_finds - outcome.free)


def _found(phase: Phase, outcome: earned.ScavengingRolled) -> Phase:
    """A free roll that waited was counted when its die fell."""
    if any(open.roll == outcome.roll for open in phase.open_finds):
        return replace(phase, open_finds=tuple(open for open in phase.open_finds if open.roll != outcome.roll))
    return replace(phase, extra_finds=phase.extra_finds - outcome.free)


def _finds_without(phase: Phase, member: str) -> tuple[OpenFind, ...]:
    return tuple(open for open in phase.open_finds if open.member != member)


def _encountered(phase: Phase, outcome: earned.EncounterResolved) -> Phase:
    """One of them: a roll by reward may have brought a member a second."""
    left = list(phase.encounters)
    left.remove(outcome.member)
    drawn = {member: met for member, met in phase.drawn.items() if member != outcome.member}
    return replace(phase, encounters=tuple(left), drawn=drawn)


def _sought(phase: Phase, outcome: traded.MerchantSought) -> Phase:
    visit = Visit(outcome.merchant, outcome.companions) if outcome.found else None
    return replace(phase, merchant_sought=True, visit=visit)


def _visit(phase: Phase, **changes: Any) -> Phase:
    assert phase.visit is not None, "nobody is at a merchant"
    return replace(phase, visit=replace(phase.visit, **changes))


def _quoted(phase: Phase, outcome: traded.PriceQuoted) -> Phase:
    assert phase.visit is not None, "nobody is at a merchant"
    totals = phase.visit.totals if outcome.seller else outcome.totals
    return _visit(phase, quote=Quote(outcome.line, outcome.price, outcome.seller), totals=totals)


def _taken(phase: Phase, outcome: traded.OfferTaken) -> Phase:
    """What is bought is counted; a sale closes nothing."""
    assert phase.visit is not None, "nobody is at a merchant"
    quote = phase.visit.quote
    bought = phase.visit.bought + (quote is not None and not quote.seller)
    return _visit(phase, bought=bought, quote=None)


def _declined(phase: Phase, outcome: traded.OfferDeclined) -> Phase:
    assert phase.visit is not None, "nobody is at a merchant"
    return _visit(phase, closed=(*phase.visit.closed, outcome.line), quote=None)


def _attempted(phase: Phase, outcome: traded.BuildAttempted) -> Phase:
    return replace(phase, attempted=(*phase.attempted, outcome.parts))


PHASE: Mapping[type[CampaignEvent], Callable[[Phase, Any], Phase | None]] = {
    StepClosed: _closed,
    InjuryRolled: _injury_rolled,
    InjurySuffered: lambda phase, outcome: _injury_settled(phase, outcome.member),
    FullyRecovered: lambda phase, outcome: _injury_settled(phase, outcome.member),
    RerollUsed: _reroll_used,
    MemberRemoved: _removed,
    MemberIncarcerated: _jailed,
    JailEscaped: lambda phase, outcome: replace(phase, jail=_without(phase.jail, outcome.member)),
    RerollGained: lambda phase, outcome: replace(phase, rerolls=phase.rerolls + outcome.number),
    CleanHomeChosen: lambda phase, outcome: replace(
        phase, home=outcome.choice, rerolls=phase.rerolls + (outcome.choice == "medical_lab")
    ),
    RewardClaimed: lambda phase, outcome: replace(
        phase, rewarded=True, half_maintenance=outcome.half_maintenance, extra_finds=outcome.finds
    ),
    RewardForgone: lambda phase, outcome: replace(phase, rewarded=True),
    TurfGained: lambda phase, outcome: replace(phase, turf_gained=True),
    earned.UpkeepPaid: lambda phase, outcome: replace(phase, paid=True),
    ExperienceAwarded: lambda phase, outcome: replace(phase, awarded=True),
    AdvancementRolled: _advance_rolled,
    LevelsTakenBack: _levels_taken,
    CharacteristicRaised: _advanced,
    PerkChosen: _advanced,
    earned.MemberActed: _acted,
    earned.ScavengingOpened: _find_opened,
    earned.ScavengingRolled: _found,
    earned.EncounterMet: lambda phase, outcome: replace(phase, encounters=(*phase.encounters, outcome.member)),
    LeaderAppointed: lambda phase, outcome: replace(phase, leaders=phase.leaders + 1),
    earned.EncounterDrawn: lambda phase, outcome: replace(
        phase, drawn={**phase.drawn, outcome.member: outcome.met}, drawings=phase.drawings + 1
    ),
    earned.EncounterResolved: _encountered,
    InjuryDue: lambda phase, outcome: replace(phase, injured=(*phase.injured, outcome.member)),
    traded.MembersSated: lambda phase, outcome: replace(
        phase,
        sated=phase.sated + outcome.number,
        ate_own=phase.ate_own or outcome.flesh == "own",
        feasted=phase.feasted or outcome.flesh == "enemy",
    ),
    traded.FightersDrawn: lambda phase, outcome: replace(phase, pot=outcome.order),
    traded.MerchantSought: _sought,
    traded.PriceQuoted: _quoted,
    traded.OfferTaken: _taken,
    traded.OfferDeclined: _declined,
    traded.MoodChanged: lambda phase, outcome: _visit(phase, mood=outcome.charisma),
    traded.BuildingSearched: lambda phase, outcome: replace(phase, searches=phase.searches + 1),
    traded.BuildAttempted: _attempted,
    traded.DoctorVisited: lambda phase, outcome: replace(phase, doctor=True),
}
