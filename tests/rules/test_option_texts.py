"""Every value of an option can be written as command-line text and is read as the same value."""

from __future__ import annotations

import pytest

from shared.formats.options import as_text, read_value
from shared.formats.packs import shipped
from tests.console.playing import settings

EVERY_VALUE = [
    pytest.param(option, text, id=f"{ruleset.id}-{option.key}-{text}")
    for ruleset in shipped("swiss").values()
    for option in ruleset.options
    for text in settings(option)
]


@pytest.mark.parametrize(("option", "text"), EVERY_VALUE)
def test_a_value_is_written_as_it_is_read(option, text):
    said, put = read_value(option, text)
    assert read_value(option, as_text(said)) == (said, put)
