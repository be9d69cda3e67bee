"""Whole rounds by hand: what is recorded, and every fault."""

from __future__ import annotations

import pytest

from services.pairing.amendments import AmendPairings
from services.pairing.plans import ByHand
from services.pairing.rounds import PairRound
from services.pairing.swiss_clocks import StartRound
from services.pairing.swiss_cut import MakeCut
from shared.refusals import expects
from shared.tournament import registration
from tests.services.pairing.stories import ARMADA, DUST, FALLOUT, Story, pack, with_cut


def hand(*pairs: str, **more) -> PairRound:
    """`p1-p2` a game, `p3` a bye, `p1-p2@7` at a table."""
    pairings = []
    for pair in pairs:
        players, _, table = pair.partition("@")
        one, _, two = players.partition("-")
        pairings.append(ByHand(player_1=one, player_2=two, table=int(table) if table else None))
    return PairRound(pairings=pairings, **more)


def faults(story: Story, command: PairRound) -> dict[str, str]:
    refusal = story.refusal(command)
    assert refusal.code == "pairings-refused"
    return {fault.where: fault.said for fault in refusal.faults}


def test_a_round_by_hand_is_recorded_as_entered(story):
    story.join(5)
    *_, paired = story.do(hand("p4-p2@5", "p1-p5", "p3", reason="played last week"))
    assert (paired.method, paired.reason, paired.seed, paired.draws) == ("manual", "played last week", "", [])
    assert [(seat.kind, seat.player_1, seat.player_2, seat.table) for seat in story.seats(1)] == [
        ("game", "p4", "p2", 5),
        ("game", "p1", "p5", 1),
        ("bye", "p3", "", 0),
    ]


def test_a_real_event_without_venues_its_tables_and_two_byes():
    story = Story(tier="casual", rounds=4)
    story.join(147, roster=False)
    pairs = [f"p{n}-p{n + 73}@{n}" for n in range(1, 73)]
    story.do(hand(*pairs, "p73-p146@73", "p147@74"))
    tables = [seat.table for seat in story.seats(1)]
    assert tables == [*range(1, 74), 0]
    story.do(StartRound(round=1))
    story.finish(1)
    story.drop("p1")
    pairs = [f"p{n}-p{n + 74}@{n}" for n in range(2, 73)]
    story.do(hand(*pairs, "p147", "p74", "p75-p73@99"))
    assert [seat.player_1 for seat in story.seats(2) if seat.kind == "bye"] == ["p147", "p74"]
    story.do(StartRound(round=2))
    story.finish(2)


def test_every_fault_is_named_at_once(story):
    story.join(8)
    story.play()
    (met, other, third, fourth) = (sorted(pair) for pair in story.pairs(1))
    story.drop(fourth[1])
    found = faults(
        story,
        PairRound(
            pairings=[
                ByHand(player_1=met[0], player_2=met[1], table=1),
                ByHand(player_1=other[0], player_2="p99", table=1),
                ByHand(player_1=other[0], player_2=third[1], table=44),
                ByHand(player_1=fourth[1], venue="v9"),
            ]
        ),
    )
    assert found == {
        "/pairings/0": f"{met[0]}, {met[1]}",
        "/pairings/1/player_1": other[0],
        "/pairings/1/player_2": "p99",
        "/pairings/1/table": "1",
        "/pairings/2/player_1": other[0],
        "/pairings/2/table": "44",
        "/pairings/3/player_1": fourth[1],
        "/pairings/3/venue": "v9",
        "/pairings": found["/pairings"],
    }
    refusal = story.refusal(PairRound(pairings=[ByHand(player_1=met[0])]))
    left_out = {str(fault.expected) for fault in refusal.faults if fault.where == "/pairings"}
    assert left_out == {
        f"{p.upper()} ({p}) in a pairing, or in sitting_out" for p in [met[1], *other, *third, fourth[0]]
    }


def test_a_rematch_is_accepted_if_allowed(story):
    story.join(2)
    story.play()
    assert faults(story, hand("p1-p2")) == {"/pairings/0": "p1, p2"}
    story.do(hand("p1-p2", allow_rematch=True))
    assert story.seats(2)[0].rematch


def test_a_player_can_sit_out(story):
    story.join(5)
    *_, paired = story.do(hand("p1-p2", "p3-p4", sitting_out=["p5"]))
    assert paired.left_out == {"sitting_out": ["p5"]}
    assert faults(Story(), hand("p1-p2", sitting_out=["p8"]))["/sitting_out/0"] == "p8"


