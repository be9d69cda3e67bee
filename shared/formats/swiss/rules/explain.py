"""What a value in the standings is made of: on demand, round by round."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.standings import counted_records
from shared.rules.model import Entrant, Game, Value, exact
from shared.rules.records import Played
from shared.rules.tiebreakers import Criterion
from shared.rules.ties import shares_of


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
    shares = {rule.column: shares_of(records, records, rule) for rule in criteria}
    return lambda player: [_explained(records[player], shares[rule.column](player), rule) for rule in criteria]


def _explained(rounds: Iterable[Played], shares: Iterable[Value], rule: Criterion) -> Explained:
    values = list(shares)
    made = [Share(played.round, played.opponent, exact(value)) for played, value in zip(rounds, values, strict=True)]
    return Explained(rule.column, rule.clause, exact(sum(values)), tuple(made))
