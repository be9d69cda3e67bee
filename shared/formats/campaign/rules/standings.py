"""The league table: points by outcome, then tiebreaks in order; equals share a rank. FS-LGE-1 to FS-LGE-3."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct

from shared.formats.campaign.rules.options import Options, Tiebreak
from shared.formats.campaign.rules.reported import Ending, rivals_of
from shared.formats.campaign.rules.tables import Rules

Compared = Literal["league_points"] | Tiebreak
"""What two groups may be separated by."""


class LeagueGame(Struct, frozen=True):
    """A game as the league counts it, or a bye or an absence of one group. vp: of each group.

    sides: who stood with whom; none where each group stood for itself.
    """

    groups: tuple[str, ...]
    endings: tuple[Ending, ...]
    vp: tuple[int, ...]
    sides: tuple[tuple[str, ...], ...] = ()

    def rivals_of(self, group: str) -> tuple[str, ...]:
        """Whom a group met."""
        return rivals_of(self.sides or [[one] for one in self.groups], group)


class Standing(Struct, frozen=True, omit_defaults=True):
    """A line of the table. rank: from 1, shared by equals. rating: as last made final."""

    rank: int
    group: str
    points: int
    rating: int
    vp: int
    tied: bool = False
    withdrawn: bool = False


def bye(group: str) -> LeagueGame:
    """A bye. FS-RND-3."""
    return LeagueGame((group,), ("bye",), (0,))


def no_show(present: str, absent: str) -> LeagueGame:
    """A game to which one did not come: a loss for it, a bye for the other. FS-LGE-1."""
    return LeagueGame((present, absent), ("bye", "no_show"), (0, 0))


def league_points(options: Options, ending: Ending) -> int:
    """League points of an outcome. FS-LGE-1."""
    points = options.league_points
    by_ending = {"win": points.win, "draw": points.draw, "loss": points.loss, "no_show": points.loss}
    return options.bye_points if ending == "bye" else by_ending[ending]


def league_table(
    rules: Rules, ratings: Mapping[str, int], games: Sequence[LeagueGame], withdrawn: Collection[str] = ()
) -> list[Standing]:
    """The standings of all groups of `ratings`, best first.

    ratings: group -> final rating of the last closed round. A withdrawn group keeps its place. Source: FS-LGE-2.
    """
    made = compared(rules, ratings, games)
    vp = {group: _total(games, group, lambda game, n: game.vp[n]) for group in ratings}
    order = sorted(ratings, key=lambda group: (*(-value for value in made[group].values()), group))
    table: list[Standing] = []
    for _, equals in groupby(order, key=lambda group: made[group]):
        same = list(equals)
        rank = len(table) + 1
        table += [
            Standing(
                rank, group, made[group]["league_points"], ratings[group], vp[group], len(same) > 1, group in withdrawn
            )
            for group in same
        ]
    return table


def compared(rules: Rules, ratings: Mapping[str, int], games: Sequence[LeagueGame]) -> dict[str, dict[Compared, int]]:
    """What groups are compared by, in order: league points, then the tiebreaks in force. FS-LGE-2, FS-AMB-59."""
    options = rules.options
    points = {group: _total(games, group, lambda game, n: league_points(options, game.endings[n])) for group in ratings}
    vp = {group: _total(games, group, lambda game, n: game.vp[n]) for group in ratings}

    def of(group: str) -> dict[Compared, int]:
        equals = {other for other in points if points[other] == points[group]}
        values: Mapping[Tiebreak, int] = {
            "group_rating": ratings[group],
            "total_vp": vp[group],
            "head_to_head": _between(options, games, group, equals),
        }
        return {"league_points": points[group], **{tiebreak: values[tiebreak] for tiebreak in options.tiebreaks}}

    return {group: of(group) for group in ratings}


def separated_by(one: Mapping[Compared, int], other: Mapping[Compared, int]) -> Compared | Literal[""]:
    """The first value in which two groups differ; empty for equals, who share a rank. FS-LGE-2."""
    return next((name for name, value in one.items() if value != other[name]), "")


def _total(games: Sequence[LeagueGame], group: str, value: Callable[[LeagueGame, int], int]) -> int:
    return sum(value(game, game.groups.index(group)) for game in games if group in game.groups)


def _between(options: Options, games: Sequence[LeagueGame], group: str, equals: Collection[str]) -> int:
    """League points won where all who played have equally many. FS-AMB-59."""
    among = [game for game in games if len(game.groups) > 1 and set(game.groups) <= set(equals)]
    return _total(among, group, lambda game, n: league_points(options, game.endings[n]))
