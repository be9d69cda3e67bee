"""Standings: ranked rows, incremental rankings, and the explanation of each value."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, takewhile
from operator import itemgetter
from typing import Any, overload

from msgspec import Struct, structs

from shared.rules.model import (
    PLAYED,
    Draw,
    Entrant,
    Game,
    RecordedDraws,
    Status,
    Value,
    as_json,
    draw_function,
    exact_text,
)
from shared.rules.tiebreakers import (
    Criterion,
    Played,
    Records,
    Shares,
    criterion_values,
    is_within_the_group,
    records_of,
    shares_of,
    shown_values,
    tied_groups,
    updated_values,
)
from shared.swiss.registries import PAIRING_POLICIES
from shared.swiss.ruleset import Ruleset

Values = Mapping[str, Mapping[str, Value]]
"""Column -> player -> value."""

Key = tuple[Any, ...]
"""Sort key of a player, lowest first. Only criteria that depend on the tied group can separate equal keys."""


class Row(Struct, frozen=True, gc=False):
    """A row of the standings.

    - `tied`: True if only a recorded draw separates the player from a neighbour, or nothing does.
    - `values`: by column, without values of a tied group that did not compare the player.
    - `draw`: that draw, for rows ranked here.
    """

    rank: int
    player: str
    values: dict[str, Value]
    tied: bool
    status: Status
    draw: Draw | None = None


class _Place(Struct, frozen=True, gc=False):
    """A row without its rank. `behind`: number of players of the same tied group before it."""

    player: str
    values: dict[str, Value]
    status: Status
    draw: Draw | None
    tied: bool
    behind: int


class LazyRows(Sequence[Row]):
    """Rows in order, created on access: one result changes the rank of thousands of rows, and a page shows few.

    `players`: ids of the players in order.
    """

    def __init__(self, places: Sequence[_Place], players: Sequence[str], unresolved: str) -> None:
        self._places, self.players, self._unresolved = places, players, unresolved

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Row]:
        return map(self._row, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        if isinstance(index, slice):
            return [self._row(place) for place in range(*index.indices(len(self)))]
        return self._row(range(len(self))[index])

    @cached_property
    def draws(self) -> tuple[Draw, ...]:
        """The draws of all tied groups, in the order of the rows."""
        return tuple(place.draw for place in self._places if place.draw is not None and not place.behind)

    def differences(self, later: LazyRows) -> tuple[set[str], set[str]]:
        """Return the players whose rows differ in later standings, and those of whom only the rank differs.

        The first set includes players who are new or missing there.
        """
        known = {place.player: (self._rank(index), place) for index, place in enumerate(self._places)}
        changed, reranked = set(), set()
        for index, place in enumerate(later._places):
            rank, was = known.pop(place.player, (0, None))
            if was is not place and was != place:
                changed.add(place.player)
            elif rank != later._rank(index):
                reranked.add(place.player)
        return changed | known.keys(), reranked

    def _row(self, index: int) -> Row:
        place = self._places[index]
        return Row(self._rank(index), place.player, place.values, place.tied, place.status, place.draw)

    def _rank(self, index: int) -> int:
        place = self._places[index]
        first = index - place.behind
        shared = place.draw is None or (self._unresolved == "shared_below_first" and first > 0)
        return 1 + (first if shared else index)


class LazyDraws(Sequence[Draw]):
    """The draws of rows, collected on access: of thousands of rows, a page shows fifty."""

    def __init__(self, rows: LazyRows) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows.draws)

    def __iter__(self) -> Iterator[Draw]:
        return iter(self._rows.draws)

    @overload
    def __getitem__(self, index: int) -> Draw: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Draw]: ...
    def __getitem__(self, index: int | slice) -> Draw | Sequence[Draw]:
        return self._rows.draws[index]


def draws_of(rows: Iterable[Row]) -> list[Draw]:
    """Return the draws that any of these rows took part in, without repetition, in the order of the rows."""
    return list(dict.fromkeys(row.draw for row in rows if row.draw is not None))


def players_of(rows: Sequence[Row]) -> Sequence[str]:
    """Return the ids of the players in rows, in order."""
    return rows.players if isinstance(rows, LazyRows) else [row.player for row in rows]


class Placing:
    """Rows in order, and the draws that separated tied players.

    - `statuses`: status of every player who entered.
    - `drawn`: returns the draw that orders a tied group; None if they share a rank.

    Disqualified players are left out of the rows or put last. Dropped players stay if the ruleset lists them.
    """

    def __init__(
        self, ruleset: Ruleset, statuses: Mapping[str, Status], drawn: Callable[[Collection[str]], Draw | None]
    ) -> None:
        criteria = [criterion for criterion in ruleset.standings.criteria if criterion.active]
        self._first = list(takewhile(lambda rule: not is_within_the_group(rule), criteria))
        self._rest = criteria[len(self._first) :]
        self._columns = tuple(ruleset.columns)
        self._unresolved = ruleset.standings.unresolved
        self._drawn = drawn
        self._statuses = {player: status for player, status in statuses.items() if is_listed(ruleset, status)}
        self._key_of: dict[str, Key] = {}
        self._order: list[tuple[Key, str]] = []
        self._places: list[_Place] = []
        self._players: list[str] = []

    @property
    def rows(self) -> LazyRows:
        """All listed players in order."""
        return LazyRows(tuple(self._places), tuple(self._players), self._unresolved)

    def put_all(self, values: Values, records: Records) -> None:
        """Rank all players."""
        self._key_of = {player: self._key(player, values) for player in self._statuses}
        self._order = sorted((key, player) for player, key in self._key_of.items())
        self._places = []
        for _, members in groupby(self._order, key=itemgetter(0)):
            self._places += self._order_tied([player for _, player in members], values, records)
        self._players = [place.player for place in self._places]

    def put(self, moved: Collection[str], values: Values, records: Records) -> None:
        """Move players whose values or games changed. `values` and `records` are the current ones of all players."""
        moved = [player for player in moved if player in self._statuses]
        keys = {self._key_of[player] for player in moved}
        for player in moved:
            place = bisect_left(self._order, (self._key_of[player], player))
            del self._order[place]
            del self._places[place], self._players[place]  # any row with this key: they are rebuilt below
        for player in moved:
            key = self._key_of[player] = self._key(player, values)
            keys.add(key)
            place = bisect_left(self._order, (key, player))
            self._order.insert(place, (key, player))
            self._places.insert(place, _NOBODY)
            self._players.insert(place, "")
        for key in keys:
            start = end = bisect_left(self._order, (key,))
            while end < len(self._order) and self._order[end][0] == key:
                end += 1
            players = [player for _, player in self._order[start:end]]
            places = self._places[start:end] = self._order_tied(players, values, records)
            self._players[start:end] = [place.player for place in places]

    def _order_tied(self, players: list[str], values: Values, records: Records) -> list[_Place]:
        """Return the places of players with one key: in the order of the other criteria, then drawn."""
        places = []
        compared: dict[str, list[Value]] = {player: [] for player in players}
        for group in tied_groups(players, self._rest, values, records, compared):
            draw = self._drawn(group) if len(group) > 1 and self._unresolved != "shared" else None
            for behind, player in enumerate(draw.order if draw else group):
                shown = self._shown(player, values, compared[player])
                places.append(_Place(player, shown, self._statuses[player], draw, len(group) > 1, behind))
        return places

    def _shown(self, player: str, values: Values, compared: Sequence[Value]) -> dict[str, Value]:
        if not self._rest:
            return {column: values[column][player] for column in self._columns}
        shown = shown_values(player, self._first, values, ()) | shown_values(player, self._rest, values, compared)
        return {column: shown[column] for column in self._columns if column in shown}

    def _key(self, player: str, values: Values) -> Key:
        worth = [(1 if rule.lowest_first else -1) * values[rule.column][player] for rule in self._first]
        return self._statuses[player] == "disqualified", *worth


_NOBODY = _Place("", {}, "active", None, False, 0)


def is_listed(ruleset: Ruleset, status: Status) -> bool:
    """Return True if players of a status have a row in the standings."""
    if status == "disqualified":
        return ruleset.disqualification.listed == "last"
    return status == "active" or ruleset.drop.listed


PURPOSE = "standings"
"""Purpose of the draws that separate tied players."""


class Standings(Struct, frozen=True):
    """The standings after a round, and the draws that separated tied players."""

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
    """Rank the entrants after tournament round `round`. Later games are left out.

    - `kept`: recorded draws in force; a tied group contained in one of them keeps its order. None: those of earlier
      rounds, drawn again with `seed`, if the ruleset reuses draws.
    - `coins`: orders entered by staff, by round. They precede all draws, and stay in force if draws are reused.

    The order of `entrants` and `games` does not matter. Games of players who are not among the entrants count for their
    opponents. Disqualified players are left out of the rows (or put last), dropped ones stay, marked. Their values stay
    in the schedules of their opponents.
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
    """The standings after a round, updated when games are added, changed or removed.

    - `statuses`: status of every player who entered.
    - `games`: games up to the round, by any id.
    - `seed`, `purpose`, `kept`: as for `rank`. Without a seed, tied players share a rank.

    Create a new ranking if anything but a game changes, or if games decide whether others count (`counts_each_game`).
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
        self._values = compute_values(ruleset, self._records, self._statuses)
        self._placing = Placing(ruleset, statuses, _drawn_by(seed, purpose, round, kept))
        self._placing.put_all(self._values, self._records)

    def standings(self) -> Standings:
        """Return the current standings. Rows and draws are created on access."""
        rows = self._placing.rows
        return Standings(self._round, tuple(self._ruleset.columns), rows, LazyDraws(rows))

    def put(self, changed: Mapping[Any, Game | None]) -> None:
        """Count games that are new or changed. None: the game no longer counts."""
        affected: set[str] = set()
        for id, game in changed.items():
            known = self._games.get(id)
            if game is not None and not self._out.isdisjoint(_players(game)):
                game = None
            if game != known:
                affected.update(_players(known), _players(game))
                self._set(id, game)
        if not affected:
            return
        for player in affected:
            self._record(player)
        moved = {player for player in affected if player in self._statuses}
        for rule in active_criteria(self._ruleset):
            if is_within_the_group(rule):
                continue
            values = self._values[rule.column]
            for player, value in updated_values(self._records, self._statuses, rule, affected, self._met).items():
                if values[player] != value:
                    values[player] = value
                    moved.add(player)
        self._placing.put(moved, self._values, self._records)

    @cached_property
    def _games_of(self) -> dict[str, dict[Any, Game]]:
        """Games of each player, by id."""
        games_of: dict[str, dict[Any, Game]] = {}
        for id, game in self._games.items():
            for player in _players(game):
                games_of.setdefault(player, {})[id] = game
        return games_of

    def _set(self, id: Any, game: Game | None) -> None:
        games_of = self._games_of
        for player in _players(self._games.pop(id, None)):
            del games_of[player][id]
        if game is not None:
            self._games[id] = game
            for player in _players(game):
                games_of.setdefault(player, {})[id] = game

    def _record(self, player: str) -> None:
        """Rebuild the rounds of a player. A player without an entry has a record as long as they have a game."""
        rounds = records_of(self._games_of.get(player, {}).values(), (), self._ruleset.played).get(player, [])
        if rounds or player in self._statuses:
            self._records[player] = rounds
        else:
            self._records.pop(player, None)

    def _met(self, player: str) -> Iterator[str]:
        """Yield all players of a player's games, including the player."""
        for game in self._games_of.get(player, {}).values():
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
    """Return a function that orders a tied group: by the first draw in force that contains it, or else by a new one.

    Without a seed there are no new draws.
    """
    recorded, draw = RecordedDraws(kept, purpose), draw_function(seed or "", purpose, round)
    return lambda group: recorded.of(group) or (draw(group) if seed is not None else None)


