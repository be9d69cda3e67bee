"""How a game ended for each group, and who may claim a reward: points and concessions. FS-GAM-9 to FS-GAM-11.

The side with the most victory points wins, and all its groups with it; sides that tie at the top draw. A side is out
when all its groups conceded. A group that conceded has lost, whatever its side does; what it held stays its side's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shared.formats.campaign.rules.muster import is_evil
from shared.formats.campaign.rules.options import or_option
from shared.formats.campaign.rules.reported import Ending, GameReport, SideReport, Sides, rivals_of
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.tables import Rules
from shared.refusals import Fault, expects


def sides_told(report: GameReport, sides: Sides) -> list[list[SideReport]]:
    """What is told of each side, group by group; where no sides are given, each group stands for itself."""
    told = {side.group: side for side in report.sides}
    return [[told[group] for group in side] for side in sides or [[group] for group in told]]


def endings_of(report: GameReport, sides: Sides = ()) -> tuple[Ending, ...]:
    """How the game ended for each group, in the order of the report. FS-GAM-9, FS-GAM-11."""
    top = _top(sides_told(report, sides))
    at_top = {told.group for side in top for told in side}
    best: Ending = "win" if len(top) == 1 else "draw"
    return tuple("loss" if told.conceded or told.group not in at_top else best for told in report.sides)


def rewards_of(rules: Rules, report: GameReport, sides: Sides = ()) -> tuple[bool, ...]:
    """Who may claim the reward of the own objective: every winner; in a draw those at the top, where their side has
    enough points. FS-GAM-10."""
    top = _top(sides_told(report, sides))
    enough = len(top) == 1 or points_of(top[0]) >= rules.core.tie_reward_vp
    return tuple(enough and ending in ("win", "draw") for ending in endings_of(report, sides))


def points_of(side: Sequence[SideReport]) -> int:
    """The victory points of a side: the sum of its groups'. FS-GAM-6."""
    return sum(told.vp for told in side)


def is_given_up(report: GameReport, sides: Sides = ()) -> bool:
    """Whether concessions ended the game: one side at most was left. FS-GAM-11."""
    return len(_left(sides_told(report, sides))) <= 1


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
