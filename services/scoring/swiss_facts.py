"""Facts of a Swiss game: read as the ruleset has them, completed by what is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from services.scoring.guards import StaffOnly
from shared.refusals import Fault, Refusal, as_said, expects, one_of
from shared.rules.model import PLAYED, Facts, ImpossibleResult, Score
from shared.rules.parts import or_own_scenarios
from shared.swiss.game_parts import MarginTable, OutcomePoints
from shared.swiss.games import improbable_facts, parse_facts, ruleset_of
from shared.swiss.ranking import refuse_misplaced_players
from shared.swiss.roster_parts import Total
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import absence_rule, ruleset_in_round, score_game
from shared.tournament.games import LIST_REMEDIES, awaited_lists
from shared.tournament.guards import By, decider_titles, require_decider
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament

__all__ = ["improbable_facts", "possible_facts"]

PARTS = ("destroyed_1", "destroyed_2", "objective_1", "objective_2")


def with_lists(state: Tournament, ruleset: Ruleset, seat: Seat, facts: Facts, by: By) -> Facts:
    """The facts with the totals of accepted lists as `list_1` and `list_2`, where a rule looks at them.

    Staff may say another total, which goes before that of the list; players may not.
    Raises ImpossibleResult for a player's total that is not that of the list, and ListNotOpenYet. Source: DW-RES-2,
    DW-FOR-2, AR-RES-5.
    """
    said = facts.extra if by.staff else {}
    sides = [side for side in (1, 2) if f"list_{side}" not in said and _looked_at(ruleset, facts, side)]
    totals = {
        f"list_{side}": total
        for side, player in ((1, seat.player_1), (2, seat.player_2))
        if side in sides and (total := _list_total(state, ruleset, player)) is not None
    }
    wrong = [] if by.staff else [name for name in totals if facts.extra.get(name, totals[name]) != totals[name]]
    if wrong:
        raise ImpossibleResult(
            "A total differs from that of the accepted list.",
            [
                Fault(f"/facts/extra/{name}", f"{facts.extra[name]}", expects("value-or-nothing", value=totals[name]))
                for name in wrong
            ],
        )
    return msgspec.structs.replace(facts, extra=totals | facts.extra) if totals else facts


def _looked_at(ruleset: Ruleset, facts: Facts, side: int) -> bool:
    """Whether a rule needs the total of this side's list."""
    if facts.kind in PLAYED:
        points = ruleset.points
        if isinstance(points, OutcomePoints) and points.list_limit is not None:
            return True
        if isinstance(points, MarginTable) and "extra" in ruleset.result.fields:
            return any(getattr(facts, part) is not None for part in PARTS)
        return facts.conceded_by == side and ruleset.concession.award == "half_list"
    told = facts.points_2 if facts.conceded_by == 1 else facts.points_1
    return facts.conceded_by == side and absence_rule(ruleset, facts.kind).award == "reported" and told is None


def _list_total(state: Tournament, ruleset: Ruleset, player: str) -> int | None:
    """Return the total on a player's accepted list; None if there is none. Raises ListNotOpenYet."""
    known = state.entries.players.get(player)
    written = next((check.written for check in ruleset.roster.checks if isinstance(check, Total)), "")
    if known is None or known.roster != "accepted" or not written:
        return None
    if written in known.roster_sealed:
        raise ListNotOpenYet(
            f"The list of {known.name} is not open here yet, and this result is held against its total. Repeat the"
            " request. If registration has lost the list, the player hands it in again.",
            retry_after=1,
        )
    total = known.roster_sheet.get(written)
    return total if type(total) is int else None


FORFEITS = ("forfeit", "double_forfeit")
"""Kinds of facts that are a judgement, and not something that anybody sees (DW-FOR-1)."""


