"""What criteria are worth to players, and whom none of them separates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from shared.rules.model import Value
from shared.rules.records import Records, Shares
from shared.rules.tiebreakers import TIEBREAKERS, Criterion


def shares_of(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """What each round adds to the value of a criterion, for the players of a group; the value is their sum."""
    shares = TIEBREAKERS[rule.piece].shares(records, group, rule)
    if rule.divisor == 1:
        return shares
    return lambda player: [Fraction(share) / rule.divisor for share in shares(player)]


def worth_of(records: Records, group: Collection[str], rule: Criterion) -> dict[str, Value]:
    """What a criterion is worth to each player of a group."""
    shares = shares_of(records, group, rule)
    return {player: sum(shares(player)) for player in group}


def worth_anew(
    records: Records,
    players: Collection[str],
    rule: Criterion,
    moved: Collection[str],
    met: Callable[[str], Iterable[str]],
) -> dict[str, Value]:
    """What a criterion is worth now to those of `players` whose value rounds of the players `moved` may have moved.

    records: of everybody, as they are now. players: everybody who is ranked. met: everybody with whom a player has sat
    down to a game that counts. The tiebreaker is given the rounds of those whom it asks about, and of nobody else.
    """
    reach = TIEBREAKERS[rule.piece].reach
    if reach is None:
        return worth_of(records, players, rule)
    wanted = _around(moved, met, reach)
    asked = _around(wanted, met, reach)
    some: Records = {player: records.get(player, []) if player in asked else [] for player in _around(asked, met, 1)}
    shares = shares_of(some, players, rule)
    return {player: sum(shares(player)) for player in wanted if player in players}


def _around(players: Iterable[str], met: Callable[[str], Iterable[str]], steps: int) -> set[str]:
    """The players, whom they have met, whom those have met, and so on."""
    found = edge = set(players)
    for _ in range(steps):
        edge = {other for player in edge for other in met(player)} - found
        found = found | edge
    return found


def tied_groups(
    players: list[str],
    criteria: Iterable[Criterion],
    values: Mapping[str, Mapping[str, Value]],
    records: Records,
    compared: Mapping[str, list[Value]] | None = None,
    note: Callable[[Criterion, list[str]], None] | None = None,
) -> list[list[str]]:
    """Groups of players whom no criterion separates, best first; inside a group by id.

    values: of every player, by column; those that depend on who else is tied are computed for each group instead.
    compared: receives the values by which each player was compared, one for each criterion until none is equal.
    note: called with each criterion and each group that it compares.
    """
    groups = [players] if players else []
    for rule in criteria:
        of_all = values.get(rule.column, {})
        groups = [part for group in groups for part in _split(group, rule, of_all, records, compared, note)]
    return groups


def shown_values(
    player: str, criteria: Iterable[Criterion], values: Mapping[str, Mapping[str, Value]], compared: Sequence[Value]
) -> dict[str, Value]:
    """Return the values of a player by column, without those of a tied group in which the player was not compared.

    compared: as from `tied_groups`, for the same criteria.
    """
    found: dict[str, Value] = {}
    for place, rule in enumerate(criteria):
        if not is_within_the_group(rule):
            found[rule.column] = values[rule.column][player]
        elif place < len(compared):
            found[rule.column] = compared[place]
    return found


def is_within_the_group(rule: Criterion) -> bool:
    """Return True if the value depends on who else is tied."""
    return rule.piece in TIEBREAKERS and TIEBREAKERS[rule.piece].within_the_group


def _split(
    group: list[str],
    rule: Criterion,
    of_all: Mapping[str, Value],
    records: Records,
    compared: Mapping[str, list[Value]] | None,
    note: Callable[[Criterion, list[str]], None] | None,
) -> Iterable[list[str]]:
    if len(group) == 1:
        return [group]
    if note is not None:
        note(rule, group)
    value = worth_of(records, group, rule) if is_within_the_group(rule) else of_all
    if compared is not None:
        for player in group:
            compared[player].append(value[player])
    sign = 1 if rule.lowest_first else -1
    ordered = sorted(group, key=lambda player: (sign * value[player], player))
    return [list(part) for _, part in groupby(ordered, key=lambda player: value[player])]
