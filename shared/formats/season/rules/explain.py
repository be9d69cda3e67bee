"""Why a member of a season has the rank: results, values with clauses, and what separates from both neighbours."""

from __future__ import annotations

from msgspec import Struct

from shared.formats.season.rules.model import Barred, Left, Rated, SeasonRow, SeasonTable
from shared.formats.season.rules.ruleset import SeasonRuleset
from shared.rules.model import exact


class ResultExplained(Struct, frozen=True):
    """A result and its points, exact (`8`, `13/2`); reason: why it does not count, with the clause that says so."""

    tournament: str
    place: int
    field: int
    points: str
    weight: int
    reason: Left
    clause: str


class ValueExplained(Struct, frozen=True):
    """A value of the ranking, exact, and the clause that it comes from."""

    column: str
    value: str
    clause: str


class Neighbour(Struct, frozen=True):
    """The member just above or below. column: what separates the two, with both values; empty where nothing does."""

    player: str
    rank: int
    column: str
    own: str
    theirs: str
    clause: str


class BarredExplained(Struct, frozen=True):
    """Why a member is not eligible, and the clause that says so."""

    reason: Barred
    clause: str


class RankExplained(Struct, frozen=True):
    """Everything that a rank is made of. listed_last: with too few tournaments, or disqualified from the season."""

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
    rating: Rated | None


def explain(rules: SeasonRuleset, table: SeasonTable, player: str) -> RankExplained:
    """What the rank of a member is made of. Raises KeyError for who has no row."""
    rows = {row.player: row for row in table.rows}
    row = rows[player]
    inside = [other for other in table.rows if other.division == row.division]
    place = inside.index(row)
    return RankExplained(
        player=player,
        rank=row.rank,
        division=row.division,
        tied=row.tied,
        listed_last=row.listed_last,
        results=_results(rules, row),
        values=_values(rules, row),
        above=_neighbour(rules, row, inside[place - 1]) if place else None,
        below=_neighbour(rules, row, inside[place + 1]) if place + 1 < len(inside) else None,
        barred=tuple(BarredExplained(reason, _barred_clause(rules, reason)) for reason in row.barred),
        rating=row.rating,
    )


def _results(rules: SeasonRuleset, row: SeasonRow) -> tuple[ResultExplained, ...]:
    return tuple(
        ResultExplained(
            one.tournament,
            one.place,
            one.field,
            exact(one.points),
            one.weight,
            one.reason,
            _left_clause(rules, one.reason),
        )
        for one in row.results
    )


def _values(rules: SeasonRuleset, row: SeasonRow) -> tuple[ValueExplained, ...]:
    active = [rule for rule in rules.ranking.criteria if rule.active and rule.column in row.values]
    return tuple(ValueExplained(rule.column, exact(row.values[rule.column]), rule.clause) for rule in active)


def _neighbour(rules: SeasonRuleset, row: SeasonRow, other: SeasonRow) -> Neighbour:
    """What separates two members: who is listed last, or the first value that differed when the two were compared."""
    if "disqualified" in (row.status, other.status) and row.status != other.status:
        clause = rules.eligibility.cites("disqualified")
        return Neighbour(other.player, other.rank, "status", row.status, other.status, clause)
    if row.listed_last != other.listed_last:
        said = [exact(one.attended) for one in (row, other)]
        return Neighbour(other.player, other.rank, "attended", said[0], said[1], rules.counting.cites("minimum"))
    active = [rule for rule in rules.ranking.criteria if rule.active]
    for rule, own, theirs in zip(active, row.compared, other.compared, strict=False):
        if own != theirs:
            return Neighbour(other.player, other.rank, rule.column, exact(own), exact(theirs), rule.clause)
    return Neighbour(other.player, other.rank, "", "", "", rules.ranking.clause)


def _left_clause(rules: SeasonRuleset, reason: Left) -> str:
    """The clause by which a result counts or does not."""
    if reason in ("dropped_out", "before_joining"):
        return rules.counting.cites(reason)
    if reason == "other_division":
        return rules.divisions.clause
    return rules.counting.cites("best") if reason == "not_best" else rules.points.clause


def _barred_clause(rules: SeasonRuleset, reason: Barred) -> str:
    fields = {"too_few": "minimum", "venue": "venues", "club": "clubs", "division": "divisions"}
    return rules.eligibility.cites(fields.get(reason, "disqualified"))
