"""What a decision of a campaign was made on, as the logs tell it just before."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from msgspec.structs import replace

from shared.events.campaign import CampaignEvent
from shared.events.pairing import Seat
from shared.events.scoring import ResultCorrected, ResultReported, ResultRuled
from shared.rules.campaign.dice import DieRolled
from shared.rules.campaign.outcomes import GroupAccepted, GroupEntered
from shared.rules.campaign.reported import GameReport
from shared.rules.campaign.retold import Scene
from shared.rules.campaign.roster import Group
from shared.rules.campaign.trade_outcomes import RecruitPoolRolled
from shared.rules.campaign.words import Outcome
from shared.state.league import before_building, building_round, due_to_enter, playing, report_of, round_at_hand
from shared.state.replay import Heard
from shared.state.ruleset import campaign_of, versions_at
from shared.state.tournament import Tournament

RULING = "ruling"
"""The cause of entries that an organiser makes where a report cannot be made anew any more. FS-REP-5."""


def scene_of(
    log: Sequence[Heard], index: int, told: Sequence[Outcome], state: Tournament, seed: str, jailed: Collection[str]
) -> Scene:
    """The scene of the decision that begins with an event. told: what its command says of the group from there on."""
    heard = log[index]
    event = heard.event
    assert isinstance(event, CampaignEvent)
    number = round_of(heard.source, state)
    rules = campaign_of(state.entries, number)
    if heard.source == "registration":
        group = state.enlisted.groups.get(event.group) or Group(event.group, "")
        if isinstance(told[0], GroupAccepted):
            group = before_building(state, event.group)
        return Scene(rules=rules, group=group, round=number, told=told, seed=seed)
    living, kind = state.campaign, type(next((one for one in told if not isinstance(one, DieRolled)), None))
    group = living.groups.get(event.group) or Group(event.group, "")
    scene = Scene(
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
        dead = living.died.get(group.phase.played.rival, ())
        return replace(scene, dead=tuple(dead), pot=round.seed if round else "")
    seat = seat_of(state, event.group)
    return scene if seat is None else _before_the_game(scene, seat, log, index, state)


def _before_the_game(scene: Scene, seat: Seat, log: Sequence[Heard], index: int, state: Tournament) -> Scene:
    mustered = state.campaign.mustered
    known = {id: mustered[id].fielded for id in seat.players if id in mustered}
    return replace(
        scene,
        game=seat.game,
        mustered=known.get(scene.group.id, ()),
        report=report_told(log, index, state, seat),
        met=_met(state, seat),
        fielded=known,
    )


def _met(state: Tournament, seat: Seat) -> dict[str, Group]:
    """Both groups of a game as they were before it; a weapon that jammed counts as not carried. FS-GAM-3, FS-REP-4."""
    number, living = round_at_hand(state), state.campaign
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


def seat_of(state: Tournament, group: str) -> Seat | None:
    """The seat of a group in the round at hand, if it has a game."""
    latest = state.rounds.latest()
    seats = latest.seats.values() if latest else ()
    return next((seat for seat in seats if group in seat.players and seat.kind != "bye"), None)


def report_told(log: Sequence[Heard], index: int, state: Tournament, seat: Seat) -> GameReport | None:
    """The report of a game as it binds: said in the same command, or before."""
    facts = state.results.results[seat.game].facts if seat.game in state.results.results else None
    for heard in log[index:]:
        if heard.command_id != log[index].command_id:
            break
        event: Any = heard.event
        if isinstance(event, ResultReported | ResultRuled | ResultCorrected) and event.game == seat.game:
            facts = event.facts
    if facts is None or facts.get("kind") != "game":
        return None
    return report_of(facts)
