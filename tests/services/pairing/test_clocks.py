"""A round begins, is called, and is given more time."""

from __future__ import annotations

import pytest

from services.pairing.rounds import PairRound, RepairRound
from services.pairing.swiss_clocks import CallTime, ClockView, ExtendClock, ExtendedGame, StartRound, clock_view
from services.pairing.swiss_cut import OfferSpare
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from shared.tournament import registration
from tests.services.pairing.stories import DUST, FALLOUT, Story, pack


@pytest.fixture
def paired(story):
    story.join(4)
    story.do(PairRound())
    return story


@pytest.fixture
def fallout():
    """A round of Fallout: Factions that began at noon: 75 minutes, and five more to finish a turn."""
    story = Story(pack=pack(FALLOUT))
    story.join(4)
    story.do(PairRound(scenario="Raid"))
    story.do(StartRound(round=1))
    return story


@pytest.mark.clause("AR-TIME-1", "AR-AMB-23")
def test_a_round_lasts_as_long_as_the_ruleset_says(paired):
    (event,) = paired.do(StartRound(round=1))
    assert (event.minutes, event.ends_at, event.overtime) == (120, "2026-03-07T14:00:00.000Z", None)


@pytest.mark.clause("DW-TIME-1", "DW-AMB-25")
@pytest.mark.parametrize(
    ("options", "minutes"),
    [({}, 120), ({"ap_limit": 300}, 90), ({"ap_limit": 301}, 120), ({"ap_limit": 500, "extra_minutes": 10}, 160)],
)
def test_a_round_by_the_points_of_the_lists(options, minutes):
    story = Story(pack=to_json(apply_options(shipped_ruleset(DUST), options)))
    story.join(4)
    story.do(PairRound())
    (event,) = story.do(StartRound(round=1))
    assert event.minutes == minutes


@pytest.mark.clause("FF-TIME-1", "FF-TIME-5")
def test_a_round_with_time_to_finish(fallout):
    round = fallout.state.rounds.rounds[1]
    assert (round.started_at, round.ends_at, round.clock.overtime) == (fallout.now, "2026-03-07T13:15:00.000Z", 5)


def test_other_minutes_where_the_organiser_says_so(paired):
    (event,) = paired.do(StartRound(round=1, minutes=45))
    assert (event.minutes, event.ends_at) == (45, "2026-03-07T12:45:00.000Z")


def test_a_round_begins_once_and_only_the_latest(paired):
    assert paired.refusal(StartRound(round=2)).code == "round-unknown"
    paired.do(StartRound(round=1))
    assert paired.refusal(StartRound(round=1)).code == "round-already-started"
    paired.finish(1)
    assert paired.refusal(StartRound(round=1)).code == "round-closed"


class TestAbsent:
    def test_the_start_is_refused_with_the_names_of_players_who_left(self, paired):
        paired.drop("p1")
        paired.disqualify("p2")
        refusal = paired.refusal(StartRound(round=1))
        assert refusal.code == "round-has-absent-players"
        assert sorted((found["player"], found["name"], found["reason"]) for found in refusal.data["players"]) == [
            ("p1", "P1", "dropped"),
            ("p2", "P2", "disqualified"),
        ]
        paired.do(RepairRound(round=1, reason="two have left"))
        assert paired.do(StartRound(round=1))

    def test_a_spare_player_who_was_dismissed_is_missed(self):
        story = Story(pack=pack(FALLOUT))
        story.join(3)
        spare = story.staff()
        story.do(OfferSpare(staff=spare))
        story.do(PairRound(scenario="Raid"))
        story.registration(registration.StaffDismissed(staff=spare))
        refusal = story.refusal(StartRound(round=1))
        assert [(found["player"], found["reason"]) for found in refusal.data["players"]] == [(spare, "dismissed")]

    def test_a_player_who_came_back_plays(self, paired):
        paired.drop("p1")
        paired.registration(registration.PlayerReinstated(player="p1"))
        assert paired.do(StartRound(round=1))


