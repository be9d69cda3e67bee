"""No cell that we write is a formula to a spreadsheet, and every one is read back as it was meant."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.csv_cells import as_meant, defused

RISKY = tuple("=+-@\t\r\n＝＋－＠")


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+49 170", "'+49 170"),
        ("-Ana", "'-Ana"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("＝cmd|'/c calc'!A0", "'＝cmd|'/c calc'!A0"),
        ("'=1+1", "''=1+1"),
        ("''@x", "'''@x"),
        ("'Neill", "'Neill"),
        ("O'Brien", "O'Brien"),
        ("Ana", "Ana"),
        ("", ""),
        ("-5", "-5"),
        ("-12.5", "-12.5"),
        ("13/6", "13/6"),
        ("-5+1", "'-5+1"),
        ("+5", "'+5"),
    ],
)
def test_the_rule_of_a_quote(text, cell):
    assert defused(text) == cell
    assert as_meant(cell) == text


@given(st.text(max_size=20) | st.tuples(st.text("'=+-@\t\r\n＝5.", max_size=6), st.text(max_size=5)).map("".join))
@example("'")
@example("''''=")
def test_every_text_comes_back_and_none_begins_a_formula(text):
    cell = defused(text)
    assert as_meant(cell) == text
    assert not cell.startswith(RISKY) or cell.lstrip("-").replace(".", "").replace("/", "").isdigit()
