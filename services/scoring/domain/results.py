"""Decisions about results: reported, confirmed, disputed, ruled, appealed, corrected."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from services.scoring.domain import commands as ask
from services.scoring.domain.facts import possible
from services.scoring.domain.probable import stood_by
from services.scoring.domain.refusals import (
    AppealOpen,
    NoHeadReferee,
    NotAppealed,
    NotYourGame,
    OwnReport,
    ResultExists,
    ResultNotBinding,
    ResultSettled,
    RulingFinal,
)
from services.scoring.domain.removed import need_given_up
from services.scoring.domain.rounds import rerecorded
from services.scoring.domain.state import game_of, open_game, refuse_own_game, result_of, running, side_of
from shared.events import scoring as said
from shared.events.base import Event
from shared.events.pairing import Seat
from shared.handling.context import Context
from shared.handling.offices import need_decider, settles
from shared.refusals import Fault, Refusal
from shared.rules.staff import SILENT
from shared.state.results import Result
from shared.state.ruleset import rules_of
from shared.state.tournament import Tournament


def report(state: Tournament, command: ask.ReportResult, context: Context) -> Sequence[Event]:
    """A player's report waits for the opponent; the same report by the opponent confirms it; staff's binds at once.

    Source: DW-AMB-15, AR-AMB-25, FF-AMB-25.
    """
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    facts = possible(state, round, seat, command.facts, context.by)
    known = state.results.results.get(seat.game)
    if known is not None:
        if known.facts != facts or known.status == "disputed":
            raise _exists(seat.game, known, context)
        if known.binds or known.side == side:
            return []
        return [said.ResultConfirmed(round=round.number, game=seat.game, side=side)]
    need_given_up(state, round, seat, facts)
    improbable = stood_by(state, facts, command.improbable)
    reported = said.ResultReported(round=round.number, game=seat.game, facts=facts, side=side, improbable=improbable)
    if side:
        return [reported]
    return [reported, said.ResultConfirmed(round=round.number, game=seat.game, side=0)]


def _exists(game: str, known: Result, context: Context) -> ResultExists:
    """Something else was said of the game before; what comes next depends on who says what."""
    if context.by.staff:
        advice = "correct it" if known.binds else "rule what it is"
    elif known.status == "disputed":
        advice = "a referee rules"
    elif known.status == "reported":
        advice = "confirm it, or dispute it"
    else:
        advice = (
            "appeal" if known.status == "ruled" else "dispute it" if known.status == "confirmed" else "ask a referee"
        )
    return ResultExists(
        f"{game} has a result already, {known.status}; {advice}.", facts=known.facts, status=known.status
    )


def report_several(state: Tournament, command: ask.ReportResults, context: Context) -> Sequence[Event]:
    """Results that staff enter from paper, all of them or none and every fault with the place of its row."""
    events: list[Event] = []
    faults: list[Fault] = []
    first: Refusal | None = None
    games = set()
    for index, row in enumerate(command.results):
        try:
            if row.game in games:
                raise ResultExists(f"{row.game} stands here twice.")
            games.add(row.game)
            events += report(state, row, context)
        except Refusal as refusal:
            first = first or refusal
            found = refusal.faults or (Fault("", refusal.detail, refusal.code),)
            faults += [msgspec.structs.replace(fault, where=f"/results/{index}{fault.where}") for fault in found]
    if first is not None:
        raise type(first)(f"Nothing was entered; faults: {len(faults)}. First: {first.detail}", faults, **first.data)
    return events


def confirm(state: Tournament, command: ask.ConfirmResult, context: Context) -> Sequence[Event]:
    """The opponent of whoever reported, or staff, agree."""
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    known = result_of(state, command.game)
    if known.status == "confirmed":
        return []
    if known.status != "reported":
        advice = "a referee rules" if known.status == "disputed" else "it binds already"
        raise ResultSettled(f"{seat.game} is {known.status}: {advice}.", status=known.status)
    if side and side == known.side:
        raise OwnReport(f"{seat.game} waits for the opponent's word.")
    return [said.ResultConfirmed(round=round.number, game=seat.game, side=side)]


def dispute(state: Tournament, command: ask.DisputeResult, context: Context) -> Sequence[Event]:
    """A player of the game does not agree; the result binds no longer, and a referee rules.

    Disputed again, it is recorded where it brings what nobody had said instead so far.
    """
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    if not side:
        raise NotYourGame("Players dispute; staff rule.")
    known = result_of(state, command.game)
    if known.status == "disputed" and (command.facts is None or known.counter is not None):
        return []
    if known.status not in ("reported", "confirmed", "disputed"):
        advice = "appeal instead" if known.status == "ruled" else "ask a referee"
        raise ResultSettled(f"{seat.game} is {known.status}; {advice}.", status=known.status)
    facts = None if command.facts is None else possible(state, round, seat, command.facts, context.by)
    return [
        said.ResultDisputed(
            round=round.number,
            game=seat.game,
            side=side,
            reason=command.reason,
            facts=facts,
            improbable=facts is not None and stood_by(state, facts, command.improbable),
        ),
    ]


def rule(state: Tournament, command: ask.RuleResult, context: Context) -> Sequence[Event]:
    """Staff decide; whose word is final, the ruleset says (FF-STAFF-3, FF-STAFF-4, AR-STAFF-1, DW-AMB-15)."""
    round, seat = open_game(state, command.game)
    final = settles(state.entries, context.by, "final")
    known = state.results.results.get(seat.game)
    need_ruling(state, seat, known, context)
    facts = possible(state, round, seat, command.facts, context.by)
    level = "head_referee" if final else "referee"
    if known is not None and known.status == "ruled" and known.facts == facts and known.level == level:
        return []
    return [
        said.ResultRuled(
            round=round.number,
            game=seat.game,
            facts=facts,
            level=level,
            reason=command.reason,
            clause=command.clause,
            improbable=stood_by(state, facts, command.improbable),
        )
    ]


def need_ruling(state: Tournament, seat: Seat, known: Result | None, context: Context) -> None:
    """Raises unless the caller may rule on this game: what the head referee has ruled, or is asked to rule, nobody
    else changes (FF-STAFF-4, AR-STAFF-1), and where the ruleset says so nobody rules on their own (AR-AMB-20)."""
    need_decider(state.entries, context.by, "rulings")
    refuse_own_game(state, context.by, seat)
    if known is None or settles(state.entries, context.by, "final"):
        return
    if known.level == "head_referee":
        raise RulingFinal(f"The head referee has ruled on {known.game}.")
    if known.appealed:
        raise AppealOpen(f"The ruling on {known.game} is appealed; the head referee decides.")


def appeal(state: Tournament, command: ask.AppealRuling, context: Context) -> Sequence[Event]:
    """A player asks the head referee to look again; the ruling binds until then (FF-STAFF-4)."""
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    if not side:
        raise NotYourGame("Players of the game appeal.")
    known = result_of(state, command.game)
    if known.status != "ruled":
        raise ResultSettled(f"{seat.game} is {known.status}; only a ruling is appealed.", status=known.status)
    if known.level == "head_referee":
        raise RulingFinal(f"The head referee has ruled on {seat.game}.")
    if not any(member.active and member.role == "head_referee" for member in state.entries.staff.values()):
        clause = (rules_of(state.entries).staff or SILENT).cites("final")
        raise NoHeadReferee("This tournament has no head referee; the ruling is final.", clause=clause)
    if known.appealed:
        return []
    return [said.RulingAppealed(round=round.number, game=seat.game, side=side, reason=command.reason)]


def reject_appeal(state: Tournament, command: ask.RejectAppeal, context: Context) -> Sequence[Event]:
    """The head referee lets the ruling stand; it is final then."""
    round, seat = open_game(state, command.game)
    need_decider(state.entries, context.by, "final")
    refuse_own_game(state, context.by, seat)
    if not result_of(state, command.game).appealed:
        raise NotAppealed(f"No appeal is open on {seat.game}.")
    return [said.AppealRejected(round=round.number, game=seat.game, reason=command.reason)]


def correct(state: Tournament, command: ask.CorrectResult, context: Context) -> Sequence[Event]:
    """Replace a binding result, at any time; standings move, later pairings stand (AR-AMB-25, DW-AMB-20)."""
    round, seat = game_of(running(state, concluded_too=True), command.game)
    known = result_of(state, command.game)
    need_ruling(state, seat, known, context)
    if not known.binds:
        raise ResultNotBinding(f"{seat.game} is {known.status}; confirm or rule it.", status=known.status)
    facts = possible(state, round, seat, command.facts, context.by)
    if facts == known.facts:
        return []
    corrected = said.ResultCorrected(
        round=round.number,
        game=seat.game,
        facts=facts,
        reason=command.reason,
        improbable=stood_by(state, facts, command.improbable),
    )
    return [corrected, *rerecorded(state, corrected, context)]


def void(state: Tournament, command: ask.VoidResult, context: Context) -> Sequence[Event]:
    """Take a result back that was reported for the wrong game; the game is open again."""
    round, seat = open_game(state, command.game)
    known = state.results.results.get(seat.game)
    if known is None:
        return []
    need_ruling(state, seat, known, context)
    return [said.ResultVoided(round=round.number, game=seat.game, reason=command.reason)]
