"""What scoring asks of the folded tournament. The fold itself is the same in every service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from services.scoring.tournament.refusals import (
    GameHeld,
    GameUnknown,
    NoResultForBye,
    NotYourGame,
    OwnGame,
    ResultMissing,
    RoundClosed,
    RoundNotBegun,
    RoundUnknown,
    StaffOnly,
)
from services.scoring.tournament.roster_totals import with_lists
from shared.formats.swiss.held import MENDED_BY, held_by
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.scoring import score_game
from shared.formats.swiss.ruleset import facts_of, ruleset_of
from shared.refusals import Fault
from shared.rules.model import PLAYED, Facts, Score
from shared.rules.option_hints import own_scenarios
from shared.rules.refusals import ImpossibleResult
from shared.rules.staff import SILENT
from shared.rules.words import PLAIN
from shared.tournament.context import By
from shared.tournament.events.pairing import Seat
from shared.tournament.guards import announced, named_deciders, need_decider
from shared.tournament.refusals import TournamentOver
from shared.tournament.results import Result
from shared.tournament.rounds import Round
from shared.tournament.ruleset import rules_of
from shared.tournament.state import Tournament

FORFEITS = ("forfeit", "double_forfeit")
"""Kinds of facts that are a judgement, and not something that anybody sees (DW-FOR-1)."""


def running(state: Tournament, *, concluded_too: bool = False) -> Tournament:
    """The tournament, unless it is over. Raises UnknownTournament, TournamentOver."""
    if announced(state).status == "cancelled" or (state.results.concluded and not concluded_too):
        over = "concluded; binding results may still be corrected" if state.results.concluded else "cancelled"
        raise TournamentOver(f"The tournament is {over}.")
    return state


def game_of(state: Tournament, game: str) -> tuple[Round, Seat]:
    """A game and its round; a bye is none. Raises GameUnknown, NoResultForBye."""
    number = game.removeprefix("r").partition("g")[0]
    round = state.rounds.rounds.get(int(number)) if number.isascii() and number.isdigit() else None
    seat = round.seats.get(game) if round else None
    if round is None or seat is None:
        raise GameUnknown(f"No round has a game {game}.", [Fault("/game", game, "the id of a game in a paired round")])
    if seat.kind == "bye":
        raise NoResultForBye(f"{game} is the bye of {seat.player_1}; the ruleset says what it is worth.")
    return round, seat


def open_game(state: Tournament, game: str) -> tuple[Round, Seat]:
    """A game of a round that has started and is not closed; a campaign has no clock, and its rounds begin as paired.

    Raises RoundNotBegun, RoundClosed.
    """
    round, seat = game_of(running(state), game)
    if round.number in state.results.closed:
        raise RoundClosed(f"Round {round.number} is closed; correct the result instead.", round=round.number)
    if round.status != "started" and state.entries.format != "campaign":
        raise RoundNotBegun(f"Round {round.number} has not started.", round=round.number)
    return round, seat


def round_of(state: Tournament, round: int) -> Round:
    """A paired round. Raises RoundUnknown."""
    if round not in state.rounds.rounds:
        raise RoundUnknown(
            f"Round {round} is not paired.", [Fault("/round", str(round), "a round that is paired")], round=round
        )
    return state.rounds.rounds[round]


def result_of(state: Tournament, game: str) -> Result:
    """What was reported of a game. Raises ResultMissing."""
    if game not in state.results.results:
        raise ResultMissing(f"Nothing was reported of {game} yet.")
    return state.results.results[game]


def side_of(state: Tournament, by: By, seat: Seat) -> int:
    """A player's place in the pairing, from 1, a spare player's included; 0 for staff. Raises NotYourGame, OwnGame."""
    if by.staff:
        refuse_own_game(state, by, seat)
        return 0
    if by.player and by.player in seat.players:
        return seat.players.index(by.player) + 1
    if by.role == "spare" and seat.kind == "spare" and by.actor == seat.player_2:
        return 2
    raise NotYourGame(f"{seat.game} is a game of {named(seat)}.")


def named(seat: Seat) -> str:
    """Who plays a game, for a sentence: the players, or a player and the spare player."""
    *first, last = seat.players if seat.kind == "game" else (seat.player_1, seat.player_2)
    return f"{', '.join(first)} and {last}"


def on_one_side(seat: Seat, one: int, other: int) -> bool:
    """Whether two places of a pairing are of one player, or of allies; 0, the staff, is on nobody's side."""
    places = range(1, len(seat.players) + 1)
    both_play = one in places and other in places
    return one == other or (both_play and seat.players[other - 1] in seat.allies_of(seat.players[one - 1]))


