"""What is said of a Swiss game, read as the ruleset has it, and completed by what the tournament knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from services.scoring.swiss.roster_totals import with_lists
from services.scoring.tournament.refusals import GameHeld, StaffOnly
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.scoring import score_game
from shared.formats.swiss.ruleset import facts_of, ruleset_of
from shared.refusals import Fault, as_said
from shared.rules.model import PLAYED, Facts, Score
from shared.rules.option_hints import own_scenarios
from shared.rules.refusals import ImpossibleResult
from shared.rules.words import PLAIN
from shared.tournament.context import By
from shared.tournament.events.pairing import Seat
from shared.tournament.guards import named_deciders, need_decider
from shared.tournament.held import MENDED_BY, held_by
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament

FORFEITS = ("forfeit", "double_forfeit")
"""Kinds of facts that are a judgement, and not something that anybody sees (DW-FOR-1)."""


def possible(state: Tournament, round: Round, seat: Seat, facts: Mapping[str, Any], by: By) -> dict[str, Any]:
    """Facts that the ruleset takes for this game, completed by what the tournament knows, as events keep them.

    Raises ImpossibleResult with every fault and its clause, StaffOnly for what players do not report.
    """
    if "report" in facts:
        fault = Fault("/facts/report", as_said(facts["report"]), "the facts of this ruleset's result form")
        raise ImpossibleResult("Reports side by side are those of campaigns.", [fault])
    try:
        typed = facts_of(_in_plain_words(ruleset_of(state.entries), facts))
    except msgspec.ValidationError as error:
        raise ImpossibleResult(
            "The facts are not a result.", [Fault("/facts", as_said(facts), f"as the result form says: {error}")]
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
        refuse_held(state, round, seat, typed.kind)
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
        fault = Fault("/facts/winner", said or "nothing", f"1, 2 or {words.draw}", ruleset.result.clause)
        raise ImpossibleResult("The facts are not a result.", [fault])
    return {**facts, "winner": winner}


def refuse_held(state: Tournament, round: Round, seat: Seat, kind: str) -> None:
    """Raises GameHeld for a game that waits for a player's list: nobody has played it. FF-REG-3."""
    held = held_by(state, round, seat)
    if not held:
        return
    unplayed = [kind for kind in ruleset_of(state.entries).result.kinds if kind not in (*PLAYED, "bye")]
    ways = f"; or staff record it as {' or '.join(unplayed)}" * bool(unplayed)
    raise GameHeld(
        f"{seat.game} has not begun: it waits for the list of {' and '.join(lack.name for lack in held)}{ways}.",
        [Fault("/facts/kind", kind, MENDED_BY[lack.reason], lack.clause) for lack in held],
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


def need_given_up(state: Tournament, round: Round, seat: Seat, facts: Mapping[str, Any]) -> None:
    """A first report of a game of somebody who was disqualified in this round says that they gave it up.

    Where the game was over before, a ruling says so. A side that did not come may be told as such.
    Raises ImpossibleResult for a game that was played on. Source: AR-AMB-16, DW-AMB-3, FF-AMB-14.
    """
    out = [side for side, player in ((1, seat.player_1), (2, seat.player_2)) if _removed(state, player, round.number)]
    kind, gave_up = facts.get("kind", "game"), facts.get("conceded_by")
    part = ruleset_of(state.entries).disqualification
    given_up = kind not in PLAYED or (part.current_game == "concession" and gave_up in out)
    if not out or (given_up and (gave_up is None or gave_up in out)):
        return
    wanted = "conceded" if part.current_game == "concession" else "a forfeit"
    sides = " and ".join(map(str, out))
    raise ImpossibleResult(
        f"A player of {seat.game} was disqualified during it; staff who know that it was over before rule so.",
        [
            Fault(
                "/facts/conceded_by",
                "nothing" if gave_up is None else f"{gave_up}",
                f"{sides}: {wanted} by who was disqualified",
                part.cites("current_game"),
            )
        ],
    )


def _removed(state: Tournament, player: str | None, number: int) -> bool:
    """Whether the player was disqualified while a round was under way."""
    known = state.entries.players.get(player or "")
    return known is not None and known.status == "disqualified" and known.after_round < number
