"""Dice of a campaign: throws, recorded rolls, and the questions whose answers decide drawn dice.

Faces come from outside: players report what they rolled at the table, or the service draws them (FS-AUD-1).

| die | from a D12            | instead         | clause    |
|-----|-----------------------|-----------------|-----------|
| D12 | itself                |                 | FS-DICE-1 |
| D6  | half of it, rounded up| a die of six    | FS-DICE-1 |
| D3  | a quarter, rounded up |                 | FS-DICE-1 |

A question names the game or round, the member or group, the clause, how often it was asked, and the attempt. Other
commands never change it. The same question always has the same dice, even after a correction and for any roller.
"""

from __future__ import annotations

import re
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
    """A die as it was rolled.

    - `sides`: number of sides, 12 or 6.
    - `natural`: the face rolled.
    """

    sides: int
    natural: Annotated[int, "The face of the die."]


class Thrown(Struct, frozen=True, omit_defaults=True):
    """A throw of dice, reported or drawn, before it is read.

    - `id`: id of the roll; never reused.
    - `dice`: the dice rolled.
    - `replaces`: id of the roll that this one re-rolls; empty if it is no re-roll.
    - `source`: `table` if players rolled, `service` if the service drew the dice.
    - `rolled_by`: id of the person who rolled; empty for the service.
    - `witnessed_by`: id of a second person who saw the roll; empty for the service.
    - `question`: the question that the roll answers; the faces drawn by the service follow from its answer.
    - `versions`: the rules versions that the roll was made under (FS-AUD-3).
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
    """A value added to a roll.

    - `source`: where it comes from, such as `perk.explorer`, `turf.marketplace` or `attribute.C`.
    - `value`: the amount added.
    """

    source: str
    value: int


class Row(Struct, frozen=True):
    """A row of a dice table.

    least: the lowest total that hits the row.
    most: the highest total that hits the row.
    """

    least: int
    most: int


class Hit(Struct, frozen=True):
    """The row of a table that a total hit.

    - `table`: name of the table.
    - `least`: the lowest total of the row.
    - `most`: the highest total of the row.
    """

    table: str
    least: int
    most: int


class DieRolled(CampaignEvent, frozen=True):
    """Dice were rolled (FS-AUD-1).

    - `roll`: id of the roll; never reused.
    - `purpose`: the clause that asked for the roll.
    - `expression`: the dice asked for, such as `2D12` or `(1D3+2)*8`.
    - `dice`: the dice as they were rolled.
    - `derived`: value of each die after conversion to the D6 or D3 asked for.
    - `total`: the total with modifiers, as compared or read in the table.
    - `modifiers`: the values added, with their sources.
    - `row`: the table row that the total hit; absent if no table was read.
    - `member`: id of the member who the roll is for; empty for the group.
    - `replaces`: id of the roll that this one re-rolls; empty if it is no re-roll.
    - `source`: `table` if players rolled, `service` if the service drew the dice.
    - `rolled_by`: id of the person who rolled; empty for the service.
    - `witnessed_by`: id of a second person who saw the roll; empty for the service.
    - `question`: the question that the roll answers. The same question always has the same faces.
    - `versions`: the rules versions that the roll was made under (FS-AUD-3).
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
        """The face of the first die."""
        return self.dice[0].natural


class Formula(Struct, frozen=True):
    """A dice expression such as `(2D6+2)*5`.

    count: number of dice.
    sides: sides of each die.
    plus: number added to their sum.
    times: factor of the result.
    """

    count: int
    sides: int
    plus: int = 0
    times: int = 1

    def value(self, derived: Sequence[int], bonus: int = 0, *, arithmetic: bool = False) -> int:
        """Return the value of the dice plus `bonus`.

        derived: value of each die, converted to the sides asked for.
        arithmetic: multiply before adding, as the text is printed (FS-TRF-2, FS-AMB-29).
        """
        if arithmetic:
            return sum(derived) * (1 if self.plus else self.times) + self.plus * self.times + bonus
        return (sum(derived) + self.plus + bonus) * self.times


