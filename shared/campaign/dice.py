"""Dice: what was thrown and what it counts as, the questions that dice answer, and where faces come from.

Faces come from outside: from the people who rolled at the table, or drawn by the service. FS-AUD-1.

| die | from a D12            | instead         | clause    |
|-----|-----------------------|-----------------|-----------|
| D12 | itself                |                 | FS-DICE-1 |
| D6  | half of it, rounded up| a die of six    | FS-DICE-1 |
| D3  | a quarter, rounded up |                 | FS-DICE-1 |

A question names the game or the round, the member or the group, the clause, how often it was asked, and the attempt. No
other command moves it. The same question has the same dice: also after a correction, and whoever rolls them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from shared.campaign.words import CampaignEvent, DiceRefused
from shared.refusals import Expected, Fault, expects, one_of
from shared.rules.model import Draws
from shared.shapes import Size
from shared.tournament.draws import SeededDraws

NATIVE = 12
_FORMULA = re.compile(
    r"(?P<open>\()?(?P<count>[1-9])D(?P<sides>12|6|3)(?:\+(?P<plus>\d+))?(?(open)\))(?:\*(?P<times>\d+))?"
)

Source = Literal["table", "service"]


class Die(Struct, frozen=True):
    """A die as it lay on the table."""

    sides: int
    natural: Annotated[int, "The face of the die."]


class Throw(Struct, frozen=True, omit_defaults=True):
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


def parse_formula(expression: str) -> Formula:
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


def faces_of(thrown: Throw | None) -> str:
    """The faces of a throw as they were told, to be said back; `nothing` where there is none."""
    return ", ".join(f"{die.natural}" for die in thrown.dice) if thrown and thrown.dice else "nothing"


def dice_or_nothing(expression: str) -> Expected:
    """Return the expectation of these dice; of nothing if the expression is empty."""
    return expects("value", value=expression) if expression else expects("nothing")


def derived(die: Die, sides: int) -> int:
    """What a die counts as where a die of `sides` is asked for. FS-DICE-1."""
    return die.natural if die.sides == sides else -(-die.natural * sides // die.sides)


def halve(number: int) -> int:
    """Half of a number, rounded up. FS-DICE-2."""
    return -(-number // 2)


def check_succeeds(natural: int, attribute: int) -> bool:
    """Whether a roll-under check succeeds: 1 always, 12 never, else not above the attribute. FS-DICE-3."""
    return natural == 1 or (natural != NATIVE and natural <= attribute)


def read_throw(
    thrown: Throw,
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
    asked = parse_formula(expression)
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


def faults_of_people(thrown: Throw, present: Collection[str]) -> list[Fault]:
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
    return tuple(Die(NATIVE, _face(answer, number)) for number in range(parse_formula(expression).count))


def _face(answer: str, number: int) -> int:
    for attempt in range(256):
        value = int.from_bytes(sha256(f"{answer}|{number}|{attempt}".encode()).digest())
        if value < 2**256 // NATIVE * NATIVE:
            return value % NATIVE + 1
    raise AssertionError("256 hashes in the last sixteenth of their range")


def _faults_of_dice(thrown: Throw, asked: Formula, expression: str, purpose: str) -> list[Fault]:
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


class RollPurpose(NamedTuple):
    """What one roll is for. group: whose roll it is. of: the member, the item or the rival that it is about, if any.

    purpose: the clause that asks, with a word where one clause asks for different rolls.
    """

    group: str
    purpose: str
    of: str = ""


class KeptRoll(Struct, frozen=True, omit_defaults=True, gc=False):
    """A recorded roll. told_by, role: who entered dice of the table first. agreed: both sides did, with their result.

    position: of its event in the log. discarded_by: position of the event that took it back; 0: the roll stands.
    """

    roll: str
    group: str
    round: int
    purpose: str
    dice: tuple[Die, ...]
    source: Source
    position: int
    member: str = ""
    rolled_by: str = ""
    witnessed_by: str = ""
    told_by: str = ""
    role: str = ""
    agreed: bool = False
    discarded_by: int = 0

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces as they lay."""
        return tuple(die.natural for die in self.dice)


