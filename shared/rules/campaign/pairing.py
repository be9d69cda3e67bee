"""Who meets whom in a campaign round, and who has the bye. FS-RND-1 to FS-RND-4."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from shared.refusals import Fault
from shared.rules.brackets import by_points, pair_in_groups
from shared.rules.campaign.refusals import StepRefused
from shared.rules.campaign.roster import Group
from shared.rules.campaign.standings import Standing
from shared.rules.campaign.tables import Rules
from shared.rules.matching import Met
from shared.rules.model import Pairing


def pair_round(
    rules: Rules, table: Sequence[Standing], met: Met, had_bye: Collection[str] = (), left_out: Collection[str] = ()
) -> list[Pairing]:
    """Pairings of a round, the bye last.

    table: the standings, best first. met: group -> whom it has met. left_out: groups withdrawn or eliminated. Groups
    with equal points meet first, those with the nearest ratings; nobody meets the same rival again while that can be
    avoided, be it by another bye than the lowest standing's. With `nearest_rating` points do not matter. Raises
    StepRefused where the organiser pairs by hand. Source: FS-RND-2, FS-RND-3.
    """
    if rules.options.pairing == "manual":
        expected = "pairings given by the organiser, or the option fs.pairing.method=swiss"
        fault = Fault("/pairing", "pairings by rule", expected, "FS-RND-2")
        raise StepRefused("the organiser pairs this campaign", [fault])
    playing = [line for line in table if line.group not in left_out and not line.withdrawn]
    if len(playing) % 2 == 0:
        return _games(rules, playing, met)
    lowest, *higher = byes_of(playing, had_bye)
    games, reason, resting = _games(rules, _without(playing, lowest), met), "lowest standing without a bye", lowest
    for other in higher:
        if not any(game.rematch for game in games):
            break
        tried = _games(rules, _without(playing, other), met)
        if sum(game.rematch for game in tried) < sum(game.rematch for game in games):
            games, resting, reason = tried, other, f"the bye of {lowest} would bring about a rematch"
    return [*games, Pairing("bye", resting, reason=reason)]


def _games(rules: Rules, playing: Sequence[Standing], met: Met) -> list[Pairing]:
    """The games of an even number of groups."""
    active = sorted(playing, key=lambda line: (-line.rating, line.group))
    points = {line.group: line.points for line in active}
    if rules.options.pairing == "nearest_rating":
        points = dict.fromkeys(points, 0)
    ranked = sorted(points, key=lambda group: -points[group])
    return [
        Pairing("game", one, two, reason=_reason(rules, points[one], points[two]), rematch=two in met.get(one, ()))
        for one, two in pair_in_groups(by_points(ranked, points), met)
    ]


def _without(playing: Sequence[Standing], group: str) -> list[Standing]:
    return [line for line in playing if line.group != group]


def _reason(rules: Rules, one: int, two: int) -> str:
    """Why two meet. one, two: their league points."""
    if rules.options.pairing == "nearest_rating":
        return "nearest rating"
    return f"nearest rating at {one} points" if one == two else f"paired down: {one} points and {two}"


def byes_of(playing: Sequence[Standing], had_bye: Collection[str]) -> list[str]:
    """Who may have the bye, the lowest in the standings first: those who have had none, or else all. FS-RND-3."""
    upwards = [line.group for line in reversed(playing)]
    return [group for group in upwards if group not in had_bye] or upwards


def faults_of_next_round(
    rules: Rules, groups: Mapping[str, Group], active: Collection[str], round: int
) -> Iterator[Fault]:
    """A round is paired after every active group's post-game phase, and while rounds are left. FS-RND-1, FS-LGE-3."""
    if round > rules.options.rounds:
        expected = f"1 to {rules.options.rounds}, or the option fs.campaign.rounds={round}"
        yield Fault("/round", f"{round}", expected, "FS-LGE-3")
    for id in sorted(active):
        phase = groups[id].phase
        if phase is not None:
            yield Fault(f"/groups/{id}", f"in step {phase.step}", "step 9 closed", "FS-RND-1")
