"""Step 1b: the reward of the objective (FS-GAM-10), turfs (FS-TRF-1, FS-TRF-2), with their choices.

A reward that was won is not lost without a word: a reward that needs neither dice nor a choice happens when the step
closes; any other is claimed or forgone before. FS-AMB-33, FS-AMB-46.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from shared.campaign import tables
from shared.campaign.dice import (
    GUESS,
    NATIVE,
    DiceSource,
    Die,
    DieRolled,
    RollPurpose,
    Throw,
    dice_or_nothing,
    faces_of,
    parse_formula,
    read_throw,
)
from shared.campaign.experience import raise_to_next_level
from shared.campaign.facts import name_of_rival, rival_by_name
from shared.campaign.group import faults_of_ratio, faults_of_size, new_member
from shared.campaign.muster import objective_by
from shared.campaign.outcomes import (
    CapsMoved,
    InjuryHealed,
    MemberJoined,
    RewardClaimed,
    RewardForgone,
    TurfGained,
    TurfLost,
)
from shared.campaign.roster import Group, OwnedTurf, Phase
from shared.campaign.steps import (
    Arguments,
    Choice,
    DecisionBuilder,
    DecisionContext,
    Nothing,
    faults_of_absence,
    gain,
    in_step,
    known_member,
    require,
)
from shared.campaign.tables import Objective, Rules, Turf, option_set
from shared.campaign.words import WEAPONS, ChoiceRefused, Events
from shared.refusals import Fault, expects, one_of
from shared.rules.model import Draws, draw_lots


def turf_of(rules: Rules, key: str) -> Turf:
    """The table's entry for a kind of turf."""
    return next(turf for turf in rules.turfs if turf.turf == key)


def roll_turf(rules: Rules, group: Group, thrown: Throw, clause: str = "FS-TRF-1") -> Events:
    """A turf found by 2D12; duplicates are kept.

    Raises DiceRefused, or ChoiceRefused for a fourth turf before the first game.
    """
    start = rules.core.starting_turfs
    if group.phase is None and len(group.turfs) >= start:
        fault = Fault("/turfs", f"{len(group.turfs)}", expects("starting-turfs", number=start), "FS-TRF-1")
        raise ChoiceRefused("the group has its starting turfs", [fault])
    rolled = read_throw(thrown, "2D12", clause, table="turfs", rows=rules.turfs)
    found = next(turf for turf in rules.turfs if turf.least <= rolled.total <= turf.most)
    return [rolled, TurfGained(OwnedTurf(f"t-{group.serial + 1}", found.turf), clause, rolled.roll)]


def take_turf(rules: Rules, winner: Group, loser: Group, turf: str) -> Events:
    """The winner takes a turf of the loser: what happens to each. FS-AMB-33. Raises ChoiceRefused."""
    taken = next((owned for owned in loser.turfs if owned.id == turf), None)
    if rules.options.turf_gain != "winner_takes_losers" or taken is None:
        said = "turfs are not taken here" if taken else f"no turf {turf!r}"
        raise ChoiceRefused(said, [Fault("/turf", turf or "nothing", expects("turf-of-loser"), "FS-AMB-33")])
    gained = TurfGained(OwnedTurf(f"t-{winner.serial + 1}", taken.turf), "FS-AMB-33")
    return [gained, TurfLost(turf, "FS-AMB-33", group=loser.id)]


class Yield(Struct, frozen=True):
    """What a visit's dice yield: caps, clean food, and an item by equal dice."""

    rolls: tuple[DieRolled, ...]
    caps: int = 0
    food: int = 0
    item: str = ""


def expressions(turf: Turf) -> list[str]:
    """The dice that a visit asks for, in order: caps, then food. A plain number asks for none."""
    return [text for text in (turf.caps, turf.food) if text and not text.isdecimal()]


def visit_yield(rules: Rules, turf: Turf, throws: Sequence[Throw], member: str) -> Yield:
    """What a visit yields, dice summed first unless the organiser reads the text as arithmetic. FS-TRF-2, FS-AMB-29.

    throws: one for each of `expressions(turf)`. Raises DiceRefused or ChoiceRefused.
    """
    asked = expressions(turf)
    if len(throws) != len(asked):
        expected = expects("value", value=list(asked)) if asked else expects("nothing")
        fault = Fault("/rolls", f"{len(throws)}", expected, "FS-TRF-2")
        raise ChoiceRefused(f"{turf.name} asks for {len(asked)} rolls", [fault])
    arithmetic = rules.options.turf_formula == "arithmetic"
    rolls = {
        text: read_throw(thrown, text, "FS-TRF-2", member=member, arithmetic=arithmetic)
        for text, thrown in zip(asked, throws, strict=True)
    }
    caps = rolls[turf.caps].total if turf.caps in rolls else int(turf.caps or 0)
    food = rolls[turf.food].total if turf.food in rolls else int(turf.food or 0)
    double = turf.feature.double and len(set(rolls[turf.caps].derived)) == 1
    return Yield(tuple(rolls.values()), caps, food, turf.feature.double if double else "")


