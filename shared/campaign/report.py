"""Reports that may be and more likely are mistyped: beyond what the groups, the encounters and the terrain could bring.

Nothing here is refused for good: who stands by it is taken at their word, and the result is marked.

| what is told                 | at most                                                             | clause   |
|------------------------------|---------------------------------------------------------------------|----------|
| wounds of a side             | Wounds of the rivals who played, things they used up, and creatures | FS-XP-1  |
| models wounded               | rivals who played, and creatures                                    | FS-XP-1  |
| kills beside the rival       | creatures and slaves that were met                                  | FS-ENC-5 |
| computers, locks of a member | what stood on the table; uncounted, one in each turn                | FS-XP-1  |
| rads of a member             | as many as kill, and what RadAway took meanwhile                    | FS-RAD-1 |
| laser and plasma weapons     | those that all sides carried, and that were  found                  | FS-XP-3  |
| mutated models left          | rivals who still stood, their Centaurs, and creatures               | FS-XP-3  |
| loot beside searches         | none: the document knows no other                                   | FS-REP-3 |
| encounters of one card       | its copies in the deck; of each what its dice make                  | FS-ENC-5 |
| the last turn                | the one in which every die ends the game                            | FS-GAM-8 |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from shared.formats.campaign.rules.attributes import attribute
from shared.formats.campaign.rules.encounters import span_of
from shared.formats.campaign.rules.endings import sides_told
from shared.formats.campaign.rules.reported import Deeds, GameReport, SideReport, Sides
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.tables import Rules
from shared.refusals import Fault, expects


def improbable_in_report(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], sides: Sides = ()
) -> list[Fault]:
    """What of a possible report no game is likely to bring, each with the most that would be.

    groups: as they were mustered, by id. sides: who stood with whom; without any each group for itself. The deck, the
    terrain and the groups are the report's own.
    """
    found = [*_of_encounters(rules, report), *_of_the_end(rules, report)]
    for side in sides_told(report, sides):
        allied = {told.group for told in side}
        rivals = [other for other in report.sides if other.group not in allied]
        found += _of_allies(rules, report, side, rivals, groups)
        for told in side:
            found += _of_side(rules, report, told, rivals, groups, f"/sides/{report.sides.index(told)}")
    return found


def _of_encounters(rules: Rules, report: GameReport) -> Iterator[Fault]:
    cards, seen = rules.encounters.cards, Counter[str]()
    for index, told in enumerate(report.encounters):
        card = cards[told.met]
        seen[told.met] += 1
        most = 1 if card.treasure else span_of(card)[1]
        if told.number > most:
            expected = expects("at-most-by-card", most=most, card=card.name)
            yield Fault(f"/encounters/{index}/number", f"{told.number}", expected, card.clause)
        if seen[told.met] > card.copies:
            expected = expects("at-most-in-deck", most=card.copies)
            yield Fault(f"/encounters/{index}/met", told.met or "nothing", expected, card.clause)


def _of_the_end(rules: Rules, report: GameReport) -> Iterator[Fault]:
    """In that turn a one ends the game with every marker controlled."""
    last = rules.core.end_check_turn + rules.core.end_total - 1
    if report.last_turn > last:
        yield Fault("/last_turn", f"{report.last_turn}", expects("at-most-turns", most=last), "FS-GAM-8")


def _of_allies(
    rules: Rules,
    report: GameReport,
    allies: Sequence[SideReport],
    rivals: Sequence[SideReport],
    groups: Mapping[str, Group],
) -> Iterator[Fault]:
    """What the groups of one side can have done together to all others."""
    creatures, beasts = _creatures(rules, report)
    theirs = sum(_wounds_of(rules, groups[rival.group], rival) for rival in rivals)
    wounds = sum(deeds.wounds for side in allies for deeds in side.members)
    if wounds > theirs + beasts:
        expected = expects("at-most-wounds-of-side", most=theirs + beasts, rivals=theirs, encounters=beasts)
        yield Fault(_most(report, allies, "wounds"), f"{wounds}", expected, "FS-XP-1")
    kills = sum(deeds.kills - len(deeds.took) for side in allies for deeds in side.members)
    if kills > creatures:
        expected = expects("at-most-kills-of-side", most=creatures)
        yield Fault(_most(report, allies, "kills"), f"{kills}", expected, "FS-ENC-5")


def _of_side(
    rules: Rules,
    report: GameReport,
    side: SideReport,
    rivals: Sequence[SideReport],
    groups: Mapping[str, Group],
    where: str,
) -> Iterator[Fault]:
    creatures, _ = _creatures(rules, report)
    models = sum(len(rival.members) for rival in rivals)
    tech = _high_tech(rules, report, groups, rules.forces[groups[side.group].force].special.high_tech)
    for index, deeds in enumerate(side.members):
        yield from _of_member(
            rules, report, groups[side.group], deeds, models + creatures, tech, f"{where}/members/{index}"
        )
    if side.missed > tech:
        yield Fault(f"{where}/missed", f"{side.missed}", expects("at-most-high-tech", most=tech), "FS-XP-3")
    standing = sum(deeds.down is None for rival in rivals for deeds in rival.members)
    standing += creatures + sum(groups[rival.group].centaurs for rival in rivals)
    if side.left > standing:
        yield Fault(f"{where}/left", f"{side.left}", expects("at-most-standing", most=standing), "FS-XP-3")
    for index, good in enumerate(side.loot):
        yield Fault(f"{where}/loot/{index}", rules.goods[good].names[0], expects("searches-with-dice"), "FS-REP-3")


def _of_member(
    rules: Rules, report: GameReport, group: Group, deeds: Deeds, models: int, tech: int, where: str
) -> Iterator[Fault]:
    if deeds.models > models:
        yield Fault(f"{where}/models", f"{deeds.models}", expects("at-most-models", most=models), "FS-XP-1")
    for name in ("computers", "locks"):
        stood = getattr(report.terrain, name) if report.terrain else report.last_turn
        if getattr(deeds, name) > stood:
            expected = (
                expects("at-most-on-table", most=stood)
                if report.terrain
                else expects("at-most-one-in-turn", most=stood)
            )
            yield Fault(f"{where}/{name}", f"{getattr(deeds, name)}", expected, "FS-XP-1")
    used = [group.item(id) for id in deeds.used]
    cleared = sum(item is not None and rules.goods[item.good].use == "clear_rads" for item in used)
    deadly = next(band.rads for band in rules.core.bands if band.dies) + rules.core.radaway * cleared
    if deeds.rads > deadly:
        yield Fault(f"{where}/rads", f"{deeds.rads}", expects("at-most-deadly-rads", most=deadly), "FS-RAD-1")
    if deeds.high_tech > tech:
        yield Fault(f"{where}/high_tech", f"{deeds.high_tech}", expects("at-most-high-tech", most=tech), "FS-XP-3")


def _creatures(rules: Rules, report: GameReport) -> tuple[int, int]:
    """How many creatures and slaves the encounters told put on the table, and all their Wounds."""
    number, wounds = 0, 0
    for told in report.encounters:
        card = rules.encounters.cards[told.met]
        if card.wounds or card.joins:
            number += told.number
            wounds += told.number * max(card.wounds, 1)
    return number, wounds


def _wounds_of(rules: Rules, group: Group, side: SideReport) -> int:
    """All Wounds of those who played, and one more for each thing used up, which may have been a Stimpak."""
    found = [group.member(deeds.member) for deeds in side.members]
    whole = sum(max(attribute(rules, group, member, "W"), 0) for member in found if member is not None)
    return whole + sum(len(deeds.used) for deeds in side.members)


def _high_tech(rules: Rules, report: GameReport, groups: Mapping[str, Group], tags: Collection[str]) -> int:
    """Weapons of these tags that were in the game: carried by who played, in places to search, or otherwise loot."""
    carried = [
        item.good
        for side in report.sides
        for deeds in side.members
        for item in groups[side.group].held_by(deeds.member)
    ]
    loot = [good for side in report.sides for good in side.loot]
    places = sum(len(side.searches) for side in report.sides) + sum(
        bool(rules.encounters.cards[told.met].treasure) for told in report.encounters
    )
    return sum(bool({*tags} & {*rules.goods[good].tags}) for good in (*carried, *loot)) + places


def _most(report: GameReport, allies: Sequence[SideReport], name: str) -> str:
    """Where among the members of a side the highest number stands."""
    places = [
        (getattr(deeds, name), f"/sides/{report.sides.index(side)}/members/{index}/{name}")
        for side in allies
        for index, deeds in enumerate(side.members)
    ]
    return max(places, key=lambda place: place[0], default=(0, "/sides"))[1]
