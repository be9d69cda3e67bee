"""Step 1b: the reward of the objective (FS-GAM-10) and turfs (FS-TRF-1, FS-TRF-2), with their choices.

A reward that needs neither dice nor a choice is given when the step closes. Any other reward must be claimed or forgone
first (FS-AMB-33, FS-AMB-46).
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
    Thrown,
    dice_or_nothing,
    faces_of,
    parse_formula,
    read_throw,
)
from shared.campaign.experience import raise_to_next_level
from shared.campaign.facts import name_of_rival, rival_by_name
from shared.campaign.group import faults_of_ratio, faults_of_size, new_member
from shared.campaign.muster import objective_by
from shared.campaign.outcomes import InjuryHealed, MemberJoined, RewardClaimed, RewardForgone, TurfGained, TurfLost
from shared.campaign.post_game_outcomes import CapsMoved
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
    leaves,
    require,
)
from shared.campaign.tables import Objective, Rules, Turf, option_set
from shared.campaign.words import WEAPONS, ChoiceRefused, Events
from shared.refusals import Fault, expects, one_of
from shared.rules.model import Draws, draw_lots


def turf_of(rules: Rules, key: str) -> Turf:
    """Return the table row of a kind of turf."""
    return next(turf for turf in rules.turfs if turf.turf == key)


def roll_turf(rules: Rules, group: Group, throw: Thrown, clause: str = "FS-TRF-1") -> Events:
    """Roll a turf with 2D12. A group may have the same kind twice.

    Raises DiceRefused, or ChoiceRefused for more than the starting turfs before the first game.
    """
    start = rules.core.starting_turfs
    if group.phase is None and len(group.turfs) >= start:
        fault = Fault("/turfs", f"{len(group.turfs)}", expects("starting-turfs", number=start), "FS-TRF-1")
        raise ChoiceRefused("the group has its starting turfs", [fault])
    rolled = read_throw(throw, "2D12", clause, table="turfs", rows=rules.turfs)
    row = next(turf for turf in rules.turfs if turf.least <= rolled.total <= turf.most)
    return [rolled, TurfGained(OwnedTurf(f"t-{group.serial + 1}", row.turf), clause, rolled.roll)]


def take_turf(rules: Rules, winner: Group, loser: Group, turf: str) -> Events:
    """Move a turf from the loser to the winner (FS-AMB-33). Raises ChoiceRefused."""
    taken = next((owned for owned in loser.turfs if owned.id == turf), None)
    if rules.options.turf_gain != "winner_takes_losers" or taken is None:
        detail = "turfs are not taken here" if taken else f"no turf {turf!r}"
        raise ChoiceRefused(detail, [Fault("/turf", turf or "nothing", expects("turf-of-loser"), "FS-AMB-33")])
    gained = TurfGained(OwnedTurf(f"t-{winner.serial + 1}", taken.turf), "FS-AMB-33")
    return [gained, TurfLost(turf, "FS-AMB-33", group=loser.id)]


class Yield(Struct, frozen=True):
    """The yield of a visit: caps, clean food, and an item found by equal dice."""

    rolls: tuple[DieRolled, ...]
    caps: int = 0
    food: int = 0
    item: str = ""


def visit_dice(turf: Turf) -> list[str]:
    """Return the dice of a visit: for caps, then for food. A plain number needs no dice."""
    return [text for text in (turf.caps, turf.food) if text and not text.isdecimal()]


def visit_yield(rules: Rules, turf: Turf, throws: Sequence[Thrown], member: str) -> Yield:
    """Return the yield of a visit (FS-TRF-2).

    The dice are added up first, unless `fs.turf.formula=arithmetic` (FS-AMB-29).
    throws: one for each entry of `visit_dice(turf)`.
    Raises DiceRefused or ChoiceRefused.
    """
    dice = visit_dice(turf)
    if len(throws) != len(dice):
        expected = expects("value", value=list(dice)) if dice else expects("nothing")
        fault = Fault("/rolls", f"{len(throws)}", expected, "FS-TRF-2")
        raise ChoiceRefused(f"{turf.name} asks for {len(dice)} rolls", [fault])
    arithmetic = rules.options.turf_formula == "arithmetic"
    rolls = {
        text: read_throw(throw, text, "FS-TRF-2", member=member, arithmetic=arithmetic)
        for text, throw in zip(dice, throws, strict=True)
    }
    caps = rolls[turf.caps].total if turf.caps in rolls else int(turf.caps or 0)
    food = rolls[turf.food].total if turf.food in rolls else int(turf.food or 0)
    double = turf.feature.double and len(set(rolls[turf.caps].derived)) == 1
    return Yield(tuple(rolls.values()), caps, food, turf.feature.double if double else "")


REWARD_CLAUSE = "FS-GAM-10"


class Claim(Struct, frozen=True, omit_defaults=True):
    """The owner's choices for a reward, and its roll if it needs one."""

    member: str = ""
    injury: str = ""
    good: str = ""
    roll: Thrown | None = None


