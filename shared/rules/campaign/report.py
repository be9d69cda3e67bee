"""Is this game report possible, who won, and who may claim a reward? FS-GAM-6 to FS-GAM-11, FS-REP-1 to FS-REP-4."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec.structs import replace

from shared.refusals import Fault
from shared.rules.campaign.deeds import faults_of_deeds
from shared.rules.campaign.dice import Modifier, check_succeeds, read_throw
from shared.rules.campaign.encounters_told import faults_of_encounters
from shared.rules.campaign.game_outcomes import GameEnded
from shared.rules.campaign.muster import is_evil
from shared.rules.campaign.refusals import DiceRefused, ReportRefused
from shared.rules.campaign.reported import Ending, GameReport, Played, SideReport
from shared.rules.campaign.roster import Group
from shared.rules.campaign.tables import Rules
from shared.rules.campaign.words import Outcome


def accept_report(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], mustered: Mapping[str, Collection[str]]
) -> tuple[Played, Played]:
    """The game as each side sees it in its post-game phase.

    groups: both by id, as they were mustered. mustered: group -> members fielded. Raises ReportRefused with every
    fault.
    """
    faults = faults_of_report(rules, report, groups, mustered)
    if faults:
        raise ReportRefused("this cannot have happened in the game", faults)
    endings, rewards = endings_of(report), rewards_of(rules, report)
    first, second = (
        Played(endings[n], side, groups[side.group].leader, rewards[n], report.sides[1 - n].group)
        for n, side in enumerate(report.sides)
    )
    return first, second


def faults_of_report(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], mustered: Mapping[str, Collection[str]]
) -> list[Fault]:
    """Everything in a report that contradicts itself, the other side, the muster or the rules."""
    if {side.group for side in report.sides} != set(groups) or len(groups) != 2:
        said = " and ".join(side.group for side in report.sides)
        return [Fault("/sides", said, "the two groups of the pairing", "FS-REP-1")]
    faults: list[Fault] = []
    for number, side in enumerate(report.sides):
        rival = report.sides[1 - number]
        faults += faults_of_deeds(
            rules,
            side,
            rival,
            groups[side.group],
            groups[rival.group],
            mustered[side.group],
            f"/sides/{number}",
        )
    won = {side.group for side, ending in zip(report.sides, endings_of(report), strict=True) if ending == "win"}
    faults += faults_of_encounters(rules, report, groups, won)
    return [*faults_of_outcome(rules, report, groups), *faults]


def faults_of_outcome(rules: Rules, report: GameReport, groups: Mapping[str, Group]) -> list[Fault]:
    """What in a report decides who won, and cannot be: lines, points, concessions, the end. FS-REP-1, FS-REP-4."""
    faults: list[Fault] = []
    for number, side in enumerate(report.sides):
        faults += _faults_of_side(rules, side, f"/sides/{number}")
        faults += _faults_of_concession(rules, report, number, groups)
    return [*faults, *_faults_of_markers(rules, report), *_faults_of_end(rules, report)]


def endings_of(report: GameReport) -> tuple[Ending, Ending]:
    """How the game ended for each side: a concession loses, else more victory points win. FS-GAM-9, FS-GAM-11."""
    first, second = report.sides
    if first.conceded or second.conceded:
        return ("loss", "win") if first.conceded else ("win", "loss")
    if first.vp == second.vp:
        return "draw", "draw"
    return ("win", "loss") if first.vp > second.vp else ("loss", "win")


def rewards_of(rules: Rules, report: GameReport) -> tuple[bool, bool]:
    """Who may claim the reward of the own objective: the winner; in a draw both, with enough points. FS-GAM-10."""
    first, second = endings_of(report)
    if first == "draw":
        both = all(side.vp >= rules.core.tie_reward_vp for side in report.sides)
        return both, both
    return first == "win", second == "win"


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


def end_of_game(rules: Rules, report: GameReport) -> list[Outcome]:
    """The recorded die that ended the game of an accepted report, with what modified it; nothing after a concession.

    Source: FS-GAM-8, FS-AUD-1.
    """
    if report.end_roll is None:
        return []
    modifiers = [
        Modifier("uncontrolled_markers", _uncontrolled(rules, report)),
        Modifier("turn", report.last_turn - rules.core.end_check_turn),
    ]
    rolled = read_throw(report.end_roll, "1D12", "FS-GAM-8", modifiers=modifiers)
    return [rolled, GameEnded(report.last_turn, rolled.roll)]


def marker_taken(naturals: Sequence[int], attribute: int, *, held: bool) -> bool:
    """Whether checks on the objective's attribute take a marker: one, or two for a marker that a rival holds. FS-GAM-7.

    naturals: the faces of the D12, as many as that. Raises ValueError for another number.
    """
    if len(naturals) != 1 + held:
        raise ValueError(f"{1 + held} dice for this marker, not {len(naturals)}")
    return all(check_succeeds(natural, attribute) for natural in naturals)


def _faults_of_side(rules: Rules, side: SideReport, where: str) -> Iterator[Fault]:
    if not 1 <= side.objective <= 12:
        yield Fault(f"{where}/objective", f"{side.objective}", "the face of a D12, 1 to 12", "FS-GAM-5")
    known = rules.core.lines
    wrong = sorted({line for line in side.lines if line not in known or side.lines.count(line) > 1})
    for line in wrong:
        yield Fault(f"{where}/lines", f"line {line}", f"lines {known[0]} to {known[-1]}, each once", "FS-REP-4")
    if not wrong and side.vp != sum(side.lines):
        yield Fault(f"{where}/vp", f"{side.vp}", f"{sum(side.lines)}, the sum of its lines", "FS-REP-4")
    for name in ("missed", "left"):
        if getattr(side, name) < 0:
            yield Fault(f"{where}/{name}", f"{getattr(side, name)}", "0 or more", "FS-REP-3")
    for index, good in enumerate(side.loot):
        if good not in rules.goods:
            yield Fault(f"{where}/loot/{index}", repr(good), "a good of the tables", "FS-REP-3")


def _faults_of_markers(rules: Rules, report: GameReport) -> Iterator[Fault]:
    """A marker has one controller; line k of one side is line 6 - k of the other, or the same. FS-REP-4, FS-AMB-47."""
    own_side = rules.options.line_numbering == "own_side"
    first, second = report.sides
    span = rules.core.lines[0] + rules.core.lines[-1]
    for line in sorted(set(first.lines)):
        theirs = span - line if own_side else line
        if theirs in second.lines:
            said = f"line {line}, which the rival claims as its line {theirs}"
            yield Fault("/sides/0/lines", said, "one controller for each marker", "FS-REP-4")


def _faults_of_concession(
    rules: Rules, report: GameReport, number: int, groups: Mapping[str, Group]
) -> Iterator[Fault]:
    side, rival = report.sides[number], report.sides[1 - number]
    if not side.conceded:
        return
    where = f"/sides/{number}/conceded"
    if rival.conceded and number:
        yield Fault(where, "both sides conceded", "at most one", "FS-GAM-11")
    if rules.options.concession == "forbidden":
        expected = "no concession in this campaign, or the option fs.game.concession=allowed_as_loss"
        yield Fault(where, "conceded", expected, "FS-AMB-48")
    never = rules.forces[groups[side.group].force].special.never_concedes
    evil = is_evil(rules, groups[rival.group], judged=rival.evil)
    if never and (evil if never == "against_evil" else never in report.present):
        yield Fault(where, f"{groups[side.group].force} conceded", f"no concession: {never}", "FS-GAM-11")


def _faults_of_end(rules: Rules, report: GameReport) -> Iterator[Fault]:
    """The last turn's die has to end the game; there is none after a concession. FS-GAM-8, FS-REP-1."""
    if report.last_turn < 1:
        yield Fault("/last_turn", f"{report.last_turn}", "1 or more", "FS-REP-1")
    conceded = any(side.conceded for side in report.sides)
    if report.end_roll is None:
        if not conceded:
            yield Fault("/end_roll", "no roll", "the die that ended the game", "FS-REP-1")
        return
    try:
        natural = read_throw(report.end_roll, "1D12", "FS-GAM-8").natural
    except DiceRefused as refused:
        yield from (replace(fault, where=fault.where.replace("/roll", "/end_roll", 1)) for fault in refused.faults)
        return
    uncontrolled = _uncontrolled(rules, report)
    if not game_ends(rules, report.last_turn, uncontrolled, natural):
        total = game_end_total(rules, report.last_turn, uncontrolled, natural)
        said = f"no roll is made in turn {report.last_turn}" if total is None else f"a total of {total}"
        yield Fault("/end_roll", said, f"{rules.core.end_total} or more, from turn 5 on", "FS-GAM-8")


def _uncontrolled(rules: Rules, report: GameReport) -> int:
    """Markers that nobody controls at the end."""
    return len(rules.core.lines) - sum(len(side.lines) for side in report.sides)