REWARD_CLAUSE = "FS-GAM-10"


class Claim(Struct, frozen=True, omit_defaults=True):
    """What the owner chooses with a reward, and the dice where it asks for some."""

    member: str = ""
    injury: str = ""
    good: str = ""
    roll: Throw | None = None


def reward_dice(rules: Rules, group: Group) -> str:
    """The dice that the reward asks for; empty where it asks for none."""
    phase = in_step(group, "1b")
    amount = _objective(rules, phase).reward.amount
    return "" if amount.isdecimal() else amount


def claim_reward(rules: Rules, group: Group, claim: Claim, draws: Draws) -> Events:
    """The reward of the objective that the group rolled, for the winner or in a good draw; once.

    Raises StepRefused, ChoiceRefused or DiceRefused. Source: FS-GAM-10.
    """
    objective = _objective(rules, _due(group))
    builder = DecisionBuilder(group)
    amount = objective.reward.amount
    if amount.isdecimal():
        fault = Fault("/roll", faces_of(claim.roll), expects("nothing"), REWARD_CLAUSE)
        require([fault] if claim.roll else [], "this reward asks for no dice")
        gift = Gift(objective, claim, int(amount), "", draws)
    else:
        fault = Fault("/roll", "nothing", dice_or_nothing(amount), REWARD_CLAUSE)
        require([] if claim.roll else [fault], f"this reward asks for {amount}")
        assert claim.roll is not None
        rolled = read_throw(claim.roll, amount, REWARD_CLAUSE)
        builder.record(rolled)
        gift = Gift(objective, claim, rolled.total, rolled.roll, draws)
    _GIVE[objective.reward.kind](rules, builder, gift)
    return builder.events


def forgo_reward(rules: Rules, group: Group) -> Events:
    """The reward that was won is left where it is, on record. Raises StepRefused or ChoiceRefused. FS-GAM-10."""
    return [RewardForgone(_objective(rules, _due(group)).objective)]


def settle_reward(rules: Rules, builder: DecisionBuilder, draws: Draws) -> None:
    """What becomes of a reward that nobody has claimed when the step closes.

    One that there is only one way to take, without dice, is taken; one that nobody can take is forgone. Raises
    ChoiceRefused for any other: it waits for its owner. Source: FS-GAM-10.
    """
    if builder.phase.rewarded or not builder.phase.played.reward:
        return
    objective, possible = _objective(rules, builder.phase), _possible(rules, builder.group)
    if not possible:
        builder.record(RewardForgone(objective.objective, "impossible"))
        return
    waiting = Fault("/reward", objective.objective, one_of(["claim_reward", "forgo_reward"]), REWARD_CLAUSE)
    require([waiting] if len(possible) > 1 or possible[0].roll else [], "a reward waits for its owner")
    builder.record(*claim_reward(rules, builder.group, possible[0], draws))


def claim_for_absent(rules: Rules, builder: DecisionBuilder, dice_source: DiceSource) -> None:
    """The reward of somebody who is away: the first way to take it, with dice of the service. FS-GAM-10, FS-PGP-5."""
    if builder.phase.rewarded or not builder.phase.played.reward:
        return
    for claim in _possible(rules, builder.group)[:1]:
        dice = reward_dice(rules, builder.group)
        made = replace(
            claim,
            roll=dice_source.drawn_by_service(dice, RollPurpose(builder.group.id, REWARD_CLAUSE)) if dice else None,
        )
        try:
            builder.record(*claim_reward(rules, builder.group, made, dice_source.draws))
        except ChoiceRefused:  # what the dice give may be more than the group can take
            builder.record(RewardForgone(_objective(rules, builder.phase).objective, "impossible"))


def claims_of(rules: Rules, group: Group) -> Iterator[Claim]:
    """Every way to claim the reward, possible or not, with dice to try it on."""
    phase = in_step(group, "1b")
    reward, dice = _objective(rules, phase).reward, reward_dice(rules, group)
    roll = Throw("", tuple(Die(NATIVE, 1) for _ in range(parse_formula(dice).count))) if dice else None
    if reward.kind == "heal_injury":
        for member in group.members:
            for injury in member.injuries:
                yield Claim(member.id, injury)
    elif reward.kind in ("own_weapon", "items"):
        for good in (rules.forces[group.force].goods if reward.kind == "own_weapon" else ()) or reward.goods:
            yield Claim(good=good, roll=roll)
    else:
        yield Claim(roll=roll)


