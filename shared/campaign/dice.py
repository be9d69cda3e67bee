"""Dice: what was thrown, what it counts as, and how it is recorded. Faces come from outside; nothing is rolled here.

| die | from a D12            | instead         | clause    |
|-----|-----------------------|-----------------|-----------|
| D12 | itself                |                 | FS-DICE-1 |
| D6  | half of it, rounded up| a die of six    | FS-DICE-1 |
| D3  | a quarter, rounded up |                 | FS-DICE-1 |
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import Annotated, Literal

from msgspec import Struct

from shared.formats.campaign.rules.refusals import DiceRefused
from shared.formats.campaign.rules.words import CampaignEvent
from shared.refusals import Expected, Fault, expects, one_of

NATIVE = 12
_FORMULA = re.compile(
    r"(?P<open>\()?(?P<count>[1-9])D(?P<sides>12|6|3)(?:\+(?P<plus>\d+))?(?(open)\))(?:\*(?P<times>\d+))?"
)

Source = Literal["table", "service"]


class Die(Struct, frozen=True):
    """A die as it lay on the table."""

    sides: int
    natural: Annotated[int, "The face of the die."]


class Thrown(Struct, frozen=True, omit_defaults=True):
    """What is said of one throw. id: of the roll, never used twice. replaces: the roll that it is a re-roll of.

    question: what was asked; the faces of the service follow from its answer. versions: of the rules it was made under
    (FS-AUD-3).
    """

    id: str
    dice: tuple[Die, ...]
    replaces: str = ""
    source: Source = "table"
    rolled_by: str = ""
    witnessed_by: str = ""
    question: str = ""
    versions: str = ""


class Modifier(Struct, frozen=True):
    """Something added to a roll, and where it comes from (`perk.explorer`, `turf.marketplace`, `attribute.C`)."""

    source: str
    value: int


class Row(Struct, frozen=True):
    """A row of a dice table: the totals least to most."""

    least: int
    most: int


class Hit(Struct, frozen=True):
    """The row of a table that a total hit."""

    table: str
    least: int
    most: int


class DieRolled(CampaignEvent, frozen=True):
    """A roll as it is recorded. derived: each die as D6 or D3 where the expression asks for one. FS-AUD-1.

    purpose: the clause that asked for it. total: with modifiers, as read in the table or compared. question: what was
    asked, with how often it was asked before; the same question has the same faces.
    """

    roll: str
    purpose: str
    expression: str
    dice: tuple[Die, ...]
    derived: tuple[int, ...]
    total: int
    modifiers: tuple[Modifier, ...] = ()
    row: Hit | None = None
    member: str = ""
    replaces: str = ""
    source: Source = "table"
    rolled_by: str = ""
    witnessed_by: str = ""
    question: str = ""
    versions: str = ""

    @property
    def natural(self) -> int:
        """The face of the first die as it lay."""
        return self.dice[0].natural


class Formula(Struct, frozen=True):
    """`(2D6+2)*5`: count dice of so many sides, plus a number, times a number."""

    count: int
    sides: int
    plus: int = 0
    times: int = 1

    def value(self, derived: Sequence[int], more: int = 0, *, arithmetic: bool = False) -> int:
        """What the dice make. arithmetic: multiply before adding, as the text is printed. FS-TRF-2, FS-AMB-29."""
        if arithmetic:
            return sum(derived) * (1 if self.plus else self.times) + self.plus * self.times + more
        return (sum(derived) + self.plus + more) * self.times


def formula(expression: str) -> Formula:
    """The formula that a text like `2D12` or `(1D3+2)*8` says. Raises ValueError when it says none."""
    found = _FORMULA.fullmatch(expression)
    if not found:
        raise ValueError(f"{expression!r} is no dice expression")
    return Formula(
        count=int(found["count"]),
        sides=int(found["sides"]),
        plus=int(found["plus"] or 0),
        times=int(found["times"] or 1),
    )


def faces_of(thrown: Thrown | None) -> str:
    """The faces of a throw as they were told, to be said back; `nothing` where there is none."""
    return ", ".join(f"{die.natural}" for die in thrown.dice) if thrown and thrown.dice else "nothing"


def dice_or_nothing(expression: str) -> Expected:
    """Return the expectation of these dice; of nothing if the expression is empty."""
    return expects("value", value=expression) if expression else expects("nothing")


def derived(die: Die, sides: int) -> int:
    """What a die counts as where a die of `sides` is asked for. FS-DICE-1."""
    return die.natural if die.sides == sides else -(-die.natural * sides // die.sides)


def halved(number: int) -> int:
    """Half of a number, rounded up. FS-DICE-2."""
    return -(-number // 2)


def check_succeeds(natural: int, attribute: int) -> bool:
    """Whether a roll-under check succeeds: 1 always, 12 never, else not above the attribute. FS-DICE-3."""
    return natural == 1 or (natural != NATIVE and natural <= attribute)


def read_throw(
    thrown: Thrown,
    expression: str,
    purpose: str,
    *,
    modifiers: Sequence[Modifier] = (),
    table: str = "",
    rows: Sequence[Row] = (),
    member: str = "",
    replaces: str = "",
    arithmetic: bool = False,
) -> DieRolled:
    """The throw as it is recorded, with its total and the row that it hits.

    rows: of the table, when there is one; modifiers never carry a total beyond its ends. replaces: the roll that has
    to be replaced, if any. Raises DiceRefused with every fault: how many dice, which, their faces, what is replaced.
    """
    asked = formula(expression)
    faults = _faults_of_dice(thrown, asked, expression, purpose)
    if thrown.replaces != replaces:
        expected = expects("replaced-roll", roll=replaces) if replaces else expects("nothing")
        faults.append(Fault("/roll/replaces", thrown.replaces or "nothing", expected, "FS-DICE-5"))
    if faults:
        raise DiceRefused(f"these are not dice for {expression}", faults, expression=expression)
    values = tuple(derived(die, asked.sides) for die in thrown.dice)
    total = asked.value(values, sum(modifier.value for modifier in modifiers), arithmetic=arithmetic)
    if rows:
        total = max(rows[0].least, min(rows[-1].most, total))
    hit = next((Hit(table, row.least, row.most) for row in rows if row.least <= total <= row.most), None)
    return DieRolled(
        thrown.id,
        purpose,
        expression,
        thrown.dice,
        values,
        total,
        tuple(modifiers),
        hit,
        member,
        thrown.replaces,
        thrown.source,
        thrown.rolled_by,
        thrown.witnessed_by,
        thrown.question,
        thrown.versions,
    )


def faults_of_people(thrown: Thrown, present: Collection[str]) -> list[Fault]:
    """Dice at the table are rolled by one who is present, and seen by another who is. present: player ids."""
    if thrown.source == "service":
        return []
    people = {"rolled_by": thrown.rolled_by, "witnessed_by": thrown.witnessed_by}
    expected = expects("present-person", people=sorted(present))
    faults = [
        Fault(f"/roll/{field}", person or "nothing", expected, "FS-AUD-1")
        for field, person in people.items()
        if person not in present
    ]
    if thrown.rolled_by and thrown.rolled_by == thrown.witnessed_by:
        faults.append(Fault("/roll/witnessed_by", thrown.witnessed_by, expects("other-present-person"), "FS-AUD-1"))
    return faults


def drawn_dice(answer: str, expression: str) -> tuple[Die, ...]:
    """Return the dice that the service rolls. answer: to the question of the roll, from which all its faces follow.

    A face is SHA-256 of `answer|number of the die|try`, modulo twelve. Hashes that would favour low faces are passed
    over. Only D12 are drawn; a D6 or D3 is derived from one.
    """
    return tuple(Die(NATIVE, _face(answer, number)) for number in range(formula(expression).count))


def _face(answer: str, number: int) -> int:
    for attempt in range(256):
        value = int.from_bytes(sha256(f"{answer}|{number}|{attempt}".encode()).digest())
        if value < 2**256 // NATIVE * NATIVE:
            return value % NATIVE + 1
    raise AssertionError("256 hashes in the last sixteenth of their range")


def _faults_of_dice(thrown: Thrown, asked: Formula, expression: str, purpose: str) -> list[Fault]:
    faults = []
    if len(thrown.dice) != asked.count:
        expected = expects("dice-count", count=asked.count, dice=expression)
        faults.append(Fault("/roll/dice", faces_of(thrown), expected, purpose))
    fitting = {12: {12}, 6: {6, 12}, 3: {12}}[asked.sides]
    for index, die in enumerate(thrown.dice):
        where = f"/roll/dice/{index}"
        if die.sides not in fitting:
            expected = one_of(sorted(fitting, reverse=True))
            faults.append(Fault(f"{where}/sides", f"{die.sides}", expected, "FS-DICE-1"))
        elif not 1 <= die.natural <= die.sides:
            faults.append(
                Fault(f"{where}/natural", f"{die.natural}", expects("between", least=1, most=die.sides), "FS-DICE-1")
            )
    return faults
