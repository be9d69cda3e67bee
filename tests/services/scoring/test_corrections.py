"""Corrections of results, their consequences and previews."""

from __future__ import annotations

import pytest

from shared.tournament.rounds import CutMade
from tests.services.scoring.story import score


@pytest.fixture
def evening(open_floor):
    """Four players after round 1, which Ana and Cy have won."""
    told = open_floor(4, rounds=2)
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    told.play(1, (210, 150), (100, 0))
    return told


class TestCorrections:
    @pytest.mark.clause("FF-AMB-25")
    def test_a_correction_records_the_standings_again(self, evening):
        assert evening.standings(1) == ["Cy 8/100/2", "Ana 7/60/3", "Ben 3/0/7", "Dee 2/0/8"]
        answer = evening.correct("r1g2", score(0, 300))
        assert answer.types == ["ResultCorrected", "StandingsRecorded"]
        assert evening.standings(1) == ["Dee 10/300/0", "Ana 7/60/3", "Ben 3/0/7", "Cy 0/0/10"]
        assert evening.game("r1g2")["status"] == "corrected"

    def test_a_correction_in_an_open_round_records_no_standings(self, evening):
        evening.begin(2, ("p1", "p3"), ("p2", "p4"))
        evening.report("r2g1", score(20, 0))
        assert evening.correct("r2g1", score(0, 20)).types == ["ResultCorrected"]

    def test_a_correction_records_this_and_all_later_closed_rounds_again(self, evening):
        evening.begin(2, ("p1", "p3"), ("p2", "p4"))
        evening.play(2, (20, 0), (20, 0))
        both = evening.correct("r1g1", score(150, 210))
        assert [event["data"].get("round") for event in both.events] == [1, 1, 2]
        one = evening.correct("r2g1", score(0, 20))
        assert [event["data"].get("round") for event in one.events] == [2, 2]

    @pytest.mark.clause("FF-AMB-25")
    def test_a_correction_keeps_later_pairings(self, evening):
        """AR-AMB-25, DW-AMB-20, FF-AMB-25."""
        evening.begin(2, ("p1", "p3"), ("p2", "p4"))
        evening.correct("r1g2", score(0, 300))
        assert [(game["player_1"], game["player_2"]) for game in evening.get("/games").body["items"]] == [
            ("p1", "p3"),
            ("p2", "p4"),
        ]

    def test_a_correction_with_the_same_facts_appends_nothing(self, evening):
        assert evening.correct("r1g1", score(210, 150)).types == []

    def test_a_correction_after_the_end_may_change_the_winner(self, evening):
        evening.begin(2, ("p1", "p3"), ("p2", "p4"))
        evening.play(2, (0, 20), (20, 0))
        assert evening.conclude().events[-1]["data"]["winner"] == "p3"
        stays = evening.correct("r2g2", score(40, 0))
        assert stays.types == ["ResultCorrected", "StandingsRecorded"]
        moves = evening.correct("r1g2", score(0, 300))
        assert moves.types == ["ResultCorrected", "StandingsRecorded", "StandingsRecorded", "TournamentConcluded"]
        assert moves.events[-1]["data"] == {"winner": "p4", "rounds": 2}
        assert evening.standings()[0] == "Dee 14/300/14"

    def test_a_new_winner_keeps_the_reason_of_an_early_end(self, open_floor):
        told = open_floor(2, rounds=3)
        told.begin(1, ("p1", "p2"))
        told.play(1, (100, 50))
        told.conclude(early="a storm")
        assert told.correct("r1g1", score(50, 100)).events[-1]["data"] == {
            "winner": "p2",
            "rounds": 1,
            "reason": "a storm",
        }

    @pytest.mark.parametrize(
        "body", [{}, {"facts": score(1, 0)}, {"reason": "x"}, {"facts": score(1, 0), "reason": ""}]
    )
    def test_a_correction_requires_facts_and_a_reason(self, evening, body):
        assert evening.post("/games/r1g1/correction", body, "referee").code == "invalid-request"

    def test_a_correction_requires_possible_facts(self, evening):
        assert evening.correct("r1g1", score(100, 50, winner=2)).code == "impossible-result"

    def test_a_correction_requires_a_result(self, evening):
        evening.begin(2, ("p1", "p3"), ("p2", "p4"))
        assert evening.correct("r2g1", score(1, 0)).code == "result-missing"
        assert evening.correct("r9g1", score(1, 0)).code == "game-unknown"

    def test_a_no_show_can_be_corrected_to_a_game(self, evening):
        evening.begin(2, ("p1", "p3"), ("p2", "p4"))
        evening.report("r2g1", {"kind": "no_show", "conceded_by": 2})
        evening.report("r2g2", score(1, 0))
        evening.close(2)
        assert evening.state.results.absences == {"r2g1": (2,)}
        evening.correct("r2g1", score(0, 20))
        assert evening.state.results.absences == {}


