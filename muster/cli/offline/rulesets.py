"""`muster ruleset` and `muster roster`: which rulesets there are; whether a pack or a list would be accepted."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import click

from muster.cli.offline.chosen import (
    catalogue_option,
    chosen_ruleset,
    format_option,
    pack_in,
    ruleset_option,
    set_option,
    swiss_ruleset,
    with_catalogues,
)
from muster.cli.offline.input_files import NotText, read_text
from muster.cli.output import as_line, in_form, refuse, tell, write
from shared.formats.pack import shipped, shipped_text
from shared.formats.swiss.rules.roster import advice_on_roster, check_roster
from shared.refusals import Fault, Refusal
from shared.rules.plain import placed, read_plain
from shared.rules.ruleset import to_json


@click.group("ruleset")
def ruleset() -> None:
    """List, show and check rulesets."""


@ruleset.command("list")
@format_option
def list_rulesets(form: str) -> None:
    """The rulesets that come with Muster."""
    rows = [{"id": id, "version": found.version, "name": found.name} for id, found in shipped().items()]
    columns = ("id", "version", "name")
    write(in_form(form, columns, rows), "-")


@ruleset.command("show")
@click.argument("ruleset_id", metavar="ID")
@set_option
@click.option("--format", "form", type=click.Choice(["yaml", "json"]), default="yaml", show_default=True)
def show(ruleset_id: str, options: tuple[str, ...], form: str) -> None:
    """A ruleset as its pack (yaml; the start of a pack of your own), or as a tournament holds it (json)."""
    ruleset = chosen_ruleset(ruleset_id, options)
    if form == "json":
        write(json.dumps(to_json(ruleset), indent=2, ensure_ascii=False) + "\n", "-")
    elif options or ruleset_id.casefold() != ruleset.id:
        import yaml

        write(yaml.safe_dump(to_json(ruleset), sort_keys=False, allow_unicode=True, width=110), "-")
    else:
        write(shipped_text(ruleset_id), "-")


@ruleset.command("check")
@click.argument("file", metavar="FILE")
def check_pack(file: str) -> None:
    """Whether a pack can be played by; every fault with its line when not."""
    try:
        ruleset = pack_in(file)
    except Refusal as refusal:
        refuse(refusal.faults)
    click.echo(f"{file}: {ruleset.id} is a ruleset that can be played by")


@click.group("roster")
def roster() -> None:
    """Rosters of players, offline."""


@roster.command("check")
@click.argument("file", metavar="ROSTER")
@ruleset_option
@set_option
@catalogue_option
@click.option(
    "--first-day", type=click.DateTime(["%Y-%m-%d"]), help="Of play; what came out too late is not legal yet."
)
def check_list(
    file: str, ruleset_id: str, options: tuple[str, ...], catalogues: tuple[str, ...], first_day: datetime | None
) -> None:
    """Whether a roster (JSON or YAML) is legal; every fault with its line, its place in the roster and its clause.

    What a document only advises against is told as advice, and leaves the roster legal.
    """
    ruleset = with_catalogues(swiss_ruleset(ruleset_id, options), catalogues)
    try:
        roster, lines, faults = _read(file)
    except NotText as refusal:
        refuse(refusal.faults)
    if not faults and not isinstance(roster, dict):
        fields = ", ".join(ruleset.roster.fields) or "no fields"
        faults = [Fault("", "no roster", f"an object with {fields}", ruleset.roster.cites("fields"))]
    advice = []
    if not faults:
        faults = check_roster(ruleset, roster, first_day.date() if first_day else None)
        advice = [f"advice: {as_line(fault)}" for fault in placed(advice_on_roster(ruleset, roster), file, lines)]
    if faults:
        tell(placed(faults, file, lines))
        for line in advice:
            click.echo(line, err=True)
        refuse([])
    click.echo("\n".join([f"{file}: legal under {ruleset.id}", *advice]))


def _read(path: str) -> tuple[Any, dict[str, int], list[Fault]]:
    """The values of a file with their lines, and what is not plain.

    JSON is nearly YAML: what is JSON is read as such, and as YAML only for the lines of its values.
    """
    text = read_text(path)
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        if path.endswith(".json") and isinstance(error, json.JSONDecodeError):
            return None, {"": error.lineno}, [Fault("", error.msg.lower(), "JSON")]
        return read_plain(text, "a roster")
    found, lines, faults = read_plain(text.replace("\t", " "), "a roster")
    return (values, {"": 1}, []) if found is None else (values, lines, faults)
