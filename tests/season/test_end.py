"""The end of a season: explanations, eligibility, ratings, divisions, the next season, the final."""

from __future__ import annotations

import pytest

from tests.season.story import LEAGUE, holds, new_season

FOUR = ("Ana", "Ben", "Cy", "Dee")
SIX = (*FOUR, "Eve", "Fay")


def ended(season, **body):
    """Conclude the season, with all services up to date."""
    season.table()
    return season.do("scoring", "/conclusion", body)


class TestExplained:
    @pytest.mark.clause("SEA-RANK")
    def test_rank_explanation(self, season):
        one = season.cup(*FOUR, name="Spring cup")
        two = season.cup(*FOUR, name="Autumn cup")
        season.count(one, two)
        table = season.table()["items"]
        for place, row in enumerate(table):
            told = season.ask("GET", "scoring", f"/season/standings/{row['player']}").body
            assert (told["rank"], told["name"], len(told["results"])) == (row["rank"], row["name"], 2)
            assert {result["name"] for result in told["results"]} == {"Spring cup", "Autumn cup"}
            assert all(result["clause"] for result in told["results"])
            points = next(value for value in told["values"] if value["column"] == "points")
            assert points["value"] == str(row["points"])
            assert (told["above"] is None) is (place == 0)
            assert (told["below"] is None) is (place == len(table) - 1)
            if told["above"]:
                assert told["above"]["name"] == table[place - 1]["name"]
        unknown = season.ask("GET", "scoring", "/season/standings/p99")
        assert (unknown.status, unknown.code, unknown.places) == (404, "player-unknown", ["/player"])

    @pytest.mark.clause("SEA-BEST")
    def test_results_that_do_not_count_have_a_reason(self, new):
        season = new(options={"season.best": 1})
        season.count(season.cup(*FOUR), season.cup(*reversed(FOUR)))
        for row in season.table()["items"]:
            assert sorted(one["reason"] for one in row["results"]) == ["", "not_best"]

    @pytest.mark.clause("SEA-MIN", "SEA-ELIG")
    def test_member_with_too_few_tournaments_is_last_and_ineligible(self, new):
        season = new(options={"season.minimum": 2, "season.eligible_minimum": 2})
        season.count(season.cup(*FOUR), season.cup("Ben", "Cy", "Dee", "Eve"))
        rows = {row["name"]: row for row in season.table()["items"]}
        assert {name: (row["listed_last"], row["barred"]) for name, row in rows.items()} == {
            "Ana": (True, ["too_few"]),
            "Ben": (False, []),
            "Cy": (False, []),
            "Dee": (False, []),
            "Eve": (True, ["too_few"]),
        }
        told = season.ask("GET", "scoring", f"/season/standings/{season.player('Ana')}").body
        assert told["barred"] == [{"reason": "too_few", "clause": "SEA-ELIG"}]

    @pytest.mark.clause("SEA-ELIG")
    def test_disqualified_member_is_last(self, season):
        season.count(season.cup(*FOUR))
        season.table()
        season.do("registration", f"/players/{season.player('Ana')}/disqualification", {"reason": "forged sheets"})
        row = season.table()["items"][-1]
        assert (row["name"], row["status"], row["barred"]) == ("Ana", "disqualified", ["disqualified"])
        assert [change["what"] for change in season.history("Ana")[-1]["changes"]] == ["disqualified"]
        holds(season)

    @pytest.mark.clause("SEA-DQ", "SEA-PLACE-2", "SEA-ELIG")
    @pytest.mark.parametrize(("option", "barred"), [("out", ["disqualified"]), ("stays", [])])
    def test_player_disqualified_in_a_tournament_counts_in_its_field(self, new, option, barred):
        """Armada leaves a disqualified player out of its table; the season takes entries from registration."""
        season = new(options={"season.disqualified": option})
        cup = season.cup("Ana", "Ben", "Cy", "Dee", conclude=False)
        cup.do("registration", f"/players/{cup.player('Dee')}/disqualification", {"reason": "forged sheets"})
        cup.do("scoring", "/conclusion", {})
        assert len(cup.ask("GET", "scoring", "/standings").body["items"]) == 3
        season.count(cup)
        rows = {row["name"]: row for row in season.table()["items"]}
        assert {result["field"] for row in rows.values() for result in row["results"]} == {4}
        (result,) = rows["Dee"]["results"]
        assert (result["place"], result["points"], result["reason"]) == (0, 0, "disqualified")
        assert rows["Dee"]["barred"] == barred

    @pytest.mark.clause("SEA-ELIG")
    def test_member_who_leaves_keeps_points_and_is_ineligible(self, season):
        season.count(season.cup(*FOUR))
        assert season.ask("GET", "registration", "").body["status"] == "announced"
        season.table()
        assert season.ask("GET", "registration", "").body["status"] == "running"
        ana = season.player("Ana")
        answer = season.ask("POST", "registration", f"/players/{ana}/withdrawal", {}, ana)
        assert (answer.status, answer.code) == (409, "too-late-to-change")
        assert season.do("registration", f"/players/{ana}/drop", {"reason": "moves away"}, by=ana).types == [
            "PlayerDropped"
        ]
        row = next(row for row in season.table()["items"] if row["player"] == ana)
        assert (row["rank"], row["status"], row["barred"]) == (1, "dropped", ["left"])
        season.do("registration", f"/players/{ana}/reinstatement")
        assert season.table()["items"][0]["barred"] == []
        entered = season.do("registration", "/players", {"name": "Zoe"}).body["players"][0]["id"]
        assert season.do("registration", f"/players/{entered}/drop", {}).types == ["PlayerWithdrawn"]
        holds(season)

    @pytest.mark.clause("SEA-RATE-1")
    def test_ratings_are_shown_with_points(self, new):
        season = new(LEAGUE)
        cup = season.cup(*FOUR, rounds=2)
        season.count(cup)
        rows = {row["name"]: row for row in season.table()["items"]}
        assert float(rows["Ana"]["rating"]["rating"]) > 1500 > float(rows["Dee"]["rating"]["rating"])
        assert {row["rating"]["games"] for row in rows.values()} == {2}
        before = rows["Ana"]["rating"]
        cup.loses("p1")
        assert {row["name"]: row for row in season.table()["items"]}["Ana"]["rating"] != before
        holds(season)


