"""What pairing shows of the elimination stage, and of games that wait for a list."""

from __future__ import annotations

from typing import Annotated

from services.pairing.swiss.cut import tie_at_line
from services.pairing.swiss.decide import due_now
from services.pairing.tournament.views import Named
from shared.shapes import View
from shared.swiss.games import ruleset_of
from shared.tournament.games import MENDED_BY, held_by
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament


class SeedView(Named, frozen=True, kw_only=True):
    """A seat of the cut."""

    seed: int
    given_up: bool
    status: Annotated[str, "Of the player: active, dropped, disqualified or withdrawn."]


class SeatGivenUpView(Named, frozen=True, kw_only=True):
    """Who has given a seat up, and who has moved up into it."""

    moved_up: Annotated[str, "Empty: nobody; the opponent goes on without a game."]
    moved_up_name: str


class AtLineView(Named, frozen=True, kw_only=True):
    """A player of the tied group at the line of the cut."""

    rank: int
    goes_on: bool


class LineTieView(View, frozen=True, kw_only=True):
    """The whole tied group at the line of the cut: no column of the standings separates its players."""

    drawn: Annotated[bool, "A recorded draw put them in this order; false: their ids did."]
    players: Annotated[list[AtLineView], "In the order of the standings."]


class CutView(View, frozen=True, kw_only=True):
    """Who is in the elimination stage, in seeding order."""

    bracket: Annotated[str, "seeded, random or reseed; none: the ruleset has no such stage."]
    clause: Annotated[str, "The rule that says so."]
    due: Annotated[
        int, "How many go on from here by the ruleset, where no cut is made; 0: it says nothing, or not now."
    ]
    after_round: int | None
    draft: Annotated[bool, "Staff alone see it, until it is published."]
    publish_at: Annotated[str, "Of a draft: the time set for it; empty: none."]
    seeds: list[SeedView]
    gave_up: list[SeatGivenUpView]
    tie_at_line: Annotated[
        LineTieView | None,
        "The tied players of whom some go on and some do not. null: a column of the standings separates the last who "
        "goes on from the next, or the standings have changed since.",
    ] = None


class HeldPlayer(Named, frozen=True, kw_only=True):
    """Whose list holds a game up."""

    reason: Annotated[str, "no_roster, roster_rejected or roster_not_accepted."]
    clause: str
    mended_by: str


class HeldGame(View, frozen=True, kw_only=True):
    """A game that waits for a list."""

    id: str
    venue: str
    table: int
    players: list[HeldPlayer]


class HeldGames(View, frozen=True, kw_only=True):
    """The games of a round that have not begun with it."""

    round: int
    items: list[HeldGame]


def cut_view(state: Tournament) -> CutView:
    """The seats of the elimination stage, in seeding order."""
    rounds, players, rule = state.rounds, state.entries.players, ruleset_of(state.entries).cut
    return CutView(
        bracket=rule.bracket,
        clause=rule.clause,
        due=due_now(state),
        after_round=rounds.cut_after or None,
        draft=rounds.cut_draft,
        publish_at=rounds.cut_publish_at,
        seeds=[
            SeedView(
                seed=seed,
                player=player,
                name=state.entries.name_of(player),
                given_up=rounds.given_up.get(player) == "",
                status=players[player].status,
            )
            for seed, player in enumerate(rounds.cut, start=1)
        ],
        gave_up=[
            SeatGivenUpView(
                player=player,
                name=state.entries.name_of(player),
                moved_up=promoted,
                moved_up_name=state.entries.name_of(promoted) if promoted else "",
            )
            for player, promoted in rounds.given_up.items()
        ],
        tie_at_line=_tie_view(state),
    )


def _tie_view(state: Tournament) -> LineTieView | None:
    tie = tie_at_line(state)
    return tie and LineTieView(
        drawn=tie.drawn,
        players=[
            AtLineView(
                player=row.player,
                name=state.entries.name_of(row.player),
                rank=row.rank,
                goes_on=row.player in state.rounds.cut,
            )
            for row in tie.rows
        ],
    )


def held_view(state: Tournament, round: Round) -> HeldGames:
    """The games of a round that wait for a list, with whose, why, the clause and what sets them going."""
    held = [(seat, held_by(state, round, seat)) for seat in round.seats.values()]
    return HeldGames(
        round=round.number,
        items=[
            HeldGame(
                id=seat.game,
                venue=seat.venue,
                table=seat.table,
                players=[
                    HeldPlayer(
                        player=lack.player,
                        name=lack.name,
                        reason=lack.reason,
                        clause=lack.clause,
                        mended_by=str(MENDED_BY[lack.reason]),
                    )
                    for lack in lacking
                ],
            )
            for seat, lacking in held
            if lacking
        ],
    )
