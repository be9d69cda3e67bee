"""Decisions of staff about a result: ruled, appealed, corrected, overridden, voided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from services.scoring.tournament.commands import (
    AppealRuling,
    CorrectResult,
    OverrideRuling,
    RejectAppeal,
    RuleResult,
    VoidResult,
)
from services.scoring.tournament.format import FactRules
from services.scoring.tournament.refusals import (
    AppealOpen,
    NoHeadReferee,
    NotAppealed,
    NotYourGame,
    ResultNotBinding,
    ResultSettled,
    RulingFinal,
    RulingNotFinal,
    RulingStands,
)
from services.scoring.tournament.state import game_of, open_game, refuse_own_game, result_of, running, side_of, stood_by
from shared.log.event import Event
from shared.roles import ORGANISER_UP
from shared.rules.parts import ORGANISER, SILENT
from shared.tournament import results as said
from shared.tournament.format import rules_of
from shared.tournament.guards import By, Context, NotYourDecision, need_decider, settles
from shared.tournament.results import Result
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament


def rule(rules: FactRules, state: Tournament, command: RuleResult, context: Context) -> Sequence[Event]:
    """Staff decide; whose word is final, the ruleset says (FF-STAFF-3, FF-STAFF-4, AR-STAFF-1, DW-AMB-15)."""
    round, seat = open_game(state, command.game)
    final = settles(state.entries, context.by, "final")
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
    need_decider(state.entries, context.by, "rulings")
    refuse_own_game(state, context.by, seat)
    if known is None:
        return
    final = settles(state.entries, context.by, "final")
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
    guarded = (rules_of(state.entries).staff or SILENT).changes == "author"
    author = known.ruled_by.actor if guarded and known.ruled_by else ""
    return author if author != context.by.actor else ""


def _stands(state: Tournament, known: Result, author: str) -> RulingStands:
    clause = (rules_of(state.entries).staff or SILENT).cites("changes")
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
    has_final_word = settles(state.entries, By(known.ruled_by.actor, known.ruled_by.role), "final")
    if known.level in ("head_referee", "organiser") or (known.status == "corrected" and has_final_word):
        raise _final(known)
    if not any(member.active and member.role == "head_referee" for member in state.entries.staff.values()):
        clause = (rules_of(state.entries).staff or SILENT).cites("final")
        raise NoHeadReferee("This tournament has no head referee; the ruling is final.", clause=clause)
    if known.appealed:
        return []
    return [said.RulingAppealed(round=round.number, game=seat.game, side=side, reason=command.reason)]


def reject_appeal(state: Tournament, command: RejectAppeal, context: Context) -> Sequence[Event]:
    """The head referee lets the ruling stand; it is final then."""
    round, seat = open_game(state, command.game)
    need_decider(state.entries, context.by, "final")
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
