"""Application of events to a group and its post-game phase, one function for each event. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from shared.campaign.outcomes import (
    AddictionRolled,
    AddictionsCured,
    AdvancementRolled,
    CharacteristicRaised,
    CleanHomeChosen,
    ExperienceAwarded,
    ExperienceChanged,
    FullyRecovered,
    GroupAccepted,
    GroupEntered,
    GroupRatingFinalised,
    GroupRestored,
    InjuryDue,
    InjuryHealed,
    InjuryRolled,
    InjurySuffered,
    JailEscaped,
    LeaderAppointed,
    LevelReached,
    LevelsTakenBack,
    MemberCorrected,
    MemberIncarcerated,
    MemberJoined,
    MemberRemoved,
    MemberReturned,
    PerkChosen,
    PostGameOpened,
    RadsChanged,
    RerollGained,
    RerollUsed,
    RewardClaimed,
    RewardForgone,
    StepClosed,
    TurfGained,
    TurfLost,
)
from shared.campaign.post_game_outcomes import (
    BuildAttempted,
    BuildingSearched,
    CapsMoved,
    CentaurJoined,
    DoctorVisited,
    EncounterDrawn,
    EncounterMet,
    EncounterResolved,
    EquipmentMaintained,
    EquipmentNeglected,
    FightersDrawn,
    FoodMoved,
    ItemGained,
    ItemLost,
    ItemMoved,
    MemberActed,
    MemberFed,
    MembersSated,
    MemberWentHungry,
    MerchantSought,
    MoodChanged,
    OfferDeclined,
    OfferTaken,
    PriceQuoted,
    ScavengingOpened,
    ScavengingRolled,
    UpkeepPaid,
)
from shared.campaign.roster import Group, HeldPerk, Item, Member, OpenFind, OpenRoll, Phase, Quote, Visit
from shared.campaign.words import BalanceTooLow, CampaignEvent, Changes


def _without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(other for other in names if other != name)


def _rolls_without(rolls: tuple[OpenRoll, ...], member: str) -> tuple[OpenRoll, ...]:
    return tuple(open for open in rolls if open.member != member)


def _closed(phase: Phase, outcome: StepClosed) -> Phase | None:
    if outcome.next is None:
        return None
    # Re-rolls are valid in their own step only (FS-INJ-3).
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


def _remove_from_phase(phase: Phase, outcome: MemberRemoved) -> Phase:
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
    """End the rolls of a jailed member. An injury that was rolled before still counts."""
    injured = _without(phase.injured, outcome.member)
    return replace(phase, jail=_without(phase.jail, outcome.member), injured=injured)


def _advance_rolled(phase: Phase, outcome: AdvancementRolled) -> Phase:
    open = OpenRoll(outcome.member, outcome.gains, outcome.roll, outcome.again)
    return replace(phase, open_advances=(*_rolls_without(phase.open_advances, outcome.member), open))


def _advanced(phase: Phase, outcome: CharacteristicRaised | PerkChosen) -> Phase:
    return replace(phase, open_advances=_rolls_without(phase.open_advances, outcome.member))


def _take_levels_in_phase(phase: Phase, outcome: LevelsTakenBack) -> Phase:
    if not outcome.waiting:
        return phase
    return replace(phase, open_advances=_rolls_without(phase.open_advances, outcome.member))


def _acted(phase: Phase, outcome: MemberActed) -> Phase:
    acted = {**phase.acted, outcome.member: (*phase.acted.get(outcome.member, ()), outcome.activity)}
    visited = (*phase.visited, outcome.target) if outcome.activity == "visited_turf" else phase.visited
    return replace(phase, acted=acted, visited=visited)


def _find_opened(phase: Phase, outcome: ScavengingOpened) -> Phase:
    open = OpenFind(outcome.member, outcome.roll, outcome.face, outcome.good, outcome.free)
    return replace(phase, open_finds=(*phase.open_finds, open), extra_finds=phase.extra_finds - outcome.free)


def _found(phase: Phase, outcome: ScavengingRolled) -> Phase:
    """Settle a find. A free roll that waited was already counted when its die was rolled."""
    if any(open.roll == outcome.roll for open in phase.open_finds):
        return replace(phase, open_finds=tuple(open for open in phase.open_finds if open.roll != outcome.roll))
    return replace(phase, extra_finds=phase.extra_finds - outcome.free)


def _finds_without(phase: Phase, member: str) -> tuple[OpenFind, ...]:
    return tuple(open for open in phase.open_finds if open.member != member)


def _encountered(phase: Phase, outcome: EncounterResolved) -> Phase:
    """Remove one encounter of the member; a free roll may have brought it a second one."""
    remaining = list(phase.encounters)
    remaining.remove(outcome.member)
    drawn = {member: met for member, met in phase.drawn.items() if member != outcome.member}
    return replace(phase, encounters=tuple(remaining), drawn=drawn)


def _sought(phase: Phase, outcome: MerchantSought) -> Phase:
    visit = Visit(outcome.merchant, outcome.companions) if outcome.found else None
    return replace(phase, merchant_sought=True, visit=visit)


def _visit(phase: Phase, **changes: Any) -> Phase:
    assert phase.visit is not None, "nobody is at a merchant"
    return replace(phase, visit=replace(phase.visit, **changes))


def _quoted(phase: Phase, outcome: PriceQuoted) -> Phase:
    assert phase.visit is not None, "nobody is at a merchant"
    totals = phase.visit.totals if outcome.seller else outcome.totals
    return _visit(phase, quote=Quote(outcome.line, outcome.price, outcome.seller), totals=totals)


def _taken(phase: Phase, outcome: OfferTaken) -> Phase:
    """Close the quote. Only purchases count towards the limit."""
    assert phase.visit is not None, "nobody is at a merchant"
    quote = phase.visit.quote
    bought = phase.visit.bought + (quote is not None and not quote.seller)
    return _visit(phase, bought=bought, quote=None)


def _declined(phase: Phase, outcome: OfferDeclined) -> Phase:
    assert phase.visit is not None, "nobody is at a merchant"
    return _visit(phase, closed=(*phase.visit.closed, outcome.line), quote=None)


def _attempted(phase: Phase, outcome: BuildAttempted) -> Phase:
    return replace(phase, attempted=(*phase.attempted, outcome.parts))


PHASE_CHANGES: Mapping[type[CampaignEvent], Callable[[Phase, Any], Phase | None]] = {
    StepClosed: _closed,
    InjuryRolled: _injury_rolled,
    InjurySuffered: lambda phase, outcome: _injury_settled(phase, outcome.member),
    FullyRecovered: lambda phase, outcome: _injury_settled(phase, outcome.member),
    RerollUsed: _reroll_used,
    MemberRemoved: _remove_from_phase,
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
    UpkeepPaid: lambda phase, outcome: replace(phase, paid=True),
    ExperienceAwarded: lambda phase, outcome: replace(phase, awarded=True),
    AdvancementRolled: _advance_rolled,
    LevelsTakenBack: _take_levels_in_phase,
    CharacteristicRaised: _advanced,
    PerkChosen: _advanced,
    MemberActed: _acted,
    ScavengingOpened: _find_opened,
    ScavengingRolled: _found,
    EncounterMet: lambda phase, outcome: replace(phase, encounters=(*phase.encounters, outcome.member)),
    LeaderAppointed: lambda phase, outcome: replace(phase, leaders=phase.leaders + 1),
    EncounterDrawn: lambda phase, outcome: replace(
        phase, drawn={**phase.drawn, outcome.member: outcome.met}, drawings=phase.drawings + 1
    ),
    EncounterResolved: _encountered,
    InjuryDue: lambda phase, outcome: replace(phase, injured=(*phase.injured, outcome.member)),
    MembersSated: lambda phase, outcome: replace(
        phase,
        sated=phase.sated + outcome.number,
        ate_own=phase.ate_own or outcome.flesh == "own",
        feasted=phase.feasted or outcome.flesh == "enemy",
    ),
    FightersDrawn: lambda phase, outcome: replace(phase, pot=outcome.order),
    MerchantSought: _sought,
    PriceQuoted: _quoted,
    OfferTaken: _taken,
    OfferDeclined: _declined,
    MoodChanged: lambda phase, outcome: _visit(phase, mood=outcome.charisma),
    BuildingSearched: lambda phase, outcome: replace(phase, searches=phase.searches + 1),
    BuildAttempted: _attempted,
    DoctorVisited: lambda phase, outcome: replace(phase, doctor=True),
}


GroupChange = Callable[[Group, Any], Group]
PhaseChange = Callable[[Phase, Any], Phase | None]


def evolve(group: Group, outcomes: Iterable[CampaignEvent]) -> Group:
    """Return the group after these events. Raise BalanceTooLow if a balance would drop below 0."""
    for outcome in outcomes:
        known = CHANGES.get(type(outcome))
        if known is not None:
            group = apply_event(group, outcome, *known)
    return group


def apply_event(
    group: Group, outcome: Any, group_change: GroupChange | None, phase_change: PhaseChange | None
) -> Group:
    """Return the group after one event. Raises the exceptions of `evolve`."""
    if group_change is not None:
        group = group_change(group, outcome)
    if phase_change is not None and group.phase is not None:
        group = replace(group, phase=phase_change(group.phase, outcome))
    return group


def _member(group: Group, id: str, **changes: Any) -> Group:
    """Return the group with one member changed. This is the hottest path of a fold."""
    members = group.members
    for place, member in enumerate(members):
        if member.id == id:
            return replace(group, members=(*members[:place], replace(member, **changes), *members[place + 1 :]))
    raise LookupError(f"{id} is not on the roster")


def _of(group: Group, id: str) -> Member:
    member = group.member(id)
    assert member is not None, f"{id} is not on the roster"
    return member


def _joined(group: Group, outcome: MemberJoined) -> Group:
    return replace(group, members=(*group.members, outcome.member.state), serial=_serial(group, outcome.member.id))


def _corrected(group: Group, outcome: MemberCorrected) -> Group:
    """Replace a member, or add it. A member who came back has no equipment."""
    member = outcome.member.state
    if group.member(member.id) is not None:
        members = tuple(member if known.id == member.id else known for known in group.members)
        return replace(group, members=members)
    return replace(group, members=(*group.members, member), serial=_serial(group, member.id))


def _serial(group: Group, id: str) -> int:
    """Return the last number given, after this id. A statement that is decided again keeps its ids (FS-GRP-13)."""
    return max(group.serial, int(id.rpartition("-")[2]))


def _removed(group: Group, outcome: MemberRemoved) -> Group:
    def after(item: Item) -> Item | None:
        if item.holder != outcome.member:
            return item
        return None if outcome.equipment == "lost" else replace(item, holder="")

    kept = tuple(item for item in map(after, group.items) if item is not None)
    members = tuple(member for member in group.members if member.id != outcome.member)
    leader = "" if group.leader == outcome.member else group.leader
    return replace(group, members=members, items=kept, leader=leader)


def _hurt(group: Group, outcome: InjurySuffered) -> Group:
    return _member(group, outcome.member, injuries=(*_of(group, outcome.member).injuries, outcome.injury))


def _healed(group: Group, outcome: InjuryHealed) -> Group:
    remaining = list(_of(group, outcome.member).injuries)
    remaining.remove(outcome.injury)
    return _member(group, outcome.member, injuries=tuple(remaining))


def _experience(group: Group, outcome: ExperienceChanged) -> Group:
    member = _of(group, outcome.member)
    xp, most = member.xp + outcome.amount, max(member.peak, member.xp)
    peak = max(most + outcome.amount if outcome.unearned else most, xp)
    return _member(group, outcome.member, xp=xp, peak=peak if peak > xp else 0)


def _level(group: Group, outcome: LevelReached) -> Group:
    advances = _of(group, outcome.member).advances + outcome.advances
    return _member(group, outcome.member, level=outcome.level, advances=advances)


def _levels_taken(group: Group, outcome: LevelsTakenBack) -> Group:
    member = _of(group, outcome.member)
    raised = {name: number - outcome.gains.count(name) for name, number in member.raised.items()}
    return _member(
        group,
        member.id,
        level=outcome.level,
        advances=member.advances - outcome.owed,
        raised={name: number for name, number in raised.items() if number},
        perks=tuple(held for held in member.perks if held.perk not in outcome.gains),
        gained=member.gained[: len(member.gained) - len(outcome.gains)],
    )


def _raised(group: Group, outcome: CharacteristicRaised) -> Group:
    member = _of(group, outcome.member)
    raised: Changes = {**member.raised, outcome.attribute: member.raised.get(outcome.attribute, 0) + 1}
    gained = (*member.gained, outcome.attribute)
    return _member(group, member.id, raised=raised, advances=member.advances - 1, gained=gained)


def _perk(group: Group, outcome: PerkChosen) -> Group:
    member = _of(group, outcome.member)
    perks = (*member.perks, HeldPerk(outcome.perk, outcome.waived))
    gained = (*member.gained, outcome.perk)
    return _member(group, member.id, perks=perks, advances=member.advances - 1, gained=gained)


def _addicted(group: Group, outcome: AddictionRolled) -> Group:
    had = _of(group, outcome.member).addictions
    if not outcome.addicted or outcome.drug in had:
        return group
    return _member(group, outcome.member, addictions=(*had, outcome.drug))


def _caps(group: Group, outcome: CapsMoved) -> Group:
    return replace(group, caps=_balance("caps", group.caps + outcome.amount))


def _food(group: Group, outcome: FoodMoved) -> Group:
    if outcome.food == "clean":
        return replace(group, clean=_balance("clean food", group.clean + outcome.amount))
    return replace(group, radiated=_balance("radiated food", group.radiated + outcome.amount))


def _lost(group: Group, outcome: ItemLost) -> Group:
    items = tuple(item for item in group.items if item.id != outcome.item)
    _balance("items", len(items) - len(group.items) + 1)
    return replace(group, items=items)


def _moved(group: Group, outcome: ItemMoved) -> Group:
    items = (replace(item, holder=outcome.holder) if item.id == outcome.item else item for item in group.items)
    return replace(group, items=tuple(items))


def _balance(account: str, balance: int) -> int:
    if balance < 0:
        raise BalanceTooLow(f"{account} would be {balance}", account=account)
    return balance


GROUP_CHANGES: Mapping[type[CampaignEvent], Callable[[Group, Any], Group]] = {
    GroupAccepted: lambda group, outcome: outcome.accepted.state,
    GroupEntered: lambda group, outcome: outcome.entered.state,
    GroupRestored: lambda group, outcome: outcome.restored.state,
    TurfGained: lambda group, outcome: replace(
        group, turfs=(*group.turfs, outcome.turf), serial=_serial(group, outcome.turf.id)
    ),
    TurfLost: lambda group, outcome: replace(
        group, turfs=tuple(turf for turf in group.turfs if turf.id != outcome.turf)
    ),
    LeaderAppointed: lambda group, outcome: replace(group, leader=outcome.member),
    MemberJoined: _joined,
    MemberRemoved: _removed,
    MemberCorrected: _corrected,
    MemberIncarcerated: lambda group, outcome: _member(group, outcome.member, away=True),
    MemberReturned: lambda group, outcome: _member(group, outcome.member, away=False),
    PostGameOpened: lambda group, outcome: replace(group, phase=outcome.phase.state),
    InjurySuffered: _hurt,
    InjuryHealed: _healed,
    ExperienceChanged: _experience,
    LevelReached: _level,
    LevelsTakenBack: _levels_taken,
    CharacteristicRaised: _raised,
    PerkChosen: _perk,
    RadsChanged: lambda group, outcome: _member(
        group, outcome.member, rads=_of(group, outcome.member).rads + outcome.amount
    ),
    AddictionRolled: _addicted,
    AddictionsCured: lambda group, outcome: _member(group, outcome.member, addictions=()),
    CapsMoved: _caps,
    FoodMoved: _food,
    ItemGained: lambda group, outcome: replace(
        group, items=(*group.items, outcome.item), serial=_serial(group, outcome.item.id)
    ),
    ItemLost: _lost,
    ItemMoved: _moved,
    MemberFed: lambda group, outcome: _member(group, outcome.member, unfed=0),
    MemberWentHungry: lambda group, outcome: _member(group, outcome.member, unfed=_of(group, outcome.member).unfed + 1),
    EquipmentMaintained: lambda group, outcome: _member(group, outcome.member, unmaintained=0),
    EquipmentNeglected: lambda group, outcome: _member(
        group, outcome.member, unmaintained=_of(group, outcome.member).unmaintained + 1
    ),
    GroupRatingFinalised: lambda group, outcome: replace(group, rating=outcome.rating),
    CentaurJoined: lambda group, outcome: replace(group, centaurs=group.centaurs + 1),
}

CHANGES: Mapping[type[CampaignEvent], tuple[GroupChange | None, PhaseChange | None]] = {
    kind: (GROUP_CHANGES.get(kind), PHASE_CHANGES.get(kind)) for kind in {*GROUP_CHANGES, *PHASE_CHANGES}
}
"""Event class -> its change of the group, and its change of the group's phase."""