def reward_dice(rules: Rules, group: Group) -> str:
    """Return the dice of the reward; empty if it needs none."""
    phase = in_step(group, "1b")
    amount = _objective(rules, phase).reward.amount
    return "" if amount.isdecimal() else amount


def claim_reward(rules: Rules, group: Group, claim: Claim, draws: Draws) -> Events:
    """Give the reward of the group's objective, for a win or a draw with enough points, once (FS-GAM-10).

    Raises StepRefused, ChoiceRefused or DiceRefused.
    """
    objective = _objective(rules, _phase_with_reward(group))
    builder = DecisionBuilder(group)
    amount = objective.reward.amount
    if amount.isdecimal():
        fault = Fault("/roll", faces_of(claim.roll), expects("nothing"), REWARD_CLAUSE)
        require([fault] if claim.roll else [], "this reward asks for no dice")
        reward = RewardInProgress(objective, claim, int(amount), "", draws)
    else:
        fault = Fault("/roll", "nothing", dice_or_nothing(amount), REWARD_CLAUSE)
        require([] if claim.roll else [fault], f"this reward asks for {amount}")
        assert claim.roll is not None
        rolled = read_throw(claim.roll, amount, REWARD_CLAUSE)
        builder.record(rolled)
        reward = RewardInProgress(objective, claim, rolled.total, rolled.roll, draws)
    _REWARD_RULES[objective.reward.kind](rules, builder, reward)
    return builder.events


def forgo_reward(rules: Rules, group: Group) -> Events:
    """Record that the group does not take its reward (FS-GAM-10). Raise StepRefused or ChoiceRefused."""
    return [RewardForgone(_objective(rules, _phase_with_reward(group)).objective)]


def settle_reward(rules: Rules, builder: DecisionBuilder, draws: Draws) -> None:
    """Settle an unclaimed reward when the step closes (FS-GAM-10).

    A reward with a single way to take it and no dice is given. A reward that the group cannot take is forgone. Any
    other raises ChoiceRefused: its owner must decide.
    """
    if builder.phase.rewarded or not builder.phase.played.reward:
        return
    objective, possible = _objective(rules, builder.phase), _possible_claims(rules, builder.group)
    if not possible:
        builder.record(RewardForgone(objective.objective, "impossible"))
        return
    waiting = Fault("/reward", objective.objective, one_of(["claim_reward", "forgo_reward"]), REWARD_CLAUSE)
    require([waiting] if len(possible) > 1 or possible[0].roll else [], "a reward waits for its owner")
    builder.record(*claim_reward(rules, builder.group, possible[0], draws))


def claim_for_absent(rules: Rules, builder: DecisionBuilder, dice_source: DiceSource) -> None:
    """Claim the reward of an absent player with dice drawn by the service (FS-GAM-10, FS-PGP-5).

    The first possible way is taken; if there is none, nothing is claimed.
    """
    if builder.phase.rewarded or not builder.phase.played.reward:
        return
    for claim in _possible_claims(rules, builder.group)[:1]:
        dice = reward_dice(rules, builder.group)
        prepared = replace(
            claim,
            roll=dice_source.drawn_by_service(dice, RollPurpose(builder.group.id, REWARD_CLAUSE)) if dice else None,
        )
        try:
            builder.record(*claim_reward(rules, builder.group, prepared, dice_source.draws))
        except ChoiceRefused:  # the dice may give more than the group can hold
            builder.record(RewardForgone(_objective(rules, builder.phase).objective, "impossible"))


