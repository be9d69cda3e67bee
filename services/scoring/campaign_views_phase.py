"""Views of the post-game phase: the open step of each group, its choices, the recruits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from services.scoring.campaign_phase import faults_of_unplayed, rivals_of
from services.scoring.campaign_views_groups import (
    NO_STEP,
    MarkedDice,
    Marks,
    current_rules_and_groups,
    marks_of,
)
from services.scoring.guards import RoundUnknown
from shared.campaign import recruits
from shared.campaign.choices import Action, available_actions, faults_of_closing, sample_context
from shared.campaign.foreseen import effects_of, further_arguments, holders_of, names_of, steps_to_close
from shared.campaign.league import active_groups, latest_round, unfinished_groups
from shared.campaign.roster import Group
from shared.campaign.state import CAMPAIGN
from shared.campaign.statements import has_dice, is_players_own
from shared.campaign.steps import NAMES, DecisionContext, Left
from shared.log.event import Head
from shared.refusals import Fault
from shared.service.views import FaultView, faults_view
from shared.shapes import View
from shared.tournament.state import Tournament


class LeftView(View, frozen=True, kw_only=True):
    """Something that closing the step would lose.

    does, of: the choice that uses it. won: it was won or is owned; otherwise it is a chance.
    """

    does: str
    of: dict[str, Any]
    clause: str
    won: bool


class TakesView(View, frozen=True, kw_only=True):
    """A further argument of a listed choice. It may be left out unless `of` contains it.

    values: the values that it can have. many: it is a list of them, `least` to `most` long. each: it is an object from
    values to whole numbers up to `most`. flag: true or false. Otherwise a whole number from `least` to `most`.
    """

    name: str
    values: list[str]
    least: int
    most: int
    many: bool
    each: bool
    flag: bool


class SpanView(View, frozen=True, kw_only=True):
    """The least and the greatest change of a balance."""

    least: int
    most: int


class EffectsView(View, frozen=True, kw_only=True):
    """What a choice can change, whatever its dice show.

    gains: goods. loses: items. then: the dice that may follow the listed ones. refused: some dice make it impossible,
    such as a price that is too high. closes: the steps that can be closed after it in the same list.
    """

    caps: SpanView
    clean: SpanView
    radiated: SpanView
    gains: list[str]
    loses: list[str]
    then: list[str]
    refused: bool
    closes: list[str]


class NamedView(View, frozen=True, kw_only=True):
    """The name of a thing, and what the tables of the ruleset say about it."""

    kind: str
    name: str
    text: str


class AwaitedView(View, frozen=True, kw_only=True):
    """A group that this group waits for, with its open step."""

    group: str
    name: str
    step: str | None


class CarriedView(View, frozen=True, kw_only=True):
    """An item of the group. holder: empty: the stash. holders: who can carry it now, for `move_item`."""

    id: str
    holder: str
    holders: list[str]


class ChoiceView(View, frozen=True, kw_only=True):
    """A choice of a group."""

    does: str
    of: Annotated[dict[str, Any], "The subject of the choice. Send it back unchanged."]
    dice: Annotated[list[str], "The dice that the choice needs, in order."]
    legal: bool
    errors: Annotated[list[FaultView], "The reasons why the choice is not legal. Empty: it is."]
    leaves: Annotated[
        list[LeftView] | UnsetType, "What can no longer be used after this choice. Not empty: send `leave`."
    ] = UNSET
    takes: Annotated[list[TakesView] | UnsetType, "Its further arguments."] = UNSET
    effects: Annotated[EffectsView | UnsetType, "What it can change. Absent: it is not legal."] = UNSET


class StepView(View, frozen=True, kw_only=True):
    """The step of a group in its post-game phase."""

    group: str
    name: Annotated[str, "The player's public name."]
    step: Annotated[str | None, "The open step. null: none."]
    step_name: str
    waits_for: Annotated[list[FaultView], "What must be done before the step closes."]
    done: Annotated[bool, "The round is over for this group."]
    marked_dice: MarkedDice
    dice_to_confirm: Annotated[list[str], "Rolls that this player has to confirm."]


class AskedView(StepView, frozen=True, kw_only=True):
    """The open step of a group with its choices."""

    choices: list[ChoiceView]
    left_open: Annotated[list[LeftView] | UnsetType, "What closing the step loses. Not empty: send `leave`."] = UNSET
    closes: Annotated[
        list[str] | UnsetType, "The open step and the next ones that can be closed together, having nothing to do."
    ] = UNSET
    turn: Annotated[str | UnsetType, "The group whose turn it is in step 4. Empty: no turn is open."] = UNSET
    awaits: Annotated[list[AwaitedView] | UnsetType, "The groups that this one waits for."] = UNSET
    caps: int | UnsetType = UNSET
    clean: int | UnsetType = UNSET
    radiated: int | UnsetType = UNSET
    leader: str | UnsetType = UNSET
    done_by: Annotated[dict[str, list[str]] | UnsetType, "Member -> what it did in this phase."] = UNSET
    items: list[CarriedView] | UnsetType = UNSET
    names: Annotated[
        dict[str, NamedView] | UnsetType, "The name of everything that a choice mentions, by its id or key."
    ] = UNSET


class RecruitView(View, frozen=True, kw_only=True):
    """A recruit in the pool."""

    id: str
    rank: str
    roll: str


class PoolView(View, frozen=True, kw_only=True):
    """The pool of recruits in step 4. order: the groups that still have to act, the next one first."""

    open: bool
    recruits: list[RecruitView]
    order: list[str]
    waits_for: Annotated[list[FaultView], "The reasons why recruits cannot be opened yet."]


class PhaseView(View, frozen=True, kw_only=True):
    """The post-game phase of a round for all groups."""

    round: int
    closed: bool
    groups: list[StepView]
    recruits: PoolView


def phase_view(state: Tournament, heads: Mapping[str, Head]) -> PhaseView:
    """Return the post-game phase of the current round. Raises RoundUnknown if no round is paired."""
    number = latest_round(state)
    if not number:
        raise RoundUnknown("No round of this campaign is paired.", round=1)
    rules, groups = current_rules_and_groups(state, heads)
    unfinished, marks = unfinished_groups(state, number), marks_of(state)
    seated = [player for seat in state.rounds.rounds[number].seats.values() for player in seat.players]
    return PhaseView(
        round=number,
        closed=number in state.results.closed,
        groups=[
            _step(state, groups[id], faults_of_closing(rules, groups[id]), id not in unfinished, marks)
            for id in seated
            if id in groups
        ],
        recruits=_pool(state, groups, unfinished),
    )


def asked_view(state: Tournament, heads: Mapping[str, Head], id: str, *, every: bool) -> AskedView:
    """Return the choices of an existing group, with all that a page needs. every: include those that are not legal."""
    rules, groups = current_rules_and_groups(state, heads)
    group, number, campaign = groups[id], latest_round(state), CAMPAIGN.of(state)
    rivals = rivals_of(state, rules, groups, id)
    actions = available_actions(rules, group, rivals, campaign.pool)
    unfinished = unfinished_groups(state, number) if number else []
    context = sample_context(rules, group, rivals, campaign.pool)
    choices = [_choice(context, choice) for choice in (actions.choices if actions else ()) if every or choice.legal]
    step = _step(state, group, actions.waits_for if actions else (), id not in unfinished, marks_of(state))
    mentioned = {*group.ids, *(item.id for item in group.items), *(turf.id for turf in group.turfs)}
    mentioned |= {key for choice in choices for key in _mentioned(choice)}
    names = names_of(rules, group)
    return AskedView(
        group=step.group,
        name=step.name,
        step=step.step,
        step_name=step.step_name,
        waits_for=step.waits_for,
        done=step.done,
        marked_dice=step.marked_dice,
        dice_to_confirm=step.dice_to_confirm,
        choices=choices,
        left_open=_left_views(actions.left_open if actions else ()),
        closes=list(steps_to_close(context)) if group.phase else [],
        turn=next(iter(campaign.pool.order), "") if campaign.pool else "",
        awaits=_awaited(state, groups, group, unfinished),
        caps=group.caps,
        clean=group.clean,
        radiated=group.radiated,
        leader=group.leader,
        done_by={member: list(acts) for member, acts in (group.phase.acted if group.phase else {}).items()},
        items=[
            CarriedView(id=item.id, holder=item.holder, holders=holders_of(rules, group, item.id))
            for item in group.items
        ],
        names={
            key: NamedView(kind=named.kind, name=named.name, text=named.text)
            for key, named in names.items()
            if key in mentioned
        },
    )


def _choice(context: DecisionContext, choice: Action) -> ChoiceView:
    effects = effects_of(context, choice) if choice.legal else None
    takes = further_arguments(context, choice.does, choice.of) if choice.legal else ()
    return ChoiceView(
        does=choice.does,
        of=dict(choice.of),
        dice=list(choice.dice),
        legal=choice.legal,
        errors=faults_view(choice.errors),
        leaves=_left_views(choice.leaves),
        takes=[
            TakesView(
                name=taken.name,
                values=list(taken.values),
                least=taken.least,
                most=taken.most,
                many=taken.many,
                each=taken.each,
                flag=taken.flag,
            )
            for taken in takes
        ],
        effects=EffectsView(
            caps=_span(effects.caps),
            clean=_span(effects.clean),
            radiated=_span(effects.radiated),
            gains=list(effects.gains),
            loses=list(effects.loses),
            then=list(effects.then),
            refused=effects.refused,
            closes=list(effects.closes),
        )
        if effects
        else UNSET,
    )


def _span(span: tuple[int, int]) -> SpanView:
    return SpanView(least=span[0], most=span[1])


def _mentioned(choice: ChoiceView) -> Iterator[str]:
    """Yield the ids and keys that a choice mentions."""
    for value in choice.of.values():
        yield from [value] if isinstance(value, str) else value if isinstance(value, list | dict) else ()
    if choice.takes is not UNSET:
        yield from (value for taken in choice.takes for value in taken.values)
    if choice.effects is not UNSET:
        yield from choice.effects.gains


def _awaited(
    state: Tournament, groups: Mapping[str, Group], group: Group, unfinished: Sequence[str]
) -> list[AwaitedView]:
    """Return the groups that a group in step 4 waits for: those before it, or the one whose turn it is (FS-PGP-2)."""
    if group.phase is None or group.phase.step != "4":
        return []
    pool = CAMPAIGN.of(state).pool
    if pool is not None:
        awaited = [id for id in pool.order[:1] if id != group.id]
    else:
        late = [fault.where.removeprefix("/groups/") for fault in recruits.faults_of_opening(active_groups(state))]
        awaited = list(dict.fromkeys([*(id for id in unfinished if groups[id].phase is None), *late]))
    return [
        AwaitedView(group=id, name=state.entries.name_of(id), step=phase.step if (phase := groups[id].phase) else None)
        for id in awaited
    ]


def _left_views(left: Sequence[Left]) -> list[LeftView]:
    return [LeftView(does=one.does, of=dict(one.of), clause=one.clause, won=one.won) for one in left]


def _step(state: Tournament, group: Group, reasons: Sequence[Fault], done: bool, marks: Marks) -> StepView:
    step = group.phase.step if group.phase else None
    marked, to_confirm = marks
    return StepView(
        group=group.id,
        name=state.entries.name_of(group.id),
        step=step,
        step_name=NAMES[step] if step else NO_STEP,
        waits_for=faults_view(reasons),
        done=done,
        marked_dice=marked.get(group.id, {}),
        dice_to_confirm=to_confirm.get(group.id, []),
    )


def _pool(state: Tournament, groups: Mapping[str, Group], unfinished: Sequence[str]) -> PoolView:
    pool = CAMPAIGN.of(state).pool
    active = {id: groups[id] for id in active_groups(state)}
    return PoolView(
        open=pool is not None,
        recruits=[
            RecruitView(id=recruit.id, rank=recruit.rank, roll=recruit.roll)
            for recruit in (pool.recruits if pool else ())
        ],
        order=list(pool.order) if pool else [],
        waits_for=[]
        if pool
        else faults_view([*faults_of_unplayed(groups, unfinished), *recruits.faults_of_opening(active)]),
    )


class StatementView(View, frozen=True, kw_only=True):
    """A statement of a running phase."""

    id: Annotated[int, "Its number, for `statement` of the request that takes it back."]
    does: Annotated[str, "The choice, or `CloseStep` or `EnterLedger`."]
    of: Annotated[dict[str, Any], "The members of the choice."]
    time: str
    by: Annotated[str, "The id of the person who made it."]
    role: str
    dice: Annotated[bool, "A die fell or a lot was drawn for it."]
    player_can: Annotated[bool, "The player of the group can take it back. Staff can take back any of them."]


def statement_views(state: Tournament, group: str) -> list[StatementView]:
    """Return what was said for a group in its running phase, in order."""
    running = CAMPAIGN.of(state).phases.get(group)
    if running is None:
        return []
    return [
        StatementView(
            id=statement.position,
            does=statement.does,
            of=statement.record.data.get("of", {}),
            time=statement.time,
            by=statement.by.actor,
            role=statement.by.role,
            dice=has_dice(statement),
            player_can=is_players_own(running, statement, group),
        )
        for statement in running.statements
        if statement.command
    ]
