"""Input of the offline commands: files, with the place of every fault, and the options that select a ruleset."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from muster.cli.output import refuse, unreadable
from shared.csv_cells import NotUtf8, decode_utf8, read_table
from shared.formats.options import apply_options
from shared.formats.packs import load, shipped_ids, shipped_ruleset
from shared.refusals import Expected, Fault, Refusal, expects
from shared.rules.checks import Lines, locate_faults, parse_yaml
from shared.rules.parts import AnyRuleset, to_json
from shared.swiss.roster import with_catalogue, with_legal_example
from shared.swiss.ruleset import Ruleset


class NotText(Refusal):
    """A file is unreadable or not text."""

    code = "not-text"


def read_bytes(path: str) -> bytes:
    """Return the content of a file; `-` is standard input. Raises NotText if it cannot be read."""
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise NotText(f"{path} cannot be read", [unreadable(path, error)]) from error


def read_text(path: str) -> str:
    """Return the text of a file in UTF-8, without a byte-order mark. Raises NotText, with the line of the fault."""
    try:
        return decode_utf8(read_bytes(path))
    except NotUtf8 as error:
        fault = Fault(f"{path}:{error.row}:", f"0x{error.byte:02X}", expects("utf-8-text"))
        raise NotText(f"{path} is not text", [fault]) from error


class Row(Struct, frozen=True):
    """One row. line: its number in the file, from 1 for the header; values: by column, without outer spaces."""

    file: str
    line: int
    values: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values.get(column, "")

    def fault(self, column: str, said: str, expected: Expected, clause: str = "") -> Fault:
        """Return a fault at a column of this row."""
        return Fault(f"{self.file}:{self.line}:{column}", said, expected, clause)


class Shape(Struct, frozen=True):
    """The columns that a file may have. words: columns whose values are fixed words, accepted in any case."""

    columns: Sequence[str]
    required: Sequence[str]
    words: Collection[str] = ()


def read_rows(path: str, shape: Shape, faults: list[Fault], ignored: Collection[str] = ()) -> list[Row]:
    """Return the rows of a CSV file. Faults are added to `faults`; a file with a wrong header has no rows.

    path: `-` is standard input. ignored: further columns that are allowed.
    """
    try:
        data = read_bytes(path)
    except NotText as refusal:
        faults += refusal.faults
        return []

    def place(row: int, column: int = 0, name: str = "") -> str:
        return f"{path}:{row}:{name or column or ''}"

    ignored = {name.strip() for name in ignored}
    table = read_table(
        data, shape.columns, place, required=shape.required, ignored=ignored, ignore_option="--ignore-column"
    )
    faults += table.faults
    return [
        Row(
            path,
            row.number,
            {name: cell.casefold() if name in shape.words else cell for name, cell in row.cells.items()},
        )
        for row in table.rows
    ]


def whole(row: Row, column: str, least: int, faults: list[Fault]) -> int | None:
    """Return the whole number in a column, at least `least`; None if it is empty or wrong."""
    text = row[column]
    if not text:
        return None
    if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10 and int(text) >= least:
        return int(text)
    faults.append(row.fault(column, repr(text), expects("digits-from", least=least)))
    return None


ruleset_option = click.option(
    "--ruleset",
    "ruleset_id",
    required=True,
    metavar="ID",
    help="The id of a shipped ruleset, or a pack file that ends in .yaml.",
)
set_option = click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="Set an option of the ruleset. Can be repeated."
)
catalogue_option = click.option(
    "--catalogue",
    "catalogues",
    multiple=True,
    metavar="FILE",
    help="A list of what rosters may hold, with prices. Can be repeated.",
)
output_option = click.option(
    "--output", default="-", metavar="FILE", help="The file to write to; - is standard output."
)
format_option = click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)

text_or_json = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="json: one object."
)


CLOSE = 0.5
"""The similarity, of 1, above which a mistyped id gets a suggestion: `dust-warfare` means `dust-warfare-1.0`."""


def swiss_ruleset(ruleset_id: str, options: Sequence[str], pack: str | None = None) -> Ruleset:
    """Return a ruleset as `chosen_ruleset` does; report any format but Swiss on standard error and exit."""
    ruleset = chosen_ruleset(ruleset_id, options, pack)
    if not isinstance(ruleset, Ruleset):
        refuse([Fault("--ruleset", ruleset.id, expects("ruleset-of-format", formats=["swiss"]))])
    return ruleset


def chosen_ruleset(ruleset_id: str, options: Sequence[str], pack: str | None = None) -> AnyRuleset:
    """Return the ruleset with its options set; report every fault on standard error and exit.

    ruleset_id: id of a shipped ruleset, or a file name. pack: a pack file, instead of `ruleset_id`.
    """
    file = pack or (ruleset_id if ruleset_id.endswith((".yaml", ".yml")) else None)
    try:
        ruleset = pack_in(file) if file else shipped_ruleset(ruleset_id)
    except Refusal as refusal:
        faults = _renamed(refusal.faults, "/ruleset", "--ruleset")
        if close := get_close_matches(ruleset_id.casefold(), shipped_ids(), n=1, cutoff=CLOSE):
            meant = (expects("did-you-mean", right=fault.expected, meant=close[0]) for fault in faults)
            faults = [replace(fault, expected=right) for fault, right in zip(faults, meant, strict=True)]
        refuse(faults)
    try:
        return apply_options(ruleset, options_given(options))
    except Refusal as refusal:
        refuse(_renamed(refusal.faults, "/", "--option "))


def options_given(options: Sequence[str]) -> dict[str, str]:
    """Return the options by key; report those that are not KEY=VALUE on standard error and exit."""
    if faults := [Fault("--option", repr(text), expects("key-and-value")) for text in options if "=" not in text]:
        refuse(faults)
    return {key: value for key, _, value in (text.partition("=") for text in options)}


def announced_ruleset(
    ruleset_id: str | None, pack: str | None, options: Sequence[str], catalogues: Sequence[str]
) -> dict[str, Any]:
    """Return the ruleset part of a `POST /tournaments` body: an id or a pack from a file, options and catalogues."""
    body: dict[str, Any] = {"options": options_given(options)}
    if ruleset_id is not None:
        body["ruleset"] = ruleset_id
    if pack is not None:
        body["pack"] = to_json(chosen_ruleset("", (), pack))
    if catalogues:
        with_catalogues(swiss_ruleset(ruleset_id or "", (), pack), catalogues)
        body["catalogues"] = [plain_values(path) for path in catalogues]
    return body


def pack_in(path: str) -> AnyRuleset:
    """Return the ruleset of a pack file. Raises PackRefused, NotText."""
    return load(read_text(path), path)


def with_catalogues(ruleset: Ruleset, paths: Sequence[str]) -> Ruleset:
    """Return the ruleset with the catalogues of these files; report all faults on standard error and exit."""
    faults: list[Fault] = []
    for path in paths:
        try:
            ruleset = with_catalogue(ruleset, read_text(path), path)
        except Refusal as refusal:
            faults += refusal.faults
    if faults:
        refuse(faults)
    return with_legal_example(ruleset) if paths else ruleset


def plain_values(path: str) -> Any:
    """Return the values of a YAML or JSON file, in the form that an announcement takes."""
    return plain_file(path)[0]


def plain_file(path: str) -> tuple[Any, Lines]:
    """Return the values of a file and the line of each; report an unreadable file on standard error and exit."""
    try:
        data, lines, faults = parse_yaml(read_text(path), expects("plain-values"))
    except NotText as refusal:
        refuse(refusal.faults)
    if faults:
        refuse(locate_faults(faults, path, lines))
    return data, lines


def _renamed(faults: Sequence[Fault], start: str, wanted: str) -> list[Fault]:
    return [
        Fault(wanted + fault.where.removeprefix(start), fault.said, fault.expected, fault.clause)
        if fault.where.startswith(start)
        else fault
        for fault in faults
    ]
