"""Validation and equality of names."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from shared.names import is_same_name, mark_duplicates, name_fault, normalize_name
from shared.refusals import expects

SAME = (
    (
        "Maria",
        [
            "MARIA",
            "  Maria ",
            "Ｍａｒｉａ",
            "𝐌𝐚𝐫𝐢𝐚",
            "Ⓜⓐⓡⓘⓐ",
            "Ma\u200bria",
            "Ma\u00adria",
            "\ufeffMaria",
            "Maria\u2800",
        ],
    ),
    ("Ana Maria", ["Ana\u00a0 Maria"]),
    ("Straße", ["STRASSE"]),
    ("محمد", ["محمد\u200c"]),
    ("葛城", ["葛\U000e0100城"]),
    ("Zoë", ["Zoe\u0308"]),
    ("Ярослав", ["ЯРОСЛАВ"]),
)
DIFFERENT = (
    *(("Maria", "Мария"), ("Maria", "Marie"), ("Lukasz", "Łukasz"), ("Zoe", "Zoë"), ("Burns", "Bums")),
    *(("Anna Müller I.", "Anna Müller L."), ("Işık", "Işik"), ("田中", "由中"), ("Müller", "Möller")),
)
WRITTEN = (
    *("Łukasz", "Nguyễn Thị Ánh", "田中", "محمد", "O'Brien", "O’Brien", "Zoë", "Þórdís", "Søren", "İsmail", "Kılıç"),
    *("Σωκράτης", "Иван Петров", "שירה", "გიორგი", "Արամ", "አበበ", "ᏣᎳᎩ", "ᐃᓄᒃ", "Иван Smith", "Team-Дракон", "T恤"),
    *("दीपक", "শেখ হাসিনা", "தமிழ்", "ಕನ್ನಡ", "ไพลิน", "ဒေါ်", "ខ្មែរ", "བསྟན་འཛིན", "ᠮᠣᠩᠭᠣᠯ", "ʻIolani", "R2-D2", "Ø 7"),
    # Joiners and variants that a script needs: Persian, Hindi, Sinhala, Malayalam, Japanese, Mongolian.
    *("علی\u200cرضا", "क्\u200dषमा", "රවීන්ද්\u200dර", "രാജന്\u200d", "葛\U000e0100城", "ᠮᠣᠩᠭᠣ\u180bᠯ"),
    *("👩\u200d👩\u200d👧", "👩🏽\u200d🚀", "❤\ufe0f\u200d🔥", "☠\ufe0f Ana", "1\ufe0f\u20e3", "🇵🇱 Łukasz"),
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
)
INVISIBLE = (
    *("\u00ad", "\u034f", "\u061c", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u200b", "\u200e", "\u200f", "\u2060"),
    *("\u2061", "\u2064", "\u206a", "\u2800", "\u3164", "\ufeff", "\uffa0", "\U0001bca0", "\U0001d173", "\U000e0001"),
    *("\u200c", "\u200d", "\ufe00", "\ufe0f", "\U000e0041", "\U000e007f", "\U000e0100"),
)


def test_names_that_differ_in_capitals_spaces_and_forms_are_the_same():
    for name, others in SAME:
        for other in others:
            assert is_same_name(name, other), ascii(other)
            assert is_same_name(other, name), ascii(other)


def test_names_that_differ_in_a_letter_are_different():
    for name, other in DIFFERENT:
        assert not is_same_name(name, other), ascii(other)


def test_names_in_any_script_are_accepted():
    assert {name: fault for name in WRITTEN if (fault := name_fault(unicodedata.normalize("NFC", name)))} == {}


def test_an_invisible_character_is_reported_by_its_code_point():
    for hidden in INVISIBLE:
        for name in ("{}Maria", "Ma{}ria", "Maria{}"):
            expected = expects("invisible-character", character=f"U+{ord(hidden):04X}")
            assert name_fault(name.format(hidden)) == expected


def test_a_repeated_mark_is_refused():
    assert name_fault("a\u0327\u0327na") == expects("repeated-mark", character="U+0327")


@given(st.lists(st.sampled_from(["Ana", "ana", "Ana ", "Ben", "Ｂｅｎ", "Cy", "Dee", "Ｄee"]), max_size=8))
def test_duplicate_names_are_marked(names):
    assert mark_duplicates(names) == [
        any(is_same_name(other, name) for place, other in enumerate(names) if place != index)
        for index, name in enumerate(names)
    ]


@given(st.text(max_size=30))
def test_normalization_is_idempotent(name):
    assert normalize_name(normalize_name(name)) == normalize_name(name)
    assert normalize_name(unicodedata.normalize("NFD", name)) == normalize_name(name)