def foreseen(preview):
    """Return the types of the events in a preview."""
    return [event["type"] for event in preview["events"]]


class TestWhatIf:
    """Previews of corrections."""

    def test_a_preview_appends_nothing(self, evening):
        before = [event.hash for event in evening.log]
        answer = evening.correct("r1g2", score(0, 300), preview=True)
        assert answer.status == 200
        assert [event.hash for event in evening.log] == before
        assert evening.standings(1)[0] == "Cy 8/100/2"

    def test_a_preview_lists_changed_ranks(self, evening):
        shown = evening.correct("r1g2", score(0, 300), preview=True).body
        assert foreseen(shown) == ["ResultCorrected", "StandingsRecorded"]
        shown = shown["moves"]["standings"]
        moves = {move["name"]: move for move in shown["ranks"]}
        assert moves["Dee"]["rank"] == {"before": 4, "after": 1}
        assert moves["Dee"]["values"]["tournament_points"] == {"before": 2, "after": 10}
        assert set(moves) == {"Cy", "Dee"}
        assert (shown["later_pairings"], shown["byes"], shown["cut"], shown["winner"]) == ([], [], None, None)

    def test_a_preview_matches_the_correction(self, evening):
        facts = score(0, 300)
        said = evening.correct("r1g2", facts, preview=True).body
        assert evening.correct("r1g2", facts).types == foreseen(said)
        ranks = {row["player"]: row["rank"] for row in evening.get("/standings").body["items"]}
        assert {
            move["player"]: move["rank"]["after"] for move in said["moves"]["standings"]["ranks"]
        }.items() <= ranks.items()

    def test_a_preview_lists_rounds_paired_from_changed_standings(self, evening):
        evening.begin(2, ("p1", "p3"), ("p2", "p4"))
        shown = evening.correct("r1g2", score(0, 300), preview=True).body["moves"]["standings"]
        assert shown["later_pairings"] == [{"round": 2, "pairings": 2, "status": "started"}]
        assert shown["rounds_recorded_anew"] == [1]

    def test_a_small_correction_changes_no_rank(self, evening):
        shown = evening.correct("r1g2", score(101, 0), preview=True).body["moves"]["standings"]
        assert [move["rank"] for move in shown["ranks"]] == [{"before": 1, "after": 1}]
        assert evening.correct("r1g2", score(100, 0), preview=True).body["moves"]["standings"]["ranks"] == []

    def test_a_preview_lists_changed_byes(self, open_floor):
        told = open_floor(5, rounds=3)
        told.begin(1, ("p1", "p2"), ("p3", "p4"), ("p5",))
        told.play(1, (210, 150), (120, 100))
        told.begin(2, ("p5", "p4"), ("p1", "p3"), ("p2",))
        shown = told.correct("r1g1", score(150, 210), preview=True).body["moves"]["standings"]
        assert shown["byes"] == [{"round": 2, "given_to": ["p2"], "would_go_to": ["p1"]}]

    def test_a_preview_lists_changes_of_the_cut(self, evening):
        evening.say("pairing", CutMade(after_round=1, seeds=["p3", "p1"], made_from=3))
        shown = evening.correct("r1g2", score(0, 300), preview=True).body["moves"]["standings"]
        assert shown["cut"] == {"would_be_in": ["p4"], "would_be_out": ["p3"], "seeding_changes": True}
        same = evening.correct("r1g2", score(101, 0), preview=True).body["moves"]["standings"]
        assert same["cut"] == {"would_be_in": [], "would_be_out": [], "seeding_changes": False}

    def test_a_preview_shows_a_changed_winner(self, evening):
        evening.begin(2, ("p1", "p3"), ("p2", "p4"))
        evening.play(2, (0, 20), (20, 0))
        evening.conclude()
        shown = evening.correct("r1g2", score(0, 300), preview=True).body["moves"]["standings"]
        assert shown["winner"] == {"before": "p3", "after": "p4"}

    def test_a_preview_is_refused_like_the_correction(self, evening):
        assert evening.correct("r1g2", score(100, 50, winner=2), preview=True).code == "impossible-result"
        assert evening.correct("r9g2", score(1, 0), preview=True).code == "game-unknown"
        assert evening.correct("r1g2", score(1, 0), by="p1", preview=True).code == "forbidden"
        wrong = evening.correct("r1g2", score(1, 0), preview=True, If_Match='"scoring-1"')
        assert wrong.code == "precondition-failed"
        odd = evening.post("/games/r1g2/correction?preview=perhaps", {"facts": score(1, 0), "reason": "x"}, "referee")
        assert odd.code == "invalid-request"

    def test_a_preview_does_not_use_up_the_idempotency_key(self, evening):
        evening.correct("r1g2", score(0, 300), preview=True, Idempotency_Key="k")
        assert evening.correct("r1g2", score(0, 300), Idempotency_Key="k").status == 201
