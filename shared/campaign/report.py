"""Game reports (FS-GAM-6 to FS-GAM-11, FS-REP-1 to FS-REP-4): endings, deeds, every fault, and what is improbable.

The side with the most victory points wins, and all its groups with it; sides that tie at the top draw. A side is out
when all its groups conceded. A group that conceded has lost, whatever its side does; what it held stays its side's.

Improbable reports are possible and more likely mistyped.

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
    """What is told of each side, group by group; where no sides are given, each group stands for itself."""
    told = {side.group: side for side in report.sides}
    return [[told[group] for group in side] for side in sides or [[group] for group in told]]


def endings_of(report: GameReport, sides: Sides = ()) -> tuple[Ending, ...]:
    """How the game ended for each group, in the order of the report. FS-GAM-9, FS-GAM-11."""
    top = _top(reports_by_side(report, sides))
    at_top = {told.group for side in top for told in side}
    best: Ending = "win" if len(top) == 1 else "draw"
    return tuple("loss" if told.conceded or told.group not in at_top else best for told in report.sides)


def rewards_of(rules: Rules, report: GameReport, sides: Sides = ()) -> tuple[bool, ...]:
    """Who may claim the reward of the own objective: every winner; in a draw those at the top, where their side has
    enough points. FS-GAM-10."""
    top = _top(reports_by_side(report, sides))
    enough = len(top) == 1 or points_of(top[0]) >= rules.core.tie_reward_vp
    return tuple(enough and ending in ("win", "draw") for ending in endings_of(report, sides))


def points_of(side: Sequence[SideReport]) -> int:
    """The victory points of a side: the sum of its groups'. FS-GAM-6."""
    return sum(told.vp for told in side)


def ended_by_concession(report: GameReport, sides: Sides = ()) -> bool:
    """Whether concessions ended the game: one side at most was left. FS-GAM-11."""
    return len(_left(reports_by_side(report, sides))) <= 1


def faults_of_concessions(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], sides: Sides = ()
) -> Iterator[Fault]:
    """Concessions that the campaign or a force does not know, and a game that everybody gave up. FS-GAM-11."""
    for number, told in enumerate(report.sides):
        if not told.conceded:
            continue
        where = f"/sides/{number}/conceded"
        if number == len(report.sides) - 1 and all(side.conceded for side in report.sides):
            yield Fault(where, "true", expects("side-without-concession"), "FS-GAM-11")
        if rules.options.concession == "forbidden":
            expected = or_option(expects("no-concession"), "fs.game.concession=allowed_as_loss")
            yield Fault(where, "true", expected, "FS-AMB-48")
        never = rules.forces[groups[told.group].force].special.never_concedes
        if never and (
            _meets_evil(rules, report, groups, told, sides) if never == "against_evil" else never in report.present
        ):
            expected = expects("no-concession-of-force", force=groups[told.group].force, reason=never)
            yield Fault(where, "true", expected, "FS-GAM-11")


def _meets_evil(rules: Rules, report: GameReport, groups: Mapping[str, Group], told: SideReport, sides: Sides) -> bool:
    rivals = rivals_of(sides or [[side.group] for side in report.sides], told.group)
    return any(
        is_evil(rules, groups[other.group], judged=other.judged_evil_by(told.group))
        for other in report.sides
        if other.group in rivals
    )


def _left(told: Sequence[Sequence[SideReport]]) -> list[Sequence[SideReport]]:
    """The sides of which a group at least has not given up."""
    return [side for side in told if not all(one.conceded for one in side)]


def _top(told: Sequence[Sequence[SideReport]]) -> list[Sequence[SideReport]]:
    """The side that won, or those that share the most points; a game that all gave up is refused elsewhere."""
    left = _left(told) or list(told)
    most = max(points_of(side) for side in left)
    return [side for side in left if points_of(side) == most]


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


class GameEnded(CampaignEvent, frozen=True):
    """The die that ended a game, in its last turn. FS-GAM-8."""

    turn: int
    roll: str


def accept_report(
    rules: Rules,
    report: GameReport,
    groups: Mapping[str, Group],
    mustered: Mapping[str, Collection[str]],
    sides: Sides = (),
) -> tuple[Played, ...]:
    """The game as each group sees it in its post-game phase, in the order of the report.

    groups: by id, as they were mustered. mustered: group -> members fielded. sides: who stood with whom; without any
    each group for itself. Raises ReportRefused with every fault.
    """
    faults = faults_of_report(rules, report, groups, mustered, sides)
    if faults:
        raise ReportRefused("this cannot have happened in the game", faults)
    stood = sides or _each_alone(report)
    endings, rewards = endings_of(report, stood), rewards_of(rules, report, stood)
    return tuple(
        _played(told, ending, reward, groups[told.group].leader, stood)
        for told, ending, reward in zip(report.sides, endings, rewards, strict=True)
    )


