"""Draws: every random order and every die of Muster follows from the answer to a question.

An answer is a value of 256 bits. It is computed from a secret that was committed to before anybody could influence what
it decides (`shared.tournament.draws`); what follows from it is public, so anybody who holds the log repeats the draw.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from hashlib import sha256
from typing import Protocol

from msgspec.structs import replace

from shared.rules.model import Draw


class Draws(Protocol):
    """What a decision asks its questions of. The same question has the same answer."""

    def answer(self, question: str, about: Collection[str] = ()) -> str:
        """Return the answer to a question, as 64 hex digits.

        about: who and what the answer is applied to, if staff may see what it would make before it is recorded.
        """
        ...


def lots(draws: Draws, purpose: str, round: int, players: Iterable[str]) -> list[str]:
    """Put players into the order of their lots.

    The question is `lot: purpose, round`; each player has a lot by itself, so a smaller group keeps its order.
    """
    return recorded_draw(draws.answer(f"lot: {purpose}, {round}"), purpose, round, players)


def recorded_draw(seed: str, purpose: str, round: int, players: Iterable[str]) -> list[str]:
    """Put players into a random order that depends on nothing but the arguments.

    Players are ordered by ascending hexadecimal SHA-256 of the UTF-8 text `seed|purpose|round|player`; the order
    in which they are given does not matter.
    Source: the method stated with the ambiguities of each ruleset (AR-AMB, DW-AMB, FF-AMB-3).
    """

    return list(drawing(seed, purpose, round)(players).order)


def drawing(seed: str, purpose: str, round: int) -> Callable[[Iterable[str]], Draw]:
    """The draws of one seed, purpose and round, group by group: the digest of a player is made once for all of them."""
    digests: dict[str, tuple[str, str]] = {}

    def digest(player: str) -> tuple[str, str]:
        if player not in digests:
            digests[player] = sha256(f"{seed}|{purpose}|{round}|{player}".encode()).hexdigest(), player
        return digests[player]

    def draw(players: Iterable[str]) -> Draw:
        group = tuple(sorted(players))
        return Draw(purpose, round, seed, group, tuple(sorted(group, key=digest)))

    return draw


def make_draw(seed: str, purpose: str, round: int, players: Iterable[str]) -> Draw:
    """The same draw as the value that is recorded: with its inputs, and the group it was made for."""
    return drawing(seed, purpose, round)(players)


class KeptDraws:
    """Draws that stand, found by who was in them; of several the first."""

    def __init__(self, draws: Iterable[Draw], purpose: str) -> None:
        self._draws = [draw for draw in draws if draw.purpose == purpose]
        self._groups = [frozenset(draw.group) for draw in self._draws]
        self._of: dict[str, list[int]] = {}
        for index, draw in enumerate(self._draws):
            for player in draw.group:
                self._of.setdefault(player, []).append(index)

    def of(self, players: Collection[str]) -> Draw | None:
        """The first draw in which all the players were, cut down to them; None where there is none.

        Cut down it is still the draw of its own seed and round. Source: FF-AMB-20, FF-AMB-3.
        """
        group = frozenset(players)
        for index in self._of.get(min(group), ()):
            if group <= self._groups[index]:
                draw = self._draws[index]
                order = tuple(player for player in draw.order if player in group)
                return replace(draw, group=tuple(sorted(group)), order=order)
        return None
