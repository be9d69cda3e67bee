"""Counting: the results of a member that count and why, their points and weights, and the pieces of the ranking.

Source: SEA-BEST, SEA-LEFT, SEA-JOIN, SEA-DQ, SEA-PLACE-1 to SEA-PLACE-3, SEA-PART, SEA-SCORED, SEA-WEIGHT, SEA-RESULT.

| name            | value                                                                    | `of`            |
|-----------------|--------------------------------------------------------------------------|-----------------|
| `season_points` | sum of the points of the results that count                              |                 |
| `all_points`    | that, with the results that are not among the best                       |                 |
| `best_result`   | points of the best single result, or of the n-th best                    | n, otherwise 1  |
| `places`        | how often the member took the first place, or the n-th                   | n, otherwise 1  |
| `latest_result` | points in the latest tournament, or in the n-th from the end; 0 if missed | n, otherwise 1  |
| `attendance`    | tournaments attended                                                     |                 |
| of games        | `wins`, `head_to_head`, `total`, `schedule_sum` … (`tiebreakers.py`)      | `game_points`, `score` |

Source: SEA-TIE-1 to SEA-TIE-7.

The shared tiebreakers want one record for each game of each member. SEA-GAMES.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.model import Outcome, Value
from shared.rules.tiebreakers import Criterion, Played, Records
from shared.season import ruleset
from shared.season.ruleset import (
    Counted,
    Counting,
    GamePlayed,
    GameWorth,
    Gathered,
    Left,
    Member,
    PlacePoints,
    Result,
    SeasonRuleset,
)

_HALVES = ruleset.GameWorth(win=2, draw=1, loss=0, bye=2, clause="")
"""What a game counts in tiebreakers where points do not come from games: a win 2, a draw 1."""


def points_of(
    rules: ruleset.SeasonRuleset, gathered: Gathered, result: Result, place: int, sharing: int, field: int
) -> Value:
    """The points of a result, weighted; exact.

    place: that points are given for, 0: none. sharing: how many share it. field: how many players there were.
    """
    return _weighted(_unweighted(rules.points, gathered, result, place, sharing, field), weight_of(rules, gathered))


def weight_of(rules: ruleset.SeasonRuleset, gathered: Gathered) -> int:
    """Per cent: given by hand where the ruleset lets it be, otherwise of the tier, otherwise 100."""
    if gathered.weight is not None and rules.weights.by_hand:
        return gathered.weight
    return _of_tier(rules.weights, gathered.tier)


def game_worth(points: ruleset.SeasonPoints, format: str) -> ruleset.GameWorth:
    """What games of a tournament of a format are worth; halves where the season's points do not come from games."""
    return points.formats.get(format, points.games) if isinstance(points, ruleset.ResultPoints) else _HALVES


def worth_of_game(worth: ruleset.GameWorth, game: GamePlayed) -> int:
    """The points of one game: of a bye, of a game not played by this side, or of its outcome."""
    if game.kind == "bye":
        return worth.bye
    if game.kind == "forfeit" and game.outcome == "loss":
        return worth.forfeit
    return {"win": worth.win, "draw": worth.draw, "loss": worth.loss}[game.outcome]


def _of_tier(weights: ruleset.Weights, tier: str) -> int:
    return weights.tiers.get(tier, 100)


def _weighted(points: Value, weight: int) -> Value:
    return points if weight == 100 else _plain(Fraction(points) * weight / 100)


def _unweighted(
    points: ruleset.SeasonPoints, gathered: Gathered, result: Result, place: int, sharing: int, field: int
) -> Value:
    if isinstance(points, ruleset.PlacePoints):
        return points.participation + _of_place(points, place, sharing, field)
    if isinstance(points, ruleset.ResultPoints):
        worth = game_worth(points, gathered.format)
        return points.participation + sum(worth_of_game(worth, game) for game in result.games)
    return points.participation + result.score


