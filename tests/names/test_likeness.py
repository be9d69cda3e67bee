"""Whether two names are told apart by who reads them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.names.characters import LOOKS
from shared.names.likeness import Called, alike, plain, repeated

MARIA = [
    *("Maria", "MARIA", "  Maria ", "Ｍａｒｉａ", "ＭＡＲＩＡ", "𝐌𝐚𝐫𝐢𝐚", "𝓜𝓪𝓻𝓲𝓪", "Ⓜⓐⓡⓘⓐ", "Mаriа", "Маriа", "Мarіа"),
    *("Ma\u200bria", "Ma\u00adria", "\ufeffMaria", "Maria\u2800", "Maria\ufe0f", "M\u2060aria", "Mɑria", "Marıa"),
]


@pytest.mark.parametrize("written", MARIA, ids=ascii)
def test_maria_is_one_name_however_it_is_written(written):
    assert alike("Maria", written)
    assert alike(written, "Maria")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("BOB", "ВОВ"),
        ("ape", "аре"),
        ("Саша", "Cаша"),
        ("O'Brien", "O’Brien"),
        ("Straße", "STRASSE"),
        ("محمد", "محمد\u200c"),
        ("葛城", "葛\U000e0100城"),
        ("カ", "力"),
        ("Ana Maria", "Ana\u00a0 Maria"),
        ("Zoe\u0308", "Zoë"),
        ("Ярослав", "ЯРОСЛАВ"),
    ],
)
def test_names_that_look_the_same_are_one(one, other):
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Maria", "Мария"),
        ("Maria", "Marie"),
        ("Lukasz", "Łukasz"),
        ("Zoe", "Zoë"),
        ("Burns", "Bums"),
        ("Ana 1", "Ana I"),
        ("Ada", "Ада"),
        ("田中", "由中"),
        ("Müller", "Möller"),
    ],
)
def test_names_that_people_tell_apart_are_two(one, other):
    assert not alike(one, other)
    assert not alike(other, one)


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S", "Zs"]), max_size=20), st.data())
def test_any_letter_put_in_place_of_one_that_looks_like_it_changes_nothing(name, data):
    by_look = {}
    for code, look in LOOKS.items():
        if not chr(code).isascii():
            by_look.setdefault(look, []).append(chr(code))
    written = "".join(data.draw(st.sampled_from([letter, *by_look.get(letter, [])])) for letter in name)
    assert alike(name, written) or name == written


@given(st.lists(st.sampled_from(["Ana", "ana", "Ana ", "Аna", "Ben", "Ｂｅｎ", "Cy", "Dee", "Ｄee"]), max_size=8))
def test_repeated_names_are_all_found(names):
    assert repeated(names) == [
        any(alike(other, name) for place, other in enumerate(names) if place != index)
        for index, name in enumerate(names)
    ]


@given(st.text(max_size=30))
def test_a_name_is_itself(name):
    assert name in Called([name])
    assert plain(plain(name)) == plain(name)
    assert plain(unicodedata.normalize("NFD", name)) == plain(name)
