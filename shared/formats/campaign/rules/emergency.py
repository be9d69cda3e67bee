"""Step 3: equipment sold because food and maintenance cannot be paid. FS-UPK-8, FS-AMB-38."""

from __future__ import annotations

from shared.formats.campaign.rules.dice import Thrown, faces_of, halved
from shared.formats.campaign.rules.income_outcomes import CapsMoved, ItemLost
from shared.formats.campaign.rules.prices import merchant_total, seller_total
from shared.formats.campaign.rules.rating import base_value
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.steps import faults_of_absence, in_step, require
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.upkeep import bill, easiest
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault

CLAUSE = "FS-UPK-8"


def emergency_sale(
    rules: Rules, group: Group, item: str, own: Thrown | None = None, merchant: Thrown | None = None
) -> Events:
    """An item for caps, while the group is short of them: against the merchant who is always found, or half its value.

    own, merchant: a D6 of the leader and one of the merchant, where dice decide; the price stands. Raises StepRefused,
    ChoiceRefused or DiceRefused.
    """
    phase = in_step(group, "3")
    owned, way = group.item(item), rules.options.emergency_sale
    faults = [] if owned else [Fault("/item", item or "nothing", "an item of the group", CLAUSE)]
    if way == "none" or rules.forces[group.force].special.searches:
        faults.append(Fault("/item", item or "nothing", f"nothing: {group.force} sells in step 5", CLAUSE))
    owed = bill(rules, group, easiest(rules, group)).caps
    if phase.paid or owed <= group.caps:
        said = "upkeep is paid" if phase.paid else f"{group.caps} caps for {owed}"
        faults.append(Fault("/caps", said or "nothing", "fewer caps than upkeep takes", CLAUSE))
    rolled = way == "fixed_merchant_roll"
    for name, thrown in (("own", own), ("merchant", merchant)):
        if rolled != bool(thrown):
            faults.append(Fault(f"/{name}", faces_of(thrown), "1D6" if rolled else "nothing", CLAUSE))
    if rolled:
        faults += faults_of_absence(group, group.leader)
    require(faults, "this cannot be sold now")
    assert owned is not None
    price = halved(base_value(rules, owned.good))
    if own is None or merchant is None:
        return [ItemLost(item, "sold", CLAUSE), CapsMoved(price, "sold", CLAUSE)]
    fixed = next(key for key, told in rules.merchants.items() if not told.find)
    totals = [seller_total(rules, group, group.leader, own, fixed), merchant_total(rules, fixed, merchant, CLAUSE)]
    price = max(0, price + totals[0].total - totals[1].total)
    rolls = totals[0].roll
    return [
        *totals,
        ItemLost(item, "sold", CLAUSE, totals[1].roll),
        CapsMoved(price, "sold", CLAUSE, rolls),
    ]