def _of_place(points: ruleset.PlacePoints, place: int, sharing: int, field: int) -> Value:
    """Points of a place; a place outside the table, and none at all, brings nothing."""
    if place < 1:
        return 0
    places = _table(points.fields, field)
    if points.shared == "first":
        return _in_band(places, place)
    if points.shared == "last":
        return _in_band(places, place + sharing - 1)
    last = place + sharing - 1
    return _plain(Fraction(sum(band.points * _taken(band, place, last) for band in places), sharing))


def _table(fields: Sequence[ruleset.FieldClass], field: int) -> Sequence[ruleset.PlaceBand]:
    return next((one.places for one in fields if one.least <= field and (one.most is None or field <= one.most)), ())


def _in_band(places: Sequence[ruleset.PlaceBand], place: int) -> int:
    return next(
        (band.points for band in places if band.least <= place and (band.most is None or place <= band.most)), 0
    )


def _taken(band: ruleset.PlaceBand, first: int, last: int) -> int:
    """How many of the places from the first to the last are in a row of the table."""
    most = last if band.most is None else min(band.most, last)
    return max(0, most - max(band.least, first) + 1)


def _plain(value: Fraction) -> Value:
    return value.numerator if value.denominator == 1 else value


ATTENDED: frozenset[Left] = frozenset({"", "not_best"})
"""Results with which a member has attended a tournament of the season."""

NOTHING: frozenset[Left] = frozenset({"absent", "disqualified"})
"""Results that are worth nothing, so that nobody reads of points that were never there."""


class Own(Struct, frozen=True, gc=False):
    """A member's result in a tournament, and why it cannot count, whatever it is worth."""

    gathered: Gathered
    result: Result
    reason: Left


def in_order(tournaments: Iterable[Gathered]) -> list[Gathered]:
    """The tournaments in the order in which they count as played."""
    return sorted(tournaments, key=lambda one: (one.order, one.tournament))


def open_to(gathered: Gathered, division: str) -> bool:
    """Whether a tournament counts for members of a division; every one does where the season has none."""
    return not division or gathered.division in ("", division)


def own_results(
    rules: SeasonRuleset,
    members: Iterable[Member],
    tournaments: Sequence[Gathered],
    division: Mapping[str, str],
) -> dict[str, list[Own]]:
    """Every result of every member, in the order of the tournaments; of two in one tournament the better one first.

    tournaments: in their order. division: of every member. An entry that no tournament knows, as when its tournament
    was released, is left out.
    """
    by_entry = {one.tournament: {result.entry: result for result in one.results} for one in tournaments}
    found: dict[str, list[Own]] = {}
    for member in members:
        entries: dict[str, set[str]] = {}
        for entered in member.entries:
            entries.setdefault(entered.tournament, set()).add(entered.entry)
        found[member.player] = [
            own
            for one in tournaments
            if one.tournament in entries
            for own in _own(
                _Season(rules.counting, member, division[member.player]),
                one,
                entries[one.tournament],
                by_entry[one.tournament],
            )
        ]
    return found


def counted_results(
    rules: SeasonRuleset,
    own: Mapping[str, Sequence[Own]],
    tournaments: Sequence[Gathered],
    division: Mapping[str, str],
) -> dict[str, tuple[Counted, ...]]:
    """Every result of every member with its points, and whether it counts.

    Of results with equal points the earlier one counts. Source: SEA-BEST.
    """
    fields = _fields(rules, own, tournaments)
    counted: dict[str, tuple[Counted, ...]] = {}
    for player, results in own.items():
        found = [_counted(rules, one, fields[one.gathered.tournament]) for one in results]
        possible = sum(open_to(one, division[player]) for one in tournaments)
        counted[player] = _best(found, _number(rules.counting, possible))
    return counted


class _Season(Struct, frozen=True):
    rules: Counting
    member: Member
    division: str

    def why_not(self, gathered: Gathered, result: Result) -> Left:
        """Why a result cannot count, whatever it is worth and whatever else there is."""
        if not self.rules.before_joining and gathered.order < self.member.joined:
            return "before_joining"
        if not open_to(gathered, self.division):
            return "other_division"
        if not result.attended:
            return "absent"
        if result.status == "disqualified":
            return "disqualified"
        return "dropped_out" if result.status == "dropped" and not self.rules.dropped_out else ""


