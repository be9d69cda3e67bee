"""DW-EX-6 to its end: a cut to four, a tied semifinal and final, and the winner."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.pairing.plans import ByHand
from services.pairing.rounds import PairRound
from services.pairing.swiss_clocks import StartRound
from services.pairing.swiss_cut import MakeCut
from shared.rules.model import draw_order
from shared.swiss.ranking import BRACKET_TIE
from shared.tournament.results import ResultConfirmed, ResultReported
from tests.services.pairing.stories import Story, with_cut

FOLDER = Path(__file__).parents[1] / "rules" / "data"
NAMES = ["Ana", "Ben", "Cy", "Dee", "Eli", "Fay"]
WINNERS: dict[str, Any] = {">": 1, "<": 2, "=": "draw"}


def example() -> tuple[dict[int, list[str]], dict[int, dict[str, Any]], list[str]]:
    """The games of the rounds before the cut, the elimination rounds, and the final places."""
    swiss = yaml.safe_load((FOLDER / "adjacent_examples.yaml").read_text("utf-8"))["DW-EX-6"]
    after = yaml.safe_load((FOLDER / "dust_examples.yaml").read_text("utf-8"))["DW-EX-6-cut"]
    return swiss["games"], after["elimination"], after["places"]


def id_of(name: str) -> str:
    return f"p{NAMES.index(name) + 1}"


def name_of(player: str) -> str:
    return NAMES[int(player[1:]) - 1]


def report(story: Story, number: int, text: str) -> None:
    """Tell the result of `Ana > Fay 150-20`, whichever of the two sits first."""
    one, how, two, points = text.split()
    facts: dict[str, Any] = dict(zip(("points_1", "points_2"), map(int, re.findall(r"\d+", points)), strict=True))
    facts["winner"] = WINNERS[how]
    seat = story.seat_of(number, id_of(one))
    if seat.player_1 != id_of(one):
        facts = {
            "points_1": facts["points_2"],
            "points_2": facts["points_1"],
            "winner": {1: 2, 2: 1}.get(facts["winner"], "draw"),
        }
    assert {seat.player_1, seat.player_2} == {id_of(one), id_of(two)}
    story.scoring(
        ResultReported(round=number, game=seat.game, facts=facts, side=1),
        ResultConfirmed(round=number, game=seat.game, side=2),
    )


def until_the_cut(bracket: str = "seeded") -> Story:
    story = Story(pack=with_cut(bracket), rounds=None)
    story.join(len(NAMES))
    for number, games in example()[0].items():
        pairs = [ByHand(player_1=id_of(text.split()[0]), player_2=id_of(text.split()[2])) for text in games]
        story.do(PairRound(pairings=pairs, reason="as in the example"))
        story.do(StartRound(round=number))
        for text in games:
            report(story, number, text)
        story.close(number)
    story.do(MakeCut())
    return story


@pytest.mark.clause("DW-EX-6", "DW-RND-2", "DW-CUT-1", "DW-CUT-2", "DW-CUT-3", "DW-CUT-4", "DW-CUT-5", "DW-CUT-6")
@pytest.mark.clause("DW-AMB-4", "DW-AMB-5", "DW-AMB-12")
def test_a_tied_final_is_decided_by_the_rounds_before_it() -> None:
    _, elimination, places = example()
    story = until_the_cut()
    assert [name_of(player) for player in story.state.rounds.cut] == ["Eli", "Cy", "Ana", "Ben"]
    for number, expected in elimination.items():
        story.do(PairRound())
        seats = [f"{name_of(seat.player_1)}-{name_of(seat.player_2)}" for seat in story.seats(number)]
        assert [set(seat.split("-")) for seat in seats] == [set(pair.split("-")) for pair in expected["pairs"]]
        story.do(StartRound(round=number))
        for text in expected["games"]:
            report(story, number, text)
        story.close(number)
    recorded = story.state.results.recorded[max(elimination)]
    assert [name_of(row.player) for row in recorded.rows] == places
    assert not [draw for draw in recorded.draws if draw.purpose == BRACKET_TIE]


@pytest.mark.clause("DW-EX-6", "DW-AMB-4", "DW-AMB-11")
def test_a_drawn_bracket_changes_only_the_pairings() -> None:
    story = until_the_cut("random")
    *_, paired = story.do(PairRound())
    a, b, c, d = draw_order(paired.seed, "bracket", 3, [id_of(name) for name in ("Eli", "Cy", "Ana", "Ben")])
    assert story.pairs(3) == {frozenset((a, d)), frozenset((b, c))}
    assert [name_of(player) for player in story.state.rounds.cut] == ["Eli", "Cy", "Ana", "Ben"]
