"""Names of people and venues: validation, equality, search and sorting. Pure.

Decisions compare names; folding an event never does. By Unicode's stability policy, NFKC and case folding of existing
characters never change, so newer Python versions decide the same. See docs/decisions/0008.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import category, combining, normalize

from shared.refusals import Expected, expects

BLANK = "\u2800"
"""The braille pattern without dots: an invisible symbol."""

INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {BLANK}
"""Invisible characters that Unicode classifies as letters, marks or symbols."""

SHAPES = frozenset("\u200c\u200d") | {chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0020, 0xE01F0))}
"""Joiners, variation selectors and tags: they change the shape of the previous character."""


def name_fault(name: str) -> Expected | None:
    """Return the expectation that a name in NFC violates, or None."""
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
    """Return the code point of a character: `U+00E9`."""
    return f"U+{ord(character):04X}"


@lru_cache(maxsize=1 << 16)
def normalize_name(name: str) -> str:
    """Return a name in the form that comparisons use: NFKC, case folded, single spaces, no invisible characters."""
    if not name.isascii():
        visible = (" " if character == BLANK else character for character in normalize("NFKD", name))
        name = "".join(character for character in visible if character not in SHAPES and not _is_invisible(character))
        name = normalize("NFKC", normalize("NFKC", name).casefold())
        return " ".join(name.split())
    return " ".join(name.casefold().split())


def is_same_name(first: str, second: str) -> bool:
    """Return True if two names count as the same."""
    return normalize_name(first) == normalize_name(second)


def mark_duplicates(names: Sequence[str]) -> list[bool]:
    """Return, for each name, True if another one in the list counts as the same."""
    count = Counter(map(normalize_name, names))
    return [count[normalize_name(name)] > 1 for name in names]


_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
"""Letters without a Unicode decomposition, and their usual ASCII spelling."""
_MARKS = str.maketrans({**dict.fromkeys("'’‘`´"), **dict.fromkeys("-‐‑–_.,", " ")})
"""`O'Neill` is found as `oneill`, `Jean-Luc` as `jean luc`."""

SORT_KEY_LENGTH = 60
"""Characters of a name that determine its order; cursors of lists contain them."""


@lru_cache(maxsize=1 << 15)
def fold_name(name: str) -> str:
    """Return a name for searching and sorting: without accents, capitals and punctuation."""
    if not name.isascii():
        name = "".join(letter for letter in normalize("NFKD", name) if not combining(letter))
    return " ".join(name.casefold().translate(_PLAIN).translate(_MARKS).split())


def name_sort_key(name: str) -> tuple[str, str]:
    """Return the sort key of a name: without capitals, accents and punctuation, then as written."""
    return fold_name(name)[:SORT_KEY_LENGTH], name[:SORT_KEY_LENGTH]


def matches_words(name: str, words: str) -> bool:
    """Return True if there are words and the name contains each of them."""
    folded_name, parts = fold_name(name), fold_name(words).split()
    return bool(parts) and all(part in folded_name for part in parts)
