"""What comes next on the round board, and what closing a round would make of the standings."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from muster_client import answers
from services.console.settled import is_settled
from services.console.words import OVER

CLOSED, ELIMINATION, NONE = "closed", "elimination", "none"
OF_STATUS = {"draft": "publish", "paired": "start", "started": "close"}
"""Status of a round -> what is done with it next."""


def next_step(
    status: str, board: answers.RoundView, planned: int | None, cut: answers.CutView | None, winner: str
) -> str:
    """publish, start or close this round; make or publish the cut, pair the next round, or end the event; over.

    status: of the event. planned: rounds, None where that is open. cut: asked for once the round is closed.
    winner: of the bracket, empty while it is open.
    """
    if board.status in OF_STATUS:
        return OF_STATUS[board.status]
    if status in OVER or cut is None:
        return "over"
    if cut.seeds:
        return "publish_cut" if cut.draft else "end" if winner else "pair"
    if cut.due:
        return "cut"
    return "end" if planned and board.round >= planned else "pair"


class Moved(Struct, frozen=True):
    """A place in the standings as closing would record it. before: the rank after the round before, 0 for none."""

    rank: int
    before: int
    name: str


class Closing(Struct, frozen=True):
    """What closing a round would do. waiting: games that do not count yet; then nothing can be closed.

    byes: who has none to play. moved: the first places, and who has another one; more: how many others have.
    version: of what was looked at, to close it so.
    """

    waiting: list[answers.PairingView]
    byes: list[str]
    moved: list[Moved]
    more: int
    version: str


FIRST = 8
MOST = 24
"""Rows of what would move."""


def closing(
    board: answers.RoundView,
    after: Mapping[str, int],
    before: Mapping[str, int],
    names: Mapping[str, str],
    version: str = "",
) -> Closing:
    """after: player -> rank once the round is closed; empty where it cannot be. before: the same after the round before
    it."""
    ranked = sorted(after.items(), key=lambda one: one[1])
    places = [Moved(rank, before.get(player, 0), names.get(player, player)) for player, rank in ranked]
    moved = [place for number, place in enumerate(places) if number < FIRST or place.before not in (0, place.rank)]
    return Closing(
        waiting=[game for game in board.pairings if not is_settled(game)],
        byes=[game.name_1 for game in board.pairings if game.status == "bye"],
        moved=moved[:MOST],
        more=max(0, len(moved) - MOST),
        version=version,
    )