def claims_of(rules: Rules, group: Group) -> Iterator[Claim]:
    """Yield every way to claim the reward, possible or not, with sample dice."""
    phase = in_step(group, "1b")
    reward, dice = _objective(rules, phase).reward, reward_dice(rules, group)
    roll = Thrown("", tuple(Die(NATIVE, 1) for _ in range(parse_formula(dice).count))) if dice else None
    if reward.kind == "heal_injury":
        for member in group.members:
            for injury in member.injuries:
                yield Claim(member.id, injury)
    elif reward.kind in ("own_weapon", "items"):
        for good in (rules.forces[group.force].goods if reward.kind == "own_weapon" else ()) or reward.goods:
            yield Claim(good=good, roll=roll)
    else:
        yield Claim(roll=roll)


def _possible_claims(rules: Rules, group: Group) -> list[Claim]:
    """Return the ways in which the group can claim the reward."""
    claims = []
    for claim in claims_of(rules, group):
        with suppress(ChoiceRefused):
            claim_reward(rules, group, claim, GUESS)
            claims.append(claim)
    return claims


def _phase_with_reward(group: Group) -> Phase:
    """Return the phase of a group whose reward is unsettled. Raise StepRefused or ChoiceRefused."""
    phase = in_step(group, "1b")
    detail = "the reward was settled already" if phase.rewarded else "the reward was not won"
    fault = Fault("/reward", "settled" if phase.rewarded else "nothing", expects("own-reward-once"), REWARD_CLAUSE)
    require([fault] if phase.rewarded or not phase.played.reward else [], detail)
    return phase


def claim_turf(rules: Rules, group: Group, throw: Thrown) -> Events:
    """Roll a new turf for the winner, under `fs.turf.gain=winner_rolls_new` (FS-AMB-33).

    Raises StepRefused or ChoiceRefused.
    """
    phase = in_step(group, "1b")
    legal = rules.options.turf_gain == "winner_rolls_new" and phase.played.ending == "win" and not phase.turf_gained
    expected = expects("winner-with-option", option=option_set("fs.turf.gain=winner_rolls_new"))
    fault = Fault("/turf", "nothing", expected, "FS-AMB-33")
    require([] if legal else [fault], "no turf is won here")
    return roll_turf(rules, group, throw, "FS-AMB-33")


def _objective(rules: Rules, phase: Phase) -> Objective:
    return objective_by(rules, phase.played.side.objective)


class RewardInProgress(Struct, frozen=True):
    """A reward in progress: the objective, the owner's choices, the amount and the roll behind it."""

    objective: Objective
    claim: Claim
    amount: int
    roll: str
    draws: Draws


RewardRule = Callable[[Rules, DecisionBuilder, RewardInProgress], None]


def _caps(rules: Rules, builder: DecisionBuilder, reward: RewardInProgress) -> None:
    builder.record(
        RewardClaimed(reward.objective.objective, reward.roll),
        CapsMoved(reward.amount, "objective", REWARD_CLAUSE, reward.roll),
    )


def _heal(rules: Rules, builder: DecisionBuilder, reward: RewardInProgress) -> None:
    require(faults_of_absence(builder.group, reward.claim.member), "this member is not here")
    member = known_member(builder.group, reward.claim.member, REWARD_CLAUSE)
    fault = Fault(
        "/injury",
        reward.claim.injury or "nothing",
        tables.one_of(tables.injuries(rules), member.injuries),
        REWARD_CLAUSE,
    )
    require([] if reward.claim.injury in member.injuries else [fault], "the member has no such injury")
    builder.record(
        RewardClaimed(reward.objective.objective), InjuryHealed(reward.claim.member, reward.claim.injury, REWARD_CLAUSE)
    )


def _level(rules: Rules, builder: DecisionBuilder, reward: RewardInProgress) -> None:
    """Raise a random member below the last level (FS-DICE-4, FS-XP-6)."""
    last = rules.advancement.levels[-1].level
    candidates = [member.id for member in builder.group.members if member.level < last and not member.away]
    fault = Fault("/member", "nothing", expects("member-below-last-level"), "FS-XP-6")
    require([] if candidates else [fault], "nobody can gain")
    order = draw_lots(reward.draws, f"level of {builder.group.id}", builder.phase.round, candidates)
    builder.record(RewardClaimed(reward.objective.objective, drawn=tuple(order)))
    builder.record(*raise_to_next_level(rules, builder.group, builder.member(order[0])))


def _later(rules: Rules, builder: DecisionBuilder, reward: RewardInProgress) -> None:
    half = reward.objective.reward.kind == "half_maintenance"
    builder.record(RewardClaimed(reward.objective.objective, half_maintenance=half, finds=0 if half else reward.amount))


