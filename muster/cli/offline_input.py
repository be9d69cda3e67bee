"""The options that offline commands share: the ruleset, what is set in it, the form of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import click
from msgspec.structs import replace

from muster.cli.offline.input_files import NotText, read_text
from muster.cli.output import refuse
from shared.formats.options import apply_options
from shared.formats.packs import load, shipped_ids, shipped_ruleset
from shared.refusals import Fault, Refusal, expects
from shared.rules.checks import Lines, placed, read_plain
from shared.rules.parts import AnyRuleset, to_json
from shared.swiss.roster import with_catalogue, with_legal_example
from shared.swiss.ruleset import Ruleset

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
"""How alike an id and a mistyped one are at least, of 1: `dust-warfare` still means `dust-warfare-1.0`."""


def swiss_ruleset(ruleset_id: str, options: Sequence[str], pack: str | None = None) -> Ruleset:
    """The ruleset as `chosen_ruleset`, for what only Swiss tournaments have; another format goes to standard error."""
    ruleset = chosen_ruleset(ruleset_id, options, pack)
    if not isinstance(ruleset, Ruleset):
        refuse([Fault("--ruleset", ruleset.id, expects("ruleset-of-format", formats=["swiss"]))])
    return ruleset


def chosen_ruleset(ruleset_id: str, options: Sequence[str], pack: str | None = None) -> AnyRuleset:
    """The ruleset with its options set; every fault goes to standard error.

    ruleset_id: of a shipped one, or a file by its ending. pack: a file, whatever its name, in the place of both.
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
    """The options by key; those that are not KEY=VALUE go to standard error."""
    if faults := [Fault("--option", repr(text), expects("key-and-value")) for text in options if "=" not in text]:
        refuse(faults)
    return {key: value for key, _, value in (text.partition("=") for text in options)}


def announced_ruleset(
    ruleset_id: str | None, pack: str | None, options: Sequence[str], catalogues: Sequence[str]
) -> dict[str, Any]:
    """What `POST /tournaments` takes: a shipped ruleset by its id, or the pack of a file; options and catalogues."""
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
    """The ruleset of a pack file. Raises PackRefused, NotText."""
    return load(read_text(path), path)


def with_catalogues(ruleset: Ruleset, paths: Sequence[str]) -> Ruleset:
    """The ruleset with the catalogues of these files; every fault of every file goes to standard error."""
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
    """The plain values of a file (YAML, JSON), as the announcement of a tournament takes catalogues and other data."""
    return plain_file(path)[0]


def plain_file(path: str) -> tuple[Any, Lines]:
    """The plain values of a file, and the line of each; what cannot be read goes to standard error."""
    try:
        data, lines, faults = read_plain(read_text(path), expects("plain-values"))
    except NotText as refusal:
        refuse(refusal.faults)
    if faults:
        refuse(placed(faults, path, lines))
    return data, lines


def _renamed(faults: Sequence[Fault], start: str, wanted: str) -> list[Fault]:
    return [
        Fault(wanted + fault.where.removeprefix(start), fault.said, fault.expected, fault.clause)
        if fault.where.startswith(start)
        else fault
        for fault in faults
    ]
