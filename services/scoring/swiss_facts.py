"""Facts of a Swiss game: validated by the ruleset and completed from the state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from services.scoring.guards import StaffOnly
from shared.refusals import Fault, Refusal, display_text, expects, one_of
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

_SCORE_PARTS = ("destroyed_1", "destroyed_2", "objective_1", "objective_2")


def _with_list_totals(state: Tournament, ruleset: Ruleset, seat: Seat, facts: Facts, by: By) -> Facts:
    """Return facts with the totals of accepted lists as `list_1` and `list_2`, if a rule needs them.

    Totals that staff report take precedence. Raises ImpossibleResult if a player reports a total that differs from the
    list, and ListNotOpenYet. Source: DW-RES-2, DW-FOR-2, AR-RES-5.
    """
    by_staff = facts.extra if by.staff else {}
    sides = [side for side in (1, 2) if f"list_{side}" not in by_staff and _needs_list_total(ruleset, facts, side)]
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


def _needs_list_total(ruleset: Ruleset, facts: Facts, side: int) -> bool:
    """Return True if a rule needs the total of this side's list."""
    if facts.kind in PLAYED:
        points = ruleset.points
        if isinstance(points, OutcomePoints) and points.list_limit is not None:
            return True
        if isinstance(points, MarginTable) and "extra" in ruleset.result.fields:
            return any(getattr(facts, part) is not None for part in _SCORE_PARTS)
        return facts.conceded_by == side and ruleset.concession.award == "half_list"
    opponent_points = facts.points_2 if facts.conceded_by == 1 else facts.points_1
    return (
        facts.conceded_by == side and absence_rule(ruleset, facts.kind).award == "reported" and opponent_points is None
    )


def _list_total(state: Tournament, ruleset: Ruleset, player: str) -> int | None:
    """Return the total on a player's accepted list, or None. Raises ListNotOpenYet."""
    entry = state.entries.players.get(player)
    written = next((check.written for check in ruleset.roster.checks if isinstance(check, Total)), "")
    if entry is None or entry.roster != "accepted" or not written:
        return None
    if written in entry.roster_sealed:
        raise ListNotOpenYet(
            f"The list of {entry.name} is not open here yet, and this result is held against its total. Repeat the"
            " request. If registration has lost the list, the player hands it in again.",
            retry_after=1,
        )
    total = entry.roster_sheet.get(written)
    return total if type(total) is int else None


_FORFEITS = ("forfeit", "double_forfeit")
"""Kinds of facts that need a judge's decision (DW-FOR-1)."""


def possible_facts(
    state: Tournament, round: Round, seat: Seat, facts: Mapping[str, Any], by: By, first_report: bool = False
) -> dict[str, Any]:
    """Return validated and completed facts of a game, as they are recorded.

    Raises ImpossibleResult with every fault and its clause, StaffOnly, GameHeld, ListNotOpenYet, and BracketMovedOn for
    the first result of players who should not be in this game of the bracket.
    """
    if seat.game not in state.results.results:
        refuse_misplaced_players(state, round, seat.game)
    if "report" in facts:
        fault = Fault("/facts/report", display_text(facts["report"]), expects("facts-of-form"))
        raise ImpossibleResult("Only campaigns have reports of sides.", [fault])
    try:
        typed = parse_facts(_with_plain_winner(ruleset_of(state.entries), facts))
    except msgspec.ValidationError as error:
        fault = Fault("/facts", display_text(facts), expects("facts-of-form"))
        raise ImpossibleResult(f"The facts are not a result: {error}.", [fault]) from error
    if typed.kind in PLAYED and typed.kind != seat.kind:
        typed = msgspec.structs.replace(typed, kind=seat.kind)
    if typed.kind == "bye":
        fault = Fault("/facts/kind", "bye", one_of([seat.kind]))
        raise ImpossibleResult("A game of two players cannot be a bye.", [fault])
    if typed.kind not in PLAYED and not by.staff:
        deciders = decider_titles(state.entries, "rulings") if typed.kind in _FORFEITS else "staff"
        raise StaffOnly(f"A {typed.kind.replace('_', '-')} is recorded only by: {deciders}.")
    if typed.kind in _FORFEITS:
        require_decider(state.entries, by, "rulings")
    if typed.kind in PLAYED:
        _refuse_held_game(state, round, seat, typed.kind)
    typed = _with_list_totals(state, ruleset_of(state.entries), seat, _with_scenario(state, round, typed), by)
    _score(state, typed, round.number)
    recorded: dict[str, Any] = msgspec.to_builtins(typed)
    if first_report:
        _require_concession(state, round, seat, recorded)
    return recorded


