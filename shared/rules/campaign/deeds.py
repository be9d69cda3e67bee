"""Cross-checks of what the fielded members of both sides did and suffered. FS-REP-2, FS-REP-4."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from shared.refusals import Fault
from shared.rules.campaign.dice import read_throw
from shared.rules.campaign.muster import is_evil
from shared.rules.campaign.refusals import DiceRefused
from shared.rules.campaign.reported import Deeds, SideReport
from shared.rules.campaign.roster import Group
from shared.rules.campaign.tables import Rules

COUNTS = ("wounds", "models", "kills", "computers", "locks", "rads", "evil", "mutated", "high_tech")


def faults_of_deeds(
    rules: Rules,
    side: SideReport,
    rival: SideReport,
    group: Group,
    other: Group,
    mustered: Collection[str],
    where: str,
) -> Iterator[Fault]:
    """Everything in the deeds of one side that cannot be. mustered: its members fielded; other: the rival's group."""
    named = [deeds.member for deeds in side.members]
    for index, deeds in enumerate(side.members):
        place = f"{where}/members/{index}"
        if deeds.member not in mustered or deeds.member in named[:index]:
            yield Fault(f"{place}/member", deeds.member, "each mustered member once", "FS-REP-4")
            continue
        yield from _faults_of_counts(deeds, place)
        yield from _faults_of_downing(deeds, rival, place)
        yield from _faults_of_goods(rules, group, deeds, place)
        yield from _faults_of_injury(rules, deeds, other, place)
        if deeds.evil and not is_evil(rules, other, judged=rival.evil):
            yield Fault(f"{place}/evil", f"{deeds.evil}", "0, since the rival is not evil", "FS-XP-3")
    for member in mustered:
        if member not in named:
            yield Fault(f"{where}/members", f"nothing of {member}", "every mustered member", "FS-REP-2")


def _faults_of_counts(deeds: Deeds, place: str) -> Iterator[Fault]:
    for name in COUNTS:
        if getattr(deeds, name) < 0:
            yield Fault(f"{place}/{name}", f"{getattr(deeds, name)}", "0 or more", "FS-REP-2")
    for name in ("kills", "models"):
        if getattr(deeds, name) > deeds.wounds:
            said = f"{getattr(deeds, name)} with {deeds.wounds} wounds"
            yield Fault(f"{place}/{name}", said, "no more than wounds caused", "FS-REP-4")
    if len(deeds.took) > deeds.kills:
        said = f"{len(deeds.took)} with {deeds.kills} kills"
        yield Fault(f"{place}/took", said, "no more than kills", "FS-REP-4")
    if deeds.mutated > deeds.kills:
        yield Fault(f"{place}/mutated", f"{deeds.mutated} with {deeds.kills} kills", "no more than kills", "FS-REP-4")
    if deeds.evil > len(deeds.took):
        yield Fault(f"{place}/evil", f"{deeds.evil} of {len(deeds.took)}", "rivals that it took down", "FS-REP-4")


def _faults_of_downing(deeds: Deeds, rival: SideReport, place: str) -> Iterator[Fault]:
    """Who took whom to 0 wounds has to be told alike by both sides."""
    theirs = {other.member: other for other in rival.members}
    for name in deeds.took:
        if name not in theirs or theirs[name].by != deeds.member:
            said = f"{name}, who was not taken down by {deeds.member}"
            yield Fault(f"{place}/took", said, "rivals who name this member", "FS-REP-4")
    if deeds.down == "rival" and deeds.member not in (theirs[deeds.by].took if deeds.by in theirs else ()):
        yield Fault(f"{place}/by", deeds.by or "nobody", "the rival who took it down", "FS-REP-4")
    if deeds.down != "rival" and (deeds.by or deeds.melee):
        yield Fault(f"{place}/down", deeds.down or "not taken down", "rival, as it names one", "FS-REP-4")
    if deeds.removed and deeds.down not in ("radiation", "terrain"):
        yield Fault(f"{place}/removed", deeds.down or "no cause", "radiation or terrain", "FS-INJ-4")


def injury_at_table(rules: Rules, deeds: Deeds, *, jailer: bool) -> bool:
    """Whether an injury is rolled in the game: of each taken down, where the organiser has it so. FS-AMB-4.

    jailer: whether the rival takes prisoners. Whom it may take rolls in step 1, if only those who escape roll
    (FS-AMB-49).
    """
    wanted = deeds.melee and jailer and rules.options.incarcerated_injury == "only_if_escaped"
    at_table = rules.options.injury_roll_time == "at_table" and not wanted
    return at_table and deeds.down is not None and not deeds.removed


def _faults_of_injury(rules: Rules, deeds: Deeds, other: Group, place: str) -> Iterator[Fault]:
    """Where injuries are rolled at the table, the report has the roll of each that was taken down. FS-AMB-4."""
    due = injury_at_table(rules, deeds, jailer=rules.forces[other.force].special.jail_caps > 0)
    if due != (deeds.injury is not None):
        said, wanted = ("no roll", "2D12, rolled at the table") if due else ("a roll", "none: it is rolled in step 1")
        yield Fault(f"{place}/injury", said, wanted, "FS-AMB-4")
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
            yield Fault(f"{place}/doses/{index}/item", dose.item, "a drug that it carried, once", "FS-ADD-1")
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
            yield Fault(f"{place}/used/{index}", item, "something used once that it carried", "FS-ITM-2")
        taken.append(item)
