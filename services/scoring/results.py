"""Results of games: report, change a report, confirm, dispute, rule, appeal, correct, void."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol

import msgspec

from services.scoring.guards import (
    NotYourGame,
    are_allies,
    confirm_improbable,
    game_of,
    open_game,
    refuse_own_game,
    result_of,
    running,
    side_of,
)
from services.scoring.rounds import CloseRound, Conclude
from shared.log.event import LARGEST_NUMBER, Event
from shared.refusals import Fault, Refusal, expects
from shared.roles import ORGANISER_UP
from shared.rules.parts import DEFAULT_STAFF_RULES, ORGANISER
from shared.shapes import Command, Id, Open, Reason, Size, Text, Whole
from shared.tournament.format import rules_of
from shared.tournament.guards import By, Context, NotYourDecision, can_settle, require_decider
from shared.tournament.results import (
    AppealRejected,
    ReportChanged,
    Result,
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    ResultRuled,
    ResultVoided,
    RulingAppealed,
    RulingOverridden,
)
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament

_MAX_RESULTS = 500
"""Maximum results in one request."""

Facts = Annotated[dict[str, Any], Open("facts")]
"""Members as the ruleset's result form names them."""

_Improbable = Annotated[bool, "Accept improbable facts. The result is marked as improbable."]


class ReportResult(Command, frozen=True, kw_only=True):
    """Report the result of a game. A player's report waits for the opponent; a report by staff binds immediately."""

    game: Id
    facts: Facts
    improbable: _Improbable = False


class ReportResults(Command, frozen=True, kw_only=True):
    """Enter several results from paper. If one is refused, none is entered."""

    results: Annotated[list[ReportResult], Size(_MAX_RESULTS, 1)]


class ChangeReport(Command, frozen=True, kw_only=True):
    """Replace the caller's own report before the opponent or staff have answered."""

    game: Id
    facts: Facts
    improbable: _Improbable = False


class ConfirmResult(Command, frozen=True, kw_only=True):
    """Confirm a reported result, so that it binds."""

    game: Id
    report: Annotated[
        int | None,
        Whole(1, LARGEST_NUMBER),
        "The `report` of the game that the caller has seen. A later change of it is refused with 409 `report-changed`."
        " Needed only if the report was changed.",
    ] = None


class DisputeResult(Command, frozen=True, kw_only=True):
    """Dispute a result.

    reason: public. facts: the result according to the player.
    """

    game: Id
    reason: Reason
    facts: Facts | None = None
    improbable: _Improbable = False


class RuleResult(Command, frozen=True, kw_only=True):
    """Rule on the result of a game. reason, clause: public."""

    game: Id
    facts: Facts
    reason: Reason
    clause: Annotated[str, Text(40)] = ""
    improbable: _Improbable = False


class AppealRuling(Command, frozen=True, kw_only=True):
    """Appeal a ruling. The reason is public."""

    game: Id
    reason: Reason


class RejectAppeal(Command, frozen=True, kw_only=True):
    """Reject an appeal. The reason is public."""

    game: Id
    reason: Reason


class CorrectResult(Command, frozen=True, kw_only=True):
    """Correct a binding result. The reason is public."""

    game: Id
    facts: Facts
    reason: Reason
    improbable: _Improbable = False


class OverrideRuling(CorrectResult, frozen=True, kw_only=True):
    """Override a ruling as an organiser. The reason is public."""


class VoidResult(Command, frozen=True, kw_only=True):
    """Void a result, so that the game is open again. The reason is public."""

    game: Id
    reason: Reason


ReportedFacts = Mapping[str, Any]


class FactRules(Protocol):
    """The checks of facts that a format provides as a module."""

    def possible_facts(
        self, state: Tournament, round: Round, seat: Seat, facts: ReportedFacts, by: By, first_report: bool = False, /
    ) -> dict[str, Any]:
        """Return facts as they are recorded. first_report: no one has answered a report of this game yet.

        Raises the refusals of the format, with every fault at its place in `facts`.
        """

    def improbable_facts(self, state: Tournament, facts: ReportedFacts, /) -> list[Fault]:
        """Return the faults of facts that are possible but improbable. state: before the report."""


