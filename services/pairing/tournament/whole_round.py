"""What is alike for a whole round in every format that has opponents: which is next, by hand, as events."""

from __future__ import annotations

from collections.abc import Sequence

from services.pairing.tournament.commands import PairRound
from services.pairing.tournament.drafts import Plan
from services.pairing.tournament.eligible import SITTING_OUT, Field
from services.pairing.tournament.manual import by_hand
from services.pairing.tournament.refusals import RoundAlreadyPaired
from shared.events.base import Event
from shared.refusals import Fault
from shared.tournament.events.pairing import PAGE, DrawMade, PairingsDrawn, RoundPaired, Seat
from shared.tournament.state import Tournament


def refuse_other_than_next(state: Tournament, asked: int | None) -> None:
    """Raises RoundAlreadyPaired."""
    latest = state.rounds.latest()
    number = latest.number + 1 if latest else 1
    if asked is not None and asked != number:
        raise RoundAlreadyPaired(
            f"Round {asked} is not the next one; round {number} is.",
            [Fault("/round", str(asked), str(number))],
            next=number,
        )


def written(state: Tournament, number: int, command: PairRound, field: Field, stage: str) -> Plan:
    """The plan of a round by hand. Raises PairingsRefused with every fault."""
    drafts = by_hand(state, number, command, field, stage)
    left_out = dict(field.left_out)
    if command.sitting_out:
        left_out[SITTING_OUT] = sorted(command.sitting_out)
    paired = {player for draft in drafts for player in draft.players}
    left_out = {why: rest for why, players in left_out.items() if (rest := [p for p in players if p not in paired])}
    return Plan(stage=stage, method="manual", drafts=drafts, left_out=left_out, reason=command.reason)


def events_of(
    number: int, plan: Plan, seats: Sequence[Seat], *, made_from: int, seed: str = "", scenario: str = ""
) -> list[Event]:
    """A round that stands: its pairings in pages, then what holds for all of it."""
    pages = [list(seats[start : start + PAGE]) for start in range(0, len(seats), PAGE)]
    drawn = [
        PairingsDrawn(round=number, page=page, pages=len(pages), pairings=part)
        for page, part in enumerate(pages, start=1)
    ]
    draws = [
        DrawMade(purpose=draw.purpose, round=draw.round, order=list(draw.order), seed=draw.seed) for draw in plan.draws
    ]
    stands = RoundPaired(
        round=number,
        stage=plan.stage,
        method=plan.method,
        games=len(seats),
        seed=seed,
        draws=draws,
        made_from=made_from,
        scenario=scenario,
        left_out=plan.left_out,
        reason=plan.reason,
    )
    return [*drawn, stands]
