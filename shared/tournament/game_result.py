"""A game as one event left it: what rating lists, club pages and seasons of other programs read."""

from __future__ import annotations

from typing import Annotated, Any

from shared.shapes import View
from shared.tournament.game_status import GameStatus

RESULT = "GameResult"
"""The `type` of the CloudEvents that carry it. No log holds such an event: they are made from several logs."""
RESULT_VERSION = 1


def result_dataschema(at: str = "") -> str:
    """Return the URI of the JSON Schema of `data`: an address below `at`, or a name if that is empty."""
    return f"{at}/schemas/results/{RESULT_VERSION}" if at else f"urn:muster:result:{RESULT_VERSION}"


class SideScore(View, frozen=True, kw_only=True):
    """One side of a game."""

    player: str
    name: str
    external_id: Annotated[str | None, "The player's id elsewhere, such as in a rating list. null: none is known."]
    outcome: Annotated[str | None, "As the ruleset calls it. null: nothing is reported, or this side has none."]
    values: Annotated[dict[str, int], "Points by the columns of the ruleset."]


class GameResult(View, frozen=True, kw_only=True):
    """A game or a bye as an event left it."""

    tournament: str
    tournament_name: str
    ruleset: Annotated[str, "The id of the ruleset by which the round is played."]
    round: int
    game: str
    kind: Annotated[str, "game, bye, or spare (player 2 is a member of staff)."]
    venue: str
    table: Annotated[int, "0: no table."]
    played_at: Annotated[
        str | None,
        "When the round began. Where rounds are not started, as in a campaign: when the first report came in. null:"
        " neither has happened.",
    ]
    status: GameStatus
    binds: Annotated[bool, "The standings count it."]
    players: list[SideScore]
    facts: Annotated[dict[str, Any], "What was reported; empty for a bye, and before a report."]
    because: Annotated[str, "The type of the event."]
    replaced: Annotated[
        list[SideScore] | None,
        "The sides of the result that counted until this event, if it counts no more or another one does.",
    ]
