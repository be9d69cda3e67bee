"""Results: reported, confirmed, disputed, ruled on, appealed, corrected, voided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol

import msgspec

from services.scoring.guards import (
    NotYourGame,
    game_of,
    on_one_side,
    open_game,
    refuse_own_game,
    result_of,
    running,
    side_of,
    stood_by,
)
from services.scoring.rounds import CloseRound, Conclude
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects
from shared.roles import ORGANISER_UP
from shared.rules.parts import DEFAULT_STAFF_RULES, ORGANISER
from shared.shapes import Command, Id, Open, Reason, Size, Text
from shared.tournament import results as said
from shared.tournament.format import rules_of
from shared.tournament.guards import By, Context, NotYourDecision, can_settle, require_decider
from shared.tournament.results import Result, ResultConfirmed, ResultDisputed, ResultReported
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament

MOST_RESULTS = 500
"""Results of one request that staff enter from paper."""

Facts = Annotated[dict[str, Any], Open("facts")]
"""What the ruleset's result form names."""

StoodBy = Annotated[bool, "The facts are right, however improbable; they are accepted and marked."]


class ReportResult(Command, frozen=True, kw_only=True):
    """A result. Players' reports wait for the opponent; staff's bind at once."""

    game: Id
    facts: Facts
    improbable: StoodBy = False


class ReportResults(Command, frozen=True, kw_only=True):
    """Results that staff enter from paper: all of them, or none and every fault."""

    results: Annotated[list[ReportResult], Size(MOST_RESULTS, 1)]


class ConfirmResult(Command, frozen=True, kw_only=True):
    """The opponent agrees; the result binds."""

    game: Id


class DisputeResult(Command, frozen=True, kw_only=True):
    """Why the player does not agree, and what they say happened."""

    game: Id
    reason: Reason
    facts: Facts | None = None
    improbable: StoodBy = False


class RuleResult(Command, frozen=True, kw_only=True):
    """What the result is, and why."""

    game: Id
    facts: Facts
    reason: Reason
    clause: Annotated[str, Text(40)] = ""
    improbable: StoodBy = False


