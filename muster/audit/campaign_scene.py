"""What a decision of a campaign was made on, as the logs tell it just before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from muster.audit.replay import DecodedEvent
from shared.formats.campaign.enlisted import ENLISTED
from shared.formats.campaign.league import (
    GAME,
    absent_from,
    before_building,
    building_round,
    due_to_enter,
    playing,
    report_of,
    round_at_hand,
    seat_of,
    sides_of,
)
from shared.formats.campaign.rules.dice import DieRolled
from shared.formats.campaign.rules.outcomes import GroupAccepted, GroupEntered
from shared.formats.campaign.rules.redecided import AuditContext
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.sides import name_of_rival
from shared.formats.campaign.rules.trade_outcomes import RecruitPoolRolled
from shared.formats.campaign.rules.words import CampaignEvent
from shared.formats.campaign.ruleset import campaign_of, versions_at
from shared.formats.campaign.state import CAMPAIGN
from shared.tournament.events.pairing import Seat
from shared.tournament.events.scoring import ResultCorrected, ResultReported, ResultRuled
from shared.tournament.state import Tournament

RULING = "ruling"
"""The cause of entries that an organiser makes where a report cannot be made anew any more. FS-REP-5."""


def scene_of(
    log: Sequence[DecodedEvent],
    index: int,
    told: Sequence[CampaignEvent],
    state: Tournament,
    seed: str,
    jailed: Mapping[str, str],
) -> AuditContext:
    """The scene of the decision that begins with an event. told: what its command says of the group from there on."""
    heard = log[index]
    event = heard.event
    assert isinstance(event, CampaignEvent)
    number = round_of(heard.source, state)
    rules = campaign_of(state.entries, number)
    if heard.source == "registration":
        group = ENLISTED.of(state).groups.get(event.group) or Group(event.group, "")
        if isinstance(told[0], GroupAccepted):
            group = before_building(state, event.group)
        return AuditContext(rules=rules, group=group, round=number, told=told, seed=seed)
    living, kind = CAMPAIGN.of(state), type(next((one for one in told if not isinstance(one, DieRolled)), None))
    group = living.groups.get(event.group) or Group(event.group, "")
    scene = AuditContext(
        rules=rules,
        group=group,
        round=number,
        told=told,
        seed=seed,
        groups=living.groups,
        pool=living.pool,
        jailed=jailed,
        made=living.rolled,
        versions=versions_at(state.entries, number),
        before=living.before.get(event.group),
    )
    if kind is GroupEntered:
        return replace(scene, built=due_to_enter(state).get(event.group))
    if kind is RecruitPoolRolled:
        return replace(scene, recruiting={id: one for id, one in playing(state).items() if one.phase is not None})
    if group.phase is not None:
        round = state.rounds.rounds.get(number)
        rivals = group.phase.played.rivals
        dead = [name_of_rival(rivals, id, member) for id in rivals for member in living.died.get(id, ())]
        return replace(scene, dead=tuple(dead), pot=round.seed if round else "")
    seat = seat_of(state, event.group)
    return scene if seat is None else _before_the_game(scene, seat, log, index, state)


def _before_the_game(
    scene: AuditContext, seat: Seat, log: Sequence[DecodedEvent], index: int, state: Tournament
) -> AuditContext:
    mustered = CAMPAIGN.of(state).mustered
    known = {id: mustered[id].fielded for id in seat.players if id in mustered}
    facts = _facts_told(log, index, state, seat)
    away = scene.group.id in absent_from(seat, facts) if facts else False
    return replace(
        scene,
        game=seat.game,
        unplayed="no_show" if away else "bye",
        mustered=known.get(scene.group.id, ()),
        report=report_of(facts) if facts and facts.get("kind") == GAME else None,
        sides=sides_of(seat),
        met=_met(state, seat),
        fielded=known,
    )


def _met(state: Tournament, seat: Seat) -> dict[str, Group]:
    """All groups of a game as they were before it; a weapon that jammed counts as not carried. FS-GAM-3, FS-REP-4."""
    number, living = round_at_hand(state), CAMPAIGN.of(state)
    found = {}
    for id in seat.players:
        group = living.groups.get(id)
        if group is not None and group.phase is not None and group.phase.round == number:
            group = living.before.get(id, group)
        if group is not None:
            jammed = living.mustered[id].jammed if id in living.mustered else {}
            items = tuple(replace(item, holder="") if jammed.get(item.id) else item for item in group.items)
            found[id] = replace(group, items=items)
    return found


def round_of(source: str, state: Tournament) -> int:
    """The round that what a log says now belongs to."""
    return building_round(state) if source == "registration" else round_at_hand(state)


def _facts_told(log: Sequence[DecodedEvent], index: int, state: Tournament, seat: Seat) -> dict[str, Any] | None:
    """The facts of a game as they bind: said in the same command, or before."""
    facts = state.results.results[seat.game].facts if seat.game in state.results.results else None
    for heard in log[index:]:
        if heard.command_id != log[index].command_id:
            break
        event: Any = heard.event
        if isinstance(event, ResultReported | ResultRuled | ResultCorrected) and event.game == seat.game:
            facts = event.facts
    return facts
