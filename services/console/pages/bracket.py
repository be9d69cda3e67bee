"""The bracket: drawn, with the same in words beside it; and on a wall, in pages that fit its screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import MusterError, answers
from services.console.brackets import DESK, WALL, GameWords, Picture, picture_of, round_name, rounds_of
from services.console.pages.results import is_settled
from services.console.pages.wall import SECONDS, page_of
from services.console.signed_in import muster
from services.console.wall_turns import Turn

blueprint = Blueprint("bracket", __name__)
DEEP = 3
"""Rounds on one page of the wall: four games, two, and one."""
MOST = 500
"""Games of a round that are read: no bracket has more."""


@blueprint.get("/events/<event>/bracket")
def show(event: str) -> ResponseReturnValue:
    """The whole bracket, before it is played, meanwhile and after; staff see it while the cut is a draft, too."""
    asked = muster()
    shown, bracket, cut = (
        asked.registration.show_tournament(event),
        asked.pairing.show_bracket(event),
        asked.pairing.show_cut(event),
    )
    rounds = rounds_of(bracket, _facts(event, bracket))
    return render_template(
        "bracket.html",
        event=shown,
        bracket=bracket,
        cut=cut,
        rounds=rounds,
        names=[round_name(len(games)) for games in rounds],
        picture=picture_of(rounds, DESK) if rounds else None,
        tables=_tables(event, bracket),
        winner=_name_of(bracket, bracket.winner),
        playing=_playing(rounds),
        place="bracket",
        has_bracket=True,
    )


@blueprint.get("/events/<event>/wall/bracket")
def wall(event: str) -> ResponseReturnValue:
    """The rounds that are still to be decided, a page of them; the last ones when all are."""
    shown = muster().registration.show_tournament(event)
    turn = turn_of(event, max(1, request.args.get("page", 1, type=int)))
    return page_of(shown, turn, SECONDS, url_for("bracket.wall", event=event, **(turn.on or {"page": 1})))


def turn_of(event: str, page: int) -> Turn:
    """One page of the bracket on a wall. page: from 1; behind the last one it begins anew."""
    bracket = muster().pairing.show_bracket(event)
    draft = muster().pairing.show_cut(event).draft  # a wall shows none, whoever is signed in at its computer
    pages = [] if draft else wall_pages(rounds_of(bracket, {}))
    number = (page - 1) % max(1, len(pages))
    shown = {
        "picture": pages[number] if pages else None,
        "winner": _name_of(bracket, bracket.winner),
        "page": number + 1,
        "pages": len(pages),
    }
    return Turn("wall_bracket.html", shown, {"page": number + 2} if number + 1 < len(pages) else {})


def wall_pages(rounds: Sequence[Sequence[GameWords]]) -> list[Picture]:
    """From the first round that is not decided on: each page four games and where they lead, then what follows."""
    names = [round_name(len(games)) for games in rounds]
    first = next((depth for depth, games in enumerate(rounds) if not all(map(_is_over, games))), len(rounds))
    first = max(0, min(first, len(rounds) - DEEP))
    pages = []
    for depth in range(first, len(rounds), DEEP):
        deep = min(DEEP, len(rounds) - depth)
        leaves = 1 << (DEEP - 1)
        for group in range(0, len(rounds[depth]), leaves):
            part = [rounds[depth + more][group >> more : (group + leaves) >> more or 1] for more in range(deep)]
            pages.append(picture_of(part, WALL, names[depth : depth + deep]))
    return pages


def _is_over(game: GameWords) -> bool:
    return bool(game.winner or game.why)


def _facts(event: str, bracket: answers.BracketView) -> dict[str, Mapping[str, Any]]:
    """What was reported of the games that count, by their id; nothing while scoring does not answer."""
    found: dict[str, Mapping[str, Any]] = {}
    try:
        for number in sorted({game.round for game in bracket.items if game.id}):
            games = muster().scoring.list_games(event, round=str(number), limit=MOST).items
            found |= {game.id: game.facts for game in games if is_settled(game) and game.facts}
    except MusterError:
        return {}
    return found


def _tables(event: str, bracket: answers.BracketView) -> dict[str, answers.PairingView]:
    """Where the games that are not over are played, by their id."""
    numbers = {game.round for game in bracket.items if game.id and not game.winner}
    return {
        game.id: game
        for number in numbers
        for game in muster().pairing.show_round(event, number).pairings
        if game.table
    }


def _playing(rounds: Sequence[Sequence[GameWords]]) -> str:
    """The name of the round that is paired and not decided; empty where none is."""
    return next((round_name(len(games)) for games in rounds if any(game.next for game in games)), "")


def _name_of(bracket: answers.BracketView, player: str) -> str:
    sides = (side for game in bracket.items for side in game.sides)
    return next((side.name for side in sides if side.player == player), "") if player else ""
