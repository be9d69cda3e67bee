"""Venues, tables, check-in and moves of players."""

from __future__ import annotations

import pytest


def tables(*numbers: int, accessible: int = 0):
    """Tables as a request says them."""
    return {"tables": [{"table": number, "accessible": number == accessible} for number in numbers]}


class TestVenues:
    def test_a_venue_with_so_many_tables(self, evening):
        assert evening.venue("Hall", tables=3) == "v1"
        shown = evening.get().body["venues"]
        assert shown == [
            {
                "id": "v1",
                "name": "Hall",
                "open": True,
                "tables": [{"table": number, "accessible": False} for number in (1, 2, 3)],
            }
        ]

    def test_a_venue_with_tables_one_by_one_or_with_none(self, evening):
        evening.post("/venues", {"name": "Hall", **tables(7, 9, accessible=9)})
        evening.post("/venues", {"name": "Garden"})
        shown = evening.get().body["venues"]
        assert [table for venue in shown for table in venue["tables"]] == [
            {"table": 7, "accessible": False},
            {"table": 9, "accessible": True},
        ]

    @pytest.mark.parametrize(
        ("body", "places"),
        [
            ({"name": "Hall", **tables(1, 2, 1)}, ["/tables"]),
            ({"name": "Hall", "tables": [{"table": 0}]}, ["/tables/0/table"]),
            ({"name": "Hall", "tables": -1}, ["/tables"]),
            ({"name": "Hall", "tables": "3"}, ["/tables"]),
            ({"tables": 1}, ["/name"]),
        ],
    )
    def test_tables_that_cannot_be(self, evening, body, places):
        answer = evening.post("/venues", body)
        assert (answer.code, answer.places) == ("invalid-request", places)

    def test_tables_are_changed_as_a_whole(self, evening):
        venue = evening.venue(tables=2)
        assert evening.post(f"/venues/{venue}/tables", tables(2, 3), by="head_referee").types == ["TablesChanged"]
        assert evening.post(f"/venues/{venue}/tables", tables(3, 2)).types == []
        assert evening.post(f"/venues/{venue}/tables", tables(3, 3)).code == "invalid-request"
        assert evening.post("/venues/v9/tables", tables(1)).code == "venue-unknown"

    def test_a_table_with_a_game_on_it_stays_until_the_round_is_closed(self, evening):
        venue = evening.venue(tables=4)
        evening.join("Ana", "Ben", "Cy", "Dee")
        evening.begin("p1", "p2", "p3", "p4")
        refused = evening.post(f"/venues/{venue}/tables", tables(2, 3))
        assert (refused.code, [fault["said"] for fault in refused.faults]) == ("still-in-use", ["2, 3"])
        assert refused.faults[0]["expected"].startswith("table 1 too, or r1g1 moved")
        assert evening.post(f"/venues/{venue}/tables", tables(1, 2)).status == 201
        evening.closed(1)
        assert evening.post(f"/venues/{venue}/tables", tables(3)).status == 201

    def test_a_pinned_table_cannot_be_removed(self, evening):
        venue = evening.venue()
        evening.join("Ana")
        evening.do("p1", "table", {"venue": venue, "table": 4})
        refused = evening.post(f"/venues/{venue}/tables", tables(1, 2))
        assert (refused.code, "Ana" in refused.faults[0]["expected"]) == ("still-in-use", True)
        assert evening.post(f"/venues/{venue}/closing", {"reason": "no light"}).code == "still-in-use"
        evening.delete("/players/p1/table")
        assert evening.post(f"/venues/{venue}/closing", {"reason": "no light"}).status == 201

    def test_a_venue_closes_once_and_takes_no_more_players(self, evening):
        venue = evening.venue()
        assert evening.post(f"/venues/{venue}/closing", {"reason": "no light"}).types == ["VenueClosed"]
        assert evening.post(f"/venues/{venue}/closing", {"reason": "no light"}).types == []
        assert evening.enter("Ana", venue=venue).code == "venue-unknown"

    def test_a_venue_where_only_a_bye_is_noted_may_close(self, evening):
        venue = evening.venue(tables=0)
        evening.join("Ana", "Ben", "Cy")
        evening.paired(1, ("p1",))
        assert evening.post(f"/venues/{venue}/closing", {"reason": "no light"}).status == 201


