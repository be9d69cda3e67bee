"""Options that may change until round 1 is published."""

from __future__ import annotations

import pytest

from shared.tournament.rounds import PairingsDrawn, RoundPaired, Seat

SEATS = [Seat(game="r1g1", kind="game", player_1="p1", player_2="p2")]


def paired(evening):
    evening.say(
        "pairing",
        PairingsDrawn(round=1, page=1, pages=1, pairings=SEATS),
        RoundPaired(round=1, stage="swiss", method="random", games=1),
    )


def amended(evening, **options):
    return evening.post("/amendments", {"options": options})


def test_an_option_is_changed_and_restored(evening):
    done = amended(evening, sos="tome")
    assert done.status == 201
    assert done.events[0]["data"]["options"] == {"sos": "tome"}
    assert "address" in done.events[0]["data"]["ruleset"], "an answer names the ruleset, and does not hold it"
    assert evening.state.entries.ruleset["chosen"]["sos"] == "tome"
    assert amended(evening, sos="tome").events == []
    assert amended(evening, sos="sum").status == 201
    assert evening.state.entries.ruleset["chosen"]["sos"] == "sum"


def test_once_round_1_is_published_it_changes_no_more(evening):
    evening.join("Ana")
    evening.join("Ben")
    assert amended(evening, sos="tome").status == 201
    paired(evening)
    late = amended(evening, sos="sum")
    assert (late.status, late.code) == (409, "too-late-to-change")
    assert late.places == ["/options/sos"]


@pytest.mark.parametrize(
    ("options", "code", "place"),
    [
        ({"nonsense": 1}, "ruleset-option-refused", "/options/nonsense"),
        ({"fleet_limit": 300}, "too-late-to-change", "/options/fleet_limit"),
        ({"sos": "nonsense"}, "ruleset-option-refused", "/options/sos"),
    ],
)
def test_an_invalid_option_is_refused_with_its_place(evening, options, code, place):
    refused = amended(evening, **options)
    assert (refused.code, refused.places) == (code, [place])
