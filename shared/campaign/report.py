"""Game reports: endings, deeds, faults, and improbable values (FS-GAM-6 to FS-GAM-11, FS-REP-1 to FS-REP-4).

The side with the most victory points wins, with all its groups; sides that tie at the top draw. A side is out when all
its groups conceded. A group that conceded has lost whatever its side does; the lines that it held stay its side's.

An improbable report is possible but more likely mistyped. It is not refused for good: a person who confirms it is taken
at their word, and the result is marked.

| reported value               | limit                                                               | clause   |
|------------------------------|---------------------------------------------------------------------|----------|
| wounds caused by a side      | Wounds of the rivals who played, things they used up, and creatures | FS-XP-1  |
| models wounded               | rivals who played, and creatures                                    | FS-XP-1  |
| kills other than rivals      | creatures and slaves met                                            | FS-ENC-5 |
| computers, locks of a member | those on the table; if uncounted, one in each turn                  | FS-XP-1  |
| rads of a member             | the lethal number, plus what RadAway removed meanwhile              | FS-RAD-1 |
| laser and plasma weapons     | those carried by all sides, and those found                         | FS-XP-3  |
| mutated models left          | rivals not taken down, their Centaurs, and creatures                | FS-XP-3  |
| loot other than searches     | none: the document has no other source                              | FS-REP-3 |
| encounters of one card       | its copies in the deck; for each, what its dice can give            | FS-ENC-5 |
| the last turn                | the turn in which every die ends the game                           | FS-GAM-8 |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec.structs import replace

from shared.campaign.dice import Modifier, faces_of, read_throw
from shared.campaign.encounters import faults_of_encounters, span_of
from shared.campaign.facts import (
    Deeds,
    Ending,
    GameReport,
    Played,
    SideReport,
    Sides,
    allies_of,
    name_of_rival,
    rival_by_name,
    rivals_of,
)
from shared.campaign.muster import is_evil
from shared.campaign.roster import Group, attribute
from shared.campaign.tables import Rules, or_option
from shared.campaign.words import CampaignEvent, DiceRefused, Events, ReportRefused
from shared.refusals import Expected, Fault, expects


def reports_by_side(report: GameReport, sides: Sides) -> list[list[SideReport]]:
    """Return the reports of each side, group by group. Without sides, each group is a side of its own."""
    reports = {side.group: side for side in report.sides}
    return [[reports[group] for group in side] for side in sides or [[group] for group in reports]]


def endings_of(report: GameReport, sides: Sides = ()) -> tuple[Ending, ...]:
    """Return the ending of each group, in the order of the report (FS-GAM-9, FS-GAM-11)."""
    top = _top_sides(reports_by_side(report, sides))
    at_top = {entry.group for side in top for entry in side}
    top_ending: Ending = "win" if len(top) == 1 else "draw"
    return tuple("loss" if entry.conceded or entry.group not in at_top else top_ending for entry in report.sides)


def rewards_of(rules: Rules, report: GameReport, sides: Sides = ()) -> tuple[bool, ...]:
    """Return for each group whether it may claim its objective's reward (FS-GAM-10).

    Winners may. In a draw, groups at the top may if their side has enough points.
    """
    top = _top_sides(reports_by_side(report, sides))
    enough = len(top) == 1 or points_of(top[0]) >= rules.core.tie_reward_vp
    return tuple(enough and ending in ("win", "draw") for ending in endings_of(report, sides))


def points_of(side: Sequence[SideReport]) -> int:
    """Return the victory points of a side: the sum over its groups (FS-GAM-6)."""
    return sum(entry.vp for entry in side)


def ended_by_concession(report: GameReport, sides: Sides = ()) -> bool:
    """Return True if concessions ended the game: at most one side is left (FS-GAM-11)."""
    return len(_remaining_sides(reports_by_side(report, sides))) <= 1


def faults_of_concessions(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], sides: Sides = ()
) -> Iterator[Fault]:
    """Yield faults of concessions that the campaign or a force forbids, and of a game that all conceded (FS-GAM-11)."""
    for number, entry in enumerate(report.sides):
        if not entry.conceded:
            continue
        where = f"/sides/{number}/conceded"
        if number == len(report.sides) - 1 and all(side.conceded for side in report.sides):
            yield Fault(where, "true", expects("side-without-concession"), "FS-GAM-11")
        if rules.options.concession == "forbidden":
            expected = or_option(expects("no-concession"), "fs.game.concession=allowed_as_loss")
            yield Fault(where, "true", expected, "FS-AMB-48")
        never = rules.forces[groups[entry.group].force].special.never_concedes
        if never and (
            _meets_evil(rules, report, groups, entry, sides) if never == "against_evil" else never in report.present
        ):
            expected = expects("no-concession-of-force", force=groups[entry.group].force, reason=never)
            yield Fault(where, "true", expected, "FS-GAM-11")


def _meets_evil(rules: Rules, report: GameReport, groups: Mapping[str, Group], entry: SideReport, sides: Sides) -> bool:
    rivals = rivals_of(sides or [[side.group] for side in report.sides], entry.group)
    return any(
        is_evil(rules, groups[other.group], judged=other.judged_evil_by(entry.group))
        for other in report.sides
        if other.group in rivals
    )


def _remaining_sides(sides: Sequence[Sequence[SideReport]]) -> list[Sequence[SideReport]]:
    """Return the sides with at least one group that has not conceded."""
    return [side for side in sides if not all(entry.conceded for entry in side)]


def _top_sides(sides: Sequence[Sequence[SideReport]]) -> list[Sequence[SideReport]]:
    """Return the winning side, or the sides that share the most points.

    A game that all conceded is refused elsewhere.
    """
    remaining = _remaining_sides(sides) or list(sides)
    most = max(points_of(side) for side in remaining)
    return [side for side in remaining if points_of(side) == most]


COUNTS = ("wounds", "models", "kills", "computers", "locks", "rads", "evil", "mutated", "high_tech")


def faults_of_deeds(
    rules: Rules,
    report: GameReport,
    number: int,
    groups: Mapping[str, Group],
    mustered: Collection[str],
    sides: Sides,
) -> Iterator[Fault]:
    """Yield every fault of one group's deeds. number: its place in the report; mustered: members who played."""
    side, where = report.sides[number], f"/sides/{number}"
    named = [deeds.member for deeds in side.members]
    rivals = [entry for entry in report.sides if entry.group in rivals_of(sides, side.group)]
    evil = {
        entry.group for entry in rivals if is_evil(rules, groups[entry.group], judged=entry.judged_evil_by(side.group))
    }
    jailers = jailers_among(rules, [groups[entry.group] for entry in rivals])
    names = [entry.group for entry in rivals]
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
    """Return the groups that take prisoners (FS-INJ-5)."""
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
    """Both groups must agree about who took whom to 0 wounds. No one takes an ally down."""
    named, reports = [entry.group for entry in rivals], {entry.group: entry for entry in rivals}

    def deeds_of(name: str) -> tuple[Deeds | None, tuple[str, ...]]:
        """Return the deeds of a rival member, and the rivals of its group."""
        rival, member = rival_by_name(named, name)
        known = reports[rival].members if rival in reports else ()
        return next((entry for entry in known if entry.member == member), None), rivals_of(sides, rival)

    own = (group, deeds.member)
    for name in deeds.took:
        theirs, its_rivals = deeds_of(name)
        if theirs is None or not theirs.by or rival_by_name(its_rivals, theirs.by) != own:
            expected = _with_example(expects("rivals-naming-member"), named)
            yield Fault(f"{place}/took", name, expected, "FS-REP-4")
    if deeds.down == "rival":
        theirs, its_rivals = deeds_of(deeds.by)
        if theirs is None or own not in [rival_by_name(its_rivals, name) for name in theirs.took]:
            expected = _with_example(expects("rival-naming-member"), named)
            yield Fault(f"{place}/by", deeds.by or "nothing", expected, "FS-REP-4")
    elif deeds.by or deeds.melee:
        yield Fault(f"{place}/down", deeds.down or "nothing", expects("down-by-rival"), "FS-REP-4")
    if deeds.removed and deeds.down not in ("radiation", "terrain"):
        yield Fault(f"{place}/removed", "true", expects("not-removed"), "FS-INJ-4")


