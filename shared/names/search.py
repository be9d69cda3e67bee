"""Finding somebody by a part of their name, as it is typed: without capitals, accents and marks between words. Pure.

For answers alone: nothing that is decided or recorded rests on it, so a newer Unicode may find more.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import combining, normalize

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
