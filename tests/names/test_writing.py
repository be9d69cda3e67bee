"""How names may be written: what people are called in any script is taken, what nobody sees in it is not."""

from __future__ import annotations

import pytest

from shared.names.writing import fault_of_name

CALLED = [
    *("Łukasz", "Nguyễn Thị Ánh", "田中", "محمد", "O'Brien", "O’Brien", "Zoë", "Þórdís", "Søren", "İsmail", "Kılıç"),
    *("Σωκράτης", "Иван Петров", "Љиљана", "שירה", "გიორგი", "Արամ", "አበበ", "ᏣᎳᎩ", "ᐃᓄᒃ"),
    *("दीपक", "শেখ হাসিনা", "தமிழ்", "ಕನ್ನಡ", "ไพลิน", "ဒေါ်", "ខ្មែរ", "བསྟན་འཛིན", "ᠮᠣᠩᠭᠣᠯ"),
    *("ʻIolani", "N’Diaye", "Mc Donald", "Jean-Luc", "d'Arc 2", "R2-D2", "Ø 7"),
]


@pytest.mark.parametrize("name", CALLED)
def test_a_name_in_one_script_is_taken(name):
    assert fault_of_name(name) == ""


@pytest.mark.parametrize(
    "name",
    [
        "علی\u200cرضا",  # Persian: a non-joiner between letters
        "क्\u200dषमा",  # Hindi: a joiner after a virama
        "රවීන්ද්\u200dර",  # Sinhala
        "রে\u09b0\u200d\u09cdয",  # Bengali: a joiner before a virama
        "രാജന്\u200d",  # Malayalam as older keyboards write it: a joiner at the end
        "葛\U000e0100城",  # a Han variant, as Japanese registers have it
        "ᠮᠣᠩᠭᠣ\u180bᠯ",
    ],
)
def test_joiners_and_variants_are_taken_where_a_script_needs_them(name):
    assert fault_of_name(name) == ""


@pytest.mark.parametrize(
    "name",
    [
        "👩\u200d👩\u200d👧",
        "👩🏽\u200d🚀",
        "❤\ufe0f\u200d🔥",
        "☠\ufe0f Ana",
        "1\ufe0f\u20e3",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "🇵🇱 Łukasz",
    ],
)
def test_emoji_are_taken_as_they_are_put_together(name):
    assert fault_of_name(name) == ""


@pytest.mark.parametrize("name", ["ロボット山田", "お茶の水", "山田 Taro", "J山田", "金철수", "김Kim", "ㄅ包", "T恤"])
def test_what_is_written_in_one_word_in_east_asia_is_taken(name):
    assert fault_of_name(name) == ""


@pytest.mark.parametrize("name", ["Иван Smith", "Team-Дракон", "Ana (Ана)", "محمد Smith"])
def test_scripts_may_change_from_word_to_word(name):
    assert fault_of_name(name) == ""


@pytest.mark.parametrize(
    "name", ["Mаria", "Mariа", "Μaria", "Ꮇaria", "Ivaո", "Ο'Вrien", "pаypаl", "カkт", "한а", "Ана\u0627"]
)
def test_two_scripts_in_one_word_are_refused_by_name(name):
    assert "mixes letters of" in fault_of_name(name)


HIDDEN = [
    *("\u00ad", "\u034f", "\u061c", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u180b", "\u180e", "\u200b", "\u200c"),
    *("\u200d", "\u200e", "\u200f", "\u2060", "\u2061", "\u2064", "\u206a", "\u2800", "\u3164", "\ufe00", "\ufe0f"),
    *("\ufeff", "\uffa0", "\U0001bca0", "\U0001d173", "\U000e0001", "\U000e0041", "\U000e007f", "\U000e0100"),
]


@pytest.mark.parametrize("hidden", HIDDEN, ids=ascii)
@pytest.mark.parametrize("name", ["{}Maria", "Ma{}ria", "Maria{}"])
def test_what_shows_nothing_is_refused_by_its_number(name, hidden):
    assert fault_of_name(name.format(hidden)) == f"it has a character that shows nothing (U+{ord(hidden):04X})"


@pytest.mark.parametrize(
    "name", ["علی\u200c\u200cرضا", "👩\u200d", "👩\u200dAna", "7\ufe0f", "🏴\U000e0067 Ana", "ﾏ\u200dﾘ"]
)
def test_what_joins_nothing_is_refused_too(name):
    assert "shows nothing" in fault_of_name(name)


def test_a_mark_is_written_once():
    assert fault_of_name("a\u0327\u0327na") == "it has the same mark twice (U+0327)"
