"""Questions that dice answer: each is asked once, and the same question has the same dice. FS-AUD-1."""

from __future__ import annotations

import pytest

from shared.campaign.dice import DiceSource, Die, KeptRoll, Questions, RolledDice, RollPurpose, RollTold
from shared.campaign.encounters import draw_encounter
from shared.campaign.group import appoint_leader
from shared.campaign.outcomes import EncounterMet, EncounterResolved, MemberRemoved
from shared.campaign.words import DiceRefused
from tests.campaign.story import LOTS, RULES, a_group, dice, in_step, out, refused, then

INJURY = RollPurpose("p1", "FS-INJ-1", "m-2")


class Listening:
    """Draws that keep what they are asked."""

    def __init__(self) -> None:
        self.questions: list[str] = []

    def answer(self, question: str) -> str:
        self.questions.append(question)
        return LOTS.answer(question)


def kept(roll: str, *faces: int) -> KeptRoll:
    """A roll of p1 at the table."""
    return KeptRoll(roll, "p1", 1, "FS-INJ-1", tuple(Die(12, face) for face in faces), "table", 1, "m-2", "p1", "p2")


def questions(rolled: RolledDice, *rejected: str) -> Questions:
    """The questions of a decision after these rolls."""
    return Questions(LOTS, lambda group: "r1g1", rolled, rejected)


def test_a_question_names_the_game_the_member_the_clause_and_how_often() -> None:
    asked = questions(RolledDice())
    assert [asked.next(INJURY), asked.next(RollPurpose("p1", "FS-INJ-1", "m-3")), asked.next(INJURY)] == [
        "die: r1g1, p1/m-2, FS-INJ-1, 1, 1",
        "die: r1g1, p1/m-3, FS-INJ-1, 1, 1",
        "die: r1g1, p1/m-2, FS-INJ-1, 2, 1",
    ]
    assert asked.next(RollPurpose("p1", "FS-GAM-5")) == "die: r1g1, p1, FS-GAM-5, 1, 1"


def test_rolls_that_stand_are_counted_and_those_that_were_taken_back_are_not() -> None:
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


def test_each_ruling_against_a_die_is_another_attempt() -> None:
    rolled = RolledDice()
    for attempt in (1, 2):
        rolled.keep(f"die: r1g1, p1/m-2, FS-INJ-1, 1, {attempt}", kept(f"s{attempt}", 9, attempt))
        rolled.discard(lambda roll: True, attempt)
    assert questions(rolled, "s1").next(INJURY).endswith(", 1, 2")
    assert questions(rolled, "s1", "s2").next(INJURY).endswith(", 1, 3")
    assert questions(rolled).next(INJURY).endswith(", 1, 1")


def test_dice_that_were_rolled_are_rolled_again_whoever_rolls() -> None:
    rolled = RolledDice()
    rolled.keep("die: r1g1, p1/m-2, FS-INJ-1, 1, 1", kept("s1", 9, 4))
    rolled.discard(lambda roll: True, 7)

    def source(*told: RollTold) -> DiceSource:
        return DiceSource("s", 1, questions(rolled), ("p1", "p2"), told, drawn=True)

    thrown = source().next("2D12", INJURY)
    assert ([die.natural for die in thrown.dice], thrown.source, thrown.witnessed_by) == ([9, 4], "table", "p2")
    same = RollTold((Die(12, 9), Die(12, 4)), "p2", "p1")
    assert source(same).next("2D12", INJURY) == thrown
    other = RollTold((Die(12, 9), Die(12, 5)), "p1", "p2")
    assert refused(DiceRefused, source(other).next, "2D12", INJURY) == [("/rolls/0/dice", "FS-AUD-1")]


def test_other_dice_than_were_asked_for_before_are_rolled() -> None:
    """What a row of a table asks for may be another number of dice, once something before it was corrected."""
    rolled = RolledDice()
    rolled.keep("die: r1g1, p1/m-2, FS-INJ-1, 1, 1", kept("s1", 9))
    rolled.discard(lambda roll: True, 7)
    thrown = DiceSource("s", 1, questions(rolled), (), drawn=True).next("2D12", INJURY)
    assert (len(thrown.dice), thrown.source) == (2, "service")


def test_how_many_rolls_there_were_moves_no_face() -> None:
    few, many = (dice(made=made).drawn_by_service("2D12", INJURY) for made in (0, 40))
    assert (few.id, many.id) == ("r1", "r41")
    assert (few.dice, few.question) == (many.dice, many.question)


@pytest.mark.clause("FS-ENC-4", "FS-DICE-4")
def test_each_card_that_is_drawn_is_a_question_of_its_own() -> None:
    draws, group = Listening(), out(ranks="vgg")
    for member in ("m-2", "m-3"):
        group = then(group, EncounterMet(member, "r-1"))
        group = then(group, draw_encounter(RULES, group, member, draws))
        group = then(group, EncounterResolved(member, "escaped"))
    assert draws.questions == ["lot: encounter 1 of raiders-1, 1", "lot: encounter 2 of raiders-1, 1"]


@pytest.mark.clause("FS-LDR-2", "FS-DICE-4")
def test_each_leader_who_is_drawn_is_a_question_of_its_own() -> None:
    draws, group = Listening(), in_step(a_group(ranks="vvvv"), "1")
    for _ in range(2):
        group = then(group, MemberRemoved(group.leader, "dead", "lost", "FS-INJ-1"))
        group = then(group, appoint_leader(RULES, group, draws, 1))
    assert draws.questions == ["lot: leader 1 of raiders-1, 1", "lot: leader 2 of raiders-1, 1"]