class Ending(Protocol):
    """The module that decides the end of tournaments of a format."""

    def conclude(self, state: Tournament, command: Conclude, context: Context, /) -> Sequence[Event]:
        """Decide Conclude."""


class ScoringFormat(FactRules, Ending, Protocol):
    """The module of a format with games."""

    def settle(self, state: Tournament, command: Any, events: Sequence[Event], context: Context, /) -> Sequence[Event]:
        """Return the events of a decision about a result, and those that follow from them."""

    def correct(self, state: Tournament, command: CorrectResult, context: Context, /) -> Sequence[Event]:
        """Decide CorrectResult or OverrideRuling."""

    def close(self, state: Tournament, command: CloseRound, context: Context, /) -> Sequence[Event]:
        """Decide CloseRound."""


def report(rules: FactRules, state: Tournament, command: ReportResult, context: Context) -> Sequence[Event]:
    """Decide ReportResult. An opponent's identical report confirms the first one.

    Source: DW-AMB-15, AR-AMB-25, FF-AMB-25.
    """
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    current = state.results.results.get(seat.game)
    facts = rules.possible_facts(state, round, seat, command.facts, context.by, current is None)
    if current is not None:
        if current.facts != facts or current.status == "disputed":
            raise _result_exists(seat.game, current, context)
        if current.binds or are_allies(seat, current.side, side):
            return []
        return [ResultConfirmed(round=round.number, game=seat.game, side=side)]
    improbable = confirm_improbable(state, rules.improbable_facts(state, facts), command.improbable)
    reported = ResultReported(round=round.number, game=seat.game, facts=facts, side=side, improbable=improbable)
    if side:
        return [reported]
    return [reported, ResultConfirmed(round=round.number, game=seat.game, side=0)]


def change_report(rules: FactRules, state: Tournament, command: ChangeReport, context: Context) -> Sequence[Event]:
    """Decide ChangeReport: by the side that reported, until the opponent or staff answer."""
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    current = result_of(state, command.game)
    if current.status != "reported" or not are_allies(seat, current.side, side):
        raise _result_exists(seat.game, current, context)
    facts = rules.possible_facts(state, round, seat, command.facts, context.by, True)
    if current.facts == facts:
        return []
    improbable = confirm_improbable(state, rules.improbable_facts(state, facts), command.improbable)
    return [ReportChanged(round=round.number, game=seat.game, facts=facts, side=side, improbable=improbable)]


def _result_exists(game: str, current: Result, context: Context) -> ResultExists:
    """Return the refusal for a game with another result. Its advice depends on the caller and the status."""
    if context.by.staff:
        advice = "correct it" if current.binds else "rule what it is"
    elif current.status == "disputed":
        advice = "a referee rules"
    elif current.status == "reported":
        advice = "confirm it, or dispute it"
    else:
        advice = "appeal" if current.ruled_by else "dispute it" if current.status == "confirmed" else "ask a referee"
    return ResultExists(
        f"{game} has a result already, {current.status}; {advice}.", facts=current.facts, status=current.status
    )


def report_several(rules: FactRules, state: Tournament, command: ReportResults, context: Context) -> Sequence[Event]:
    """Decide ReportResults. Raises the first refusal with the faults of all rows."""
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
            row_faults = refusal.faults or (Fault("/game", row.game, expects("reportable-game", problem=refusal.code)),)
            faults += [msgspec.structs.replace(fault, where=f"/results/{index}{fault.where}") for fault in row_faults]
    if first is not None:
        raise type(first)(f"Nothing was entered; faults: {len(faults)}. First: {first.detail}", faults, **first.data)
    return events


