"""What a value in the standings is made of: on demand, round by round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from msgspec import Struct

from shared.rules.decimals import exact
from shared.rules.game_parts import Criterion
from shared.rules.model import Entrant, Game, Value
from shared.rules.records import Played, Records
from shared.rules.ruleset import Ruleset
from shared.rules.standings import counted_records
from shared.rules.tiebreakers import total


class Share(Struct, frozen=True):
    """What one round adds to a value. value: exact (`8`, `13/6`); opponent: nobody after a bye."""

    round: int
    opponent: str | None
    value: str


class Explained(Struct, frozen=True):
    """A value, its clause, and the rounds whose shares add up to it."""

    column: str
    clause: str
    value: str
    shares: tuple[Share, ...]


def explain(
    ruleset: Ruleset, entrants: Iterable[Entrant], games: Iterable[Game], *, round: int
) -> Callable[[str], list[Explained]]:
    """A function that explains every value of the player it is given; the records are made once for all."""
    records = counted_records(ruleset, entrants, games, round)
    criteria = [criterion for criterion in ruleset.standings.criteria if criterion.active]
    return lambda player: [_explained(records, player, criterion) for criterion in criteria]


def _explained(records: Records, player: str, criterion: Criterion) -> Explained:
    share_of = _SHARES[criterion.piece]
    values = [(played, share_of(records, player, played, criterion.of)) for played in records[player]]
    shares = tuple(Share(played.round, played.opponent, exact(value)) for played, value in values)
    return Explained(criterion.column, criterion.clause, exact(sum((value for _, value in values), 0)), shares)


def _own(records: Records, player: str, played: Played, of: str) -> Value:
    return played.values.get(of, 0)


def _win(records: Records, player: str, played: Played, of: str) -> Value:
    return int(played.outcome == "win")


def _opponents_total(records: Records, player: str, played: Played, of: str) -> Value:
    return 0 if played.opponent is None else total(records, [played.opponent], of)[played.opponent]


def _opponents_mean(records: Records, player: str, played: Played, of: str) -> Value:
    if played.opponent is None:
        return 0
    theirs = Fraction(_opponents_total(records, player, played, of)) / len(records[played.opponent])
    return theirs / len(records[player])


_SHARES: Mapping[str, Callable[[Records, str, Played, str], Value]] = {
    "total": _own,
    "wins": _win,
    "schedule_sum": _opponents_total,
    "schedule_mean": _opponents_mean,
    "head_to_head": _win,
}