def _with_example(expected: Expected, rivals: Sequence[str]) -> Expected:
    """Add an example of a rival member's name, if the group has several rivals."""
    if len(rivals) < 2:
        return expected
    return expects("named-like", right=expected, example=name_of_rival(rivals, rivals[0], "m-1"))


def _faults_of_evil(deeds: Deeds, rivals: Sequence[str], evil: Collection[str], place: str) -> Iterator[Fault]:
    """Evil enemies belong to groups that are evil to this one (FS-GAM-4, FS-XP-3)."""
    if deeds.evil and not evil:
        yield Fault(f"{place}/evil", f"{deeds.evil}", expects("no-evil-rival"), "FS-XP-3")
        return
    most = sum(rival_by_name(rivals, name)[0] in evil for name in deeds.took)
    if most < deeds.evil <= len(deeds.took):
        expected = expects("at-most-evil", most=most, groups=sorted(evil))
        yield Fault(f"{place}/evil", f"{deeds.evil}", expected, "FS-XP-3")


def injury_at_table(rules: Rules, deeds: Deeds, *, jailer: bool) -> bool:
    """Return True if the injury of a member taken down is rolled at the table, by option (FS-AMB-4).

    jailer: the rival that took the member down takes prisoners. A member who may be jailed rolls in step 1 if only
        those who escape roll (FS-AMB-49).
    """
    may_be_jailed = deeds.melee and jailer and rules.options.incarcerated_injury == "only_if_escaped"
    at_table = rules.options.injury_roll_time == "at_table" and not may_be_jailed
    return at_table and deeds.down is not None and not deeds.removed


