"""A ranking with many rows is published in pages that fit into events, and read as one."""

from __future__ import annotations

import pytest

from shared.coop import sessions
from shared.coop.events import SurvivorRanked, TableRanked
from shared.coop.sessions import RankingResult, ranking_pages
from shared.log.event import canonical_json
from shared.log.log import LARGEST_EVENT
from tests.auditing import changed, failures, logs_of
from tests.coop.story import Night, operator_data

TOLD = {"outcome": "unfinished", "rounds": 2, "completed": [], "kills": 1, "position": 1}


def test_ten_thousand_survivors_fit():
    name = "\U0001f3b2" * 100  # the longest that an operator may enter
    row = {"rank": 10_000, "rounds": 99_999, "goals": 50}
    tables = [
        TableRanked(session=f"r1000t{n}", outcome="unfinished", share="999/1000", scenario="s" * 64, loyal=name, **row)
        for n in range(10_000)
    ]
    survivors = [SurvivorRanked(player=f"p{n}", points=99_999, victories=1000, **row) for n in range(10_000)]
    pages = ranking_pages(RankingResult(1000, tables, survivors))
    assert max(len(canonical_json(page)) for page in pages) < LARGEST_EVENT
    assert max(len(page.tables) + len(page.survivors) for page in pages) == sessions.PAGE
    assert [page.page for page in pages] == [*range(1, pages[0].pages + 1)]
    assert [row for page in pages for row in page.tables] == tables
    assert [row for page in pages for row in page.survivors] == survivors


def test_empty_ranking():
    assert [(page.page, page.pages) for page in ranking_pages(RankingResult(1, [], []))] == [(1, 1)]


class TestOfPages:
    @pytest.fixture
    def night(self, new, monkeypatch: pytest.MonkeyPatch) -> Night:
        """Return three unfinished tables of two, with a ranking of nine rows in pages of four."""
        monkeypatch.setattr(sessions, "PAGE", 4)
        night = new(6, data=operator_data(table={"survivors_min": 1, "survivors_max": 2}))
        for session in night.tables():
            night.set_up(session)
            night.do("scoring", f"/sessions/{session}/ending", {"outcome": "unfinished", "reason": "late"})
        night.do("pairing", "/session-rounds/1/close")
        published = night.do("scoring", "/session-rounds/1/ranking")
        assert published.types == ["CoopRankingPublished"] * 3
        return night

    def test_ranking_is_shown_and_corrected_as_a_whole(self, night):
        ranking = night.ranking(1)
        assert (len(ranking["tables"]), len(ranking["survivors"])) == (3, 6)
        assert not ranking["provisional"]
        assert night.do("scoring", "/session-rounds/1/ranking").types == []
        body = {"told": TOLD, "reason": "a kill was not counted"}
        corrected = night.do("scoring", "/sessions/r1t2/correction", body)
        assert corrected.types == ["SessionCorrected", *["CoopRankingPublished"] * 3]
        assert night.ranking(1)["tables"][-1]["session"] == "r1t2"

    def test_ranking_is_verified_as_a_whole(self, night):
        assert failures(logs_of(night)) == []

    @pytest.mark.parametrize(
        "change",
        [
            lambda data: data.update(pages=4),
            lambda data: data.update(page=2),
            lambda data: data["tables"].pop(),
            lambda data: data["tables"][0].update(rank=2),
        ],
    )
    def test_changed_page_is_reported(self, night, change):
        found = failures(changed(logs_of(night), "scoring", "CoopRankingPublished", change))
        assert {"decision", "command", "fold"} & {failure.code for failure in found}

    def test_missing_page_is_reported(self, night):
        logs = logs_of(night)
        (failure,) = failures(logs | {"scoring": logs["scoring"][:-1]})
        assert failure.code == "decision"
        assert str(failure.expected).startswith("CoopRankingPublished")

    @pytest.mark.parametrize(("of", "total", "whose"), [("tables", 3, "session"), ("survivors", 6, "player")])
    def test_each_list_can_be_paged(self, night, of, total, whose):
        whole = night.ranking(1)
        assert (whole["total_tables"], whole["total_survivors"], whole["next"]) == (3, 6, None)
        other = {"tables": "survivors", "survivors": "tables"}[of]
        found, query = [], f"round=1&of={of}&limit=2"
        while True:
            page = night.ask("GET", "scoring", f"/ranking?{query}").body
            found += page[of]
            assert (page[other], page[f"total_{of}"]) == ([], total)
            if page["next"] is None:
                break
            query = f"round=1&of={of}&limit=2&after={page['next']}"
        assert found == whole[of]
        last = whole["survivors"][-1]["player"]
        [row] = night.ask("GET", "scoring", f"/ranking?of={of}&around={last}&limit=1").body[of]
        assert last in (row.get("survivors") or [row["player"]])

    def test_invalid_pages_are_refused(self, night):
        for query, code in {
            "limit=2": "invalid-request",
            "around=p1": "invalid-request",
            "of=everything": "invalid-request",
            "of=tables&after=x": "invalid-cursor",
            "of=survivors&around=p99": "player-unknown",
        }.items():
            assert night.ask("GET", "scoring", f"/ranking?{query}").body["code"] == code, query
        cursor = night.ask("GET", "scoring", "/ranking?of=tables&limit=1").body["next"]
        answer = night.ask("GET", "scoring", f"/ranking?of=survivors&limit=1&after={cursor}")
        assert answer.body["code"] == "invalid-cursor"
