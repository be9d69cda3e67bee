"""What scoring's log says of a co-operative event: every table as it lies, how sessions ended, what binds, rankings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from shared.events import coop_scoring as said
from shared.rules.coop import table as parts
from shared.rules.coop.table import Drawn, Table

Told = Any
"""The row that an event came in: `position`, `time`, `actor`."""

PLAYING, ENDED = "playing", "ended"


class Ended(Struct, frozen=True, gc=False):
    """How a session ended, and the event that ended it. cause: what brought it about, or why somebody ended it."""

    outcome: str
    type: str
    position: int
    time: str
    cause: str


class Session(Struct, gc=False):
    """One session. status: setup, playing, ended. told: its numbers as reported or corrected; None as it was played.

    confirmed: survivors who agree with the result; host_agreed: so does the table's host. changed: position of the last
    event that touched it.
    """

    session: str
    table: Table
    host: str
    data_version: int
    status: str = "setup"
    started_at: str = ""
    ended: Ended | None = None
    told: said.SessionTold | None = None
    confirmed: list[str] = field(default_factory=list)
    host_agreed: bool = False
    binds: bool = False
    corrected: bool = False
    changed: int = 0


class Published(Struct, gc=False):
    """A ranking after a round of sessions, as published last."""

    tables: list[said.TableRanked]
    survivors: list[said.SurvivorRanked]
    position: int


class Sessions(Struct):
    """The fold: session id -> session, round -> its ranking."""

    sessions: dict[str, Session] = field(default_factory=dict)
    published: dict[int, Published] = field(default_factory=dict)


def _set_up(sessions: Sessions, event: said.SessionSetUpStarted, told: Told) -> None:
    table = Table(survivors=list(event.survivors), scenario=event.scenario)
    sessions.sessions[event.session] = Session(
        event.session, table, event.host, event.data_version, changed=told.position
    )


def _published(sessions: Sessions, event: said.CoopRankingPublished, told: Told) -> None:
    sessions.published[event.round] = Published(event.tables, event.survivors, told.position)


def _at_table(change: Callable[[Table, Any], None]) -> Callable[[Sessions, Any, Told], None]:
    """The change that an event makes to what lies on the table."""

    def apply(sessions: Sessions, event: said.SessionEvent, told: Told) -> None:
        session = sessions.sessions[event.session]
        change(session.table, event)
        session.changed = told.position

    return apply


def _of_session(change: Callable[[Session, Any, Told], None]) -> Callable[[Sessions, Any, Told], None]:
    """The change that an event makes to a session as a whole."""

    def apply(sessions: Sessions, event: said.SessionEvent, told: Told) -> None:
        session = sessions.sessions[event.session]
        change(session, event, told)
        session.changed = told.position

    return apply


def _faction(table: Table, event: said.LoyalFactionChosen) -> None:
    table.loyal, table.opposing = event.loyal, event.opposing
    table.loyal_icon, table.opposing_icon = event.loyal_icon, event.opposing_icon
    table.required, table.conditions = event.required_goals, list(event.conditions)


def _token(table: Table, event: said.PowerTokenPlaced) -> None:
    table.spaces, table.position = event.spaces, 0


def _goals(table: Table, event: said.GoalsRevealed) -> None:
    table.goals += event.goals


def _camp_placed(table: Table, event: said.CampTokenPlaced) -> None:
    if not event.from_supply:
        table.camp_gained -= 1
    table.camp_spaces.append(event.space)


def _camp_gained(table: Table, event: said.CampTokenGained) -> None:
    if event.from_space:
        table.camp_spaces.remove(event.from_space)
    table.camp_gained += 1


def _first_player(table: Table, event: said.FirstPlayerChosen) -> None:
    table.first_player = event.player


def _begun(session: Session, event: said.SessionStarted, told: Told) -> None:
    session.status, session.started_at = PLAYING, told.time


def _round(table: Table, event: said.RoundBegan) -> None:
    table.round, table.part, table.drawn = event.round, parts.TURNS, None


def _goal(table: Table, event: said.GoalCompleted) -> None:
    table.completed.append(event.goal)


def _killed(table: Table, event: said.SurvivorKilled) -> None:
    table.killed[event.survivor] = table.killed.get(event.survivor, 0) + 1


def _advanced(table: Table, event: said.PowerTokenAdvanced) -> None:
    table.position = event.to_space
    moved = event.to_space - event.from_space
    if event.reason == "survivor_killed":
        table.kills += 1
    elif event.reason == "activation_card":
        table.cards += 1
    else:
        table.others += moved


def _retreated(table: Table, event: said.PowerTokenRetreated) -> None:
    table.position = event.to_space


def _upgrade(table: Table, event: said.WorkshopUpgradeGained) -> None:
    table.counts["workshop_upgrades"] = table.counts.get("workshop_upgrades", 0) + 1


def _mutated(table: Table, event: said.MutationRevealed) -> None:
    table.mutated.append(event.survivor)


def _turned_down(table: Table, event: said.MutationTurnedDown) -> None:
    table.mutated.remove(event.survivor)


def _modified(table: Table, event: said.ModificationKept) -> None:
    table.modified.setdefault(event.survivor, {})[event.asset] = event.card


def _met(table: Table, event: said.VictoryConditionMet) -> None:
    table.met.append(event.condition)


def _card(table: Table, event: said.ActivationCardRevealed) -> None:
    table.drawn = Drawn(event.card, list(event.enemies), list(event.icons), event.enemies_on_map)
    table.part = parts.ENEMIES
    if event.card:
        table.discarded.append(event.card)


def _reshuffled(table: Table, event: said.ActivationDeckReshuffled) -> None:
    table.discarded = []


def _skipped(table: Table, event: said.ActivationSkipped) -> None:
    table.part = parts.FIRST_PLAYER


def _enemies(table: Table, event: said.EnemiesActivated) -> None:
    table.part = parts.OPPOSING


def _opposing(table: Table, event: said.OpposingFactionActivated) -> None:
    table.part = parts.FIRST_PLAYER


def _round_ended(table: Table, event: said.RoundEnded) -> None:
    table.rounds_ended, table.part = event.round, ""


def _nothing(table: Table, event: said.SessionEvent) -> None:
    """It is told, and moves nothing that others look at."""


def _ended(outcome: str) -> Callable[[Sessions, Any, Told], None]:
    def end(session: Session, event: Any, told: Told) -> None:
        cause = event.cause if isinstance(event, said.SessionWon | said.SessionLost) else event.reason
        session.status, session.table.part = ENDED, ""
        session.ended = Ended(outcome, type(event).__name__, told.position, told.time, cause)

    return _of_session(end)


def _reported(session: Session, event: said.SessionReported, told: Told) -> None:
    """What is reported anew before it binds takes the place of what was, and is agreed upon anew."""
    session.status, session.told, session.table.part = ENDED, event.told, ""
    session.ended = Ended(event.told.outcome, "SessionReported", told.position, told.time, "report")
    session.confirmed, session.host_agreed = [], False


def _confirmed(session: Session, event: said.SessionConfirmed, told: Told) -> None:
    if event.survivor:
        session.confirmed.append(event.survivor)
    session.host_agreed = session.host_agreed or event.host
    session.binds = session.binds or event.binds


def _corrected(session: Session, event: said.SessionCorrected, told: Told) -> None:
    session.told, session.binds, session.corrected = event.told, True, True


EVOLVE: Mapping[type, Callable[[Sessions, Any, Told], None]] = MappingProxyType(
    {
        said.SessionSetUpStarted: _set_up,
        said.LoyalFactionChosen: _at_table(_faction),
        said.PowerTokenPlaced: _at_table(_token),
        said.GoalsRevealed: _at_table(_goals),
        said.CampTokenPlaced: _at_table(_camp_placed),
        said.MutationsDealt: _at_table(_nothing),
        said.FirstPlayerChosen: _at_table(_first_player),
        said.SessionStarted: _of_session(_begun),
        said.RoundBegan: _at_table(_round),
        said.GoalCompleted: _at_table(_goal),
        said.SurvivorKilled: _at_table(_killed),
        said.PowerTokenAdvanced: _at_table(_advanced),
        said.PowerTokenRetreated: _at_table(_retreated),
        said.LoyalRewardResolved: _at_table(_nothing),
        said.OpposingRewardIgnored: _at_table(_nothing),
        said.WorkshopUpgradeGained: _at_table(_upgrade),
        said.CampTokenGained: _at_table(_camp_gained),
        said.MutationRevealed: _at_table(_mutated),
        said.MutationTurnedDown: _at_table(_turned_down),
        said.SurvivorTravelled: _at_table(_nothing),
        said.FightAssisted: _at_table(_nothing),
        said.ModificationKept: _at_table(_modified),
        said.VictoryConditionMet: _at_table(_met),
        said.ActivationCardRevealed: _at_table(_card),
        said.ActivationDeckReshuffled: _at_table(_reshuffled),
        said.ActivationSkipped: _at_table(_skipped),
        said.EnemiesActivated: _at_table(_enemies),
        said.OpposingFactionActivated: _at_table(_opposing),
        said.ActivationEffectResolved: _at_table(_nothing),
        said.RoundEnded: _at_table(_round_ended),
        said.SessionWon: _ended("victory"),
        said.SessionLost: _ended("defeat"),
        said.SessionLeftUnfinished: _ended("unfinished"),
        said.SessionAbandoned: _ended("abandoned"),
        said.SessionReported: _of_session(_reported),
        said.SessionConfirmed: _of_session(_confirmed),
        said.SessionCorrected: _of_session(_corrected),
        said.CoopRankingPublished: _published,
    }
)
"""Event -> what it changes."""
