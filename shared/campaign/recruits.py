"""Step 4: recruits from a common pool for the whole campaign, lowest rating first, with the choices.

FS-REC-1 to FS-REC-4, FS-PGP-2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from shared.campaign.dice import Thrown, faces_of, read_throw
from shared.campaign.group import faults_of_size, group_rating, new_member
from shared.campaign.outcomes import MemberJoined
from shared.campaign.post_game_outcomes import ItemMoved, RecruitOrderSet, RecruitPoolRolled, RecruitTurnPassed
from shared.campaign.roster import Group, Recruit, RecruitPool
from shared.campaign.steps import (
    Arguments,
    Choice,
    DecisionBuilder,
    DecisionContext,
    gain,
    in_step,
    pay,
    require,
    step_closed,
)
from shared.campaign.tables import Rules
from shared.campaign.words import Events, StepRefused
from shared.refusals import Fault, expects
from shared.rules.model import Draws, draw_lots


def faults_of_opening(groups: Mapping[str, Group]) -> list[Fault]:
    """Return the groups that have not closed step 3, which keep step 4 from opening (FS-PGP-2)."""
    open_steps = [
        (id, group.phase.step) for id, group in sorted(groups.items()) if group.phase and group.phase.step != "4"
    ]
    return [Fault(f"/groups/{id}", step, expects("step-closed", step="3"), "FS-PGP-2") for id, step in open_steps]


def open_recruits(
    rules: Rules, groups: Mapping[str, Group], throws: Mapping[str, Thrown], draws: Draws, round: int
) -> tuple[Events, RecruitPool]:
    """Roll the pool, one D12 for each active group, and set the order of hiring (FS-REC-1, FS-REC-2, FS-AMB-39).

    groups: the active groups, by id. throws: a roll for each. Lots order equal ratings.
    Raises StepRefused before all groups have closed step 3; ChoiceRefused or DiceRefused.
    """
    unfinished = faults_of_opening(groups)
    if unfinished:
        raise StepRefused("not every group has closed step 3", unfinished)
    missing = set(groups) ^ set(throws)
    expected = expects("roll-for-each-group")
    faults = [Fault(f"/rolls/{id}", faces_of(throws.get(id)), expected, "FS-REC-1") for id in sorted(missing)]
    require(faults, "one roll for each active group")
    rolls, recruits = [], []
    for number, id in enumerate(sorted(groups), 1):
        rolled = read_throw(throws[id], "1D12", "FS-REC-1", table="recruits", rows=rules.core.recruits)
        rank = next(row.rank for row in rules.core.recruits if row.least <= rolled.total <= row.most)
        rolls.append(rolled)
        recruits.append(Recruit(f"recruit-{round}-{number}", rank, rolled.roll))
    ratings = {id: _rating(rules, group) for id, group in groups.items()}
    drawn = draw_lots(draws, "recruits", round, groups)
    order = sorted(drawn, key=lambda id: ratings[id])
    pool = RecruitPool(tuple(recruits), tuple(order))
    ranks, ids = tuple(recruit.rank for recruit in recruits), tuple(recruit.roll for recruit in recruits)
    events: Events = [*rolls, RecruitPoolRolled(ranks, ids), RecruitOrderSet(pool.order, tuple(drawn))]
    return events, pool


def hire(rules: Rules, group: Group, pool: RecruitPool, recruit: str) -> tuple[Events, RecruitPool]:
    """Hire a recruit of the pool for the group whose turn it is (FS-REC-2 to FS-REC-4).

    The price does not depend on the rank. Raises StepRefused, ChoiceRefused with every fault, or BalanceTooLow.
    """
    _require_turn(group, pool)
    hired = next((candidate for candidate in pool.recruits if candidate.id == recruit), None)
    faults = [] if hired else [Fault("/recruit", recruit, expects("recruit-in-pool"), "FS-REC-2")]
    most, price = rules.core.recruits_most, rules.core.recruit_caps
    if pool.hired >= most:
        faults.append(Fault("/recruit", recruit, expects("at-most-hired", most=most), "FS-REC-2"))
    if group.caps < price:
        faults.append(Fault("/caps", f"{group.caps}", expects("caps", caps=price), "FS-REC-3"))
    faults += [replace(fault, clause="FS-REC-3") for fault in faults_of_size(rules, group, 1)]
    if hired and hired.rank in rules.forces[group.force].special.refuses:
        expected = expects("rank-refused-by-force", rank=hired.rank, force=group.force)
        faults.append(Fault("/recruit", hired.rank, expected, "FS-REC-3"))
    require(faults, "this recruit is not hired")
    assert hired is not None
    builder = DecisionBuilder(group)
    builder.record(pay(builder.group, price, "recruit", "FS-REC-2"))
    joining = new_member(rules, builder.group.serial + 1, hired.rank, paid=price)
    builder.record(MemberJoined(joining, "recruit", "FS-REC-4", hired.roll))
    for gift in gain(builder.group, [rules.core.recruit_gift], "recruit", "FS-REC-4"):
        builder.record(gift, ItemMoved(gift.item.id, joining.id))
    remaining = tuple(candidate for candidate in pool.recruits if candidate.id != recruit)
    return builder.events, replace(pool, recruits=remaining, hired=pool.hired + 1)


def end_turn(group: Group, pool: RecruitPool) -> tuple[Events, RecruitPool]:
    """End the group's turn (FS-REC-2). Raises StepRefused."""
    _require_turn(group, pool)
    return [RecruitTurnPassed()], replace(pool, order=pool.order[1:], hired=0)