def _earlier_draws(
    ruleset: Ruleset,
    entrants: Collection[Entrant],
    games: Collection[Game],
    round: int,
    seed: str,
    coins: Sequence[Draw],
) -> list[Draw]:
    """Return the draws of every earlier round, each based on those before it (FF-AMB-20)."""
    draws: list[Draw] = []
    for earlier in range(1, round):
        known = [coin for coin in reversed(coins) if coin.round <= earlier]
        draws += rank(ruleset, entrants, games, round=earlier, seed=seed, kept=(*known, *draws)).draws
    return draws


def counted_records(ruleset: Ruleset, entrants: Iterable[Entrant], games: Iterable[Game], round: int) -> Records:
    """Return the records that count after `round`, without games of players whom the ruleset strikes out."""
    statuses = {entrant.player: entrant.status for entrant in entrants}
    counted = [game for game in games if game.round <= round]
    out = struck_out(ruleset, statuses, counted)
    counted = [game for game in counted if game.player_1 not in out and game.player_2 not in out]
    return records_of(counted, statuses, ruleset.played)


def struck_out(ruleset: Ruleset, statuses: Mapping[str, Status], games: Collection[Game]) -> set[str]:
    """Return the players whose games count for no one: disqualified or dropped players, if the ruleset says so.

    In a round robin, a player is due to play everyone of round 1 once in each cycle. Source: RR-OUT-2.
    """
    out = {player for player, status in statuses.items() if status == "disqualified"}
    out = out if ruleset.disqualification.opponents == "void_games" else set()
    dropped = {player for player, status in statuses.items() if status == "dropped"}
    if ruleset.drop.games == "struck_out":
        return out | dropped
    if ruleset.drop.games == "below_half":
        met = Counter(
            player
            for game in games
            if game.facts.kind in PLAYED and game.player_2 is not None
            for player in (game.player_1, game.player_2)
        )
        first = {player for game in games if game.round == 1 for player in (game.player_1, game.player_2) if player}
        games_due = (len(first) - 1) * PAIRING_POLICIES[ruleset.pairing.stages[-1].policy].cycles
        out |= {player for player in dropped if 2 * met[player] < games_due}
    return out


