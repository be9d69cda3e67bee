"""Parts of a round: each venue starts, times and extends its own."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.pairing.amendments import AmendPairings, MoveTable
from services.pairing.plans import ByHand
from services.pairing.rounds import PairRound, WithdrawRound
from services.pairing.swiss_clocks import CallTime, ExtendClock, StartRound, clock_view
from services.pairing.views import round_listed
from shared.tournament.results import PartClosed
from tests.services.pairing.stories import FALLOUT, Story, pack
from tests.services.pairing.test_venues import Bound, refused

ONE, TWO = "2026-03-07T13:00:00.000Z", "2026-03-07T14:00:00.000Z"


@pytest.fixture
def venues():
    """Round 1 of Fallout: Factions, paired at three venues with two games each."""
    story = Story(pack=pack(FALLOUT), pairing_scope="venue")
    for name in ("Hall", "Barn", "Attic"):
        story.venue(name, tables=6)
        story.join(4, venue=f"v{len(story.state.entries.venues)}")
    story.do(PairRound(scenario="Raid"))
    return story


def close(story: Story, venue: str) -> None:
    """Win the open games of a venue, and close its part of round 1."""
    for seat in story.seats(1):
        if seat.venue == venue and seat.game in story.state.open_games(1):
            story.win(seat.game)
    story.scoring(PartClosed(round=1, venue=venue, games=2))


def statuses(story: Story) -> dict[str, str]:
    return {part.venue: part.status for part in round_listed(story.state, story.state.rounds.rounds[1]).parts or []}


def test_each_venue_starts_its_own_part(venues):
    (first,) = venues.do(StartRound(round=1, venue="v2"))
    venues.now = ONE
    (second,) = venues.do(StartRound(round=1, venue="v1", minutes=60))
    assert (first.venue, first.ends_at) == ("v2", "2026-03-07T13:15:00.000Z")
    assert (second.venue, second.ends_at) == ("v1", TWO)
    assert statuses(venues) == {"v1": "started", "v2": "started", "v3": "paired"}


def test_a_start_without_a_venue_starts_all_that_wait(venues):
    venues.do(StartRound(round=1, venue="v2"))
    assert [event.venue for event in venues.do(StartRound(round=1))] == ["v1", "v3"]
    refusal = venues.refusal(StartRound(round=1))
    assert (refusal.code, refusal.detail) == ("round-already-started", "Round 1 has begun at v1, v2, v3.")


def test_a_round_that_starts_everywhere_at_once_has_one_event(venues):
    assert [event.venue for event in venues.do(StartRound(round=1))] == [""]
    assert [event.venue for event in venues.do(CallTime(round=1, call="start"))] == [""]
    assert [event.venue for event in venues.do(ExtendClock(round=1, minutes=5, reason="late"))] == [""]


def test_a_part_starts_once(venues):
    venues.do(StartRound(round=1, venue="v1"))
    assert venues.refusal(StartRound(round=1, venue="v1")).code == "round-already-started"
    close(venues, "v1")
    refusal = venues.refusal(StartRound(round=1, venue="v1"))
    assert (refusal.code, refusal.detail) == ("round-closed", "Round 1 is closed at v1.")


@pytest.mark.parametrize(("venue", "code", "expected"), [("v9", "venue-unknown", "v1"), ("v4", "part-unknown", "v1")])
@pytest.mark.parametrize(
    "command",
    [StartRound(round=1), CallTime(round=1, call="start"), ExtendClock(round=1, minutes=5, reason="x")],
    ids=["start", "call", "extend"],
)
def test_a_venue_without_games_is_refused(venues, command, venue, code, expected):
    venues.venue("Empty")
    refusal = venues.refusal(replace(command, venue=venue))
    assert (refusal.code, refusal.faults[0].where) == (code, "/venue")
    assert expected in str(refusal.faults[0].expected)


def test_time_calls_and_extensions_of_one_venue(venues):
    venues.do(StartRound(round=1))
    venues.do(CallTime(round=1, call="start", venue="v1"))
    venues.do(ExtendClock(round=1, venue="v1", minutes=10, reason="fire alarm"))
    round = venues.state.rounds.rounds[1]
    assert [round.clock_of(venue).calls for venue in ("v1", "v2")] == [["start"], []]
    assert [round.clock_of(venue).ends_at[11:16] for venue in ("v1", "v2")] == ["13:25", "13:15"]
    assert [event.venue for event in venues.do(CallTime(round=1, call="start"))] == ["v2", "v3"]


def test_a_call_that_one_venue_cannot_make_is_made_nowhere(venues):
    venues.do(StartRound(round=1))
    order = [call.call for call in clock_view(venues.state, venues.now).calls]
    for call in order:
        venues.do(CallTime(round=1, call=call, venue="v2"))
    refusal = venues.refusal(CallTime(round=1, call="no_such_call"))
    assert (refusal.code, refusal.detail) == ("call-out-of-order", "no_such_call cannot be called at v1 now.")


def test_more_time_goes_to_the_venues_whose_end_was_not_called(venues):
    venues.do(StartRound(round=1))
    for call in [call.call for call in clock_view(venues.state, venues.now).calls]:
        venues.do(CallTime(round=1, call=call, venue="v2"))
    refusal = venues.refusal(ExtendClock(round=1, venue="v2", minutes=5, reason="x"))
    assert (refusal.code, refusal.detail) == ("time-is-up", "The end of round 1 was called at v2.")
    events = venues.do(ExtendClock(round=1, minutes=5, reason="x"))
    assert [event.venue for event in events] == ["v1", "v3"]


def test_a_game_gets_time_at_its_own_venue_only(venues):
    venues.do(StartRound(round=1, venue="v1"))
    here, there = (next(seat.game for seat in venues.seats(1) if seat.venue == venue) for venue in ("v1", "v2"))
    (event,) = venues.do(ExtendClock(round=1, game=here, minutes=5, reason="x"))
    assert (event.game, event.ends_at) == (here, "2026-03-07T13:20:00.000Z")
    assert venues.refusal(ExtendClock(round=1, game=there, minutes=5, reason="x")).code == "round-not-started"
    assert venues.refusal(ExtendClock(round=1, game=here, venue="v2", minutes=5, reason="x")).code == "game-unknown"


def test_the_clock_of_a_venue(venues):
    venues.do(StartRound(round=1, venue="v2"))
    venues.do(StartRound(round=1, venue="v1", minutes=90))
    shown = clock_view(venues.state, ONE)
    assert [(part.venue, part.remaining_seconds) for part in shown.parts] == [("v1", 1800), ("v2", 900)]
    assert shown.remaining_seconds == 1800
    assert clock_view(venues.state, ONE, "v2").remaining_seconds == 900
    assert not clock_view(venues.state, ONE, "v3").running
    close(venues, "v1")
    assert clock_view(venues.state, ONE).remaining_seconds == 900


def test_nothing_moves_into_a_part_that_is_closed(venues):
    venues.do(StartRound(round=1))
    close(venues, "v1")
    there = next(seat for seat in venues.seats(1) if seat.venue == "v2")
    refusal = venues.refusal(MoveTable(round=1, game=there.game, venue="v1", table=6))
    assert (refusal.code, refusal.detail) == ("round-closed", "Round 1 is closed at v1.")
    assert venues.refusal(WithdrawRound(round=1, reason="x")).code == "round-closed"


def test_a_pairing_does_not_change_into_a_part_that_is_closed(venues):
    venues.do(StartRound(round=1))
    close(venues, "v1")
    there = next(seat for seat in venues.seats(1) if seat.venue == "v2")
    moved = {"player_1": there.player_1, "player_2": there.player_2, "venue": "v1"}
    amend = AmendPairings(round=1, reason="x", pairings=[ByHand(**moved)])
    assert venues.refusal(amend).code == "round-closed"


def test_a_head_referee_runs_the_part_of_their_venue_only(serve):
    bound = Bound(serve, "head_referee")
    own, other = {"venue": "v1"}, {"venue": "v2"}
    assert refused(bound.as_staff("/rounds/1/start"))["venue"] == "v1"
    assert refused(bound.as_staff("/rounds/1/start", other)) == {"venue": "v1", "venues": ["v2"]}
    assert bound.as_staff("/rounds/1/start", own).status_code == 201
    assert bound.as_staff("/rounds/1/calls", {"call": "start", **own}).status_code == 201
    more = {"minutes": 5, "reason": "x"}
    assert bound.as_staff("/rounds/1/extensions", {**more, **own}).status_code == 201
    assert refused(bound.as_staff("/rounds/1/extensions", {**more, **other}))["venues"] == ["v2"]