def _faults_of_injury(rules: Rules, deeds: Deeds, place: str, *, jailer: bool) -> Iterator[Fault]:
    """Yield faults of a missing, superfluous or invalid injury roll of a member taken down (FS-AMB-4)."""
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


class GameEnded(CampaignEvent, frozen=True):
    """A die ended a game at the end of its last turn (FS-GAM-8).

    - `turn`: number of the last turn.
    - `roll`: id of the roll.
    """

    turn: int
    roll: str


def accept_report(
    rules: Rules,
    report: GameReport,
    groups: Mapping[str, Group],
    mustered: Mapping[str, Collection[str]],
    sides: Sides = (),
) -> tuple[Played, ...]:
    """Return the game from the point of view of each group, in the order of the report.

    groups: group id -> group as mustered.
    mustered: group id -> members fielded.
    sides: groups of each side; without sides, each group is a side of its own.
    Raises ReportRefused with every fault.
    """
    faults = faults_of_report(rules, report, groups, mustered, sides)
    if faults:
        raise ReportRefused("this cannot have happened in the game", faults)
    sides = sides or _sides_of_single_groups(report)
    endings, rewards = endings_of(report, sides), rewards_of(rules, report, sides)
    return tuple(
        _played(entry, ending, reward, groups[entry.group].leader, sides)
        for entry, ending, reward in zip(report.sides, endings, rewards, strict=True)
    )


def _played(entry: SideReport, ending: Ending, reward: bool, leader: str, sides: Sides) -> Played:
    rival, *further = rivals_of(sides, entry.group)
    return Played(ending, entry, leader, reward, rival, tuple(further), allies_of(sides, entry.group))


