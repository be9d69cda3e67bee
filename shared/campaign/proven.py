"""What a report already proves: experience of single forces (FS-XP-3), and why one may not concede (FS-GAM-11).

| value     | what proves it                                                                        |
|-----------|---------------------------------------------------------------------------------------|
| evil      | members of an evil rival that the member took down in melee                           |
| mutated   | members of a mutated rival that the member took down                                  |
| left      | members of a mutated rival who were neither taken down nor fled                       |
| high_tech | laser and plasma weapons that the member found                                        |
| missed    | laser and plasma weapons that the rivals found                                        |
| present   | laser and plasma weapons carried or found by any side; members of a mutated rival     |

A report that leaves a value out has the proven one. A smaller one needs a reason (`otherwise`). More may be reported: a
creature can be mutated, and a weapon can lie on the table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from shared.campaign.encounters import in_game, treasure_by
from shared.campaign.facts import Deeds, GameReport, Search, SideReport, Sides, rival_by_name, rivals_of
from shared.campaign.muster import is_evil
from shared.campaign.roster import Group
from shared.campaign.tables import Rules
from shared.refusals import Fault, expects

OF_MEMBER = ("evil", "mutated", "high_tech")
OF_SIDE = ("missed", "left")

GivenValues = Collection[tuple[str, str, str]]
"""The values that a report contains: group, member (empty for the side), name of the value."""


def with_proven(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], sides: Sides, said: GivenValues
) -> tuple[GameReport, list[Fault]]:
    """Return a possible report with every proven value that it leaves out, and faults of values that are too small.

    groups: the groups as they played; jammed weapons are not carried.
    """
    by_group = {side.group: side for side in report.sides}
    completed: list[SideReport] = []
    faults: list[Fault] = []
    for number, side in enumerate(report.sides):
        rivals = [by_group[id] for id in rivals_of(sides or [[id] for id in by_group], side.group)]
        found = _Proof(rules, groups, side, rivals)
        members = []
        for index, deeds in enumerate(side.members):
            known = {name: value for name, value in found.of_member(deeds).items() if value > getattr(deeds, name)}
            missing = {name: value for name, value in known.items() if (side.group, deeds.member, name) not in said}
            members.append(replace(deeds, **missing))
            where = f"/sides/{number}/members/{index}"
            faults += _faults(side, where, deeds, {name: known[name] for name in known if name not in missing})
        known = {name: value for name, value in found.of_side().items() if value > getattr(side, name)}
        missing = {name: value for name, value in known.items() if (side.group, "", name) not in said}
        completed.append(replace(side, members=tuple(members), **missing))
        faults += _faults(side, f"/sides/{number}", side, {name: known[name] for name in known if name not in missing})
    present = {*report.present, *_present(rules, report, groups, sides)}
    return replace(report, sides=tuple(completed), present=tuple(sorted(present))), faults


def _faults(side: SideReport, where: str, values: Deeds | SideReport, proven: Mapping[str, int]) -> Iterator[Fault]:
    """Yield a fault for each value that is smaller than proven, unless the group says why."""
    if side.otherwise.strip():
        return
    for name, least in proven.items():
        expected = expects("as-proven-or-reason", least=least, member="otherwise")
        yield Fault(f"{where}/{name}", f"{getattr(values, name)}", expected, "FS-XP-3")


class _Proof:
    """What a report proves about one group. side: its report; rivals: those of its rivals."""

    def __init__(
        self, rules: Rules, groups: Mapping[str, Group], side: SideReport, rivals: Collection[SideReport]
    ) -> None:
        self.rules, self.groups, self.side, self.rivals = rules, groups, side, rivals
        self.special = rules.forces[groups[side.group].force].special
        self._names = [rival.group for rival in rivals]
        self._deeds = {(rival.group, deeds.member): deeds for rival in rivals for deeds in rival.members}

    def of_member(self, deeds: Deeds) -> dict[str, int]:
        """Return the proven values of a member, for the force's rules only."""
        taken = [rival_by_name(self._names, name) for name in deeds.took]
        evil = {
            rival.group
            for rival in self.rivals
            if is_evil(self.rules, self.groups[rival.group], judged=rival.judged_evil_by(self.side.group))
        }
        in_melee = [group for group, member in taken if (group, member) in self._deeds and self._melee(group, member)]
        searches = [search for search in self.side.searches if search.member == deeds.member]
        return {
            "evil": sum(group in evil for group in in_melee) if self.special.hunts_evil else 0,
            "mutated": sum(self._is_mutated(group) for group, _ in taken) if self.special.hunts_mutated else 0,
            "high_tech": self._high_tech(self.side, searches, self.special.high_tech),
        }

    def of_side(self) -> dict[str, int]:
        """Return the proven values of the side, for the force's rules only."""
        standing = [
            deeds
            for rival in self.rivals
            if self._is_mutated(rival.group)
            for deeds in rival.members
            if deeds.down is None and not deeds.fled
        ]
        found = sum(self._high_tech(rival, rival.searches, self.special.high_tech) for rival in self.rivals)
        return {"missed": found, "left": len(standing) if self.special.hunts_mutated else 0}

    def _melee(self, group: str, member: str) -> bool:
        return self._deeds[group, member].melee

    def _is_mutated(self, group: str) -> bool:
        return bool(group) and is_mutated(self.rules, self.groups[group])

    def _high_tech(self, side: SideReport, searches: Collection[Search], tags: Collection[str]) -> int:
        group = self.groups[side.group]
        return sum(high_tech_found(self.rules, group, side, search, tags) for search in searches) if tags else 0


def is_mutated(rules: Rules, group: Group) -> bool:
    """Return True if the members of a group are mutants (FS-SPC-2)."""
    return not rules.forces[group.force].special.human


def high_tech_found(rules: Rules, group: Group, side: SideReport, search: Search, tags: Collection[str]) -> int:
    """Return the number of weapons with these tags that a search found."""
    deeds = next(deeds for deeds in side.members if deeds.member == search.member)
    found = treasure_by(rules, search.at, search.roll.dice[0].natural + in_game(rules, group, deeds, "L"))
    if not found.item or not {*tags} & {*rules.goods[found.item].tags}:
        return 0
    return -(-search.amount.dice[0].natural // 4) if search.amount else 1


def _present(rules: Rules, report: GameReport, groups: Mapping[str, Group], sides: Sides) -> Iterator[str]:
    """Yield the circumstances that forbid a conceding group to concede, unless it says why they did not hold."""
    for side in report.sides:
        special = rules.forces[groups[side.group].force].special
        if not side.conceded or side.otherwise.strip():
            continue
        if special.never_concedes == "high_tech_in_play" and _is_high_tech_in_play(
            rules, report, groups, special.high_tech
        ):
            yield special.never_concedes
        rivals = rivals_of(sides or [[entry.group] for entry in report.sides], side.group)
        if special.never_concedes == "mutated_present" and any(is_mutated(rules, groups[id]) for id in rivals):
            yield special.never_concedes


def _is_high_tech_in_play(rules: Rules, report: GameReport, groups: Mapping[str, Group], tags: Collection[str]) -> bool:
    """Return True if anyone who played carried or found a weapon with these tags."""
    carried = any(
        {*tags} & {*rules.goods[item.good].tags}
        for side in report.sides
        for deeds in side.members
        for item in groups[side.group].held_by(deeds.member)
    )
    return carried or any(
        high_tech_found(rules, groups[side.group], side, search, tags)
        for side in report.sides
        for search in side.searches
    )