def possible_facts(
    state: Tournament, round: Round, seat: Seat, facts: Mapping[str, Any], by: By, first_report: bool = False
) -> dict[str, Any]:
    """Facts that the ruleset takes for this game, completed by what the tournament knows, as events keep them.

    Raises ImpossibleResult with every fault and its clause, StaffOnly for what players do not report, BracketMovedOn
    for a first result of players whom the bracket does not lead there.
    """
    if seat.game not in state.results.results:
        refuse_misplaced_players(state, round, seat.game)
    if "report" in facts:
        fault = Fault("/facts/report", as_said(facts["report"]), expects("facts-of-form"))
        raise ImpossibleResult("Only campaigns have reports of sides.", [fault])
    try:
        typed = parse_facts(_in_plain_words(ruleset_of(state.entries), facts))
    except msgspec.ValidationError as error:
        fault = Fault("/facts", as_said(facts), expects("facts-of-form"))
        raise ImpossibleResult(f"The facts are not a result: {error}.", [fault]) from error
    if typed.kind in PLAYED and typed.kind != seat.kind:
        typed = msgspec.structs.replace(typed, kind=seat.kind)
    if typed.kind == "bye":
        fault = Fault("/facts/kind", "bye", one_of([seat.kind]))
        raise ImpossibleResult("A game of two players cannot be a bye.", [fault])
    if typed.kind not in PLAYED and not by.staff:
        who = decider_titles(state.entries, "rulings") if typed.kind in FORFEITS else "staff"
        raise StaffOnly(f"A {typed.kind.replace('_', '-')} is recorded only by: {who}.")
    if typed.kind in FORFEITS:
        require_decider(state.entries, by, "rulings")
    if typed.kind in PLAYED:
        refuse_held(state, round, seat, typed.kind)
    typed = with_lists(state, ruleset_of(state.entries), seat, _in_scenario(state, round, typed), by)
    score_of(state, typed, round.number)
    kept: dict[str, Any] = msgspec.to_builtins(typed)
    if first_report:
        need_given_up(state, round, seat, kept)
    return kept


def _in_plain_words(ruleset: Ruleset, facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """The facts with a drawn game as events have it. Raises ImpossibleResult for a winner by another word."""
    said = facts.get("winner")
    if not isinstance(said, str):
        return facts
    words = ruleset.effective_words
    winner = words.winner(said)
    if winner != "draw":
        right = expects("winner-or-draw", draw=words.draw)
        fault = Fault("/facts/winner", said or "nothing", right, ruleset.result.clause)
        raise ImpossibleResult("The facts are not a result.", [fault])
    return {**facts, "winner": winner}


def refuse_held(state: Tournament, round: Round, seat: Seat, kind: str) -> None:
    """Raises GameHeld for a game that waits for a player's list: nobody has played it. FF-REG-3."""
    held = awaited_lists(state, round, seat)
    if not held:
        return
    unplayed = [kind for kind in ruleset_of(state.entries).result.kinds if kind not in (*PLAYED, "bye")]
    ways = f"; or staff record it as {' or '.join(unplayed)}" * bool(unplayed)
    raise GameHeld(
        f"{seat.game} has not begun: it waits for the list of {' and '.join(lack.name for lack in held)}{ways}.",
        [Fault("/facts/kind", kind, LIST_REMEDIES[lack.reason], lack.clause) for lack in held],
        players=[msgspec.to_builtins(lack) for lack in held],
    )


def score_of(state: Tournament, facts: Facts, round: int) -> Score:
    """What the ruleset makes of facts in a round. Raises ImpossibleResult, with places as in a request's `facts`."""
    try:
        return score_game(ruleset_in_round(ruleset_of(state.entries), round), facts)
    except ImpossibleResult as refusal:
        faults = [msgspec.structs.replace(fault, where=f"/facts{fault.where}") for fault in refusal.faults]
        raise ImpossibleResult(refusal.detail, faults, **refusal.data) from refusal


def _in_scenario(state: Tournament, round: Round, facts: Facts) -> Facts:
    """The facts with the scenario of the round (FF-AMB-8). Raises ImpossibleResult for another one."""
    ruleset = ruleset_of(state.entries)
    if ruleset.scenarios and round.scenario:
        said = facts.scenario or round.scenario
        if _scenario(ruleset, said) != _scenario(ruleset, round.scenario):
            right = or_own_scenarios(expects("scenario-of-round-or-nothing", scenario=round.scenario), ruleset)
            fault = Fault("/facts/scenario", said, right, ruleset.result.cites("scenario_per"))
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
    concedes = part.current_game == "concession"
    right = (
        expects("conceded-by-disqualified", sides=out) if concedes else expects("forfeit-by-disqualified", sides=out)
    )
    raise ImpossibleResult(
        f"A player of {seat.game} was disqualified during it. If the game was over before that, staff can rule on it.",
        [
            Fault(
                "/facts/conceded_by",
                "nothing" if gave_up is None else f"{gave_up}",
                right,
                part.cites("current_game"),
            )
        ],
    )


def _removed(state: Tournament, player: str | None, number: int) -> bool:
    """Whether the player was disqualified while a round was under way."""
    known = state.entries.players.get(player or "")
    return known is not None and known.status == "disqualified" and known.after_round < number


class GameHeld(Refusal):
    """The game has not begun: it waits for a player's list; data: `players`."""

    code = "game-held"


class ListNotOpenYet(Refusal):
    """A result is held against a list, and scoring has not read yet what registration opened; data: `retry_after`."""

    code = "not-yet-seen"
