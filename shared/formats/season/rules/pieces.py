"""The values of a season's ranking: those made of a member's results, beside those that every format has.

| name            | value                                                                    | `of`            |
|-----------------|--------------------------------------------------------------------------|-----------------|
| `season_points` | sum of the points of the results that count                              |                 |
| `all_points`    | that, with the results that are not among the best                       |                 |
| `best_result`   | points of the best single result, or of the n-th best                    | n, otherwise 1  |
| `places`        | how often the member took the first place, or the n-th                   | n, otherwise 1  |
| `latest_result` | points in the latest tournament, or in the n-th from the end; 0 if missed | n, otherwise 1  |
| `attendance`    | tournaments attended                                                     |                 |
| of games        | `wins`, `head_to_head`, `total`, `schedule_sum` … (`registries.py`)      | `game_points`, `score` |

Source: SEA-TIE-1 to SEA-TIE-7.

The shared tiebreakers want one record for each game of each member. SEA-GAMES.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from shared.formats.season.rules.counting import ATTENDED, Own, game_worth, worth_of_game
from shared.formats.season.rules.model import Counted, GamePlayed, Gathered, Left, Member
from shared.formats.season.rules.ruleset import GameWorth, SeasonRuleset
from shared.rules.model import Outcome, Value
from shared.rules.records import Played, Records
from shared.rules.tiebreakers import Criterion

VALUES = ("game_points", "score")
"""The values of each game: what it is worth in the season, and the points it gave in its tournament."""

_OTHER: Mapping[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}


def identities(members: Iterable[Member]) -> dict[tuple[str, str], str]:
    """Tournament and entry -> the member who that is."""
    return {(one.tournament, one.entry): member.player for member in members for one in member.entries}


def records_of_season(
    rules: SeasonRuleset,
    members: Sequence[Member],
    own: Mapping[str, Sequence[Own]],
    counted: Mapping[str, Sequence[Counted]],
) -> Records:
    """Every game of every member in the order they were played, in tournaments that the ruleset's tiebreakers see.

    An opponent whom no member has claimed is nobody, as a spare player is: nothing is known of their season.
    """
    seen: Collection[Left] = ATTENDED if rules.counting.games == "every" else {""}
    who = identities(members)
    records: dict[str, list[Played]] = {}
    for member in members:
        rounds = records[member.player] = []
        for one, result in zip(own[member.player], counted[member.player], strict=True):
            if result.reason in seen:
                worth = game_worth(rules.points, one.gathered.format)
                for game in one.result.games:
                    rounds.append(_played(len(rounds) + 1, game, one.gathered, worth, who))
    return records


def _played(
    number: int, game: GamePlayed, gathered: Gathered, worth: GameWorth, who: Mapping[tuple[str, str], str]
) -> Played:
    met = game.kind == "game" and game.opponent
    return Played(
        number,
        who.get((gathered.tournament, game.opponent)) if met else None,
        game.outcome,
        {"game_points": worth_of_game(worth, game), "score": game.score},
        game.kind == "bye",
        {"game_points": _against(worth, game), "score": game.against},
    )


def _against(worth: GameWorth, game: GamePlayed) -> int:
    """What the other side had of a game; there is none in a bye."""
    if game.kind == "bye" or not game.opponent:
        return 0
    return worth_of_game(worth, GamePlayed(_OTHER[game.outcome], kind=game.kind))


class Card(Struct, frozen=True, gc=False):
    """What a member's values are made of: the results, and the `order` of every tournament open to the member."""

    results: Sequence[Counted]
    orders: Sequence[int]

    @property
    def attended(self) -> list[Counted]:
        """The results of tournaments attended, whether they are among the best or not."""
        return [one for one in self.results if one.reason in ATTENDED]


SeasonPiece = Callable[[Card, Criterion], Value]


def season_points(card: Card, rule: Criterion) -> Value:
    """The points of the results that count."""
    return sum(one.points for one in card.results if not one.reason)


def all_points(card: Card, rule: Criterion) -> Value:
    """The points of every tournament attended."""
    return sum(one.points for one in card.attended)


def best_result(card: Card, rule: Criterion) -> Value:
    """The points of the best single result, or of the n-th best; 0 where there are fewer."""
    points = sorted((one.points for one in card.attended), reverse=True)
    return points[nth(rule) - 1] if nth(rule) <= len(points) else 0


def places(card: Card, rule: Criterion) -> Value:
    """How often the member took the n-th place; shared ones count."""
    return sum(one.place == nth(rule) for one in card.attended)


def latest_result(card: Card, rule: Criterion) -> Value:
    """The points in the n-th tournament from the end; 0 for who was not there."""
    if nth(rule) > len(card.orders):
        return 0
    order = card.orders[-nth(rule)]
    return next((one.points for one in card.attended if one.order == order), 0)


def attendance(card: Card, rule: Criterion) -> Value:
    """How many tournaments the member attended."""
    return len(card.attended)


def nth(rule: Criterion) -> int:
    """The number in `of`; the first where it is empty."""
    return int(rule.of or 1)


SEASON_PIECES: Mapping[str, SeasonPiece] = MappingProxyType(
    {
        "season_points": season_points,
        "all_points": all_points,
        "best_result": best_result,
        "places": places,
        "latest_result": latest_result,
        "attendance": attendance,
    }
)

NUMBERED = frozenset({"best_result", "places", "latest_result"})
"""Pieces whose `of` is a number."""