def test_one_sits_out_or_plays(story):
    story.join(4)
    found = faults(story, hand("p1-p2", "p3-p4", sitting_out=["p4"]))
    assert found == {"/sitting_out/0": "p4"}


@pytest.mark.clause("AR-REG-1")
def test_a_list_that_is_due_is_due_by_hand_too(story):
    story.join(3)
    story.join(1, roster=False)
    assert list(faults(story, hand("p1-p2", "p3-p4"))) == ["/pairings/1/player_2"]
    *_, paired = story.do(hand("p1-p2", "p3"))
    assert paired.left_out == {"no_roster": ["p4"]}


@pytest.mark.clause("AR-REG-1", "DW-REG-3")
@pytest.mark.parametrize(("id", "clause"), [(ARMADA, "AR-REG-1"), (DUST, "DW-REG-3")])
def test_a_due_list_is_reported_with_the_clause_of_its_ruleset(id, clause):
    story = Story(pack=pack(id))
    story.join(3)
    story.join(1, roster=False)
    (fault,) = story.refusal(hand("p1-p2", "p3-p4")).faults
    assert (fault.where, fault.clause) == ("/pairings/1/player_2", clause)


def test_a_player_who_is_not_checked_in_can_be_paired_by_hand():
    story = Story(check_in=True)
    story.join(3)
    *_, paired = story.do(hand("p1-p2"))
    assert paired.left_out == {"not_checked_in": ["p3"]}


def test_kinds_that_do_not_fit_are_faults(story):
    story.join(4)
    pairings = [
        ByHand(player_1="p1", player_2="p2", kind="bye"),
        ByHand(player_1="p3", kind="game"),
        ByHand(player_1="p4", player_2="s1", kind="spare"),
    ]
    found = faults(story, PairRound(pairings=pairings))
    assert found == {"/pairings/0/player_2": "p2", "/pairings/1/player_2": "nothing", "/pairings/2/kind": "spare"}


def test_a_spare_player_is_written_like_an_opponent():
    story = Story(pack=pack(FALLOUT))
    story.join(4)
    spare = story.staff(role="referee")
    story.do(hand("p1-p2", f"p3-{spare}", "p4", scenario="Melee"))
    assert [seat.kind for seat in story.seats(1)] == ["game", "spare", "bye"]
    twice = faults(Story(pack=pack(FALLOUT)), hand("p1-s1", "p2-s1", scenario="Melee"))
    assert twice["/pairings/0/player_2"] == "s1"


def test_in_several_venues_a_table_needs_its_venue_unless_it_follows():
    story = Story()
    story.venue("North", tables=2)
    story.venue("South", tables=2)
    story.join(2, venue="v2")
    story.join(2, venue="v1")
    found = faults(story, hand("p1-p3@1", "p2-p4@2"))
    assert found == {"/pairings/0/venue": "nothing", "/pairings/1/venue": "nothing"}
    story.do(hand("p1-p2@1", "p3-p4@1"))
    assert [(seat.venue, seat.table) for seat in story.seats(1)] == [("v2", 1), ("v1", 1)]


def test_the_rules_of_every_round_hold_by_hand_too(story):
    story.join(4)
    story.do(hand("p1-p2", "p3-p4"))
    assert story.refusal(hand("p1-p3", "p2-p4")).code == "round-not-closed"
    assert story.refusal(hand("p1-p3", "p2-p4", round=1)).code == "round-already-paired"
    assert Story(tier="casual", rounds=None).refusal(hand()).code in ("rounds-not-fixed", "too-few-players")


def test_elimination_by_hand_needs_every_remaining_player():
    story = Story(pack=with_cut(), rounds=None)
    story.join(8)
    story.play()
    story.play()
    story.do(MakeCut())
    one, two, three, four = story.state.rounds.cut
    (out,) = {*story.state.entries.players} - {one, two, three, four} and [
        next(p for p in story.state.entries.players if p not in story.state.rounds.cut)
    ]
    found = faults(story, hand(f"{one}-{two}", f"{three}-{out}", sitting_out=[four]))
    assert found["/pairings/1"] == out
    assert found["/sitting_out/0"] == four
    story.do(hand(f"{one}-{two}", f"{three}-{four}"))
    assert story.state.rounds.rounds[3].stage == "elimination"
    story.do(StartRound(round=3))
    story.finish(3)
    story.play()
    assert story.pairs(4) == {frozenset((one, three))}


