"""Questions that dice answer, and the rolls that were made, by their questions. FS-AUD-1.

A question names the game or the round, the member or the group, the clause, how often it was asked, and the attempt. No
other command moves it. The same question has the same dice: also after a correction, and whoever rolls them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from shared.formats.campaign.rules.dice import Die, Source
from shared.rules.draw import Draws


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
