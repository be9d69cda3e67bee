"""The table of a season: rows in rank order, explanations, moves between two tables (SEA-RANK, SEA-MIN, SEA-ELIG)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from shared.rules.model import Value, as_json, exact_text
from shared.rules.tiebreakers import (
    TIEBREAKERS,
    Criterion,
    Records,
    is_within_the_group,
    shares_of,
    shown_values,
    tied_groups,
)
from shared.season.counting import (
    ATTENDED,
    SEASON_PIECES,
    MemberRecord,
    counted_results,
    is_open_to,
    records_of_season,
    results_by_member,
    sort_tournaments,
)
from shared.season.ratings import ratings_of
from shared.season.ruleset import (
    CountedResult,
    ExclusionReason,
    IneligibilityReason,
    Member,
    SeasonRow,
    SeasonRuleset,
    SeasonTable,
    ShownRating,
    TournamentResults,
)


def ineligibility_reasons(
    rules: SeasonRuleset, member: Member, division: str, results: Sequence[CountedResult], attended: int
) -> tuple[IneligibilityReason, ...]:
    """Return every reason why a member is not eligible; empty if it is (SEA-ELIG)."""
    return tuple(_reasons(rules, member, division, results, attended))


def _reasons(
    rules: SeasonRuleset, member: Member, division: str, results: Sequence[CountedResult], attended: int
) -> Iterator[IneligibilityReason]:
    eligibility = rules.eligibility
    if member.status == "dropped":
        yield "left"
    if member.status == "disqualified" or (
        eligibility.disqualified == "out" and any(result.reason == "disqualified" for result in results)
    ):
        yield "disqualified"
    if attended < max(eligibility.minimum, rules.counting.minimum if rules.counting.below == "last" else 0):
        yield "too_few"
    if eligibility.venues and member.venue not in eligibility.venues:
        yield "venue"
    if eligibility.clubs and member.club not in eligibility.clubs:
        yield "club"
    if eligibility.divisions and division not in eligibility.divisions:
        yield "division"


def season_table(
    rules: SeasonRuleset, members: Iterable[Member], tournaments: Iterable[TournamentResults]
) -> SeasonTable:
    """Return all members in rank order, division by division, with every result.

    The order of members, tournaments and results does not matter. Unclaimed entries take up places in their tournaments
    but have no row. Raises KeyError if a member's division is not in the ruleset.
    """
    builder = _TableBuilder(rules, members, tournaments)
    return SeasonTable(tuple(rules.columns), tuple(builder.rows()), len(builder.tournaments))


def rows_as_json(table: SeasonTable) -> list[dict[str, Any]]:
    """Return the rows in short form for interfaces: whole numbers or decimal strings, no binary floats."""
    return [
        {"rank": row.rank, "player": row.player}
        | ({"division": row.division} if row.division else {})
        | {column: as_json(row.values.get(column)) for column in table.columns}
        | {"attended": row.attended, "eligible": row.eligible, "tied": row.tied}
        | ({"rating": row.rating.rating} if row.rating else {})
        | ({} if row.status == "active" else {"status": row.status})
        for row in table.rows
    ]


class _TableBuilder:
    """The values behind the rows of one table, each computed once."""

    def __init__(
        self, rules: SeasonRuleset, members: Iterable[Member], tournaments: Iterable[TournamentResults]
    ) -> None:
        self.rules = rules
        self.members = sorted(members, key=lambda member: member.player)
        self.by_player = {member.player: member for member in self.members}
        self.tournaments = sort_tournaments(tournaments)
        self.division = {member.player: division_of(rules, member) for member in self.members}
        self.own = results_by_member(rules, self.members, self.tournaments, self.division)
        self.counted = counted_results(rules, self.own, self.tournaments, self.division)
        self.attended = {
            player: sum(result.reason in ATTENDED for result in results) for player, results in self.counted.items()
        }
        self.orders = {
            division: [tournament.order for tournament in self.tournaments if is_open_to(tournament, division)]
            for division in set(self.division.values())
        }
        self.criteria = [rule for rule in rules.ranking.criteria if rule.active]
        self.records = self._records()
        self.values = {rule.column: self._values(rule) for rule in self.criteria if not is_within_the_group(rule)}
        self.ratings: Mapping[str, ShownRating] = ratings_of(rules.rating, self.members, self.tournaments)

    def rows(self) -> Iterator[SeasonRow]:
        """Yield the rows, division by division."""
        overall = {player: rank for group, rank in self._ranked(self.members) for player in group}
        for division in self.rules.division_names or [""]:
            members = [member for member in self.members if self.division[member.player] == division]
            compared: dict[str, list[Value]] = {member.player: [] for member in members}
            for group, rank in self._ranked(members, compared):
                for player in group:
                    yield self._row(player, rank, overall[player], len(group) > 1, compared[player])

    def _ranked(
        self, members: Sequence[Member], compared: Mapping[str, list[Value]] | None = None
    ) -> Iterator[tuple[list[str], int]]:
        """Yield groups of members who share a rank, with the rank."""
        rank = 1
        for last in (0, 1, 2):
            players = [member.player for member in members if self._last(member) == last]
            for group in tied_groups(players, self.criteria, self.values, self.records, compared):
                yield group, rank
                rank += len(group)

    def _row(self, player: str, rank: int, overall: int, tied: bool, compared: Sequence[Value]) -> SeasonRow:
        member, results, attended = self.by_player[player], self.counted[player], self.attended[player]
        return SeasonRow(
            rank=rank,
            overall=overall,
            player=player,
            division=self.division[player],
            points=sum(result.points for result in results if not result.reason),
            values=shown_values(player, self.criteria, self.values, compared),
            tied=tied,
            attended=attended,
            results=results,
            compared=tuple(compared),
            listed_last=self._last(member) > 0,
            barred=ineligibility_reasons(self.rules, member, self.division[player], results, attended),
            status=member.status,
            rating=self.ratings.get(player),
        )

    def _last(self, member: Member) -> int:
        """Return the block of a member: 0 ranked by the criteria, 1 attended too few tournaments, 2 disqualified."""
        counting = self.rules.counting
        if member.status == "disqualified":
            return 2
        return int(counting.below == "last" and self.attended[member.player] < counting.minimum)

    def _records(self) -> Records:
        """Return the games if a criterion needs them."""
        if any(rule.piece in TIEBREAKERS for rule in self.criteria):
            return records_of_season(self.rules, self.members, self.own, self.counted)
        return {}

    def _values(self, rule: Criterion) -> dict[str, Value]:
        if rule.piece in TIEBREAKERS:
            shares = shares_of(self.records, self.records, rule)
            return {player: sum(shares(player)) for player in self.records}
        piece = SEASON_PIECES[rule.piece]
        return {player: _divided(piece(self._card(player), rule), rule.divisor) for player in self.counted}

    def _card(self, player: str) -> MemberRecord:
        return MemberRecord(self.counted[player], self.orders[self.division[player]])


def division_of(rules: SeasonRuleset, member: Member) -> str:
    """Return the division of a member, or the entry division of a new one. Raise KeyError for an unknown division."""
    names = rules.division_names
    if not names:
        return ""
    if not member.division:
        return names[-1] if rules.divisions.entry == "lowest" else names[0]
    if member.division not in names:
        raise KeyError(member.division)
    return member.division


def _divided(value: Value, divisor: int) -> Value:
    return value if divisor == 1 else Fraction(value) / divisor


_NAMED, _COMPARED = 5, 500
"""Limits of `Move.passed_by`: members named, and changed members up to which they are searched for."""


class ResultMove(Struct, frozen=True):
    """A member's result that changed. before, after: None without a result."""

    tournament: str
    before: CountedResult | None
    after: CountedResult | None


