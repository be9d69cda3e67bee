"""Text that people type: what is kept, what is trimmed, what is refused. Pure.

Names of every script, right-to-left ones and emoji are kept as they are (in NFC). Refused is what cannot be
shown or what changes how the text around it is shown: control characters, line breaks in a name, direction
overrides and isolates, lone surrogates, and text in which nothing is to be seen; in a name also what
`shared.names.writing` refuses.
"""

from __future__ import annotations

import unicodedata

from shared.names.writing import fault_of_name

DIRECTION_CONTROLS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
BLANK_LETTERS = frozenset(map(chr, (0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)))
"""Characters that count as letters or symbols and show nothing."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Mn", "Me", "Zs", "Zl", "Zp"})
_BROKEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_LONGEST_RAW = 20
"""A text more than so many times longer than allowed is not even normalised."""


class TextFault(ValueError):
    """A text that is not taken; its message says what is wrong with it."""


def one_line(text: str, maximum: int, minimum: int = 1) -> str:
    """Return a text of one line as it is kept: NFC, without white space around it.

    minimum, maximum: characters (code points) after that. Raises TextFault.
    """
    if text.isascii() and text.isprintable():
        kept = text.strip()
        return _sized(kept, maximum, minimum)
    kept = _sized(_normal(text, maximum, ""), maximum, minimum)
    if fault := fault_of_name(kept):
        raise TextFault(fault)
    return kept


def many_lines(text: str, maximum: int, minimum: int = 0) -> str:
    """Return a text of several lines as it is kept: line ends are `\\n`, tabs stay. Else as `one_line`."""
    return _sized(_normal(text.replace("\r\n", "\n").replace("\r", "\n"), maximum, "\n\t"), maximum, minimum)


def _normal(text: str, maximum: int, allowed: str) -> str:
    if len(text) > maximum * _LONGEST_RAW:
        raise TextFault(f"it has {len(text)} characters")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise TextFault("it has half of a character (a lone surrogate)")
    kept = unicodedata.normalize("NFC", text).strip()
    seen = False
    for character in kept:
        if character in DIRECTION_CONTROLS:
            raise TextFault(f"it has a character that changes direction (U+{ord(character):04X})")
        category = unicodedata.category(character)
        if category in _BROKEN and character not in allowed:
            raise TextFault(f"it has a control character (U+{ord(character):04X})")
        seen = seen or (category not in _UNSEEN and character not in BLANK_LETTERS)
    if kept and not seen:
        raise TextFault("nothing in it can be seen")
    return kept


def _sized(kept: str, maximum: int, minimum: int) -> str:
    if len(kept) > maximum:
        raise TextFault(f"it has {len(kept)} characters")
    if len(kept) < minimum:
        raise TextFault("it is empty" if not kept else f"it has {len(kept)} characters")
    return kept