class RolledDice(Struct):
    """Every roll of a log by its question, also those that were taken back.

    asked: kind of question -> how many rolls of it stand. A kind is all of a question but how often and the attempt.
    """

    rolls: dict[str, KeptRoll] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)

    def keep(self, question: str, roll: KeptRoll) -> KeptRoll:
        """Keep a recorded roll, and return it. Dice of the table keep who entered them first."""
        known = self.rolls.get(question)
        if known is not None and known.source == "table":
            roll = replace(roll, told_by=known.told_by, role=known.role, agreed=known.agreed)
        self.rolls[question] = roll
        if known is None or known.discarded_by:
            kind = kind_of(question)
            self.asked[kind] = self.asked.get(kind, 0) + 1
        return roll

    def take_back(self, is_void: Callable[[KeptRoll], bool], position: int) -> list[KeptRoll]:
        """Discard the rolls that are void until their questions are asked again. Return them.

        position: of the event that takes them back.
        """
        found = {question: roll for question, roll in self.rolls.items() if not roll.discarded_by and is_void(roll)}
        for question, roll in found.items():
            kind = kind_of(question)
            self.rolls[question] = replace(roll, discarded_by=position)
            self.asked[kind] -= 1
            if not self.asked[kind]:
                del self.asked[kind]
        return list(found.values())

    def discarded(self) -> list[KeptRoll]:
        """Return the rolls that were taken back and whose questions were not asked again."""
        return [roll for roll in self.rolls.values() if roll.discarded_by]


class Questions:
    """The questions of the dice of one decision, each of them asked once.

    game: group -> the game or the round that its rolls are of. rolled: what the log holds. rejected: rolls that were
    ruled not to stand, for which another attempt is made.
    """

    def __init__(
        self, draws: Draws, game: Callable[[str], str], rolled: RolledDice, rejected: Collection[str] = ()
    ) -> None:
        self.draws, self._game, self._rolled, self._rejected = draws, game, rolled, rejected
        self._here: Counter[str] = Counter()

    def next(self, asked: RollPurpose) -> str:
        """Return the question of the next roll of a kind."""
        about = f"{asked.group}/{asked.of}" if asked.of else asked.group
        kind = f"die: {self._game(asked.group)}, {about}, {asked.purpose}"
        self._here[kind] += 1
        often, attempt = self._rolled.asked.get(kind, 0) + self._here[kind], 1
        while (known := self.known(f"{kind}, {often}, {attempt}")) is not None and known.roll in self._rejected:
            attempt += 1
        return f"{kind}, {often}, {attempt}"

    def known(self, question: str) -> KeptRoll | None:
        """Return the roll that was made for a question before, if one was."""
        return self._rolled.rolls.get(question)


def kind_of(question: str) -> str:
    """Return a question without how often it was asked and the attempt."""
    return question.rsplit(", ", 2)[0]


GUESS = SeededDraws("guess")
"""Answers where nothing is drawn yet: whether a choice is possible does not depend on them."""
MOST_DICE = 9
"""Of one roll."""


class RollTold(Struct, frozen=True, omit_defaults=True):
    """Dice that were rolled at a table; without any, the service rolls. The roller is the player, unless it is said."""

    dice: Annotated[tuple[Die, ...], Size(MOST_DICE)] = ()
    rolled_by: Annotated[str, "The id of a player or a member of staff."] = ""
    witnessed_by: Annotated[str, "Somebody else who was there."] = ""


SERVICE = RollTold()

msgspec.json.Decoder(RollTold)  # its first use, in one thread alone: see shared/swiss/ruleset.py


def parse_rolls(told: Sequence[Mapping[str, Any]]) -> tuple[RollTold, ...]:
    """Rolls as a client sends them, of the right shape. Raises msgspec.ValidationError when they are none."""
    return msgspec.convert(told, tuple[RollTold, ...])


