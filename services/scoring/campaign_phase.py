"""The post-game phase: choices of a group, closing of steps, recruits. FS-PGP-1 to FS-PGP-7.

In commands, `group` is the acting group, and `roll` a roll at the table. Without it, the service rolls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

from msgspec.structs import replace

from services.scoring.campaign_rounds import GroupUnknown, RoundDecision
from services.scoring.guards import StaffOnly
from shared.campaign import recruits
from shared.campaign.choices import close_for_absent, decide, faults_of_closing, left_open, require_word
from shared.campaign.dice import DiceSource, RollPurpose, RollTold, SampleDice
from shared.campaign.experience import injury_deaths
from shared.campaign.injuries import jail_bounties
from shared.campaign.league import serving_staff, unfinished_groups
from shared.campaign.outcomes import StepClosed
from shared.campaign.post_game import close_step
from shared.campaign.post_game_outcomes import RecruitTurnPassed
from shared.campaign.roster import Group
from shared.campaign.state import CAMPAIGN
from shared.campaign.steps import STEPS, DecisionContext, Rival, order_of
from shared.campaign.tables import Rules
from shared.campaign.words import CampaignEvent, DiceRefused, Events, StepRefused
from shared.log.event import Event
from shared.refusals import Expected, Fault, Refusal, expects
from shared.roles import ORGANISER_UP
from shared.shapes import Check, Command, Id, Open, OptionalReason, Size
from shared.tournament.guards import By, Context
from shared.tournament.rounds import expected_moment, to_utc
from shared.tournament.state import Tournament

MAX_ROLLS = 10
"""Rolls in one choice."""

MAX_GROUPS = 5000
"""Groups in one campaign."""


class Choose(Command, frozen=True, kw_only=True):
    """Make a choice of the open step, as listed by `GET …/groups/{group}/post-game`.

    rolls: in the listed order. service: the service rolls all dice that are not given. leave: give up what the choice
    is listed to leave.
    """

    group: Id
    does: Annotated[Id, "The name of the choice, such as `scavenge` or `take_offer`."]
    of: Annotated[
        dict[str, Any], Open("of"), "The `of` of the listed choice, with further members if the choice takes them."
    ] = {}
    rolls: Annotated[list[RollTold], Size(MAX_ROLLS)] = []
    service: bool = False
    leave: bool = False


class CloseStep(Command, frozen=True, kw_only=True):
    """Close the open step of a group.

    leave: give up what is listed in `left_open`. absent: closed by staff for an absent player, with a `reason` and the
    time that the league `announced` for it, which must be past. Only mandatory rolls are made then.
    """

    group: Id
    step: Id
    leave: bool = False
    absent: bool = False
    reason: OptionalReason = ""
    announced: Annotated[str, Size(40), Check(expected_moment), "Left out: the player is not absent."] | None = None

    @staticmethod
    def wrong(said: Mapping[str, Any]) -> Mapping[str, Expected]:
        """An absent player needs a reason and a time. No one else does."""
        if said.get("absent"):
            needed = {"reason": expects("reason"), "announced": expects("moment")}
            return {name: expected for name, expected in needed.items() if not (said.get(name) or "").strip()}
        return {name: expects("only-for-absent") for name in ("reason", "announced") if said.get(name)}


class RollOfGroup(RollTold, frozen=True, kw_only=True):
    """The roll of one group."""

    group: Id


class OpenRecruits(Command, frozen=True, kw_only=True):
    """Open the pool of recruits. rolls: of some groups; the service rolls for all others."""

    rolls: Annotated[list[RollOfGroup], Size(MAX_GROUPS)] = []


def choose(state: Tournament, command: Choose, context: Context) -> Sequence[Event]:
    """Decide Choose. In step 4, groups act in turn. Raises NotYourGroup and the refusals of the choice."""
    return make_choice(RoundDecision(state, context, command.does), command)


def make_choice(builder: RoundDecision, command: Choose) -> list[Event]:
    """Return the events of a choice. Raises the refusals of `choose`."""
    context = builder.context
    require_own_group(context.by, command.group)
    builder.find_group(command.group)
    if command.does == "move_item":
        _require_settled_game(builder.state, builder.round, command.group)
    present = builder.people_at(command.group)
    dice_source = builder.dice_source(present, command.rolls, roller=command.group, drawn=command.service)
    decision = decision_context(builder, command.group, dice_source)
    organiser = context.by.role in ORGANISER_UP
    try:
        outcomes = decide(decision, command.does, command.of, organiser=organiser, leave=command.leave)
    except DiceRefused:
        # Dice are checked first, but other faults of the choice are more helpful.
        _refuse_other_faults(builder, command, organiser)
        raise
    builder.record(*outcomes, group=command.group)
    return builder.finish()


def close(state: Tournament, command: CloseStep, context: Context) -> Sequence[Event]:
    """Decide CloseStep. Raises NotYourGroup, StaffOnly, TooEarly, StepRefused, ChoiceRefused, LeavesOpen.

    What was won and not used is never lost without a word (`leave`). An absent player's step is closed only after the
    time that the league announced. Source: FS-PGP-1, FS-PGP-5.
    """
    return close_open_step(RoundDecision(state, context, "close_step"), command)


def close_open_step(builder: RoundDecision, command: CloseStep) -> list[Event]:
    """Return the events that close a step. Raises the refusals of `close`."""
    context = builder.context
    require_own_group(context.by, command.group)
    group = builder.find_group(command.group)
    if command.absent and not context.by.staff:
        raise StaffOnly("Only staff can close a step for a player who is away.")
    phase = group.phase
    if phase is None or phase.step != command.step:
        detail = f"step {phase.step} is open" if phase else "no post-game phase is open"
        expected = STEPS[phase.step] if phase else expects("no-open-step")
        raise StepRefused(detail, [Fault("/step", command.step, expected, "FS-PGP-1")])
    announced = to_utc(command.announced or "")
    if announced > context.now:
        fault = Fault("/announced", announced, expects("time-not-after", time=context.now), "FS-PGP-5")
        raise TooEarly("The time that the league announced has not come.", [fault], now=context.now)
    dice_source = builder.dice_source(())
    decision = decision_context(builder, command.group, dice_source)
    if not command.leave and (command.absent or not faults_of_closing(builder.rules, group)):
        require_word([left for left in left_open(decision) if left.won or not command.absent])
    if command.absent and phase.step == "4":
        events = decide(decision, "end_turn", {})
        builder.record(*_said_why(events, command.reason, announced), group=command.group)
    elif command.absent:
        builder.cause = "close_for_absent"
        deaths = injury_deaths(decision, builder.rules.options.kill) if phase.step == "2" else ()
        outcomes = close_for_absent(builder.rules, group, dice_source, deaths)
        closed = _said_why(outcomes, command.reason, announced)
        builder.record(*closed, *jail_bounties(decision, outcomes), group=command.group)
    else:
        builder.record(*close_step(builder.rules, group, phase.step, builder.draws), group=command.group)
    return builder.finish()


def _said_why(events: Events, reason: str, announced: str) -> Iterator[CampaignEvent]:
    """Yield the events, with the reason and the announced time on the end of the step or turn (FS-PGP-5)."""
    for event in events:
        if isinstance(event, StepClosed | RecruitTurnPassed) and not event.group:
            yield replace(event, reason=reason.strip(), announced=announced)
        else:
            yield event


def open_recruits(state: Tournament, command: OpenRecruits, context: Context) -> Sequence[Event]:
    """Decide OpenRecruits: one roll for each group, after all groups have closed step 3.

    Raises StepRefused with the groups that have not, GroupUnknown, DiceRefused. Source: FS-REC-1, FS-PGP-2.
    """
    builder = RoundDecision(state, context, "open_recruits")
    if CAMPAIGN.of(state).pool is not None:
        raise StepRefused("recruits are open", [Fault("/step", "open", expects("once-in-round"), "FS-REC-1")])
    if unplayed := faults_of_unplayed(builder.groups, unfinished_groups(state, builder.round)):
        raise StepRefused("not every group has closed step 3", unplayed)
    rolls_by_group = _rolls_by_group(builder, command.rolls)
    groups = {id: builder.groups[id] for id in builder.playing if builder.groups[id].phase is not None}
    _require_step_4(groups)
    dice_source = builder.dice_source({*builder.playing, *serving_staff(state)})
    rolls = {
        id: dice_source.throw(
            rolls_by_group[id][1],
            "1D12",
            RollPurpose(id, "FS-REC-1"),
            where=f"/rolls/{rolls_by_group[id][0]}",
            roller=id,
        )
        if id in rolls_by_group
        else dice_source.drawn_by_service("1D12", RollPurpose(id, "FS-REC-1"))
        for id in sorted(groups)
    }
    outcomes, _ = recruits.open_recruits(builder.rules, groups, rolls, context.draws, builder.round)
    builder.record(*outcomes, group="")
    return builder.finish()


def _rolls_by_group(builder: RoundDecision, rolls: Sequence[RollOfGroup]) -> dict[str, tuple[int, RollOfGroup]]:
    """Return group -> (index, roll). Raises GroupUnknown for groups that do not play or have two rolls."""
    faults, rolls_by_group = [], {}
    for place, roll in enumerate(rolls):
        if roll.group not in builder.playing or roll.group in rolls_by_group:
            expected = expects("groups-each-once", groups=list(builder.playing))
            faults.append(Fault(f"/rolls/{place}/group", roll.group, expected, "FS-REC-1"))
        rolls_by_group[roll.group] = (place, roll)
    if faults:
        raise GroupUnknown("There is a die for a group that rolls none.", faults)
    return rolls_by_group


def faults_of_unplayed(groups: Mapping[str, Group], unfinished: Sequence[str]) -> list[Fault]:
    """Return a fault for each unfinished group whose game has no binding result (FS-PGP-2)."""
    return [
        Fault(f"/groups/{id}", "nothing", expects("group-past-step-3"), "FS-PGP-2")
        for id in unfinished
        if groups[id].phase is None
    ]


def _require_step_4(groups: Mapping[str, Group]) -> None:
    """Raise StepRefused unless step 4 is open for all groups (FS-PGP-2)."""
    blocked = recruits.faults_of_opening(groups)
    if blocked or not groups:
        no_group = [Fault("/groups", "nothing", expects("step-of-every-group", step="4"), "FS-PGP-2")]
        raise StepRefused("not every group has closed step 3", blocked or no_group)


def require_own_group(by: By, group: str) -> None:
    """Raise NotYourGroup for a player of another group."""
    if not by.staff and by.player != group:
        raise NotYourGroup(f"{group} is another player's group.")


def decision_context(builder: RoundDecision, group: str, dice_source: DiceSource) -> DecisionContext:
    """Return the context in which a choice of a group is decided."""
    return DecisionContext(
        builder.rules,
        builder.groups[group],
        dice_source,
        builder.draws,
        rivals_of(builder.state, builder.rules, builder.groups, group),
        CAMPAIGN.of(builder.state).pool,
        builder.groups,
    )


def rivals_of(state: Tournament, rules: Rules, groups: Mapping[str, Group], group: str) -> tuple[Rival, ...]:
    """Return the rival groups of a group's last game; empty after a bye."""
    phase, order = groups[group].phase, order_of(rules)
    rivals = []
    for rival in (groups[id] for id in (phase.played.rivals if phase else ())):
        settled = rival.phase is None or order.index(rival.phase.step) > order.index("1")
        rivals.append(Rival(rival, tuple(CAMPAIGN.of(state).died.get(rival.id, ())), settled))
    return tuple(rivals)


def _require_settled_game(state: Tournament, round: int, group: str) -> None:
    """Raise StepRefused while a report of the group's game waits: it depends on what members carried."""
    for seat in state.rounds.rounds[round].seats.values():
        result = state.results.results.get(seat.game)
        if group in seat.players and result is not None and not result.binds:
            fault = Fault("/step", result.status, expects("binding-result", game=seat.game), "FS-PGP-7")
            raise StepRefused("items can move between games, but not while a report is waiting", [fault])


def _refuse_other_faults(builder: RoundDecision, command: Choose, organiser: bool) -> None:
    """Refuse a choice that would be refused whatever its dice show."""
    with suppress(DiceRefused):
        decide(decision_context(builder, command.group, SampleDice()), command.does, command.of, organiser=organiser)


class TooEarly(Refusal):
    """The announced time has not come; data: `now`."""

    code = "too-early"


class NotYourGroup(Refusal):
    """Players decide only for their own group."""

    code = "not-your-group"
