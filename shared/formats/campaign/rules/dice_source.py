"""Dice as they are asked for: told by who rolled them at the table, or drawn by the service. FS-AUD-1."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.formats.campaign.rules.asked_dice import KeptRoll, Questions, RolledDice, RollPurpose
from shared.formats.campaign.rules.dice import NATIVE, Die, Thrown, drawn_dice, faces_of, faults_of_people, formula
from shared.formats.campaign.rules.refusals import DiceRefused
from shared.refusals import Fault, expects
from shared.rules.draw import Draws
from shared.shapes import Size
from shared.tournament.draws import Guess

GUESS = Guess("guess")
"""Answers where nothing is drawn yet: whether a choice is possible does not depend on them."""
MOST_DICE = 9
"""Of one roll."""


class RollTold(Struct, frozen=True, omit_defaults=True):
    """Dice that were rolled at a table; without any, the service rolls. The roller is the player, unless it is said."""

    dice: Annotated[tuple[Die, ...], Size(MOST_DICE)] = ()
    rolled_by: Annotated[str, "The id of a player or a member of staff."] = ""
    witnessed_by: Annotated[str, "Somebody else who was there."] = ""


SERVICE = RollTold()

msgspec.json.Decoder(RollTold)  # its first use, in one thread alone: see shared/formats/swiss/rules/ruleset.py


def read_rolls(told: Sequence[Mapping[str, Any]]) -> tuple[RollTold, ...]:
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

    def next(self, expression: str, asked: RollPurpose, replaces: str = "") -> Thrown:
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

    def drawn_by_service(self, expression: str, asked: RollPurpose, replaces: str = "") -> Thrown:
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
    ) -> Thrown:
        """Return a roll with its id; if its question was asked before, with the same dice.

        Raises DiceRefused for people who were not there, and for other faces than those that were rolled.
        """
        self._made += 1
        id, question = f"{self._prefix}{self._made}", self.questions.next(asked)
        known = self.questions.known(question)
        if known is not None and len(known.dice) == _number_of_dice(said, expression):
            _refuse_other_faces(said, known, where)
            people = known.rolled_by, known.witnessed_by
            return Thrown(id, known.dice, replaces, known.source, *people, question, self.versions)
        if not said.dice:
            dice = drawn_dice(self.draws.answer(question), expression)
            return Thrown(id, dice, replaces, "service", "", "", question, self.versions)
        roller = said.rolled_by or roller or self.roller
        thrown = Thrown(id, said.dice, replaces, "table", roller, said.witnessed_by, question, self.versions)
        faults = faults_of_people(thrown, self.present)
        if faults:
            told = [replace(fault, where=where + fault.where.removeprefix("/roll")) for fault in faults]
            raise DiceRefused("a roll at the table needs a roller and a witness who were there", told)
        return thrown

    def faults_of_rest(self) -> list[Fault]:
        """Rolls that were told and that nothing asked for."""
        left = len(self._told) - self._used
        return (
            [Fault("/rolls", f"{len(self._told)}", expects("number-of-rolls", number=self._used), "FS-AUD-2")]
            if left > 0
            else []
        )


def _number_of_dice(said: RollTold, expression: str) -> int:
    """Return how many dice a roll has. A report says no expression."""
    return formula(expression).count if expression else len(said.dice)


def _refuse_other_faces(said: RollTold, known: KeptRoll, where: str) -> None:
    """Raise DiceRefused if other faces are told than those that were rolled for the same question."""
    if not said.dice or said.dice == known.dice:
        return
    expected = (
        expects("faces-as-rolled-by", faces=list(known.faces), roll=known.roll, person=known.rolled_by)
        if known.rolled_by
        else expects("faces-as-rolled", faces=list(known.faces), roll=known.roll)
    )
    fault = Fault(f"{where}/dice", faces_of(Thrown("", said.dice)), expected, "FS-AUD-1")
    raise DiceRefused("These dice have been rolled already; a correction keeps them.", [fault])


class Ones(DiceSource):
    """Dice that show ones, to see what a decision says of everything but its dice. asked: the expressions so far."""

    def __init__(self) -> None:
        super().__init__("", 0, Questions(GUESS, lambda group: "", RolledDice()), ())
        self.asked: list[str] = []

    def next(self, expression: str, asked: RollPurpose, replaces: str = "") -> Thrown:
        """Return a roll of ones that nobody made."""
        self.asked.append(expression)
        return Thrown("", tuple(Die(NATIVE, 1) for _ in range(formula(expression).count)), replaces)
