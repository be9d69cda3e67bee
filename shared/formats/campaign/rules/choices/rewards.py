"""Choices of step 1b: the reward of the objective, and a turf where the organiser gives one. FS-GAM-10, FS-AMB-33."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from shared.formats.campaign.rules import rewards
from shared.formats.campaign.rules.choices.choice import Choice, DecisionContext, Members, Nothing
from shared.formats.campaign.rules.muster import objective_by
from shared.formats.campaign.rules.reported import name_of_rival, rival_by_name
from shared.formats.campaign.rules.steps import in_step, require
from shared.formats.campaign.rules.turf import take_turf
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault, expects


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


def _claim(context: DecisionContext, of: Reward) -> Events:
    dice = rewards.reward_dice(context.rules, context.group)
    claim = rewards.Claim(of.member, of.injury, of.good, context.roll(dice, rewards.CLAUSE) if dice else None)
    return rewards.claim_reward(context.rules, context.group, claim, context.draws)


def _claims(context: DecisionContext) -> Iterator[Members]:
    objective = objective_by(context.rules, context.phase.played.side.objective)
    for claim in rewards.claims_of(context.rules, context.group):
        chosen = {"member": claim.member, "injury": claim.injury, "good": claim.good}
        named = {name: value for name, value in chosen.items() if value}
        yield {"objective": objective.objective, "reward": objective.reward.kind, **named}


def _claim_turf(context: DecisionContext, of: Nothing) -> Events:
    return rewards.claim_turf(context.rules, context.group, context.roll("2D12", "FS-AMB-33"))


def _new_turfs(context: DecisionContext) -> Iterator[Members]:
    if context.rules.options.turf_gain == "winner_rolls_new":
        yield {}


def _take_turf(context: DecisionContext, of: OfTurf) -> Events:
    phase = in_step(context.group, "1b")
    legal = phase.played.ending == "win" and not phase.turf_gained and context.rivals
    fault = Fault("/turf", "nothing", expects("winner-once-after-game"), "FS-AMB-33")
    require([] if legal else [fault], "no turf is won here")
    loser, turf = rival_by_name(list(context.met), of.turf)
    wrong = Fault("/turf", of.turf, expects("turf-of-rival"), "FS-AMB-33")
    require([] if loser else [wrong], "this names no turf of a rival")
    return take_turf(context.rules, context.group, context.met[loser], turf)


def _turfs_of_rivals(context: DecisionContext) -> Iterator[Members]:
    if context.rules.options.turf_gain == "winner_takes_losers":
        for id, loser in context.met.items():
            yield from ({"turf": name_of_rival(list(context.met), id, owned.id)} for owned in loser.turfs)


OF_REWARDS = (
    Choice(
        "take_turf",
        OfTurf,
        _take_turf,
        ("1b",),
        _turfs_of_rivals,
    ),
    Choice("claim_reward", Reward, _claim, ("1b",), _claims),
    Choice("forgo_reward", Nothing, lambda context, of: rewards.forgo_reward(context.rules, context.group), ("1b",)),
    Choice("claim_turf", Nothing, _claim_turf, ("1b",), _new_turfs),
)
