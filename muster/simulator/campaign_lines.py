"""The lines that each group of a simulated game controls in the end. FS-GAM-6, FS-AMB-47."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from shared.formats.campaign.rules.tables import Rules


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