def confirm(state: Tournament, command: ConfirmResult, context: Context) -> Sequence[Event]:
    """Decide ConfirmResult: by staff or by a player of another side than the reporter.

    A report that was changed, or made anew, binds only if the command names it.
    """
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    current = result_of(state, command.game)
    if current.status not in ("reported", "confirmed"):
        advice = "a referee rules" if current.status == "disputed" else "it binds already"
        raise ResultSettled(f"{seat.game} is {current.status}: {advice}.", status=current.status)
    waits = current.status == "reported"
    if waits and side and are_allies(seat, current.side, side):
        raise OwnReport(f"{seat.game} is waiting for another side to confirm.")
    _require_seen(command, current, waits)
    if not waits:
        return []
    return [ResultConfirmed(round=round.number, game=seat.game, side=side)]


def _require_seen(command: ConfirmResult, current: Result, waits: bool) -> None:
    """Raise OtherReport if the caller has seen another report than this one. waits: it is not confirmed yet.

    A command without `report` is older than changes of reports, so its author has seen the first report.
    """
    if command.report == current.report or (command.report is None and not (waits and current.report_changed)):
        return
    raise OtherReport(
        f"The report of {current.game} was changed. Check it again; then confirm it with `report`: {current.report}.",
        facts=current.facts,
        report=current.report,
    )


def dispute(rules: FactRules, state: Tournament, command: DisputeResult, context: Context) -> Sequence[Event]:
    """Decide DisputeResult. The result no longer binds, and a referee has to rule.

    A second dispute is recorded only if it brings the first counter-facts.
    """
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    if not side:
        raise NotYourGame("Only players dispute a result; staff rule on it.")
    current = result_of(state, command.game)
    if current.status == "disputed" and (command.facts is None or current.counter is not None):
        return []
    if current.status not in ("reported", "confirmed", "disputed"):
        advice = "appeal instead" if current.ruled_by else "ask a referee"
        raise ResultSettled(f"{seat.game} is {current.status}; {advice}.", status=current.status)
    facts = None if command.facts is None else rules.possible_facts(state, round, seat, command.facts, context.by)
    return [
        ResultDisputed(
            round=round.number,
            game=seat.game,
            side=side,
            reason=command.reason,
            facts=facts,
            improbable=facts is not None
            and confirm_improbable(state, rules.improbable_facts(state, facts), command.improbable),
        ),
    ]


def rule(rules: FactRules, state: Tournament, command: RuleResult, context: Context) -> Sequence[Event]:
    """Decide RuleResult. The ruleset says whose ruling is final (FF-STAFF-3, FF-STAFF-4, AR-STAFF-1, DW-AMB-15)."""
    round, seat = open_game(state, command.game)
    final = can_settle(state.entries, context.by, "final")
    current = state.results.results.get(seat.game)
    require_ruling_right(state, seat, current, context)
    facts = rules.possible_facts(state, round, seat, command.facts, context.by)
    level = "head_referee" if final else "referee"
    if current is not None and current.status == "ruled" and current.facts == facts and current.level == level:
        return []
    return [
        ResultRuled(
            round=round.number,
            game=seat.game,
            facts=facts,
            level=level,
            reason=command.reason,
            clause=command.clause,
            improbable=confirm_improbable(state, rules.improbable_facts(state, facts), command.improbable),
        )
    ]


def require_ruling_right(state: Tournament, seat: Seat, current: Result | None, context: Context) -> None:
    """Raise a refusal unless the caller may rule on this game.

    Only the head referee changes their own rulings and decides appeals (FF-STAFF-4, AR-STAFF-1). If the ruleset
    protects rulings, only the author changes them (FF-STAFF-3). If it says so, judges cannot rule on their own games
    (AR-AMB-20). Raises NotYourDecision, OwnGame, RulingFinal, RulingStands, AppealOpen.
    """
    require_decider(state.entries, context.by, "rulings")
    refuse_own_game(state, context.by, seat)
    if current is None:
        return
    final = can_settle(state.entries, context.by, "final")
    if current.level == "organiser" or (_is_head_referees(current) and context.by.role in ORGANISER_UP):
        raise _ruling_final(current)
    if current.level == "head_referee" and not final:
        raise _ruling_final(current)
    if current.appealed and not final:
        raise _appeal_open(current)
    author = _other_author(state, current, context)
    if current.appealed or not author:
        return
    raise _ruling_final(current) if current.level == "head_referee" else _ruling_stands(state, current, author)


