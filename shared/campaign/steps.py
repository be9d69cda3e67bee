"""The order of the post-game phase: what is open, and what has to be done before it closes. FS-PGP-1, FS-PGP-2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from shared.formats.campaign.rules.options import or_option
from shared.formats.campaign.rules.outcomes import StepClosed
from shared.formats.campaign.rules.refusals import ChoiceRefused, StepRefused
from shared.formats.campaign.rules.roster import Activity, Group, Member, Phase, Step
from shared.formats.campaign.rules.tables import Rules
from shared.refusals import Expected, Fault, either, expects

NAMES: dict[Step, str] = {
    "1": "injuries",
    "1b": "rewards",
    "2": "experience",
    "3": "scavenging, turf and upkeep",
    "4": "recruits",
    "5": "bartering",
    "6": "hired guns",
    "7": "building",
    "8": "doctor",
    "9": "final rating",
}

STEPS: Mapping[Step, Expected] = {
    "1": expects("step-1"),
    "1b": expects("step-1b"),
    "2": expects("step-2"),
    "3": expects("step-3"),
    "4": expects("step-4"),
    "5": expects("step-5"),
    "6": expects("step-6"),
    "7": expects("step-7"),
    "8": expects("step-8"),
    "9": expects("step-9"),
}
"""The expectation of each step with its name."""

WITHOUT: Mapping[Activity, Expected] = {
    "scavenged": expects("member-who-has-not-scavenged"),
    "visited_turf": expects("member-who-has-not-visited-turf"),
    "traded": expects("member-who-has-not-traded"),
    "accompanied": expects("member-who-has-not-accompanied"),
    "searched": expects("member-who-has-not-searched"),
    "built": expects("member-who-has-not-built"),
    "saw_doctor": expects("member-who-has-not-seen-doctor"),
}
"""The expectation of a member who has not done something in this phase."""

ALWAYS_APART: tuple[frozenset[Activity], ...] = (
    frozenset({"scavenged", "visited_turf"}),
    frozenset({"accompanied", "scavenged"}),
    frozenset({"accompanied", "visited_turf"}),
    frozenset({"saw_doctor", "scavenged"}),
    frozenset({"saw_doctor", "built"}),
    frozenset({"saw_doctor", "traded"}),
    frozenset({"saw_doctor", "searched"}),  # a search stands in for the visit to a merchant (FS-SPC-5)
    frozenset({"saw_doctor", "accompanied"}),
)
"""What one member cannot both do in a post-game phase. FS-PGP-4."""


def order_of(rules: Rules) -> tuple[Step, ...]:
    """The steps in their order under the options. FS-AMB-3, FS-AMB-46."""
    begin: tuple[Step, ...] = ("1", "1b") if rules.options.reward_step == "after_injuries" else ("1b", "1")
    end: tuple[Step, ...] = ("7", "8", "9") if rules.options.build_and_doctor == "after_bartering" else ("9",)
    return (*begin, "2", "3", "4", "5", "6", *end)


def in_step(group: Group, *steps: Step) -> Phase:
    """The phase, while one of these steps is open. Raises StepRefused. FS-PGP-1."""
    phase = group.phase
    if phase is None or phase.step not in steps:
        detail = f"step {phase.step} is open" if phase else "no post-game phase is open"
        expected = either([STEPS[step] for step in steps])
        raise StepRefused(
            f"{detail}, not {expected}",
            [Fault("/step", phase.step if phase else "nothing", expected, "FS-PGP-1")],
            open=phase and phase.step,
        )
    return phase


def step_of_building(rules: Rules) -> Step:
    """When custom weapons are built. FS-AMB-3."""
    return "7" if rules.options.build_and_doctor == "after_bartering" else "3"


def step_of_doctor(rules: Rules) -> Step:
    """When a member sees the doctor. FS-AMB-3."""
    return "8" if rules.options.build_and_doctor == "after_bartering" else "3"


def closed(rules: Rules, step: Step) -> StepClosed:
    """The end of a step, and the one that follows."""
    order = order_of(rules)
    return StepClosed(step, next(iter(order[order.index(step) + 1 :]), None))


def faults_of_activity(rules: Rules, group: Group, member: str, activity: Activity) -> list[Fault]:
    """Why a member cannot do something in this phase: absent, or busy with what excludes it. FS-PGP-4, FS-INJ-5."""
    did = group.phase.acted.get(member, ()) if group.phase else ()
    return faults_of_absence(group, member) or [
        Fault(f"/members/{member}", other, _member_without(other, activity), "FS-PGP-4")
        for other in did
        if {other, activity} in _apart(rules)
    ]


def _member_without(done: Activity, activity: Activity) -> Expected:
    """Return the expectation of a member who has not done this, or of the option that would allow both activities.

    Source: FS-AMB-21, FS-AMB-45, FS-AMB-57.
    """
    option = next((option for pair, option in BY_OPTION.items() if {done, activity} == pair), "")
    return or_option(WITHOUT[done], option) if option else WITHOUT[done]


def faults_of_absence(group: Group, member: str) -> list[Fault]:
    """Why somebody takes part in no step: gone, or in jail. FS-INJ-5."""
    found = group.member(member)
    if found is None:
        return [Fault(f"/members/{member}", member, expects("living-member"), "FS-PGP-4")]
    return [Fault(f"/members/{member}", member, expects("member-not-in-jail"), "FS-INJ-5")] if found.away else []


def free_members(rules: Rules, group: Group, activity: Activity) -> list[str]:
    """The members who may do something now, in roster order."""
    return [id for id in group.ids if not faults_of_activity(rules, group, id, activity)]


def require(faults: Iterable[Fault], what: str) -> None:
    """Raises ChoiceRefused when there are any faults."""
    found = list(faults)
    if found:
        raise ChoiceRefused(what, found)


def known_member(group: Group, member: str, clause: str) -> Member:
    """A member by id. Raises ChoiceRefused when nobody has it."""
    found = group.member(member)
    require([] if found else [Fault("/member", member, expects("living-member"), clause)], "nobody has this id")
    assert found is not None
    return found


BY_OPTION: Mapping[frozenset[Activity], str] = MappingProxyType(
    {
        frozenset({"saw_doctor", "visited_turf"}): "fs.doctor.excludes_turf=false",
        frozenset({"traded", "scavenged"}): "fs.barter.leader_must_stay_home=false",
        frozenset({"traded", "visited_turf"}): "fs.barter.leader_must_stay_home=false",
        frozenset({"searched", "scavenged"}): "fs.spc.scary_who=any_participant",
        frozenset({"searched", "visited_turf"}): "fs.spc.scary_who=any_participant",
    }
)
"""Activities that an option keeps apart -> its value that does not."""


def _apart(rules: Rules) -> list[frozenset[Activity]]:
    pairs = list(ALWAYS_APART)
    if rules.options.doctor_excludes_turf:
        pairs.append(frozenset({"saw_doctor", "visited_turf"}))
    if rules.options.leader_must_stay_home:
        pairs += [frozenset({"traded", "scavenged"}), frozenset({"traded", "visited_turf"})]
    if rules.options.scary_who == "stayed_home":
        pairs += [frozenset({"searched", "scavenged"}), frozenset({"searched", "visited_turf"})]
    return [
        *pairs,
        frozenset({"scavenged"}),
        frozenset({"visited_turf"}),
        frozenset({"searched"}),
        frozenset({"traded"}),
    ]
