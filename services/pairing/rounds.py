"""Rounds: pairing, re-pairing and withdrawal, and the events that record a round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

from msgspec.structs import replace

from services.pairing.guards import (
    RoundAlreadyPaired,
    RoundAlreadyStarted,
    RoundClosed,
    current_parts,
    games_with_reports,
)
from services.pairing.plans import (
    MAX_PAIRINGS,
    SITTING_OUT,
    ByeGiven,
    ByHand,
    ExpectedRound,
    Field,
    PairingRules,
    Plan,
    Players,
    read_pairings,
    refuse_faults,
)
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, one_of
from shared.roles import ORGANISER_UP
from shared.shapes import Command, Id, OptionalReason, Reason, Size, Text
from shared.tournament.games import describe_games
from shared.tournament.guards import Context
from shared.tournament.parts import describe_parts, select_parts
from shared.tournament.rounds import (
    DrawMade,
    PairingsDrawn,
    Round,
    RoundPaired,
    RoundWithdrawn,
    Seat,
    paginate,
    take_back,
)
from shared.tournament.state import Tournament


class PairRound(Command, frozen=True, kw_only=True):
    """Pair the next round.

    All members are optional; without any, the ruleset pairs the round.
    """

    round: ExpectedRound = None
    venue: Annotated[
        Id,
        "The venue to pair, if each venue is paired by itself. Default: every venue whose turn it is.",
    ] = ""
    scenario: Annotated[str, Text(100), "The scenario of the whole round; required if rounds have one."] = ""
    pairings: Annotated[
        list[ByHand] | None,
        Size(MAX_PAIRINGS, 1),
        "The whole round, entered by hand. Every active player must be in a pairing or in `sitting_out`.",
    ] = None
    sitting_out: Annotated[Players, "With `pairings`: active players who do not play this round."] = []
    byes: Annotated[
        list[ByeGiven],
        Size(MAX_PAIRINGS),
        "Byes granted before the pairing, if the ruleset has such byes. The other players are paired.",
    ] = []
    allow_rematch: Annotated[bool, "With `pairings`: accept opponents who have met before."] = False
    reason: Annotated[OptionalReason, "The reason for pairing by hand. It is public."] = ""


class RepairRound(PairRound, frozen=True, kw_only=True):
    """Take back a round that has not started, and pair it again. The members are those of pairing a round."""

    round: int
    reason: Reason


class WithdrawRound(Command, frozen=True, kw_only=True):
    """Take back the latest round, or its part at one venue."""

    round: int
    venue: Annotated[Id, "The venue whose part is taken back. Default: the whole round."] = ""
    reason: Annotated[Reason, "Public."]


PairDecision = Callable[[Tournament, PairRound, Context], Sequence[Event]]


def repair(pair: PairDecision, state: Tournament, command: RepairRound, context: Context) -> Sequence[Event]:
    """Withdraw a round or part that has not started, and pair it again with the decision of its format."""
    round, parts = current_parts(state, command.round, command.venue)
    started = [part for part in parts if round.clock_of(part)]
    if started:
        where = describe_parts(round, started)
        raise RoundAlreadyStarted(f"Round {round.number} has begun{where}; withdraw it instead.", round=round.number)
    venue = command.venue
    withdrawn = withdraw(state, WithdrawRound(round=round.number, venue=venue, reason=command.reason), context)
    return [*withdrawn, *pair(without_round(state, round, venue), command, context)]


def withdraw(state: Tournament, command: WithdrawRound, context: Context) -> Sequence[Event]:
    """Withdraw the latest round, or its part at a venue.

    After its start only an organiser may, and never after a game was reported.
    """
    round, parts = current_parts(state, command.round, command.venue)
    if over := [part for part in select_parts(state, round, command.venue) if part not in parts]:
        raise RoundClosed(f"Round {round.number} is over{describe_parts(round, over)}.", round=round.number)
    games = [game for game in games_with_reports(state, round) if command.venue in ("", round.seats[game].venue)]
    if games:
        raise RoundHasResults(
            f"Round {round.number} has games with results: {describe_games(state, games)}. {_advice(state, games)}",
            games=games,
        )
    if any(round.clock_of(part) for part in parts) and context.by.role not in ORGANISER_UP:
        raise OrganiserDecides(f"Round {round.number} has begun; only an organiser can take it back.")
    venue = command.venue if command.venue in round.origins else ""
    if command.venue and not venue and len(round.parts) > 1:
        raise PairedTogether(
            f"Round {round.number} was paired for all venues together; take the whole round back.", round=round.number
        )
    return [RoundWithdrawn(round=round.number, reason=command.reason, venue=venue)]


def _advice(state: Tournament, games: Sequence[str]) -> str:
    """Return how to withdraw a round whose games have results, if that is possible."""
    if any(game not in state.results.results for game in games):
        return "It cannot be taken back."
    return "Void each result first (POST …/games/{game}/voiding of scoring), then take the round back."


def without_round(state: Tournament, round: Round, venue: str = "") -> Tournament:
    """Return the state as it will be after a round, or its part at a venue, is withdrawn."""
    rounds = replace(state.rounds)
    venue = venue if venue in round.origins else ""
    take_back(rounds, round.number, venue, counts=not (round.is_draft(venue) if venue else round.draft))
    return replace(state, rounds=rounds)


def require_next_round(state: Tournament, number: int | None) -> None:
    """Raise RoundAlreadyPaired unless `number` is the next round, or None."""
    latest = state.rounds.latest()
    following = latest.number + 1 if latest else 1
    if number is not None and number != following:
        raise RoundAlreadyPaired(
            f"Round {number} is not the next one; round {following} is.",
            [Fault("/round", str(number), one_of([following]))],
            next=following,
        )


def refuse_byes(command: PairRound, *, paired_by_rule: bool) -> None:
    """Raise PairingsRefused if byes are granted in a round that does not allow them."""
    count = f"{len(command.byes)}"
    if command.byes and command.pairings is not None:
        refuse_faults([Fault("/byes", count, expects("byes-as-pairings", kinds=["awarded_bye", "requested_bye"]))])
    if command.byes and not paired_by_rule:
        refuse_faults([Fault("/byes", count, expects("byes-in-swiss-round"))])


def plan_by_hand(
    rules: PairingRules, state: Tournament, number: int, command: PairRound, field: Field, stage: str
) -> Plan:
    """Return the plan of a round entered by hand. Every player of the field must be in it or sit out.

    Raises PairingsRefused with every fault.
    """
    pairings = command.pairings or []
    planned, faults = read_pairings(rules, state, number, pairings, stage, command.allow_rematch)
    paired_ids = {player for pairing in pairings for player in pairing.participant_ids}
    faults += _sitting_out_faults(state, command.sitting_out, paired_ids, stage)
    faults += [
        Fault("/pairings", "nothing", expects("player-paired", player=state.entries.name_of(player), id=player))
        for player in field.players
        if player not in paired_ids.union(command.sitting_out)
    ]
    if stage == "elimination":
        faults += [
            Fault(f"/pairings/{index}", player, expects("player-in-bracket"))
            for index, pairing in enumerate(planned)
            for player in pairing.players
            if player not in field.players
        ]
    refuse_faults(faults)
    left_out = dict(field.left_out)
    if command.sitting_out:
        left_out[SITTING_OUT] = sorted(command.sitting_out)
    paired = {player for pairing in planned for player in pairing.players}
    unpaired = {why: [player for player in players if player not in paired] for why, players in left_out.items()}
    return Plan(
        stage=stage,
        method="manual",
        pairings=planned,
        left_out={why: players for why, players in unpaired.items() if players},
        reason=command.reason,
    )


def _sitting_out_faults(state: Tournament, sitting_out: Sequence[str], paired_ids: set[str], stage: str) -> list[Fault]:
    faults = []
    for index, player in enumerate(sitting_out):
        where = f"/sitting_out/{index}"
        if stage == "elimination":
            faults.append(Fault(where, player, expects("nobody-in-bracket")))
        elif player not in state.entries.players:
            faults.append(Fault(where, player, expects("player-of-tournament")))
        elif player in paired_ids:
            faults.append(Fault(where, player, expects("unpaired-player")))
    return faults


def round_events(
    number: int,
    plan: Plan,
    seats: Sequence[Seat],
    *,
    made_from: int,
    seed: str = "",
    scenario: str = "",
    venue: str = "",
) -> list[Event]:
    """Return the events of a paired round or part: its pairings in pages, then RoundPaired."""
    draws = [
        DrawMade(purpose=draw.purpose, round=draw.round, order=list(draw.order), seed=draw.seed) for draw in plan.draws
    ]
    paired = RoundPaired(
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
        venue=venue,
    )
    return [*pairing_pages(number, seats), paired]


def pairing_pages(number: int, seats: Sequence[Seat]) -> list[Event]:
    """Return the pairings of a round in pages; none for a round without pairings."""
    pages = paginate(seats) if seats else []
    return [
        PairingsDrawn(round=number, page=page, pages=len(pages), pairings=pairings)
        for page, pairings in enumerate(pages, start=1)
    ]


class RoundHasResults(Refusal):
    """The round has reported games, so it cannot be withdrawn."""

    code = "round-has-results"


class PairedTogether(Refusal):
    """The round was paired for all venues together, so no part can be taken back; data: `round`."""

    code = "paired-together"


class OrganiserDecides(Refusal):
    """Only an organiser can withdraw a round that has started."""

    code = "organiser-decides"