def _other_author(state: Tournament, current: Result, context: Context) -> str:
    """Return the author of a protected ruling by someone else, or an empty string."""
    guarded = (rules_of(state.entries).staff or DEFAULT_STAFF_RULES).changes == "author"
    author = current.ruled_by.actor if guarded and current.ruled_by else ""
    return author if author != context.by.actor else ""


def _ruling_stands(state: Tournament, current: Result, author: str) -> RulingStands:
    clause = (rules_of(state.entries).staff or DEFAULT_STAFF_RULES).cites("changes")
    return RulingStands(
        f"{author} has ruled on {current.game}. They may correct it, a player may appeal: POST …/appeal; or an"
        " organiser overrides it: POST …/override.",
        by=author,
        clause=clause,
    )


def _appeal_open(current: Result) -> AppealOpen:
    return AppealOpen(f"The ruling on {current.game} has been appealed; the head referee decides.")


def _is_head_referees(current: Result) -> bool:
    """Return True if a head referee has ruled, or an organiser has overridden such a ruling.

    A ruling by an organiser who acts as head referee does not count: organisers may change it.
    """
    return current.level == "organiser" or (current.level == "head_referee" and current.final_by not in ORGANISER_UP)


def _ruling_final(current: Result) -> RulingFinal:
    if not _is_head_referees(current):
        fact, advice = "An organiser has ruled", "they may correct it"
    elif current.level == "organiser":
        fact, advice = "An organiser has overridden the head referee", "an organiser may override that: POST …/override"
    else:
        fact, advice = "The head referee has ruled", "an organiser may override it: POST …/override"
    return RulingFinal(f"{fact} on {current.game}; {advice}.", level=current.level)


def appeal(state: Tournament, command: AppealRuling, context: Context) -> Sequence[Event]:
    """Decide AppealRuling. The ruling binds until the head referee decides (FF-STAFF-4).

    A correction by a referee or an organiser counts as a ruling.
    """
    round, seat = open_game(state, command.game)
    side = side_of(state, context.by, seat)
    if not side:
        raise NotYourGame("Only players of the game can appeal.")
    current = result_of(state, command.game)
    if current.ruled_by is None:
        raise ResultSettled(f"{seat.game} is {current.status}; only a ruling can be appealed.", status=current.status)
    has_final_word = can_settle(state.entries, By(current.ruled_by.actor, current.ruled_by.role), "final")
    if current.level in ("head_referee", "organiser") or (current.status == "corrected" and has_final_word):
        raise _ruling_final(current)
    if not any(member.active and member.role == "head_referee" for member in state.entries.staff.values()):
        clause = (rules_of(state.entries).staff or DEFAULT_STAFF_RULES).cites("final")
        raise NoHeadReferee("This tournament has no head referee; the ruling is final.", clause=clause)
    if current.appealed:
        return []
    return [RulingAppealed(round=round.number, game=seat.game, side=side, reason=command.reason)]


def reject_appeal(state: Tournament, command: RejectAppeal, context: Context) -> Sequence[Event]:
    """Decide RejectAppeal. The ruling is then final."""
    round, seat = open_game(state, command.game)
    require_decider(state.entries, context.by, "final")
    refuse_own_game(state, context.by, seat)
    if not result_of(state, command.game).appealed:
        raise NotAppealed(f"No appeal is open on {seat.game}.")
    return [AppealRejected(round=round.number, game=seat.game, reason=command.reason)]