class Move(Struct, frozen=True):
    """A member whose rank, division or values changed. Ranks are None if the member had, or now has, no row.

    results: the member's own results that changed; empty if only others moved.
    columns: the values that changed.
    passed_by: up to five members with changes of their own who were not ahead before and are now. Empty if more than
        500 members changed, as after a whole tournament.
    """

    player: str
    division: str
    rank_before: int | None
    rank_after: int | None
    points_before: Value
    points_after: Value
    results: tuple[ResultMove, ...] = ()
    columns: tuple[str, ...] = ()
    passed_by: tuple[str, ...] = ()


def moves(before: SeasonTable, after: SeasonTable) -> tuple[Move, ...]:
    """Return the moves of members who changed or joined, in the new order, then of members who are gone."""
    old = {row.player: row for row in before.rows}
    new = {row.player: row for row in after.rows}
    changed = [row for row in after.rows if row.player in old and _values_differ(old[row.player], row)]
    changed_rows = [
        _move(old.get(row.player), row, _passed_by(old, row, changed))
        for row in after.rows
        if _differ(old.get(row.player), row)
    ]
    return (*changed_rows, *(_move(row, None, ()) for row in before.rows if row.player not in new))


def _values_differ(before: SeasonRow, after: SeasonRow) -> bool:
    return before.values != after.values or before.listed_last != after.listed_last


