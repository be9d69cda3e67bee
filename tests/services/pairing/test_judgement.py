"""Judgements of drafts that are changed by hand."""

from __future__ import annotations

import pytest

from services.pairing.amendments import AmendPairings, MoveTable, TableTaken, VenueUnknown
from services.pairing.plans import ByHand, PairingsRefused
from services.pairing.publication import OwnGame
from services.pairing.rounds import PairRound
from services.pairing.swiss_cut import OfferSpare
from shared.tournament import registration
from tests.services.pairing.stories import FALLOUT, Story, pack

AS_BEFORE = [*({"player_1": f"p{n}", "player_2": f"p{n + 1}", "table": n} for n in (1, 3, 5)), {"player_1": "p7"}]


@pytest.fixture
def second(serve):
    """Round 1 was p1-p2, p3-p4, p5-p6, and the bye of p7; round 2 is drafted by the rules."""
    story = Story(on_purpose=["rounds"])
    story.venue(tables=6)
    story.join(7)
    pairing = serve(story)
    assert pairing.post("/rounds", {"pairings": AS_BEFORE}).status_code == 201
    assert pairing.post("/rounds/1/publication").status_code == 201
    assert pairing.post("/rounds/1/start").status_code == 201
    story.finish(1)
    assert pairing.post("/rounds").status_code == 201
    return pairing


def codes(judgement):
    return [(one["code"], one["players"]) for one in judgement["findings"]]


def judged(pairing, round=2):
    answer = pairing.get(f"/rounds/{round}/judgement", role="head_referee")
    assert answer.status_code == 200
    return answer.json


def test_a_round_by_the_rules_has_no_findings(second):
    judgement = judged(second)
    assert judgement["findings"] == []
    assert (judgement["status"], judgement["by_hand"], judgement["by_rules"]["same"]) == ("draft", [], 4)
    drafted = second.get("/rounds/2", role="organiser").json
    ruled = [(one["player_1"], one["player_2"], one["table"]) for one in judgement["by_rules"]["pairings"]]
    assert ruled == [(one["player_1"], one["player_2"], one["table"]) for one in drafted["pairings"]]


def test_a_judgement_compares_pairings_by_hand_with_the_rules(second):
    """Pair the players as in round 1: three rematches at old tables, and the same player has the bye."""
    body = {"pairings": AS_BEFORE, "reason": "as before", "allow_rematch": True}
    assert second.post("/rounds/2/amendments", {**body, "allow_rematch": False}).json["code"] == "pairings-refused"
    shown = second.post("/rounds/2/amendments?preview=true", body).json["moves"]["judgement"]
    assert second.post("/rounds/2/amendments", body).status_code == 201
    judgement = judged(second)
    assert judgement["findings"] == shown["findings"]
    found = dict.fromkeys(code for code, _ in codes(judgement))
    assert list(found) == ["rematch", "table_again", "bye_again"]
    assert judgement["by_hand"] == [game["id"] for game in second.get("/rounds/2", role="organiser").json["pairings"]]
    assert judgement["by_rules"]["same"] == 0
    assert not {one["player_1"] for one in judgement["by_rules"]["pairings"] if one["kind"] == "bye"} & {"p7"}


def test_a_judgement_reports_changes_since_the_draft(second):
    story = second.story
    drafted = second.get("/rounds/2", role="organiser").json["pairings"]
    gone, first = drafted[0]["player_1"], drafted[0]["id"]
    story.drop(gone)
    story.join(1)
    story.registration(registration.PlayerPinned(player=drafted[1]["player_1"], venue="v1", table=6))
    judgement = judged(second)
    assert ("cannot_play", [gone]) in codes(judgement)
    assert ("not_at_fixed_table", [drafted[1]["player_1"]]) in codes(judgement)
    assert next(one for one in judgement["findings"] if one["code"] == "cannot_play")["game"] == first


@pytest.mark.parametrize("role", ["", "player", "spare", "integration", "referee"])
def test_only_staff_who_pair_can_read_it(second, role):
    answer = second.get("/rounds/2/judgement", role=role)
    assert answer.status_code == (401 if not role else 403)


def test_a_stranger_gets_the_same_answer_with_and_without_a_draft(second):
    elsewhere = second.token("organiser", tournament="t-other")
    answers = [second.get(f"/rounds/{number}/judgement", Authorization=f"Bearer {elsewhere}") for number in (2, 3)]
    assert [answer.status_code for answer in answers] == [403, 403]


def test_venues_byes_and_spares_are_looked_at():
    """Factions, paired by venue: one player is at another venue, two have a bye, and a spare player is on standby."""
    story = Story(pack=pack(FALLOUT), on_purpose=["rounds"], pairing_scope="venue")
    here, there = story.venue("Hall", tables=3), story.venue("Attic", tables=3)
    story.join(3, venue=here)
    story.join(3, venue=there)
    spare = story.staff(venue=here)
    story.do(OfferSpare(staff=spare))
    hand = [ByHand(player_1="p1", player_2="p4", venue=here, table=1), ByHand(player_1="p5", player_2="p6")]
    byes = [ByHand(player_1="p2", venue=here), ByHand(player_1="p3", venue=here)]
    story.do(PairRound(scenario="Melee", pairings=[*hand, *byes]))
    found = story.judged(1)
    assert [(one.code, one.players) for one in found] == [
        ("other_venue", ["p4"]),
        ("bye_beside_spare", ["p2"]),
        ("bye_beside_spare", ["p3"]),
        ("byes_together", ["p2", "p3"]),
    ]
    assert isinstance(story.refusal(MoveTable(round=1, game="r1g1", venue=there, table=1)), TableTaken)
    assert isinstance(story.refusal(MoveTable(round=1, game="r1g1", venue="v9", table=1)), VenueUnknown)
    assert isinstance(story.refusal(AmendPairings(round=1, swap=("p1", "p99"), reason="x")), PairingsRefused)


@pytest.mark.clause("AR-AMB-20")
def test_staff_who_play_change_no_draft_of_their_own_game(story):
    story.join(4)
    story.registration(registration.TournamentAmended(on_purpose=["rounds"]))
    judge = story.staff(role="head_referee")
    story.registration(registration.StaffEntered(staff=judge, player="p1"))
    story.do(PairRound(pairings=[ByHand(player_1="p1", player_2="p2"), ByHand(player_1="p3", player_2="p4")]))
    swap = AmendPairings(round=1, swap=("p2", "p3"), reason="brothers")
    assert isinstance(story.refusal(swap, "head_referee", judge), OwnGame)
    own, other = (MoveTable(round=1, game=game, table=9, venue="v1") for game in ("r1g1", "r1g2"))
    assert isinstance(story.refusal(own, "head_referee", judge), OwnGame)
    assert story.decide(other, "head_referee", judge)
    assert [(one.code, one.players) for one in story.judged(1)] == [("staff_plays", ["p1"])]
    assert story.do(swap)
