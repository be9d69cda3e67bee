"""Pairing of a campaign round, byes, and games of three groups (FS-RND-1 to FS-RND-5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations

from shared.campaign.league import Standing
from shared.campaign.roster import Group
from shared.campaign.tables import Rules, or_option
from shared.campaign.words import StepRefused
from shared.refusals import Fault, expects
from shared.rules.matching import FIRST_MEETING, Met, RematchCost, cost_of, optimal_pairing, rematch_text
from shared.rules.model import Pairing
from shared.rules.pairing import group_by_points, pair_in_groups

FEWEST_IN_SIDES = 3
"""Groups of a game that has sides; a game of two has none. FS-RND-5."""

SMALL_FIELD = 31
"""Groups up to whom every three are looked at, where nobody can join a game without a rematch."""


def pair_round(
    rules: Rules, table: Sequence[Standing], met: Met, had_bye: Collection[str] = (), left_out: Collection[str] = ()
) -> list[Pairing]:
    """Pairings of a round; a bye is the last of them.

    table: the standings, best first. met: group -> its rivals so far. had_bye: once for each bye so far. left_out:
    groups withdrawn or eliminated. Groups with equal points meet first, those with the nearest ratings; nobody meets
    the same rival again while that can be avoided, be it by another bye than the lowest standing's. Where it cannot,
    meetings are spread evenly. With `nearest_rating` points do not matter. With `game_of_three` nobody of three or more
    groups has a bye. Raises StepRefused where the organiser pairs by hand.
    Source: FS-RND-2, FS-RND-3, FS-RND-5.
    """
    if rules.options.pairing == "manual":
        expected = or_option(expects("pairings-by-organiser"), "fs.pairing.method=swiss")
        fault = Fault("/pairings", "nothing", expected, "FS-RND-2")
        raise StepRefused("the organiser pairs this campaign", [fault])
    playing = [line for line in table if line.group not in left_out and not line.withdrawn]
    if len(playing) % 2 == 0:
        return _games(rules, playing, met)
    if rules.options.odd_field == "game_of_three" and len(playing) > 1:
        return _with_three(rules, playing, met, had_bye)
    return _with_bye(rules, playing, met, had_bye)


def _with_bye(rules: Rules, playing: Sequence[Standing], met: Met, had_bye: Collection[str]) -> list[Pairing]:
    """The games of an odd number of groups, and the bye of one. FS-RND-3."""
    lowest, *higher = byes_of(playing, had_bye)
    games, reason, resting = _games(rules, _without(playing, lowest), met), "lowest standing without a bye", lowest
    least = _cost(games, met)
    for other in higher:
        if not least.rematches:
            break
        tried = _games(rules, _without(playing, other), met)
        cost = _cost(tried, met)
        if cost[:2] < least[:2]:
            why = "a rematch" if cost.rematches < least.rematches else "the same game two rounds running"
            games, resting, least, reason = tried, other, cost, f"the bye of {lowest} would bring about {why}"
    return [*games, Pairing("bye", resting, reason=reason)]


def _with_three(rules: Rules, playing: Sequence[Standing], met: Met, had_bye: Collection[str]) -> list[Pairing]:
    """The games of an odd number of groups, one of them of three: of all rounds, one with the least `RematchCost`."""
    found: list[Pairing] = []
    least: RematchCost | None = None
    for made in _joined(rules, playing, met, had_bye):
        cost = _cost(made, met)
        if least is None or cost < least:
            found, least = made, cost
        if least == FIRST_MEETING:
            return found
    return _any_three(rules, playing, met, least or FIRST_MEETING) or found


def _joined(rules: Rules, playing: Sequence[Standing], met: Met, had_bye: Collection[str]) -> Iterator[list[Pairing]]:
    """Rounds in which somebody joins a game of the others: who would have the bye, and the lowest game, first."""
    place = {line.group: number for number, line in enumerate(playing)}
    lowest, *others = byes_of(playing, had_bye)
    rested = [line.group for line in reversed(playing) if line.group not in (lowest, *others)]
    for group in (lowest, *others, *rested):
        games = _games(rules, _without(playing, group), met)
        why = f"{group} would be left over, and joins"
        if group != lowest:
            why = f"{group} joins, for fewer rematches than with {lowest}"
        for at in sorted(range(len(games)), key=lambda n: -max(place[one] for one in games[n].players)):
            three = _three((*games[at].players, group), f"{games[at].reason}; {why}", met)
            yield [*games[:at], three, *games[at + 1 :]]


def _any_three(rules: Rules, playing: Sequence[Standing], met: Met, least: RematchCost) -> list[Pairing]:
    """A round that costs less than `least`, whichever three meet in it; empty where there is none."""
    found: tuple[Standing, ...] = ()
    for three in combinations(reversed(playing), 3) if len(playing) <= SMALL_FIELD else ():
        cost = _again([line.group for line in three], met)
        if cost < least:
            cost = cost.plus(
                optimal_pairing([[line.group for line in playing if line not in three]], met).profile.again
            )
        if cost < least:
            found, least = three, cost
        if least == FIRST_MEETING:
            break
    if not found:
        return []
    games = _games(rules, [line for line in playing if line not in found], met)
    reason = "three of an odd field, for the fewest rematches"
    return [*games, _three(tuple(line.group for line in reversed(found)), reason, met)]


def _three(players: tuple[str, ...], reason: str, met: Met) -> Pairing:
    first, second, *_ = players
    sides = tuple((player,) for player in players)
    return Pairing("game", first, second, reason=reason, rematch=_again(players, met) != FIRST_MEETING, sides=sides)


def _again(players: Sequence[str], met: Met) -> RematchCost:
    """Return the cost of a game in which all of these are rivals."""
    return cost_of(combinations(players, 2), met)


def _cost(games: Iterable[Pairing], met: Met) -> RematchCost:
    """Return the cost of the games of a round."""
    return reduce(RematchCost.plus, (_again(game.players, met) for game in games), FIRST_MEETING)


def _games(rules: Rules, playing: Sequence[Standing], met: Met) -> list[Pairing]:
    """The games of an even number of groups."""
    active = sorted(playing, key=lambda line: (-line.rating, line.group))
    points = {line.group: line.points for line in active}
    if rules.options.pairing == "nearest_rating":
        points = dict.fromkeys(points, 0)
    ranked = sorted(points, key=lambda group: -points[group])
    games = []
    for one, two in pair_in_groups(group_by_points(ranked, points), met):
        again = met.get(one, {}).get(two, FIRST_MEETING)
        reason = _reason(rules, points[one], points[two]) + rematch_text(again)
        games.append(Pairing("game", one, two, reason=reason, rematch=again != FIRST_MEETING))
    return games


def _without(playing: Sequence[Standing], group: str) -> list[Standing]:
    return [line for line in playing if line.group != group]


def _reason(rules: Rules, one: int, two: int) -> str:
    """Why two meet. one, two: their league points."""
    if rules.options.pairing == "nearest_rating":
        return "nearest rating"
    return f"nearest rating at {one} points" if one == two else f"paired down: {one} points and {two}"


def byes_of(playing: Sequence[Standing], had_bye: Collection[str]) -> list[str]:
    """Return who may have the bye, the lowest in the standings first: those with the fewest byes so far. FS-RND-3."""
    times = Counter(had_bye)
    fewest = min(times[line.group] for line in playing)
    return [line.group for line in reversed(playing) if times[line.group] == fewest]


def faults_of_next_round(
    rules: Rules, groups: Mapping[str, Group], active: Collection[str], round: int
) -> Iterator[Fault]:
    """A round is paired after every active group's post-game phase, and while rounds are left. FS-RND-1, FS-LGE-3."""
    if round > rules.options.rounds:
        expected = or_option(expects("between", least=1, most=rules.options.rounds), f"fs.campaign.rounds={round}")
        yield Fault("/round", f"{round}", expected, "FS-LGE-3")
    for id in sorted(active):
        phase = groups[id].phase
        if phase is not None:
            yield Fault(f"/groups/{id}", phase.step, expects("step-closed", step="9"), "FS-RND-1")
