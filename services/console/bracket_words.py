"""A bracket in words: what its rounds and games are called, who sits where, and why somebody goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from muster_client import answers
from services.console.language import _
from services.console.words import BINDING, score_of


class SideWords(Struct, frozen=True):
    """One side of a game. seed: 0 where nobody is known. name: of the player; said: what stands there in its place.

    points: of a game that counts. state: `won`, `lost`, `bye` for a side on which nobody plays, or empty.
    """

    seed: int
    player: str
    name: str
    said: str
    points: str
    state: str


class GameWords(Struct, frozen=True):
    """A game of the bracket. id: empty while it is not paired. status: of the game, empty while it is not paired.

    why: how it was decided; empty while it is open. next: whether it is the one to look at now.
    """

    place: str
    leads_to: str
    round: int
    id: str
    label: str
    status: str
    winner: str
    why: str
    next: bool
    sides: tuple[SideWords, SideWords]


def round_name(games: int) -> str:
    """What a round of so many games is called."""
    if games <= 1:
        return _("Final")
    if games == 2:
        return _("Semi-finals")
    return _("Quarter-finals") if games == 4 else _("Round of %(players)s", players=2 * games)


def game_name(games: int, number: int) -> str:
    """What the game of this number, from 1, is called in a round of so many."""
    if games <= 1:
        return _("Final")
    if games == 2:
        return _("Semi-final %(number)s", number=number)
    if games == 4:
        return _("Quarter-final %(number)s", number=number)
    return _("Round of %(players)s, game %(number)s", players=2 * games, number=number)


def rounds_of(bracket: answers.BracketView, facts: Mapping[str, Mapping[str, Any]]) -> list[list[GameWords]]:
    """The games of each round, the first round first. facts: of the games that count, by their id."""
    numbers = sorted({game.round for game in bracket.items})
    rounds = [[game for game in bracket.items if game.round == number] for number in numbers]
    known = {game.place: game for game in bracket.items}
    labels = {game.place: game_name(len(games), place) for games in rounds for place, game in enumerate(games, 1)}
    return [
        [
            GameWords(
                place=game.place,
                leads_to=game.leads_to,
                round=game.round,
                id=game.id,
                label=labels[game.place],
                status=game.status or "",
                winner=game.winner,
                why=_why(game, facts.get(game.id, {})),
                next=bool(game.id) and game.status not in (*BINDING, "bye"),
                sides=_sides(game, _is_paired(games), known, labels, facts.get(game.id, {})),
            )
            for game in games
        ]
        for games in rounds
    ]


def _is_paired(games: list[answers.BracketGame]) -> bool:
    return any(game.id for game in games)


def _sides(
    game: answers.BracketGame,
    paired: bool,
    known: Mapping[str, answers.BracketGame],
    labels: Mapping[str, str],
    facts: Mapping[str, Any],
) -> tuple[SideWords, SideWords]:
    """Both sides. paired: whether the games of this round stand."""
    nobody_known = not any(side.player for side in game.sides)
    made = []
    for number, side in enumerate(game.sides, 1):
        said, state = "", ""
        if side.player:
            state = ("won" if game.winner == side.player else "lost") if game.winner else ""
        else:
            said, state = _instead(side, known, labels, paired=paired, drawn=nobody_known)
        points = str(facts[f"points_{number}"]) if facts.get(f"points_{number}") is not None else ""
        made.append(SideWords(side.seed, side.player, side.name, said, points, state))
    return made[0], made[1]


def _instead(
    side: answers.BracketSide,
    known: Mapping[str, answers.BracketGame],
    labels: Mapping[str, str],
    *,
    paired: bool,
    drawn: bool,
) -> tuple[str, str]:
    """What stands on a side without a player, and its state."""
    before = known.get(side.comes_from)
    if before is not None and not paired:
        if not before.winner and before.status not in BINDING:
            return _("winner of %(game)s", game=labels[before.place]), ""
        return _("nobody"), "bye"
    if drawn and not paired:
        return _("known when the round is paired"), ""
    return _("no game"), "bye"


def _why(game: answers.BracketGame, facts: Mapping[str, Any]) -> str:
    """How a game was decided, as far as anybody outside can say."""
    if game.status == "bye":
        return _("Nobody sits on the other side.")
    if game.status not in BINDING:
        return ""
    if not game.winner:
        return _("Nobody goes on.")
    points = [facts.get("points_1"), facts.get("points_2")]
    if facts.get("kind", "game") == "game" and None not in points and points[0] == points[1]:
        return _("Tied at %(score)s; the rules for a tie decide who goes on.", score=score_of(facts))
    if facts.get("conceded_by"):
        return (
            _("The other side gave the game up.")
            if facts.get("kind") != "no_show"
            else _("The other side did not come.")
        )
    return score_of(facts, 1 if game.sides[0].player == game.winner else 2)
