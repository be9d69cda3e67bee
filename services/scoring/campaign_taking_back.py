"""Taking back what was said in a running post-game phase (FS-REP-5).

The player who made the last statement of a group takes it back, unless a die fell for it. Staff take back any statement
of the phase. Every later statement of the group is decided again, in order. None of them rolls a new die.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from services.scoring.campaign_choice_lists import ChooseSeveral, make_choices
from services.scoring.campaign_phase import Choose, CloseStep, close_open_step, make_choice, require_own_group
from services.scoring.campaign_rounds import Again, RoundDecision, take_events
from services.scoring.campaign_rulings import EnterLedger, enter_entries
from services.scoring.guards import StaffOnly
from services.scoring.taking_back import known_statement, require_none_falls, require_reason
from shared.campaign.dice import FreshDice, RollTold
from shared.campaign.evolve import evolve
from shared.campaign.ledger import member_of
from shared.campaign.outcomes import MemberJoined, StepClosed
from shared.campaign.post_game_outcomes import CapsMoved, FoodMoved
from shared.campaign.roster import Group, Recruit, RecruitPool
from shared.campaign.state import BY_NAME, CAMPAIGN
from shared.campaign.statements import (
    RunningPhase,
    StatementDecidedAgain,
    StatementTakenBack,
    group_after,
    has_dice,
    is_players_own,
    rolls_of,
    running_from,
)
from shared.campaign.steps import STEPS, order_of
from shared.campaign.tables import Rules
from shared.campaign.words import CampaignEvent, DiceRefused, StepRefused
from shared.formats.fold import copy_of
from shared.log.event import LARGEST_NUMBER, Event
from shared.refusals import Fault, Refusal, expects
from shared.shapes import Command, Id, OptionalReason, Whole
from shared.tournament.guards import By, Context
from shared.tournament.state import Tournament
from shared.tournament.statements import Statement, decode_outcomes, outcomes_of

_CLAUSE = "FS-REP-5"


class TakeBack(Command, frozen=True, kw_only=True):
    """Take back a statement of a group's running post-game phase.

    statement: its number, as listed by `GET …/groups/{group}/statements`. reason: public; staff must give one.
    drop: also undo the later statements that no longer hold. Without it, they are listed and nothing is taken back.
    """

    group: Id
    statement: Annotated[int, Whole(1, LARGEST_NUMBER)]
    reason: OptionalReason = ""
    drop: bool = False


def take_back(state: Tournament, command: TakeBack, context: Context) -> Sequence[Event]:
    """Decide TakeBack.

    Raises GroupUnknown, NotYourGroup, StepRefused (no phase is open), StatementUnknown, StaffOnly, ReasonNeeded,
    OthersRelyOnIt, and StatementsFall with the later statements that no longer hold.
    """
    builder = RoundDecision(state, context, "take_back")
    require_own_group(context.by, command.group)
    builder.find_group(command.group)
    running = CAMPAIGN.of(state).phases.get(command.group)
    if running is None:
        fault = Fault("/group", command.group, expects("group-in-phase"), _CLAUSE)
        raise StepRefused("The phase is over; enter a correction in the ledger.", [fault])
    statement = known_statement(running, command.statement)
    _require_may_take_back(state, command, context.by, running, statement)
    Repetition(builder, command.group, running, command.statement, command.reason, drop=command.drop).run()
    return builder.finish()


def _require_may_take_back(
    state: Tournament, command: TakeBack, by: By, running: RunningPhase, statement: Statement
) -> None:
    """Raise StaffOnly or ReasonNeeded unless the caller may take this statement back."""
    if not by.staff:
        if is_players_own(running, statement, by.player):
            return
        if statement.by.player != by.player:
            detail = "Staff made this statement for you; staff take it back."
        elif has_dice(statement):
            detail = "A die has fallen for this; staff take it back, with a reason."
        else:
            detail = "Only the last statement is yours to take back; staff take back earlier ones."
        raise StaffOnly(detail)
    member = state.entries.staff.get(by.actor)
    if member is not None and member.player == command.group and has_dice(statement):
        raise StaffOnly("A die has fallen for your own group; other staff take this back.")
    require_reason(command.reason)


Decided = list[tuple[Statement, list[CampaignEvent] | None]]
"""The later statements that hold, each with its new events; None: its recorded events stand."""


class Repetition:
    """The group after a statement is taken back, with every later statement decided again.

    builder: gets the events. The decisions are made on a copy of the state, into which each event is folded.
    statement: position of the first statement that does not stay as it is. reason: public.
    drop: also undo the later statements that no longer hold.
    ruled: positions of the statements whose dice a ruling rejected. They are not undone: they ask again (FS-AUD-1).
    fresh: dice rolled anew for them at the table; the service rolls all others.
    """

    def __init__(
        self,
        builder: RoundDecision,
        group: str,
        running: RunningPhase,
        statement: int,
        reason: str,
        *,
        drop: bool,
        ruled: Collection[int] = (),
        fresh: Sequence[RollTold] = (),
    ) -> None:
        self.builder, self.running, self.id, self.reason, self.drop = builder, running, group, reason.strip(), drop
        self.context, self.ruled, self.fresh = builder.context, ruled, FreshDice(fresh)
        self.before = builder.groups[group]
        place = running.place_of(statement)
        assert place is not None, "the statement is known"
        self.kept, self.undone = running.statements[:place], running.statements[place]
        self.past = running.statements[: place if ruled else place + 1]
        self.later = running.statements[len(self.past) :]
        self.after = copy_of(builder.state)
        self._void = rolls_of(self.later)

    def run(self) -> None:
        """Record the events. Raises StatementsFall, OthersRelyOnIt."""
        if self.undone.does == "end_turn" and not self.ruled:
            self._require_next_turn_not_begun()
        self._fold([*self.builder.all_events, self._taken_back([self.undone], ()), *self._opened_again()])
        decided, fallen = self._decide_later()
        if not self.drop:
            require_none_falls(fallen)
        self._require_no_one_relies()
        changed = {statement.position for statement, events in decided if events is not None}
        gone = {*fallen, *changed, *(() if self.ruled else (self.undone.position,))}
        lost = [one for one in running_from(self.running, self.undone) if one.position in gone]
        self.builder.events += [self._taken_back(lost, sorted(fallen)), *self._opened_again()]
        for statement, events in decided:
            self.builder.events += [self._marker(statement, stands=events is None), *(events or [])]
        self.builder.groups[self.id] = CAMPAIGN.of(self.after).groups[self.id]
        self._take_from_others(lost)

    def _fold(self, events: Iterable[Event]) -> None:
        take_events(self.after, events, self.context)

    @property
    def _group(self) -> Group:
        """The group after the events so far."""
        return CAMPAIGN.of(self.after).groups[self.id]

    def _taken_back(self, lost: Sequence[Statement], fallen: Sequence[int]) -> StatementTakenBack:
        """Return the event. lost: the statements whose events no longer count."""
        outcomes = list(outcomes_of(lost, BY_NAME))
        food: Counter[str] = Counter()
        for outcome in outcomes:
            if isinstance(outcome, FoodMoved):
                food[outcome.food] -= outcome.amount
        event = StatementTakenBack(
            self.undone.position,
            self.undone.does,
            self.reason,
            tuple(fallen),
            -sum(outcome.amount for outcome in outcomes if isinstance(outcome, CapsMoved)),
            food["clean"],
            food["radiated"],
            tuple(sorted({id for outcome in outcomes if (id := member_of(outcome))})),
            bool(self.ruled),
        )
        return event.about(self.id, self.builder.round, "take_back")

    def _marker(self, statement: Statement, *, stands: bool) -> StatementDecidedAgain:
        return StatementDecidedAgain(statement.position, stands).about(self.id, self.builder.round, "take_back")

    def _decide_later(self) -> tuple[Decided, dict[int, Refusal]]:
        """Return the later statements that hold, and the refusals of those that fall, by their positions."""
        decided: Decided = []
        fallen: dict[int, Refusal] = {}
        given = group_after(self.running, self.past, BY_NAME)
        for statement in self.later:
            first, given = given.serial, evolve(given, outcomes_of([statement], BY_NAME))
            try:
                events = self._decide_again(statement, first, given.serial)
            except Refusal as refused:
                if not statement.command:
                    detail = "What others decided for the group rests on this."
                    raise OthersRelyOnIt(detail, refused.faults or [self._fault("statement-others-rest-on")]) from None
                if statement.position in self.ruled and isinstance(refused, DiceRefused):
                    raise
                fallen[statement.position] = refused
                continue
            self._fold([self._marker(statement, stands=events is None), *(events or [])])
            self._void -= rolls_of([statement])
            decided.append((statement, events))
        return decided, fallen

    def _decide_again(self, statement: Statement, first: int, last: int) -> list[CampaignEvent] | None:
        """Return the new events of a statement; None if its recorded events stand.

        first, last: the last numbers that the group had given before and after it.
        """
        recorded = list(decode_outcomes(statement.outcomes, BY_NAME))
        if not statement.command or statement.does == "end_turn":
            self._require_step(recorded)
            evolve(self._group, recorded)
            return None
        given = list(decode_outcomes(statement.given, BY_NAME))
        if statement.position not in self.ruled:
            events = self._attempt(statement, first, keeps_ids=True)
            own = [event for event in events if event.group == self.id]
            if (own, [event for event in events if event.group != self.id]) == (recorded, given):
                return None
        events = self._attempt(statement, first, keeps_ids=False)
        own = [event for event in events if event.group == self.id]
        if evolve(replace(self._group, serial=first), own).serial > last:  # its ids would be those of later things
            return self._attempt(statement, max(self.before.serial, self._group.serial), keeps_ids=False)
        return events

    def _attempt(self, statement: Statement, serial: int, *, keeps_ids: bool) -> list[CampaignEvent]:
        """Return the events of a statement, decided on the state so far. Raises its refusals.

        serial: the last number that the group has given. keeps_ids: its dice keep their ids.
        """
        record, campaign = statement.record, CAMPAIGN.of(self.after)
        kind, decide = DECISIONS[record.type]
        command = msgspec.convert(record.data, kind)
        pool = campaign.pool
        if statement.does == "hire":
            campaign.pool = self._pool_of(statement)
        try:
            builder = RoundDecision(
                self.after, replace(self.context, by=statement.by), CAUSES.get(record.type, statement.does)
            )
            fresh = self.fresh if statement.position in self.ruled else None
            if fresh is not None:
                fresh.rewind(statement.position)
            builder.again = Again(self._void, keeps_ids, fresh)
            builder.groups[self.id] = replace(builder.groups[self.id], serial=serial)
            return [event for event in decide(builder, command) if isinstance(event, CampaignEvent)]
        finally:
            campaign.pool = pool

    def _pool_of(self, statement: Statement) -> RecruitPool:
        """Return the pool of a hire that was made: its recruit, and the turn of the group."""
        joined = next(one for one in decode_outcomes(statement.outcomes, BY_NAME) if isinstance(one, MemberJoined))
        recruit = Recruit(str(statement.record.data["of"]["recruit"]), joined.member.rank, joined.roll)
        made = outcomes_of(CAMPAIGN.of(self.after).phases[self.id].statements, BY_NAME)
        hired = sum(isinstance(one, MemberJoined) and one.reason == "recruit" for one in made)
        return RecruitPool((recruit,), (self.id,), hired)

    def _require_step(self, outcomes: Iterable[CampaignEvent]) -> None:
        """Raise StepRefused if events close another step than the one that is open."""
        step = self._group.phase.step if self._group.phase else ""
        for outcome in outcomes:
            if isinstance(outcome, StepClosed) and outcome.step != step:
                fault = Fault("/step", step or "nothing", STEPS[outcome.step], "FS-PGP-1")
                raise StepRefused(f"step {step} is open", [fault], open=step)

    def _require_next_turn_not_begun(self) -> None:
        """Raise OthersRelyOnIt unless the group's turn was the last that ended, and nobody has gone on since."""
        pool = CAMPAIGN.of(self.builder.state).pool
        if pool is None:
            has_gone_on = any(self._phases[id].statements[-1].position != self.undone.position for id in self._others)
        else:
            has_gone_on = pool.passed[-1:] != (self.id,) or pool.hired > 0
        if has_gone_on:
            detail = "Others have gone on since the turn of the group."
            raise OthersRelyOnIt(detail, [self._fault("turn-before-next")])

    @property
    def _phases(self) -> Mapping[str, RunningPhase]:
        return CAMPAIGN.of(self.builder.state).phases

    @property
    def _others(self) -> list[str]:
        """The other groups whose step 4 was closed with the last turn, which is taken back."""
        if self.undone.does != "end_turn":
            return []
        position = self.undone.position
        return [id for id, phase in self._phases.items() if id != self.id and phase.place_of(position) is not None]

    def _opened_again(self) -> list[CampaignEvent]:
        """Return the events that open step 4 again for the other groups."""
        event = StatementTakenBack(self.undone.position, self.undone.does, self.reason)
        return [event.about(id, self.builder.round, "take_back") for id in self._others]

    def _require_no_one_relies(self) -> None:
        """Raise OthersRelyOnIt if recruits, or the experience of a rival, rest on what no longer holds."""
        rules, campaign = self.builder.rules, CAMPAIGN.of(self.builder.state)
        order, old, new = order_of(rules), self.before.phase, self._group.phase
        assert old is not None, "the phase is running"
        assert new is not None, "the phase is running"
        has_recruits = campaign.pool is not None or order.index(old.step) > order.index("4")
        if has_recruits and order.index(new.step) < order.index("4"):
            fault = replace(self._fault("step-3-closed-for-recruits"), said=new.step)
            raise OthersRelyOnIt("The recruits of all groups rest on this group's step 3.", [fault])
        settled = order.index("1")
        unsettled = order.index(new.step) <= settled < order.index(old.step)
        if campaign.died.get(self.id, []) == CAMPAIGN.of(self.after).died.get(self.id, []) and not unsettled:
            return
        for rival in old.played.rivals:
            if _has_used_deaths(rules, self.builder.groups[rival]):
                fault = replace(self._fault("rival-before-deaths"), said=rival)
                raise OthersRelyOnIt(f"What {rival} got rests on who is dead.", [fault])

    def _take_from_others(self, lost: Sequence[Statement]) -> None:
        """Take back what other groups got by the statements that no longer count. Raises OthersRelyOnIt."""
        for outcome in decode_outcomes((given for statement in lost for given in statement.given), BY_NAME):
            if isinstance(outcome, StepClosed) and self.undone.does == "end_turn":
                continue  # opened again already
            if not isinstance(outcome, CapsMoved):
                raise OthersRelyOnIt("Another group was changed by this.", [self._fault("statement-others-rest-on")])
            if self.builder.groups[outcome.group].caps < outcome.amount:
                fault = replace(self._fault("caps-not-spent"), said=outcome.group)
                raise OthersRelyOnIt(f"{outcome.group} has spent the caps that it got by this.", [fault])
            taken = CapsMoved(-outcome.amount, outcome.reason, _CLAUSE, outcome.roll)
            self.builder.record(taken, group=outcome.group)

    def _fault(self, code: str) -> Fault:
        return Fault("/statement", f"{self.undone.position}", expects(code), _CLAUSE)


def _has_used_deaths(rules: Rules, rival: Group) -> bool:
    """Return True if a rival got something for members of its opponents who died (FS-XP-1, FS-SPC-2)."""
    phase, on_table = rival.phase, "dead_on_injury_table"
    counts_kills = rules.options.kill == on_table and (phase is None or phase.awarded)
    eats = bool(rules.forces[rival.force].special.flesh_eaters) and rules.options.flesh_eaters_need == on_table
    return counts_kills or (eats and (phase is None or phase.feasted))


DECISIONS: Mapping[str, tuple[type[Any], Callable[[RoundDecision, Any], list[Event]]]] = {
    "Choose": (Choose, make_choice),
    "ChooseSeveral": (ChooseSeveral, make_choices),
    "CloseStep": (CloseStep, close_open_step),
    "EnterLedger": (EnterLedger, enter_entries),
}
"""Recorded type of a statement -> its command and its decision."""

CAUSES = {"CloseStep": "close_step", "EnterLedger": "ruling"}
"""Recorded type of a statement -> the cause of its events. The cause of a choice is what it does."""


class OthersRelyOnIt(Refusal):
    """Other groups rely on the effects of the statement."""

    code = "others-rely-on-it"
