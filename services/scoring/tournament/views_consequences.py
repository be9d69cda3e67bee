"""What scoring shows of a command before anybody decides, in every format whose players meet: what would move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from shared.shapes import Number, View
from shared.tournament.state import Tournament


class RankMoved(View, frozen=True, kw_only=True):
    """A rank as it is and as it would be."""

    before: int
    after: int


class ValueMoved(View, frozen=True, kw_only=True):
    """A value as it is and as it would be."""

    before: Number
    after: Number


class RowMoved(View, frozen=True, kw_only=True):
    """Somebody who would stand elsewhere or with other values."""

    player: str
    name: str
    rank: RankMoved
    values: dict[str, ValueMoved]


class ByeMoved(View, frozen=True, kw_only=True):
    """A round whose byes would have gone to others."""

    round: int
    given_to: list[str]
    would_go_to: list[str]


class CutMoved(View, frozen=True, kw_only=True):
    """Who would be in the cut."""

    would_be_in: list[str]
    would_be_out: list[str]
    seeding_changes: bool


class PlaceMoved(View, frozen=True, kw_only=True):
    """A game of the bracket that another player would go on to; pairing pairs it again.

    In a round that was paired by hand it is refused until staff pair it again.
    """

    round: int
    game: str
    leaves: str
    leaves_name: str
    goes_on: Annotated[str, "Empty: no one; the opponent goes on without a game."]
    goes_on_name: str


class LaterRound(View, frozen=True, kw_only=True):
    """A round that was paired from standings that would change; its pairings stand."""

    round: int
    pairings: int
    status: str


class WinnerMoved(View, frozen=True, kw_only=True):
    """The winner of the tournament as it is and as it would be."""

    before: str
    after: str


class StandingsMoved(View, frozen=True, kw_only=True):
    """What would move in the standings and with them. standings_round: the round that they are of."""

    standings_round: int
    ranks: list[RowMoved]
    rounds_recorded_anew: list[int]
    byes: list[ByeMoved]
    cut: CutMoved | None
    bracket: list[PlaceMoved]
    later_pairings: list[LaterRound]
    winner: WinnerMoved | None


def standings_moved(
    before: Tournament,
    after: Tournament,
    *,
    standings_round: int,
    ranks: list[RowMoved],
    byes: Sequence[ByeMoved] = (),
    cut: CutMoved | None = None,
    bracket: Sequence[PlaceMoved] = (),
) -> StandingsMoved:
    """What every format shows alike, beside the ranks that move, its byes, its cut and its bracket."""
    was, now = before.results.standings_changed_at, after.results.standings_changed_at
    changed = sorted(number for number in after.results.closed if was(number) != now(number))
    return StandingsMoved(
        standings_round=standings_round,
        ranks=ranks,
        rounds_recorded_anew=changed,
        byes=list(byes),
        cut=cut,
        bracket=list(bracket),
        later_pairings=[
            LaterRound(round=number, pairings=len(round.seats), status=round.status)
            for number, round in sorted(before.rounds.rounds.items())
            if number - 1 in changed
        ],
        winner=WinnerMoved(before=before.results.winner, after=after.results.winner)
        if before.results.concluded
        else None,
    )
