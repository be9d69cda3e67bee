"""What a pairing was made from, on demand; and recorded draws, which anybody can make again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from shared.rules.matching import Again, meetings
from shared.rules.model import Draw, Entrant, Game, Pairing
from shared.rules.parts import Words
from shared.swiss.ruleset import Ruleset
from shared.swiss.standings import rank, rows_as_json


def draw_as_value(draw: Draw, coins: Sequence[Draw] = ()) -> dict[str, Any]:
    """A draw for JSON: its inputs, which anybody can draw again, and the order that came out; a coin has no seed."""
    made_from = {"by": "coin"} if _is_coin(draw, coins) else {"seed": draw.seed}
    return {"purpose": draw.purpose, "round": draw.round, **made_from, "order": list(draw.order)}


def draws_as_lines(draws: Iterable[Draw], coins: Sequence[Draw] = ()) -> str:
    """The same as text, a line for each draw."""
    return "".join(
        f"coin: after round {draw.round}: {', '.join(draw.order)}\n"
        if _is_coin(draw, coins)
        else f"draw: seed {draw.seed!r}, purpose {draw.purpose}, round {draw.round}: {', '.join(draw.order)}\n"
        for draw in draws
    )


def _is_coin(draw: Draw, coins: Sequence[Draw]) -> bool:
    """Whether an order was entered; it may be cut down to those of them who are still tied."""
    about = draw.purpose, draw.round
    return any(about == (coin.purpose, coin.round) and set(draw.group) <= set(coin.group) for coin in coins)


class Before(Struct, frozen=True):
    """A player before the round: the row of the standings, and how often the player has met whom, by name."""

    row: dict[str, Any]
    met: dict[str, int]


def before(
    ruleset: Ruleset,
    entrants: Iterable[Entrant],
    games: Iterable[Game],
    *,
    round: int,
    seed: str,
    coins: Sequence[Draw] = (),
) -> dict[str, Before]:
    """Every player in the standings that tournament round `round` is paired from; coins: as for `rank`."""
    played = list(games)
    standings = rank(ruleset, entrants, played, round=round - 1, seed=seed, coins=coins)
    met = meetings(played, round, ruleset.played)
    return {row["player"]: Before(row, _often(met.get(row["player"], {}))) for row in rows_as_json(standings)}


def _often(met: Mapping[str, Again]) -> dict[str, int]:
    return {opponent: again.earlier for opponent, again in sorted(met.items())}


def as_values(pairing: Pairing, known: dict[str, Before], draws: Iterable[Draw]) -> dict[str, Any]:
    """Both sides of a pairing for JSON: the standings row, opponents so far, and the draws the player was in.

    met: the opponents by name. meetings: opponent -> how many games.

    Nothing for a spare player.
    """
    return {
        name: {
            **known[name].row,
            "met": list(known[name].met),
            "meetings": known[name].met,
            "draws": [draw_as_value(draw) for draw in draws if name in draw.group],
        }
        for name in pairing.players
        if name in known
    }


def as_lines(number: int, pairing: Pairing, known: dict[str, Before], words: Words) -> str:
    """The same as text: the reason, then a line for each player. words: what the field calls the values."""
    lines = [f"{number}  {' - '.join(pairing.players)}: {pairing.reason}"]
    for name in pairing.players:
        if name in known:
            row, met = known[name].row, ", ".join(_times(known[name].met)) or "nobody"
            called = words.headings(column for column in row if column not in _NO_VALUES)
            said = ", ".join(f"{heading} {row[column]}" for column, heading in called.items())
            lines.append(f"   {name}: rank {row['rank']}, {said}; has met {met}")
    return "\n".join(lines) + "\n"


def _times(met: Mapping[str, int]) -> Iterable[str]:
    """Return the opponents, each with the number of games if there was more than one."""
    return (f"{opponent} ({games} times)" if games > 1 else opponent for opponent, games in met.items())


_NO_VALUES = {"rank", "player", "tied", "status"}