class TestDivisions:
    @pytest.fixture
    def league(self, new):
        """Return two divisions of three: Ana, Ben, Cy and Dee, Eve, Fay; one is promoted and one relegated."""
        season = new(LEAGUE, options={"season.movers": 1})
        cup = season.cup(*SIX, rounds=3)
        season.count(cup)
        season.post("/divisions", {"division": "First", "players": [season.player(name) for name in SIX[:3]]})
        season.cups = [cup]
        return season

    @pytest.mark.clause("SEA-DIV-1")
    def test_promotion_and_relegation(self, league):
        rows = league.table()["items"]
        assert [row["division"] for row in rows] == ["First"] * 3 + ["Second"] * 3
        would = league.ask("GET", "scoring", "/season/divisions").body
        assert not would["decided"]
        down = [row["name"] for row in rows if row["division"] == "First"][-1]
        up = next(row["name"] for row in rows if row["division"] == "Second")
        if would["undecided"]:
            pytest.fail(f"the fixture ended in a tie: {rows}")
        assert {(move["name"], move["to"], move["reason"]) for move in would["items"]} == {
            (down, "Second", "relegated"),
            (up, "First", "promoted"),
        }
        assert ended(league).types == ["DivisionsDecided", "TournamentConcluded"]
        shown = league.ask("GET", "scoring", "/season/divisions").body
        assert (shown["decided"], shown["items"]) == (True, would["items"])
        log = league.ask("GET", "scoring", "/log").lines
        assert log[-2]["data"]["winner"] == rows[0]["player"]
        assert ended(league).events == []
        holds(league)

    @pytest.mark.clause("SEA-DIV-1", "SEA-ID")
    def test_next_season_continues_divisions(self, league, muster):
        ended(league)
        moves = {move["name"]: move["to"] for move in league.ask("GET", "scoring", "/season/divisions").body["items"]}
        before = {row["name"]: row["division"] for row in league.table()["items"]}
        following = new_season(muster, LEAGUE, name="League, second year")
        answer = following.post("/continuation", {"season": league.id})
        assert answer.types == [*["PlayerJoined"] * 6, *["PlayerCarriedOver"] * 6, *["DivisionEntered"] * 2]
        players = following.ask("GET", "registration", "/season/players").body["items"]
        assert {one["name"]: one["division"] for one in players} == before | moves
        assert {one["before"]["tournament"] for one in players} == {league.id}
        assert following.post("/continuation", {"season": league.id}).events == []
        cup = following.cup(*SIX, rounds=3)
        following.count(cup)
        assert {row["name"]: row["division"] for row in following.table()["items"]} == before | moves
        holds(following)

    def test_only_a_finished_season_can_be_continued(self, league, new):
        following = new(LEAGUE)
        for season, said in ((league.id, "season, announced"), (league.cups[0].id, "swiss, concluded")):
            answer = following.refused(409, "season-not-over", "/continuation", {"season": season})
            assert [(fault["where"], fault["said"]) for fault in answer.faults] == [("/season", season)]
            assert answer.body["detail"].endswith(f": it is {said}.")

    @pytest.mark.clause("SEA-DIV-2")
    def test_staff_break_ties_at_a_line(self, new):
        season = new(LEAGUE, options={"season.movers": 1})
        cup = season.cup("Ana", "Ben", rounds=1)
        other = season.cup("Cy", "Dee", rounds=1)
        season.count(cup, other)
        season.table()
        ana, ben, cy, dee = (season.player(name) for name in FOUR)
        season.post("/divisions", {"division": "First", "players": [ben, dee]})
        tied = season.ask("POST", "scoring", "/conclusion", {})
        ties = {(tie["what"], tie["division"], tuple(tie["players"])) for tie in tied.data["ties"]}
        assert (tied.status, tied.code) == (409, "tie-undecided")
        assert ties == {("down", "First", (ben, dee)), ("up", "Second", (ana, cy))}
        unknown = season.ask("POST", "scoring", "/conclusion", {"named": ["p99"]})
        assert (unknown.code, unknown.places) == ("player-unknown", ["/named/0"])
        answer = season.do("scoring", "/conclusion", {"named": [ana, dee]})
        decided = next(event["data"] for event in answer.events if event["type"] == "DivisionsDecided")
        assert {(move["player"], move["to"]) for move in decided["moves"]} == {(ana, "First"), (dee, "Second")}
        assert decided["named"] == sorted([ana, dee])
        holds(season)

    def test_conclusion_waits_for_tournaments_or_needs_a_reason(self, season):
        assert season.ask("POST", "scoring", "/conclusion", {}).code == "season-without-results"
        waiting = season.cup("Ana", "Ben", conclude=False)
        season.count(season.cup(*FOUR), waiting)
        season.table()
        answer = season.ask("POST", "scoring", "/conclusion", {})
        assert (answer.status, answer.code, answer.data["tournaments"]) == (409, "tournaments-open", [waiting.id])
        told = ended(season, reason="the hall burnt down")
        assert told.events[-1]["data"]["reason"] == "the hall burnt down"
        cup = season.cup("Ana", "Ben")
        assert season.refused(409, "tournament-over", "/tournaments", {"tournament": cup.id}).code
        holds(season)

    def test_latest_results_count_at_the_conclusion(self, season):
        cup = season.cup("Ana", "Ben")
        season.count(cup)  # and the worker has not looked since
        shown = season.ask("GET", "scoring", "/season/standings").body["items"]
        assert [row["name"] for row in shown] == ["Ana", "Ben"]
        preview = season.ask("POST", "scoring", "/conclusion?preview=true", {})
        assert "TournamentConcluded" in [event["type"] for event in preview.body["events"]]
        (game,) = cup.games(1)
        won = {"points_1": 300, "points_2": 100} if game["name_1"] == "Ben" else {"points_1": 100, "points_2": 300}
        cup.do("scoring", f"/games/{game['id']}/correction", {"facts": won, "reason": "the sheet was misread"})
        told = season.do("scoring", "/conclusion", {})
        ended = next(event["data"] for event in told.events if event["type"] == "TournamentConcluded")
        assert ended["winner"] == season.player("Ben")
        holds(season)


