"""Steps of the post-game phase, the decision in progress, and the definition of a choice (FS-PGP-1 to FS-PGP-3).

Every change of a balance has a reason and a clause, and no balance drops below 0. Each choice is one `Choice` record in
the module of its step; `choices` lists them all. The records define what a group is offered and the shape of a request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from shared.campaign.dice import DiceSource, RollPurpose, Thrown
from shared.campaign.evolve import evolve
from shared.campaign.outcomes import StepClosed
from shared.campaign.post_game_outcomes import CapsMoved, FoodMoved, ItemGained
from shared.campaign.roster import Activity, Group, Item, Member, Phase, RecruitPool, Step
from shared.campaign.tables import Rules, or_option
from shared.campaign.words import BalanceTooLow, CampaignEvent, ChoiceRefused, Events, Food, StepRefused
from shared.refusals import Expected, Fault, either, expects
from shared.rules.model import Draws


class DecisionBuilder:
    """The events of one decision. Each is applied to its group before the next is decided.

    groups: id -> group after the events so far.
    round, cause: round and cause set on the events; partial decisions leave them out.
    """

    def __init__(self, *groups: Group, round: int = 0, cause: str = "") -> None:
        self.groups = {group.id: group for group in groups}
        self.round, self.cause = round, cause
        self.events: Events = []

    def record(self, *events: CampaignEvent, group: str | None = None) -> None:
        """Add events about a group, by default the first one. An empty id means the whole campaign.

        An event that names a group keeps it.
        """
        default = self.group.id if group is None else group
        for event in events:
            id = event.group or default
            if id in self.groups:
                self.groups[id] = evolve(self.groups[id], [event])
            self.events.append(event.about(id, self.round, self.cause) if self.cause else event)

    @property
    def group(self) -> Group:
        """The first group, after the events so far."""
        return next(iter(self.groups.values()))

    @property
    def phase(self) -> Phase:
        """The open phase of the first group."""
        assert self.group.phase is not None, "no post-game phase is open"
        return self.group.phase

    def member(self, id: str) -> Member:
        """Return a member of the first group, who must be on the roster."""
        member = self.group.member(id)
        assert member is not None, f"{id} is not on the roster"
        return member


def pay(group: Group, amount: int, reason: str, clause: str, roll: str = "") -> CapsMoved:
    """Return the entry for caps paid. Raise BalanceTooLow if the group has too few."""
    if amount > group.caps:
        raise _too_low("caps", group.caps, amount)
    return CapsMoved(-amount, reason, clause, roll)


def use_food(group: Group, food: Food, amount: int, reason: str, clause: str) -> FoodMoved:
    """Return the entry for food eaten or sold. Raise BalanceTooLow if the group has too little."""
    held = group.clean if food == "clean" else group.radiated
    if amount > held:
        raise _too_low(f"{food} food", held, amount)
    return FoodMoved(food, -amount, reason, clause)


def gain(
    group: Group, goods: Iterable[str], reason: str, clause: str, roll: str = "", *, paid: int | None = None
) -> Iterator[ItemGained]:
    """Yield entries for goods that go to the stash, each with a new id (FS-GRP-13)."""
    for number, good in enumerate(goods, group.serial + 1):
        item = Item(f"i-{number}", good, paid=paid, found=paid is None)
        yield ItemGained(item, reason, clause, roll)


def room_for(rules: Rules, group: Group, good: str) -> list[Fault]:
    """Return a fault if the group already has as many of a good as it may have."""
    most = rules.goods[good].most
    if most is None or group.count(good) < most:
        return []
    return [Fault("/good", good or "nothing", expects("at-most-in-group", most=most), "FS-GRP-10")]


def _too_low(account: str, held: int, amount: int) -> BalanceTooLow:
    fault = Fault(f"/{account.split()[0]}", f"{amount}", expects("at-most-balance", most=held), "FS-PGP-3")
    return BalanceTooLow(f"the group has {held} {account}, not {amount}", [fault], account=account, held=held)


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
"""Step -> the expectation of this step."""

MEMBERS_WITHOUT: Mapping[Activity, Expected] = {
    "scavenged": expects("member-who-has-not-scavenged"),
    "visited_turf": expects("member-who-has-not-visited-turf"),
    "traded": expects("member-who-has-not-traded"),
    "accompanied": expects("member-who-has-not-accompanied"),
    "searched": expects("member-who-has-not-searched"),
    "built": expects("member-who-has-not-built"),
    "saw_doctor": expects("member-who-has-not-seen-doctor"),
}
"""Activity -> the expectation of a member who has not done it in this phase."""

ALWAYS_EXCLUSIVE: tuple[frozenset[Activity], ...] = (
    frozenset({"scavenged", "visited_turf"}),
    frozenset({"accompanied", "scavenged"}),
    frozenset({"accompanied", "visited_turf"}),
    frozenset({"saw_doctor", "scavenged"}),
    frozenset({"saw_doctor", "built"}),
    frozenset({"saw_doctor", "traded"}),
    frozenset({"saw_doctor", "searched"}),  # a search replaces the visit to a merchant (FS-SPC-5)
    frozenset({"saw_doctor", "accompanied"}),
)
"""Pairs of activities that exclude each other in a post-game phase (FS-PGP-4)."""


def order_of(rules: Rules) -> tuple[Step, ...]:
    """Return the steps in order under the options (FS-AMB-3, FS-AMB-46)."""
    begin: tuple[Step, ...] = ("1", "1b") if rules.options.reward_step == "after_injuries" else ("1b", "1")
    end: tuple[Step, ...] = ("7", "8", "9") if rules.options.build_and_doctor == "after_bartering" else ("9",)
    return (*begin, "2", "3", "4", "5", "6", *end)


def in_step(group: Group, *steps: Step) -> Phase:
    """Return the phase if one of these steps is open. Raise StepRefused otherwise (FS-PGP-1)."""
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
    """Return the step in which custom weapons are built (FS-AMB-3)."""
    return "7" if rules.options.build_and_doctor == "after_bartering" else "3"


def step_of_doctor(rules: Rules) -> Step:
    """Return the step in which a member sees the doctor (FS-AMB-3)."""
    return "8" if rules.options.build_and_doctor == "after_bartering" else "3"


def step_closed(rules: Rules, step: Step) -> StepClosed:
    """Return the event that closes a step and opens the next."""
    order = order_of(rules)
    return StepClosed(step, next(iter(order[order.index(step) + 1 :]), None))


def faults_of_activity(rules: Rules, group: Group, member: str, activity: Activity) -> list[Fault]:
    """Return why a member cannot do something now (FS-PGP-4, FS-INJ-5).

    The member is absent, or did something that excludes the activity.
    """
    done = group.phase.acted.get(member, ()) if group.phase else ()
    return faults_of_absence(group, member) or [
        Fault(f"/members/{member}", other, _expected_member(other, activity), "FS-PGP-4")
        for other in done
        if {other, activity} in _exclusive_pairs(rules)
    ]


def _expected_member(done: Activity, activity: Activity) -> Expected:
    """Return the expectation of a member who has not done this, or of the option that allows both activities.

    Source: FS-AMB-21, FS-AMB-45, FS-AMB-57.
    """
    option = next((option for pair, option in EXCLUSIVE_BY_OPTION.items() if {done, activity} == pair), "")
    return or_option(MEMBERS_WITHOUT[done], option) if option else MEMBERS_WITHOUT[done]


def faults_of_absence(group: Group, member: str) -> list[Fault]:
    """Return why a member takes part in no step: it is gone or in jail (FS-INJ-5)."""
    known = group.member(member)
    if known is None:
        return [Fault(f"/members/{member}", member, expects("living-member"), "FS-PGP-4")]
    return [Fault(f"/members/{member}", member, expects("member-not-in-jail"), "FS-INJ-5")] if known.away else []


def free_members(rules: Rules, group: Group, activity: Activity) -> list[str]:
    """Return the ids of the members who can do something now, in roster order."""
    return [id for id in group.ids if not faults_of_activity(rules, group, id, activity)]


def require(faults: Iterable[Fault], detail: str) -> None:
    """Raise ChoiceRefused if there are any faults. detail: text of the refusal."""
    all_faults = list(faults)
    if all_faults:
        raise ChoiceRefused(detail, all_faults)


def known_member(group: Group, member: str, clause: str) -> Member:
    """Return the member with an id. Raise ChoiceRefused if there is none."""
    known = group.member(member)
    require([] if known else [Fault("/member", member, expects("living-member"), clause)], "nobody has this id")
    assert known is not None
    return known


EXCLUSIVE_BY_OPTION: Mapping[frozenset[Activity], str] = MappingProxyType(
    {
        frozenset({"saw_doctor", "visited_turf"}): "fs.doctor.excludes_turf=false",
        frozenset({"traded", "scavenged"}): "fs.barter.leader_must_stay_home=false",
        frozenset({"traded", "visited_turf"}): "fs.barter.leader_must_stay_home=false",
        frozenset({"searched", "scavenged"}): "fs.spc.scary_who=any_participant",
        frozenset({"searched", "visited_turf"}): "fs.spc.scary_who=any_participant",
    }
)
"""Pair of activities that an option makes exclusive -> the setting that allows both."""


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
    """A group of another side of the game.

    dead: its members who died by the injury table.
    settled: its step 1 is closed.
    """

    group: Group
    dead: tuple[str, ...] = ()
    settled: bool = True


class DecisionContext(Struct, frozen=True):
    """The input of a choice's decision.

    draws: source of lots.
    rivals: the rivals of the game; empty after a bye.
    pool: the recruits, while step 4 is open.
    groups: all groups of the campaign, by id.
    """

    rules: Rules
    group: Group
    dice_source: DiceSource
    draws: Draws
    rivals: tuple[Rival, ...] = ()
    pool: RecruitPool | None = None
    groups: Mapping[str, Group] = {}

    def roll(self, expression: str, purpose: str, of: str = "", replaces: str = "") -> Thrown:
        """Return the next roll. purpose, of: as in `RollPurpose`. Raise DiceRefused if there is none."""
        return self.dice_source.next(expression, RollPurpose(self.group.id, purpose, of), replaces)

    @property
    def phase(self) -> Phase:
        """The open phase of the group."""
        assert self.group.phase is not None, "no post-game phase is open"
        return self.group.phase

    @property
    def rivals_by_id(self) -> dict[str, Group]:
        """The rival groups, by id."""
        return {rival.group.id: rival.group for rival in self.rivals}


Arguments = Mapping[str, Any]
"""Arguments of a choice, by name, as sent by a client."""


def single_offer(context: DecisionContext) -> Iterator[Arguments]:
    """Yield one offer without arguments."""
    yield {}


class Left(Struct, frozen=True, omit_defaults=True):
    """Something that a group has or may still do, and that is lost when a step closes.

    does: name of the choice that uses it. of: the arguments that name it. clause: of the rule that gives it.
    won: it was won or is owned, so it is also named when a step closes for an absent player.
    """

    does: str
    of: Arguments
    clause: str
    won: bool = False


Leaves = Callable[[Arguments], Left]
"""Function from the arguments of a legal offer to what is lost if nobody uses it."""


def leaves(does: str, clause: str, *names: str, won: bool = False) -> Leaves:
    """Return what a choice leaves, told apart by these of its arguments."""

    def left(args: Arguments) -> Left:
        return Left(does, {name: args[name] for name in names if name in args}, clause, won)

    return left


class Choice(Struct, frozen=True):
    """A choice of the post-game phase.

    takes: struct of its arguments.
    decide: returns the events for given arguments; an event about another group names it. Raises Refusal.
    steps: the steps that offer it.
    offers: yields arguments to try, legal or not.
    known: how many of its dice are known before the first is rolled; None for all.
    leaves: what is lost if a legal offer is not used before the step closes; None for nothing.
    ends: the choice after which it cannot be used any more, if that comes before the step closes.
    """

    name: str
    takes: type[Struct]
    decide: Callable[[DecisionContext, Any], Events]
    steps: tuple[Step, ...] = ()
    offers: Callable[[DecisionContext], Iterator[Arguments]] = single_offer
    known: int | None = None
    leaves: Leaves | None = None
    ends: str = ""


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """No arguments."""


class OfMember(Struct, frozen=True, forbid_unknown_fields=True):
    """member: id of the member."""

    member: str


class OfItem(Struct, frozen=True, forbid_unknown_fields=True):
    """item: id of the item of the group."""

    item: str