class DiceSource:
    """The dice of one decision, told or drawn, each with an id of its own.

    prefix, made: what ids begin with, and how many rolls the log holds already. questions: what the rolls answer.
    present: who may have rolled or seen a roll. roller: who rolled where a told roll does not say. told: the rolls in
    the order in which they are asked for; when they are used up the service rolls, if `drawn` says so. versions: of the
    rules, as rolls name them.
    """

    def __init__(
        self,
        prefix: str,
        made: int,
        questions: Questions,
        present: Collection[str],
        told: Sequence[RollTold] = (),
        *,
        roller: str = "",
        drawn: bool = False,
        versions: str = "",
    ) -> None:
        self.versions, self.questions = versions, questions
        self.present, self.roller, self.drawn = present, roller, drawn
        self._prefix, self._made, self._told = prefix, made, list(told)
        self._used = 0

    @property
    def draws(self) -> Draws:
        """What lots of the same decision are asked of."""
        return self.questions.draws

    def next(self, expression: str, asked: RollPurpose, replaces: str = "") -> Throw:
        """Return the next roll. Raises DiceRefused when none was told, or one by people who were not there."""
        where = f"/rolls/{self._used}"
        if self._used < len(self._told):
            said = self._told[self._used]
        elif self.drawn:
            said = SERVICE
        else:
            fault = Fault(where, "nothing", expects("rolled-or-drawn", dice=expression), "FS-AUD-1")
            raise DiceRefused(f"{expression} has to be rolled", [fault], expression=expression)
        self._used += 1
        return self.made(said, expression, asked, replaces, where)

    def drawn_by_service(self, expression: str, asked: RollPurpose, replaces: str = "") -> Throw:
        """Return a roll that the service makes."""
        return self.made(SERVICE, expression, asked, replaces)

    def made(
        self,
        said: RollTold,
        expression: str,
        asked: RollPurpose,
        replaces: str = "",
        where: str = "",
        *,
        roller: str = "",
    ) -> Throw:
        """Return a roll with its id; if its question was asked before, with the same dice.

        Raises DiceRefused for people who were not there, and for other faces than those that were rolled.
        """
        self._made += 1
        id, question = f"{self._prefix}{self._made}", self.questions.next(asked)
        known = self.questions.known(question)
        if known is not None and len(known.dice) == _number_of_dice(said, expression):
            _refuse_other_faces(said, known, where)
            people = known.rolled_by, known.witnessed_by
            return Throw(id, known.dice, replaces, known.source, *people, question, self.versions)
        if not said.dice:
            dice = drawn_dice(self.draws.answer(question), expression)
            return Throw(id, dice, replaces, "service", "", "", question, self.versions)
        roller = said.rolled_by or roller or self.roller
        thrown = Throw(id, said.dice, replaces, "table", roller, said.witnessed_by, question, self.versions)
        faults = faults_of_people(thrown, self.present)
        if faults:
            told = [replace(fault, where=where + fault.where.removeprefix("/roll")) for fault in faults]
            raise DiceRefused("a roll at the table needs a roller and a witness who were there", told)
        return thrown

    def faults_of_unused_rolls(self) -> list[Fault]:
        """Rolls that were told and that nothing asked for."""
        left = len(self._told) - self._used
        return (
            [Fault("/rolls", f"{len(self._told)}", expects("number-of-rolls", number=self._used), "FS-AUD-2")]
            if left > 0
            else []
        )


def _number_of_dice(said: RollTold, expression: str) -> int:
    """Return how many dice a roll has. A report says no expression."""
    return parse_formula(expression).count if expression else len(said.dice)


def _refuse_other_faces(said: RollTold, known: KeptRoll, where: str) -> None:
    """Raise DiceRefused if other faces are told than those that were rolled for the same question."""
    if not said.dice or said.dice == known.dice:
        return
    expected = (
        expects("faces-as-rolled-by", faces=list(known.faces), roll=known.roll, person=known.rolled_by)
        if known.rolled_by
        else expects("faces-as-rolled", faces=list(known.faces), roll=known.roll)
    )
    fault = Fault(f"{where}/dice", faces_of(Throw("", said.dice)), expected, "FS-AUD-1")
    raise DiceRefused("These dice have been rolled already; a correction keeps them.", [fault])


class SampleDice(DiceSource):
    """Dice that show ones, to see what a decision says of everything but its dice. asked: the expressions so far."""

    def __init__(self) -> None:
        super().__init__("", 0, Questions(GUESS, lambda group: "", RolledDice()), ())
        self.asked: list[str] = []

    def next(self, expression: str, asked: RollPurpose, replaces: str = "") -> Throw:
        """Return a roll of ones that nobody made."""
        self.asked.append(expression)
        return Throw("", tuple(Die(NATIVE, 1) for _ in range(parse_formula(expression).count)), replaces)