def _differ(before: SeasonRow | None, after: SeasonRow) -> bool:
    return (
        before is None
        or (before.rank, before.division) != (after.rank, after.division)
        or _values_differ(before, after)
    )


def _move(before: SeasonRow | None, after: SeasonRow | None, passed_by: tuple[str, ...]) -> Move:
    row = after or before
    assert row is not None
    return Move(
        player=row.player,
        division=row.division,
        rank_before=before.rank if before else None,
        rank_after=after.rank if after else None,
        points_before=before.points if before else 0,
        points_after=after.points if after else 0,
        results=tuple(_result_moves(before, after)),
        columns=tuple(_columns(before, after)),
        passed_by=passed_by,
    )


def _result_moves(before: SeasonRow | None, after: SeasonRow | None) -> Iterator[ResultMove]:
    old, new = _by_tournament(before), _by_tournament(after)
    for key in sorted({*old, *new}):
        if old.get(key) != new.get(key):
            yield ResultMove(key[1], old.get(key), new.get(key))


def _by_tournament(row: SeasonRow | None) -> Mapping[tuple[int, str, str], CountedResult]:
    return {(result.order, result.tournament, result.entry): result for result in row.results} if row else {}


def _columns(before: SeasonRow | None, after: SeasonRow | None) -> Iterator[str]:
    old, new = before.values if before else {}, after.values if after else {}
    yield from (column for column in {**old, **new} if old.get(column) != new.get(column))


def _passed_by(old: Mapping[str, SeasonRow], row: SeasonRow, changed: Sequence[SeasonRow]) -> tuple[str, ...]:
    own = old.get(row.player)
    if own is None or row.rank <= own.rank or len(changed) > _COMPARED:
        return ()
    passed = (
        other.player
        for other in changed
        if other.division == row.division == old[other.player].division
        and other.rank < row.rank
        and old[other.player].rank >= own.rank
        and other.player != row.player
    )
    return tuple(name for name, _ in zip(passed, range(_NAMED), strict=False))


class ResultExplained(Struct, frozen=True):
    """A result with its exact points, such as `8` or `13/2`.

    reason: why it does not count. clause: the clause by which it counts or does not.
    """

    tournament: str
    place: int
    field: int
    points: str
    weight: int
    reason: ExclusionReason
    clause: str


class ValueExplained(Struct, frozen=True):
    """A value of the ranking, exact, and its clause."""

    column: str
    value: str
    clause: str


