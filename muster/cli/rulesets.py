"""`muster ruleset` and `muster roster`: list rulesets, and check packs and rosters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NoReturn

import click

from muster.cli.command_group import example
from muster.cli.offline_input import (
    NotText,
    catalogue_option,
    chosen_ruleset,
    format_option,
    pack_in,
    read_text,
    ruleset_option,
    set_option,
    swiss_ruleset,
    text_or_json,
    with_catalogues,
)
from muster.cli.output import (
    BAD_INPUT,
    DONE,
    as_line,
    as_object,
    faults_as_json,
    format_rows,
    print_faults,
    refuse,
    write,
)
from shared.formats.packs import shipped, shipped_text
from shared.refusals import MAX_SHOWN_LENGTH, Fault, Refusal, display_text, expects
from shared.rules.checks import locate_faults, parse_yaml
from shared.rules.parts import to_json
from shared.swiss.roster import advice_on_roster, check_roster
from shared.swiss.ruleset import Ruleset


@click.group("ruleset")
@example("muster ruleset show dust-warfare-1.0")
def ruleset() -> None:
    """List, show and check rulesets."""


@ruleset.command("list")
@format_option
@example("muster ruleset list --format json")
def list_rulesets(form: str) -> None:
    """List the rulesets that come with Muster."""
    rows = [{"id": id, "version": found.version, "name": found.name} for id, found in shipped().items()]
    columns = ("id", "version", "name")
    write(format_rows(form, columns, rows), "-")


@ruleset.command("show")
@click.argument("ruleset_id", metavar="ID")
@set_option
@click.option("--format", "form", type=click.Choice(["yaml", "json"]), default="yaml", show_default=True)
@example("muster ruleset show dust-warfare-1.0 > my-game.yaml")
def show(ruleset_id: str, options: tuple[str, ...], form: str) -> None:
    """Print a ruleset.

    yaml is its pack, which you can copy and change; json is the form that a tournament stores.
    """
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
@text_or_json
@example("muster ruleset check my-game.yaml")
def check_pack(file: str, form: str) -> None:
    """Check that a pack is complete and consistent.

    Every fault is printed with its line, and the exit code is then 2.
    """
    faults: Sequence[Fault] = ()
    id = None
    try:
        id = pack_in(file).id
    except Refusal as refusal:
        faults = refusal.faults
    if form == "json":
        _judged({"file": file, "ruleset": id}, faults)
    if faults:
        refuse(faults)
    click.echo(f"{file}: {id} is a ruleset that Muster can use")


def _judged(about: Mapping[str, object], faults: Sequence[Fault], **more: object) -> NoReturn:
    """Print the faults of a check as one JSON object, and exit with its code."""
    write(as_object({**about, "ok": not faults, "faults": faults_as_json(faults), **more}), "-")
    raise SystemExit(BAD_INPUT if faults else DONE)


@click.group("roster")
@example("muster roster check --ruleset star-wars-armada-1.1 fleet.json")
def roster() -> None:
    """Check rosters of players."""


@roster.command("check")
@click.argument("file", metavar="ROSTER")
@ruleset_option
@set_option
@catalogue_option
@click.option(
    "--first-day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="First day of play; what was published too late for it is not legal yet.",
)
@text_or_json
@example("muster roster check --ruleset star-wars-armada-1.1 fleet.json")
def check_list(
    file: str,
    ruleset_id: str,
    options: tuple[str, ...],
    catalogues: tuple[str, ...],
    first_day: datetime | None,
    form: str,
) -> None:
    """Check whether a roster (JSON or YAML) is legal.

    Every fault is printed with its line, its place in the roster and its clause, and the exit code is then 2. Advice of
    a document is printed as advice; the roster stays legal.
    """
    ruleset = with_catalogues(swiss_ruleset(ruleset_id, options), catalogues)
    faults, advice = _of_roster(file, ruleset, first_day)
    if form == "json":
        _judged({"file": file, "ruleset": ruleset.id}, faults, advice=faults_as_json(advice))
    lines = [f"advice: {as_line(fault)}" for fault in advice]
    if faults:
        print_faults(faults)
        for line in lines:
            click.echo(line, err=True)
        refuse([])
    click.echo("\n".join([f"{file}: legal under {ruleset.id}", *lines]))


def _of_roster(file: str, ruleset: Ruleset, first_day: datetime | None) -> tuple[Sequence[Fault], Sequence[Fault]]:
    """Return the faults of a roster, and the advice, each with its line."""
    try:
        roster, lines, faults = _read(file)
    except NotText as refusal:
        return refusal.faults, ()
    if not faults and not isinstance(roster, dict):
        fields = list(ruleset.roster.fields)
        expected = expects("object-with", members=fields) if fields else expects("object")
        faults = [Fault("", display_text(roster), expected, ruleset.roster.cites("fields"))]
    if faults:
        return locate_faults(faults, file, lines), ()
    faults = check_roster(ruleset, roster, first_day.date() if first_day else None)
    return locate_faults(faults, file, lines), locate_faults(advice_on_roster(ruleset, roster), file, lines)


A_ROSTER = expects("roster")


def _read(path: str) -> tuple[Any, dict[str, int], list[Fault]]:
    """Return the values of a file with their lines, and the faults of its form.

    JSON is read as JSON, and as YAML only for the lines of its values.
    """
    text = read_text(path)
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        if path.endswith(".json") and isinstance(error, json.JSONDecodeError):
            line = [*text.split("\n"), ""][error.lineno - 1][:MAX_SHOWN_LENGTH].strip()
            return None, {"": error.lineno}, [Fault("", display_text(line), expects("json", problem=error.msg.lower()))]
        return parse_yaml(text, A_ROSTER)
    found, lines, faults = parse_yaml(text.replace("\t", " "), A_ROSTER)
    return (values, {"": 1}, []) if found is None else (values, lines, faults)
