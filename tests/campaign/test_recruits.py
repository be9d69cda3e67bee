"""Step 4: one pool for the whole campaign, lowest rating first."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from shared.campaign.choices import available_actions
from shared.campaign.group import group_rating
from shared.campaign.outcomes import MemberJoined
from shared.campaign.post_game import close_step
from shared.campaign.recruits import close_recruits, end_turn, faults_of_opening, hire, open_recruits
from shared.campaign.roster import Group, RecruitPool
from shared.campaign.words import ChoiceRefused, StepRefused
from shared.tournament.draws import SeededDraws
from tests.campaign.story import EXAMPLES, LOTS, RULES, a_group, in_step, of_kind, refused, rules, then, thrown

EXAMPLE = EXAMPLES["FS-EX-9"]


def four(force: str = "raiders", step: str = "4") -> dict[str, Group]:
    """Return the four groups of the example in step 4. force: force of D."""
    made = {id: in_step(a_group(force if id == "D" else "raiders", "vg"), step) for id in "ABCD"}
    return {
        id: replace(group, id=id, caps=EXAMPLE["caps"][id], rating=EXAMPLE["ratings"][id]) for id, group in made.items()
    }


def opened(groups: Mapping[str, Group]) -> RecruitPool:
    throws = {id: thrown(EXAMPLE["dice"][id]) for id in groups}
    return open_recruits(RULES, groups, throws, LOTS, 1)[1]


@pytest.mark.clause("FS-EX-9", "FS-REC-1", "FS-REC-2", "FS-REC-3", "FS-REC-4")
def test_example_of_recruits() -> None:
    groups = four()
    pool = opened(groups)
    assert [recruit.rank for recruit in pool.recruits] == EXAMPLE["ranks"]
    assert "".join(pool.order) == "DBAC"
    rolls = [recruit.roll for recruit in pool.recruits]
    veteran, experienced, green, last = (recruit.id for recruit in pool.recruits)
    d = groups["D"]
    for recruit in (veteran, experienced):
        events, pool = hire(RULES, d, pool, recruit)
        joined = next(of_kind(events, MemberJoined))
        assert joined.roll in rolls
        d = then(d, events)
        assert [item.good for item in d.held_by(joined.member.id)] == ["brass_knuckles_knife"]
    assert (d.caps, [member.rank for member in d.members[2:]]) == (0, ["veteran", "experienced"])
    assert group_rating(RULES, d) - group_rating(RULES, groups["D"]) == EXAMPLE["grows"]
    assert refused(ChoiceRefused, hire, RULES, replace(d, caps=99), pool, green) == [("/recruit", "FS-REC-2")]
    pool = end_turn(d, pool)[1]
    assert refused(ChoiceRefused, hire, RULES, groups["B"], pool, green) == [("/caps", "FS-REC-3")]
    pool = end_turn(groups["B"], pool)[1]
    pool = hire(RULES, groups["A"], pool, green)[1]
    pool = end_turn(groups["A"], pool)[1]
    pool = hire(RULES, groups["C"], pool, last)[1]
    pool = end_turn(groups["C"], pool)[1]
    assert (pool.recruits, pool.order) == ((), ())


@pytest.mark.clause("FS-REC-3", "FS-GRP-4", "FS-GRP-5", "FS-EX-9")
def test_restrictions_of_hiring() -> None:
    vault = four("vault_residents")
    pool = opened(vault)
    assert refused(ChoiceRefused, hire, RULES, vault["D"], pool, pool.recruits[0].id) == [("/recruit", "FS-REC-3")]
    assert hire(RULES, vault["D"], pool, pool.recruits[1].id)
    full = four()
    full["D"] = replace(full["D"], members=a_group(ranks="v" * 15).members)
    pool = opened(full)
    assert refused(ChoiceRefused, hire, RULES, full["D"], pool, pool.recruits[0].id) == [("/members", "FS-REC-3")]
    three = replace(four()["D"], members=a_group(ranks="vvv").members)
    assert hire(RULES, three, pool, pool.recruits[0].id)
    assert refused(ChoiceRefused, hire, RULES, three, pool, "nobody") == [("/recruit", "FS-REC-2")]


@pytest.mark.clause("FS-REC-2", "FS-AMB-39")
def test_order_of_turns() -> None:
    groups = four()
    pool = opened(groups)
    assert refused(StepRefused, hire, RULES, groups["A"], pool, pool.recruits[0].id) == [("/group", "FS-REC-2")]
    assert refused(StepRefused, end_turn, groups["C"], pool) == [("/group", "FS-REC-2")]
    done = replace(pool, order=())
    assert refused(StepRefused, end_turn, groups["C"], done) == [("/group", "FS-REC-2")]
    equal = {id: replace(group, rating=800) for id, group in groups.items()}
    throws = {id: thrown(5) for id in groups}
    orders = {open_recruits(RULES, equal, throws, SeededDraws(str(seed)), 1)[1].order for seed in range(30)}
    assert len(orders) > 10
    now = rules(recruit__order_rating="recomputed")
    richer = {**groups, "D": replace(groups["D"], turfs=a_group(turfs=["bar"]).turfs)}
    assert open_recruits(now, richer, throws, LOTS, 1)[1].order[-1] == "D"


@pytest.mark.clause("FS-REC-2", "FS-REC-3")
def test_offers_of_the_group_whose_turn_it_is() -> None:
    groups = four("vault_residents")
    now = available_actions(RULES, groups["D"], pool=opened(groups))
    ranks = [(choice.of["rank"], choice.legal) for choice in now.choices if choice.does == "hire"]
    assert ranks == [("veteran", False), ("experienced", True), ("green", True), ("green", True)]
    assert {choice.of["group"] for choice in now.choices} == {"D"}
    assert [fault.clause for fault in now.waits_for] == ["FS-PGP-2"]
    assert available_actions(RULES, groups["A"], pool=opened(groups)).choices == ()
    assert available_actions(RULES, groups["D"], pool=replace(opened(groups), order=())).choices == ()


@pytest.mark.clause("FS-PGP-2", "FS-REC-1")
def test_step_4_opens_and_closes_for_all_groups() -> None:
    groups = four()
    groups["B"] = replace(groups["B"], phase=replace(groups["B"].phase, step="3"))
    throws = {id: thrown(5) for id in groups}
    assert [fault.where for fault in faults_of_opening(groups)] == ["/groups/B"]
    assert refused(StepRefused, open_recruits, RULES, groups, throws, LOTS, 1) == [("/groups/B", "FS-PGP-2")]
    groups = four()
    assert refused(ChoiceRefused, open_recruits, RULES, groups, {"A": thrown(5)}, "s", 1) == [
        (f"/rolls/{id}", "FS-REC-1") for id in "BCD"
    ]
    pool = opened(groups)
    assert refused(StepRefused, close_recruits, RULES, groups.values(), pool) == [("/order", "FS-PGP-2")]
    assert refused(ChoiceRefused, close_step, RULES, groups["A"], "4", "s") == [("/step", "FS-PGP-2")]
    events = close_recruits(RULES, groups.values(), replace(pool, order=()))
    assert {then(groups[id], outcomes).phase.step for id, outcomes in events.items()} == {"5"}


@pytest.mark.clause("FS-REC-2", "FS-REC-4")
def test_recruit_gets_a_new_id() -> None:
    group = a_group(ranks="vg", goods=["stimpak"])
    group = replace(in_step(group, "4"), id="A", caps=90, serial=7)
    pool = open_recruits(RULES, {"A": group}, {"A": thrown(7)}, LOTS, 1)[1]
    joined = next(of_kind(hire(RULES, group, pool, pool.recruits[0].id)[0], MemberJoined))
    assert joined.member.id == "m-8"
