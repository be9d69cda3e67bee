"""Decisions about what players and staff say of a game: reported, confirmed, disputed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from services.scoring.tournament.commands import ConfirmResult, DisputeResult, ReportResult, ReportResults
from services.scoring.tournament.format import FactRules
from services.scoring.tournament.refusals import NotYourGame, OwnReport, ResultExists, ResultSettled
from services.scoring.tournament.state import on_one_side, open_game, result_of, side_of, stood_by
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects
from shared.tournament.guards import Context
from shared.tournament.results import Result, ResultConfirmed, ResultDisputed, ResultReported
from shared.tournament.state import Tournament


def report(rules: FactRules, state: Tournament, command: ReportResult, context: Context) -> Sequence[Event]:
    """A player's report waits for an opponent; the same report by an opponent confirms it; staff's binds at once.

    Source: DW-AMB-15, AR-AMB-25, FF-AMB-25.
    """
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    known = state.results.results.get(seat.game)
    facts = rules.possible_facts(state, round, seat, command.facts, context.by, known is None)
    if known is not None:
        if known.facts != facts or known.status == "disputed":
            raise _exists(seat.game, known, context)
        if known.binds or on_one_side(seat, known.side, side):
            return []
        return [ResultConfirmed(round=round.number, game=seat.game, side=side)]
    improbable = stood_by(state, rules.improbable_facts(state, facts), command.improbable)
    reported = ResultReported(round=round.number, game=seat.game, facts=facts, side=side, improbable=improbable)
    if side:
        return [reported]
    return [reported, ResultConfirmed(round=round.number, game=seat.game, side=0)]


def _exists(game: str, known: Result, context: Context) -> ResultExists:
    """Something else was said of the game before; what comes next depends on who says what."""
    if context.by.staff:
        advice = "correct it" if known.binds else "rule what it is"
    elif known.status == "disputed":
        advice = "a referee rules"
    elif known.status == "reported":
        advice = "confirm it, or dispute it"
    else:
        advice = "appeal" if known.ruled_by else "dispute it" if known.status == "confirmed" else "ask a referee"
    return ResultExists(
        f"{game} has a result already, {known.status}; {advice}.", facts=known.facts, status=known.status
    )


def report_several(rules: FactRules, state: Tournament, command: ReportResults, context: Context) -> Sequence[Event]:
    """Results that staff enter from paper, all of them or none and every fault with the place of its row."""
    events: list[Event] = []
    faults: list[Fault] = []
    first: Refusal | None = None
    games = set()
    for index, row in enumerate(command.results):
        try:
            if row.game in games:
                raise ResultExists(f"{row.game} is listed twice.")
            games.add(row.game)
            events += report(rules, state, row, context)
        except Refusal as refusal:
            first = first or refusal
            found = refusal.faults or (Fault("/game", row.game, expects("reportable-game", problem=refusal.code)),)
            faults += [msgspec.structs.replace(fault, where=f"/results/{index}{fault.where}") for fault in found]
    if first is not None:
        raise type(first)(f"Nothing was entered; faults: {len(faults)}. First: {first.detail}", faults, **first.data)
    return events


def confirm(state: Tournament, command: ConfirmResult, context: Context) -> Sequence[Event]:
    """An opponent of whoever reported, or staff, agree; an ally's word is the same side's."""
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    known = result_of(state, command.game)
    if known.status == "confirmed":
        return []
    if known.status != "reported":
        advice = "a referee rules" if known.status == "disputed" else "it binds already"
        raise ResultSettled(f"{seat.game} is {known.status}: {advice}.", status=known.status)
    if side and on_one_side(seat, known.side, side):
        raise OwnReport(f"{seat.game} is waiting for another side to confirm.")
    return [ResultConfirmed(round=round.number, game=seat.game, side=side)]


def dispute(rules: FactRules, state: Tournament, command: DisputeResult, context: Context) -> Sequence[Event]:
    """A player of the game does not agree; the result binds no longer, and a referee rules.

    Disputed again, it is recorded where it brings what nobody had said instead so far.
    """
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    if not side:
        raise NotYourGame("Only players dispute a result; staff rule on it.")
    known = result_of(state, command.game)
    if known.status == "disputed" and (command.facts is None or known.counter is not None):
        return []
    if known.status not in ("reported", "confirmed", "disputed"):
        advice = "appeal instead" if known.ruled_by else "ask a referee"
        raise ResultSettled(f"{seat.game} is {known.status}; {advice}.", status=known.status)
    facts = None if command.facts is None else rules.possible_facts(state, round, seat, command.facts, context.by)
    return [
        ResultDisputed(
            round=round.number,
            game=seat.game,
            side=side,
            reason=command.reason,
            facts=facts,
            improbable=facts is not None and stood_by(state, rules.improbable_facts(state, facts), command.improbable),
        ),
    ]
