"""Rounds of a campaign: the builder of decisions, closing, standings, the end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from services.scoring.guards import RoundNotClosed, RoundsRemain, RoundUnknown, round_of, running
from services.scoring.rounds import CloseRound, Conclude, conclusion, standings_pages
from services.scoring.taking_back import KnownDraws
from shared.campaign.dice import DiceSource, DieRolled, FreshDice, Questions, RollTold
from shared.campaign.league import (
    active_groups,
    current_groups,
    groups_to_enter,
    latest_round,
    seat_of,
    serving_staff,
    standing_rows,
    table_after,
    unfinished_groups,
)
from shared.campaign.outcomes import GroupEntered, GroupRatingFinalised, GroupRestored
from shared.campaign.post_game import open_after_bye
from shared.campaign.roster import Group, GroupBuilt
from shared.campaign.state import CAMPAIGN, rules_at, versions_at
from shared.campaign.steps import DecisionBuilder
from shared.formats.fold import EVOLVE, copy_of
from shared.log.event import Event, actor_json
from shared.refusals import Fault, Refusal, expects
from shared.rules.model import Draws
from shared.tournament import results
from shared.tournament.format import first_placed
from shared.tournament.guards import Context, recorded_actor, require_format
from shared.tournament.guards import require_running as running_entries
from shared.tournament.results import Result, ResultCorrected
from shared.tournament.state import Tournament


class Again(Struct, frozen=True):
    """The repeated decision of a statement.

    void: ids of rolls that do not count: its own and those of later statements. keeps_ids: its dice keep their ids.
    fresh: the new dice, if a ruling rejected some of its own. Without them, it rolls and draws nothing new.
    """

    void: Collection[str]
    keeps_ids: bool
    fresh: FreshDice | None = None


class RoundDecision(DecisionBuilder):
    """The events of a decision in the current round of a campaign, and the resulting groups.

    It starts with due events: newly built groups enter scoring's log, and groups with a bye open their post-game phase.
    result: events about a result that follow them and precede all others.
    again: the statement that is decided again. It draws nothing new.
    """

    again: Again | None = None

    def __init__(self, state: Tournament, context: Context, cause: str, result: Sequence[Event] = ()) -> None:
        running_entries(state)
        round = latest_round(state)
        if not round:
            raise RoundUnknown("No round of this campaign is paired.", round=1)
        super().__init__(*current_groups(state).values(), round=round, cause=cause)
        self.state, self.context = state, context
        self.rules = rules_at(state.entries, round)
        self.playing = active_groups(state)
        self._record_due()
        self._due_count, self._result = len(self.events), result

    @property
    def draws(self) -> Draws:
        """The draws of this decision."""
        if self.again is None or self.again.fresh is not None:
            return self.context.draws
        return KnownDraws(self.state.draws[self.context.source].answers)

    @property
    def all_events(self) -> list[Event]:
        """All events so far."""
        return [*self.events[: self._due_count], *self._result, *self.events[self._due_count :]]

    def find_group(self, id: str) -> Group:
        """Return a group of this campaign. Raises GroupUnknown."""
        if id not in self.groups:
            fault = Fault("/group", id, expects("player-of-tournament"))
            raise GroupUnknown(f"This campaign has no group {id}.", [fault])
        return self.groups[id]

    def dice_source(
        self, present: Collection[str], rolls: Sequence[RollTold] = (), *, roller: str = "", drawn: bool = False
    ) -> DiceSource:
        """Return the dice of this decision; see `DiceSource`. Use a single one for all rolls of a decision."""
        made = sum(isinstance(event, DieRolled) for event in self.events)
        campaign = CAMPAIGN.of(self.state)
        fresh = self.again.fresh if self.again else None
        if fresh is not None:  # known questions keep their dice, whatever the command says
            rolls, drawn = (), True
        restores = any(isinstance(event, GroupRestored) for event in self.events)
        dice = CAMPAIGN.of(self.state_after()).dice if restores else campaign.dice
        return DiceSource(
            "s",
            campaign.rolled + made,
            Questions(
                self.draws,
                self.game_of,
                dice,
                campaign.rejected_dice(),
                self.again.void if self.again else (),
            ),
            present,
            rolls,
            roller=roller,
            drawn=drawn,
            versions=versions_at(self.state.entries, self.round),
            known_only=self.again is not None,
            keeps_ids=self.again is not None and self.again.keeps_ids,
            fresh=fresh,
        )

    def game_of(self, group: str) -> str:
        """Return the id of a group's game in this round, or `round N`. Dice are rolled for it."""
        seat = seat_of(self.state, group)
        return seat.game if seat is not None else f"round {self.round}"

    def people_at(self, group: str) -> set[str]:
        """Return the people who may roll and witness dice of a group: the players of its game and the staff.

        After a bye, all players. Source: FS-AUD-1.
        """
        seats = self.state.rounds.rounds[self.round].seats.values()
        seat = next((seat for seat in seats if group in seat.players), None)
        met = set(seat.players) if seat is not None and seat.kind != "bye" else set(self.playing)
        return met | serving_staff(self.state)

    def state_after(self) -> Tournament:
        """Return the state after all events so far."""
        return after_events(self.state, self.all_events, self.context)

    def finish(self, *, settled: bool = False) -> list[Event]:
        """Return all events. Adds standings and the end of the round if no group is unfinished (FS-RND-1).

        settled: a result now binds, so the round may be over.
        """
        if settled or any(isinstance(event, GroupRatingFinalised) for event in self.events):
            after = self.state_after()
            if not unfinished_groups(after, self.round):
                return [*self.all_events, *round_closed(after, self.round)]
        return self.all_events

    def _record_due(self) -> None:
        self.cause, cause = "entry", self.cause
        for id, built in groups_to_enter(self.state).items():
            self.groups[id] = Group(id, built.force)
            self.record(GroupEntered(GroupBuilt.of(built)), group=id)
        self.cause = "bye"
        for id in byes_due(self.state, self.round):
            if id in self.playing:
                self.record(*open_after_bye(self.rules, self.groups[id], self.round), group=id)
        self.cause = cause


