"""Who stands where: results and ruleset become a ranking. Stop 9 of a result's way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct, structs

from shared.formats.swiss.rules.placing import Draws, Placing, Row, is_listed
from shared.formats.swiss.rules.registries import PAIRING_POLICIES
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.rules.draw import KeptDraws, drawing
from shared.rules.model import PLAYED, Draw, Entrant, Game, Status, Value, as_json, exact
from shared.rules.records import Played, Records, Shares, records_of
from shared.rules.tiebreakers import Criterion
from shared.rules.ties import is_within_the_group, shares_of, tied_groups, worth_anew, worth_of

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
    statuses = {player: entrant.status for player, entrant in entered.items()}
    played = {number: game for number, game in enumerate(games) if game.round <= round}
    ranking = Ranking(ruleset, statuses, played, round=round, seed=seed, purpose=purpose, kept=kept).standings()
    return structs.replace(ranking, rows=tuple(ranking.rows), draws=tuple(ranking.draws))


class Ranking:
    """The standings after a round over games that come, change and go.

    statuses: of everybody who entered, by id. games: those up to the round, by any id. seed, purpose, kept: as for
    `rank`; without a seed, tied players share a rank. Where anything but a game changes, or a game can decide whether
    others count (`counts_each_game`), the ranking is to be made anew.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        statuses: Mapping[str, Status],
        games: Mapping[Any, Game],
        *,
        round: int,
        seed: str | None,
        purpose: str = PURPOSE,
        kept: Sequence[Draw],
    ) -> None:
        self._ruleset, self._round, self._statuses = ruleset, round, dict(statuses)
        self._out = struck_out(ruleset, statuses, games.values())
        self._games = {id: game for id, game in games.items() if self._out.isdisjoint(_players(game))}
        self._records = dict(records_of(self._games.values(), self._statuses, ruleset.played))
        self._values = values_of(ruleset, self._records, self._statuses)
        self._placing = Placing(ruleset, statuses, _drawn_by(seed, purpose, round, kept))
        self._placing.put_all(self._values, self._records)

    def standings(self) -> Standings:
        """Return the standings as they are now; rows and draws are made when they are looked at."""
        rows = self._placing.rows
        return Standings(self._round, tuple(self._ruleset.columns), rows, Draws(rows))

    def put(self, changed: Mapping[Any, Game | None]) -> None:
        """Count games that are new or changed; None: a game that does not count any more."""
        met: set[str] = set()
        for id, game in changed.items():
            known = self._games.get(id)
            if game is not None and not self._out.isdisjoint(_players(game)):
                game = None
            if game != known:
                met.update(_players(known), _players(game))
                self._set(id, game)
        if not met:
            return
        for player in met:
            self._record(player)
        moved = {player for player in met if player in self._statuses}
        for rule in active_criteria(self._ruleset):
            if is_within_the_group(rule):
                continue
            values = self._values[rule.column]
            for player, value in worth_anew(self._records, self._statuses, rule, met, self._met).items():
                if values[player] != value:
                    values[player] = value
                    moved.add(player)
        self._placing.put(moved, self._values, self._records)

    @cached_property
    def _of(self) -> dict[str, dict[Any, Game]]:
        """Player -> their games by id."""
        found: dict[str, dict[Any, Game]] = {}
        for id, game in self._games.items():
            for player in _players(game):
                found.setdefault(player, {})[id] = game
        return found

    def _set(self, id: Any, game: Game | None) -> None:
        of = self._of
        for player in _players(self._games.pop(id, None)):
            del of[player][id]
        if game is not None:
            self._games[id] = game
            for player in _players(game):
                of.setdefault(player, {})[id] = game

    def _record(self, player: str) -> None:
        """Make the rounds of one player again; a player who never entered is on record while there is a game."""
        rounds = records_of(self._of.get(player, {}).values(), (), self._ruleset.played).get(player, [])
        if rounds or player in self._statuses:
            self._records[player] = rounds
        else:
            self._records.pop(player, None)

    def _met(self, player: str) -> Iterator[str]:
        """Yield everybody with whom a player has sat down, the player too."""
        for game in self._of.get(player, {}).values():
            yield from _players(game)


def counts_each_game(ruleset: Ruleset) -> bool:
    """Return True if no game decides whether other games count."""
    return ruleset.drop.games == "count"


def _players(game: Game | None) -> tuple[str, ...]:
    if game is None:
        return ()
    return (game.player_1,) if game.player_2 is None else (game.player_1, game.player_2)


def _drawn_by(
    seed: str | None, purpose: str, round: int, kept: Sequence[Draw]
) -> Callable[[Collection[str]], Draw | None]:
    """Return what orders a tied group: the first draw that stands and had all of them in it, else a new one.

    Without a seed there are no new draws.
    """
    standing, draw = KeptDraws(kept, purpose), drawing(seed or "", purpose, round)
    return lambda group: standing.of(group) or (draw(group) if seed is not None else None)


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
    statuses = {entrant.player: entrant.status for entrant in entrants}
    counted = [game for game in games if game.round <= round]
    out = struck_out(ruleset, statuses, counted)
    counted = [game for game in counted if game.player_1 not in out and game.player_2 not in out]
    return records_of(counted, statuses, ruleset.played)


def struck_out(ruleset: Ruleset, statuses: Mapping[str, Status], games: Collection[Game]) -> set[str]:
    """Return the players whose games count for no one: disqualified ones, and those who left, by the ruleset.

    Of a round robin, a player is due to play everybody of round 1 once in each cycle. Source: RR-OUT-2.
    """
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
