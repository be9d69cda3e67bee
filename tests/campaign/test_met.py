"""Earlier meetings before a round: rivals of games that were played (FS-RND-2, FS-RND-5)."""

from __future__ import annotations

import pytest

from services.pairing.campaign_pairing_rules import met_before
from shared.rules.matching import RematchCost
from shared.tournament.results import Result
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament

ALLIES = [["A", "B"], ["C", "D"]]
THREE = [["A"], ["B"], ["C"]]


def after(sides: list[list[str]], kind: str = "game", status: str = "confirmed") -> Tournament:
    """Return a campaign with one game in round 1."""
    seat = Seat(game="r1g1", kind="game", player_1=sides[0][0], player_2=sides[1][0], sides=sides)
    state = Tournament()
    state.rounds.rounds[1] = Round(1, "league", "manual", {"r1g1": seat})
    state.results.results["r1g1"] = Result(1, "r1g1", {"kind": kind}, status)
    return state


@pytest.mark.clause("FS-RND-5", "FS-RND-2")
def test_rivals_have_met_and_allies_have_not() -> None:
    def rivals(sides: list[list[str]]) -> dict[str, set[str]]:
        return {group: set(others) for group, others in met_before(after(sides), 2).items()}

    assert rivals(ALLIES) == {"A": {"C", "D"}, "B": {"C", "D"}, "C": {"A", "B"}, "D": {"A", "B"}}
    assert rivals(THREE) == {"A": {"B", "C"}, "B": {"A", "C"}, "C": {"A", "B"}}
    assert met_before(after(ALLIES), 1) == {}
    assert met_before(after(THREE), 2)["A"]["B"] == RematchCost(1, running=1, earlier=1)
    assert met_before(after(THREE), 3)["A"]["B"] == RematchCost(1, running=0, earlier=1)


@pytest.mark.clause("FS-RND-5", "FS-RND-2")
@pytest.mark.parametrize(("kind", "status"), [("no_show", "confirmed"), ("game", "reported"), ("game", "disputed")])
def test_unplayed_and_unbinding_games_are_no_meetings(kind: str, status: str) -> None:
    assert met_before(after(THREE, kind, status), 2) == {}
