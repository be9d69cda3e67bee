"""What each player's games amount to: one pass over the games, from which every value in standings is made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from shared.rules.model import PLAYED, FactsKind, Game, Outcome, Value


class Played(Struct, frozen=True, gc=False):
    """One round of one player.

    opponent: nobody after a bye, a game that was not played, or a game against the spare player, since none of
    these says anything of the strength of those a player met. values, against: what
    the player and the other side had of the round.
    """

    round: int
    opponent: str | None
    outcome: Outcome
    values: Mapping[str, int]
    bye: bool
    against: Mapping[str, int] = {}


Records = Mapping[str, list[Played]]

Shares = Callable[[str], Sequence[Value]]
"""A player -> what each of the player's rounds, in order, adds to a value."""


def records_of(games: Iterable[Game], players: Iterable[str] = (), played: Collection[FactsKind] = PLAYED) -> Records:
    """The rounds of every player in `games`, in round order; an empty list for `players` without one.

    played: the kinds of facts after which the two sides count as having met.
    """
    records: dict[str, list[Played]] = {player: [] for player in players}
    for game in sorted(games, key=lambda game: (game.round, game.player_1)):
        score, faced, bye = game.score, game.kind == "game" and game.facts.kind in played, game.kind == "bye"
        records.setdefault(game.player_1, []).append(
            Played(game.round, game.player_2 if faced else None, score.outcome_1, score.values_1, bye, score.values_2)
        )
        if game.player_2 is not None and game.kind != "spare" and score.outcome_2 is not None:
            records.setdefault(game.player_2, []).append(
                Played(
                    game.round, game.player_1 if faced else None, score.outcome_2, score.values_2, False, score.values_1
                )
            )
    return records


def totals(records: Records, value: str) -> dict[str, int]:
    """The sum of one value over all rounds, of every player."""
    return {player: sum(played.values.get(value, 0) for played in rounds) for player, rounds in records.items()}
