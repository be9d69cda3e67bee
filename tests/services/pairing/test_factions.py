"""A day of Fallout: Factions from pairing's side: who comes late, and whose crew turns out to be illegal."""

from __future__ import annotations

import pytest

from services.pairing.rounds import PairRound
from services.pairing.swiss_clocks import StartRound
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from shared.tournament import registration
from tests.auditing import decided_again
from tests.services.pairing.stories import FALLOUT, Story


@pytest.fixture
def evening():
    """Four players have played round 1; late entries are taken."""
    story = Story(pack=to_json(apply_options(shipped_ruleset(FALLOUT), {"late_entry": "zero_points"})))
    story.join(4)
    story.play()
    return story


def ranked(story: Story, round: int) -> dict[str, tuple[object, ...]]:
    """Players in the order of the recorded standings, with their values."""
    columns = ("tournament_points", "scenario_points", "wins")
    rows = story.state.results.recorded[round].rows
    return {row.player: tuple(row.values[column] for column in columns) for row in rows}


@pytest.mark.clause("FF-AMB-21")
def test_a_late_player_has_no_points_or_byes_for_missed_rounds(evening):
    before = ranked(evening, 1)
    evening.registration(registration.PlayerJoined(player="p5", name="P5", late=True))
    evening.registration(registration.RosterAccepted(player="p5"))
    evening.do(PairRound(scenario="Melee"))
    assert evening.seat_of(2, "p5").kind == "bye", "last in the standings"
    evening.do(StartRound(round=2))
    for game in ("r2g1", "r2g2"):
        evening.win(game)
    evening.close(2)
    assert ranked(evening, 2)["p5"] == (2, 13, 1), "the bye of round 2 alone"
    assert ranked(evening, 1) == before
    assert decided_again(evening.logs, "pairing") == []


@pytest.mark.clause("FF-AMB-15", "FF-REG-3")
def test_an_illegal_crew_found_after_round_1_is_amended_and_its_results_stay(evening):
    before = ranked(evening, 1)
    evening.registration(registration.RosterRejected(player="p3", note="a Perk too many"))
    evening.do(PairRound(scenario="Melee"))
    (started,) = evening.do(StartRound(round=2))
    assert started.held == ["p3"]
    evening.registration(registration.RosterSubmitted(player="p3", roster={}), registration.RosterAccepted(player="p3"))
    evening.finish(2)
    assert ranked(evening, 1) == before
    assert ranked(evening, 2)["p3"] >= before["p3"]


@pytest.mark.clause("FF-AMB-15", "FF-DQ-3", "FF-AMB-2")
def test_opponents_of_a_disqualified_player_keep_their_results(evening):
    before = ranked(evening, 1)
    evening.disqualify("p3")
    evening.do(PairRound(scenario="Melee"))
    assert "p3" not in {player for pair in evening.pairs(2) for player in pair}
    evening.do(StartRound(round=2))
    evening.finish(2)
    after = ranked(evening, 2)
    assert set(after) == {"p1", "p2", "p4"}
    assert all(after[player] >= before[player] for player in after)
