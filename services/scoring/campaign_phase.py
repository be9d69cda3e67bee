"""The post-game phase: choices of a group, the end of its steps, recruits. FS-PGP-1 to FS-PGP-7.

Members of commands: `group` is the group that acts; in a game it is empty for a player's own. `roll` is what lay on
the table; without dice the service rolls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

from services.scoring.campaign_rounds import GroupUnknown, RoundDecision
from services.scoring.guards import StaffOnly
from shared.campaign import recruits
from shared.campaign.choices import close_for_absent, decide
from shared.campaign.dice import DiceSource, RollPurpose, RollTold, SampleDice
from shared.campaign.experience import injury_deaths
from shared.campaign.injuries import jail_bounties
from shared.campaign.league import serving_staff, unfinished_groups
from shared.campaign.post_game import close_step
from shared.campaign.roster import Group
from shared.campaign.state import CAMPAIGN
from shared.campaign.steps import STEPS, DecisionContext, Rival, order_of
from shared.campaign.tables import Rules
from shared.campaign.words import DiceRefused, StepRefused
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects
from shared.roles import ORGANISER_UP
from shared.shapes import Command, Id, Open, Size
from shared.tournament.guards import By, Context
from shared.tournament.state import Tournament

MOST_ROLLS = 10
"""Of one choice."""

MOST_GROUPS = 5000
"""In one campaign."""


class Choose(Command, frozen=True, kw_only=True):
    """A choice of the open step, as `GET …/groups/{group}/post-game` lists it: its name, what it is about, its dice.

    rolls: in the order in which they are asked for; with `service` the service rolls what is not told.
    """

    group: Id
    does: Annotated[Id, "The name of the choice: `scavenge`, `take_offer` …"]
    of: Annotated[dict[str, Any], Open("of"), "As `of` of the listed choice; more where a choice takes it."] = {}
    rolls: Annotated[list[RollTold], Size(MOST_ROLLS)] = []
    service: bool = False


class CloseStep(Command, frozen=True, kw_only=True):
    """absent: by the staff, for a player who is away: what must be rolled is rolled, nothing else is done."""

    group: Id
    step: Id
    absent: bool = False


class RollOfGroup(RollTold, frozen=True, kw_only=True):
    """The die of one group."""

    group: Id


class OpenRecruits(Command, frozen=True, kw_only=True):
    """rolls: each with its group; the service rolls for every other group."""

    rolls: Annotated[list[RollOfGroup], Size(MOST_GROUPS)] = []


def choose(state: Tournament, command: Choose, context: Context) -> Sequence[Event]:
    """What a group chooses in its open step; in step 4 by its turn. Raises what the choice refuses, NotYourGroup."""
    builder = RoundDecision(state, context, command.does)
    need_own(context.by, command.group)
    builder.known(command.group)
    if command.does == "move_item":
        _need_settled(state, builder.round, command.group)
    present = builder.present_at(command.group)
    dice_source = builder.dice_source(present, command.rolls, roller=command.group, drawn=command.service)
    asking = asking_of(builder, command.group, dice_source)
    organiser = context.by.role in ORGANISER_UP
    try:
        outcomes = decide(asking, command.does, command.of, organiser=organiser)
    except DiceRefused:
        # Dice are asked for before anything else is looked at; whatever is wrong beside them is said first.
        _try(builder, command, organiser)
        raise
    builder.record(*outcomes, group=command.group)
    return builder.ended()


def close(state: Tournament, command: CloseStep, context: Context) -> Sequence[Event]:
    """The end of a group's step, by itself or by the staff for a player who is away. Raises StepRefused, ChoiceRefused.

    Source: FS-PGP-1, FS-PGP-5.
    """
    builder = RoundDecision(state, context, "close_step")
    need_own(context.by, command.group)
    group = builder.known(command.group)
    if command.absent and not context.by.staff:
        raise StaffOnly("Only staff can close a step for a player who is away.")
    phase = group.phase
    if phase is None or phase.step != command.step:
        detail = f"step {phase.step} is open" if phase else "no post-game phase is open"
        expected = STEPS[phase.step] if phase else expects("no-open-step")
        raise StepRefused(detail, [Fault("/step", command.step, expected, "FS-PGP-1")])
    if command.absent and phase.step == "4":
        asking = asking_of(builder, command.group, builder.dice_source(()))
        builder.record(*decide(asking, "end_turn", {}), group=command.group)
    elif command.absent:
        builder.cause = "close_for_absent"
        dice_source = builder.dice_source(())
        asking = asking_of(builder, command.group, dice_source)
        deaths = injury_deaths(asking, builder.rules.options.kill) if phase.step == "2" else ()
        outcomes = close_for_absent(builder.rules, group, dice_source, deaths)
        builder.record(*outcomes, *jail_bounties(asking, outcomes), group=command.group)
    else:
        builder.record(*close_step(builder.rules, group, phase.step, context.draws), group=command.group)
    return builder.ended()


def open_recruits(state: Tournament, command: OpenRecruits, context: Context) -> Sequence[Event]:
    """The pool of recruits, once every group has closed step 3; a die for each, told or rolled by the service.

    Raises StepRefused with the groups that are waited for. Source: FS-REC-1, FS-PGP-2.
    """
    builder = RoundDecision(state, context, "open_recruits")
    if CAMPAIGN.of(state).pool is not None:
        raise StepRefused("recruits are open", [Fault("/step", "open", expects("once-in-round"), "FS-REC-1")])
    if unplayed := faults_of_unplayed(builder.groups, unfinished_groups(state, builder.round)):
        raise StepRefused("not every group has closed step 3", unplayed)
    told = _told_by_group(builder, command.rolls)
    groups = {id: builder.groups[id] for id in builder.playing if builder.groups[id].phase is not None}
    _need_recruits_due(groups)
    dice_source = builder.dice_source({*builder.playing, *serving_staff(state)})
    throws = {
        id: dice_source.throw(
            told[id][1], "1D12", RollPurpose(id, "FS-REC-1"), where=f"/rolls/{told[id][0]}", roller=id
        )
        if id in told
        else dice_source.drawn_by_service("1D12", RollPurpose(id, "FS-REC-1"))
        for id in sorted(groups)
    }
    outcomes, _ = recruits.open_recruits(builder.rules, groups, throws, context.draws, builder.round)
    builder.record(*outcomes, group="")
    return builder.ended()


def _told_by_group(builder: RoundDecision, rolls: Sequence[RollOfGroup]) -> dict[str, tuple[int, RollOfGroup]]:
    """Group -> its die, with its place among those told. Raises GroupUnknown for one that rolls no die, or two."""
    faults, told = [], {}
    for place, roll in enumerate(rolls):
        if roll.group not in builder.playing or roll.group in told:
            expected = expects("groups-each-once", groups=list(builder.playing))
            faults.append(Fault(f"/rolls/{place}/group", roll.group, expected, "FS-REC-1"))
        told[roll.group] = (place, roll)
    if faults:
        raise GroupUnknown("There is a die for a group that rolls none.", faults)
    return told


def faults_of_unplayed(groups: Mapping[str, Group], left: Sequence[str]) -> list[Fault]:
    """The groups whose game has no result that binds, of those that the round waits for. FS-PGP-2."""
    return [
        Fault(f"/groups/{id}", "nothing", expects("group-past-step-3"), "FS-PGP-2")
        for id in left
        if groups[id].phase is None
    ]


def _need_recruits_due(groups: Mapping[str, Group]) -> None:
    """Raises StepRefused unless step 4 is the open one of all of them. FS-PGP-2."""
    late = recruits.faults_of_opening(groups)
    if late or not groups:
        nobody = [Fault("/groups", "nothing", expects("step-of-every-group", step="4"), "FS-PGP-2")]
        raise StepRefused("not every group has closed step 3", late or nobody)


def need_own(by: By, group: str) -> None:
    """Raises NotYourGroup for a player of another group."""
    if not by.staff and by.player != group:
        raise NotYourGroup(f"{group} is another player's group.")


def asking_of(builder: RoundDecision, group: str, dice_source: DiceSource) -> DecisionContext:
    """What a choice of a group is decided on."""
    return DecisionContext(
        builder.rules,
        builder.groups[group],
        dice_source,
        builder.context.draws,
        rivals_of(builder.state, builder.rules, builder.groups, group),
        CAMPAIGN.of(builder.state).pool,
        builder.groups,
    )


def rivals_of(state: Tournament, rules: Rules, groups: Mapping[str, Group], group: str) -> tuple[Rival, ...]:
    """The groups of other sides of the game of a group in its post-game phase; nobody after a bye."""
    phase, order = groups[group].phase, order_of(rules)
    found = []
    for rival in (groups[id] for id in (phase.played.rivals if phase else ())):
        settled = rival.phase is None or order.index(rival.phase.step) > order.index("1")
        found.append(Rival(rival, tuple(CAMPAIGN.of(state).died.get(rival.id, ())), settled))
    return tuple(found)


def _need_settled(state: Tournament, round: int, group: str) -> None:
    """Raises StepRefused while a report waits that says what members carried: what they hold stays until it binds."""
    for seat in state.rounds.rounds[round].seats.values():
        result = state.results.results.get(seat.game)
        if group in seat.players and result is not None and not result.binds:
            fault = Fault("/step", result.status, expects("binding-result", game=seat.game), "FS-PGP-7")
            raise StepRefused("items can move between games, but not while a report is waiting", [fault])


def _try(builder: RoundDecision, command: Choose, organiser: bool) -> None:
    """Raises what is wrong with a choice beside its dice."""
    with suppress(DiceRefused):
        decide(asking_of(builder, command.group, SampleDice()), command.does, command.of, organiser=organiser)


class NotYourGroup(Refusal):
    """A player decides for the own group only."""

    code = "not-your-group"