def close_recruits(rules: Rules, groups: Iterable[Group], pool: RecruitPool) -> dict[str, Events]:
    """Close step 4 for all groups after the last turn (FS-PGP-2). Raises StepRefused.

    Recruits who remain are gone when the next round is paired.
    """
    if pool.order:
        fault = Fault("/order", ", ".join(pool.order), expects("all-turns-over"), "FS-PGP-2")
        raise StepRefused("not every group has acted", [fault])
    return {group.id: [step_closed(rules, "4")] for group in groups if group.phase is not None}


def _require_turn(group: Group, pool: RecruitPool) -> None:
    in_step(group, "4")
    if pool.order[:1] != (group.id,):
        expected = expects("group-whose-turn", group=pool.order[0]) if pool.order else expects("no-turn-left")
        raise StepRefused("another group acts now", [Fault("/group", group.id, expected, "FS-REC-2")])


def _rating(rules: Rules, group: Group) -> int:
    return group.rating if rules.options.order_rating == "last_final" else group_rating(rules, group)


class Hiring(Struct, frozen=True, forbid_unknown_fields=True):
    """recruit: id of the recruit. group, rank: for information only."""

    recruit: str
    group: str = ""
    rank: str = ""


class Turn(Struct, frozen=True, forbid_unknown_fields=True):
    """group: the group whose turn ends, for information only."""

    group: str = ""


def _hire(context: DecisionContext, args: Hiring) -> Events:
    return hire(context.rules, context.group, _pool(context), args.recruit)[0]


def _offer_recruits(context: DecisionContext) -> Iterator[Arguments]:
    if context.pool is not None:
        for turn in _offer_end_of_turn(context):
            yield from ({**turn, "recruit": recruit.id, "rank": recruit.rank} for recruit in context.pool.recruits)


def _end_turn(context: DecisionContext, args: Turn) -> Events:
    """End a turn. After the last one, close step 4 for all groups (FS-PGP-2)."""
    events, pool = end_turn(context.group, _pool(context))
    if not pool.order:
        groups = [group for group in context.groups.values() if group.phase and group.phase.step == "4"]
        closing = close_recruits(context.rules, groups, pool)
        events += [event.about(id, 0, "") for id, events in closing.items() for event in events]
    return events


def _offer_end_of_turn(context: DecisionContext) -> Iterator[Arguments]:
    if context.pool is not None and context.pool.order[:1] == (context.group.id,):
        yield {"group": context.group.id}


def _pool(context: DecisionContext) -> RecruitPool:
    in_step(context.group, "4")
    if context.pool is None:
        raise StepRefused("recruits are not open", [Fault("/step", "nothing", expects("open-recruits"), "FS-PGP-2")])
    return context.pool


RECRUIT_CHOICES = (
    Choice("hire", Hiring, _hire, ("4",), _offer_recruits),
    Choice("end_turn", Turn, _end_turn, ("4",), _offer_end_of_turn),
)
