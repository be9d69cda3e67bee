"""The elimination stage: who is in it, and who meets whom."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.formats.swiss.rules.ruleset import Ruleset
from shared.rules.draw import recorded_draw


class CutPlaces(Struct, frozen=True):
    """How many go on, after which tournament round; no places: the final standings decide."""

    places: int
    after_round: int


def cut_places(ruleset: Ruleset, players: int) -> CutPlaces:
    """The cut for so many players in the first pairing. DW-RND-1, DW-CUT-1."""
    if ruleset.cut.bracket != "none":
        for band in ruleset.rounds.table:
            if band.least <= players and (band.most is None or players <= band.most):
                return CutPlaces(band.cut_to, band.cut_after)
    return CutPlaces(0, 0)


def bracket_seeds(size: int) -> list[tuple[int, int]]:
    """The first pairings of a bracket, as places in the standings: high against low, the best meet last.

    size: a power of two, 2 or more. Neighbouring pairs feed the same game of the next round.
    4: 1-4, 2-3; 8: 1-8, 4-5, 2-7, 3-6. Raises ValueError for another size.
    Source: DW-AMB-4.
    """
    if size < 2 or size & (size - 1):
        raise ValueError(f"a bracket has 2, 4, 8 … places, not {size}")
    seeds = [1]
    while len(seeds) < size:
        places = 2 * len(seeds) + 1
        seeds = [seed for one in seeds for seed in (one, places - one)]
    return list(zip(seeds[::2], seeds[1::2], strict=True))


def first_bracket(ruleset: Ruleset, players: Sequence[str], *, round: int, seed: str) -> list[tuple[str, str]]:
    """The first elimination pairings of players given in the order of the standings.

    Seeded high against low, or in a recorded draw where the ruleset's bracket is `random`. With fewer players than
    the next power of two the best have nobody to play: their pair holds an empty second name. Source: DW-AMB-4.
    """
    ordered = list(players)
    if ruleset.cut.bracket == "random":
        ordered = recorded_draw(seed, "bracket", round, ordered)
    size = 1 << max(1, (len(ordered) - 1).bit_length())
    ordered += [""] * (size - len(ordered))
    return [(ordered[one - 1], ordered[two - 1]) for one, two in bracket_seeds(size)]