def rows_as_json(standings: Standings) -> list[dict[str, Any]]:
    """Return the rows as `muster standings` and the interfaces show them: integers or decimal strings."""
    return [
        {"rank": row.rank, "player": row.player}
        | {column: as_json(row.values.get(column)) for column in standings.columns}
        | {"tied": row.tied}
        | ({} if row.status == "active" else {"status": row.status})
        for row in standings.rows
    ]


def compute_values(ruleset: Ruleset, records: Records, players: Collection[str]) -> dict[str, dict[str, Value]]:
    """Return every value of every player by column, except those that depend on the tied group."""
    rules = (rule for rule in active_criteria(ruleset) if not is_within_the_group(rule))
    return {rule.column: criterion_values(records, players, rule) for rule in rules}


def active_criteria(ruleset: Ruleset) -> list[Criterion]:
    """Return the criteria that the ruleset ranks by, in order."""
    return [criterion for criterion in ruleset.standings.criteria if criterion.active]


class Share(Struct, frozen=True):
    """The share of a round in a value. `value` is exact (`8`, `13/6`); `opponent` is None for a bye."""

    round: int
    opponent: str | None
    value: str


class Explained(Struct, frozen=True):
    """A value, its clause, and the shares of the rounds that add up to it."""

    column: str
    clause: str
    value: str
    shares: tuple[Share, ...]