def faults_of_report(
    rules: Rules,
    report: GameReport,
    groups: Mapping[str, Group],
    mustered: Mapping[str, Collection[str]],
    sides: Sides = (),
) -> list[Fault]:
    """Return every contradiction in a report: with itself, the other sides, the muster or the rules."""
    named = [entry.group for entry in report.sides]
    if sorted(named) != sorted(groups):
        return [Fault("/sides", ", ".join(named), expects("groups-each-once", groups=sorted(groups)), "FS-REP-1")]
    sides = sides or _sides_of_single_groups(report)
    faults: list[Fault] = []
    for number, entry in enumerate(report.sides):
        faults += faults_of_deeds(rules, report, number, groups, mustered[entry.group], sides)
    endings = endings_of(report, sides)
    won = {entry.group for entry, ending in zip(report.sides, endings, strict=True) if ending == "win"}
    faults += faults_of_encounters(rules, report, groups, won)
    return [*faults_of_outcome(rules, report, groups, sides), *faults]


def faults_of_outcome(rules: Rules, report: GameReport, groups: Mapping[str, Group], sides: Sides = ()) -> list[Fault]:
    """Return the faults of the values that decide who won: lines, points, concessions, the end (FS-REP-1, FS-REP-4)."""
    faults = [
        fault
        for number, entry in enumerate(report.sides)
        for fault in _faults_of_side(rules, entry, f"/sides/{number}")
    ]
    faults += faults_of_concessions(rules, report, groups, sides)
    return [*faults, *faults_of_markers(rules, report, sides), *_faults_of_end(rules, report, sides)]


def _sides_of_single_groups(report: GameReport) -> Sides:
    return [[entry.group] for entry in report.sides]


def game_end_total(rules: Rules, turn: int, uncontrolled: int, natural: int) -> int | None:
    """Return the total of the die at a turn's end, or None before the first turn with a die (FS-GAM-8, FS-EX-5).

    A total of `core.end_total` or more ends the game. uncontrolled: markers that no side controls.
    """
    first = rules.core.end_check_turn
    return None if turn < first else natural + uncontrolled + turn - first


def game_ends(rules: Rules, turn: int, uncontrolled: int, natural: int) -> bool:
    """Return True if that die ends the game (FS-GAM-8)."""
    total = game_end_total(rules, turn, uncontrolled, natural)
    return total is not None and total >= rules.core.end_total


def end_of_game(rules: Rules, report: GameReport) -> Events:
    """Return the roll that ended the game of an accepted report, with its modifiers; nothing after a concession.

    Source: FS-GAM-8, FS-AUD-1.
    """
    if report.end_roll is None:
        return []
    modifiers = [
        Modifier("uncontrolled_markers", uncontrolled(rules, report)),
        Modifier("turn", report.last_turn - rules.core.end_check_turn),
    ]
    rolled = read_throw(report.end_roll, "1D12", "FS-GAM-8", modifiers=modifiers)
    return [rolled, GameEnded(report.last_turn, rolled.roll)]


def _faults_of_side(rules: Rules, side: SideReport, where: str) -> Iterator[Fault]:
    if not 1 <= side.objective <= 12:
        yield Fault(f"{where}/objective", f"{side.objective}", expects("face-of-die", sides=12), "FS-GAM-5")
    known = rules.core.lines
    wrong = sorted({line for line in side.lines if line not in known or side.lines.count(line) > 1})
    for line in wrong:
        expected = expects("lines-each-once", first=known[0], last=known[-1])
        yield Fault(f"{where}/lines", f"{line}", expected, "FS-REP-4")
    if not wrong and side.vp != sum(side.lines):
        yield Fault(f"{where}/vp", f"{side.vp}", expects("sum-of-lines", sum=sum(side.lines)), "FS-REP-4")
    for name in ("missed", "left"):
        if getattr(side, name) < 0:
            yield Fault(f"{where}/{name}", f"{getattr(side, name)}", expects("at-least", least=0), "FS-REP-3")
    for index, good in enumerate(side.loot):
        if good not in rules.goods:
            yield Fault(f"{where}/loot/{index}", good or "nothing", expects("known-good"), "FS-REP-3")