def _own(season: _Season, gathered: Gathered, entries: Iterable[str], known: Mapping[str, Result]) -> list[Own]:
    results = sorted((known[entry] for entry in entries if entry in known), key=_order_of_two)
    reasons = [season.why_not(gathered, result) for result in results]
    first = next((index for index, left in enumerate(reasons) if not left), None)
    return [
        Own(gathered, result, "twice" if not left and index != first else left)
        for index, (result, left) in enumerate(zip(results, reasons, strict=True))
    ]


def _order_of_two(result: Result) -> tuple[bool, int, int, str]:
    """The better of two results of one player in one tournament is smaller."""
    return not result.place, result.place, -result.score, result.entry


class _Field(Struct, frozen=True):
    """How many players a tournament had, and how many share each place."""

    players: int
    sharing: Mapping[int, int]
    among: Mapping[int, int]
    """Place in the tournament -> place that points are given for."""


def _fields(
    rules: SeasonRuleset, own: Mapping[str, Sequence[Own]], tournaments: Iterable[Gathered]
) -> dict[str, _Field]:
    """What the points of a place depend on, for each tournament: of all its players, or of the members who count.

    Source: SEA-PLACE-2, SEA-PLACE-3.
    """
    if not (isinstance(rules.points, PlacePoints) and rules.points.places == "members"):
        return {one.tournament: _field(_placed(one), one.field) for one in tournaments}
    places: dict[str, list[int]] = {one.tournament: [] for one in tournaments}
    for results in own.values():
        for found in results:
            if not found.reason:
                places[found.gathered.tournament].append(found.result.place)
    return {tournament: _field(found, len(found)) for tournament, found in places.items()}


def _placed(gathered: Gathered) -> list[int]:
    return [result.place for result in gathered.results if result.attended]


def _field(places: Sequence[int], players: int) -> _Field:
    """Who shares a place takes up the next ones too. SEA-PLACE-2, SEA-PLACE-3."""
    sharing = Counter(place for place in places if place)
    before = accumulate((sharing[place] for place in sorted(sharing)), initial=1)
    return _Field(players or len(places), sharing, dict(zip(sorted(sharing), before, strict=False)))


def _counted(rules: SeasonRuleset, own: Own, field: _Field) -> Counted:
    """What a result is worth. SEA-PLACE-1 to SEA-PLACE-3, SEA-PART, SEA-SCORED, SEA-WEIGHT, SEA-DQ, SEA-LEFT."""
    gathered, result = own.gathered, own.result
    sharing = field.sharing.get(result.place, 1)
    if isinstance(rules.points, PlacePoints) and rules.points.places == "members":
        place = field.among.get(result.place, 0)
    else:
        place = result.place
    none = own.reason in NOTHING
    return Counted(
        tournament=gathered.tournament,
        order=gathered.order,
        entry=result.entry,
        place=place,
        field=field.players,
        points=0 if none else points_of(rules, gathered, result, place, sharing, field.players),
        weight=weight_of(rules, gathered),
        reason=own.reason,
    )


def _number(rules: Counting, gathered: int) -> int | None:
    """How many results count at most; None: all. A share is of the tournaments planned, where these are said."""
    share = -(-rules.best_per_cent * (rules.of or gathered) // 100)
    return min((number for number in (rules.best, share) if number), default=None)


def _best(results: Sequence[Counted], number: int | None) -> tuple[Counted, ...]:
    """The results with those marked that are not among the best."""
    if number is None:
        return tuple(results)
    ranked = sorted(
        (one for one in results if not one.reason), key=lambda one: (-one.points, one.order, one.tournament)
    )
    beyond = {one.tournament for one in ranked[number:]}
    return tuple(
        replace(one, reason="not_best") if not one.reason and one.tournament in beyond else one for one in results
    )


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
