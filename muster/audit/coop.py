"""Every table of a co-operative event played again: where the token was, what ended a session, how tables rank.

Power moves replayed from 0 give every recorded space (AB-PWR-5); draws and seatings are made again from their seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import structs

from muster.audit.coop_rounds import Rankings
from muster.audit.findings import Findings, misfit
from muster.audit.replay import DecodedEvent, Logs, as_decided
from shared.formats.coop import scoring_events as events
from shared.formats.coop.at_tables import data_of
from shared.formats.coop.entries import coop_of
from shared.formats.coop.rules import effects
from shared.formats.coop.rules.data import OperatorData
from shared.formats.coop.rules.effects import drawn_card, drawn_goals
from shared.formats.coop.rules.ruleset import CoopRuleset
from shared.formats.coop.rules.table import Summary, Table, agreed, faults_of_summary
from shared.formats.coop.sessions import SESSIONS, Session
from shared.tournament.events.scoring import TournamentConcluded
from shared.tournament.state import Tournament

AFTER_THE_END = (events.SessionReported, events.SessionConfirmed, events.SessionCorrected)
"""What may be said of a session that has ended. AB-END-3."""

ENDINGS = (events.SessionWon, events.SessionLost, events.SessionLeftUnfinished, events.SessionAbandoned)


def audit_sessions(logs: Logs, findings: Findings) -> None:
    """Everything that happened at tables, and the rankings."""
    command = ""
    lost: dict[str, DecodedEvent] = {}
    due: dict[str, tuple[DecodedEvent, str]] = {}
    rankings = Rankings(findings)
    for heard, state, seed in as_decided(logs, "scoring"):
        if heard.command_id != command:
            rankings.end()
            _refuse_survived(lost, findings)
            _refuse_without(due, findings)
            command = heard.command_id
        event = heard.event
        if isinstance(event, events.CoopRankingPublished):
            rankings.take(heard, event, state)
        elif isinstance(event, TournamentConcluded) and event.winner:
            findings.fail("winner", heard, event.winner, "nobody: survivors win or lose together (AB-END-2)")
        elif isinstance(event, events.SessionEvent) and event.session in SESSIONS.of(state).sessions:
            session = SESSIONS.of(state).sessions[event.session]
            if session.ended and not isinstance(event, AFTER_THE_END):
                told = f"{heard.type} after the end of {event.session}"
                findings.fail("ending", heard, told, "nothing but a correction (AB-END-3)")
            owed = due.pop(event.session, None)
            if owed is not None and getattr(event, "reason", "") != owed[1]:
                _refuse_without({event.session: owed}, findings)
            look = _Looked(heard, session, state, seed, findings)
            try:
                if reason := _reason_due(look, event):
                    due[event.session] = heard, reason
                if type(event) in CHECKS:
                    CHECKS[type(event)](look, event)
            except Exception as error:  # a table that the rules cannot look at
                findings.fail("table", heard, misfit(error, event), "a table that can be played at")
            if isinstance(event, events.PowerTokenAdvanced) and event.to_space == session.table.last_space:
                lost[event.session] = heard
            if isinstance(event, ENDINGS):
                lost.pop(event.session, None)
    rankings.end()
    _refuse_survived(lost, findings)
    _refuse_without(due, findings)


def _reason_due(look: _Looked, event: events.SessionEvent) -> str:
    """The reason of the move of the token that has to follow an event; empty for none. AB-PWR-1, AB-GOAL-3."""
    match event:
        case events.SurvivorKilled() if effects.kill_counts(look.table, event.survivor, look.ruleset.play):
            return "survivor_killed"
        case events.OpposingFactionActivated():
            return "activation_card"
        case events.GoalCompleted() if effects.earns_retreat(look.table):
            return "extra_goal"
    return ""


def _refuse_without(due: dict[str, tuple[DecodedEvent, str]], findings: Findings) -> None:
    """What moves the token is followed by its move."""
    for heard, reason in due.values():
        findings.fail("power", heard, f"{heard.type} and no move of the token", f"a move with the reason {reason}")
    due.clear()


def _refuse_survived(lost: dict[str, DecodedEvent], findings: Findings) -> None:
    """A move to the last space and the ending that it causes are written together. AB-PWR-3, AB-SVC-3."""
    for session, heard in lost.items():
        findings.fail("ending", heard, f"{session} on the last space and played on", "its ending just behind")
    lost.clear()


class _Looked:
    """An event of a session with all that it is compared with: the session before it, the rules, the seed."""

    def __init__(self, heard: DecodedEvent, session: Session, state: Tournament, seed: str, findings: Findings) -> None:
        self.heard = heard
        self.session = session
        self.seed = seed
        self.findings = findings
        self._state = state

    @property
    def table(self) -> Table:
        return self.session.table

    @property
    def ruleset(self) -> CoopRuleset:
        return coop_of(self._state.entries)

    @property
    def data(self) -> OperatorData:
        found = data_of(self._state, self.session.data_version)
        assert found is not None  # nothing is set up without data; an impossible log stops before
        return found

    def compare(self, code: str, found: Any, right: Any, what: str) -> None:
        """Note a difference."""
        if found != right:
            self.findings.fail(code, self.heard, f"{what} {found}", f"{right}")


def _advanced(look: _Looked, event: events.PowerTokenAdvanced) -> None:
    look.findings.counts["moves"] += 1
    look.compare("power", event.from_space, look.table.position, "the token moved from")
    if event.reason not in effects.REASONS:
        look.findings.fail("power", look.heard, f"reason {event.reason}", "one of " + ", ".join(effects.REASONS))
    fixed = event.reason in ("activation_card", "survivor_killed")
    by = look.ruleset.kit.advance_spaces if fixed else max(1, event.to_space - event.from_space)
    look.compare("power", event.to_space, effects.advance(look.table, by).end, "the token moved to")


def _retreated(look: _Looked, event: events.PowerTokenRetreated) -> None:
    look.findings.counts["moves"] += 1
    look.compare("power", event.from_space, look.table.position, "the token moved from")
    if event.reason not in effects.REASONS_BACK:
        look.findings.fail("power", look.heard, f"reason {event.reason}", "one of " + ", ".join(effects.REASONS_BACK))
    play, spaces = look.ruleset.play, look.ruleset.kit.retreat_spaces
    if event.reason == "scenario_effect":
        if play.retreat_floor == "retreat_refused" and event.to_space == event.from_space:
            return  # how far the sheet says is known at the table: there was no room for it
        spaces = max(1, event.from_space - event.to_space)
    step = effects.retreat(look.table, spaces, play)
    look.compare("power", event.to_space, step.end if step else look.table.position, "the token moved to")


def _goal(look: _Looked, event: events.GoalCompleted) -> None:
    if event.goal not in look.table.open_goals:
        expected = "one of " + ", ".join(look.table.open_goals)
        look.findings.fail("goal", look.heard, f"{event.goal} completed", expected)
    look.compare("goal", event.extra, effects.earns_retreat(look.table), "an extra goal:")


def _won(look: _Looked, event: events.SessionWon) -> None:
    play = look.ruleset.play
    look.compare("ending", effects.VICTORY, effects.ending(look.table, play, round_ends=True) or "play", "the end is")


def _lost(look: _Looked, event: events.SessionLost) -> None:
    if event.cause != "deck_exhausted":
        look.compare("ending", effects.DEFEAT, effects.ending(look.table, look.ruleset.play) or "play", "the end is")


def _told(look: _Looked, event: events.SessionReported | events.SessionCorrected) -> None:
    summary = Summary(**structs.asdict(event.told))
    for fault in faults_of_summary(summary, look.table, look.ruleset):
        look.findings.fail("summary", look.heard, f"{fault.where}: {fault.said}", f"{fault.expected} ({fault.clause})")


def _goals_drawn(look: _Looked, event: events.GoalsRevealed) -> None:
    if event.seed:
        look.findings.counts["draws"] += 1
        look.compare("seed", event.seed, look.seed, "seed")
        right = drawn_goals(event.seed, event.session, look.table, list(look.data.goals), len(event.goals))
        look.compare("draw", event.goals, right, "drawn")


def _card_drawn(look: _Looked, event: events.ActivationCardRevealed) -> None:
    card = look.data.cards.get(event.card)
    if card is not None:
        look.compare("card", (event.enemies, event.icons), (card.enemies, list(card.icons)), f"on {event.card}")
    if event.seed:
        look.findings.counts["draws"] += 1
        look.compare("seed", event.seed, look.seed, "seed")
        look.compare(
            "draw", event.card, drawn_card(event.seed, event.session, look.table, list(look.data.cards)), "drawn"
        )


def _confirmed(look: _Looked, event: events.SessionConfirmed) -> None:
    session = look.session
    voices = {*session.confirmed, *([event.survivor] if event.survivor else [])}
    enough = agreed(len(voices), len(look.table.survivors), event.host or session.host_agreed)
    look.compare("binding", event.binds, event.ruling or enough, "it binds:")


CHECKS: Mapping[type, Callable[[_Looked, Any], None]] = MappingProxyType(
    {
        events.PowerTokenAdvanced: _advanced,
        events.PowerTokenRetreated: _retreated,
        events.GoalCompleted: _goal,
        events.SessionWon: _won,
        events.SessionLost: _lost,
        events.SessionReported: _told,
        events.SessionCorrected: _told,
        events.SessionConfirmed: _confirmed,
        events.GoalsRevealed: _goals_drawn,
        events.ActivationCardRevealed: _card_drawn,
    }
)
"""Event -> what is computed again; every other one says what only people can know."""