def _own_weapon(rules: Rules, builder: DecisionBuilder, reward: RewardInProgress) -> None:
    listed = [good for good in rules.forces[builder.group.force].goods if rules.goods[good].kind in WEAPONS]
    _goods(rules, builder, reward, reward.claim.good, listed, reward.amount)


def _items(rules: Rules, builder: DecisionBuilder, reward: RewardInProgress) -> None:
    listed = list(reward.objective.reward.goods)
    _goods(rules, builder, reward, reward.claim.good or (listed[0] if len(listed) == 1 else ""), listed, reward.amount)


def _merchant_item(rules: Rules, builder: DecisionBuilder, reward: RewardInProgress) -> None:
    good = rules.merchants[reward.objective.reward.merchant].goods[reward.amount - 1].item
    _goods(rules, builder, reward, good, [good], 1)


def _recruit(rules: Rules, builder: DecisionBuilder, reward: RewardInProgress) -> None:
    require(faults_of_size(rules, builder.group, 1), "the group is full")
    joining = new_member(rules, builder.group.serial + 1, "green")
    builder.record(RewardClaimed(reward.objective.objective), MemberJoined(joining, "objective", REWARD_CLAUSE))


def _goods(
    rules: Rules, builder: DecisionBuilder, reward: RewardInProgress, good: str, listed: list[str], amount: int
) -> None:
    fault = Fault("/good", good or "nothing", tables.one_of(tables.goods(rules), listed), REWARD_CLAUSE)
    require([] if good in listed else [fault], "the reward is something else")
    builder.record(RewardClaimed(reward.objective.objective, reward.roll))
    builder.record(*gain(builder.group, [good] * amount, "objective", REWARD_CLAUSE, reward.roll))
    if rules.options.big_gun_ratio == "checked_on_purchase":
        require(faults_of_ratio(rules, builder.group, [*builder.group.ids, ""]), "the group has enough Big Guns")


_REWARD_RULES: Mapping[str, RewardRule] = {
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
    """member, injury, good: the owner's choice, if the reward offers one. objective, reward: for information only."""

    member: str = ""
    injury: str = ""
    good: str = ""
    objective: str = ""
    reward: str = ""


class OfTurf(Struct, frozen=True, forbid_unknown_fields=True):
    """turf: id of the turf; GROUP/TURF if there were several rivals."""

    turf: str


def _claim_reward(context: DecisionContext, args: Reward) -> Events:
    dice = reward_dice(context.rules, context.group)
    claim = Claim(args.member, args.injury, args.good, context.roll(dice, REWARD_CLAUSE) if dice else None)
    return claim_reward(context.rules, context.group, claim, context.draws)


def _offer_claims(context: DecisionContext) -> Iterator[Arguments]:
    objective = objective_by(context.rules, context.phase.played.side.objective)
    for claim in claims_of(context.rules, context.group):
        chosen = {"member": claim.member, "injury": claim.injury, "good": claim.good}
        named = {name: value for name, value in chosen.items() if value}
        yield {"objective": objective.objective, "reward": objective.reward.kind, **named}


def _claim_turf(context: DecisionContext, args: Nothing) -> Events:
    return claim_turf(context.rules, context.group, context.roll("2D12", "FS-AMB-33"))


def _offer_new_turf(context: DecisionContext) -> Iterator[Arguments]:
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


def _offer_turfs_of_rivals(context: DecisionContext) -> Iterator[Arguments]:
    if context.rules.options.turf_gain == "winner_takes_losers":
        for id, loser in context.rivals_by_id.items():
            yield from ({"turf": name_of_rival(list(context.rivals_by_id), id, owned.id)} for owned in loser.turfs)


REWARD_CHOICES = (
    Choice(
        "take_turf",
        OfTurf,
        _take_turf,
        ("1b",),
        _offer_turfs_of_rivals,
        leaves=leaves("take_turf", "FS-AMB-33", won=True),
    ),
    Choice("claim_reward", Reward, _claim_reward, ("1b",), _offer_claims),
    Choice("forgo_reward", Nothing, lambda context, args: forgo_reward(context.rules, context.group), ("1b",)),
    Choice(
        "claim_turf",
        Nothing,
        _claim_turf,
        ("1b",),
        _offer_new_turf,
        leaves=leaves("claim_turf", "FS-AMB-33", won=True),
    ),
)
