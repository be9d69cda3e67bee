"""Canonical JSON: equal to the `rfc8785` library for accepted values; ambiguous values are refused."""

from __future__ import annotations

import math

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from shared.log.event import LARGEST_NUMBER, NotCanonical, canonical_json

WHOLE = st.integers(-LARGEST_NUMBER, LARGEST_NUMBER)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
KEYS = st.text(st.characters(max_codepoint=127))
VALUES = st.recursive(
    st.none() | st.booleans() | WHOLE | TEXT,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=30,
)


@given(VALUES)
def test_it_equals_the_rfc8785_library(value):
    assert canonical_json(value).encode() == rfc8785.dumps(value)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(1.0, id="float"),
        pytest.param({"a": [{"b": 0.5}]}, id="float inside"),
        pytest.param(math.nan, id="not a number"),
        pytest.param(math.inf, id="infinity"),
        pytest.param(LARGEST_NUMBER + 1, id="too large"),
        pytest.param(-LARGEST_NUMBER - 1, id="too small"),
        pytest.param({"größe": 1}, id="key beyond ASCII"),
        pytest.param({1: "a"}, id="key that is no string"),
        pytest.param("\ud800", id="half a surrogate pair"),
        pytest.param(["\udc00x"], id="half a surrogate pair inside"),
    ],
)
def test_values_that_readers_interpret_differently_are_refused(value):
    with pytest.raises(NotCanonical):
        canonical_json(value)


def test_keys_are_sorted_and_there_is_no_whitespace():
    assert canonical_json({"b": [True, None], "a": "é\n\u001f"}) == '{"a":"é\\n\\u001f","b":[true,null]}'
