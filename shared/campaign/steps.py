"""Steps of the post-game phase (FS-PGP-1 to FS-PGP-3): their order, the decision in progress, and what a choice is.

Every entry of a balance has a reason and a clause, and no balance goes below 0. Each choice is one record in the module
of its step; `choices` lists them all. What a group is offered and which shape a request has to have follow from the
records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from shared.campaign.dice import DiceSource, RollPurpose, Throw
from shared.campaign.evolve import evolve
from shared.campaign.outcomes import CapsMoved, FoodMoved, ItemGained, StepClosed
from shared.campaign.roster import Activity, Group, Item, Member, Phase, RecruitPool, Step
from shared.campaign.tables import Rules, or_option
from shared.campaign.words import BalanceTooLow, CampaignEvent, ChoiceRefused, Events, Food, StepRefused
from shared.refusals import Expected, Fault, either, expects
from shared.rules.model import Draws


class DecisionBuilder:
    """Events of one decision, each applied to its group before the next is looked at.

    groups: as what was said so far leaves them, by id. round, cause: what events are of, once a whole decision is made
    of them; the parts of one leave them out.
    """

    def __init__(self, *groups: Group, round: int = 0, cause: str = "") -> None:
        self.groups = {group.id: group for group in groups}
        self.round, self.cause = round, cause
        self.events: Events = []

    def record(self, *events: CampaignEvent, group: str | None = None) -> None:
        """Events about a group, by default the first; about the whole campaign where its id is empty.

        An event that names its group is about that one.
        """
        by_default = self.group.id if group is None else group
        for event in events:
            id = event.group or by_default
            if id in self.groups:
                self.groups[id] = evolve(self.groups[id], [event])
            self.events.append(event.about(id, self.round, self.cause) if self.cause else event)

    @property
    def group(self) -> Group:
        """The first group, as it is by now."""
        return next(iter(self.groups.values()))

    @property
    def phase(self) -> Phase:
        """Its phase, which is known to be open."""
        assert self.group.phase is not None, "no post-game phase is open"
        return self.group.phase

    def member(self, id: str) -> Member:
        """One of its members, who is known to be on the roster."""
        member = self.group.member(id)
        assert member is not None, f"{id} is not on the roster"
        return member


def pay(group: Group, amount: int, reason: str, clause: str, roll: str = "") -> CapsMoved:
    """The entry for caps that go out. Raises BalanceTooLow when there are not that many."""
    if amount > group.caps:
        raise _too_low("caps", group.caps, amount)
    return CapsMoved(-amount, reason, clause, roll)


def use_food(group: Group, food: Food, amount: int, reason: str, clause: str) -> FoodMoved:
    """The entry for food of one kind that is eaten or sold. Raises BalanceTooLow when there is not that much."""
    held = group.clean if food == "clean" else group.radiated
    if amount > held:
        raise _too_low(f"{food} food", held, amount)
    return FoodMoved(food, -amount, reason, clause)


def gain(
    group: Group, goods: Iterable[str], reason: str, clause: str, roll: str = "", *, paid: int | None = None
) -> Iterator[ItemGained]:
    """Entries for goods that come to the stash, each with an id that was never given before. FS-GRP-13."""
    for number, good in enumerate(goods, group.serial + 1):
        item = Item(f"i-{number}", good, paid=paid, found=paid is None)
        yield ItemGained(item, reason, clause, roll)


def room_for(rules: Rules, group: Group, good: str) -> list[Fault]:
    """Why a group may not take one more of a good: some have a highest number."""
    most = rules.goods[good].most
    if most is None or group.count(good) < most:
        return []
    return [Fault("/good", good or "nothing", expects("at-most-in-group", most=most), "FS-GRP-10")]


def _too_low(account: str, held: int, asked: int) -> BalanceTooLow:
    fault = Fault(f"/{account.split()[0]}", f"{asked}", expects("at-most-balance", most=held), "FS-PGP-3")
    return BalanceTooLow(f"the group has {held} {account}, not {asked}", [fault], account=account, held=held)


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

MEMBERS_WITHOUT: Mapping[Activity, Expected] = {
    "scavenged": expects("member-who-has-not-scavenged"),
    "visited_turf": expects("member-who-has-not-visited-turf"),
    "traded": expects("member-who-has-not-traded"),
    "accompanied": expects("member-who-has-not-accompanied"),
    "searched": expects("member-who-has-not-searched"),
    "built": expects("member-who-has-not-built"),
    "saw_doctor": expects("member-who-has-not-seen-doctor"),
}
"""The expectation of a member who has not done something in this phase."""

ALWAYS_EXCLUSIVE: tuple[frozenset[Activity], ...] = (
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


def step_closed(rules: Rules, step: Step) -> StepClosed:
    """The end of a step, and the one that follows."""
    order = order_of(rules)
    return StepClosed(step, next(iter(order[order.index(step) + 1 :]), None))


def faults_of_activity(rules: Rules, group: Group, member: str, activity: Activity) -> list[Fault]:
    """Why a member cannot do something in this phase: absent, or busy with what excludes it. FS-PGP-4, FS-INJ-5."""
    did = group.phase.acted.get(member, ()) if group.phase else ()
    return faults_of_absence(group, member) or [
        Fault(f"/members/{member}", other, _expected_member(other, activity), "FS-PGP-4")
        for other in did
        if {other, activity} in _exclusive_pairs(rules)
    ]


def _expected_member(done: Activity, activity: Activity) -> Expected:
    """Return the expectation of a member who has not done this, or of the option that would allow both activities.

    Source: FS-AMB-21, FS-AMB-45, FS-AMB-57.
    """
    option = next((option for pair, option in EXCLUSIVE_BY_OPTION.items() if {done, activity} == pair), "")
    return or_option(MEMBERS_WITHOUT[done], option) if option else MEMBERS_WITHOUT[done]


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


EXCLUSIVE_BY_OPTION: Mapping[frozenset[Activity], str] = MappingProxyType(
    {
        frozenset({"saw_doctor", "visited_turf"}): "fs.doctor.excludes_turf=false",
        frozenset({"traded", "scavenged"}): "fs.barter.leader_must_stay_home=false",
        frozenset({"traded", "visited_turf"}): "fs.barter.leader_must_stay_home=false",
        frozenset({"searched", "scavenged"}): "fs.spc.scary_who=any_participant",
        frozenset({"searched", "visited_turf"}): "fs.spc.scary_who=any_participant",
    }
)
"""Activities that an option keeps apart -> its value that does not."""


def _exclusive_pairs(rules: Rules) -> list[frozenset[Activity]]:
    pairs = list(ALWAYS_EXCLUSIVE)
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


class Rival(Struct, frozen=True):
    """A group of another side of the game. dead: its members who died by the injury table; settled: its step 1 is
    closed."""

    group: Group
    dead: tuple[str, ...] = ()
    settled: bool = True


class DecisionContext(Struct, frozen=True):
    """What a choice is decided on. draws: what lots are asked of.

    rivals: of the game; none after a bye. pool: of recruits, while step 4 is open; groups: all of the campaign, by id.
    """

    rules: Rules
    group: Group
    dice_source: DiceSource
    draws: Draws
    rivals: tuple[Rival, ...] = ()
    pool: RecruitPool | None = None
    groups: Mapping[str, Group] = {}

    def roll(self, expression: str, purpose: str, of: str = "", replaces: str = "") -> Throw:
        """Return the next roll. purpose, of: as of `RollPurpose`. Raises DiceRefused when there is none."""
        return self.dice_source.next(expression, RollPurpose(self.group.id, purpose, of), replaces)

    @property
    def phase(self) -> Phase:
        """The phase of the group, which is known to be open."""
        assert self.group.phase is not None, "no post-game phase is open"
        return self.group.phase

    @property
    def met(self) -> dict[str, Group]:
        """The groups of other sides, by id."""
        return {rival.group.id: rival.group for rival in self.rivals}


Members = Mapping[str, Any]
"""What is said with a choice, by name: as a client sends it."""


def single_offer(context: DecisionContext) -> Iterator[Members]:
    """An offer where there is nothing to choose from."""
    yield {}


class Choice(Struct, frozen=True):
    """A choice of the post-game phase.

    takes: the struct of what is said with it. decide: what it brings about, given that; an event about another group
    names it. Raises Refusal. steps: in which it is offered. offers: what may be tried, legal or not. known: how many of
    the dice that it asks for are known before the first of them falls; all where it says nothing.
    """

    name: str
    takes: type[Struct]
    decide: Callable[[DecisionContext, Any], Events]
    steps: tuple[Step, ...] = ()
    offers: Callable[[DecisionContext], Iterator[Members]] = single_offer
    known: int | None = None


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """The choice says it all."""


class OfMember(Struct, frozen=True, forbid_unknown_fields=True):
    """A member, by id."""

    member: str


class OfItem(Struct, frozen=True, forbid_unknown_fields=True):
    """An item of the group, by id."""

    item: str
