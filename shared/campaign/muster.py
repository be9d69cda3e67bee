"""Preparation of a game: fielded members, weapon jams, evil judgements and objectives (FS-GAM-1 to FS-GAM-5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shared.campaign import tables
from shared.campaign.dice import Thrown, read_throw
from shared.campaign.group import faults_of_armor, faults_of_carriers, faults_of_ratio
from shared.campaign.roster import Group, Item, Member, crippled_limbs, is_blind
from shared.campaign.tables import Objective, Rules, or_option
from shared.campaign.words import SHOOTING, CampaignEvent, ChoiceRefused, Events
from shared.refusals import Fault, expects


class RosterMustered(CampaignEvent, frozen=True):
    """A group named the members who play a game (FS-GAM-1).

    - `fielded`: ids of the members who play.
    - `game`: id of the game.
    """

    fielded: tuple[str, ...]
    game: str = ""


class WeaponJamRolled(CampaignEvent, frozen=True):
    """A jam roll was made for a ranged weapon for this game (FS-GAM-3).

    - `item`: id of the weapon.
    - `jammed`: true if the weapon does not work in this game.
    - `roll`: id of the roll.
    """

    item: str
    jammed: bool
    roll: str


class EvilJudged(CampaignEvent, frozen=True):
    """A group rolled whether a rival counts as evil in this game (FS-GAM-4).

    - `rival`: id of the rival group.
    - `evil`: true if the rival counts as evil.
    - `roll`: id of the roll.
    """

    rival: str
    evil: bool
    roll: str


class ObjectiveRolled(CampaignEvent, frozen=True):
    """A group rolled its objective for this game (FS-GAM-5).

    - `objective`: key of the objective.
    - `roll`: id of the roll.
    """

    objective: str
    roll: str


def cannot_be_fielded(rules: Rules, group: Group, member: Member) -> Iterator[Fault]:
    """Yield a fault for each reason why a member must stay at home (FS-GAM-1, FS-AMB-5, FS-AMB-27)."""
    where = f"/members/{member.id}"
    if is_blind(rules, member):
        yield Fault(where, "0", expects("good-eye"), "FS-GAM-1")
    legs = crippled_limbs(rules, member, "leg")
    if legs >= 2 and rules.options.two_crippled_legs == "cannot_take_part":
        expected = or_option(expects("at-most", most=1), "fs.injury.two_crippled_legs=no_extra")
        yield Fault(where, f"{legs}", expected, "FS-GAM-1")
    if member.away:
        yield Fault(where, member.id, expects("member-not-in-jail"), "FS-GAM-1")
    yield from faults_of_armor(rules, group, member)


def muster(rules: Rules, group: Group, fielded: Sequence[str]) -> RosterMustered:
    """Return the muster of these members. Raise ChoiceRefused with every fault (FS-GAM-1, FS-GAM-2)."""
    faults = []
    for index, id in enumerate(fielded):
        member = group.member(id)
        if member is None:
            faults.append(Fault(f"/fielded/{index}", id, expects("living-member"), "FS-GAM-1"))
        elif id in fielded[:index]:
            faults.append(Fault(f"/fielded/{index}", id, expects("each-member-of-group-once"), "FS-GAM-1"))
        else:
            faults += cannot_be_fielded(rules, group, member)
    faults += faults_of_carriers(rules, group, fielded)
    if rules.options.big_gun_ratio == "checked_each_muster":
        faults += faults_of_ratio(rules, group, fielded)
    if faults:
        raise ChoiceRefused("not all of these members can be fielded", faults)
    return RosterMustered(tuple(fielded))


def jam_rolls_due(rules: Rules, group: Group, fielded: Sequence[str]) -> list[Item]:
    """Return the ranged weapons that need a jam roll, in the order of the item list (FS-GAM-3)."""
    if not rules.forces[group.force].special.jams:
        return []
    return [item for item in group.items if item.holder in fielded and rules.goods[item.good].kind in SHOOTING]


def roll_jam(rules: Rules, group: Group, fielded: Sequence[str], item: str, throw: Thrown) -> Events:
    """Return the jam roll of a weapon and its outcome (FS-GAM-3). Raise ChoiceRefused or DiceRefused."""
    if item not in [due.id for due in jam_rolls_due(rules, group, fielded)]:
        fault = Fault("/item", item or "nothing", expects("neglected-ranged-weapon"), "FS-GAM-3")
        raise ChoiceRefused(f"no die is rolled for {item}", [fault])
    rolled = read_throw(throw, "1D12", "FS-GAM-3")
    return [rolled, WeaponJamRolled(item, rolled.total >= rules.core.jam, rolled.roll)]


def judges(rules: Rules, group: Group, rival: Group) -> bool:
    """Return True if a die decides whether the rival is evil in this game (FS-GAM-4)."""
    return rival.force in rules.forces[group.force].special.judges


def judge_evil(rules: Rules, group: Group, rival: Group, throw: Thrown) -> Events:
    """Return the roll by which one force judges another, and its outcome (FS-GAM-4).

    Raises ChoiceRefused or DiceRefused.
    """
    special = rules.forces[group.force].special
    if not judges(rules, group, rival):
        own_force, rival_force = rules.forces[group.force].name, rules.forces[rival.force].name
        fault = Fault("/rival", rival_force, tables.one_of(tables.forces(rules), special.judges), "FS-GAM-4")
        raise ChoiceRefused(f"{own_force} judge nobody of {rival_force}", [fault])
    rolled = read_throw(throw, "1D12", "FS-GAM-4")
    return [rolled, EvilJudged(rival.id, rolled.total <= special.evil_until, rolled.roll)]


def is_evil(rules: Rules, group: Group, *, judged: bool = False) -> bool:
    """Return True if a group counts as evil, by its force or as judged for this game (FS-GAM-4)."""
    return rules.forces[group.force].special.evil or judged


def objective_by(rules: Rules, face: int) -> Objective:
    """Return the objective for a face of the D12 (FS-GAM-5)."""
    return next(row for row in rules.objectives if row.least <= face <= row.most)


def roll_objective(rules: Rules, throw: Thrown) -> Events:
    """Return the objective roll and its outcome (FS-GAM-5). Raises DiceRefused."""
    rolled = read_throw(throw, "1D12", "FS-GAM-5", table="objectives", rows=rules.objectives)
    return [rolled, ObjectiveRolled(objective_by(rules, rolled.total).objective, rolled.roll)]