def _played(told: SideReport, ending: Ending, reward: bool, leader: str, sides: Sides) -> Played:
    rival, *further = rivals_of(sides, told.group)
    return Played(ending, told, leader, reward, rival, tuple(further), allies_of(sides, told.group))


def faults_of_report(
    rules: Rules,
    report: GameReport,
    groups: Mapping[str, Group],
    mustered: Mapping[str, Collection[str]],
    sides: Sides = (),
) -> list[Fault]:
    """Everything in a report that contradicts itself, the other sides, the muster or the rules."""
    named = [told.group for told in report.sides]
    if sorted(named) != sorted(groups):
        return [Fault("/sides", ", ".join(named), expects("groups-each-once", groups=sorted(groups)), "FS-REP-1")]
    stood = sides or _each_alone(report)
    faults: list[Fault] = []
    for number, told in enumerate(report.sides):
        faults += faults_of_deeds(rules, report, number, groups, mustered[told.group], stood)
    endings = endings_of(report, stood)
    won = {told.group for told, ending in zip(report.sides, endings, strict=True) if ending == "win"}
    faults += faults_of_encounters(rules, report, groups, won)
    return [*faults_of_outcome(rules, report, groups, stood), *faults]


def faults_of_outcome(rules: Rules, report: GameReport, groups: Mapping[str, Group], sides: Sides = ()) -> list[Fault]:
    """What in a report decides who won, and cannot be: lines, points, concessions, the end. FS-REP-1, FS-REP-4."""
    faults = [
        fault for number, told in enumerate(report.sides) for fault in _faults_of_side(rules, told, f"/sides/{number}")
    ]
    faults += faults_of_concessions(rules, report, groups, sides)
    return [*faults, *faults_of_markers(rules, report, sides), *_faults_of_end(rules, report, sides)]


def _each_alone(report: GameReport) -> Sides:
    return [[told.group] for told in report.sides]


def game_end_total(rules: Rules, turn: int, uncontrolled: int, natural: int) -> int | None:
    """What the die at a turn's end comes to; nothing before the turn in which the first is rolled. FS-GAM-8, FS-EX-5.

    A total of `core.end_total` or more ends the game. uncontrolled: markers that nobody controls.
    """
    first = rules.core.end_check_turn
    return None if turn < first else natural + uncontrolled + turn - first


def game_ends(rules: Rules, turn: int, uncontrolled: int, natural: int) -> bool:
    """Whether that die ends the game. FS-GAM-8."""
    total = game_end_total(rules, turn, uncontrolled, natural)
    return total is not None and total >= rules.core.end_total


def end_of_game(rules: Rules, report: GameReport) -> Events:
    """The recorded die that ended the game of an accepted report, with what modified it; nothing after a concession.

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
    """The last turn's die has to end the game; there is none where concessions ended it. FS-GAM-8, FS-REP-1."""
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
    """Markers that nobody controls at the end."""
    return len(rules.core.lines) - sum(len(side.lines) for side in report.sides)


def faults_of_markers(rules: Rules, report: GameReport, sides: Sides = ()) -> Iterator[Fault]:
    """A marker has one controller, and there are five. FS-GAM-6, FS-REP-4, FS-AMB-47."""
    sides = sides or [[told.group] for told in report.sides]
    for (number, one), (_, other) in combinations(enumerate(report.sides), 2):
        allied = other.group in allies_of(sides, one.group)
        for line in sorted(set(one.lines)):
            theirs = _same_marker(rules, line, allied=allied, edges=len(sides))
            if theirs in other.lines:
                expected = expects("one-controller", group=other.group, line=theirs)
                yield Fault(f"/sides/{number}/lines", f"{line}", expected, "FS-REP-4")
    if uncontrolled(rules, report) < 0 and len(sides) > 2:
        held = sum(len(told.lines) for told in report.sides)
        yield Fault("/sides", f"{held}", expects("at-most-lines", most=len(rules.core.lines)), "FS-GAM-6")


def _same_marker(rules: Rules, line: int, *, allied: bool, edges: int) -> int | None:
    """What another group calls the marker on a line of one group; nothing where that cannot be known."""
    known = rules.core.lines
    if allied or rules.options.line_numbering == "absolute":
        return line
    mirrored = known[0] + known[-1] - line
    return mirrored if edges == 2 or mirrored == line else None


def improbable_in_report(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], sides: Sides = ()
) -> list[Fault]:
    """What of a possible report no game is likely to bring, each with the most that would be.

    groups: as they were mustered, by id. sides: who stood with whom; without any each group for itself. The deck, the
    terrain and the groups are the report's own.
    """
    found = [*_of_encounters(rules, report), *_of_the_end(rules, report)]
    for side in reports_by_side(report, sides):
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