def test_a_scenario_is_one_of_the_rulesets(story):
    story.join(2)
    *_, paired = story.do(PairRound(scenario="Ambush"))
    assert paired.scenario == "Ambush"  # this ruleset lists none, so any may be noted
    story = Story(pack=pack(FALLOUT))
    story.join(2)
    assert faults(story, PairRound(scenario="Death Star")) == {"/scenario": "Death Star"}
    *_, paired = story.do(PairRound(scenario="Chokepoint"))
    assert paired.scenario == "Raid"


@pytest.mark.clause("FF-AMB-8")
def test_a_round_needs_a_scenario_before_publication_even_without_a_bye():
    story = Story(pack=pack(FALLOUT))
    story.join(2)
    refusal = story.refusal(PairRound())
    assert (refusal.code, refusal.faults[0].where, refusal.faults[0].clause) == (
        "scenario-missing",
        "/scenario",
        "FF-AMB-8",
    )
    assert story.refusal(hand("p1-p2")).code == "scenario-missing"
    story.do(PairRound(scenario="Melee"))


@pytest.mark.clause("FF-BYE-2", "FF-AMB-8")
def test_a_bye_that_is_worth_what_the_scenario_says_needs_one():
    story = Story(pack=pack(FALLOUT, result={"scenario_per": "table"}))
    story.join(3)
    assert story.refusal(PairRound()).code == "scenario-missing"
    assert story.refusal(hand("p1-p2", "p3")).code == "scenario-missing"
    story.do(hand("p1-p2", sitting_out=["p3"]))  # nobody has a bye
    assert story.refusal(AmendPairings(round=1, reason="tea", pairings=[ByHand(player_1="p3")])).code == (
        "scenario-missing"
    )


def test_an_unknown_staff_member_of_another_status_does_not_play():
    story = Story(pack=pack(FALLOUT))
    story.join(2)
    gone = story.staff()
    story.registration(registration.StaffDismissed(staff=gone))
    assert list(faults(story, hand("p1", f"p2-{gone}", scenario="Melee"))) == ["/pairings/1/player_2"]


@pytest.mark.clause("FF-PAIR-7", "FF-PAIR-6")
def test_rematches_are_looked_for_before_a_round_is_published():
    story = Story(pack=pack(FALLOUT))
    story.join(4)
    story.play()
    met = ["-".join(sorted(pair)) for pair in story.pairs(1)]
    refused = story.refusal(hand(*met, scenario="Raid"))
    assert (refused.code, [fault.said for fault in refused.faults]) == (
        "pairings-refused",
        [pair.replace("-", ", ") for pair in met],
    )
    assert 2 not in story.state.rounds.rounds, "nothing was published"
    preview = story.decide(PairRound(scenario="Raid"), "organiser")
    seats = [seat for event in preview[:-1] for seat in event.pairings]
    assert not any(seat.rematch for seat in seats)
    assert not {frozenset(seat.players) for seat in seats} & story.pairs(1)
    story.do(hand(*met, scenario="Raid", allow_rematch=True))
    assert all(seat.rematch for seat in story.seats(2)), "a person who wants it is told that it is one"


@pytest.mark.clause("FF-PAIR-7")
def test_a_preview_shows_the_pairings_that_would_be_published_and_publishes_none(serve):
    story = Story(pack=pack(FALLOUT))
    story.join(4)
    pairing = serve(story)
    games = {
        "scenario": "Raid",
        "pairings": [{"player_1": "p1", "player_2": "p4"}, {"player_1": "p2", "player_2": "p3"}],
    }
    shown = pairing.post("/rounds?preview=true", games).json["moves"]["round"]["pairings"]
    assert pairing.get("/rounds/1").json["code"] == "round-unknown"
    assert pairing.post("/rounds", games).status_code == 201
    published = pairing.get("/rounds/1").json["pairings"]
    assert [(game["player_1"], game["player_2"], game["table"]) for game in published] == [
        (game["player_1"], game["player_2"], game["table"]) for game in shown
    ]


@pytest.mark.parametrize(("id", "scenario"), [(ARMADA, ""), (DUST, ""), (FALLOUT, "Melee")])
def test_sides_are_for_campaigns_alone(id: str, scenario: str):
    story = Story(pack=pack(id))
    story.join(4)
    games = [ByHand(sides=[["p1"], ["p2", "p3"]]), ByHand(player_1="p4")]
    sides = PairRound(pairings=games, scenario=scenario)
    refusal = story.refusal(sides)
    fault = next(fault for fault in refusal.faults if fault.where == "/pairings/0/sides")
    clause = pack(id)["pairing"]["clause"]
    assert (fault.expected, fault.clause) == (expects("two-who-meet"), clause)
