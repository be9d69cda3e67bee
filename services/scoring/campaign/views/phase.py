"""What scoring shows of a campaign's post-game phase: which step is open for whom, and what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from services.scoring.campaign.phase import faults_of_unplayed, rivals_of
from services.scoring.campaign.round_decision import RoundDecision
from services.scoring.campaign.views.dice import Marks, marks_of
from services.scoring.tournament.refusals import RoundUnknown
from shared.campaign import recruits
from shared.campaign.choices import available_now, waits_for
from shared.campaign.dice import GUESS
from shared.campaign.league import groups_of, playing, round_at_hand, waiting
from shared.campaign.roster import Group
from shared.campaign.state import CAMPAIGN, campaign_of
from shared.campaign.steps import NAMES
from shared.campaign.tables import Rules
from shared.log.event import Head
from shared.refusals import Fault
from shared.service.views import FaultView, faults_view
from shared.shapes import View
from shared.tournament.guards import BY_GUEST, Context, announced
from shared.tournament.state import Tournament

NOTHING = "nothing: no post-game phase is open"

MarkedDice = Annotated[
    Mapping[str, str], "Rolls of the group that rest on one word or are denied: `unconfirmed`, `disputed`, `rejected`."
]


class ChoiceView(View, frozen=True, kw_only=True):
    """One thing that a group may do, or may not."""

    does: str
    of: Annotated[dict[str, Any], "What it is about; send it back."]
    dice: Annotated[list[str], "What is rolled for it, in order."]
    legal: bool
    errors: Annotated[list[FaultView], "Every reason why it is not legal; none where it is."]


class StepView(View, frozen=True, kw_only=True):
    """Where a group stands in its post-game phase."""

    group: str
    name: Annotated[str, "The player's public name."]
    step: Annotated[str | None, "The open one; null: none is."]
    step_name: str
    waits_for: Annotated[list[FaultView], "What has to be done before it closes."]
    done: Annotated[bool, "Whether the round is over for this group."]
    marked_dice: MarkedDice
    dice_to_confirm: Annotated[list[str], "Rolls that wait for the word of this player."]


class AskedView(StepView, frozen=True, kw_only=True):
    """What one group is asked now."""

    choices: list[ChoiceView]


class RecruitView(View, frozen=True, kw_only=True):
    """Somebody who can be hired."""

    id: str
    rank: str
    roll: str


class PoolView(View, frozen=True, kw_only=True):
    """Step 4 of the whole campaign. order: who has still to act, the next one first."""

    open: bool
    recruits: list[RecruitView]
    order: list[str]
    waits_for: Annotated[list[FaultView], "Why recruits cannot be opened yet."]


class PhaseView(View, frozen=True, kw_only=True):
    """The post-game phase of a round, over all groups."""

    round: int
    closed: bool
    groups: list[StepView]
    recruits: PoolView


def living(state: Tournament, heads: Mapping[str, Head]) -> tuple[Rules, dict[str, Group]]:
    """The rules of the round at hand, and every group as the next decision will find it. Raises UnknownTournament."""
    number = round_at_hand(state)
    if number and not state.results.concluded and announced(state).status != "cancelled":
        builder = RoundDecision(state, Context(BY_GUEST, "", heads, "scoring", GUESS), "")
        return builder.rules, builder.groups
    return campaign_of(state.entries, number), groups_of(state)


def phase_view(state: Tournament, heads: Mapping[str, Head]) -> PhaseView:
    """Where every group stands, and the pool of recruits. Raises RoundUnknown before a round is paired."""
    number = round_at_hand(state)
    if not number:
        raise RoundUnknown("No round of this campaign is paired.", round=1)
    rules, groups = living(state, heads)
    left, marks = waiting(state, number), marks_of(state)
    seated = [player for seat in state.rounds.rounds[number].seats.values() for player in seat.players]
    return PhaseView(
        round=number,
        closed=number in state.results.closed,
        groups=[
            _step(state, groups[id], waits_for(rules, groups[id]), id not in left, marks)
            for id in seated
            if id in groups
        ],
        recruits=_pool(state, groups, left),
    )


def asked_view(state: Tournament, heads: Mapping[str, Head], id: str, *, every: bool) -> AskedView:
    """What a group is asked now. every: what it may not do, too. The caller knows that the group is here."""
    rules, groups = living(state, heads)
    group, number = groups[id], round_at_hand(state)
    asked = available_now(rules, group, rivals_of(state, rules, groups, id), CAMPAIGN.of(state).pool)
    done = not number or id not in waiting(state, number)
    choices = [
        ChoiceView(
            does=choice.does,
            of=dict(choice.of),
            dice=list(choice.dice),
            legal=choice.legal,
            errors=faults_view(choice.errors),
        )
        for choice in (asked.choices if asked else ())
        if every or choice.legal
    ]
    step = _step(state, group, asked.waits_for if asked else (), done, marks_of(state))
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
    )


def _step(state: Tournament, group: Group, waits: Sequence[Fault], done: bool, marks: Marks) -> StepView:
    step = group.phase.step if group.phase else None
    marked, asked = marks
    return StepView(
        group=group.id,
        name=state.entries.name_of(group.id),
        step=step,
        step_name=NAMES[step] if step else NOTHING,
        waits_for=faults_view(waits),
        done=done,
        marked_dice=marked.get(group.id, {}),
        dice_to_confirm=asked.get(group.id, []),
    )


def _pool(state: Tournament, groups: Mapping[str, Group], left: Sequence[str]) -> PoolView:
    pool = CAMPAIGN.of(state).pool
    active = {id: groups[id] for id in playing(state)}
    return PoolView(
        open=pool is not None,
        recruits=[RecruitView(id=one.id, rank=one.rank, roll=one.roll) for one in (pool.recruits if pool else ())],
        order=list(pool.order) if pool else [],
        waits_for=[] if pool else faults_view([*faults_of_unplayed(groups, left), *recruits.barrier(active)]),
    )
