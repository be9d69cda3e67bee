"""Decisions about a whole round, alike in every format whose players meet: paired, paired again, taken back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.pairing.tournament.commands import PairRound, RepairRound, WithdrawRound
from services.pairing.tournament.drafts import SITTING_OUT, Field, Plan
from services.pairing.tournament.format import PairingFormat, PairingRules
from services.pairing.tournament.manual import by_hand, refuse
from services.pairing.tournament.refusals import (
    OrganiserDecides,
    RoundAlreadyPaired,
    RoundAlreadyStarted,
    RoundHasResults,
)
from services.pairing.tournament.state import current_round, games_begun
from shared.log.event import Event
from shared.refusals import Fault, expects, one_of
from shared.roles import ORGANISER_UP
from shared.tournament.games import named_games
from shared.tournament.guards import Context
from shared.tournament.rounds import DrawMade, PairingsDrawn, Round, RoundPaired, RoundWithdrawn, Seat, in_pages
from shared.tournament.state import Tournament


def repair(format: PairingFormat, state: Tournament, command: RepairRound, context: Context) -> Sequence[Event]:
    """Take a round back that has not begun, and pair it again, in one transaction."""
    round = current_round(state, command.round)
    if round.status == "started":
        raise RoundAlreadyStarted(f"Round {round.number} has begun; withdraw it instead.", round=round.number)
    withdrawn = withdraw(state, WithdrawRound(round=round.number, reason=command.reason), context)
    return [*withdrawn, *format.pair(before_it(state, round), command, context)]


def withdraw(state: Tournament, command: WithdrawRound, context: Context) -> Sequence[Event]:
    """Take the latest round back: before it begins, or by an organiser while nothing was reported of it."""
    round = current_round(state, command.round)
    begun = games_begun(state, round)
    if begun:
        raise RoundHasResults(
            f"Round {round.number} has games with results: {named_games(state, begun)}. {_void_first(state, begun)}",
            games=begun,
        )
    if round.status == "started" and context.by.role not in ORGANISER_UP:
        raise OrganiserDecides(f"Round {round.number} has begun; only an organiser can take it back.")
    return [RoundWithdrawn(round=round.number, reason=command.reason)]


def _void_first(state: Tournament, games: Sequence[str]) -> str:
    """Return the way to take a round back whose games have results, where there is one."""
    if any(game not in state.results.results for game in games):
        return "It cannot be taken back."
    return "Void each result first (POST …/games/{game}/voiding of scoring), then take the round back."


def before_it(state: Tournament, round: Round) -> Tournament:
    """The state as it is once the latest round was taken back."""
    rounds = {number: known for number, known in state.rounds.rounds.items() if number != round.number}
    withdrawn = dict(state.rounds.withdrawn)
    if not round.draft:
        withdrawn[round.number] = withdrawn.get(round.number, 0) + 1
    return replace(state, rounds=replace(state.rounds, rounds=rounds, withdrawn=withdrawn))


def refuse_other_than_next(state: Tournament, asked: int | None) -> None:
    """Raises RoundAlreadyPaired."""
    latest = state.rounds.latest()
    number = latest.number + 1 if latest else 1
    if asked is not None and asked != number:
        raise RoundAlreadyPaired(
            f"Round {asked} is not the next one; round {number} is.",
            [Fault("/round", str(asked), one_of([number]))],
            next=number,
        )


def refuse_byes(command: PairRound, *, paired_by_rule: bool) -> None:
    """Raises PairingsRefused for byes that are given beforehand, in a round that they cannot be given for."""
    said = f"{len(command.byes)}"
    if command.byes and command.pairings is not None:
        refuse([Fault("/byes", said, expects("byes-as-pairings", kinds=["awarded_bye", "requested_bye"]))])
    if command.byes and not paired_by_rule:
        refuse([Fault("/byes", said, expects("byes-in-swiss-round"))])


def written(rules: PairingRules, state: Tournament, number: int, command: PairRound, field: Field, stage: str) -> Plan:
    """The plan of a round by hand. Raises PairingsRefused with every fault."""
    drafts = by_hand(rules, state, number, command, field, stage)
    left_out = dict(field.left_out)
    if command.sitting_out:
        left_out[SITTING_OUT] = sorted(command.sitting_out)
    paired = {player for draft in drafts for player in draft.players}
    left_out = {why: rest for why, players in left_out.items() if (rest := [p for p in players if p not in paired])}
    return Plan(stage=stage, method="manual", drafts=drafts, left_out=left_out, reason=command.reason)


def events_of(
    number: int,
    plan: Plan,
    seats: Sequence[Seat],
    *,
    made_from: int,
    seed: str = "",
    scenario: str = "",
) -> list[Event]:
    """A round that stands: its pairings in pages, then what holds for all of it."""
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
    return [*pairings_drawn(number, seats), stands]


def pairings_drawn(number: int, seats: Sequence[Seat]) -> list[Event]:
    """Return the pairings of a round in pages; none for a round without pairings."""
    pages = in_pages(seats) if seats else []
    return [
        PairingsDrawn(round=number, page=page, pages=len(pages), pairings=part)
        for page, part in enumerate(pages, start=1)
    ]
