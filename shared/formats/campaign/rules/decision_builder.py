"""A decision as it goes along: what was said so far, the groups that it makes, and their caps, food and items.

Every entry of a balance has a reason and a clause, and none goes below 0. FS-PGP-3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shared.formats.campaign.rules.evolve import evolve
from shared.formats.campaign.rules.income_outcomes import CapsMoved, FoodMoved, ItemGained
from shared.formats.campaign.rules.refusals import BalanceTooLow
from shared.formats.campaign.rules.roster import Group, Item, Member, Phase
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import CampaignEvent, Events, Food
from shared.refusals import Fault, expects


class DecisionBuilder:
    """Events of one decision, each applied to its group before the next is looked at.

    groups: as what was said so far leaves them, by id. round, cause: what events are of, once a whole decision is made
    of them; the parts of one leave them out.
    """

    def __init__(self, *groups: Group, round: int = 0, cause: str = "") -> None:
        self.groups = {group.id: group for group in groups}
        self.round, self.cause = round, cause
        self.events: Events = []

    def say(self, *events: CampaignEvent, group: str | None = None) -> None:
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
