"""Counting of results: which results of a member count, their points and weights, and the values of the ranking.

Source: SEA-BEST, SEA-LEFT, SEA-JOIN, SEA-DQ, SEA-PLACE-1 to SEA-PLACE-3, SEA-PART, SEA-SCORED, SEA-WEIGHT, SEA-RESULT.

| name            | value                                                                    | `of`            |
|-----------------|--------------------------------------------------------------------------|-----------------|
| `season_points` | sum of the points of the results that count                              |                 |
| `all_points`    | the same, including results that are not among the best                  |                 |
| `best_result`   | points of the best single result, or of the n-th best                    | n, otherwise 1  |
| `places`        | number of first places, or of n-th places                                | n, otherwise 1  |
| `latest_result` | points in the latest tournament, or the n-th from the end; 0 if missed   | n, otherwise 1  |
| `attendance`    | tournaments attended                                                     |                 |
| of games        | `wins`, `head_to_head`, `total`, `schedule_sum` … (`tiebreakers.py`)     | `game_points`, `score` |

Source: SEA-TIE-1 to SEA-TIE-7.

The shared tiebreakers use one record for each game of each member (SEA-GAMES).
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
    CountedResult,
    Counting,
    ExclusionReason,
    GamePlayed,
    GameWorth,
    Member,
    PlacePoints,
    Result,
    SeasonRuleset,
    TournamentResults,
)

_HALVES = ruleset.GameWorth(win=2, draw=1, loss=0, bye=2, clause="")
"""Worth of a game in tiebreakers if the season's points do not come from games: a win 2, a draw 1."""


def points_of(
    rules: ruleset.SeasonRuleset, gathered: TournamentResults, result: Result, place: int, sharing: int, field: int
) -> Value:
    """Return the weighted points of a result, exact.

    place: the place that points are given for; 0 for none. sharing: number of entries that share it. field: number of
        players.
    """
    return _weighted(_unweighted(rules.points, gathered, result, place, sharing, field), weight_of(rules, gathered))


def weight_of(rules: ruleset.SeasonRuleset, gathered: TournamentResults) -> int:
    """Return the weight in per cent: set by hand if the ruleset allows it, or of the tier, or 100."""
    if gathered.weight is not None and rules.weights.by_hand:
        return gathered.weight
    return _of_tier(rules.weights, gathered.tier)


def game_worth(points: ruleset.SeasonPoints, format: str) -> ruleset.GameWorth:
    """Return the worth of games of a format; halves if the season's points do not come from games."""
    return points.formats.get(format, points.games) if isinstance(points, ruleset.ResultPoints) else _HALVES


def worth_of_game(worth: ruleset.GameWorth, game: GamePlayed) -> int:
    """Return the points of one game: of a bye, of a forfeit, or of its outcome."""
    if game.kind == "bye":
        return worth.bye
    if game.kind == "forfeit" and game.outcome == "loss":
        return worth.forfeit
    return {"win": worth.win, "draw": worth.draw, "loss": worth.loss}[game.outcome]


def _of_tier(weights: ruleset.Weights, tier: str) -> int:
    return weights.tiers.get(tier, 100)


def _weighted(points: Value, weight: int) -> Value:
    return points if weight == 100 else _reduced(Fraction(points) * weight / 100)


def _unweighted(
    points: ruleset.SeasonPoints, gathered: TournamentResults, result: Result, place: int, sharing: int, field: int
) -> Value:
    if isinstance(points, ruleset.PlacePoints):
        return points.participation + _points_of_place(points, place, sharing, field)
    if isinstance(points, ruleset.ResultPoints):
        worth = game_worth(points, gathered.format)
        return points.participation + sum(worth_of_game(worth, game) for game in result.games)
    return points.participation + result.score


def _points_of_place(points: ruleset.PlacePoints, place: int, sharing: int, field: int) -> Value:
    """Return the points of a place. No place, and a place outside the table, give 0."""
    if place < 1:
        return 0
    places = _places_for_field(points.fields, field)
    if points.shared == "first":
        return _points_in_bands(places, place)
    if points.shared == "last":
        return _points_in_bands(places, place + sharing - 1)
    last = place + sharing - 1
    return _reduced(Fraction(sum(band.points * _places_in_band(band, place, last) for band in places), sharing))