def explain(
    ruleset: Ruleset, entrants: Iterable[Entrant], games: Iterable[Game], *, round: int
) -> Callable[[str], list[Explained]]:
    """Return a function that explains every value of a player. The records are computed once for all players.

    A value that depends on the tied group is explained for players whom it compared.
    """
    entrants = list(entrants)
    records = counted_records(ruleset, entrants, games, round)
    criteria = active_criteria(ruleset)
    tied = _compared_groups(ruleset, {entrant.player: entrant.status for entrant in entrants}, records)

    def shares(rule: Criterion, player: str) -> Shares | None:
        if is_within_the_group(rule):
            group = tied[rule.column].get(player)
            return shares_of(records, group, rule) if group else None
        return of_all[rule.column]

    of_all = {rule.column: shares_of(records, records, rule) for rule in criteria if not is_within_the_group(rule)}

    def explained(player: str) -> list[Explained]:
        shares_by_rule = [(rule, shares(rule, player)) for rule in criteria]
        return [_explained(records[player], of(player), rule) for rule, of in shares_by_rule if of is not None]

    return explained


def _compared_groups(
    ruleset: Ruleset, statuses: Mapping[str, Status], records: Records
) -> dict[str, dict[str, list[str]]]:
    """Return the tied groups in which each criterion compared players: column -> player -> group."""
    criteria = active_criteria(ruleset)
    groups: dict[str, dict[str, list[str]]] = {rule.column: {} for rule in criteria if is_within_the_group(rule)}

    def note(rule: Criterion, group: list[str]) -> None:
        if rule.column in groups:
            groups[rule.column].update(dict.fromkeys(group, group))

    if groups:
        values = compute_values(ruleset, records, statuses)
        listed = [player for player, status in statuses.items() if is_listed(ruleset, status)]
        for last in (False, True):
            players = [player for player in listed if (statuses[player] == "disqualified") == last]
            tied_groups(players, criteria, values, records, note=note)
    return groups


def _explained(rounds: Iterable[Played], shares: Iterable[Value], rule: Criterion) -> Explained:
    values = list(shares)
    round_shares = [
        Share(played.round, played.opponent, exact_text(value)) for played, value in zip(rounds, values, strict=True)
    ]
    return Explained(rule.column, rule.clause, exact_text(sum(values)), tuple(round_shares))
