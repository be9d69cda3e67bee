"""Cross-checks of what the fielded members of all groups did and suffered. FS-REP-2, FS-REP-4."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from shared.formats.campaign.rules.dice import faces_of, read_throw
from shared.formats.campaign.rules.muster import is_evil
from shared.formats.campaign.rules.refusals import DiceRefused
from shared.formats.campaign.rules.reported import (
    Deeds,
    GameReport,
    SideReport,
    Sides,
    name_of_rival,
    rival_by_name,
    rivals_of,
)
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.tables import Rules
from shared.refusals import Expected, Fault, expects

COUNTS = ("wounds", "models", "kills", "computers", "locks", "rads", "evil", "mutated", "high_tech")


def faults_of_deeds(
    rules: Rules,
    report: GameReport,
    number: int,
    groups: Mapping[str, Group],
    mustered: Collection[str],
    sides: Sides,
) -> Iterator[Fault]:
    """Everything in the deeds of one group that cannot be. number: its place in the report; mustered: who played."""
    side, where = report.sides[number], f"/sides/{number}"
    named = [deeds.member for deeds in side.members]
    rivals = [told for told in report.sides if told.group in rivals_of(sides, side.group)]
    evil = {told.group for told in rivals if is_evil(rules, groups[told.group], judged=told.judged_evil_by(side.group))}
    jailers = jailers_among(rules, [groups[told.group] for told in rivals])
    names = [told.group for told in rivals]
    for index, deeds in enumerate(side.members):
        place = f"{where}/members/{index}"
        if deeds.member not in mustered or deeds.member in named[:index]:
            yield Fault(f"{place}/member", deeds.member, expects("each-mustered-member-once"), "FS-REP-4")
            continue
        yield from _faults_of_counts(deeds, place)
        yield from _faults_of_downing(deeds, side.group, rivals, sides, place)
        yield from _faults_of_goods(rules, groups[side.group], deeds, place)
        yield from _faults_of_injury(rules, deeds, place, jailer=rival_by_name(names, deeds.by)[0] in jailers)
        yield from _faults_of_evil(deeds, names, evil, place)
    for member in mustered:
        if member not in named:
            yield Fault(f"{where}/members", "nothing", expects("every-mustered-member", missing=member), "FS-REP-2")


def jailers_among(rules: Rules, groups: Iterable[Group]) -> set[str]:
    """The groups that take prisoners. FS-INJ-5."""
    return {group.id for group in groups if rules.forces[group.force].special.jail_caps > 0}


def _faults_of_counts(deeds: Deeds, place: str) -> Iterator[Fault]:
    for name in COUNTS:
        if getattr(deeds, name) < 0:
            yield Fault(f"{place}/{name}", f"{getattr(deeds, name)}", expects("at-least", least=0), "FS-REP-2")
    for name in ("kills", "models"):
        if getattr(deeds, name) > deeds.wounds:
            expected = expects("at-most-wounds", most=deeds.wounds)
            yield Fault(f"{place}/{name}", f"{getattr(deeds, name)}", expected, "FS-REP-4")
    if len(deeds.took) > deeds.kills:
        yield Fault(f"{place}/took", ", ".join(deeds.took), expects("at-most-kills", most=deeds.kills), "FS-REP-4")
    if deeds.mutated > deeds.kills:
        yield Fault(f"{place}/mutated", f"{deeds.mutated}", expects("at-most-kills", most=deeds.kills), "FS-REP-4")
    if deeds.evil > len(deeds.took):
        expected = expects("at-most-taken-down", most=len(deeds.took))
        yield Fault(f"{place}/evil", f"{deeds.evil}", expected, "FS-REP-4")


def _faults_of_downing(
    deeds: Deeds, group: str, rivals: Sequence[SideReport], sides: Sides, place: str
) -> Iterator[Fault]:
    """Who took whom to 0 wounds has to be told alike by both groups; nobody takes an ally down."""
    named, told = [one.group for one in rivals], {one.group: one for one in rivals}

    def of(name: str) -> tuple[Deeds | None, tuple[str, ...]]:
        """What is told of a rival, and the groups that are rivals of its own."""
        rival, member = rival_by_name(named, name)
        known = told[rival].members if rival in told else ()
        return next((one for one in known if one.member == member), None), rivals_of(sides, rival)

    own = (group, deeds.member)
    for name in deeds.took:
        theirs, its_rivals = of(name)
        if theirs is None or not theirs.by or rival_by_name(its_rivals, theirs.by) != own:
            expected = _with_example(expects("rivals-naming-member"), named)
            yield Fault(f"{place}/took", name, expected, "FS-REP-4")
    if deeds.down == "rival":
        theirs, its_rivals = of(deeds.by)
        if theirs is None or own not in [rival_by_name(its_rivals, name) for name in theirs.took]:
            expected = _with_example(expects("rival-naming-member"), named)
            yield Fault(f"{place}/by", deeds.by or "nothing", expected, "FS-REP-4")
    elif deeds.by or deeds.melee:
        yield Fault(f"{place}/down", deeds.down or "nothing", expects("down-by-rival"), "FS-REP-4")
    if deeds.removed and deeds.down not in ("radiation", "terrain"):
        yield Fault(f"{place}/removed", "true", expects("not-removed"), "FS-INJ-4")


def _with_example(expected: Expected, rivals: Sequence[str]) -> Expected:
    """Add how a member of a rival is named, if the group met several rivals."""
    if len(rivals) < 2:
        return expected
    return expects("named-like", right=expected, example=name_of_rival(rivals, rivals[0], "m-1"))


def _faults_of_evil(deeds: Deeds, rivals: Sequence[str], evil: Collection[str], place: str) -> Iterator[Fault]:
    """Evil enemies are of groups that are evil to this one. FS-GAM-4, FS-XP-3."""
    if deeds.evil and not evil:
        yield Fault(f"{place}/evil", f"{deeds.evil}", expects("no-evil-rival"), "FS-XP-3")
        return
    most = sum(rival_by_name(rivals, name)[0] in evil for name in deeds.took)
    if most < deeds.evil <= len(deeds.took):
        expected = expects("at-most-evil", most=most, groups=sorted(evil))
        yield Fault(f"{place}/evil", f"{deeds.evil}", expected, "FS-XP-3")


def injury_at_table(rules: Rules, deeds: Deeds, *, jailer: bool) -> bool:
    """Whether an injury is rolled in the game: of each taken down, where the organiser has it so. FS-AMB-4.

    jailer: whether the rival that took it takes prisoners. Whom it may take rolls in step 1, if only those who escape
    roll (FS-AMB-49).
    """
    wanted = deeds.melee and jailer and rules.options.incarcerated_injury == "only_if_escaped"
    at_table = rules.options.injury_roll_time == "at_table" and not wanted
    return at_table and deeds.down is not None and not deeds.removed


def _faults_of_injury(rules: Rules, deeds: Deeds, place: str, *, jailer: bool) -> Iterator[Fault]:
    """Where injuries are rolled at the table, the report has the roll of each that was taken down. FS-AMB-4."""
    due = injury_at_table(rules, deeds, jailer=jailer)
    if due != (deeds.injury is not None):
        expected = expects("rolled-at-table", dice="2D12") if due else expects("rolled-in-step", step="1")
        yield Fault(f"{place}/injury", faces_of(deeds.injury), expected, "FS-AMB-4")
    elif deeds.injury is not None:
        try:
            read_throw(deeds.injury, "2D12", "FS-INJ-1")
        except DiceRefused as refused:
            yield from (
                replace(fault, where=fault.where.replace("/roll", f"{place}/injury", 1)) for fault in refused.faults
            )


def _faults_of_goods(rules: Rules, group: Group, deeds: Deeds, place: str) -> Iterator[Fault]:
    held = {item.id: rules.goods[item.good] for item in group.held_by(deeds.member)}
    taken: list[str] = []
    for index, dose in enumerate(deeds.doses):
        if dose.item not in held or held[dose.item].kind != "drug" or dose.item in taken:
            yield Fault(f"{place}/doses/{index}/item", dose.item, expects("carried-drug-once"), "FS-ADD-1")
        taken.append(dose.item)
        try:
            read_throw(dose.roll, "1D12", "FS-ADD-1")
        except DiceRefused as refused:
            yield from (replace(fault, where=f"{place}/doses/{index}{fault.where}") for fault in refused.faults)
    for index, item in enumerate(deeds.used):
        known = group.item(item)
        once = known is not None and (
            rules.goods[known.good].single_use
            or (
                known.found
                and rules.goods[known.good].kind == "grenade"
                and rules.options.found_grenades == "single_use"
            )
        )
        if item not in held or item in taken or not once:
            yield Fault(f"{place}/used/{index}", item or "nothing", expects("carried-single-use-once"), "FS-ITM-2")
        taken.append(item)
