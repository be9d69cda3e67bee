"""A campaign in its log: every outcome is an event, and folding the events reproduces the groups."""

from __future__ import annotations

import msgspec
import pytest

from shared.campaign.evolve import evolve
from shared.campaign.outcomes import GroupAccepted, GroupEntered
from shared.campaign.roster import Group
from shared.campaign.state import BY_NAME, CAMPAIGN, ENLISTED, REGISTRATION_EVENTS, SCORING_EVENTS
from shared.campaign.tables import Options
from shared.campaign.words import CampaignEvent
from shared.formats.fold import decode, encode, fold, read_event
from shared.log.event import EMPTY_HEAD
from shared.log.log import Stamp, chain_events
from shared.service.commands import entries_of
from shared.tournament.state import Tournament
from tests.acting import acting
from tests.campaign.play import Play
from tests.campaign.story import RULES

TIME = "2026-03-01T10:00:00.000Z"
STAMP = Stamp(acting("x"), "c", TIME, {})


def folded_state(source: str, said: list[tuple[str, int, CampaignEvent]]) -> Tournament:
    """Return the state folded from the log of one service."""
    events = [outcome.about(group, round, "played") for group, round, outcome in said]
    return fold(Tournament(), chain_events(source, "t-1", EMPTY_HEAD, entries_of(events), STAMP))


def played(seed: str) -> Play:
    play = Play(msgspec.structs.replace(RULES, options=Options(rounds=3)), 4, seed)
    for round in range(1, 4):
        play.play_round(round)
    return play


@pytest.mark.clause("FS-SVC-2")
def test_every_event_survives_recording_and_reading() -> None:
    play = played("names")
    for outcomes in play.said.values():
        for outcome in outcomes:
            event = outcome.about("p1", 2, "scavenge")
            kept = read_event(type(outcome).__name__, 1, msgspec.json.encode(event))
            assert kept == event
            assert kept.about("", 0, "") == outcome


@pytest.mark.parametrize("seed", ["one", "two"])
@pytest.mark.clause("FS-AUD-2")
def test_folding_the_log_reproduces_the_groups(seed: str) -> None:
    play = played(seed)
    state = folded_state("scoring", _all(play))
    assert msgspec.json.encode(CAMPAIGN.of(state).groups) == msgspec.json.encode(play.groups)
    assert CAMPAIGN.of(state).ratings[3] == {id: group.rating for id, group in play.groups.items()}
    assert CAMPAIGN.of(state).pool is None
    again = decode(encode(state))
    assert CAMPAIGN.of(again) == CAMPAIGN.of(state)


@pytest.mark.clause("FS-AUD-2")
def test_slice_change_equals_evolve_for_every_event() -> None:
    play = played("step by step")
    state, groups = Tournament(), {id: Group(id, "") for id in play.groups}
    entries = entries_of([outcome.about(group, round, "played") for group, round, outcome in _all(play)])
    for row, (id, _, outcome) in zip(
        chain_events("scoring", "t-1", EMPTY_HEAD, entries, STAMP), _all(play), strict=True
    ):
        fold(state, [row])
        if id:
            groups[id] = evolve(groups[id], [outcome])
            assert CAMPAIGN.of(state).groups.get(id, groups[id]) == groups[id], type(outcome).__name__


def _all(play: Play) -> list[tuple[str, int, CampaignEvent]]:
    """Return the events about every group; a group enters scoring's log as it was accepted."""
    return [
        (id, round, GroupEntered(outcome.accepted) if isinstance(outcome, GroupAccepted) else outcome)
        for id, round, outcome in play.log
    ]


@pytest.mark.clause("FS-SVC-1")
def test_registration_owns_building_and_scoring_the_rest() -> None:
    names = {event.__name__ for event in REGISTRATION_EVENTS}
    assert names == {"GroupAccepted", "DieRolled", "TurfGained", "LeaderAppointed", "GroupRatingFinalised"}
    assert {event.__name__ for event in SCORING_EVENTS} == set(BY_NAME) - {"GroupAccepted"}
    play = played("building")
    built = [entry for entry in play.log if entry[1] == 0]
    assert {type(outcome).__name__ for _, _, outcome in built} == names
    state = folded_state("registration", built)
    assert set(ENLISTED.of(state).groups) == set(play.groups)
    assert all(len(group.turfs) == 3 and group.rating for group in ENLISTED.of(state).groups.values())
    assert ENLISTED.of(state).rolled == 12
