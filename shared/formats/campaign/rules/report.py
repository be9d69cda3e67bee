"""Is this game report possible, and how does each group see the game? FS-GAM-6 to FS-GAM-11, FS-REP-1 to FS-REP-4."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from msgspec.structs import replace

from shared.formats.campaign.rules.deeds import faults_of_deeds
from shared.formats.campaign.rules.dice import Modifier, faces_of, read_throw
from shared.formats.campaign.rules.encounters_reported import faults_of_encounters
from shared.formats.campaign.rules.endings import endings_of, faults_of_concessions, is_given_up, rewards_of
from shared.formats.campaign.rules.refusals import DiceRefused, ReportRefused
from shared.formats.campaign.rules.reported import Ending, GameReport, Played, SideReport, Sides, allies_of, rivals_of
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import CampaignEvent, Events
from shared.refusals import Fault, expects


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
        if not is_given_up(report, sides):
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
