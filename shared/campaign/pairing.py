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
"""Smallest number of groups in a game with sides. A game of two has none (FS-RND-5)."""

SMALL_FIELD = 31
"""Largest field in which every combination of three is tried if no group can join a game without a rematch."""


def pair_round(
    rules: Rules, table: Sequence[Standing], met: Met, had_bye: Collection[str] = (), left_out: Collection[str] = ()
) -> list[Pairing]:
    """Return the pairings of a round; a bye comes last.

    table: the standings, best first.
    met: group -> its rivals so far.
    had_bye: a group once for each of its byes.
    left_out: groups that are withdrawn or eliminated.

    Groups with equal points meet, those with the nearest ratings first. Rematches are avoided if possible, even by
    giving the bye to another group than the lowest. If they cannot be avoided they are spread evenly. `nearest_rating`
    ignores points. `game_of_three` gives no bye in a field of three or more groups.
    Raises StepRefused if the organiser pairs by hand. Source: FS-RND-2, FS-RND-3, FS-RND-5.
    """
    if rules.options.pairing == "manual":
        expected = or_option(expects("pairings-by-organiser"), "fs.pairing.method=swiss")
        fault = Fault("/pairings", "nothing", expected, "FS-RND-2")
        raise StepRefused("the organiser pairs this campaign", [fault])
    field = [line for line in table if line.group not in left_out and not line.withdrawn]
    if len(field) % 2 == 0:
        return _pair_even_field(rules, field, met)
    if rules.options.odd_field == "game_of_three" and len(field) > 1:
        return _with_three(rules, field, met, had_bye)
    return _with_bye(rules, field, met, had_bye)


def _with_bye(rules: Rules, playing: Sequence[Standing], met: Met, had_bye: Collection[str]) -> list[Pairing]:
    """Pair an odd field with a bye (FS-RND-3)."""
    lowest, *higher = bye_candidates(playing, had_bye)
    games, reason, resting = (
        _pair_even_field(rules, _without(playing, lowest), met),
        "lowest standing without a bye",
        lowest,
    )
    least = _cost_of_round(games, met)
    for other in higher:
        if not least.rematches:
            break
        candidate = _pair_even_field(rules, _without(playing, other), met)
        cost = _cost_of_round(candidate, met)
        if cost[:2] < least[:2]:
            avoided = "a rematch" if cost.rematches < least.rematches else "the same game two rounds running"
            games, resting, least, reason = candidate, other, cost, f"the bye of {lowest} would bring about {avoided}"
    return [*games, Pairing("bye", resting, reason=reason)]


def _with_three(rules: Rules, playing: Sequence[Standing], met: Met, had_bye: Collection[str]) -> list[Pairing]:
    """Pair an odd field with one game of three, at the lowest rematch cost."""
    best: list[Pairing] = []
    least: RematchCost | None = None
    for candidate in _rounds_with_joined_game(rules, playing, met, had_bye):
        cost = _cost_of_round(candidate, met)
        if least is None or cost < least:
            best, least = candidate, cost
        if least == FIRST_MEETING:
            return best
    return _any_three(rules, playing, met, least or FIRST_MEETING) or best


def _rounds_with_joined_game(
    rules: Rules, playing: Sequence[Standing], met: Met, had_bye: Collection[str]
) -> Iterator[list[Pairing]]:
    """Yield rounds in which one group joins a game of the others, the bye candidate and the lowest game first."""
    place = {line.group: number for number, line in enumerate(playing)}
    lowest, *others = bye_candidates(playing, had_bye)
    rested = [line.group for line in reversed(playing) if line.group not in (lowest, *others)]
    for group in (lowest, *others, *rested):
        games = _pair_even_field(rules, _without(playing, group), met)
        why = f"{group} would be left over, and joins"
        if group != lowest:
            why = f"{group} joins, for fewer rematches than with {lowest}"
        for at in sorted(range(len(games)), key=lambda n: -max(place[player] for player in games[n].players)):
            three = _three((*games[at].players, group), f"{games[at].reason}; {why}", met)
            yield [*games[:at], three, *games[at + 1 :]]


