"""Every refusal of scoring, each caused by a story."""

from __future__ import annotations

import pytest

from services.scoring.problems import PROBLEMS
from shared.service.refusals import PROBLEMS as HANDLING
from shared.tournament.registration import StaffEntered, TournamentCancelled
from shared.web.refusals import EDGE, merge
from tests.services.scoring.story import Floor, floor, score
from tests.services.story import Answer, Club
from tests.web.unlisted import unlisted

STORIES = {}


def story(code):
    """Return the story that ends with this refusal."""

    def told(tell):
        assert code not in STORIES
        STORIES[code] = tell
        return tell

    return told


@story("game-unknown")
def _(evening: Floor) -> Answer:
    return evening.get("/games/r1g9")


@story("bye-has-no-result")
def _(evening: Floor) -> Answer:
    return evening.report("r1g3", score(100, 50))


@story("not-your-game")
def _(evening: Floor) -> Answer:
    return evening.report("r1g1", score(100, 50), by="p3")


@story("round-not-begun")
def _(evening: Floor) -> Answer:
    evening.play(1, (100, 50), (100, 50))
    evening.paired(2, ("p1", "p3"))
    return evening.report("r2g1", score(100, 50))


@story("game-held")
def _(evening: Floor) -> Answer:
    evening.close(1)
    evening.paired(2, ("p1", "p3"))
    evening.started(2, "p3")
    return evening.report("r2g1", score(100, 50))


@story("round-closed")
def _(evening: Floor) -> Answer:
    evening.play(1, (100, 50), (100, 50))
    return evening.report("r1g1", score(100, 50))


@story("round-not-closed")
def _(evening: Floor) -> Answer:
    return evening.get("/standings?round=1")


@story("round-unknown")
def _(evening: Floor) -> Answer:
    return evening.close(2)


@story("result-exists")
def _(evening: Floor) -> Answer:
    evening.report("r1g1", score(100, 50), by="p1")
    return evening.report("r1g1", score(50, 100), by="p2")


@story("result-missing")
def _(evening: Floor) -> Answer:
    return evening.confirm("r1g1", by="p2")


@story("form-unknown")
def _(evening: Floor) -> Answer:
    return evening.get("/forms/certificate")


@story("coin-not-offered")
def _(evening: Floor) -> Answer:
    evening.play(1, (100, 50), (100, 50))
    return evening.post("/rounds/1/coin", {"order": ["p1", "p3"], "reason": "a bottle cap"})


@story("not-tied")
def _(evening: Floor) -> Answer:
    crews = floor(evening.club, 2, ruleset="fallout-factions-comp-1.0", rounds=2)
    crews.begin(1, ("p1", "p2"), scenario="Melee")
    crews.report("r1g1", {"points_1": 20, "points_2": 10})
    crews.close(1)
    return crews.post("/rounds/1/coin", {"order": ["p1", "p2"], "reason": "a bottle cap"})


@story("own-game")
def _(evening: Floor) -> Answer:
    evening.say("registration", StaffEntered(staff="s2", player="p1"))
    return evening.report("r1g1", score(100, 50), by=evening.club.token("referee", evening.id, actor="s2"))


@story("own-report")
def _(evening: Floor) -> Answer:
    evening.report("r1g1", score(100, 50), by="p1")
    return evening.confirm("r1g1", by="p1")


@story("report-changed")
def _(evening: Floor) -> Answer:
    evening.report("r1g1", score(100, 50), by="p1")
    evening.post("/games/r1g1/report", {"facts": score(50, 100)}, "p1")
    return evening.confirm("r1g1", by="p2")


@story("result-settled")
def _(evening: Floor) -> Answer:
    evening.rule("r1g1", score(100, 50))
    return evening.dispute("r1g1", by="p1")


@story("result-not-binding")
def _(evening: Floor) -> Answer:
    evening.report("r1g1", score(100, 50), by="p1")
    return evening.correct("r1g1", score(50, 100))


@story("staff-only")
def _(evening: Floor) -> Answer:
    return evening.report("r1g1", {"kind": "no_show", "conceded_by": 2}, by="p1")


@story("ruling-final")
def _(evening: Floor) -> Answer:
    evening.rule("r1g1", score(100, 50), by="head_referee")
    return evening.rule("r1g1", score(50, 100), by="referee")


@story("ruling-stands")
def _(evening: Floor) -> Answer:
    told = floor(evening.club, 2, "fallout-factions-comp-1.0", staff=("referee", "referee"), rounds=2)
    told.begin(1, ("p1", "p2"), scenario="Melee")
    told.rule("r1g1", {"points_1": 20, "points_2": 10}, evening.club.token("referee", told.id, actor="s1"))
    return told.rule("r1g1", {"points_1": 10, "points_2": 20}, evening.club.token("referee", told.id, actor="s2"))


@story("ruling-not-final")
def _(evening: Floor) -> Answer:
    evening.rule("r1g1", score(100, 50), by="referee")
    return evening.override("r1g1", score(50, 100))