def refuse_own_game(state: Tournament, by: By, seat: Seat) -> None:
    """Raises OwnGame for a judge who plays in this game, where the ruleset leaves it to another one (AR-AMB-20)."""
    rules = rules_of(state.entries).staff or SILENT
    member = state.entries.staff.get(by.actor)
    if rules.own_games or member is None or not member.player or member.player not in seat.players:
        return
    raise OwnGame(f"{member.name} plays {seat.game}; another judge decides.", clause=rules.cites("own_games"))


def possible(state: Tournament, round: Round, seat: Seat, facts: Mapping[str, Any], by: By) -> dict[str, Any]:
    """Facts that the ruleset takes for this game, completed by what the tournament knows, as events keep them.

    Raises ImpossibleResult with every fault and its clause, StaffOnly for what players do not report.
    """
    if "report" in facts:
        fault = Fault("/facts/report", "a report", "the facts of this ruleset's result form")
        raise ImpossibleResult("Reports side by side are those of campaigns.", [fault])
    try:
        typed = facts_of(_in_plain_words(ruleset_of(state.entries), facts))
    except msgspec.ValidationError as error:
        raise ImpossibleResult(
            "The facts are not a result.", [Fault("/facts", str(error), "see the result form")]
        ) from error
    if typed.kind in PLAYED and typed.kind != seat.kind:
        typed = msgspec.structs.replace(typed, kind=seat.kind)
    if typed.kind == "bye":
        raise ImpossibleResult("A played game is no bye.", [Fault("/facts/kind", "bye", f"{seat.kind}")])
    if typed.kind not in PLAYED and not by.staff:
        who = named_deciders(state.entries, "rulings") if typed.kind in FORFEITS else "staff"
        raise StaffOnly(f"A {typed.kind.replace('_', '-')} is recorded by: {who}.")
    if typed.kind in FORFEITS:
        need_decider(state.entries, by, "rulings")
    if typed.kind in PLAYED:
        refuse_held(state, round, seat)
    typed = with_lists(state, ruleset_of(state.entries), seat, _in_scenario(state, round, typed), by)
    score_of(state, typed)
    kept: dict[str, Any] = msgspec.to_builtins(typed)
    return kept


def _in_plain_words(ruleset: Ruleset, facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """The facts with a drawn game as events have it. Raises ImpossibleResult for a winner by another word."""
    said = facts.get("winner")
    if not isinstance(said, str):
        return facts
    words = ruleset.words or PLAIN
    winner = words.winner(said)
    if winner != "draw":
        fault = Fault("/facts/winner", repr(said), f"1, 2 or {words.draw}", ruleset.result.clause)
        raise ImpossibleResult("The facts are not a result.", [fault])
    return {**facts, "winner": winner}


def refuse_held(state: Tournament, round: Round, seat: Seat) -> None:
    """Raises GameHeld for a game that waits for a player's list: nobody has played it. FF-REG-3."""
    held = held_by(state, round, seat)
    if not held:
        return
    unplayed = [kind for kind in ruleset_of(state.entries).result.kinds if kind not in (*PLAYED, "bye")]
    ways = f"; or staff record it as {' or '.join(unplayed)}" * bool(unplayed)
    raise GameHeld(
        f"{seat.game} has not begun: it waits for the list of {' and '.join(lack.name for lack in held)}{ways}.",
        [Fault("/facts/kind", lack.why, MENDED_BY[lack.why], lack.clause) for lack in held],
        players=[msgspec.to_builtins(lack) for lack in held],
    )


def score_of(state: Tournament, facts: Facts) -> Score:
    """What the ruleset makes of facts. Raises ImpossibleResult, with places as in a request's `facts`."""
    try:
        return score_game(ruleset_of(state.entries), facts)
    except ImpossibleResult as refusal:
        faults = [msgspec.structs.replace(fault, where=f"/facts{fault.where}") for fault in refusal.faults]
        raise ImpossibleResult(refusal.detail, faults, **refusal.data) from refusal


def _in_scenario(state: Tournament, round: Round, facts: Facts) -> Facts:
    """The facts with the scenario of the round (FF-AMB-8). Raises ImpossibleResult for another one."""
    ruleset = ruleset_of(state.entries)
    if ruleset.scenarios and round.scenario:
        said = facts.scenario or round.scenario
        if _scenario(ruleset, said) != _scenario(ruleset, round.scenario):
            expected = f"{round.scenario}, or nothing: that of the round{own_scenarios(ruleset)}"
            fault = Fault("/facts/scenario", said, expected, ruleset.result.cites("scenario_per"))
            raise ImpossibleResult(f"Round {round.number} is played as {round.scenario}.", [fault])
        facts = msgspec.structs.replace(facts, scenario=round.scenario)
    return facts


def _scenario(ruleset: Ruleset, name: str) -> str:
    return next((known.name for known in ruleset.scenarios if name in (known.name, *known.aliases)), name)
