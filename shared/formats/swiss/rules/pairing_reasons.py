"""Why two players meet who are paired in the order of the standings: who stands between them, and what kept those away.

Players are paired from the top, so whoever stands between two opponents does not play, was given to somebody above,
has met the higher of the two, or could not be given to them for the sake of those below.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from msgspec import Struct

from shared.formats.swiss.rules.placing import Row
from shared.rules.matching import Pair
from shared.rules.meetings import Again, Met, cost_of

NAMED = 4
"""So many of those who stand between two are named, and the others counted."""


class Around(Struct, frozen=True):
    """What is known of those who are not simply paired.

    bye: who has the bye. meets_spare: who meets the spare player beside this pairing. stands_in: the player in whose
    place the spare player is paired. Empty: nobody. met: the opponents of the spare player, where somebody stands in.
    """

    bye: str = ""
    meets_spare: str = ""
    stands_in: str = ""
    met: Mapping[str, Again] = {}


class Reasons:
    """The reason of each pair of a round that follows the standings."""

    def __init__(
        self,
        rows: Sequence[Row],
        playing: Sequence[str],
        pairs: Sequence[Pair],
        met: Met,
        avoid: Met,
        around: Around,
        moved: Mapping[str, str],
    ) -> None:
        """rows: the standings. playing: who is paired, best first; some may have entered since. avoid: whom everybody
        should not meet, those met among them. moved: who was put behind others -> the opponent met before.
        """
        listed = [row.player for row in rows]
        known = set(listed)
        self._list = [*listed, *(player for player in playing if player not in known)]
        self._place = {player: place for place, player in enumerate(self._list)}
        self._listed = len(listed)
        self._gaps = _gaps(rows)
        self._playing = frozenset(playing)
        self._partner = {one: two for pair in pairs for one, two in (pair, pair[::-1])}
        self._rematches = cost_of(pairs, avoid).rematches
        self._met, self._avoid, self._around, self._moved = met, avoid, around, moved

    def of(self, pair: Pair) -> str:
        """Why these two meet: neighbours in the standings, or what became of each who stands between them."""
        higher, lower = sorted(pair, key=self._place.__getitem__)
        above, below = self._place[higher], self._place[lower]
        causes: list[str] = []
        for between in self._list[above + 1 : below][:NAMED]:
            cause, again = self._cause(higher, between), f"{higher} has met "
            if causes and causes[-1].startswith(again) and cause.startswith(again):
                causes[-1] += f" and {cause.removeprefix(again)}"
            else:
                causes.append(cause)
        if (more := below - above - 1 - NAMED) > 0:
            causes.append(f"{more} more stand between them")
        if bisect_right(self._gaps, above) < bisect_right(self._gaps, below):
            causes.append("others between them are paired elsewhere")
        where = "in the standings" if below < self._listed else "with late entries behind the standings"
        if not causes:
            return f"next to each other {where}"
        return f"nearest {where} for {higher} ({'; '.join(causes)})"

    def _cause(self, higher: str, between: str) -> str:
        """Why the player who stands between them is not the higher one's opponent."""
        around = self._around
        called = "the spare player" if between == around.stands_in else between
        if between == around.bye:
            return f"{called} has the bye"
        if between == around.meets_spare:
            return f"{called} meets the spare player"
        if between not in self._playing:
            return f"{called} does not play"
        if again := self._avoid.get(higher, {}).get(between):
            kept = between in self._met.get(higher, ()) or between == around.stands_in
            often = f" ({again.earlier} times)" if again.earlier > 1 else ""
            return f"{higher} has met {called}{often}" if kept else f"{higher} and {called} are kept apart"
        partner = self._partner[between]
        if self._place[partner] < self._place[higher]:
            return f"{called} plays {'the spare player' if partner == around.stands_in else partner}, who stands higher"
        if between in self._moved:
            return f"{called} moved down, having met {self._moved[between]}"
        if higher in self._moved:
            return f"{called} was paired before {higher}, who moved down, having met {self._moved[higher]}"
        if self._rematches:
            return f"{higher} against {called} would make the rematches further down worse"
        return f"{higher} against {called} would lead to a rematch further down"


def _gaps(rows: Sequence[Row]) -> list[int]:
    """Places before which somebody is left out of the rows, as the ranks tell."""
    gaps, first = [], 0
    for place in range(1, len(rows)):
        if rows[place].rank != rows[first].rank:
            if rows[place].rank > rows[first].rank + place - first:
                gaps.append(place)
            first = place
    return gaps