def parse_formula(expression: str) -> Formula:
    """Return the formula of a text such as `2D12` or `(1D3+2)*8`. Raise ValueError if it is none."""
    match = _FORMULA.fullmatch(expression)
    if not match:
        raise ValueError(f"{expression!r} is no dice expression")
    return Formula(
        count=int(match["count"]),
        sides=int(match["sides"]),
        plus=int(match["plus"] or 0),
        times=int(match["times"] or 1),
    )


def faces_of(throw: Thrown | None) -> str:
    """Return the faces of a throw for a fault message; `nothing` without a throw."""
    return ", ".join(f"{die.natural}" for die in throw.dice) if throw and throw.dice else "nothing"


def dice_or_nothing(expression: str) -> Expected:
    """Return the `expected` part of a fault: these dice, or nothing if the expression is empty."""
    return expects("value", value=expression) if expression else expects("nothing")


def derived(die: Die, sides: int) -> int:
    """Return a rolled value converted to a die with `sides` sides (FS-DICE-1)."""
    return die.natural if die.sides == sides else -(-die.natural * sides // die.sides)


def halve(number: int) -> int:
    """Return half of a number, rounded up (FS-DICE-2)."""
    return -(-number // 2)


def check_succeeds(natural: int, attribute: int) -> bool:
    """Return True if a roll-under check succeeds (FS-DICE-3).

    A 1 always succeeds and a 12 always fails; any other face succeeds up to the attribute.
    """
    return natural == 1 or (natural != NATIVE and natural <= attribute)


def read_throw(
    throw: Thrown,
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
    """Return the recorded form of a throw, with its total and the table row that it hits.

    rows: rows of the table, if one is read; the total stays within the table.
    replaces: id of the roll that must be re-rolled, if any.
    Raises DiceRefused with every fault: number of dice, sides, faces, replaced roll.
    """
    formula = parse_formula(expression)
    faults = _faults_of_dice(throw, formula, expression, purpose)
    if throw.replaces != replaces:
        expected = expects("replaced-roll", roll=replaces) if replaces else expects("nothing")
        faults.append(Fault("/roll/replaces", throw.replaces or "nothing", expected, "FS-DICE-5"))
    if faults:
        raise DiceRefused(f"these are not dice for {expression}", faults, expression=expression)
    values = tuple(derived(die, formula.sides) for die in throw.dice)
    total = formula.value(values, sum(modifier.value for modifier in modifiers), arithmetic=arithmetic)
    if rows:
        total = max(rows[0].least, min(rows[-1].most, total))
    hit_row = next((Hit(table, row.least, row.most) for row in rows if row.least <= total <= row.most), None)
    return DieRolled(
        throw.id,
        purpose,
        expression,
        throw.dice,
        values,
        total,
        tuple(modifiers),
        hit_row,
        member,
        throw.replaces,
        throw.source,
        throw.rolled_by,
        throw.witnessed_by,
        throw.question,
        throw.versions,
    )


def faults_of_people(throw: Thrown, present: Collection[str]) -> list[Fault]:
    """Return faults unless two different people who are present rolled and witnessed the throw.

    present: ids of the people who are present.
    """
    if throw.source == "service":
        return []
    people = {"rolled_by": throw.rolled_by, "witnessed_by": throw.witnessed_by}
    expected = expects("present-person", people=sorted(present))
    faults = [
        Fault(f"/roll/{field}", person or "nothing", expected, "FS-AUD-1")
        for field, person in people.items()
        if person not in present
    ]
    if throw.rolled_by and throw.rolled_by == throw.witnessed_by:
        faults.append(Fault("/roll/witnessed_by", throw.witnessed_by, expects("other-present-person"), "FS-AUD-1"))
    return faults


def drawn_dice(answer: str, expression: str) -> tuple[Die, ...]:
    """Return the dice that the service draws. All faces follow from the answer to the question of the roll.

    A face is SHA-256 of `answer|number of the die|attempt`, modulo twelve. Hashes that would favour low faces are
    skipped.
    The service draws D12 only; a D6 or D3 is derived from one.
    """
    return tuple(Die(NATIVE, _face(answer, number)) for number in range(parse_formula(expression).count))


def _face(answer: str, number: int) -> int:
    for attempt in range(256):
        value = int.from_bytes(sha256(f"{answer}|{number}|{attempt}".encode()).digest())
        if value < 2**256 // NATIVE * NATIVE:
            return value % NATIVE + 1
    raise AssertionError("256 hashes in the last sixteenth of their range")


def _faults_of_dice(throw: Thrown, formula: Formula, expression: str, purpose: str) -> list[Fault]:
    faults = []
    if len(throw.dice) != formula.count:
        expected = expects("dice-count", count=formula.count, dice=expression)
        faults.append(Fault("/roll/dice", faces_of(throw), expected, purpose))
    fitting = {12: {12}, 6: {6, 12}, 3: {12}}[formula.sides]
    for index, die in enumerate(throw.dice):
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
    """The purpose of one roll.

    group: id of the group that rolls.
    purpose: the clause that asks for the roll, with a word if one clause asks for several kinds.
    of: id of the member, item or rival that the roll concerns, if any.
    """

    group: str
    purpose: str
    of: str = ""


class KeptRoll(Struct, frozen=True, omit_defaults=True, gc=False):
    """A recorded roll.

    position: position of its event in the log.
    reported_by: id of the person who first entered dice rolled at the table.
    role: role in which that person acted.
    agreed: both sides confirmed the dice together with their result.
    discarded_by: position of the event that took the roll back; 0 while the roll is valid.
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
    reported_by: str = ""
    role: str = ""
    agreed: bool = False
    discarded_by: int = 0

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces as rolled."""
        return tuple(die.natural for die in self.dice)


class RolledDice(Struct):
    """Every roll of a log by its question, including rolls that were taken back."""

    rolls: dict[str, KeptRoll] = field(default_factory=dict)

    def keep(self, question: str, roll: KeptRoll) -> KeptRoll:
        """Keep a recorded roll and return it. Dice rolled at the table keep the person who entered them first."""
        known = self.rolls.get(question)
        if known is not None and known.source == "table":
            roll = replace(roll, reported_by=known.reported_by, role=known.role, agreed=known.agreed)
        self.rolls[question] = roll
        return roll

    def is_valid(self, count: str, void: Collection[str] = ()) -> bool:
        """Return True if a question without its attempt has a valid roll, even one that staff rejected.

        void: ids of further rolls that do not count.
        """
        attempt = 1
        while (known := self.rolls.get(f"{count}, {attempt}")) is not None:
            if not known.discarded_by and known.roll not in void:
                return True
            attempt += 1
        return False

    def discard(self, is_void: Callable[[KeptRoll], bool], position: int) -> list[KeptRoll]:
        """Discard the void rolls until their questions are asked again. Return them.

        position: position of the event that takes them back.
        """
        void = {question: roll for question, roll in self.rolls.items() if not roll.discarded_by and is_void(roll)}
        for question, roll in void.items():
            self.rolls[question] = replace(roll, discarded_by=position)
        return list(void.values())

    def replacement_of(self, roll: str) -> KeptRoll | None:
        """Return the roll of the next attempt at the same question, if it was made."""
        question = next((asked for asked, known in self.rolls.items() if known.roll == roll), "")
        counted, _, attempt = question.rpartition(", ")
        return self.rolls.get(f"{counted}, {int(attempt) + 1}") if attempt.isdecimal() else None

    def discarded(self) -> list[KeptRoll]:
        """Return the rolls that were taken back and not asked for again."""
        return [roll for roll in self.rolls.values() if roll.discarded_by]


class Questions:
    """The questions of the dice of one decision. Each is asked once.

    game: returns the game or round that the rolls of a group belong to.
    rolled: the rolls in the log.
    rejected: ids of rolls that staff rejected; they are replaced by another attempt.
    void: ids of rolls that do not count, because the statements that they were made for are decided again.
    """

    def __init__(
        self,
        draws: Draws,
        game: Callable[[str], str],
        rolled: RolledDice,
        rejected: Collection[str] = (),
        void: Collection[str] = (),
    ) -> None:
        self.draws, self._game, self._rolled, self._rejected, self._void = draws, game, rolled, rejected, void
        self._here: set[str] = set()

    def next(self, purpose: RollPurpose) -> str:
        """Return the question of the next roll with this purpose: the first count without a valid roll."""
        about = f"{purpose.group}/{purpose.of}" if purpose.of else purpose.group
        kind = f"die: {self._game(purpose.group)}, {about}, {purpose.purpose}"
        number = 1
        while (counted := f"{kind}, {number}") in self._here or self._rolled.is_valid(counted, self._void):
            number += 1
        self._here.add(counted)
        attempt = 1
        while (known := self.known(f"{counted}, {attempt}")) is not None and known.roll in self._rejected:
            attempt += 1
        return f"{counted}, {attempt}"

    def known(self, question: str) -> KeptRoll | None:
        """Return the roll that already answered a question, if any."""
        return self._rolled.rolls.get(question)


GUESS = SeededDraws("guess")
"""Sample answers, used to try out choices: no choice becomes legal or illegal by its dice."""
MOST_DICE = 9
"""Largest number of dice in one roll."""


class RollTold(Struct, frozen=True, omit_defaults=True):
    """Dice rolled at the table. Without dice, the service rolls. The player rolled unless another roller is named."""

    dice: Annotated[tuple[Die, ...], Size(MOST_DICE)] = ()
    rolled_by: Annotated[str, "The id of a player or a member of staff."] = ""
    witnessed_by: Annotated[str, "The id of a second person who saw the roll."] = ""


SERVICE = RollTold()

msgspec.json.Decoder(RollTold)  # built at import: see ruleset.py


def parse_rolls(rolls: Sequence[Mapping[str, Any]]) -> tuple[RollTold, ...]:
    """Return rolls as sent by a client. Raise msgspec.ValidationError if their shape is wrong."""
    return msgspec.convert(rolls, tuple[RollTold, ...])


class FreshDice:
    """Dice rolled anew at the table for questions whose dice a ruling rejected, in the order of the questions.

    told: the new dice. Each statement that is decided again takes the next ones; the service rolls when none is left.
    """

    def __init__(self, told: Sequence[RollTold]) -> None:
        self.told = list(told)
        self._used = 0
        self._begun: dict[int, int] = {}

    def rewind(self, statement: int) -> None:
        """Begin with the dice of this statement, which may be decided more than once."""
        self._used = self._begun.setdefault(statement, self._used)

    def next(self) -> tuple[RollTold, str]:
        """Return the next die and its place in the request; the service rolls if there is none."""
        self._used += 1
        if self._used > len(self.told):
            return SERVICE, ""
        return self.told[self._used - 1], f"/again/{self._used - 1}"

    def faults_of_unused_rolls(self) -> list[Fault]:
        """Return a fault if there are more dice than questions."""
        if self._used >= len(self.told):
            return []
        expected = expects("number-of-rolls", number=self._used)
        return [Fault("/again", f"{len(self.told)}", expected, "FS-AUD-1")]


class DiceSource:
    """Reported or drawn dice of one decision, each with an id of its own.

    prefix: beginning of the roll ids.
    made: number of rolls already in the log.
    questions: source of the questions that the rolls answer.
    present: ids of the people who may have rolled or witnessed a roll.
    reported: reported rolls, in the order in which the decision asks for them.
    roller: id of the person who rolled if a reported roll names no one.
    drawn: the service rolls once the reported rolls are used up.
    versions: the rules versions that rolls name.
    known_only: no die is rolled that was not rolled before; for a statement that is decided again.
    keeps_ids: a known roll keeps its id.
    fresh: the dice of questions that no known roll answers; for a statement that a ruling has decided again.
    """

    def __init__(
        self,
        prefix: str,
        made: int,
        questions: Questions,
        present: Collection[str],
        reported: Sequence[RollTold] = (),
        *,
        roller: str = "",
        drawn: bool = False,
        versions: str = "",
        known_only: bool = False,
        keeps_ids: bool = False,
        fresh: FreshDice | None = None,
    ) -> None:
        self._fresh = fresh
        self.versions, self.questions = versions, questions
        self._known_only, self._keeps_ids = known_only, keeps_ids
        self.present, self.roller, self.drawn = present, roller, drawn
        self._prefix, self._made, self._reported = prefix, made, list(reported)
        self._used = 0

    @property
    def draws(self) -> Draws:
        """The draws that decide lots of the same decision."""
        return self.questions.draws

    def next(self, expression: str, purpose: RollPurpose, replaces: str = "") -> Thrown:
        """Return the next roll. Raise DiceRefused if none was reported, or if its people were not present."""
        where = f"/rolls/{self._used}"
        if self._used < len(self._reported):
            reported = self._reported[self._used]
        elif self.drawn:
            reported = SERVICE
        else:
            fault = Fault(where, "nothing", expects("rolled-or-drawn", dice=expression), "FS-AUD-1")
            raise DiceRefused(f"{expression} has to be rolled", [fault], expression=expression)
        self._used += 1
        return self.throw(reported, expression, purpose, replaces, where)

    def drawn_by_service(self, expression: str, purpose: RollPurpose, replaces: str = "") -> Thrown:
        """Return a roll drawn by the service."""
        return self.throw(SERVICE, expression, purpose, replaces)

    def throw(
        self,
        reported: RollTold,
        expression: str,
        purpose: RollPurpose,
        replaces: str = "",
        where: str = "",
        *,
        roller: str = "",
    ) -> Thrown:
        """Return a roll with its id. If its question was asked before, the roll has the same dice.

        Raises DiceRefused if its people were not present, or if the faces differ from those already rolled.
        """
        self._made += 1
        id, question = f"{self._prefix}{self._made}", self.questions.next(purpose)
        known = self.questions.known(question)
        if known is not None and len(known.dice) == _number_of_dice(reported, expression):
            if not self._known_only:
                _refuse_other_faces(reported, known, where)
            people = known.rolled_by, known.witnessed_by
            id = known.roll if self._keeps_ids else id
            return Thrown(id, known.dice, replaces, known.source, *people, question, self.versions)
        if self._fresh is not None:
            reported, where = self._fresh.next()
        elif self._known_only:
            fault = Fault(where, "nothing", expects("die-rolled-before", dice=expression), "FS-AUD-1")
            raise DiceRefused("deciding a statement again rolls no new dice", [fault], expression=expression)
        if not reported.dice:
            dice = drawn_dice(self.draws.answer(question), expression)
            return Thrown(id, dice, replaces, "service", "", "", question, self.versions)
        roller = reported.rolled_by or roller or self.roller
        throw = Thrown(id, reported.dice, replaces, "table", roller, reported.witnessed_by, question, self.versions)
        people_faults = faults_of_people(throw, self.present)
        if people_faults:
            faults = [replace(fault, where=where + fault.where.removeprefix("/roll")) for fault in people_faults]
            raise DiceRefused("a roll at the table needs a roller and a witness who were there", faults)
        return throw

    def faults_of_unused_rolls(self) -> list[Fault]:
        """Return a fault if more rolls were reported than the decision asked for."""
        unused = len(self._reported) - self._used
        return (
            [Fault("/rolls", f"{len(self._reported)}", expects("number-of-rolls", number=self._used), "FS-AUD-2")]
            if unused > 0
            else []
        )


def _number_of_dice(reported: RollTold, expression: str) -> int:
    """Return the number of dice of a roll. A report gives no expression."""
    return parse_formula(expression).count if expression else len(reported.dice)


def _refuse_other_faces(reported: RollTold, known: KeptRoll, where: str) -> None:
    """Raise DiceRefused if the reported faces differ from those already rolled for the question."""
    if not reported.dice or reported.dice == known.dice:
        return
    expected = (
        expects("faces-as-rolled-by", faces=list(known.faces), roll=known.roll, person=known.rolled_by)
        if known.rolled_by
        else expects("faces-as-rolled", faces=list(known.faces), roll=known.roll)
    )
    fault = Fault(f"{where}/dice", faces_of(Thrown("", reported.dice)), expected, "FS-AUD-1")
    raise DiceRefused("These dice have been rolled already; a correction keeps them.", [fault])


class SampleDice(DiceSource):
    """Dice that all show the same face, to try out a decision whatever its dice.

    asked: the expressions that the decision asked for so far.
    """

    def __init__(self, face: int = 1) -> None:
        self.face = face
        super().__init__("", 0, Questions(GUESS, lambda group: "", RolledDice()), ())
        self.asked: list[str] = []

    def next(self, expression: str, purpose: RollPurpose, replaces: str = "") -> Thrown:
        """Return a roll of this face, without id or people."""
        self.asked.append(expression)
        return Thrown("", tuple(Die(NATIVE, self.face) for _ in range(parse_formula(expression).count)), replaces)
