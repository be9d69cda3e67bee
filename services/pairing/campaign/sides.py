"""Games of three and more groups as they are written by hand: which can be, and who has met before. FS-RND-5."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations, product

from services.pairing.tournament.commands import ByHand
from shared.formats.campaign.rules.pairing import FEWEST_IN_SIDES
from shared.formats.swiss.ruleset import swiss_or_none
from shared.refusals import Fault
from shared.tournament.entries import Entries


def faults_of_sides(entries: Entries, one: ByHand, where: str) -> Iterator[Fault]:
    """What is wrong with the sides of a pairing, apart from who the groups are. where: of the pairing. FS-RND-5."""
    ruleset = swiss_or_none(entries)
    if ruleset is not None:
        expected = "player_1 and player_2: two meet in each game"
        yield Fault(f"{where}/sides", f"{len(one.sides)} sides", expected, ruleset.pairing.clause)
        return
    if one.kind not in ("", "game"):
        yield Fault(f"{where}/kind", one.kind, "game, or nothing: it has sides", "FS-RND-5")
    if len(one.sides) < 2:
        yield Fault(f"{where}/sides", f"{len(one.sides)} side", "two sides or more", "FS-RND-5")
    elif len(one.named) < FEWEST_IN_SIDES:
        expected = f"{FEWEST_IN_SIDES} groups or more; player_1 and player_2 for a game of two"
        yield Fault(f"{where}/sides", f"{len(one.named)} groups", expected, "FS-RND-5")
    for number, side in enumerate(one.sides):
        if not side:
            yield Fault(f"{where}/sides/{number}", "nobody", "the groups of the side", "FS-RND-5")


def met_again(one: ByHand, met: Mapping[str, Collection[str]]) -> list[tuple[str, str]]:
    """The rivals of a game who have met before; allies meet nobody by that. FS-RND-2, FS-RND-5."""
    sides = one.sides or [[one.player_1], [one.player_2]]
    rivals = (pair for here, there in combinations(sides, 2) for pair in product(here, there))
    return [(first, second) for first, second in rivals if second in met.get(first, ())]


def firsts(one: ByHand) -> tuple[str, str]:
    """The two by whom a pairing is known beside its sides: the first of the first two."""
    if not one.sides:
        return one.player_1, one.player_2
    first, second = (next(iter(side), "") for side in [*one.sides, []][:2])
    return first, second