def _places_for_field(fields: Sequence[ruleset.FieldClass], field: int) -> Sequence[ruleset.PlaceBand]:
    return next(
        (
            field_class.places
            for field_class in fields
            if field_class.least <= field and (field_class.most is None or field <= field_class.most)
        ),
        (),
    )


def _points_in_bands(places: Sequence[ruleset.PlaceBand], place: int) -> int:
    return next(
        (band.points for band in places if band.least <= place and (band.most is None or place <= band.most)), 0
    )


def _places_in_band(band: ruleset.PlaceBand, first: int, last: int) -> int:
    """Return how many of the places from first to last are in a row of the table."""
    most = last if band.most is None else min(band.most, last)
    return max(0, most - max(band.least, first) + 1)


def _reduced(value: Fraction) -> Value:
    return value.numerator if value.denominator == 1 else value


ATTENDED: frozenset[ExclusionReason] = frozenset({"", "not_best"})
"""Exclusion reasons of results in tournaments that the member attended."""

WORTHLESS: frozenset[ExclusionReason] = frozenset({"absent", "disqualified"})
"""Exclusion reasons of results worth 0 points."""


class MemberResult(Struct, frozen=True, gc=False):
    """A member's result in a tournament. reason: why it cannot count, whatever its worth."""

    gathered: TournamentResults
    result: Result
    reason: ExclusionReason


def sort_tournaments(tournaments: Iterable[TournamentResults]) -> list[TournamentResults]:
    """Return the tournaments in the order in which they count as played."""
    return sorted(tournaments, key=lambda tournament: (tournament.order, tournament.tournament))


def is_open_to(gathered: TournamentResults, division: str) -> bool:
    """Return True if a tournament counts for a division. Without divisions every tournament does."""
    return not division or gathered.division in ("", division)


def results_by_member(
    rules: SeasonRuleset,
    members: Iterable[Member],
    tournaments: Sequence[TournamentResults],
    division: Mapping[str, str],
) -> dict[str, list[MemberResult]]:
    """Return every result of every member, in tournament order. Of two results in one tournament, the better is first.

    tournaments: in order. division: division of every member. Entries of unknown or released tournaments are skipped.
    """
    by_entry = {
        tournament.tournament: {result.entry: result for result in tournament.results} for tournament in tournaments
    }
    by_member: dict[str, list[MemberResult]] = {}
    for member in members:
        entries: dict[str, set[str]] = {}
        for entered in member.entries:
            entries.setdefault(entered.tournament, set()).add(entered.entry)
        by_member[member.player] = [
            own
            for tournament in tournaments
            if tournament.tournament in entries
            for own in _results_in_tournament(
                _MemberContext(rules.counting, member, division[member.player]),
                tournament,
                entries[tournament.tournament],
                by_entry[tournament.tournament],
            )
        ]
    return by_member


def counted_results(
    rules: SeasonRuleset,
    own: Mapping[str, Sequence[MemberResult]],
    tournaments: Sequence[TournamentResults],
    division: Mapping[str, str],
) -> dict[str, tuple[CountedResult, ...]]:
    """Return every result of every member with its points, and whether it counts (SEA-BEST).

    Of results with equal points, the earlier counts.
    """
    fields = _fields(rules, own, tournaments)
    counted: dict[str, tuple[CountedResult, ...]] = {}
    for player, results in own.items():
        priced = [
            _counted(rules, member_result, fields[member_result.gathered.tournament]) for member_result in results
        ]
        possible = sum(is_open_to(tournament, division[player]) for tournament in tournaments)
        counted[player] = _mark_not_best(priced, _counting_limit(rules.counting, possible))
    return counted


class _MemberContext(Struct, frozen=True):
    rules: Counting
    member: Member
    division: str

    def exclusion_reason(self, gathered: TournamentResults, result: Result) -> ExclusionReason:
        """Return why a result cannot count, whatever its worth; empty if it can."""
        if not self.rules.before_joining and gathered.order < self.member.joined:
            return "before_joining"
        if not is_open_to(gathered, self.division):
            return "other_division"
        if not result.attended:
            return "absent"
        if result.status == "disqualified":
            return "disqualified"
        return "dropped_out" if result.status == "dropped" and not self.rules.dropped_out else ""