@story("appeal-open")
def _(evening: Floor) -> Answer:
    evening.rule("r1g1", score(100, 50))
    evening.appeal("r1g1", by="p2")
    return evening.rule("r1g1", score(50, 100), by="referee")


@story("no-head-referee")
def _(evening: Floor) -> Answer:
    alone = floor(evening.club, staff=("referee",))
    alone.begin(1, ("p1", "p2"))
    alone.rule("r1g1", score(100, 50))
    return alone.appeal("r1g1", by="p2")


@story("not-appealed")
def _(evening: Floor) -> Answer:
    evening.rule("r1g1", score(100, 50))
    return evening.reject("r1g1")


@story("games-open")
def _(evening: Floor) -> Answer:
    return evening.close(1)


@story("later-round-paired")
def _(evening: Floor) -> Answer:
    evening.play(1, (100, 50), (100, 50))
    evening.paired(2, ("p1", "p3"))
    return evening.reopen(1)


@story("standings-already-published")
def _(evening: Floor) -> Answer:
    evening.play(1, (100, 50), (100, 50))
    return evening.post("/standings/publication")


@story("rounds-remain")
def _(evening: Floor) -> Answer:
    evening.play(1, (100, 50), (100, 50))
    return evening.conclude()


@story("player-unknown")
def _(evening: Floor) -> Answer:
    return evening.get("/standings/p9")


@story("award-unknown")
def _(evening: Floor) -> Answer:
    return evening.post("/awards/a1/withdrawal", {"reason": "a mistake"})


@pytest.mark.parametrize("code", sorted(STORIES))
def test_every_story_ends_with_its_refusal(evening, code):
    answer = STORIES[code](evening)
    assert (answer.code, answer.status) == (code, PROBLEMS[code][0])
    assert answer.body["type"] == f"/problems/{code}"


OF_COOP = {
    *("session-unknown", "not-your-table", "set-up-refused", "session-set-up", "session-not-begun", "session-ended"),
    *("session-not-ended", "session-settled", "impossible-move", "move-out-of-order", "other-detail", "time-remains"),
    "sessions-open",
    *("group-unknown", "not-your-group", "account-unknown", "not-your-dice"),
    *("already-rolled", "not-mustered", "game-not-ready", "groups-waiting", "leaves-open", "too-early"),
    *("statement-unknown", "statements-fall", "others-rely-on-it", "reason-needed"),
}
"""Refusals of co-operative events and campaigns, tested in tests/coop and tests/campaign."""

OF_SEASONS = {
    "tournaments-open",
    "season-without-results",
    "tie-undecided",
    "no-final",
    "cut-made",
    "cut-missing",
    "not-invited",
    "not-your-invitation",
    "standings-unknown",
}
"""Refusals of seasons, tested in tests/season."""

OF_THE_FEED = {"feed-cursor-unknown", "feed-cursor-of-another", "streams-full", "too-many-streams"}
"""Refusals of the public feed, tested in tests/services/scoring/test_feed.py and test_streams.py."""

OF_WEBHOOKS = {"delivery-unknown", "not-your-webhook", *(code for code in PROBLEMS if code.startswith("webhook-"))}
"""Refusals of webhooks, tested in tests/services/scoring/test_webhooks.py and test_webhook_targets.py."""


OF_THE_OVERLAY = {"venue-unknown"}
"""Refusals of the overlay, tested in tests/services/scoring/test_overlay.py."""

OF_THE_BRACKET = {"bracket-moved-on", "bracket-played-on"}
"""Refusals of elimination games, tested in tests/services/pairing/test_bracket_corrected.py."""

OF_PARTS = {"part-unknown", "part-not-aside", "part-stays"}
"""Refusals of parts of rounds, tested in tests/services/scoring/test_parts.py."""

OF_TIMES = {"publication-past"}
"""Refusals of held back standings, tested in tests/services/scoring/test_timed_standings.py."""


def test_every_refusal_of_the_table_is_tested():
    elsewhere = OF_COOP | OF_SEASONS | OF_THE_FEED | OF_WEBHOOKS | OF_PARTS | OF_TIMES | OF_THE_OVERLAY | OF_THE_BRACKET
    assert set(STORIES) | elsewhere == set(PROBLEMS)


def test_every_raised_refusal_is_in_a_table():
    assert unlisted(merge([HANDLING, PROBLEMS]), ["services.scoring", "shared.service", "shared.log"]) == {}


def test_problem_tables_do_not_overlap():
    assert not set(PROBLEMS) & (set(HANDLING) | set(EDGE))


def test_a_cancelled_tournament_is_over(evening):
    evening.say("registration", TournamentCancelled(reason="the hall is flooded"))
    answer = evening.report("r1g1", score(100, 50))
    assert (answer.status, answer.code) == (409, "tournament-over")


def test_an_unknown_tournament_is_refused(club: Club):
    nowhere = Floor(club, "t-nowhere")
    answers = [
        nowhere.get("/games"),
        nowhere.get("/standings"),
        nowhere.get("/awards"),
        nowhere.report("r1g1", score(100, 50)),
        nowhere.conclude(),
    ]
    assert {(answer.status, answer.code) for answer in answers} == {(404, "tournament-unknown")}
