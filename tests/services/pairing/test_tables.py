"""Tables under each rules document, over two rounds of the service."""

from __future__ import annotations

import pytest

from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from shared.tournament import registration
from tests.services.pairing.stories import ARMADA, DUST, FALLOUT, Story


@pytest.fixture
def hall(serve):
    """Four players and so many tables of one hall."""

    def open(ruleset, tables, accessible=()):
        story = Story(pack=to_json(shipped_ruleset(ruleset)))
        story.venue(tables=tables, accessible=accessible)
        story.join(4)
        return serve(story)

    return open


def pair(pairing, number: int) -> dict[str, int]:
    """A round is paired; player -> table."""
    scenario = {"scenario": "Melee"} if pairing.story.state.entries.ruleset["id"] == FALLOUT else {}
    assert pairing.post("/rounds", scenario).status_code == 201
    shown = pairing.get(f"/rounds/{number}").json["pairings"]
    return {player: seat["table"] for seat in shown for player in (seat["player_1"], seat["player_2"])}


def two_rounds(pairing) -> tuple[dict[str, int], dict[str, int]]:
    first = pair(pairing, 1)
    pairing.post("/rounds/1/start")
    pairing.story.finish(1)
    return first, pair(pairing, 2)


@pytest.mark.parametrize(
    "ruleset",
    [
        pytest.param(ARMADA, marks=pytest.mark.clause("AR-TBL-1", "AR-STAFF-2")),
        pytest.param(FALLOUT, marks=pytest.mark.clause("FF-AMB-28", "FF-TBL-2")),
    ],
)
def test_no_player_returns_to_a_table_while_another_is_free(hall, ruleset):
    first, second = two_rounds(hall(ruleset, tables=4))
    assert sorted(first.values()) == [1, 1, 2, 2]
    assert sorted(second.values()) == [3, 3, 4, 4]


@pytest.mark.clause("FF-TBL-2", "FF-AMB-28")
def test_a_table_comes_again_where_there_is_no_other(hall):
    first, second = two_rounds(hall(FALLOUT, tables=2))
    assert sorted(second.values()) == sorted(first.values())


@pytest.mark.clause("DW-TBL-3", "DW-TBL-1")
def test_in_dust_warfare_the_first_tables_are_taken_again(hall):
    first, second = two_rounds(hall(DUST, tables=4))
    assert sorted(second.values()) == sorted(first.values()) == [1, 1, 2, 2]


@pytest.mark.clause("FF-REG-6", "FF-TBL-3", "FF-AMB-28")
def test_a_pinned_player_plays_at_one_table_and_the_reason_stays_private(hall):
    pairing = hall(FALLOUT, tables=4, accessible=(4,))
    pairing.story.registration(registration.PlayerPinned(player="p3", venue="v1", table=4))
    first, second = two_rounds(pairing)
    assert (first["p3"], second["p3"]) == (4, 4)
    shown = pairing.get("/tables").json["items"][0]["tables"][3]
    assert set(shown) == {"table", "accessible", "game", "pinned"}
    assert shown["pinned"] == [{"player": "p3", "name": "P3"}]


@pytest.mark.clause("FF-TBL-2")
def test_a_game_moves_and_its_pairing_stays(hall):
    pairing = hall(FALLOUT, tables=4)
    pair(pairing, 1)
    before = pairing.get("/rounds/1/games/r1g1").json
    assert pairing.post("/rounds/1/games/r1g1/table", {"table": 4}, role="referee").status_code == 201
    after = pairing.get("/rounds/1/games/r1g1").json
    assert after == before | {"table": 4}