def _any_three(rules: Rules, playing: Sequence[Standing], met: Met, least: RematchCost) -> list[Pairing]:
    """Return a round that costs less than `least`, with any three groups in one game; empty if there is none."""
    best: tuple[Standing, ...] = ()
    for three in combinations(reversed(playing), 3) if len(playing) <= SMALL_FIELD else ():
        cost = _rematch_cost([line.group for line in three], met)
        if cost < least:
            cost = cost.plus(
                optimal_pairing([[line.group for line in playing if line not in three]], met).profile.again
            )
        if cost < least:
            best, least = three, cost
        if least == FIRST_MEETING:
            break
    if not best:
        return []
    games = _pair_even_field(rules, [line for line in playing if line not in best], met)
    reason = "three of an odd field, for the fewest rematches"
    return [*games, _three(tuple(line.group for line in reversed(best)), reason, met)]


def _three(players: tuple[str, ...], reason: str, met: Met) -> Pairing:
    first, second, *_ = players
    sides = tuple((player,) for player in players)
    return Pairing(
        "game", first, second, reason=reason, rematch=_rematch_cost(players, met) != FIRST_MEETING, sides=sides
    )


def _rematch_cost(players: Sequence[str], met: Met) -> RematchCost:
    """Return the rematch cost of a game in which all these groups are rivals."""
    return cost_of(combinations(players, 2), met)


def _cost_of_round(games: Iterable[Pairing], met: Met) -> RematchCost:
    """Return the rematch cost of the games of a round."""
    return reduce(RematchCost.plus, (_rematch_cost(game.players, met) for game in games), FIRST_MEETING)


def _pair_even_field(rules: Rules, playing: Sequence[Standing], met: Met) -> list[Pairing]:
    """Return the games of an even field."""
    active = sorted(playing, key=lambda line: (-line.rating, line.group))
    points = {line.group: line.points for line in active}
    if rules.options.pairing == "nearest_rating":
        points = dict.fromkeys(points, 0)
    ranked = sorted(points, key=lambda group: -points[group])
    games = []
    for first, second in pair_in_groups(group_by_points(ranked, points), met):
        again = met.get(first, {}).get(second, FIRST_MEETING)
        reason = _reason(rules, points[first], points[second]) + rematch_text(again)
        games.append(Pairing("game", first, second, reason=reason, rematch=again != FIRST_MEETING))
    return games


def _without(playing: Sequence[Standing], group: str) -> list[Standing]:
    return [line for line in playing if line.group != group]


def _reason(rules: Rules, first: int, second: int) -> str:
    """Return why two groups meet. first, second: their league points."""
    if rules.options.pairing == "nearest_rating":
        return "nearest rating"
    return f"nearest rating at {first} points" if first == second else f"paired down: {first} points and {second}"


def bye_candidates(playing: Sequence[Standing], had_bye: Collection[str]) -> list[str]:
    """Return the bye candidates, lowest in the standings first: those with the fewest byes (FS-RND-3)."""
    times = Counter(had_bye)
    fewest = min(times[line.group] for line in playing)
    return [line.group for line in reversed(playing) if times[line.group] == fewest]


def faults_of_next_round(
    rules: Rules, groups: Mapping[str, Group], active: Collection[str], round: int
) -> Iterator[Fault]:
    """Yield faults unless rounds remain and all post-game phases are finished (FS-RND-1, FS-LGE-3)."""
    if round > rules.options.rounds:
        expected = or_option(expects("between", least=1, most=rules.options.rounds), f"fs.campaign.rounds={round}")
        yield Fault("/round", f"{round}", expected, "FS-LGE-3")
    for id in sorted(active):
        phase = groups[id].phase
        if phase is not None:
            yield Fault(f"/groups/{id}", phase.step, expects("step-closed", step="9"), "FS-RND-1")