def _possible(rules: Rules, group: Group) -> list[Claim]:
    """The ways to claim the reward that the group can go."""
    found = []
    for claim in claims_of(rules, group):
        with suppress(ChoiceRefused):
            claim_reward(rules, group, claim, GUESS)
            found.append(claim)
    return found


def _due(group: Group) -> Phase:
    """The phase of a group whose reward waits. Raises StepRefused or ChoiceRefused."""
    phase = in_step(group, "1b")
    detail = "the reward was settled already" if phase.rewarded else "the reward was not won"
    fault = Fault("/reward", "settled" if phase.rewarded else "nothing", expects("own-reward-once"), REWARD_CLAUSE)
    require([fault] if phase.rewarded or not phase.played.reward else [], detail)
    return phase


def claim_turf(rules: Rules, group: Group, thrown: Throw) -> Events:
    """A new turf for the winner, where the organiser gives one. Raises StepRefused, ChoiceRefused. FS-AMB-33."""
    phase = in_step(group, "1b")
    legal = rules.options.turf_gain == "winner_rolls_new" and phase.played.ending == "win" and not phase.turf_gained
    expected = expects("winner-with-option", option=option_set("fs.turf.gain=winner_rolls_new"))
    fault = Fault("/turf", "nothing", expected, "FS-AMB-33")
    require([] if legal else [fault], "no turf is won here")
    return roll_turf(rules, group, thrown, "FS-AMB-33")


def _objective(rules: Rules, phase: Phase) -> Objective:
    return objective_by(rules, phase.played.side.objective)


class Gift(Struct, frozen=True):
    """A reward as it is given: what the objective says, what the owner chose, how much, and the roll that made it."""

    objective: Objective
    claim: Claim
    amount: int
    roll: str
    draws: Draws


Give = Callable[[Rules, DecisionBuilder, Gift], None]


def _caps(rules: Rules, builder: DecisionBuilder, gift: Gift) -> None:
    builder.record(
        RewardClaimed(gift.objective.objective, gift.roll),
        CapsMoved(gift.amount, "objective", REWARD_CLAUSE, gift.roll),
    )


def _heal(rules: Rules, builder: DecisionBuilder, gift: Gift) -> None:
    require(faults_of_absence(builder.group, gift.claim.member), "this member is not here")
    found = known_member(builder.group, gift.claim.member, REWARD_CLAUSE)
    fault = Fault(
        "/injury", gift.claim.injury or "nothing", tables.one_of(tables.injuries(rules), found.injuries), REWARD_CLAUSE
    )
    require([] if gift.claim.injury in found.injuries else [fault], "the member has no such injury")
    builder.record(
        RewardClaimed(gift.objective.objective), InjuryHealed(gift.claim.member, gift.claim.injury, REWARD_CLAUSE)
    )


def _level(rules: Rules, builder: DecisionBuilder, gift: Gift) -> None:
    """A random member below the last level. FS-DICE-4, FS-XP-6."""
    last = rules.advancement.levels[-1].level
    may = [member.id for member in builder.group.members if member.level < last and not member.away]
    fault = Fault("/member", "nothing", expects("member-below-last-level"), "FS-XP-6")
    require([] if may else [fault], "nobody can gain")
    order = draw_lots(gift.draws, f"level of {builder.group.id}", builder.phase.round, may)
    builder.record(RewardClaimed(gift.objective.objective, drawn=tuple(order)))
    builder.record(*raise_to_next_level(rules, builder.group, builder.member(order[0])))


def _later(rules: Rules, builder: DecisionBuilder, gift: Gift) -> None:
    half = gift.objective.reward.kind == "half_maintenance"
    builder.record(RewardClaimed(gift.objective.objective, half_maintenance=half, finds=0 if half else gift.amount))


def _own_weapon(rules: Rules, builder: DecisionBuilder, gift: Gift) -> None:
    listed = [good for good in rules.forces[builder.group.force].goods if rules.goods[good].kind in WEAPONS]
    _goods(rules, builder, gift, gift.claim.good, listed, gift.amount)


def _items(rules: Rules, builder: DecisionBuilder, gift: Gift) -> None:
    listed = list(gift.objective.reward.goods)
    _goods(rules, builder, gift, gift.claim.good or (listed[0] if len(listed) == 1 else ""), listed, gift.amount)


