"""What a group may do now: the open step, what it waits for, each choice with its dice, and why others are not legal.

A choice is legal when the decision behind it would be made: each is tried on sample dice, and its refusal is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from shared.formats.campaign.rules.candidate_actions import candidates
from shared.formats.campaign.rules.candidates_of_rivals import candidates_of_rivals
from shared.formats.campaign.rules.deciding_choices import Rival
from shared.formats.campaign.rules.post_game import close_step
from shared.formats.campaign.rules.recruits import RecruitPool, close_recruits, hire
from shared.formats.campaign.rules.roster import Group, Step
from shared.formats.campaign.rules.steps import NAMES
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import CampaignEvent
from shared.refusals import Fault, Refusal


class Choice(Struct, frozen=True, omit_defaults=True):
    """One thing that may be done. does: the decision. of: what it is about, by name. dice: what it asks for, in order.

    why_not: every reason why it is not legal now; none when it is.
    """

    does: str
    of: Mapping[str, Any] = {}
    dice: tuple[str, ...] = ()
    why_not: tuple[Fault, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether it would be done."""
        return not self.why_not


class AvailableActions(Struct, frozen=True, omit_defaults=True):
    """What a group is asked now. waits_for: what has to be done before the step closes; none when it can be closed."""

    step: Step
    name: str
    choices: tuple[Choice, ...]
    waits_for: tuple[Fault, ...] = ()


def available_now(rules: Rules, group: Group, rivals: tuple[Rival, ...] = (), pot: str = "") -> AvailableActions | None:
    """What a group is asked in its post-game phase; nothing when no phase is open. FS-PGP-1, FS-PGP-4.

    rivals: the groups of other sides of its game, if it had one. pot: the seed of who fights for it, which is known
    beforehand.
    """
    phase = group.phase
    if phase is None:
        return None
    beside = list(candidates_of_rivals(rules, group, rivals)) if rivals else []
    known = {does for does, *_ in beside}
    tried = [candidate for candidate in candidates(rules, group, phase, pot) if candidate[0] not in known]
    choices = tuple(Choice(does, of, dice, _refusal(attempt)) for does, of, dice, attempt in (*beside, *tried))
    return AvailableActions(phase.step, NAMES[phase.step], choices, waits_for(rules, group))


def waits_for(rules: Rules, group: Group) -> tuple[Fault, ...]:
    """What a group has to do before its open step closes; nothing when no phase is open."""
    phase = group.phase
    return _refusal(partial(close_step, rules, group, phase.step, "")) if phase else ()


def available_of_pool(rules: Rules, groups: Mapping[str, Group], pool: RecruitPool) -> AvailableActions:
    """What the group whose turn it is may do in step 4; no choices when everybody has acted. FS-REC-2, FS-REC-3.

    groups: the active ones by id.
    """
    choices: list[Choice] = []
    for id in pool.order[:1]:
        for recruit in pool.recruits:
            of = {"group": id, "recruit": recruit.id, "rank": recruit.rank}
            choices.append(Choice("hire", of, (), _refusal(partial(_hire, rules, groups[id], pool, recruit.id))))
        choices.append(Choice("end_turn", {"group": id}))
    waits = _refusal(partial(_closing, rules, groups, pool))
    return AvailableActions("4", NAMES["4"], tuple(choices), waits)


def _hire(rules: Rules, group: Group, pool: RecruitPool, recruit: str) -> Sequence[CampaignEvent]:
    return hire(rules, group, pool, recruit)[0]


def _closing(rules: Rules, groups: Mapping[str, Group], pool: RecruitPool) -> Sequence[CampaignEvent]:
    return [said for closing in close_recruits(rules, groups.values(), pool).values() for said in closing]


def _refusal(attempt: Callable[[], Sequence[CampaignEvent]]) -> tuple[Fault, ...]:
    try:
        attempt()
    except Refusal as refused:
        return refused.faults
    return ()