class Neighbour(Struct, frozen=True):
    """The member just above or below. column: what separates the two, with both values; empty if nothing does."""

    player: str
    rank: int
    column: str
    own: str
    theirs: str
    clause: str


class BarredExplained(Struct, frozen=True):
    """A reason why a member is not eligible, and its clause."""

    reason: IneligibilityReason
    clause: str


class RankExplained(Struct, frozen=True):
    """The explanation of a rank. listed_last: attended too few tournaments, or disqualified from the season."""

    player: str
    rank: int
    division: str
    tied: bool
    listed_last: bool
    results: tuple[ResultExplained, ...]
    values: tuple[ValueExplained, ...]
    above: Neighbour | None
    below: Neighbour | None
    barred: tuple[BarredExplained, ...]
    rating: ShownRating | None


def explain(rules: SeasonRuleset, table: SeasonTable, player: str) -> RankExplained:
    """Return the explanation of a member's rank. Raise KeyError if the member has no row."""
    rows = {row.player: row for row in table.rows}
    row = rows[player]
    division_rows = [other for other in table.rows if other.division == row.division]
    place = division_rows.index(row)
    return RankExplained(
        player=player,
        rank=row.rank,
        division=row.division,
        tied=row.tied,
        listed_last=row.listed_last,
        results=_results(rules, row),
        values=_values(rules, row),
        above=_neighbour(rules, row, division_rows[place - 1]) if place else None,
        below=_neighbour(rules, row, division_rows[place + 1]) if place + 1 < len(division_rows) else None,
        barred=tuple(BarredExplained(reason, _eligibility_clause(rules, reason)) for reason in row.barred),
        rating=row.rating,
    )


def _results(rules: SeasonRuleset, row: SeasonRow) -> tuple[ResultExplained, ...]:
    return tuple(
        ResultExplained(
            result.tournament,
            result.place,
            result.field,
            exact_text(result.points),
            result.weight,
            result.reason,
            _result_clause(rules, result.reason),
        )
        for result in row.results
    )


def _values(rules: SeasonRuleset, row: SeasonRow) -> tuple[ValueExplained, ...]:
    active = [rule for rule in rules.ranking.criteria if rule.active and rule.column in row.values]
    return tuple(ValueExplained(rule.column, exact_text(row.values[rule.column]), rule.clause) for rule in active)


def _neighbour(rules: SeasonRuleset, row: SeasonRow, other: SeasonRow) -> Neighbour:
    """Return what separates two members: being listed last, or the first value in which they differ."""
    if "disqualified" in (row.status, other.status) and row.status != other.status:
        clause = rules.eligibility.cites("disqualified")
        return Neighbour(other.player, other.rank, "status", row.status, other.status, clause)
    if row.listed_last != other.listed_last:
        attended = [exact_text(member_row.attended) for member_row in (row, other)]
        return Neighbour(
            other.player, other.rank, "attended", attended[0], attended[1], rules.counting.cites("minimum")
        )
    active = [rule for rule in rules.ranking.criteria if rule.active]
    for rule, own, theirs in zip(active, row.compared, other.compared, strict=False):
        if own != theirs:
            return Neighbour(other.player, other.rank, rule.column, exact_text(own), exact_text(theirs), rule.clause)
    return Neighbour(other.player, other.rank, "", "", "", rules.ranking.clause)


def _result_clause(rules: SeasonRuleset, reason: ExclusionReason) -> str:
    """Return the clause by which a result counts or does not."""
    if reason in ("dropped_out", "before_joining"):
        return rules.counting.cites(reason)
    if reason == "other_division":
        return rules.divisions.clause
    return rules.counting.cites("best") if reason == "not_best" else rules.points.clause


def _eligibility_clause(rules: SeasonRuleset, reason: IneligibilityReason) -> str:
    fields = {"too_few": "minimum", "venue": "venues", "club": "clubs", "division": "divisions"}
    return rules.eligibility.cites(fields.get(reason, "disqualified"))
