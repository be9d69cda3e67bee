"""What happened in a game, as somebody tells it at the door: the members of every ruleset's result form."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from services.scoring.campaign.reports import MOST_GROUPS, GameReport
from shared.refusals import Expected, expects
from shared.rules.parts import LONGEST_WORD
from shared.shapes import Check, Documented, Id, Name, Shape, Size, Whole

MOST_EXTRA = 50
"""Further numbers of one result."""
A_WORD = {"type": "string", "minLength": 1, "maxLength": LONGEST_WORD, "pattern": "[^0-9 ]", "examples": ["draw"]}
WINNER = expects("winner-or-draw", draw="draw")


def _winner(said: object) -> Expected | None:
    """Return the expectation of a winner for what is neither 1, 2 nor a word, which the ruleset looks at.

    `true` and `1.0` are neither.
    """
    if isinstance(said, str):
        return None if 0 < len(said) <= LONGEST_WORD and not said.strip().isdigit() else WINNER
    return None if type(said) is int and said in (1, 2) else WINNER


class Facts(Shape, frozen=True, kw_only=True):
    """What happened, in the words of the ruleset's result form; what the form does not name is refused."""

    kind: Literal["game", "spare", "forfeit", "no_show", "double_no_show", "double_forfeit"] = "game"
    points_1: Annotated[int | UnsetType, Whole(0, 1_000_000), "Score of player 1 in the game's own unit."] = UNSET
    points_2: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    winner: Annotated[
        Any,
        Check(_winner),
        Documented({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 2}, A_WORD]}),
        "1, 2 or draw, where points do not decide; draw also as the ruleset's own word (`words`).",
    ] = UNSET
    end: Literal["rounds", "time", "defeated_1", "defeated_2", "mutual", "simultaneous", "concession"] | UnsetType = (
        UNSET
    )
    second_player: Annotated[int | UnsetType, Whole(1, 2), "The side without the initiative."] = UNSET
    conceded_by: Annotated[
        int | UnsetType,
        Whole(1, MOST_GROUPS),
        "The side that conceded, forfeits or did not come: 1 or 2; in a campaign the place of its group in the"
        " pairing.",
    ] = UNSET
    destroyed_1: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    destroyed_2: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    objective_1: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    objective_2: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    scenario: Annotated[str | UnsetType, Name()] = UNSET
    extra: Annotated[dict[Id, Annotated[int, Whole(0, 1_000_000)]] | UnsetType, Size(MOST_EXTRA)] = UNSET
    board: Annotated[
        dict[Id, Any] | UnsetType,
        Size(MOST_EXTRA),
        "What stood on the table at the end, where the ruleset makes a score of it.",
    ] = UNSET
    report: Annotated[GameReport | UnsetType, "Campaigns: what happened in the game, side by side."] = UNSET
