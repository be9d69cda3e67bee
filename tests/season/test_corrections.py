"""A correction in a tournament reaches every season that counts it, and the season explains it permanently."""

from __future__ import annotations

import pytest

from tests.season.story import LEAGUE, holds


@pytest.fixture
def played(season):
    """Return a season of two tournaments, led by Ana. Ana won the spring, Ben the autumn."""
    spring = season.cup("Ana", "Ben", "Cy", "Dee", name="Spring cup", starts_on="2026-03-01")
    autumn = season.cup("Ana", "Cy", "Ben", "Dee", name="Autumn cup", starts_on="2026-10-01")
    season.count(spring, autumn)
    return season, spring, autumn


def test_preview_shows_affected_seasons_and_appends_nothing(played):
    season, spring, _ = played
    before = season.table()
    assert before["items"][0]["name"] == "Ana"
    heads = season.heads, spring.heads
    told = spring.loses("p1", preview=True).body["moves"]["seasons"]
    assert [(one["season"], one["name"], one["stands"]) for one in told] == [(season.id, "League", False)]
    (move,) = [move for move in told[0]["moves"] if move["name"] == "Ana"]
    assert move["points_after"] < move["points_before"]
    assert [one["tournament"] for one in move["results"]] == [spring.id]
    assert (season.heads, spring.heads) == heads
    spring.loses("p1")
    after = season.table()
    assert after["number"] == before["number"] + 1
    for row in after["items"]:
        expected = next((one for one in told[0]["moves"] if one["player"] == row["player"]), None)
        if expected:
            assert (row["rank"], row["points"]) == (expected["rank_after"], expected["points_after"])
    assert after["causes"] == [{"tournament": spring.id, "reason": "corrected"}]
    holds(season)


def test_season_log_explains_a_changed_rank(played):
    season, spring, _ = played
    season.table()
    spring.loses("p1")
    season.table()
    for name in ("Ana", "Ben", "Cy", "Dee"):
        history = season.history(name)
        assert history[-1]["number"] <= season.table()["number"]
    moved = [item for name in ("Ana", "Ben", "Cy", "Dee") for item in season.history(name) if item["causes"]]
    corrected = [cause for item in moved for cause in item["causes"] if cause["reason"] == "corrected"]
    assert corrected
    for cause in corrected:
        assert cause["name"] == "Spring cup"
        assert {one["type"] for one in cause["causes"]} >= {"ResultCorrected"}
        assert {one["reason"] for one in cause["causes"] if one["type"] == "ResultCorrected"} == {
            "the sheet was misread"
        }
        assert cause["heads"]["scoring"]["position"] == spring.heads["scoring"]
    claimed = season.history("Dee")[0]
    assert {change["what"] for change in claimed["changes"]} == {"gathered", "joined", "claimed"}
    dee = season.player("Dee")
    assert {change["data"]["player"] for change in claimed["changes"] if change["what"] != "gathered"} == {dee}
    holds(season)


def test_no_events_without_news(played):
    season, _, _ = played
    season.table()
    heads = season.heads
    assert season.post("/results", service="scoring").events == []
    season.table()
    assert season.heads == heads


@pytest.mark.parametrize(("option", "told"), [("told", True), ("counts", False)])
def test_correction_after_the_end_follows_the_ruleset(new, option, told):
    season = new(options={"season.after_end": option})
    cup = season.cup("Ana", "Ben", "Cy", "Dee")
    season.count(cup)
    season.table()
    season.do("scoring", "/conclusion", {})
    before = season.table()
    assert before["final"]
    preview = cup.loses("p1", preview=True).body["moves"]["seasons"]
    assert [one["stands"] for one in preview] == [told]
    assert preview[0]["moves"]
    cup.loses("p1")
    after = season.table()
    assert (after["items"] == before["items"]) is told
    last = season.history("Ana")[-1]
    assert last["told_only"] is told
    assert [cause["reason"] for cause in last["causes"]] == ["corrected"]
    results = season.ask("GET", "scoring", "/season/results").body["items"]
    assert [one["told"] for one in results] == ([False, True] if told else [False])
    assert (after["items"][0]["name"] == "Ana") is told
    ends = [line for line in season.ask("GET", "scoring", "/log").lines if line["type"].endswith("TournamentConcluded")]
    assert next(end["data"]["winner"] for end in ends) == season.player("Ana")
    assert len(ends) == (1 if told else 2)
    holds(season)


def test_correction_affects_two_seasons(muster, new):
    first, second = new(), new(LEAGUE)
    cup = first.cup("Ana", "Ben", "Cy", "Dee")
    for season in (first, second):
        season.count(cup)
        season.table()
    told = cup.loses("p1", preview=True).body["moves"]["seasons"]
    assert {one["season"] for one in told} == {first.id, second.id}
    cup.loses("p1")
    for season in (first, second):
        assert season.table()["causes"] == [{"tournament": cup.id, "reason": "corrected"}]
        holds(season)


def test_tournament_counts_once_concluded(season):
    cup = season.cup("Ana", "Ben", conclude=False)
    season.count(cup)
    assert season.table()["items"] == []
    assert season.ask("GET", "scoring", "/season/results").body == {"items": [], "waiting": [cup.id]}
    cup.do("scoring", "/conclusion", {})
    assert [row["name"] for row in season.table()["items"]] == ["Ana", "Ben"]


def test_reading_shows_pending_results_and_appends_nothing(played):
    season, spring, _ = played
    season.table()
    spring.loses("p1")
    before = season.heads
    asked = season.ask("GET", "scoring", "/season/standings")
    tag = asked.headers["ETag"]
    again = season.ask("GET", "scoring", "/season/standings", If_None_Match=tag)
    assert season.heads == before
    assert again.status == 304
    recorded = season.table()
    assert season.heads != before
    assert asked.body["items"] == recorded["items"]
    assert season.ask("GET", "scoring", "/season/standings", If_None_Match=tag).status == 304