def byes_due(state: Tournament, round: int) -> list[str]:
    """Return the groups with a bye in this round whose post-game phase is not open yet (FS-AMB-55).

    Empty for a closed round: groups that join later have no part in it.
    """
    if round in state.results.closed:
        return []
    resting = [seat.player_1 for seat in state.rounds.rounds[round].seats.values() if seat.kind == "bye"]
    over = CAMPAIGN.of(state).ratings.get(round, {})
    groups = current_groups(state)
    return [id for id in resting if id in groups and id not in over and groups[id].phase is None]


def round_closed(state: Tournament, round: int) -> list[Event]:
    """Return the standings of a round and its end; empty if it is already closed (FS-LGE-2)."""
    if round in state.results.closed:
        return []
    pages = standings_pages(standing_rows(table_after(state, round)), round)
    return [*pages, results.RoundClosed(round=round, games=len(state.rounds.rounds[round].seats))]


class _Position(Struct, frozen=True):
    """The row of an event that is not appended yet, for folding. Its command has no record yet."""

    position: int
    time: str
    actor: str
    command_id: str = ""
    command: str = ""


def after_events(state: Tournament, events: Iterable[Event], context: Context) -> Tournament:
    """Return a copy of the state with these events of scoring folded in."""
    return take_events(copy_of(state), events, context)


def take_events(state: Tournament, events: Iterable[Event], context: Context) -> Tournament:
    """Fold these events of scoring into a state that belongs to the caller. Return the same state."""
    start, actor = context.heads[context.source].position, actor_json(recorded_actor(state, context.by))
    for number, event in enumerate(events, 1):
        reach, change = EVOLVE["scoring"][type(event)]
        change(reach(state), event, _Position(start + number, context.now, actor))
    return state


def close(state: Tournament, command: CloseRound, context: Context) -> Sequence[Event]:
    """Decide CloseRound, needed after a withdrawal; otherwise rounds close automatically (FS-RND-1).

    Raises RoundUnknown, and GroupsWaiting with the groups that have an open step or no binding result.
    """
    if command.venue:
        require_format(state, ("swiss",))
    round = round_of(running(state), command.round)
    if round.number in state.results.closed:
        return []
    builder = RoundDecision(state, context, "close")
    after = builder.state_after()
    unfinished = unfinished_groups(after, round.number)
    if unfinished:
        raise GroupsWaiting(
            f"Round {round.number} is not over; groups that are not done: {len(unfinished)}.",
            groups=unfinished,
            clause="FS-RND-1",
        )
    return [*builder.all_events, *round_closed(after, round.number)]


def record_again(state: Tournament, corrected: ResultCorrected, context: Context) -> list[Event]:
    """Return the standings of all closed rounds from the corrected one on, and the new winner if it changes."""
    closed = [number for number in sorted(state.results.closed) if number >= corrected.round]
    if not closed:
        return []
    results = {
        **state.results.results,
        corrected.game: Result(corrected.round, corrected.game, corrected.facts, "corrected"),
    }
    after = replace(state, results=replace(state.results, results=results))
    rows = {number: standing_rows(table_after(after, number)) for number in closed}
    events = [event for number in closed for event in standings_pages(rows[number], number)]
    if state.results.concluded:
        first = first_placed(rows[closed[-1]])
        if state.results.winner not in (first or [""]):
            events.append(conclusion(first, closed[-1], context.draws, state.results.early_reason))
    return events


def recorded_again(after: Tournament, round: int) -> list[Event]:
    """Return the standings of closed rounds from this one on that differ from the recorded ones. after: the state."""
    rows = {
        number: standing_rows(table_after(after, number)) for number in sorted(after.results.closed) if number >= round
    }
    changed = [number for number in rows if after.results.recorded[number].rows != rows[number]]
    return [event for number in changed for event in standings_pages(rows[number], number)]


def conclude(state: Tournament, command: Conclude, context: Context) -> Sequence[Event]:
    """Decide Conclude: after `fs.campaign.rounds` rounds, or earlier with a reason (FS-LGE-3, FS-AMB-59).

    Raises RoundNotClosed, RoundsRemain.
    """
    if state.results.concluded:
        return []
    running(state)
    latest = state.rounds.latest()
    if latest is None or latest.number not in state.results.closed:
        number = latest.number if latest else 1
        raise RoundNotClosed(f"Round {number} is not closed.", round=number)
    planned = rules_at(state.entries, latest.number).options.rounds
    early = latest.number < planned
    if early and not command.reason:
        raise RoundsRemain(
            f"{latest.number} of {planned} rounds are closed; say in `reason` why it ends here.",
            planned=planned,
            closed=latest.number,
        )
    rows = standing_rows(table_after(state, latest.number))
    is_current = state.results.recorded[latest.number].rows == rows
    pages = [] if is_current else standings_pages(rows, latest.number)
    return [*pages, conclusion(first_placed(rows), latest.number, context.draws, command.reason if early else "")]


class GroupsWaiting(Refusal):
    """Groups have an open post-game phase or a game without a result; data: `groups`."""

    code = "groups-waiting"


class GroupUnknown(Refusal):
    """The campaign has no group with this id."""

    code = "group-unknown"
