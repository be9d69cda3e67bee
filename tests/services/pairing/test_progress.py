"""Progress of a round by venue: counts, minutes over, the pace of results, and the forecast of the last one."""

from __future__ import annotations

import pytest

from services.pairing.progress import (
    ENOUGH,
    LATELY,
    SHORTEST,
    Pace,
    VenueProgress,
    forecast_end,
    pace_of,
    progress_view,
)
from services.pairing.rounds import PairRound
from services.pairing.swiss_clocks import ExtendClock, StartRound
from shared.tournament.results import PartClosed, PartSetAside, ResultDisputed, ResultReported
from tests.services.pairing.stories import FALLOUT, Story, pack


def at(minute: int) -> str:
    """A time so many minutes after noon."""
    return f"2026-03-07T{12 + minute // 60}:{minute % 60:02}:00.000Z"


START, TIME_UP = at(0), at(120)


@pytest.mark.parametrize(
    ("results", "now", "pace"),
    [
        ([], 30, Pace(0, LATELY)),
        ([10, 20, 25], 30, Pace(2, LATELY)),
        ([15], 30, Pace(0, LATELY)),
        ([16, 30], 30, Pace(2, LATELY)),
        ([1, 2], 4, Pace(2, 4)),
        ([0], 0, Pace(0, 1)),
        ([31], 30, Pace(0, LATELY)),
    ],
)
def test_the_pace_counts_the_results_of_the_last_minutes(results, now, pace):
    assert pace_of([at(minute) for minute in results], START, at(now)) == pace


@pytest.mark.parametrize(
    ("pace", "open", "now", "end"),
    [
        (Pace(ENOUGH - 1, LATELY), 4, 130, None),
        (Pace(0, LATELY), 4, 130, None),
        (Pace(8, SHORTEST - 1), 4, 4, None),
        (Pace(8, SHORTEST), 4, 5, (8, "pace")),
        (Pace(5, LATELY), 0, 130, None),
        (Pace(5, LATELY), 4, 130, (142, "pace")),
        (Pace(3, LATELY), 1, 130, (135, "pace")),
        (Pace(7, LATELY), 4, 130, (139, "pace")),  # 8.6 minutes are rounded up
        (Pace(5, LATELY), 4, 60, (72, "pace")),
        (Pace(3, LATELY), 40, 60, (120, "clock")),
        (Pace(3, LATELY), 12, 60, (120, "pace")),
        (Pace(3, LATELY), 40, 120, (320, "pace")),
    ],
)
def test_the_forecast_follows_the_pace_and_the_clock(pace, open, now, end):
    found = forecast_end(pace, open, TIME_UP, at(now))
    assert (found and (found.ends_at, found.basis)) == (end and (at(end[0]), end[1]))
    if found:
        assert (found.pace, found.open) == (pace, open)


@pytest.fixture
def story() -> Story:
    """Round 1 of Fallout: Factions, paired at two venues: five games in the hall, two in the barn."""
    story = Story(pack=pack(FALLOUT), pairing_scope="venue")
    for name, players in (("Hall", 10), ("Barn", 4)):
        story.venue(name, tables=6)
        story.join(players, venue=f"v{len(story.state.entries.venues)}")
    story.do(PairRound(scenario="Raid"))
    return story


def shown(story: Story, minute: int, venue: str = "") -> dict[str, VenueProgress]:
    """Venue -> its progress."""
    round = story.state.rounds.rounds[1]
    view = progress_view(story.state, round, "started", at(minute), venue, with_calls=False)
    return {item.venue: item for item in view.items}


def win(story: Story, *minutes: int, venue: str = "v1") -> None:
    """Win open games of a venue, one at each time."""
    games = [seat.game for seat in story.seats(1) if seat.venue == venue and seat.game in story.state.open_games(1)]
    for minute, game in zip(minutes, games, strict=False):
        story.now = at(minute)
        story.win(game)


def test_before_its_start_a_venue_has_neither_pace_nor_forecast(story):
    for item in shown(story, 0).values():
        assert (item.status, item.started_at, item.ends_at, item.last_result_at) == ("paired", "", "", "")
        assert (item.minutes_over, item.pace, item.forecast) == (0, None, None)


