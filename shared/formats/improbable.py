"""What of possible facts no game is likely to bring, by the format of the tournament and what it knows so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from shared.formats.campaign.league import GAME, groups_of, report_of, round_at_hand, seat_of, sides_of
from shared.formats.campaign.rules.improbable import improbable_in_report
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.ruleset import campaign_of
from shared.formats.campaign.state import CAMPAIGN
from shared.formats.swiss.rules.scoring import improbable_in
from shared.formats.swiss.ruleset import facts_of, ruleset_of
from shared.refusals import Fault
from shared.tournament.state import Tournament


def improbable_facts(state: Tournament, facts: Mapping[str, Any]) -> list[Fault]:
    """What is improbable in facts that can be, each at its place in them; nothing where the format asks nothing back.

    state: as it was before they were told.
    """
    find = _IMPROBABLE.get(state.entries.format)
    return find(state, facts) if find else []


def groups_before(state: Tournament) -> dict[str, Group]:
    """Groups as they were before the game of the round, whether what it brought about has begun or not.

    What one was before a phase that it has left, as after its end, is nothing to this round.
    """
    living, number = groups_of(state), round_at_hand(state)
    phases = {id: group.phase for id, group in living.items()}
    opened = {id for id, phase in phases.items() if phase is not None and phase.round == number}
    return {**living, **{id: group for id, group in CAMPAIGN.of(state).before.items() if id in opened}}


def _of_scores(state: Tournament, facts: Mapping[str, Any]) -> list[Fault]:
    return improbable_in(ruleset_of(state.entries), facts_of(facts))


def _of_reports(state: Tournament, facts: Mapping[str, Any]) -> list[Fault]:
    """What goes beyond what the groups, the encounters and the terrain could bring. FS-REP-2, FS-REP-3."""
    if facts["kind"] != GAME:
        return []
    rules = campaign_of(state.entries, round_at_hand(state))
    report = report_of(facts)
    seat = seat_of(state, report.sides[0].group)
    found = improbable_in_report(rules, report, groups_before(state), sides_of(seat) if seat else ())
    return [replace(fault, where=f"/report{fault.where}") for fault in found]


_IMPROBABLE: Mapping[str, Callable[[Tournament, Mapping[str, Any]], list[Fault]]] = MappingProxyType(
    {"swiss": _of_scores, "campaign": _of_reports}
)
