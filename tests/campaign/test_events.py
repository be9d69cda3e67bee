"""A campaign in its log: every outcome is an event, and folding events gives the groups that the outcomes gave."""

from __future__ import annotations

import msgspec
import pytest

from shared.application.command_handler import entries_of
from shared.eventlog.append import Stamp, chained
from shared.events.recorded import EMPTY
from shared.formats.campaign.enlisted import ENLISTED
from shared.formats.campaign.events import EVENT_OF, OF_REGISTRATION, OF_SCORING, event_of, outcome_of
from shared.formats.campaign.rules.evolve import evolve
from shared.formats.campaign.rules.options import Options
from shared.formats.campaign.rules.outcomes import GroupAccepted, GroupEntered
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.words import Outcome
from shared.formats.campaign.state import CAMPAIGN
from shared.formats.fold import decode, encode, fold
from shared.tournament.state import Tournament
from tests.campaign.play import Play
from tests.campaign.story import RULES

TIME = "2026-03-01T10:00:00.000Z"
STAMP = Stamp("x", "c", TIME, {})


def told(source: str, said: list[tuple[str, int, Outcome]]) -> Tournament:
    """The state that the log of one service tells."""
    events = [event_of(outcome, group, round, "played") for group, round, outcome in said]
    return fold(Tournament(), chained(source, "t-1", EMPTY, entries_of(events), STAMP))


def played(seed: str) -> Play:
    play = Play(msgspec.structs.replace(RULES, options=Options(rounds=3)), 4, seed)
    for round in range(1, 4):
        play.play_round(round)
    return play


@pytest.mark.clause("FS-SVC-2")
def test_every_outcome_is_an_event_of_its_name_and_back() -> None:
    play = played("names")
    for outcomes in play.said.values():
        for outcome in outcomes:
            event = event_of(outcome, "p1", 2, "scavenge")
            assert type(event).__name__ == type(outcome).__name__
            assert (event.group, event.round, event.cause) == ("p1", 2, "scavenge")
            assert outcome_of(event) == outcome


@pytest.mark.parametrize("seed", ["one", "two"])
@pytest.mark.clause("FS-AUD-2")
def test_folding_the_log_gives_the_groups_bit_for_bit(seed: str) -> None:
    play = played(seed)
    state = told("scoring", _all(play))
    assert msgspec.json.encode(CAMPAIGN.of(state).groups) == msgspec.json.encode(play.groups)
    assert CAMPAIGN.of(state).ratings[3] == {id: group.rating for id, group in play.groups.items()}
    assert CAMPAIGN.of(state).pool is None
    again = decode(encode(state))
    assert CAMPAIGN.of(again) == CAMPAIGN.of(state)


@pytest.mark.clause("FS-AUD-2")
def test_an_event_changes_a_group_as_its_outcome_does_at_every_step() -> None:
    play = played("step by step")
    state, groups = Tournament(), {id: Group(id, "") for id in play.groups}
    entries = entries_of([event_of(outcome, group, round, "played") for group, round, outcome in _all(play)])
    for row, (id, _, outcome) in zip(chained("scoring", "t-1", EMPTY, entries, STAMP), _all(play), strict=True):
        fold(state, [row])
        if id:
            groups[id] = evolve(groups[id], [outcome])
            assert CAMPAIGN.of(state).groups.get(id, groups[id]) == groups[id], type(outcome).__name__


def _all(play: Play) -> list[tuple[str, int, Outcome]]:
    """What was said of every group; it enters scoring's log as it was accepted."""
    return [
        (id, round, GroupEntered(outcome.accepted) if isinstance(outcome, GroupAccepted) else outcome)
        for id, round, outcome in play.log
    ]


@pytest.mark.clause("FS-SVC-1")
def test_registration_tells_how_groups_are_built_and_scoring_everything_else() -> None:
    names = {event.__name__ for event in OF_REGISTRATION}
    assert names == {"GroupAccepted", "DieRolled", "TurfGained", "LeaderAppointed", "GroupRatingFinalised"}
    assert {event.__name__ for event in OF_SCORING} == {kind.__name__ for kind in EVENT_OF} - {"GroupAccepted"}
    play = played("building")
    built = [said for said in play.log if said[1] == 0]
    assert {type(outcome).__name__ for _, _, outcome in built} == names
    state = told("registration", built)
    assert set(ENLISTED.of(state).groups) == set(play.groups)
    assert all(len(group.turfs) == 3 and group.rating for group in ENLISTED.of(state).groups.values())
    assert ENLISTED.of(state).rolled == 12
