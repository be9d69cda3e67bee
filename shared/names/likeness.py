"""Whether two names are told apart by those who read them, and finding somebody by a part of their name. Pure.

Decisions call the first, folding never does. NFKC and case folding never change for a character once Unicode has it
(its stability policy), and the table of looks is pinned beside this file: a newer Python or Unicode gives the same
answer for the same names. What is found is for answers alone, so a newer Unicode may find more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from unicodedata import combining, normalize

from shared.names.characters import IGNORABLE, LOOKS

BLANK = "\u2800"
"""Braille without a dot: a symbol that shows nothing."""


@lru_cache(maxsize=1 << 16)
def plain(name: str) -> str:
    """A name without what nobody sees or says: NFKC, case folded, one space between words, nothing ignorable."""
    if name.isascii():
        return " ".join(name.casefold().split())
    return " ".join(normalize("NFKC", normalize("NFKC", _visible(name)).casefold()).split())


@lru_cache(maxsize=1 << 16)
def looks(name: str) -> frozenset[str]:
    """What a name looks like in small letters, and as it is written: the skeletons of UTS 39."""
    visible = _visible(name)
    return frozenset(" ".join(one.split()) for one in (_skeleton(visible.casefold()), _skeleton(visible).casefold()))


class Called:
    """Names that are taken.

    Two names of ASCII letters alone are one where they differ in nothing but capitals and spaces: `Burns` and `Bums`
    are two people. As soon as one of them has another letter, they are one where they look alike too.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._plain: set[str] = set()
        self._looks: set[str] = set()
        self._ascii: list[str] = []
        self._ascii_looks: set[str] = set()
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Take a name."""
        self._plain.add(plain(name))
        if name.isascii():
            self._ascii.append(name)  # its looks matter only beside a name that has more than ASCII
        else:
            self._looks |= looks(name)

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        if plain(name) in self._plain:
            return True
        if self._looks and not self._looks.isdisjoint(looks(name)):
            return True
        if name.isascii():
            return False
        while self._ascii:
            self._ascii_looks |= looks(self._ascii.pop())
        return not self._ascii_looks.isdisjoint(looks(name))


def repeated(names: Sequence[str]) -> list[bool]:
    """Of each name, whether another of them is the same to those who read them."""
    found = [False] * len(names)
    for order in (range(len(names)), reversed(range(len(names)))):
        before = Called()
        for index in order:
            found[index] = found[index] or names[index] in before
            before.add(names[index])
    return found


def alike(one: str, other: str) -> bool:
    """Whether two names are one to those who read them."""
    return other in Called([one])


def _visible(name: str) -> str:
    return "".join(
        " " if character == BLANK else character for character in normalize("NFKD", name) if character not in IGNORABLE
    )


def _skeleton(text: str) -> str:
    return normalize("NFD", normalize("NFKD", text).translate(LOOKS))


_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
"""Letters that Unicode does not take apart, as people type them who have no key for them."""
_MARKS = str.maketrans({**dict.fromkeys("'’‘`´"), **dict.fromkeys("-‐‑–_.,", " ")})
"""`O'Neill` is found as `oneill`, `Jean-Luc` as `jean luc`."""


@lru_cache(maxsize=1 << 15)
def folded(name: str) -> str:
    """A name without capitals, accents and marks, with one space between words."""
    if not name.isascii():
        name = "".join(letter for letter in normalize("NFKD", name) if not combining(letter))
    return " ".join(name.casefold().translate(_PLAIN).translate(_MARKS).split())


def is_found(name: str, said: str) -> bool:
    """Whether every word that was said stands somewhere in a name, in any order; no word finds nobody."""
    there, words = folded(name), folded(said).split()
    return bool(words) and all(word in there for word in words)
