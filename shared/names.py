"""Names of people and venues: how they may be written, when two are the same, how to find and sort them. Pure.

Decisions compare names; folding an event never does. NFKC and case folding never change for a character that Unicode
has (its stability policy), so a newer Python decides the same. See docs/decisions/0008.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import category, combining, normalize

from shared.refusals import Expected, expects

BLANK = "\u2800"
"""Braille without a dot: a symbol that shows nothing."""

INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {BLANK}
"""Characters that show nothing although Unicode calls them letters, marks or symbols."""

SHAPES = frozenset("\u200c\u200d") | {chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0020, 0xE01F0))}
"""Joiners, variation selectors and tags: they change how the character before them is shown."""


def name_fault(name: str) -> Expected | None:
    """Return what is wrong with how a name is written, or None. name: in NFC."""
    if name.isascii():
        return None
    before = ""
    for character in name:
        if character in SHAPES:
            if not before or before.isspace() or (before.isascii() and before not in "0123456789#*"):
                return _invisible(character)
        elif _is_invisible(character) and not ("\u1800" <= character <= "\u180f" and before):
            return _invisible(character)
        elif character == before and category(character) == "Mn":
            return expects("repeated-mark", character=code_point(character))
        else:
            before = character
    return None


def _is_invisible(character: str) -> bool:
    return category(character) == "Cf" or character in INVISIBLE


def _invisible(character: str) -> Expected:
    return expects("invisible-character", character=code_point(character))


def code_point(character: str) -> str:
    """Return a character as Unicode names its place: `U+00E9`."""
    return f"U+{ord(character):04X}"


@lru_cache(maxsize=1 << 16)
def normalize_name(name: str) -> str:
    """Return a name in the form in which names are compared: NFKC, case folded, single spaces, nothing invisible."""
    if not name.isascii():
        visible = (" " if one == BLANK else one for one in normalize("NFKD", name))
        name = "".join(one for one in visible if one not in SHAPES and not _is_invisible(one))
        name = normalize("NFKC", normalize("NFKC", name).casefold())
        return " ".join(name.split())
    return " ".join(name.casefold().split())


def is_same_name(one: str, other: str) -> bool:
    """Return True if two names count as the same."""
    return normalize_name(one) == normalize_name(other)


def mark_duplicates(names: Sequence[str]) -> list[bool]:
    """Return, for each name, True if another one in the list counts as the same."""
    count = Counter(map(normalize_name, names))
    return [count[normalize_name(name)] > 1 for name in names]


_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
"""Letters that Unicode does not decompose, as people type them who have no key for them."""
_MARKS = str.maketrans({**dict.fromkeys("'’‘`´"), **dict.fromkeys("-‐‑–_.,", " ")})
"""`O'Neill` is found as `oneill`, `Jean-Luc` as `jean luc`."""

SORT_KEY_LENGTH = 60
"""Characters of a name that count in the order of a list; cursors of lists hold them."""


@lru_cache(maxsize=1 << 15)
def fold_name(name: str) -> str:
    """Return a name as people search and sort it: without accents, capitals and punctuation."""
    if not name.isascii():
        name = "".join(letter for letter in normalize("NFKD", name) if not combining(letter))
    return " ".join(name.casefold().translate(_PLAIN).translate(_MARKS).split())


def name_sort_key(name: str) -> tuple[str, str]:
    """Return the key by which every list sorts names: without capitals, accents and marks, then as they are written."""
    return fold_name(name)[:SORT_KEY_LENGTH], name[:SORT_KEY_LENGTH]


def matches_words(name: str, words: str) -> bool:
    """Return True if each of the words (at least one) is a part of the name."""
    folded_name, parts = fold_name(name), fold_name(words).split()
    return bool(parts) and all(part in folded_name for part in parts)
