"""The results of listed games: the score and the winner of each."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup
from msgspec import Struct

from muster_client import Muster, Unreachable, answers
from services.console.words import rule_word, score_of

PAGE = 500
"""Games of one request."""


class GameResult(Struct, frozen=True):
    """A result as reported so far.

    winner: 1 or 2; 0 for a draw and for a game without an outcome. report: the report that waits for an answer, as its
    confirmation names it; 0 for none.
    """

    score: str
    winner: int = 0
    report: int = 0


NO_RESULT = GameResult("")


def results_of(services: Muster, event: str, round: int, games: Iterable[answers.PairingView]) -> dict[str, GameResult]:
    """Return the results of these games of a round by id, without those that have none.

    Empty while scoring does not answer: the page is useful without them.
    """
    wanted = {game.id for game in games if game.status not in ("open", "bye")}
    found: dict[str, GameResult] = {}
    after = None
    try:
        while wanted:
            page = services.scoring.list_games(event, round=str(round), limit=PAGE, after=after)
            found |= {game.id: game_result(game) for game in page.items if game.id in wanted}
            wanted -= found.keys()
            after = page.next
            if not after:
                break
    except Unreachable:
        return {}
    return found


def game_result(game: answers.GameShown) -> GameResult:
    """Return the score and the winner of a game."""
    return GameResult(_score(game), _winner(game), game.report or 0)


def _score(game: answers.GameShown) -> str:
    """Return the reported score; for a game without points, the first value that the ruleset makes of it."""
    reported = score_of(game.facts)
    if reported or game.score is None:
        return reported
    for name, value in game.score.values_1.items():
        return Markup("%s : %s %s") % (value, game.score.values_2.get(name, 0), rule_word(name))
    return ""


def _winner(game: answers.GameShown) -> int:
    if game.goes_on:
        return 1 if game.goes_on == game.player_1 else 2
    if game.score is None:
        return 0
    outcomes = (game.score.outcome_1, game.score.outcome_2)
    return outcomes.index("win") + 1 if "win" in outcomes else 0