def correct(rules: FactRules, state: Tournament, command: CorrectResult, context: Context) -> Sequence[Event]:
    """Decide CorrectResult, which is possible at any time."""
    round, seat, current = game_to_correct(state, command, context)
    facts = rules.possible_facts(state, round, seat, command.facts, context.by)
    if facts == current.facts:
        return []
    improbable = confirm_improbable(state, rules.improbable_facts(state, facts), command.improbable)
    return [correction(command, round, facts, improbable=improbable)]


def game_to_correct(state: Tournament, command: CorrectResult, context: Context) -> tuple[Round, Seat, Result]:
    """Return a game with a binding result that the caller may replace.

    Raises ResultMissing, ResultNotBinding, and the exceptions of `require_correction_right`.
    """
    round, seat = game_of(running(state, concluded_too=True), command.game)
    current = result_of(state, command.game)
    require_correction_right(state, seat, current, command, context)
    if not current.binds:
        raise ResultNotBinding(f"{seat.game} is {current.status}; confirm it or rule on it.", status=current.status)
    return round, seat, current


def require_correction_right(
    state: Tournament, seat: Seat, current: Result, command: CorrectResult, context: Context
) -> None:
    """Raise a refusal unless the caller may correct the result or override the ruling."""
    if not isinstance(command, OverrideRuling):
        require_ruling_right(state, seat, current, context)
        return
    refuse_own_game(state, context.by, seat)
    if not (_is_head_referees(current) or _other_author(state, current, context)):
        advice = "correct it" if current.binds else "rule what it is"
        raise RulingNotFinal(f"{seat.game} has no ruling to override; {advice}.", status=current.status)
    if context.by.role not in ORGANISER_UP:
        raise NotYourDecision("Only an organiser can override a ruling.", roles=[ORGANISER])
    if current.appealed:
        raise _appeal_open(current)


def correction(command: CorrectResult, round: Round, facts: dict[str, Any], *, improbable: bool) -> ResultCorrected:
    """Return the event of a correction or an override."""
    kind = RulingOverridden if isinstance(command, OverrideRuling) else ResultCorrected
    return kind(round=round.number, game=command.game, facts=facts, reason=command.reason, improbable=improbable)


def void(state: Tournament, command: VoidResult, context: Context) -> Sequence[Event]:
    """Decide VoidResult. The game is then open again."""
    round, seat = open_game(state, command.game)
    current = state.results.results.get(seat.game)
    if current is None:
        return []
    require_ruling_right(state, seat, current, context)
    return [ResultVoided(round=round.number, game=seat.game, reason=command.reason)]


class ResultExists(Refusal):
    """Another result of the game exists; data: `facts`, `status`."""

    code = "result-exists"


class OtherReport(Refusal):
    """The report was changed, and the caller has not seen this one; data: `facts`, `report`."""

    code = "report-changed"


class OwnReport(Refusal):
    """The caller reported the result; the opponent has to confirm it."""

    code = "own-report"


class ResultSettled(Refusal):
    """The result is past this step; data: `status`."""

    code = "result-settled"


class ResultNotBinding(Refusal):
    """The result does not bind yet. Confirm it or rule on it; data: `status`."""

    code = "result-not-binding"


class RulingFinal(Refusal):
    """The ruling is final. Only its author may correct it, or an organiser override it; data: `level`."""

    code = "ruling-final"


class RulingStands(Refusal):
    """The ruling can be changed only by its author, an appeal or an override; data: `by`, `clause`."""

    code = "ruling-stands"


class RulingNotFinal(Refusal):
    """The game has no ruling that needs an override; data: `status`."""

    code = "ruling-not-final"


class AppealOpen(Refusal):
    """The ruling was appealed, and the head referee has to decide."""

    code = "appeal-open"


class NoHeadReferee(Refusal):
    """The tournament has no head referee to appeal to (FF-STAFF-4)."""

    code = "no-head-referee"


class NotAppealed(Refusal):
    """The game has no open appeal."""

    code = "not-appealed"