def _faults_of_end(rules: Rules, report: GameReport, sides: Sides) -> Iterator[Fault]:
    """Yield faults unless the die of the last turn, or a concession, ends the game (FS-GAM-8, FS-REP-1)."""
    if report.last_turn < 1:
        yield Fault("/last_turn", f"{report.last_turn}", expects("at-least", least=1), "FS-REP-1")
    if report.end_roll is None:
        if not ended_by_concession(report, sides):
            yield Fault("/end_roll", "nothing", expects("die-that-ended-game"), "FS-REP-1")
        return
    try:
        natural = read_throw(report.end_roll, "1D12", "FS-GAM-8").natural
    except DiceRefused as refused:
        yield from (replace(fault, where=fault.where.replace("/roll", "/end_roll", 1)) for fault in refused.faults)
        return
    free = uncontrolled(rules, report)
    if not game_ends(rules, report.last_turn, free, natural):
        total = game_end_total(rules, report.last_turn, free, natural)
        least, turn = rules.core.end_total, rules.core.end_check_turn
        expected = expects("end-roll-from-turn", least=least, turn=turn, last_turn=report.last_turn)
        if total is not None:
            expected = expects("end-roll-total", least=least, turn=turn, total=total)
        yield Fault("/end_roll", faces_of(report.end_roll), expected, "FS-GAM-8")


def uncontrolled(rules: Rules, report: GameReport) -> int:
    """Return the number of markers that no side controls at the end."""
    return len(rules.core.lines) - sum(len(side.lines) for side in report.sides)


def faults_of_markers(rules: Rules, report: GameReport, sides: Sides = ()) -> Iterator[Fault]:
    """Yield faults of markers: each of the five has at most one controller (FS-GAM-6, FS-REP-4, FS-AMB-47)."""
    sides = sides or [[entry.group] for entry in report.sides]
    for (number, first), (_, second) in combinations(enumerate(report.sides), 2):
        allied = second.group in allies_of(sides, first.group)
        for line in sorted(set(first.lines)):
            theirs = _same_marker(rules, line, allied=allied, edges=len(sides))
            if theirs in second.lines:
                expected = expects("one-controller", group=second.group, line=theirs)
                yield Fault(f"/sides/{number}/lines", f"{line}", expected, "FS-REP-4")
    if uncontrolled(rules, report) < 0 and len(sides) > 2:
        held = sum(len(entry.lines) for entry in report.sides)
        yield Fault("/sides", f"{held}", expects("at-most-lines", most=len(rules.core.lines)), "FS-GAM-6")


def _same_marker(rules: Rules, line: int, *, allied: bool, edges: int) -> int | None:
    """Return another group's number for the marker on a line of one group, or None if it cannot be known."""
    known = rules.core.lines
    if allied or rules.options.line_numbering == "absolute":
        return line
    mirrored = known[0] + known[-1] - line
    return mirrored if edges == 2 or mirrored == line else None


def improbable_in_report(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], sides: Sides = ()
) -> list[Fault]:
    """Return the improbable values of a possible report, each with its limit.

    groups: the groups as mustered, by id.
    sides: groups of each side; without sides, each group is a side of its own.
    """
    faults = [*_improbable_encounters(rules, report), *_improbable_end(rules, report)]
    for side in reports_by_side(report, sides):
        allied = {entry.group for entry in side}
        rivals = [other for other in report.sides if other.group not in allied]
        faults += _improbable_on_side(rules, report, side, rivals, groups)
        for entry in side:
            faults += _improbable_in_group(rules, report, entry, rivals, groups, f"/sides/{report.sides.index(entry)}")
    return faults


def _improbable_encounters(rules: Rules, report: GameReport) -> Iterator[Fault]:
    cards, seen = rules.encounters.cards, Counter[str]()
    for index, encounter in enumerate(report.encounters):
        card = cards[encounter.met]
        seen[encounter.met] += 1
        most = 1 if card.treasure else span_of(card)[1]
        if encounter.number > most:
            expected = expects("at-most-by-card", most=most, card=card.name)
            yield Fault(f"/encounters/{index}/number", f"{encounter.number}", expected, card.clause)
        if seen[encounter.met] > card.copies:
            expected = expects("at-most-in-deck", most=card.copies)
            yield Fault(f"/encounters/{index}/met", encounter.met or "nothing", expected, card.clause)


