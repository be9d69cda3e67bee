"""Reading, checking and recording of dice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from shared.campaign.dice import (
    Die,
    Hit,
    Modifier,
    Row,
    Thrown,
    check_succeeds,
    drawn_dice,
    faults_of_people,
    halve,
    parse_formula,
    read_throw,
)
from shared.campaign.words import DiceRefused

EXPRESSIONS = ["1D12", "2D12", "1D6", "2D6", "1D3*10", "(1D3+2)*8", "3D3*8", "(2D6+2)*5", "4D12"]


def thrown(*faces: int, sides: int = 12, **more: str) -> Thrown:
    return Thrown("r-1", tuple(Die(sides, face) for face in faces), **more)


def faults(throw: Thrown, expression: str, **more: object) -> list[tuple[str, str]]:
    with pytest.raises(DiceRefused) as refused:
        read_throw(throw, expression, "FS-SCV-1", **more)
    assert all(fault.said and str(fault.expected) for fault in refused.value.faults)
    return [(fault.where, fault.clause) for fault in refused.value.faults]


@pytest.mark.clause("FS-DICE-1")
def test_d6_and_d3_are_derived_from_a_d12() -> None:
    faces = range(1, 13)
    assert [read_throw(thrown(face), "1D6", "x").total for face in faces] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    assert [read_throw(thrown(face), "1D3", "x").total for face in faces] == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
    assert read_throw(thrown(9, 12), "2D12", "x").total == 21


@pytest.mark.clause("FS-DICE-1")
def test_six_sided_die_is_accepted_for_a_d6_only() -> None:
    assert read_throw(thrown(5, sides=6), "1D6", "x").total == 5
    assert faults(thrown(5, sides=6), "1D12") == [("/roll/dice/0/sides", "FS-DICE-1")]
    assert faults(thrown(2, sides=6), "1D3") == [("/roll/dice/0/sides", "FS-DICE-1")]


@pytest.mark.clause("FS-DICE-1")
@pytest.mark.parametrize("face", [0, 13, -1])
def test_impossible_face_is_refused(face: int) -> None:
    assert faults(thrown(face), "1D12") == [("/roll/dice/0/natural", "FS-DICE-1")]


def test_wrong_number_of_dice_is_refused_with_the_clause() -> None:
    assert faults(thrown(3), "2D12") == [("/roll/dice", "FS-SCV-1")]
    assert faults(thrown(3, 4, 5), "2D12") == [("/roll/dice", "FS-SCV-1")]


@pytest.mark.clause("FS-DICE-2")
@pytest.mark.parametrize(("whole", "half"), [(25, 13), (24, 12), (1, 1), (0, 0)])
def test_halves_round_up(whole: int, half: int) -> None:
    assert halve(whole) == half


@pytest.mark.clause("FS-DICE-3")
@pytest.mark.parametrize(
    ("natural", "attribute", "succeeds"), [(1, 0, True), (12, 12, False), (6, 6, True), (7, 6, False), (11, 11, True)]
)
def test_roll_under_checks(natural: int, attribute: int, succeeds: bool) -> None:
    assert check_succeeds(natural, attribute) is succeeds


@pytest.mark.clause("FS-DICE-5")
def test_a_re_roll_names_the_roll_it_replaces() -> None:
    again = read_throw(thrown(4, replaces="r-0"), "1D12", "x", replaces="r-0")
    assert (again.roll, again.replaces) == ("r-1", "r-0")
    assert faults(thrown(4), "1D12", replaces="r-0") == [("/roll/replaces", "FS-DICE-5")]
    assert faults(thrown(4, replaces="r-0"), "1D12") == [("/roll/replaces", "FS-DICE-5")]


@pytest.mark.clause("FS-AUD-1", "FS-SCV-2")
def test_recorded_roll_has_its_modifiers_and_row() -> None:
    rows = (Row(1, 1), Row(2, 11), Row(12, 12))
    rolled = read_throw(thrown(12), "1D12", "x", modifiers=[Modifier("perk.explorer", 1)], table="finds", rows=rows)
    assert (rolled.total, rolled.row) == (12, Hit("finds", 12, 12))
    rolled = read_throw(thrown(2), "1D12", "x", modifiers=[Modifier("perk.explorer", -1)], table="finds", rows=rows)
    assert (rolled.total, rolled.row, rolled.natural) == (1, Hit("finds", 1, 1), 2)


@pytest.mark.clause("FS-AUD-1")
def test_table_dice_need_a_roller_and_another_witness_present() -> None:
    def places_of_faults(**people: str) -> list[str]:
        return [fault.where for fault in faults_of_people(thrown(1, **people), {"ann", "ben"})]

    assert places_of_faults(rolled_by="ann", witnessed_by="ben") == []
    assert places_of_faults(rolled_by="ann") == ["/roll/witnessed_by"]
    assert places_of_faults(rolled_by="ann", witnessed_by="ann") == ["/roll/witnessed_by"]
    assert places_of_faults(rolled_by="ann", witnessed_by="cy") == ["/roll/witnessed_by"]
    assert places_of_faults(rolled_by="cy", witnessed_by="ben") == ["/roll/rolled_by"]
    assert places_of_faults(source="service") == []


@pytest.mark.clause("FS-TRF-2")
@pytest.mark.parametrize(
    ("text", "derived", "first", "arithmetic"),
    [("(1D3+2)*8", [3], 40, 19), ("1D3*10", [2], 20, 20), ("3D3*8", [1, 2, 3], 48, 48), ("2D12", [4, 8], 12, 12)],
)
def test_formula_adds_dice_first_or_follows_arithmetic(
    text: str, derived: list[int], first: int, arithmetic: int
) -> None:
    assert parse_formula(text).value(derived) == first
    assert parse_formula(text).value(derived, arithmetic=True) == arithmetic
    assert [parse_formula("1D6").value([3], 1, arithmetic=way) for way in (False, True)] == [4, 4]


@pytest.mark.parametrize("text", ["", "D12", "1D8", "1D12+", "(1D3", "1D3)*8", "0D6", "1D6*"])
def test_invalid_dice_expressions(text: str) -> None:
    with pytest.raises(ValueError, match="no dice expression"):
        parse_formula(text)


@pytest.mark.clause("FS-DICE-4")
@given(some.text(max_size=20), some.sampled_from(EXPRESSIONS))
def test_service_dice_are_reproducible(answer: str, expression: str) -> None:
    dice = drawn_dice(answer, expression)
    assert dice == drawn_dice(answer, expression)
    rolled = read_throw(Thrown("r-1", dice, source="service"), expression, "FS-INJ-1")
    assert rolled.dice == dice
    assert rolled.total >= parse_formula(expression).count


def test_drawn_faces_are_uniform() -> None:
    faces = [drawn_dice(str(number), "1D12")[0].natural for number in range(6000)]
    assert set(faces) == set(range(1, 13))
    assert all(400 < faces.count(face) < 600 for face in range(1, 13))