class TestCalls:
    @pytest.mark.clause("FF-TIME-3", "FF-TIME-4", "FF-TIME-5")
    def test_each_once_and_in_order(self, fallout):
        for call in ("start", "halfway", "ten_minutes", "end", "hard_stop"):
            (event,) = fallout.do(CallTime(round=1, call=call))
            assert event.call == call
            assert fallout.refusal(CallTime(round=1, call=call)).code == "call-out-of-order"

    def test_a_call_may_be_left_out_and_is_then_gone(self, fallout):
        fallout.do(CallTime(round=1, call="ten_minutes"))
        refusal = fallout.refusal(CallTime(round=1, call="halfway"))
        assert refusal.data == {"made": ["ten_minutes"], "open": ["end"]}

    def test_a_call_that_the_ruleset_does_not_have(self, paired):
        paired.do(StartRound(round=1))
        refusal = paired.refusal(CallTime(round=1, call="halfway"))
        assert (refusal.code, refusal.data["open"]) == ("call-out-of-order", ["start", "end"])
        assert paired.refusal(CallTime(round=1, call="hard_stop")).code == "call-out-of-order"

    def test_nothing_is_called_before_the_start_or_after_the_close(self, paired):
        assert paired.refusal(CallTime(round=1, call="start")).code == "round-not-started"
        paired.do(StartRound(round=1))
        paired.finish(1)
        assert paired.refusal(CallTime(round=1, call="end")).code == "round-closed"


class TestMoreTime:
    def test_for_the_round(self, fallout):
        (event,) = fallout.do(ExtendClock(round=1, minutes=10, reason="fire alarm"))
        assert event.ends_at == "2026-03-07T13:25:00.000Z"
        fallout.do(ExtendClock(round=1, minutes=5, reason="again"))
        assert fallout.state.rounds.rounds[1].ends_at == "2026-03-07T13:30:00.000Z"

    def test_for_one_game_beyond_whatever_the_round_has(self, fallout):
        fallout.do(ExtendClock(round=1, minutes=10, reason="a ruling took long", game="r1g2"))
        fallout.do(ExtendClock(round=1, minutes=5, reason="fire alarm"))
        (event,) = fallout.do(ExtendClock(round=1, minutes=2, reason="and again", game="r1g2"))
        assert event.ends_at == "2026-03-07T13:32:00.000Z"
        shown = clock_view(fallout.state, fallout.now)
        assert shown.extended == [ExtendedGame(game="r1g2", ends_at="2026-03-07T13:32:00.000Z")]

    def test_after_the_end_was_called_only_single_games(self, fallout):
        fallout.do(CallTime(round=1, call="end"))
        assert fallout.refusal(ExtendClock(round=1, minutes=5, reason="x")).code == "time-is-up"
        assert fallout.do(ExtendClock(round=1, minutes=5, reason="x", game="r1g1"))

    def test_a_game_that_is_over_or_not_there_has_no_more_time(self, fallout):
        fallout.win("r1g1")
        assert fallout.refusal(ExtendClock(round=1, minutes=5, reason="x", game="r1g1")).code == "game-has-result"
        assert fallout.refusal(ExtendClock(round=1, minutes=5, reason="x", game="r1g9")).code == "game-unknown"

    def test_before_the_start_there_is_no_clock(self, paired):
        assert paired.refusal(ExtendClock(round=1, minutes=5, reason="x")).code == "round-not-started"


class TestShown:
    def test_nothing_runs_before_the_start_and_after_the_close(self, paired):
        assert clock_view(Story().state, paired.now) == ClockView(running=False, now=paired.now, round=None)
        assert not clock_view(paired.state, paired.now).running
        paired.do(StartRound(round=1))
        assert clock_view(paired.state, paired.now).running
        paired.finish(1)
        assert not clock_view(paired.state, paired.now).running

    @pytest.mark.clause("FF-TIME-3")
    def test_every_call_with_its_moment(self, fallout):
        fallout.do(CallTime(round=1, call="start"))
        shown = clock_view(fallout.state, "2026-03-07T13:16:00.500Z")
        assert [(call.call, call.due_at[11:19], call.made) for call in shown.calls] == [
            ("start", "12:00:00", True),
            ("halfway", "12:37:30", False),
            ("ten_minutes", "13:05:00", False),
            ("end", "13:15:00", False),
            ("hard_stop", "13:20:00", False),
        ]
        assert (shown.remaining_seconds, shown.overtime_minutes) == (-60, 5)
        assert shown.hard_stop_at == "2026-03-07T13:20:00.000Z"

    def test_calls_move_along_when_time_is_added(self, fallout):
        fallout.do(ExtendClock(round=1, minutes=15, reason="late start"))
        shown = clock_view(fallout.state, fallout.now)
        assert [call.due_at[11:19] for call in shown.calls] == [
            "12:00:00",
            "12:45:00",
            "13:20:00",
            "13:30:00",
            "13:35:00",
        ]

    def test_a_shorter_round_than_the_rulesets_begins_with_its_start(self, paired):
        paired.do(StartRound(round=1, minutes=5))
        shown = clock_view(paired.state, paired.now)
        assert [(call.call, call.due_at[11:19]) for call in shown.calls] == [
            ("start", "12:00:00"),
            ("end", "12:05:00"),
        ]
