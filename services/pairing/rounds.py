"""Rounds: paired by the rules or by hand, paired again, withdrawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

from msgspec.structs import replace

from services.pairing.guards import RoundAlreadyPaired, RoundAlreadyStarted, current_round, games_begun
from services.pairing.plans import (
    LONGEST_ROUND,
    SITTING_OUT,
    ByeGiven,
    ByHand,
    Draft,
    Field,
    Meant,
    PairingRules,
    Plan,
    Players,
    read,
    refuse,
)
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, one_of
from shared.roles import ORGANISER_UP
from shared.shapes import Command, OptionalReason, Reason, Size, Text
from shared.tournament.games import describe_games
from shared.tournament.guards import Context
from shared.tournament.rounds import DrawMade, PairingsDrawn, Round, RoundPaired, RoundWithdrawn, Seat, paginate
from shared.tournament.state import Tournament


class PairRound(Command, frozen=True, kw_only=True):
    """All members may be left out: then the next round is paired by the ruleset.

    round: the one that is meant, so that a request that comes twice pairs once. pairings: the whole round by hand;
    every active player is in one of them or in `sitting_out`. byes: given before the pairing, where the ruleset says
    what they are worth; the others are paired.
    """

    round: Meant = None
    scenario: Annotated[str, Text(100), "The scenario of the whole round; needed if rounds have one."] = ""
    pairings: Annotated[list[ByHand] | None, Size(LONGEST_ROUND, 1)] = None
    sitting_out: Players = []
    byes: Annotated[list[ByeGiven], Size(LONGEST_ROUND)] = []
    allow_rematch: bool = False
    reason: Annotated[OptionalReason, "Why it is paired by hand; the log keeps it."] = ""


class RepairRound(PairRound, frozen=True, kw_only=True):
    """Why the round is paired again, and how: as for pairing it."""

    round: int
    reason: Reason


class WithdrawRound(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    round: int
    reason: Reason


Pair = Callable[[Tournament, PairRound, Context], Sequence[Event]]
"""The decision of a format that pairs the next round."""


def repair(pair: Pair, state: Tournament, command: RepairRound, context: Context) -> Sequence[Event]:
    """Take a round back that has not begun, and pair it again, in one transaction."""
    round = current_round(state, command.round)
    if round.status == "started":
        raise RoundAlreadyStarted(f"Round {round.number} has begun; withdraw it instead.", round=round.number)
    withdrawn = withdraw(state, WithdrawRound(round=round.number, reason=command.reason), context)
    return [*withdrawn, *pair(before_it(state, round), command, context)]


def withdraw(state: Tournament, command: WithdrawRound, context: Context) -> Sequence[Event]:
    """Take the latest round back: before it begins, or by an organiser while nothing was reported of it."""
    round = current_round(state, command.round)
    begun = games_begun(state, round)
    if begun:
        raise RoundHasResults(
            f"Round {round.number} has games with results: {describe_games(state, begun)}. {_void_first(state, begun)}",
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


def by_hand(
    rules: PairingRules, state: Tournament, number: int, command: PairRound, field: Field, stage: str
) -> list[Draft]:
    """A whole round: everybody of the field is in it, or sits out on purpose.

    Raises PairingsRefused with every fault.
    """
    pairings = command.pairings or []
    drafts, faults = read(rules, state, number, pairings, stage, command.allow_rematch)
    faults += _sitting_out(state, command.sitting_out, pairings, field, stage)
    mentioned = {*command.sitting_out, *(player for one in pairings for player in one.named)}
    faults += [
        Fault("/pairings", "nothing", expects("player-paired", player=state.entries.name_of(player), id=player))
        for player in field.players
        if player not in mentioned
    ]
    if stage == "elimination":
        faults += [
            Fault(f"/pairings/{index}", player, expects("player-in-bracket"))
            for index, draft in enumerate(drafts)
            for player in draft.players
            if player not in field.players
        ]
    refuse(faults)
    return drafts


def _sitting_out(
    state: Tournament, sitting_out: Sequence[str], pairings: Sequence[ByHand], field: Field, stage: str
) -> list[Fault]:
    paired = {player for one in pairings for player in one.named}
    faults = []
    for index, player in enumerate(sitting_out):
        where = f"/sitting_out/{index}"
        if stage == "elimination":
            faults.append(Fault(where, player, expects("nobody-in-bracket")))
        elif player not in state.entries.players:
            faults.append(Fault(where, player, expects("player-of-tournament")))
        elif player in paired:
            faults.append(Fault(where, player, expects("unpaired-player")))
    return faults


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
    pages = paginate(seats) if seats else []
    return [
        PairingsDrawn(round=number, page=page, pages=len(pages), pairings=part)
        for page, part in enumerate(pages, start=1)
    ]


class RoundHasResults(Refusal):
    """Something was reported of the round already, so it cannot be taken back."""

    code = "round-has-results"


class OrganiserDecides(Refusal):
    """A round that has begun is taken back by an organiser only."""

    code = "organiser-decides"
