"""What scoring shows of how a season ends: who goes up and down, and who is in the final."""

from __future__ import annotations

from typing import Annotated

from services.scoring.season.commands import CutMissing
from shared.season.ending import moves_of
from shared.season.state import SEASON
from shared.shapes import View
from shared.tournament.state import Tournament


class DivisionMoveView(View, frozen=True, kw_only=True):
    """Somebody who begins the next season in another division."""

    player: str
    name: str
    division: str
    to: str
    rank: int
    reason: Annotated[str, "promoted, relegated or inactive."]
    clause: str


class TieView(View, frozen=True, kw_only=True):
    """Members who share the last place above a line; staff name so many of them."""

    what: Annotated[str, "up, down or final."]
    division: str
    places: int
    players: list[str]


class DivisionMovesView(View, frozen=True, kw_only=True):
    """Who goes up and down. decided: as recorded at the end; otherwise by the standings of this moment."""

    decided: bool
    items: list[DivisionMoveView]
    undecided: list[TieView]


class FinalistView(View, frozen=True, kw_only=True):
    """Somebody invited. status: invited, accepted or declined. instead_of: for whom, where somebody declined."""

    player: str
    name: str
    status: str
    instead_of: str


class FinalView(View, frozen=True, kw_only=True):
    """Who is invited to the final, in order. standings: the number of those the cut was made from."""

    standings: int
    named: list[str]
    items: list[FinalistView]


def divisions_view(state: Tournament) -> DivisionMovesView:
    """Who goes up and down: as decided at the end, or as it would be by the standings of this moment."""
    decided = state.results.concluded
    moves, undecided = (SEASON.of(state).moves, ()) if decided else moves_of(state, ())
    players = state.entries.players
    return DivisionMovesView(
        decided=decided,
        items=[
            DivisionMoveView(
                player=move.player,
                name=players[move.player].name,
                division=move.division,
                to=move.to,
                rank=move.rank,
                reason=move.reason,
                clause=move.clause,
            )
            for move in moves
        ],
        undecided=[
            TieView(what=tie.what, division=tie.division, places=tie.places, players=list(tie.players))
            for tie in undecided
        ],
    )


def final_view(state: Tournament) -> FinalView:
    """Who is invited to the final, in the order of invitation. Raises CutMissing."""
    final = SEASON.of(state).final
    if final is None:
        raise CutMissing("Nobody is invited to a final yet.")
    items = [
        FinalistView(
            player=player,
            name=state.entries.players[player].name,
            status=status,
            instead_of=final.instead.get(player, ""),
        )
        for player, status in final.answers.items()
    ]
    return FinalView(standings=final.standings, named=final.named, items=items)
