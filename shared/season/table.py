"""The table of a season: members and the tournaments gathered become rows in rank order. SEA-RANK, SEA-MIN.

And who of them may be promoted and invited to the final, and why somebody may not. SEA-ELIG.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from shared.formats.season.rules.counting import ATTENDED, counted_results, in_order, open_to, own_results
from shared.formats.season.rules.model import Barred, Counted, Gathered, Member, Rated, SeasonRow, SeasonTable
from shared.formats.season.rules.pieces import SEASON_PIECES, Card, records_of_season
from shared.formats.season.rules.ratings import ratings_of
from shared.formats.season.rules.ruleset import SeasonRuleset
from shared.rules.model import Value, as_json
from shared.rules.records import Records
from shared.rules.tiebreakers import TIEBREAKERS, Criterion
from shared.rules.ties import is_within_the_group, shares_of, shown_values, tied_groups


def barred(
    rules: SeasonRuleset, member: Member, division: str, results: Sequence[Counted], attended: int
) -> tuple[Barred, ...]:
    """Every reason why a member is not eligible; none for who is. SEA-ELIG."""
    return tuple(_reasons(rules, member, division, results, attended))


def _reasons(
    rules: SeasonRuleset, member: Member, division: str, results: Sequence[Counted], attended: int
) -> Iterator[Barred]:
    asked = rules.eligibility
    if member.status == "dropped":
        yield "left"
    if member.status == "disqualified" or (
        asked.disqualified == "out" and any(one.reason == "disqualified" for one in results)
    ):
        yield "disqualified"
    if attended < max(asked.minimum, rules.counting.minimum if rules.counting.below == "last" else 0):
        yield "too_few"
    if asked.venues and member.venue not in asked.venues:
        yield "venue"
    if asked.clubs and member.club not in asked.clubs:
        yield "club"
    if asked.divisions and division not in asked.divisions:
        yield "division"


def season_table(rules: SeasonRuleset, members: Iterable[Member], tournaments: Iterable[Gathered]) -> SeasonTable:
    """Every member in rank order, division by division, with the results that count and those that do not.

    The order of members, tournaments and results does not matter. Entries that no member has claimed take up places
    in their tournaments and have no row. Raises KeyError for a member of a division that the ruleset does not have.
    """
    made = _Made(rules, members, tournaments)
    return SeasonTable(tuple(rules.columns), tuple(made.rows()), len(made.tournaments))


def rows_as_json(table: SeasonTable) -> list[dict[str, Any]]:
    """The rows in short, as interfaces show them: whole numbers, or decimal strings; no binary floats."""
    return [
        {"rank": row.rank, "player": row.player}
        | ({"division": row.division} if row.division else {})
        | {column: as_json(row.values.get(column)) for column in table.columns}
        | {"attended": row.attended, "eligible": row.eligible, "tied": row.tied}
        | ({"rating": row.rating.rating} if row.rating else {})
        | ({} if row.status == "active" else {"status": row.status})
        for row in table.rows
    ]


class _Made:
    """Everything that the rows of one table are made of, worked out once."""

    def __init__(self, rules: SeasonRuleset, members: Iterable[Member], tournaments: Iterable[Gathered]) -> None:
        self.rules = rules
        self.members = sorted(members, key=lambda member: member.player)
        self.by_player = {member.player: member for member in self.members}
        self.tournaments = in_order(tournaments)
        self.division = {member.player: division_of(rules, member) for member in self.members}
        self.own = own_results(rules, self.members, self.tournaments, self.division)
        self.counted = counted_results(rules, self.own, self.tournaments, self.division)
        self.attended = {
            player: sum(one.reason in ATTENDED for one in results) for player, results in self.counted.items()
        }
        self.orders = {
            division: [one.order for one in self.tournaments if open_to(one, division)]
            for division in set(self.division.values())
        }
        self.criteria = [rule for rule in rules.ranking.criteria if rule.active]
        self.records = self._records()
        self.values = {rule.column: self._values(rule) for rule in self.criteria if not is_within_the_group(rule)}
        self.ratings: Mapping[str, Rated] = ratings_of(rules.rating, self.members, self.tournaments)

    def rows(self) -> Iterator[SeasonRow]:
        """The rows of one division after the other."""
        overall = {player: rank for group, rank in self._ranked(self.members) for player in group}
        for division in self.rules.division_names or [""]:
            inside = [member for member in self.members if self.division[member.player] == division]
            compared: dict[str, list[Value]] = {member.player: [] for member in inside}
            for group, rank in self._ranked(inside, compared):
                for player in group:
                    yield self._row(player, rank, overall[player], len(group) > 1, compared[player])

    def _ranked(
        self, members: Sequence[Member], compared: Mapping[str, list[Value]] | None = None
    ) -> Iterator[tuple[list[str], int]]:
        """Groups of members who share a rank, each with it, from the first on."""
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
            points=sum(one.points for one in results if not one.reason),
            values=shown_values(player, self.criteria, self.values, compared),
            tied=tied,
            attended=attended,
            results=results,
            compared=tuple(compared),
            listed_last=self._last(member) > 0,
            barred=barred(self.rules, member, self.division[player], results, attended),
            status=member.status,
            rating=self.ratings.get(player),
        )

    def _last(self, member: Member) -> int:
        """0: ranked by the criteria; behind these come 1: who attended too few tournaments, and 2: the disqualified."""
        counting = self.rules.counting
        if member.status == "disqualified":
            return 2
        return int(counting.below == "last" and self.attended[member.player] < counting.minimum)

    def _records(self) -> Records:
        """The games, where a criterion is made of them."""
        if any(rule.piece in TIEBREAKERS for rule in self.criteria):
            return records_of_season(self.rules, self.members, self.own, self.counted)
        return {}

    def _values(self, rule: Criterion) -> dict[str, Value]:
        if rule.piece in TIEBREAKERS:
            shares = shares_of(self.records, self.records, rule)
            return {player: sum(shares(player)) for player in self.records}
        piece = SEASON_PIECES[rule.piece]
        return {player: _divided(piece(self._card(player), rule), rule.divisor) for player in self.counted}

    def _card(self, player: str) -> Card:
        return Card(self.counted[player], self.orders[self.division[player]])


def division_of(rules: SeasonRuleset, member: Member) -> str:
    """The division of a member; where a new one begins for who has none. Raises KeyError for an unknown one."""
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