def _results_in_tournament(
    season: _MemberContext, gathered: TournamentResults, entries: Iterable[str], known: Mapping[str, Result]
) -> list[MemberResult]:
    results = sorted((known[entry] for entry in entries if entry in known), key=_better_first)
    reasons = [season.exclusion_reason(gathered, result) for result in results]
    first = next((index for index, reason in enumerate(reasons) if not reason), None)
    return [
        MemberResult(gathered, result, "twice" if not reason and index != first else reason)
        for index, (result, reason) in enumerate(zip(results, reasons, strict=True))
    ]


def _better_first(result: Result) -> tuple[bool, int, int, str]:
    """Return a sort key that puts the better of a player's two results in a tournament first."""
    return not result.place, result.place, -result.score, result.entry


class _Field(Struct, frozen=True):
    """The number of players of a tournament, and the number who share each place."""

    players: int
    sharing: Mapping[int, int]
    among: Mapping[int, int]
    """Place in the tournament -> the place that points are given for."""


def _fields(
    rules: SeasonRuleset, own: Mapping[str, Sequence[MemberResult]], tournaments: Iterable[TournamentResults]
) -> dict[str, _Field]:
    """Return the field of each tournament: all players, or members whose results count (SEA-PLACE-2, SEA-PLACE-3)."""
    if not (isinstance(rules.points, PlacePoints) and rules.points.places == "members"):
        return {
            tournament.tournament: _field(_places_of_attendees(tournament), tournament.field)
            for tournament in tournaments
        }
    places: dict[str, list[int]] = {tournament.tournament: [] for tournament in tournaments}
    for results in own.values():
        for member_result in results:
            if not member_result.reason:
                places[member_result.gathered.tournament].append(member_result.result.place)
    return {tournament: _field(taken, len(taken)) for tournament, taken in places.items()}


def _places_of_attendees(gathered: TournamentResults) -> list[int]:
    return [result.place for result in gathered.results if result.attended]


def _field(places: Sequence[int], players: int) -> _Field:
    """Return the field. Players who share a place also take up the next ones (SEA-PLACE-2, SEA-PLACE-3)."""
    sharing = Counter(place for place in places if place)
    before = accumulate((sharing[place] for place in sorted(sharing)), initial=1)
    return _Field(players or len(places), sharing, dict(zip(sorted(sharing), before, strict=False)))


def _counted(rules: SeasonRuleset, own: MemberResult, field: _Field) -> CountedResult:
    """Return a result with its points (SEA-PLACE, SEA-PART, SEA-SCORED, SEA-WEIGHT, SEA-DQ, SEA-LEFT)."""
    gathered, result = own.gathered, own.result
    sharing = field.sharing.get(result.place, 1)
    if isinstance(rules.points, PlacePoints) and rules.points.places == "members":
        place = field.among.get(result.place, 0)
    else:
        place = result.place
    is_worthless = own.reason in WORTHLESS
    return CountedResult(
        tournament=gathered.tournament,
        order=gathered.order,
        entry=result.entry,
        place=place,
        field=field.players,
        points=0 if is_worthless else points_of(rules, gathered, result, place, sharing, field.players),
        weight=weight_of(rules, gathered),
        reason=own.reason,
    )


