"""Somebody is found by what people type of their name."""

from __future__ import annotations

import pytest

from shared.names import matches_words, name_sort_key


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Zoë Brontë", "zoe"),
        ("Zoe Bronte", "ZOË"),
        ("Łukasz Żółw", "lukasz zolw"),
        ("Søren Ångström", "angstrom soren"),
        ("Sean O’Neill", "oneill"),
        ("Jean-Luc", "jean luc"),
        ("Straße", "STRASSE"),
        ("İbrahim", "ibrahim"),
        ("ﬁona", "fiona"),
        ("김민준", "민준"),
        ("★★", "★"),
    ],
)
def test_found_without_accents_capitals_and_marks(name, said):
    assert matches_words(name, said)


@pytest.mark.parametrize(("name", "said"), [("Ana Berg", "ana bergs"), ("Ana", "b"), ("Ana", "'"), ("Ana", "- -")])
def test_every_word_has_to_stand_there_and_no_word_finds_nobody(name, said):
    assert not matches_words(name, said)


def test_names_are_sorted_as_people_read_them():
    assert sorted(["Zoë", "ann", "Émile", "Emile", "Bob"], key=name_sort_key) == ["ann", "Bob", "Emile", "Émile", "Zoë"]