def test_each_venue_has_its_own_counts_pace_and_forecast(story):
    story.now = START
    story.do(StartRound(round=1, minutes=60, overtime=0, venue="v1"))
    win(story, 50, 55, 58)
    hall, barn = shown(story, 60).values()
    assert (hall.games, hall.settled, hall.open, hall.last_result_at) == (5, 3, 2, at(58))
    assert (hall.pace.results, hall.pace.minutes, hall.pace.per_minute) == (3, LATELY, "0.2")
    assert (hall.forecast.ends_at, hall.forecast.basis, hall.forecast.open) == (at(70), "pace", 2)
    assert (barn.status, barn.games, barn.open, barn.pace, barn.forecast) == ("paired", 2, 2, None, None)


def test_reported_and_disputed_games_are_not_settled(story):
    story.now = START
    story.do(StartRound(round=1, minutes=60))
    one, two = (seat.game for seat in story.seats(1) if seat.venue == "v2")
    facts = {"points_1": 10, "points_2": 5}
    story.scoring(ResultReported(round=1, game=one, facts=facts, side=1))
    story.scoring(ResultReported(round=1, game=two, facts=facts, side=1))
    story.scoring(ResultDisputed(round=1, game=two, side=2, reason="no"))
    barn = shown(story, 61)["v2"]
    assert (barn.settled, barn.reported, barn.disputed, barn.open, barn.minutes_over) == (0, 1, 1, 0, 1)
    assert barn.forecast is None


def test_minutes_over_end_with_the_last_result(story):
    story.now = START
    story.do(StartRound(round=1, minutes=60, venue="v2"))
    assert [shown(story, minute)["v2"].minutes_over for minute in (59, 60, 61, 135)] == [0, 0, 1, 75]
    win(story, 62, 63, venue="v2")
    assert shown(story, 135)["v2"].minutes_over == 0


def test_an_extended_game_may_end_after_the_clock(story):
    story.now = START
    story.do(StartRound(round=1, minutes=60, overtime=0, venue="v1"))
    win(story, 50, 52, 54)
    assert shown(story, 55)["v1"].forecast.basis == "clock"
    assert shown(story, 55)["v1"].forecast.ends_at == at(60)
    (last, _) = [seat.game for seat in story.seats(1) if seat.venue == "v1" and seat.game in story.state.open_games(1)]
    story.do(ExtendClock(round=1, game=last, minutes=30, reason="spilled drinks"))
    assert shown(story, 55)["v1"].forecast.ends_at == at(65)


def test_a_closed_part_has_no_pace(story):
    story.now = START
    story.do(StartRound(round=1, minutes=60))
    win(story, 50, 51, venue="v2")
    story.scoring(PartClosed(round=1, venue="v2", games=2))
    barn = shown(story, 70)["v2"]
    assert (barn.status, barn.pace, barn.forecast, barn.minutes_over) == ("closed", None, None, 0)


def test_a_venue_that_was_set_aside_is_not_late(story):
    story.now = START
    story.do(StartRound(round=1, minutes=60))
    story.scoring(PartSetAside(round=1, venue="v2", reason="the line is cut"))
    barn = shown(story, 90)["v2"]
    assert (barn.status, barn.open, barn.minutes_over, barn.pace, barn.forecast) == ("aside", 2, 0, None, None)
    assert shown(story, 90)["v1"].minutes_over == 30


def test_one_venue_alone_is_shown(story):
    assert list(shown(story, 0, venue="v2")) == ["v2"]


@pytest.fixture
def pairing(serve):
    """Round 1 of four players, as clients see it."""
    story = Story()
    story.venue(tables=2)
    story.join(4)
    served = serve(story)
    assert served.post("/rounds").status_code == 201
    return served


def test_only_staff_see_how_many_calls_wait(pairing):
    for role, known in (("", False), ("organiser", True), ("referee", True)):
        answer = pairing.get("/rounds/1/progress", role=role)
        assert answer.status_code == 200, answer.json
        assert all(("calls_waiting" in item) == known for item in answer.json["items"])


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/rounds/9/progress", 404, "round-unknown"),
        ("/rounds/1/progress?venue=v9", 422, "venue-unknown"),
        ("/rounds/1/progress?venue=" + "x" * 100, 422, "invalid-request"),
        ("/rounds/1/progress?limit=1", 422, "invalid-request"),
    ],
)
def test_bad_questions_are_refused(pairing, path, status, code):
    answer = pairing.get(path)
    assert (answer.status_code, answer.json["code"]) == (status, code)
