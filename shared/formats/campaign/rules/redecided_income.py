"""Made again: what members find and visit, who eats, what is sold, and who is hired. FS-AUD-2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import Any

from shared.formats.campaign.rules import encounters, hunger, recruits, scavenging, upkeep, visits
from shared.formats.campaign.rules import income_outcomes as earned
from shared.formats.campaign.rules import trade_outcomes as traded
from shared.formats.campaign.rules.bartering import buy_from_list
from shared.formats.campaign.rules.dice import DieRolled, Thrown
from shared.formats.campaign.rules.injuries import jail_bounty
from shared.formats.campaign.rules.outcomes import MemberJoined, RadsChanged
from shared.formats.campaign.rules.post_game import organiser_entry
from shared.formats.campaign.rules.redecided import AuditContext, Way, Ways, as_thrown, thrown_first
from shared.formats.campaign.rules.redecided_trade import doctor_seen
from shared.formats.campaign.rules.turf import turf_of
from shared.formats.campaign.rules.words import CampaignEvent, Events


def _opened(scene: AuditContext, head: earned.ScavengingOpened) -> Iterator[Way]:
    yield lambda: scavenging.scavenge(
        scene.rules, scene.group, head.member, scene.rolls[0], good=head.good, free=head.free
    )


def _scavenged(scene: AuditContext, head: earned.ScavengingRolled) -> Iterator[Way]:
    """The second roll, if one is due, is the next one behind; a good that was chosen is what was gained by it."""
    phase, open = scene.group.phase, scavenging.open_find(scene.group, head.member)
    assert phase is not None
    face = open.face + head.shift if open else scene.rolls[0].dice[0].natural
    second: Thrown | None = None
    after: Sequence[CampaignEvent] = ()
    if scavenging.second_dice(scavenging.find_at(scene.rules, face), phase, head.member):
        after = list(dropwhile(lambda outcome: not isinstance(outcome, DieRolled), scene.rest))
        second = as_thrown(after[0]) if after and isinstance(after[0], DieRolled) else None
    if open:
        yield lambda: scavenging.shift_find(scene.rules, scene.group, head.member, head.shift, second)
        return
    good = next((found.item.good for found in after[1:2] if isinstance(found, earned.ItemGained)), "")
    yield lambda: scavenging.scavenge(
        scene.rules, scene.group, head.member, scene.rolls[0], second, good=good, free=head.free
    )


def _drawn(scene: AuditContext, head: earned.EncounterDrawn) -> Iterator[Way]:
    yield lambda: encounters.draw_encounter(scene.rules, scene.group, head.member, scene.seed)


def _encounter(scene: AuditContext, head: earned.EncounterResolved) -> Iterator[Way]:
    """As it was told; its dice are all that follow."""
    thrown = iter([as_thrown(roll) for roll in scene.rest if isinstance(roll, DieRolled)])

    def roll(expression: str) -> Thrown:
        return next(thrown, Thrown("", ()))

    searched = head.ending == "searched"
    meeting = encounters.Meeting(
        head.member,
        head.ending,
        head.met,
        0 if searched else head.number,
        head.wounds,
        head.kills,
        head.number if searched else 0,
        head.lost,
        head.down,
    )
    yield lambda: encounters.resolve_encounter(scene.rules, scene.group, meeting, roll)


def _visited(scene: AuditContext, head: earned.MemberActed) -> Iterator[Way]:
    """Which choice it was shows in what came of it; every one that there is is tried."""
    owned = next((owned for owned in scene.group.turfs if owned.id == head.target), None)
    throws = thrown_first(scene.rest)
    gained = next((found for found in scene.rest[: len(throws) + 2] if isinstance(found, earned.ItemGained)), None)
    goods = [gained.item.good] if gained else ["", *scene.rules.forces[scene.group.force].goods]
    known = visits.choices(scene.rules, scene.group, turf_of(scene.rules, owned.turf)) if owned else [""]
    for choice in known:
        for good in goods if choice in ("invention", "half_price_weapon") else [""]:

            def visit(choice: str = choice, good: str = good) -> Events:
                return visits.visit_turf(
                    scene.rules, scene.group, head.member, head.target, throws, choice=choice, good=good
                )

            yield visit


def _ate_own(scene: AuditContext, head: traded.CannibalFightResolved) -> Iterator[Way]:
    winner = head.fighter if head.won else head.victim
    for seed in (scene.pot, scene.seed):

        def eat(seed: str = seed) -> Events:
            return hunger.eat_own(scene.rules, scene.group, winner, seed)

        yield eat


def _feasted(scene: AuditContext, head: traded.MembersSated) -> Iterator[Way]:
    """On those of the rivals who died since the game, or whom it took down."""
    met = scene.group.phase.played.rivals if scene.group.phase else ()
    forces = {id: scene.groups[id].force for id in met if id in scene.groups}
    if forces:
        yield lambda: hunger.feast(scene.rules, scene.group, forces, scene.dead)


def _upkeep(scene: AuditContext, head: CampaignEvent) -> Iterator[Way]:
    """Who ate what, who was left out: as the outcomes say, up to the end of it."""
    rules, group = scene.rules, scene.group
    told: list[Any] = []
    for outcome in scene.told:
        told.append(outcome)
        if isinstance(outcome, earned.UpkeepPaid):
            break
    fed = {outcome.member: outcome.by for outcome in told if isinstance(outcome, earned.MemberFed)}
    hungry = tuple(outcome.member for outcome in told if isinstance(outcome, earned.MemberWentHungry))
    neglected = tuple(outcome.member for outcome in told if isinstance(outcome, earned.EquipmentNeglected))
    eaten = {
        kind: -sum(
            outcome.amount
            for outcome in told
            if isinstance(outcome, earned.FoodMoved) and outcome.food == kind and outcome.reason == "eaten"
        )
        for kind in ("clean", "radiated")
    }
    appetite = rules.forces[group.force].special.appetite
    radiated = {id: _units(scene, told, id) for id, by in fed.items() if by == "radiated"}
    left = eaten["radiated"] - sum(radiated.values())
    for id in radiated:
        if rules.options.radiated_food == "per_eater":
            more = max(0, min(appetite - radiated[id], left))
            radiated[id] += more
            left -= more
    eaters = sum(by != "table" for by in fed.values())
    served = (sum(eaten.values()) - appetite * eaters) // rules.core.centaur_food if group.centaurs else 0
    choice = upkeep.Upkeep(
        tuple(id for id, by in fed.items() if by == "table"), radiated, hungry, neglected, left, group.centaurs - served
    )
    yield lambda: upkeep.settle_upkeep(rules, group, choice, scene.seed)


def _units(scene: AuditContext, told: Sequence[CampaignEvent], member: str) -> int:
    """Units of radiated food that a member ate: as its rads say where each unit is one, else one at least."""
    if scene.rules.options.radiated_food == "per_eater":
        return 1
    changed = (outcome for outcome in told if isinstance(outcome, RadsChanged) and outcome.member == member)
    return next((outcome.amount for outcome in changed), 1)


def _pool(scene: AuditContext, head: traded.RecruitPoolRolled) -> Iterator[Way]:
    throws = dict(zip(sorted(scene.recruiting), scene.rolls, strict=False))
    yield lambda: recruits.open_recruits(scene.rules, scene.recruiting, throws, scene.seed, scene.round)[0]


def _hired(scene: AuditContext) -> Iterator[Way]:
    pool, joined = scene.pool, scene.next(MemberJoined)
    if pool is not None and joined is not None:
        recruit = next((known.id for known in pool.recruits if known.roll == joined.roll), "")
        yield lambda: recruits.hire(scene.rules, scene.group, pool, recruit)[0]


def _passed(scene: AuditContext, head: traded.RecruitTurnPassed) -> Iterator[Way]:
    pool = scene.pool
    if pool is not None:
        yield lambda: recruits.end_turn(scene.group, pool)[0]


def _entry(scene: AuditContext, head: Any) -> Iterator[Way]:
    """An entry of caps, food or goods, by its clause and reason."""
    match head.clause, head.reason:
        case "FS-UPK-1" | "FS-UPK-2", "food" | "bought" | "eaten" | "maintenance":
            yield from _upkeep(scene, head)
        case "FS-UPK-2", "sold":
            yield lambda: upkeep.sell_food(scene.rules, scene.group, head.food, -head.amount)
        case "FS-REC-2", _:
            yield from _hired(scene)
        case "FS-FRC-3", _:
            gained = head if isinstance(head, earned.ItemGained) else scene.next(earned.ItemGained)
            if gained is not None:
                yield lambda: buy_from_list(scene.rules, scene.group, gained.item.good)
        case "FS-DOC-1", _:
            yield from doctor_seen(scene)
        case "FS-INJ-5", _ if scene.jailed.get(head.roll) == scene.group.id:
            yield lambda: [jail_bounty(scene.rules, scene.group, head.roll)]
        case "FS-AMB-2" | "FS-AMB-30", _:
            caps = head.amount if isinstance(head, earned.CapsMoved) else 0
            entries = [head, *scene.rest]
            goods = tuple(one.item.good for one in entries if isinstance(one, earned.ItemGained))
            yield lambda: organiser_entry(scene.rules, scene.group, caps, goods, head.reason)


OF_INCOME: Mapping[type[Any], Ways] = {
    earned.ScavengingOpened: _opened,
    earned.ScavengingRolled: _scavenged,
    earned.EncounterDrawn: _drawn,
    earned.EncounterResolved: _encounter,
    earned.MemberActed: _visited,
    traded.CannibalFightResolved: _ate_own,
    traded.MembersSated: _feasted,
    earned.EquipmentMaintained: _upkeep,
    earned.EquipmentNeglected: _upkeep,
    earned.UpkeepPaid: _upkeep,
    traded.RecruitPoolRolled: _pool,
    traded.RecruitTurnPassed: _passed,
    earned.CapsMoved: _entry,
    earned.FoodMoved: _entry,
    earned.ItemGained: _entry,
}
"""Kind of head -> how its decision is made again."""
