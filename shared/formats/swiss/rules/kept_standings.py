"""Standings that are kept up game by game: the same as ranked from the beginning, for a fraction of the work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shared.formats.swiss.rules.placing import Draws, Placing
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.standings import PURPOSE, Standings, active_criteria, drawn_by, values_of
from shared.rules.model import Draw, Game, Status
from shared.rules.records import records_of
from shared.rules.ties import is_within_the_group, worth_anew


class KeptStandings:
    """The standings after a round over games that come, change and go.

    statuses: of everybody who entered, by id. games: those that count, by any id. seed, kept: as for `rank`.
    Where anything but a game changes, the standings are to be made anew.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        statuses: Mapping[str, Status],
        games: Mapping[str, Game],
        *,
        round: int,
        seed: str,
        kept: Sequence[Draw],
    ) -> None:
        self._ruleset, self._round, self._statuses = ruleset, round, dict(statuses)
        out = [player for player, status in statuses.items() if status == "disqualified"]
        self._void = frozenset(out) if ruleset.disqualification.opponents == "void_games" else frozenset()
        self._games: dict[str, Game] = {}
        self._of: dict[str, dict[str, Game]] = {}
        for id, game in games.items():
            self._set(id, game)
        self._records = dict(records_of(self._games.values(), self._statuses, ruleset.played))
        self._values = values_of(ruleset, self._records, self._statuses)
        self._placing = Placing(ruleset, statuses, drawn_by(seed, PURPOSE, round, kept))
        self._placing.put_all(self._values, self._records)

    def standings(self) -> Standings:
        """The standings as they are now."""
        rows = self._placing.rows
        return Standings(self._round, tuple(self._ruleset.columns), rows, Draws(rows))

    def put(self, changed: Mapping[str, Game | None]) -> None:
        """Count games that are new or others now; None: no longer."""
        met: set[str] = set()
        for id, game in changed.items():
            known = self._games.get(id)
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

    def _set(self, id: str, game: Game | None) -> None:
        """A game under an id, or none; one that is void counts for nobody."""
        known = self._games.pop(id, None)
        for player in _players(known):
            del self._of[player][id]
        if game is not None and self._void.isdisjoint(_players(game)):
            self._games[id] = game
            for player in _players(game):
                self._of.setdefault(player, {})[id] = game

    def _record(self, player: str) -> None:
        """The rounds of one player anew; who never entered is on record as long as there is a game."""
        rounds = records_of(self._of.get(player, {}).values(), (), self._ruleset.played).get(player, [])
        if rounds or player in self._statuses:
            self._records[player] = rounds
        else:
            self._records.pop(player, None)

    def _met(self, player: str) -> Iterator[str]:
        """Everybody with whom a player has sat down, the player too."""
        for game in self._of.get(player, {}).values():
            yield from _players(game)


def _players(game: Game | None) -> tuple[str, ...]:
    if game is None:
        return ()
    return (game.player_1,) if game.player_2 is None else (game.player_1, game.player_2)
