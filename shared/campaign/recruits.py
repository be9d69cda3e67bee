"""Step 4, for the whole campaign at once: a common pool, lowest rating first, with its choices.

FS-REC-1 to FS-REC-4, FS-PGP-2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from shared.campaign.dice import Throw, faces_of, read_throw
from shared.campaign.group import faults_of_size, group_rating, new_member
from shared.campaign.outcomes import ItemMoved, MemberJoined, RecruitOrderSet, RecruitPoolRolled, RecruitTurnPassed
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


def barrier(groups: Mapping[str, Group]) -> list[Fault]:
    """Why step 4 is not open yet: groups that have not closed step 3. FS-PGP-2."""
    waiting = [
        (id, group.phase.step) for id, group in sorted(groups.items()) if group.phase and group.phase.step != "4"
    ]
    return [Fault(f"/groups/{id}", step, expects("step-closed", step="3"), "FS-PGP-2") for id, step in waiting]


def open_recruits(
    rules: Rules, groups: Mapping[str, Group], throws: Mapping[str, Throw], draws: Draws, round: int
) -> tuple[Events, RecruitPool]:
    """The pool, one D12 for each active group, and the order in which they act. FS-REC-1, FS-REC-2, FS-AMB-39.

    groups: the active ones by id; throws: a roll for each. Equal ratings are put in the order of their lots. Raises
    StepRefused before everybody has closed step 3; ChoiceRefused or DiceRefused.
    """
    late = barrier(groups)
    if late:
        raise StepRefused("not every group has closed step 3", late)
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
    ranks, ids = tuple(known.rank for known in recruits), tuple(known.roll for known in recruits)
    said: Events = [*rolls, RecruitPoolRolled(ranks, ids), RecruitOrderSet(pool.order, tuple(drawn))]
    return said, pool


def hire(rules: Rules, group: Group, pool: RecruitPool, recruit: str) -> tuple[Events, RecruitPool]:
    """The group whose turn it is hires somebody of the pool, with a knife, for caps that do not depend on the rank.

    Raises StepRefused, ChoiceRefused with every fault, or BalanceTooLow. Source: FS-REC-2 to FS-REC-4.
    """
    _turn(group, pool)
    found = next((known for known in pool.recruits if known.id == recruit), None)
    faults = [] if found else [Fault("/recruit", recruit, expects("recruit-in-pool"), "FS-REC-2")]
    most, price = rules.core.recruits_most, rules.core.recruit_caps
    if pool.hired >= most:
        faults.append(Fault("/recruit", recruit, expects("at-most-hired", most=most), "FS-REC-2"))
    if group.caps < price:
        faults.append(Fault("/caps", f"{group.caps}", expects("caps", caps=price), "FS-REC-3"))
    faults += [replace(fault, clause="FS-REC-3") for fault in faults_of_size(rules, group, 1)]
    if found and found.rank in rules.forces[group.force].special.refuses:
        expected = expects("rank-refused-by-force", rank=found.rank, force=group.force)
        faults.append(Fault("/recruit", found.rank, expected, "FS-REC-3"))
    require(faults, "this recruit is not hired")
    assert found is not None
    builder = DecisionBuilder(group)
    builder.record(pay(builder.group, price, "recruit", "FS-REC-2"))
    joining = new_member(rules, builder.group.serial + 1, found.rank, paid=price)
    builder.record(MemberJoined(joining, "recruit", "FS-REC-4", found.roll))
    for gift in gain(builder.group, [rules.core.recruit_gift], "recruit", "FS-REC-4"):
        builder.record(gift, ItemMoved(gift.item.id, joining.id))
    left = tuple(known for known in pool.recruits if known.id != recruit)
    return builder.events, replace(pool, recruits=left, hired=pool.hired + 1)


def end_turn(group: Group, pool: RecruitPool) -> tuple[Events, RecruitPool]:
    """The group is done; the next one acts. Raises StepRefused. FS-REC-2."""
    _turn(group, pool)
    return [RecruitTurnPassed()], replace(pool, order=pool.order[1:], hired=0)


def close_recruits(rules: Rules, groups: Iterable[Group], pool: RecruitPool) -> dict[str, Events]:
    """Step 4 closes for all when everybody has acted: what happens to each group in it. FS-PGP-2.

    Whoever is left in the pool is gone when the next round is paired. Raises StepRefused.
    """
    if pool.order:
        fault = Fault("/order", ", ".join(pool.order), expects("all-turns-over"), "FS-PGP-2")
        raise StepRefused("not every group has acted", [fault])
    return {group.id: [step_closed(rules, "4")] for group in groups if group.phase is not None}


def _turn(group: Group, pool: RecruitPool) -> None:
    in_step(group, "4")
    if pool.order[:1] != (group.id,):
        expected = expects("group-whose-turn", group=pool.order[0]) if pool.order else expects("no-turn-left")
        raise StepRefused("another group acts now", [Fault("/group", group.id, expected, "FS-REC-2")])


def _rating(rules: Rules, group: Group) -> int:
    return group.rating if rules.options.order_rating == "last_final" else group_rating(rules, group)


class Hiring(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody in the pool. group, rank: who hires whom, said for the reader alone."""

    recruit: str
    group: str = ""
    rank: str = ""


class Turn(Struct, frozen=True, forbid_unknown_fields=True):
    """group: whose turn ends, said for the reader alone."""

    group: str = ""


def _hire(context: DecisionContext, args: Hiring) -> Events:
    return hire(context.rules, context.group, _pool(context), args.recruit)[0]


def _to_hire(context: DecisionContext) -> Iterator[Arguments]:
    if context.pool is not None:
        for turn in _turns(context):
            yield from ({**turn, "recruit": one.id, "rank": one.rank} for one in context.pool.recruits)


def _end_turn(context: DecisionContext, args: Turn) -> Events:
    """The next group acts; after the last one step 4 closes for all. FS-PGP-2."""
    said, pool = end_turn(context.group, _pool(context))
    if not pool.order:
        here = [group for group in context.groups.values() if group.phase and group.phase.step == "4"]
        closing = close_recruits(context.rules, here, pool)
        said += [event.about(id, 0, "") for id, events in closing.items() for event in events]
    return said


def _turns(context: DecisionContext) -> Iterator[Arguments]:
    if context.pool is not None and context.pool.order[:1] == (context.group.id,):
        yield {"group": context.group.id}


def _pool(context: DecisionContext) -> RecruitPool:
    in_step(context.group, "4")
    if context.pool is None:
        raise StepRefused("recruits are not open", [Fault("/step", "nothing", expects("open-recruits"), "FS-PGP-2")])
    return context.pool


RECRUIT_CHOICES = (
    Choice("hire", Hiring, _hire, ("4",), _to_hire),
    Choice("end_turn", Turn, _end_turn, ("4",), _turns),
)
