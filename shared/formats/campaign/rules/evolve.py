"""Outcomes applied to a group, one function for each kind. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from shared.formats.campaign.rules import income_outcomes as earned
from shared.formats.campaign.rules import trade_outcomes as traded
from shared.formats.campaign.rules.evolve_phase import PHASE
from shared.formats.campaign.rules.outcomes import (
    AddictionRolled,
    AddictionsCured,
    CharacteristicRaised,
    ExperienceChanged,
    GroupAccepted,
    GroupEntered,
    GroupRatingFinalised,
    GroupRestored,
    InjuryHealed,
    InjurySuffered,
    LeaderAppointed,
    LevelReached,
    LevelsTakenBack,
    MemberIncarcerated,
    MemberJoined,
    MemberRemoved,
    MemberReturned,
    PerkChosen,
    PostGameOpened,
    RadsChanged,
    TurfGained,
    TurfLost,
)
from shared.formats.campaign.rules.refusals import BalanceTooLow
from shared.formats.campaign.rules.roster import Group, HeldPerk, Item, Member, Phase
from shared.formats.campaign.rules.words import CampaignEvent, Changes

OfGroup = Callable[[Group, Any], Group]
OfPhase = Callable[[Phase, Any], Phase | None]


def evolve(group: Group, outcomes: Iterable[CampaignEvent]) -> Group:
    """The group after these outcomes. Raises BalanceTooLow should one ever take what is not there."""
    for outcome in outcomes:
        known = CHANGES.get(type(outcome))
        if known is not None:
            group = changed(group, outcome, *known)
    return group


def changed(group: Group, outcome: Any, change: OfGroup | None, step: OfPhase | None) -> Group:
    """The group after one outcome, or what has its members. Raises as `evolve`."""
    if change is not None:
        group = change(group, outcome)
    if step is not None and group.phase is not None:
        group = replace(group, phase=step(group.phase, outcome))
    return group


def _member(group: Group, id: str, **changes: Any) -> Group:
    """The group with one member changed; a fold goes through here more often than anywhere else."""
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
    return replace(group, members=(*group.members, outcome.member.state), serial=group.serial + 1)


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
    left = list(_of(group, outcome.member).injuries)
    left.remove(outcome.injury)
    return _member(group, outcome.member, injuries=tuple(left))


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


def _caps(group: Group, outcome: earned.CapsMoved) -> Group:
    return replace(group, caps=_balance("caps", group.caps + outcome.amount))


def _food(group: Group, outcome: earned.FoodMoved) -> Group:
    if outcome.food == "clean":
        return replace(group, clean=_balance("clean food", group.clean + outcome.amount))
    return replace(group, radiated=_balance("radiated food", group.radiated + outcome.amount))


def _lost(group: Group, outcome: earned.ItemLost) -> Group:
    items = tuple(item for item in group.items if item.id != outcome.item)
    _balance("items", len(items) - len(group.items) + 1)
    return replace(group, items=items)


def _moved(group: Group, outcome: earned.ItemMoved) -> Group:
    items = (replace(item, holder=outcome.holder) if item.id == outcome.item else item for item in group.items)
    return replace(group, items=tuple(items))


def _balance(account: str, balance: int) -> int:
    if balance < 0:
        raise BalanceTooLow(f"{account} would be {balance}", account=account)
    return balance


GROUP: Mapping[type[CampaignEvent], Callable[[Group, Any], Group]] = {
    GroupAccepted: lambda group, outcome: outcome.accepted.state,
    GroupEntered: lambda group, outcome: outcome.entered.state,
    GroupRestored: lambda group, outcome: outcome.restored.state,
    TurfGained: lambda group, outcome: replace(group, turfs=(*group.turfs, outcome.turf), serial=group.serial + 1),
    TurfLost: lambda group, outcome: replace(
        group, turfs=tuple(turf for turf in group.turfs if turf.id != outcome.turf)
    ),
    LeaderAppointed: lambda group, outcome: replace(group, leader=outcome.member),
    MemberJoined: _joined,
    MemberRemoved: _removed,
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
    earned.CapsMoved: _caps,
    earned.FoodMoved: _food,
    earned.ItemGained: lambda group, outcome: replace(
        group, items=(*group.items, outcome.item), serial=group.serial + 1
    ),
    earned.ItemLost: _lost,
    earned.ItemMoved: _moved,
    earned.MemberFed: lambda group, outcome: _member(group, outcome.member, unfed=0),
    earned.MemberWentHungry: lambda group, outcome: _member(
        group, outcome.member, unfed=_of(group, outcome.member).unfed + 1
    ),
    earned.EquipmentMaintained: lambda group, outcome: _member(group, outcome.member, unmaintained=0),
    earned.EquipmentNeglected: lambda group, outcome: _member(
        group, outcome.member, unmaintained=_of(group, outcome.member).unmaintained + 1
    ),
    GroupRatingFinalised: lambda group, outcome: replace(group, rating=outcome.rating),
    traded.CentaurJoined: lambda group, outcome: replace(group, centaurs=group.centaurs + 1),
}

CHANGES: Mapping[type[CampaignEvent], tuple[OfGroup | None, OfPhase | None]] = {
    kind: (GROUP.get(kind), PHASE.get(kind)) for kind in {*GROUP, *PHASE}
}
"""Kind of outcome -> what it does to the group, and to the phase of the group."""
