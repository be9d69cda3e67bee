"""Questions answered by dice: each is asked once, and the same question has the same dice (FS-AUD-1)."""

from __future__ import annotations

import pytest

from shared.campaign.dice import DiceSource, Die, KeptRoll, Questions, RolledDice, RollPurpose, RollTold
from shared.campaign.encounters import draw_encounter
from shared.campaign.group import appoint_leader
from shared.campaign.outcomes import MemberRemoved
from shared.campaign.post_game_outcomes import EncounterMet, EncounterResolved
from shared.campaign.words import DiceRefused
from tests.campaign.story import LOTS, RULES, a_group, dice, in_step, out, refused, then

INJURY = RollPurpose("p1", "FS-INJ-1", "m-2")


class Listening:
    """Draws that record the questions asked."""

    def __init__(self) -> None:
        self.questions: list[str] = []

    def answer(self, question: str) -> str:
        self.questions.append(question)
        return LOTS.answer(question)


def kept(roll: str, *faces: int) -> KeptRoll:
    """Return a roll by p1 at the table."""
    return KeptRoll(roll, "p1", 1, "FS-INJ-1", tuple(Die(12, face) for face in faces), "table", 1, "m-2", "p1", "p2")


def questions(rolled: RolledDice, *rejected: str) -> Questions:
    """Return the questions of a decision after these rolls."""
    return Questions(LOTS, lambda group: "r1g1", rolled, rejected)


def test_question_names_game_member_clause_and_count() -> None:
    asked = questions(RolledDice())
    assert [asked.next(INJURY), asked.next(RollPurpose("p1", "FS-INJ-1", "m-3")), asked.next(INJURY)] == [
        "die: r1g1, p1/m-2, FS-INJ-1, 1, 1",
        "die: r1g1, p1/m-3, FS-INJ-1, 1, 1",
        "die: r1g1, p1/m-2, FS-INJ-1, 2, 1",
    ]
    assert asked.next(RollPurpose("p1", "FS-GAM-5")) == "die: r1g1, p1, FS-GAM-5, 1, 1"


def test_discarded_rolls_are_not_counted() -> None:
    rolled = RolledDice()
    first, second = (f"die: r1g1, p1/m-2, FS-INJ-1, {often}, 1" for often in (1, 2))
    rolled.keep(first, kept("s1", 9, 9))
    assert questions(rolled).next(INJURY) == second
    assert [roll.roll for roll in rolled.discard(lambda roll: True, 7)] == ["s1"]
    assert questions(rolled).next(INJURY) == first
    assert [(roll.roll, roll.discarded_by) for roll in rolled.discarded()] == [("s1", 7)]
    rolled.keep(first, kept("s2", 9, 9))
    assert (rolled.discarded(), questions(rolled).next(INJURY)) == ([], second)
    assert rolled.discard(lambda roll: False, 9) == []


def test_each_rejected_die_starts_another_attempt() -> None:
    rolled = RolledDice()
    for attempt in (1, 2):
        rolled.keep(f"die: r1g1, p1/m-2, FS-INJ-1, 1, {attempt}", kept(f"s{attempt}", 9, attempt))
        rolled.discard(lambda roll: True, attempt)
    assert questions(rolled, "s1").next(INJURY).endswith(", 1, 2")
    assert questions(rolled, "s1", "s2").next(INJURY).endswith(", 1, 3")
    assert questions(rolled).next(INJURY).endswith(", 1, 1")


def test_same_question_has_the_same_dice_for_any_roller() -> None:
    rolled = RolledDice()
    rolled.keep("die: r1g1, p1/m-2, FS-INJ-1, 1, 1", kept("s1", 9, 4))
    rolled.discard(lambda roll: True, 7)

    def source(*reported: RollTold) -> DiceSource:
        return DiceSource("s", 1, questions(rolled), ("p1", "p2"), reported, drawn=True)

    thrown = source().next("2D12", INJURY)
    assert ([die.natural for die in thrown.dice], thrown.source, thrown.witnessed_by) == ([9, 4], "table", "p2")
    same = RollTold((Die(12, 9), Die(12, 4)), "p2", "p1")
    assert source(same).next("2D12", INJURY) == thrown
    other = RollTold((Die(12, 9), Die(12, 5)), "p1", "p2")
    assert refused(DiceRefused, source(other).next, "2D12", INJURY) == [("/rolls/0/dice", "FS-AUD-1")]


def test_other_number_of_dice_is_drawn_anew() -> None:
    """A table row may ask for another number of dice after a correction."""
    rolled = RolledDice()
    rolled.keep("die: r1g1, p1/m-2, FS-INJ-1, 1, 1", kept("s1", 9))
    rolled.discard(lambda roll: True, 7)
    thrown = DiceSource("s", 1, questions(rolled), (), drawn=True).next("2D12", INJURY)
    assert (len(thrown.dice), thrown.source) == (2, "service")


def test_number_of_earlier_rolls_does_not_change_faces() -> None:
    few, many = (dice(made=made).drawn_by_service("2D12", INJURY) for made in (0, 40))
    assert (few.id, many.id) == ("r1", "r41")
    assert (few.dice, few.question) == (many.dice, many.question)


@pytest.mark.clause("FS-ENC-4", "FS-DICE-4")
def test_each_drawn_card_has_its_own_question() -> None:
    draws, group = Listening(), out(ranks="vgg")
    for member in ("m-2", "m-3"):
        group = then(group, EncounterMet(member, "r-1"))
        group = then(group, draw_encounter(RULES, group, member, draws))
        group = then(group, EncounterResolved(member, "escaped"))
    assert draws.questions == ["lot: encounter 1 of raiders-1, 1", "lot: encounter 2 of raiders-1, 1"]


@pytest.mark.clause("FS-LDR-2", "FS-DICE-4")
def test_each_drawn_leader_has_its_own_question() -> None:
    draws, group = Listening(), in_step(a_group(ranks="vvvv"), "1")
    for _ in range(2):
        group = then(group, MemberRemoved(group.leader, "dead", "lost", "FS-INJ-1"))
        group = then(group, appoint_leader(RULES, group, draws, 1))
    assert draws.questions == ["lot: leader 1 of raiders-1, 1", "lot: leader 2 of raiders-1, 1"]