class TestCheckIn:
    def test_with_one_venue_or_none_there_is_nothing_to_say(self, evening):
        evening.join("Ana", "Ben")
        assert evening.do("p1", "check-in", {}).events[0]["data"] == {"player": "p1"}
        venue = evening.venue()
        assert evening.do("p2", "check-in", {}, by="p2").events[0]["data"] == {"player": "p2", "venue": venue}
        assert evening.player("p2")["venue"] == venue

    def test_with_several_venues_one_must_be_named(self, evening):
        one, two = evening.venue("Hall"), evening.venue("Garden")
        evening.join("Ana")
        refused = evening.do("p1", "check-in", {})
        assert (refused.code, refused.faults[0]["expected"]) == ("venue-unknown", f"one of {one}, {two}")
        assert evening.do("p1", "check-in", {"venue": two}).status == 201
        assert evening.do("p1", "check-in", {}).types == []
        assert evening.do("p1", "check-in", {"venue": one}).types == ["PlayerCheckedIn"]

    def test_a_player_of_a_venue_that_closed_is_checked_in_elsewhere(self, evening):
        one, two = evening.venue("Hall"), evening.venue("Garden")
        evening.join("Ana", venue=one)
        evening.post(f"/venues/{one}/closing", {"reason": "no light"})
        refused = evening.do("p1", "check-in", {})
        assert (refused.code, refused.faults[0]["expected"]) == ("venue-unknown", two)
        assert evening.do("p1", "check-in", {"venue": two}).status == 201

    def test_a_check_in_is_undone(self, evening):
        evening.join("Ana")
        evening.do("p1", "check-in", {})
        assert evening.do("p1", "check-out").types == ["PlayerCheckedOut"]
        assert evening.do("p1", "check-out").types == []
        assert evening.player("p1")["checked_in"] is False

    def test_several_are_checked_in_at_once_each_at_their_venue(self, evening):
        one, two = evening.venue("Hall"), evening.venue("Garden")
        evening.join("Ana", venue=two)
        evening.join("Ben", "Cy")
        evening.do("p3", "check-in", {"venue": one})
        done = evening.post("/players/check-in", {"players": ["p1", "p2", "p3"], "venue": one})
        assert [event["data"] for event in done.events] == [
            {"player": "p1", "venue": two},
            {"player": "p2", "venue": one},
        ]
        assert evening.post("/players/check-in", {"players": ["p1", "p2", "p3"]}).types == []
        back = evening.post("/players/check-out", {"players": ["p1", "p2"]})
        assert back.types == ["PlayerCheckedOut", "PlayerCheckedOut"]

    def test_several_are_checked_in_or_none_and_every_fault_names_its_player(self, announce):
        evening = announce(capacity=3)
        evening.venue("Hall"), evening.venue("Garden")
        evening.join("Ana", "Ben", "Cy", "Dee", venue="v1")
        evening.post("/players/p2/amendments", {"venue": ""})
        refused = evening.post("/players/check-in", {"players": ["p1", "p9", "p2", "p4"]})
        assert (refused.status, refused.code) == (422, "player-unknown")
        assert [(place, fault["said"]) for place, fault in zip(refused.places, refused.faults, strict=True)] == [
            ("/players/1", "p9"),
            ("/players/2", "p2"),
            ("/players/3", "p4"),
        ]
        assert [fault["expected"] for fault in refused.faults[1:]] == [
            "a venue for Ben: one of v1, v2",
            "a player who takes part; Dee waits for a seat: one becomes free when a player leaves, or when the capacity"
            " is raised",
        ]
        assert evening.player("p1")["checked_in"] is False

    def test_several_of_a_venue_that_closed_are_checked_in_elsewhere(self, evening):
        one, two = evening.venue("Hall"), evening.venue("Garden")
        evening.join("Ana", "Ben", venue=one)
        evening.post(f"/venues/{one}/closing", {"reason": "no light"})
        refused = evening.post("/players/check-in", {"players": ["p1", "p2"]})
        assert (refused.code, len(refused.faults)) == ("venue-unknown", 2)
        assert evening.post("/players/check-in", {"players": ["p1", "p2"], "venue": one}).code == "venue-unknown"
        assert evening.post("/players/check-in", {"players": ["p1", "p2"], "venue": two}).status == 201

    def test_one_request_cannot_check_in_a_whole_large_event(self, evening):
        most = [f"p{number}" for number in range(1, 502)]
        assert evening.post("/players/check-in", {"players": most}).places == ["/players"]
        assert evening.post("/players/check-in", {"players": ["p1", "p1"]}).places == ["/players"]
        assert evening.post("/players/check-in", {"players": []}).places == ["/players"]

    def test_a_waiting_player_cannot_check_in(self, announce):
        evening = announce(capacity=2)
        evening.join("Ana", "Ben", "Cy")
        assert evening.do("p3", "check-in", {}, by="p3").code == "player-not-active"


