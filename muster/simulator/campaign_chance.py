"""What chance brings in a simulated game of a campaign: dice rolled at the table, lines held, random encounters."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from shared.campaign.dice import NATIVE, formula
from shared.campaign.encounters import span_of, treasure_by
from shared.campaign.tables import Rules

PHYSICAL = 30
"""Of a hundred D6 so many are cubes, and no D12 that is halved. FS-DICE-1."""


class Dice(NamedTuple):
    """What somebody rolls by chance, before a witness. roller, witness: ids of players."""

    chance: Random
    roller: str
    witness: str

    def told(self, expression: str) -> dict[str, Any]:
        """A roll as it is told to a service."""
        asked = formula(expression)
        sides = 6 if asked.sides == 6 and self.chance.randrange(100) < PHYSICAL else NATIVE
        dice = [{"sides": sides, "natural": self.chance.randint(1, sides)} for _ in range(asked.count)]
        return {"dice": dice, "rolled_by": self.roller, "witnessed_by": self.witness}


def lines_held(rules: Rules, sides: Sequence[Sequence[str]], chance: Random) -> dict[str, list[int]]:
    """Group -> its lines, in the numbers of its side.

    A marker has one controller. Two sides number the lines from opposite edges; of three or more nobody holds a line
    of the same number as another, which is one marker each on whichever edge they stand.
    """
    known = rules.core.lines
    held = chance.sample(known, chance.randint(1, len(known)))
    lines: dict[str, list[int]] = {group: [] for side in sides for group in side}
    if len(sides) > 2:
        for line in held:
            lines[chance.choice(list(lines))].append(line)
    else:
        cut = chance.randint(0, len(held))
        span = known[0] + known[-1] if rules.options.line_numbering == "own_side" else None
        first, second = sides
        for line in held[:cut]:
            lines[_one_of(first, chance)].append(line)
        for line in held[cut:]:
            lines[_one_of(second, chance)].append(line if span is None else span - line)
    return {group: sorted(mine) for group, mine in lines.items()}


def _one_of(side: Sequence[str], chance: Random) -> str:
    return side[0] if len(side) == 1 else chance.choice(side)


Json = dict[str, Any]

MOST = 4
"""As many encounters as a game has."""


def plausible_encounters(
    rules: Rules, sheets: Sequence[Json], deeds: list[list[Json]], chance: Random
) -> tuple[list[Json], list[Json]]:
    """The encounters of a game, and what each group found and freed there; deeds gain the creatures' wounds and kills.

    Source: FS-ENC-1 to FS-ENC-3, FS-ENC-5.
    """
    deck = [key for key, card in rules.encounters.cards.items() for _ in range(card.copies)]
    played: list[Json] = []
    brought: list[Json] = [{"searches": [], "freed": []} for _ in sheets]
    for key in chance.sample(deck, chance.randint(0, MOST)):
        card = rules.encounters.cards[key]
        number = 1 if card.treasure else chance.randint(*span_of(card))
        played.append({"met": key, "number": number})
        here = chance.randrange(len(sheets))
        standing = [one for one in deeds[here] if "down" not in one]
        if not standing:
            continue
        sheet, one = sheets[here], chance.choice(standing)
        dice = Dice(chance, sheet["id"], sheets[here - 1]["id"])
        if card.treasure:
            brought[here]["searches"].append(_search(rules, sheet, key, one, dice))
        elif card.joins:
            freed = dice.told("1D12") | {"dice": [{"sides": 12, "natural": 1}]}  # a one frees whatever Intelligence is
            brought[here]["freed"].append({"member": one["member"], "roll": freed})
        else:
            killed = chance.randint(0, number)
            one["wounds"] += killed * card.wounds
            one["models"] += killed
            one["kills"] = one.get("kills", 0) + killed
    return played, brought


def _search(rules: Rules, sheet: Json, at: str, one: Json, dice: Dice) -> Json:
    """A search, with the dice of how many where its total asks for them."""
    member = next(found for found in sheet["sheets"] if found["id"] == one["member"])
    roll = dice.told("1D12")
    luck = member["attributes"]["L"]["value"] - _worse(rules, sheet, member, one)
    amount = treasure_by(rules, at, roll["dice"][0]["natural"] + luck).amount
    return {"at": at, "member": one["member"], "roll": roll, **({"amount": dice.told(amount)} if amount else {})}


def _worse(rules: Rules, sheet: Json, member: Json, one: Json) -> int:
    """By how much an addict without a dose is worse. FS-ADD-1."""
    goods = {item["id"]: item["good"] for item in sheet["items"]}
    taken = {goods[dose["item"]] for dose in one["doses"]}
    return 0 if taken.issuperset(member["addictions"]) else rules.core.withdrawal