def _merchant_item(rules: Rules, builder: DecisionBuilder, gift: Gift) -> None:
    good = rules.merchants[gift.objective.reward.merchant].goods[gift.amount - 1].item
    _goods(rules, builder, gift, good, [good], 1)


def _recruit(rules: Rules, builder: DecisionBuilder, gift: Gift) -> None:
    require(faults_of_size(rules, builder.group, 1), "the group is full")
    joining = new_member(rules, builder.group.serial + 1, "green")
    builder.record(RewardClaimed(gift.objective.objective), MemberJoined(joining, "objective", REWARD_CLAUSE))


def _goods(rules: Rules, builder: DecisionBuilder, gift: Gift, good: str, listed: list[str], amount: int) -> None:
    fault = Fault("/good", good or "nothing", tables.one_of(tables.goods(rules), listed), REWARD_CLAUSE)
    require([] if good in listed else [fault], "the reward is something else")
    builder.record(RewardClaimed(gift.objective.objective, gift.roll))
    builder.record(*gain(builder.group, [good] * amount, "objective", REWARD_CLAUSE, gift.roll))
    if rules.options.big_gun_ratio == "checked_on_purchase":
        require(faults_of_ratio(rules, builder.group, [*builder.group.ids, ""]), "the group has enough Big Guns")


_GIVE: Mapping[str, Give] = {
    "caps": _caps,
    "heal_injury": _heal,
    "gain_level": _level,
    "half_maintenance": _later,
    "own_weapon": _own_weapon,
    "items": _items,
    "merchant_item": _merchant_item,
    "recruit": _recruit,
    "scavenge": _later,
}


class Reward(Struct, frozen=True, forbid_unknown_fields=True):
    """What the owner chooses with a reward. objective, reward: which it is, said for the reader alone."""

    member: str = ""
    injury: str = ""
    good: str = ""
    objective: str = ""
    reward: str = ""


class OfTurf(Struct, frozen=True, forbid_unknown_fields=True):
    """A turf, by id; of a rival as GROUP/TURF where several groups were rivals."""

    turf: str


def _claim(context: DecisionContext, args: Reward) -> Events:
    dice = reward_dice(context.rules, context.group)
    claim = Claim(args.member, args.injury, args.good, context.roll(dice, REWARD_CLAUSE) if dice else None)
    return claim_reward(context.rules, context.group, claim, context.draws)


def _claims(context: DecisionContext) -> Iterator[Arguments]:
    objective = objective_by(context.rules, context.phase.played.side.objective)
    for claim in claims_of(context.rules, context.group):
        chosen = {"member": claim.member, "injury": claim.injury, "good": claim.good}
        named = {name: value for name, value in chosen.items() if value}
        yield {"objective": objective.objective, "reward": objective.reward.kind, **named}


def _claim_turf(context: DecisionContext, args: Nothing) -> Events:
    return claim_turf(context.rules, context.group, context.roll("2D12", "FS-AMB-33"))


def _new_turfs(context: DecisionContext) -> Iterator[Arguments]:
    if context.rules.options.turf_gain == "winner_rolls_new":
        yield {}


def _take_turf(context: DecisionContext, args: OfTurf) -> Events:
    phase = in_step(context.group, "1b")
    legal = phase.played.ending == "win" and not phase.turf_gained and context.rivals
    fault = Fault("/turf", "nothing", expects("winner-once-after-game"), "FS-AMB-33")
    require([] if legal else [fault], "no turf is won here")
    loser, turf = rival_by_name(list(context.rivals_by_id), args.turf)
    wrong = Fault("/turf", args.turf, expects("turf-of-rival"), "FS-AMB-33")
    require([] if loser else [wrong], "this names no turf of a rival")
    return take_turf(context.rules, context.group, context.rivals_by_id[loser], turf)


def _turfs_of_rivals(context: DecisionContext) -> Iterator[Arguments]:
    if context.rules.options.turf_gain == "winner_takes_losers":
        for id, loser in context.rivals_by_id.items():
            yield from ({"turf": name_of_rival(list(context.rivals_by_id), id, owned.id)} for owned in loser.turfs)


REWARD_CHOICES = (
    Choice(
        "take_turf",
        OfTurf,
        _take_turf,
        ("1b",),
        _turfs_of_rivals,
    ),
    Choice("claim_reward", Reward, _claim, ("1b",), _claims),
    Choice("forgo_reward", Nothing, lambda context, args: forgo_reward(context.rules, context.group), ("1b",)),
    Choice("claim_turf", Nothing, _claim_turf, ("1b",), _new_turfs),
)
