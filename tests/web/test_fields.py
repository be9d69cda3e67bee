"""Fields accept exactly what they document."""

from __future__ import annotations

import unicodedata
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from shared.refusals import expects, one_of
from shared.web.schema import (
    BLANK_LETTERS,
    DIRECTION_CONTROLS,
    Choice,
    Day,
    Flag,
    Identifier,
    Name,
    QueryNumber,
    Text,
    TextFault,
    WholeNumber,
    clean_line,
)

FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}"
SCOTLAND = "\N{WAVING BLACK FLAG}\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


def refused(field, value):
    with pytest.raises(ValidationError) as caught:
        field.deserialize(value)
    return caught.value.messages[0]


@pytest.mark.parametrize(
    "name",
    [
        "Anna",
        "Zoë O’Neill-Bǎi",
        "محمد علي",
        "שרה",
        "می‌خواهم",
        "李小龙",
        "山田 太郎",
        "दीपक",
        FAMILY,
        SCOTLAND,
        "\N{SKULL AND CROSSBONES}\ufe0f",
        "x" * 100,
        "'; DROP TABLE events; --",
        "<script>",
        "A\N{NO-BREAK SPACE}B",
    ],
)
def test_real_names_are_kept(name):
    assert Name().deserialize(name) == unicodedata.normalize("NFC", name)


def test_names_are_trimmed_and_composed():
    assert Name().deserialize("\t Zoe\N{COMBINING DIAERESIS} \n") == "Zoë"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\N{ZERO WIDTH SPACE}",
        "\u200d\u200c\ufeff",
        "\N{HANGUL FILLER}",
        "\N{BRAILLE PATTERN BLANK}",
        "\N{COMBINING ACUTE ACCENT}",
        "a\nb",
        "a\0b",
        "a\x7fb",
        "a\x85b",
        "a\u2028b",
        "\u202eevil",
        "a\u2066b\u2069",
        "a\ud800b",
        "x" * 101,
        "ä" * 101,
        "x" * 100_000,
        "ä" * 100_000,
        7,
        None,
        ["Anna"],
        True,
    ],
)
def test_invisible_or_disruptive_names_are_refused(name):
    with pytest.raises(ValidationError):
        Name().deserialize(name)


def test_refused_name_has_its_fault():
    found = refused(Name(), "a\u202eb")
    assert found.data["fault"] == expects("direction-character", character="U+202E")
    assert str(found).endswith("it has a character that changes direction (U+202E)")
    assert refused(Name(maximum=3), "abcd").data["fault"] == expects("characters-found", count=4)


@given(st.text(max_size=120))
def test_accepted_name_is_visible_and_stable(text):
    try:
        kept = clean_line(text, 100)
    except TextFault:
        return
    assert 1 <= len(kept) <= 100
    assert kept == unicodedata.normalize("NFC", text).strip()
    assert clean_line(kept, 100) == kept
    assert not DIRECTION_CONTROLS & set(kept)
    assert not any(unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} for c in kept)
    assert set(kept) - BLANK_LETTERS
    kept.encode()


def test_text_keeps_its_lines():
    assert Text(20).deserialize(" a\r\nb\rc\td \n") == "a\nb\nc\td"
    assert Text(20).deserialize("") == ""
    assert str(refused(Text(3, minimum=2), "abcd")).startswith("text of 2 to 3 characters")
    for wrong in ("a\0", "a\u202e", "\ud800", 4):
        refused(Text(20), wrong)


@given(st.integers(-5, 5))
def test_whole_numbers_within_their_limits(number):
    field = WholeNumber(-2, 2)
    if -2 <= number <= 2:
        assert field.deserialize(number) == number
    else:
        assert refused(field, number) == expects("whole-number-range", least=-2, most=2)


@pytest.mark.parametrize("value", [1.0, "1", True, None, [1], 1.5, float("nan"), 2**53])
def test_almost_integers_are_refused(value):
    with pytest.raises(ValidationError):
        WholeNumber().deserialize(value)


def test_query_numbers_are_text():
    assert QueryNumber(0, 10).deserialize("7") == 7
    for wrong in ("7.0", "", "+7", " 7", "٧", "1e1", "11", "9" * 5000):
        refused(QueryNumber(0, 10), wrong)


@pytest.mark.parametrize("value", ["a", "A-1_b", "0", "x" * 64])
def test_identifiers(value):
    assert Identifier().deserialize(value) == value


@pytest.mark.parametrize("value", ["", "-a", "_a", "a.b", "a b", "a\n", "é", "x" * 65, 7, None, "a/b", "a#b", "*"])
def test_invalid_identifiers(value):
    with pytest.raises(ValidationError):
        Identifier().deserialize(value)


def test_flags_and_choices():
    assert Flag().deserialize(False) is False
    for wrong in ("true", 1, 0, None):
        with pytest.raises(ValidationError):
            Flag().deserialize(wrong)
    assert Choice("a", "b").deserialize("a") == "a"
    assert refused(Choice("a", "b"), "A") == one_of(["a", "b"])
    assert refused(Choice("a", "b"), []) == one_of(["a", "b"])


def test_days():
    assert Day().deserialize("2028-02-29") == date(2028, 2, 29)
    refused(Day(), 20260228)
    for wrong in ("2026-02-29", "20260228", "2026-W01-1", "2026-2-3", "2026-02-28T00:00:00Z"):
        refused(Day(), wrong)