def _improbable_end(rules: Rules, report: GameReport) -> Iterator[Fault]:
    """Even a one ends the game in the last possible turn, with every marker controlled."""
    last = rules.core.end_check_turn + rules.core.end_total - 1
    if report.last_turn > last:
        yield Fault("/last_turn", f"{report.last_turn}", expects("at-most-turns", most=last), "FS-GAM-8")


def _improbable_on_side(
    rules: Rules,
    report: GameReport,
    allies: Sequence[SideReport],
    rivals: Sequence[SideReport],
    groups: Mapping[str, Group],
) -> Iterator[Fault]:
    """Yield faults of improbable wounds and kills of a side; its groups share the limits."""
    creatures, beasts = _creatures(rules, report)
    theirs = sum(_wounds_of(rules, groups[rival.group], rival) for rival in rivals)
    wounds = sum(deeds.wounds for side in allies for deeds in side.members)
    if wounds > theirs + beasts:
        expected = expects("at-most-wounds-of-side", most=theirs + beasts, rivals=theirs, encounters=beasts)
        yield Fault(_place_of_highest(report, allies, "wounds"), f"{wounds}", expected, "FS-XP-1")
    kills = sum(deeds.kills - len(deeds.took) for side in allies for deeds in side.members)
    if kills > creatures:
        expected = expects("at-most-kills-of-side", most=creatures)
        yield Fault(_place_of_highest(report, allies, "kills"), f"{kills}", expected, "FS-ENC-5")


def _improbable_in_group(
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
        yield from _improbable_deeds(
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


def _improbable_deeds(
    rules: Rules, report: GameReport, group: Group, deeds: Deeds, models: int, tech: int, where: str
) -> Iterator[Fault]:
    if deeds.models > models:
        yield Fault(f"{where}/models", f"{deeds.models}", expects("at-most-models", most=models), "FS-XP-1")
    for name in ("computers", "locks"):
        most = getattr(report.terrain, name) if report.terrain else report.last_turn
        if getattr(deeds, name) > most:
            expected = (
                expects("at-most-on-table", most=most) if report.terrain else expects("at-most-one-in-turn", most=most)
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
    """Return the number of creatures and slaves met in the reported encounters, and their total Wounds."""
    number, wounds = 0, 0
    for encounter in report.encounters:
        card = rules.encounters.cards[encounter.met]
        if card.wounds or card.joins:
            number += encounter.number
            wounds += encounter.number * max(card.wounds, 1)
    return number, wounds


def _wounds_of(rules: Rules, group: Group, side: SideReport) -> int:
    """Return the total Wounds of the members who played, plus one for each item used up (it may be a Stimpak)."""
    members = [group.member(deeds.member) for deeds in side.members]
    whole = sum(max(attribute(rules, group, member, "W"), 0) for member in members if member is not None)
    return whole + sum(len(deeds.used) for deeds in side.members)


def _high_tech(rules: Rules, report: GameReport, groups: Mapping[str, Group], tags: Collection[str]) -> int:
    """Return the number of weapons with these tags in the game: carried, possibly found by searches, or loot."""
    carried = [
        item.good
        for side in report.sides
        for deeds in side.members
        for item in groups[side.group].held_by(deeds.member)
    ]
    loot = [good for side in report.sides for good in side.loot]
    places = sum(len(side.searches) for side in report.sides) + sum(
        bool(rules.encounters.cards[encounter.met].treasure) for encounter in report.encounters
    )
    return sum(bool({*tags} & {*rules.goods[good].tags}) for good in (*carried, *loot)) + places


def _place_of_highest(report: GameReport, allies: Sequence[SideReport], name: str) -> str:
    """Return the place of the highest value among the members of a side."""
    places = [
        (getattr(deeds, name), f"/sides/{report.sides.index(side)}/members/{index}/{name}")
        for side in allies
        for index, deeds in enumerate(side.members)
    ]
    return max(places, key=lambda place: place[0], default=(0, "/sides"))[1]
