"""Round robins: number of rounds, places in the schedule, and players who leave."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from services.pairing.plans import ByHand
from services.pairing.rounds import PairRound
from services.pairing.swiss_clocks import StartRound
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from shared.tournament import registration
from tests.services.pairing.stories import ROUND_ROBIN, Story


def championship(players: int, options: dict[str, object] | None = None, **announced: Any) -> Story:
    """A tournament with players, without a fixed number of rounds."""
    ruleset = to_json(apply_options(shipped_ruleset(ROUND_ROBIN), options or {}))
    story = Story(pack=ruleset, **{"rounds": None, **announced})
    story.join(players)
    return story


def play(pairing: Any, number: int) -> None:
    """A round over HTTP, every game of it won by its first player."""
    assert pairing.post("/rounds").status_code == 201
    assert pairing.post(f"/rounds/{number}/start").status_code == 201
    pairing.story.finish(number)


def met(story: Story, rounds: range) -> list[list[str]]:
    """Return the pairings of each round."""
    return [sorted(seat.players) for round in rounds for seat in story.seats(round) if seat.kind == "game"]


@pytest.mark.clause("RR-TAB-1", "RR-RND-1", "RR-DBL-1")
@pytest.mark.parametrize(
    ("players", "cycles", "rounds"), [(3, "single", 3), (4, "double", 6), (5, "single", 5), (6, "single", 5)]
)
def test_the_rounds_follow_from_the_number_of_players_and_no_further_one_is_paired(serve, players, cycles, rounds):
    story = championship(players, {"cycles": cycles})
    pairing = serve(story)
    assert pairing.get("/rounds").json["planned"] == rounds
    for _ in range(rounds):
        story.play()
    pairs = sorted([*map(sorted, combinations(story.state.entries.players, 2))] * (2 if cycles == "double" else 1))
    assert sorted(met(story, range(1, rounds + 1))) == pairs
    refused = story.refusal(PairRound())
    assert (refused.code, refused.data) == ("all-rounds-played", {"planned": rounds})
    assert {round.method for round in story.state.rounds.rounds.values()} == {
        "random",
        "double_round_robin" if cycles == "double" else "round_robin",
    }


@pytest.mark.clause("RR-RND-1")
def test_rounds_that_were_announced_end_earlier_and_never_go_beyond_the_table(serve):
    short = championship(6, rounds=2)
    assert [short.play(), short.play()] == [1, 2]
    assert short.refusal(PairRound()).code == "all-rounds-played"
    pairing = serve(championship(4, rounds=9))
    for number in (1, 2, 3):
        play(pairing, number)
    refused = pairing.post("/rounds")
    assert (refused.status_code, refused.json["code"], refused.json["data"]) == (409, "rounds-not-fixed", {"rounds": 3})


@pytest.mark.clause("RR-RND-1")
def test_fewer_than_three_are_no_round_robin_and_of_more_than_24_the_organiser_says_the_rounds(serve):
    assert championship(2).refusal(PairRound()).code == "too-few-players"
    assert serve(championship(25)).post("/rounds").json["code"] == "rounds-not-fixed"
    assert serve(championship(24)).post("/rounds").status_code == 201


@pytest.mark.clause("RR-AMB-4")
def test_a_player_checked_in_after_round_1_has_no_number_and_is_named(serve):
    story = championship(5, check_in=True)
    for player in ("p1", "p2", "p3", "p4"):
        story.registration(registration.PlayerCheckedIn(player=player))
    pairing = serve(story)
    play(pairing, 1)
    story.registration(registration.PlayerCheckedIn(player="p5"))
    refused = pairing.post("/rounds")
    assert (refused.status_code, refused.json["code"], refused.json["data"]) == (
        409,
        "rounds-not-fixed",
        {"players": ["p5"]},
    )
    story.drop("p5")
    assert pairing.post("/rounds").status_code == 201


@pytest.mark.clause("RR-OUT-1", "RR-OUT-2")
@pytest.mark.parametrize("leave", [Story.drop, Story.disqualify])
def test_the_opponent_of_a_departed_player_has_a_bye_and_other_pairings_stay(leave):
    story = championship(6, {"numbers": "seeded"})
    story.play()
    leave(story, "p4")
    story.play()
    assert story.pairs(2) == {frozenset({"p5", "p3"}), frozenset({"p1", "p2"}), frozenset({"p6"})}
    (bye,) = [seat for seat in story.seats(2) if seat.kind == "bye"]
    assert bye.reason == "number 6 of the table meets number 4, p4, who does not play"


@pytest.mark.clause("RR-NUM-1", "RR-TAB-1")
def test_the_table_goes_on_from_a_round_1_by_hand():
    story = championship(4)
    hand = [ByHand(player_1="p3", player_2="p1"), ByHand(player_1="p4", player_2="p2")]
    story.do(PairRound(pairings=hand, reason="drawn from a hat"))
    story.do(StartRound(round=1))
    story.finish(1)
    story.play()
    story.play()
    assert sorted(met(story, range(1, 4))) == sorted(map(sorted, combinations(story.state.entries.players, 2)))