def _with_plain_winner(ruleset: Ruleset, facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return facts with `draw` in place of the ruleset's word for it. Raises ImpossibleResult for other words."""
    word = facts.get("winner")
    if not isinstance(word, str):
        return facts
    words = ruleset.effective_words
    winner = words.winner(word)
    if winner != "draw":
        expected = expects("winner-or-draw", draw=words.draw)
        fault = Fault("/facts/winner", word or "nothing", expected, ruleset.result.clause)
        raise ImpossibleResult("The facts are not a result.", [fault])
    return {**facts, "winner": winner}


def _refuse_held_game(state: Tournament, round: Round, seat: Seat, kind: str) -> None:
    """Raise GameHeld if the game waits for a player's list (FF-REG-3)."""
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


def _score(state: Tournament, facts: Facts, round: int) -> Score:
    """Return the score of facts in a round. Raises ImpossibleResult with places in the request."""
    try:
        return score_game(ruleset_in_round(ruleset_of(state.entries), round), facts)
    except ImpossibleResult as refusal:
        faults = [msgspec.structs.replace(fault, where=f"/facts{fault.where}") for fault in refusal.faults]
        raise ImpossibleResult(refusal.detail, faults, **refusal.data) from refusal


def _with_scenario(state: Tournament, round: Round, facts: Facts) -> Facts:
    """Return facts with the scenario of the round (FF-AMB-8). Raises ImpossibleResult for another scenario."""
    ruleset = ruleset_of(state.entries)
    if ruleset.scenarios and round.scenario:
        reported = facts.scenario or round.scenario
        if _scenario_name(ruleset, reported) != _scenario_name(ruleset, round.scenario):
            expected = or_own_scenarios(expects("scenario-of-round-or-nothing", scenario=round.scenario), ruleset)
            fault = Fault("/facts/scenario", reported, expected, ruleset.result.cites("scenario_per"))
            raise ImpossibleResult(f"Round {round.number} is played as {round.scenario}.", [fault])
        facts = msgspec.structs.replace(facts, scenario=round.scenario)
    return facts


def _scenario_name(ruleset: Ruleset, name: str) -> str:
    return next((entry.name for entry in ruleset.scenarios if name in (entry.name, *entry.aliases)), name)


def _require_concession(state: Tournament, round: Round, seat: Seat, facts: Mapping[str, Any]) -> None:
    """Raise ImpossibleResult if a player disqualified in this round does not concede or forfeit in the first report.

    Staff can still rule on a game that was over before. A no-show may be reported as such. Source: AR-AMB-16, DW-AMB-3,
    FF-AMB-14.
    """
    disqualified = [
        side
        for side, player in ((1, seat.player_1), (2, seat.player_2))
        if _is_disqualified_during(state, player, round.number)
    ]
    kind, gave_up = facts.get("kind", "game"), facts.get("conceded_by")
    part = ruleset_of(state.entries).disqualification
    given_up = kind not in PLAYED or (part.current_game == "concession" and gave_up in disqualified)
    if not disqualified or (given_up and (gave_up is None or gave_up in disqualified)):
        return
    concedes = part.current_game == "concession"
    expected = (
        expects("conceded-by-disqualified", sides=disqualified)
        if concedes
        else expects("forfeit-by-disqualified", sides=disqualified)
    )
    raise ImpossibleResult(
        f"A player of {seat.game} was disqualified during it. If the game was over before that, staff can rule on it.",
        [
            Fault(
                "/facts/conceded_by",
                "nothing" if gave_up is None else f"{gave_up}",
                expected,
                part.cites("current_game"),
            )
        ],
    )


def _is_disqualified_during(state: Tournament, player: str | None, number: int) -> bool:
    """Return True if the player was disqualified during the round."""
    entry = state.entries.players.get(player or "")
    return entry is not None and entry.status == "disqualified" and entry.after_round < number


class GameHeld(Refusal):
    """The game cannot start: it waits for a player's list; data: `players`."""

    code = "game-held"


class ListNotOpenYet(Refusal):
    """The result depends on a list that scoring has not received yet; data: `retry_after`."""

    code = "not-yet-seen"
