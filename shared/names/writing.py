"""How a name may be written: nothing in it that is not seen, and each word in one script. Pure.

Source: UTS 39, Highly Restrictive, word by word; docs/decisions/0008.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from unicodedata import category

from shared.names.characters import IGNORABLE, PICTURES, SCRIPTS
from shared.names.likeness import BLANK

TOGETHER = (
    frozenset({"Latin", "Han", "Hiragana", "Katakana"}),
    frozenset({"Latin", "Han", "Hangul"}),
    frozenset({"Latin", "Han", "Bopomofo"}),
)
"""Scripts that stand in one word: Japanese, Korean, and Chinese with its phonetic letters."""

JOINED = frozenset(
    {
        *("Arabic", "Syriac", "Mandaic", "Nko", "Mongolian", "Phags_Pa", "Adlam", "Hanifi_Rohingya"),
        *("Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam"),
        *("Sinhala", "Khmer", "Myanmar", "Tibetan", "Newa", "Grantha", "Meetei_Mayek", "Chakma", "Tirhuta"),
    }
)
"""Scripts in which a joiner or non-joiner changes what a letter looks like."""

JOINERS = frozenset("\u200c\u200d")
EMOJI_JOINER, EMOJI_SHAPES, KEYCAP = "\u200d", frozenset("\ufe0e\ufe0f"), "\u20e3"
FLAG, TAGS, LAST_TAG = "\U0001f3f4", range(0xE0020, 0xE0080), "\U000e007f"
SKIN_TONES = range(0x1F3FB, 0x1F400)
HAN_VARIANTS = frozenset(map(chr, (*range(0xFE00, 0xFE03), *range(0xE0100, 0xE01F0))))
MONGOLIAN_SHAPES = frozenset("\u180b\u180c\u180d\u180e\u180f")


def fault_of_name(name: str) -> str:
    """What is wrong with how a name is written; empty where nothing is. name: in NFC."""
    if name.isascii():
        return ""
    return next(chain(_unseen(name), _marks(name), _mixed(name)), "")


def _unseen(name: str) -> Iterator[str]:
    for index, character in enumerate(name):
        if character == BLANK or (character in IGNORABLE and not _belongs(name, index)):
            yield f"it has a character that shows nothing (U+{ord(character):04X})"


def _belongs(name: str, index: int) -> bool:
    """Whether a character that shows nothing itself changes how the one before it is shown, as it does in its script.

    Two names that differ in such a one alone are still the same name (`likeness`).
    """
    if not index:
        return False
    character, before, after = name[index], name[index - 1], name[index + 1 : index + 2]
    script = SCRIPTS.name_of(before)
    if character == EMOJI_JOINER and after and after in PICTURES:
        return _ends_picture(name[:index])
    if character in JOINERS:
        return script in JOINED
    if character in EMOJI_SHAPES:
        return before in PICTURES or (before in "0123456789#*" and after == KEYCAP)
    if ord(character) in TAGS:
        return LAST_TAG in name[index:] and name[:index].rstrip("".join(map(chr, TAGS))).endswith(FLAG)
    if character in HAN_VARIANTS:
        return script == "Han"
    return character in MONGOLIAN_SHAPES and script == "Mongolian"


def _ends_picture(text: str) -> bool:
    """Whether a text ends with an emoji, with or without its shape and skin."""
    bare = text.rstrip("".join(EMOJI_SHAPES))
    return bool(bare) and (bare[-1] in PICTURES or ord(bare[-1]) in SKIN_TONES)


def _marks(name: str) -> Iterator[str]:
    """The same mark twice on a letter shows as one."""
    for before, character in pairwise(name):
        if character == before and category(character) == "Mn":
            yield f"it has the same mark twice (U+{ord(character):04X})"


def _mixed(name: str) -> Iterator[str]:
    for word in _words(name):
        found = {script for script in map(SCRIPTS.name_of, word) if script}
        if len(found) > 1 and not any(found <= together for together in TOGETHER):
            yield f"{word!r} mixes letters of {' and '.join(sorted(found))}"


def _words(name: str) -> Iterator[str]:
    """Runs of letters, marks and digits; anything else ends a word."""
    word = ""
    for character in name:
        if category(character)[0] in "LMN" or character in JOINERS:
            word += character
        else:
            yield word
            word = ""
    yield word
