"""What scoring shows of a campaign's post-game phase: which step is open for whom, and what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from services.scoring.campaign.phase import faults_of_unplayed, rivals_of
from services.scoring.campaign.round_decision import RoundDecision
from services.scoring.campaign.views.dice import marks_of
from services.scoring.tournament.refusals import RoundUnknown
from services.scoring.tournament.views import name_of
from shared.events.recorded import Head
from shared.formats.campaign.league import groups_of, playing, round_at_hand, waiting
from shared.formats.campaign.rules import recruits
from shared.formats.campaign.rules.choices.table import available_now, waits_for
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.steps import NAMES
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.ruleset import campaign_of
from shared.formats.campaign.state import CAMPAIGN
from shared.refusals import Fault
from shared.tournament.context import GUEST, Context
from shared.tournament.guards import announced
from shared.tournament.state import Tournament

NOTHING = "nothing: no post-game phase is open"


def living(state: Tournament, heads: Mapping[str, Head]) -> tuple[Rules, dict[str, Group]]:
    """The rules of the round at hand, and every group as the next decision will find it. Raises UnknownTournament."""
    number = round_at_hand(state)
    if number and not state.results.concluded and announced(state).status != "cancelled":
        builder = RoundDecision(state, Context(GUEST, "", heads, "scoring"), "")
        return builder.rules, builder.groups
    return campaign_of(state.entries, number), groups_of(state)


def phase_view(state: Tournament, heads: Mapping[str, Head]) -> dict[str, Any]:
    """Where every group stands, and the pool of recruits. Raises RoundUnknown before a round is paired."""
    number = round_at_hand(state)
    if not number:
        raise RoundUnknown("No round of this campaign is paired.", round=1)
    rules, groups = living(state, heads)
    left, (marked, asked) = waiting(state, number), marks_of(state)
    seated = [player for seat in state.rounds.rounds[number].seats.values() for player in seat.players]
    return {
        "round": number,
        "closed": number in state.results.closed,
        "groups": [
            _step(state, groups[id], waits_for(rules, groups[id]), id not in left)
            | {"marked_dice": marked.get(id, {}), "dice_to_confirm": asked.get(id, [])}
            for id in seated
            if id in groups
        ],
        "recruits": _pool(state, rules, groups, left),
    }


def asked_view(state: Tournament, heads: Mapping[str, Head], id: str, *, every: bool) -> dict[str, Any]:
    """What a group is asked now. every: what it may not do, too. The caller knows that the group is here."""
    rules, groups = living(state, heads)
    group, number = groups[id], round_at_hand(state)
    pot = state.rounds.rounds[number].seed if number else ""
    asked = available_now(rules, group, rivals_of(state, rules, groups, id), pot, CAMPAIGN.of(state).pool)
    done = not number or id not in waiting(state, number)
    marked, to_confirm = marks_of(state)
    return {
        **_step(state, group, asked.waits_for if asked else (), done),
        "marked_dice": marked.get(id, {}),
        "dice_to_confirm": to_confirm.get(id, []),
        "choices": [
            {
                "does": choice.does,
                "of": choice.of,
                "dice": list(choice.dice),
                "legal": choice.legal,
                "why_not": faults_view(choice.why_not),
            }
            for choice in (asked.choices if asked else ())
            if every or choice.legal
        ],
    }


def faults_view(faults: Sequence[Fault]) -> list[dict[str, str]]:
    """Reasons as answers show them."""
    return [msgspec.structs.asdict(fault) for fault in faults]


def _step(state: Tournament, group: Group, waits: Sequence[Fault], done: bool) -> dict[str, Any]:
    step = group.phase.step if group.phase else None
    return {
        "group": group.id,
        "name": name_of(state, group.id),
        "step": step,
        "step_name": NAMES[step] if step else NOTHING,
        "waits_for": faults_view(waits),
        "done": done,
    }


def _pool(state: Tournament, rules: Rules, groups: Mapping[str, Group], left: Sequence[str]) -> dict[str, Any]:
    pool = CAMPAIGN.of(state).pool
    active = {id: groups[id] for id in playing(state)}
    return {
        "open": pool is not None,
        "recruits": [{"id": one.id, "rank": one.rank, "roll": one.roll} for one in (pool.recruits if pool else ())],
        "order": list(pool.order) if pool else [],
        "waits_for": [] if pool else faults_view([*faults_of_unplayed(groups, left), *recruits.barrier(active)]),
    }
