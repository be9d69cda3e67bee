"""CSV cells: no written cell is a formula, and every cell is read back exactly."""

from __future__ import annotations

import ast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deploy.stack import ROOT
from shared.csv_cells import escape_formula, unescape_formula
from tests.sources import parsed

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
def test_risky_cells_get_a_quote(text, cell):
    assert escape_formula(text) == cell
    assert unescape_formula(cell) == text


@given(st.text(max_size=20) | st.tuples(st.text("'=+-@\t\r\n＝5.", max_size=6), st.text(max_size=5)).map("".join))
@example("'")
@example("''''=")
def test_every_text_is_read_back_and_none_is_a_formula(text):
    cell = escape_formula(text)
    assert unescape_formula(cell) == text
    assert not cell.startswith(RISKY) or cell.lstrip("-").replace(".", "").replace("/", "").isdigit()


def test_one_module_reads_csv():
    folders = ("shared", "services", "muster", "clients", "deploy", "bench")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    reading = {
        file.relative_to(ROOT).as_posix()
        for file in files
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("csv.reader", "csv.DictReader", "csv.Sniffer")
    }
    assert reading == {"shared/csv_cells.py"}