class TestFinal:
    @pytest.fixture
    def cut(self, new):
        """Return a season in which two of four are invited to the final."""
        season = new(options={"season.final": 2})
        cup = season.cup(*FOUR, rounds=2)
        season.count(cup)
        season.order = [row["player"] for row in season.table()["items"]]
        assert season.post("/cut", {}, service="scoring").types == ["FinalCutMade"]
        return season

    def statuses(self, season):
        shown = season.ask("GET", "scoring", "/season/final").body
        return [(one["player"], one["status"], one["instead_of"]) for one in shown["items"]]

    @pytest.mark.clause("SEA-FINAL-1", "SEA-FINAL-2")
    def test_declining_players_are_replaced_in_order(self, cut):
        first, second, third, fourth = cut.order
        assert self.statuses(cut) == [(first, "invited", ""), (second, "invited", "")]
        cut.post(f"/final/{first}/acceptance", by=first, service="scoring")
        cut.post(f"/final/{second}/decline", {"reason": "abroad"}, by=second, service="scoring")
        assert self.statuses(cut) == [(first, "accepted", ""), (second, "declined", ""), (third, "invited", second)]
        cut.post(f"/final/{third}/decline", {}, service="scoring")
        cut.post(f"/final/{fourth}/decline", {}, service="scoring")
        assert self.statuses(cut)[-2:] == [(third, "declined", second), (fourth, "declined", third)]
        assert cut.post(f"/final/{fourth}/decline", {}, service="scoring").events == []
        holds(cut)

    def test_restrictions_of_answers_to_invitations(self, cut, season):
        first, second, third, _ = cut.order
        places = {"service": "scoring"}
        assert cut.refused(403, "not-your-invitation", f"/final/{first}/acceptance", by=second, **places)
        assert cut.refused(409, "not-invited", f"/final/{third}/acceptance", by=third, **places).places == ["/player"]
        cut.post(f"/final/{second}/decline", {}, by=second, **places)
        cut.refused(409, "not-invited", f"/final/{second}/acceptance", by=second, **places)
        cut.refused(409, "cut-made", "/cut", {}, **places)
        season.count(season.cup(*FOUR))
        season.table()
        assert season.refused(409, "no-final", "/cut", {}, **places).data["clause"] == "SEA-FINAL-1"
        season.refused(409, "cut-missing", f"/final/{first}/acceptance", by=first, **places)
        assert season.ask("GET", "scoring", "/season/final").code == "cut-missing"

    def test_cut_can_be_repeated_before_any_answer(self, cut):
        assert cut.post("/cut", {}, service="scoring").events == []
        needless = cut.refused(422, "player-unknown", "/cut", {"named": [cut.order[0]]}, service="scoring")
        assert [(one["where"], one["expected"]) for one in needless.faults] == [
            ("/named/0", "nobody: there is no tie to settle")
        ]
        answer = ended(cut)
        assert answer.types[-1] == "TournamentConcluded"
        first, *_ = cut.order
        cut.post(f"/final/{first}/acceptance", by=first, service="scoring")
        holds(cut)

    @pytest.mark.clause("SEA-FINAL-1")
    def test_staff_break_ties_for_the_last_place_in_the_final(self, new):
        season = new(LEAGUE, options={"season.final": 3, "season.divisions": False, "season.rating": "none"})
        season.count(season.cup("Ana", "Ben"), season.cup("Cy", "Dee"))
        season.table()
        answer = season.refused(409, "tie-undecided", "/cut", {}, service="scoring")
        (tie,) = answer.data["ties"]
        ben, dee = season.player("Ben"), season.player("Dee")
        assert (tie["what"], tie["places"], sorted(tie["players"])) == ("final", 1, sorted([ben, dee]))
        made = season.post("/cut", {"named": [dee]}, service="scoring").events[-1]["data"]
        assert (len(made["invited"]), made["invited"][-1], made["named"]) == (3, dee, [dee])
        holds(season)
