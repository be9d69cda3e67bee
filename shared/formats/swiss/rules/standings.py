"""Who stands where: results and ruleset become a ranking. Stop 9 of a result's way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from shared.formats.swiss.rules.placing import Placing, Row, is_listed
from shared.formats.swiss.rules.registries import PAIRING_POLICIES
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.rules.draw import KeptDraws, drawing
from shared.rules.model import PLAYED, Draw, Entrant, Game, Status, Value, as_json, exact
from shared.rules.records import Played, Records, Shares, records_of
from shared.rules.tiebreakers import Criterion
from shared.rules.ties import is_within_the_group, shares_of, tied_groups, worth_of

PURPOSE = "standings"
"""Purpose of the draws that separate tied players."""


class Standings(Struct, frozen=True):
    """The ranked whole after a round, and the draws that separated tied players."""

    round: int
    columns: tuple[str, ...]
    rows: Sequence[Row]
    draws: Sequence[Draw]


def rank(
    ruleset: Ruleset,
    entrants: Iterable[Entrant],
    games: Iterable[Game],
    *,
    round: int,
    seed: str,
    purpose: str = PURPOSE,
    kept: Sequence[Draw] | None = None,
    coins: Sequence[Draw] = (),
) -> Standings:
    """Rank the entrants after tournament round `round`; later games are left out.

    kept: draws that stand, as recorded; a tied group that was in one of them keeps its order. None: those of the
    rounds before, drawn again with `seed`, where the ruleset keeps earlier draws. coins: orders that people entered, by
    round; they come before all draws, and hold in later rounds where draws are kept.
    The order of `entrants` and `games` does not matter. Games of players who are not among the entrants still
    count for their opponents. A disqualified player is left out of the rows (or put last), a dropped one stays,
    marked; what both had stays in the schedules of those they met.
    Source: AR-TB-1, DW-TB-1, FF-TB-1, FF-TB-4, FF-AMB-3, FF-AMB-20; the ruleset's parts on disqualification and drops.
    """
    entered, games = {entrant.player: entrant for entrant in entrants}, list(games)
    if kept is None:
        reused = ruleset.standings.reuse_draws
        kept = _earlier_draws(ruleset, entered.values(), games, round, seed, coins) if reused else ()
        last_first = sorted(coins, key=lambda coin: -coin.round)
        kept = [coin for coin in last_first if coin.round == round or (reused and coin.round < round)] + [*kept]
    records = counted_records(ruleset, entered.values(), games, round)
    statuses = {player: entrant.status for player, entrant in entered.items()}
    placing = Placing(ruleset, statuses, drawn_by(seed, purpose, round, kept))
    placing.put_all(values_of(ruleset, records, entered), records)
    rows = placing.rows
    return Standings(round, tuple(ruleset.columns), tuple(rows), rows.draws)


def drawn_by(seed: str, purpose: str, round: int, kept: Sequence[Draw]) -> Callable[[Collection[str]], Draw]:
    """How tied groups are put in order: by the first draw that stands and had all of them in it, else by a new one."""
    standing, draw = KeptDraws(kept, purpose), drawing(seed, purpose, round)
    return lambda group: standing.of(group) or draw(group)


def _earlier_draws(
    ruleset: Ruleset,
    entrants: Collection[Entrant],
    games: Collection[Game],
    round: int,
    seed: str,
    coins: Sequence[Draw],
) -> list[Draw]:
    """The draws of every round before `round`, each with those before it kept. FF-AMB-20."""
    draws: list[Draw] = []
    for earlier in range(1, round):
        known = [coin for coin in reversed(coins) if coin.round <= earlier]
        draws += rank(ruleset, entrants, games, round=earlier, seed=seed, kept=(*known, *draws)).draws
    return draws


def counted_records(ruleset: Ruleset, entrants: Iterable[Entrant], games: Iterable[Game], round: int) -> Records:
    """The records that count after `round`: without the games of players whom the ruleset strikes out."""
    entrants = list(entrants)
    counted = [game for game in games if game.round <= round]
    out = struck_out(ruleset, entrants, counted)
    counted = [game for game in counted if game.player_1 not in out and game.player_2 not in out]
    return records_of(counted, (entrant.player for entrant in entrants), ruleset.played)


def struck_out(ruleset: Ruleset, entrants: Iterable[Entrant], games: Sequence[Game]) -> set[str]:
    """Return the players whose games count for no one: disqualified ones, and those who left, by the ruleset.

    Of a round robin, a player is due to play everybody of round 1 once in each cycle. Source: RR-OUT-2.
    """
    statuses = {entrant.player: entrant.status for entrant in entrants}
    out = {player for player, status in statuses.items() if status == "disqualified"}
    out = out if ruleset.disqualification.opponents == "void_games" else set()
    left = {player for player, status in statuses.items() if status == "dropped"}
    if ruleset.drop.games == "struck_out":
        return out | left
    if ruleset.drop.games == "below_half":
        met = Counter(
            player
            for game in games
            if game.facts.kind in PLAYED and game.player_2 is not None
            for player in (game.player_1, game.player_2)
        )
        first = {player for game in games if game.round == 1 for player in (game.player_1, game.player_2) if player}
        due = (len(first) - 1) * PAIRING_POLICIES[ruleset.pairing.stages[-1].policy].cycles
        out |= {player for player in left if 2 * met[player] < due}
    return out


def rows_as_json(standings: Standings) -> list[dict[str, Any]]:
    """The rows as `muster standings` and the interfaces show them: whole numbers, or decimal strings."""
    return [
        {"rank": row.rank, "player": row.player}
        | {column: as_json(row.values.get(column)) for column in standings.columns}
        | {"tied": row.tied}
        | ({} if row.status == "active" else {"status": row.status})
        for row in standings.rows
    ]


def values_of(ruleset: Ruleset, records: Records, players: Collection[str]) -> dict[str, dict[str, Value]]:
    """Every value of every player, by column, apart from those that depend on who else is tied."""
    rules = (rule for rule in active_criteria(ruleset) if not is_within_the_group(rule))
    return {rule.column: worth_of(records, players, rule) for rule in rules}


def active_criteria(ruleset: Ruleset) -> list[Criterion]:
    """The criteria that the ruleset ranks by, with its options, in order."""
    return [criterion for criterion in ruleset.standings.criteria if criterion.active]


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
    """A function that explains every value of the player it is given; the records are made once for all.

    A value that depends on who else is tied is explained for players whom it was used to compare.
    """
    entrants = list(entrants)
    records = counted_records(ruleset, entrants, games, round)
    criteria = active_criteria(ruleset)
    tied = _tied(ruleset, {entrant.player: entrant.status for entrant in entrants}, records)

    def shares(rule: Criterion, player: str) -> Shares | None:
        if is_within_the_group(rule):
            group = tied[rule.column].get(player)
            return shares_of(records, group, rule) if group else None
        return of_all[rule.column]

    of_all = {rule.column: shares_of(records, records, rule) for rule in criteria if not is_within_the_group(rule)}

    def explained(player: str) -> list[Explained]:
        made = [(rule, shares(rule, player)) for rule in criteria]
        return [_explained(records[player], of(player), rule) for rule, of in made if of is not None]

    return explained


def _tied(ruleset: Ruleset, statuses: Mapping[str, Status], records: Records) -> dict[str, dict[str, list[str]]]:
    """Return the tied groups in which a criterion compared players: column -> player -> the group of the player."""
    criteria = active_criteria(ruleset)
    found: dict[str, dict[str, list[str]]] = {rule.column: {} for rule in criteria if is_within_the_group(rule)}

    def note(rule: Criterion, group: list[str]) -> None:
        if rule.column in found:
            found[rule.column].update(dict.fromkeys(group, group))

    if found:
        values = values_of(ruleset, records, statuses)
        listed = [player for player, status in statuses.items() if is_listed(ruleset, status)]
        for last in (False, True):
            players = [player for player in listed if (statuses[player] == "disqualified") == last]
            tied_groups(players, criteria, values, records, note=note)
    return found


def _explained(rounds: Iterable[Played], shares: Iterable[Value], rule: Criterion) -> Explained:
    values = list(shares)
    made = [Share(played.round, played.opponent, exact(value)) for played, value in zip(rounds, values, strict=True)]
    return Explained(rule.column, rule.clause, exact(sum(values)), tuple(made))