class AppealRuling(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    game: Id
    reason: Reason


class RejectAppeal(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    game: Id
    reason: Reason


class CorrectResult(Command, frozen=True, kw_only=True):
    """The right facts, and why the recorded ones were wrong."""

    game: Id
    facts: Facts
    reason: Reason
    improbable: StoodBy = False


class OverrideRuling(CorrectResult, frozen=True, kw_only=True):
    """What an organiser puts in the place of a ruling that stands, and why."""


class VoidResult(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    game: Id
    reason: Reason


GivenFacts = Mapping[str, Any]


class FactRules(Protocol):
    """A module with what a format asks of the facts of a game."""

    def possible_facts(
        self, state: Tournament, round: Round, seat: Seat, facts: GivenFacts, by: By, first_report: bool = False, /
    ) -> dict[str, Any]:
        """Return facts as events keep them. first_report: they would be the first that is reported of the game.

        Raises what the format refuses, with every fault at its place in `facts`.
        """

    def improbable_facts(self, state: Tournament, facts: GivenFacts, /) -> list[Fault]:
        """Return what of possible facts no game is likely to bring, by the state before they were reported."""


class Ending(Protocol):
    """A module that decides how tournaments of a format end."""

    def conclude(self, state: Tournament, command: Conclude, context: Context, /) -> Sequence[Event]:
        """Decide the end of a tournament."""


class ScoringFormat(FactRules, Ending, Protocol):
    """A module about a format whose players meet in games."""

    def settle(self, state: Tournament, command: Any, events: Sequence[Event], context: Context, /) -> Sequence[Event]:
        """Return the events that a decision about a result gave, with those that follow from them."""

    def correct(self, state: Tournament, command: CorrectResult, context: Context, /) -> Sequence[Event]:
        """Decide a correction, or the override of a ruling."""

    def close(self, state: Tournament, command: CloseRound, context: Context, /) -> Sequence[Event]:
        """Decide the end of a round."""


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


def rule(rules: FactRules, state: Tournament, command: RuleResult, context: Context) -> Sequence[Event]:
    """Staff decide; whose word is final, the ruleset says (FF-STAFF-3, FF-STAFF-4, AR-STAFF-1, DW-AMB-15)."""
    round, seat = open_game(state, command.game)
    final = can_settle(state.entries, context.by, "final")
    known = state.results.results.get(seat.game)
    need_ruling(state, seat, known, context)
    facts = rules.possible_facts(state, round, seat, command.facts, context.by)
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
            improbable=stood_by(state, rules.improbable_facts(state, facts), command.improbable),
        )
    ]


def need_ruling(state: Tournament, seat: Seat, known: Result | None, context: Context) -> None:
    """Raises unless the caller may rule on this game: what the head referee has ruled, or is asked to rule, nobody
    else changes (FF-STAFF-4, AR-STAFF-1), nor any ruling where the ruleset leaves it to its author (FF-STAFF-3); and
    where the ruleset says so nobody rules on their own game (AR-AMB-20)."""
    require_decider(state.entries, context.by, "rulings")
    refuse_own_game(state, context.by, seat)
    if known is None:
        return
    final = can_settle(state.entries, context.by, "final")
    if known.level == "organiser" or (_head_referees(known) and context.by.role in ORGANISER_UP):
        raise _final(known)
    if known.level == "head_referee" and not final:
        raise _final(known)
    if known.appealed and not final:
        raise _appeal_open(known)
    author = _other_author(state, known, context)
    if known.appealed or not author:
        return
    raise _final(known) if known.level == "head_referee" else _stands(state, known, author)


def _other_author(state: Tournament, known: Result, context: Context) -> str:
    """Return who has ruled, if that is somebody else and the ruleset leaves a ruling to its author; else empty."""
    guarded = (rules_of(state.entries).staff or DEFAULT_STAFF_RULES).changes == "author"
    author = known.ruled_by.actor if guarded and known.ruled_by else ""
    return author if author != context.by.actor else ""


def _stands(state: Tournament, known: Result, author: str) -> RulingStands:
    clause = (rules_of(state.entries).staff or DEFAULT_STAFF_RULES).cites("changes")
    return RulingStands(
        f"{author} has ruled on {known.game}. They may correct it, a player may appeal: POST …/appeal; or an organiser"
        " overrides it: POST …/override.",
        by=author,
        clause=clause,
    )


def _appeal_open(known: Result) -> AppealOpen:
    return AppealOpen(f"The ruling on {known.game} has been appealed; the head referee decides.")


def _head_referees(known: Result) -> bool:
    """Whether a head referee's final ruling stands, or what an organiser put in its place.

    An organiser who stands in for a head referee may change their own mind.
    """
    return known.level == "organiser" or (known.level == "head_referee" and known.final_by not in ORGANISER_UP)


def _final(known: Result) -> RulingFinal:
    if not _head_referees(known):
        said, advice = "An organiser has ruled", "they may correct it"
    elif known.level == "organiser":
        said, advice = "An organiser has overridden the head referee", "an organiser may override that: POST …/override"
    else:
        said, advice = "The head referee has ruled", "an organiser may override it: POST …/override"
    return RulingFinal(f"{said} on {known.game}; {advice}.", level=known.level)


def appeal(state: Tournament, command: AppealRuling, context: Context) -> Sequence[Event]:
    """A player asks the head referee to look again; the ruling binds until then (FF-STAFF-4).

    What a referee or an organiser has corrected since, or corrected in the place of what players had said, is as much
    a ruling.
    """
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    if not side:
        raise NotYourGame("Only players of the game can appeal.")
    known = result_of(state, command.game)
    if known.ruled_by is None:
        raise ResultSettled(f"{seat.game} is {known.status}; only a ruling can be appealed.", status=known.status)
    has_final_word = can_settle(state.entries, By(known.ruled_by.actor, known.ruled_by.role), "final")
    if known.level in ("head_referee", "organiser") or (known.status == "corrected" and has_final_word):
        raise _final(known)
    if not any(member.active and member.role == "head_referee" for member in state.entries.staff.values()):
        clause = (rules_of(state.entries).staff or DEFAULT_STAFF_RULES).cites("final")
        raise NoHeadReferee("This tournament has no head referee; the ruling is final.", clause=clause)
    if known.appealed:
        return []
    return [said.RulingAppealed(round=round.number, game=seat.game, side=side, reason=command.reason)]


def reject_appeal(state: Tournament, command: RejectAppeal, context: Context) -> Sequence[Event]:
    """The head referee lets the ruling stand; it is final then."""
    round, seat = open_game(state, command.game)
    require_decider(state.entries, context.by, "final")
    refuse_own_game(state, context.by, seat)
    if not result_of(state, command.game).appealed:
        raise NotAppealed(f"No appeal is open on {seat.game}.")
    return [said.AppealRejected(round=round.number, game=seat.game, reason=command.reason)]


def correct(rules: FactRules, state: Tournament, command: CorrectResult, context: Context) -> Sequence[Event]:
    """Replace a binding result, at any time."""
    round, seat, known = game_to_correct(state, command, context)
    facts = rules.possible_facts(state, round, seat, command.facts, context.by)
    if facts == known.facts:
        return []
    improbable = stood_by(state, rules.improbable_facts(state, facts), command.improbable)
    return [corrected(command, round, facts, improbable=improbable)]


def game_to_correct(state: Tournament, command: CorrectResult, context: Context) -> tuple[Round, Seat, Result]:
    """Return a game whose result binds. Raises unless the caller may replace that result as the command asks."""
    round, seat = game_of(running(state, concluded_too=True), command.game)
    known = result_of(state, command.game)
    need_change(state, seat, known, command, context)
    if not known.binds:
        raise ResultNotBinding(f"{seat.game} is {known.status}; confirm it or rule on it.", status=known.status)
    return round, seat, known


def need_change(state: Tournament, seat: Seat, known: Result, command: CorrectResult, context: Context) -> None:
    """Raises unless the caller may correct this game, or override what was ruled on it, as the command asks."""
    if not isinstance(command, OverrideRuling):
        need_ruling(state, seat, known, context)
        return
    refuse_own_game(state, context.by, seat)
    if not (_head_referees(known) or _other_author(state, known, context)):
        advice = "correct it" if known.binds else "rule what it is"
        raise RulingNotFinal(f"{seat.game} has no ruling to override; {advice}.", status=known.status)
    if context.by.role not in ORGANISER_UP:
        raise NotYourDecision("Only an organiser can override a ruling.", roles=[ORGANISER])
    if known.appealed:
        raise _appeal_open(known)


def corrected(command: CorrectResult, round: Round, facts: dict[str, Any], *, improbable: bool) -> said.ResultCorrected:
    """Return the event of a correction: of its own kind if it overrides a ruling."""
    kind = said.RulingOverridden if isinstance(command, OverrideRuling) else said.ResultCorrected
    return kind(round=round.number, game=command.game, facts=facts, reason=command.reason, improbable=improbable)


def void(state: Tournament, command: VoidResult, context: Context) -> Sequence[Event]:
    """Take a result back that was reported for the wrong game; the game is open again."""
    round, seat = open_game(state, command.game)
    known = state.results.results.get(seat.game)
    if known is None:
        return []
    need_ruling(state, seat, known, context)
    return [said.ResultVoided(round=round.number, game=seat.game, reason=command.reason)]


class ResultExists(Refusal):
    """Another result of this game was reported; data: `facts`, `status`."""

    code = "result-exists"


class OwnReport(Refusal):
    """The result waits for the opponent's word, not for that of whoever reported it."""

    code = "own-report"


class ResultSettled(Refusal):
    """The result binds or was ruled, and this step belongs before that; data: `status`."""

    code = "result-settled"


class ResultNotBinding(Refusal):
    """The result does not bind yet; report, confirm or rule instead of correcting."""

    code = "result-not-binding"


class RulingFinal(Refusal):
    """A head referee has ruled; only they change it, or an organiser by overriding it."""

    code = "ruling-final"


class RulingStands(Refusal):
    """A referee has ruled, and by the ruleset nobody but they, an appeal or an organiser's override changes it."""

    code = "ruling-stands"


class RulingNotFinal(Refusal):
    """No ruling stands against an organiser's own, so there is nothing to override."""

    code = "ruling-not-final"


class AppealOpen(Refusal):
    """A player has appealed; the head referee decides, and nobody before."""

    code = "appeal-open"


class NoHeadReferee(Refusal):
    """There is nobody to appeal to (FF-STAFF-4)."""

    code = "no-head-referee"


class NotAppealed(Refusal):
    """No appeal is open on this game."""

    code = "not-appealed"