def _counting_limit(rules: Counting, gathered: int) -> int | None:
    """Return the number of results that count; None for all.

    A share refers to the planned tournaments, if their number is set.
    """
    share = -(-rules.best_per_cent * (rules.of or gathered) // 100)
    return min((number for number in (rules.best, share) if number), default=None)


def _mark_not_best(results: Sequence[CountedResult], number: int | None) -> tuple[CountedResult, ...]:
    """Mark the results that are not among the best."""
    if number is None:
        return tuple(results)
    ranked = sorted(
        (result for result in results if not result.reason),
        key=lambda result: (-result.points, result.order, result.tournament),
    )
    beyond = {result.tournament for result in ranked[number:]}
    return tuple(
        replace(result, reason="not_best") if not result.reason and result.tournament in beyond else result
        for result in results
    )


VALUES = ("game_points", "score")
"""Values of each game: its worth in the season, and its points in the tournament."""

_OTHER: Mapping[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}


def identities(members: Iterable[Member]) -> dict[tuple[str, str], str]:
    """Return tournament and entry -> member."""
    return {(entered.tournament, entered.entry): member.player for member in members for entered in member.entries}


def records_of_season(
    rules: SeasonRuleset,
    members: Sequence[Member],
    own: Mapping[str, Sequence[MemberResult]],
    counted: Mapping[str, Sequence[CountedResult]],
) -> Records:
    """Return the games of every member in order, in the tournaments that the tiebreakers consider.

    An unclaimed opponent counts as no opponent, like a spare player: nothing is known of their season.
    """
    considered: Collection[ExclusionReason] = ATTENDED if rules.counting.games == "every" else {""}
    members_by_entry = identities(members)
    records: dict[str, list[Played]] = {}
    for member in members:
        rounds = records[member.player] = []
        for member_result, result in zip(own[member.player], counted[member.player], strict=True):
            if result.reason in considered:
                worth = game_worth(rules.points, member_result.gathered.format)
                for game in member_result.result.games:
                    rounds.append(_played(len(rounds) + 1, game, member_result.gathered, worth, members_by_entry))
    return records


def _played(
    number: int,
    game: GamePlayed,
    gathered: TournamentResults,
    worth: GameWorth,
    members_by_entry: Mapping[tuple[str, str], str],
) -> Played:
    has_opponent = game.kind == "game" and game.opponent
    return Played(
        number,
        members_by_entry.get((gathered.tournament, game.opponent)) if has_opponent else None,
        game.outcome,
        {"game_points": worth_of_game(worth, game), "score": game.score},
        game.kind == "bye",
        {"game_points": _against(worth, game), "score": game.against},
    )


def _against(worth: GameWorth, game: GamePlayed) -> int:
    """Return the points of the other side of a game; 0 in a bye."""
    if game.kind == "bye" or not game.opponent:
        return 0
    return worth_of_game(worth, GamePlayed(_OTHER[game.outcome], kind=game.kind))


class MemberRecord(Struct, frozen=True, gc=False):
    """The basis of a member's values: its results, and the `order` of every tournament open to it."""

    results: Sequence[CountedResult]
    orders: Sequence[int]

    @property
    def attended(self) -> list[CountedResult]:
        """The results of tournaments attended, among the best or not."""
        return [result for result in self.results if result.reason in ATTENDED]


SeasonPiece = Callable[[MemberRecord, Criterion], Value]


def season_points(record: MemberRecord, rule: Criterion) -> Value:
    """Return the points of the results that count."""
    return sum(result.points for result in record.results if not result.reason)


def all_points(record: MemberRecord, rule: Criterion) -> Value:
    """Return the points of every tournament attended."""
    return sum(result.points for result in record.attended)


def best_result(record: MemberRecord, rule: Criterion) -> Value:
    """Return the points of the n-th best result; 0 if there are fewer."""
    points = sorted((result.points for result in record.attended), reverse=True)
    return points[nth(rule) - 1] if nth(rule) <= len(points) else 0


def places(record: MemberRecord, rule: Criterion) -> Value:
    """Return how often the member took the n-th place, shared or not."""
    return sum(result.place == nth(rule) for result in record.attended)


def latest_result(record: MemberRecord, rule: Criterion) -> Value:
    """Return the points in the n-th tournament from the end; 0 if the member missed it."""
    if nth(rule) > len(record.orders):
        return 0
    order = record.orders[-nth(rule)]
    return next((result.points for result in record.attended if result.order == order), 0)


def attendance(record: MemberRecord, rule: Criterion) -> Value:
    """Return the number of tournaments attended."""
    return len(record.attended)


def nth(rule: Criterion) -> int:
    """Return the number in `of`; 1 if it is empty."""
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
"""Values with a number in `of`."""