class TestMoves:
    """A player plays at another venue from the next pairing on."""

    @pytest.fixture
    def two(self, evening):
        """Ana is at v1; v2 is there, too."""
        evening.venue("Hall", tables=4)
        evening.venue("Garden", tables=1)
        evening.join("Ana", "Ben", "Cy", "Dee", venue="v1")
        return evening

    def test_a_player_moves_and_why_is_on_record(self, two):
        moved = two.do("p1", "venue", {"venue": "v2", "reason": "one too many in the hall"})
        assert (moved.status, moved.types) == (201, ["PlayerMoved"])
        assert moved.events[0]["data"] == {"player": "p1", "venue": "v2", "reason": "one too many in the hall"}
        assert two.player("p1")["venue"] == "v2"

    def test_a_move_to_the_current_venue_changes_nothing(self, two):
        assert two.do("p1", "venue", {"venue": "v1"}).types == []
        assert two.do("p1", "venue", {"venue": "v2"}).types == ["PlayerMoved"]
        assert two.do("p1", "venue", {"venue": "v2", "reason": "said twice"}).types == []

    def test_a_game_under_way_stays_where_it_is(self, two):
        two.begin("p1", "p2", "p3", "p4")
        seats = two.state.rounds.rounds[1].seats
        assert two.do("p1", "venue", {"venue": "v2"}, by="referee").types == ["PlayerMoved"]
        assert two.state.rounds.rounds[1].seats == seats

    def test_a_check_in_holds_for_the_whole_event(self, two):
        two.do("p1", "check-in", {})
        two.do("p1", "venue", {"venue": "v2"})
        assert (two.player("p1")["checked_in"], two.player("p1")["venue"]) == (True, "v2")

    @pytest.mark.parametrize("venue", ["v3", "v9"])
    def test_only_to_a_venue_that_takes_part(self, two, venue):
        assert two.venue("Cellar") == "v3"
        two.post("/venues/v3/closing", {"reason": "no light"})
        refused = two.do("p1", "venue", {"venue": venue})
        assert (refused.status, refused.code, refused.faults[0]["expected"]) == (422, "venue-unknown", "one of v1, v2")

    def test_a_venue_is_required(self, two):
        for body in ({}, {"venue": ""}, {"venue": "v2", "table": 1}):
            assert two.do("p1", "venue", body).code == "invalid-request"

    def test_only_active_players_can_be_moved(self, two):
        assert two.do("p9", "venue", {"venue": "v2"}).code == "player-unknown"
        two.begin("p1", "p2", "p3", "p4")
        two.do("p1", "drop", {})
        two.do("p2", "disqualification", {"reason": "loaded dice"})
        for player, status in (("p1", "dropped"), ("p2", "disqualified")):
            refused = two.do(player, "venue", {"venue": "v2"})
            assert (refused.code, refused.data) == ("player-not-active", {"status": status})

    def test_a_pinned_player_cannot_be_moved_away(self, two):
        two.do("p1", "table", {"venue": "v1", "table": 3})
        refused = two.do("p1", "venue", {"venue": "v2"})
        assert (refused.status, refused.code, refused.places) == (409, "still-in-use", ["/venue"])
        assert two.do("p1", "table", {"venue": "v2", "table": 1}).status == 201
        assert two.do("p1", "venue", {"venue": "v2"}).types == ["PlayerMoved"]

    def test_a_venue_with_few_tables_takes_more_players_who_play_in_waves(self, two):
        for player in ("p1", "p2", "p3", "p4"):
            assert two.do(player, "venue", {"venue": "v2"}).types == ["PlayerMoved"]

    def test_a_season_has_no_rounds_to_move_between(self, announce):
        season = announce(ruleset="season-league")
        season.venue("Hall")
        season.join("Ana")
        assert season.do("p1", "venue", {"venue": "v1"}).code == "wrong-format"


class TestKeptTables:
    """FF-TBL-3: fixed tables, whose reason stays private."""

    def test_a_table_is_kept_and_given_up(self, evening):
        venue = evening.venue()
        evening.join("Ana")
        answer = evening.do("p1", "table", {"venue": venue, "table": 3})
        assert answer.events[0]["data"] == {"player": "p1", "venue": venue, "table": 3}
        assert evening.do("p1", "table", {"venue": venue, "table": 3}).types == []
        assert evening.player("p1")["pinned"] == {"venue": venue, "table": 3}
        assert evening.delete("/players/p1/table").types == ["PlayerUnpinned"]
        assert evening.delete("/players/p1/table").types == []
        assert evening.player("p1")["pinned"] is None

    def test_only_a_table_that_there_is(self, evening):
        venue = evening.venue(tables=2)
        evening.join("Ana")
        assert evening.do("p1", "table", {"venue": venue, "table": 3}).code == "table-unknown"
        assert evening.do("p1", "table", {"venue": "v9", "table": 1}).code == "venue-unknown"
        assert evening.do("p1", "table", {"table": 1}).code == "invalid-request"
