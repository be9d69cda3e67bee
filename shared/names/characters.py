"""What single characters are (of which script, ignorable, an emoji) and look like. Pure, from pinned tables."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from shared.names import tables


class Ranges:
    """Ranges of characters that do not overlap, each with a name. found: first, last and name of each, in order."""

    def __init__(self, named: Iterable[tuple[str, str]]) -> None:
        """named: a name, and hexadecimal ranges with spaces between them."""
        self.found = sorted(
            (int(first, 16), int(last or first, 16), name)
            for name, ranges in named
            for first, _, last in (one.partition("-") for one in ranges.split())
        )
        self._firsts = [first for first, _, _ in self.found]

    def name_of(self, character: str) -> str:
        """The name of the range that a character is in; empty where it is in none."""
        code = ord(character)
        index = bisect_right(self._firsts, code) - 1
        return self.found[index][2] if index >= 0 and code <= self.found[index][1] else ""

    def __contains__(self, character: str) -> bool:
        return bool(self.name_of(character))


def _records(table: str) -> list[tuple[str, str]]:
    return [(name.strip(), rest) for name, _, rest in (record.partition(":") for record in table.split(";"))]


def _characters(codes: str) -> str:
    return "".join(chr(int(code, 16)) for code in codes.split())


SCRIPTS = Ranges(_records(tables.SCRIPTS))
"""The script of a character; none for those that every script uses, such as digits, punctuation and most marks."""

IGNORABLE = Ranges([("ignorable", tables.IGNORABLE)])
"""Default_Ignorable_Code_Point: characters that show nothing, and change at most how their neighbours are shown."""

PICTURES = Ranges([("picture", tables.PICTURES)])
"""Extended_Pictographic: what emoji are made of, those of coming versions of Unicode included."""

LOOKS: Mapping[int, str] = MappingProxyType(
    {ord(one): _characters(look) for look, codes in _records(tables.LOOKS) for one in _characters(codes)}
)
"""A character -> what it looks like, as UTS 39 has it; for `str.translate`."""
