"""The options that offline commands share: the ruleset, what is set in it, the files, the form of the answer."""

from __future__ import annotations

from collections.abc import Sequence

import click

from services.console.faults import refuse
from shared.refusals import Fault, Refusal
from shared.rules.ruleset import Ruleset

ruleset_option = click.option(
    "--ruleset", "ruleset_id", required=True, metavar="ID", help="A shipped ruleset, or the path of a pack (.yaml)."
)
set_option = click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Set an option; repeatable.")
players_option = click.option("--players", required=True, metavar="FILE", help="players.csv; - is standard input.")
results_option = click.option("--results", required=True, metavar="FILE", help="results.csv; - is standard input.")
seed_option = click.option(
    "--seed", default="", metavar="TEXT", help="The seed of every draw; the same, the same draw."
)
output_option = click.option("--output", default="-", metavar="FILE", help="Where to write; - is standard output.")
format_option = click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)


def chosen_ruleset(ruleset_id: str, options: Sequence[str]) -> Ruleset:
    """The ruleset with its options set; every fault goes to standard error."""
    from shared.rules.options import apply_options
    from shared.rules.pack import shipped_ruleset

    try:
        ruleset = pack_in(ruleset_id) if ruleset_id.endswith((".yaml", ".yml")) else shipped_ruleset(ruleset_id)
    except Refusal as refusal:
        refuse(_renamed(refusal.faults, "/ruleset", "--ruleset"))
    pairs, faults = {}, []
    for text in options:
        key, equals, value = text.partition("=")
        if not equals:
            faults.append(Fault("--option", repr(text), "KEY=VALUE"))
        pairs[key] = value
    try:
        ruleset = ruleset if faults else apply_options(ruleset, pairs)
    except Refusal as refusal:
        faults += _renamed(refusal.faults, "/", "--option ")
    if faults:
        refuse(faults)
    return ruleset


def pack_in(path: str) -> Ruleset:
    """The ruleset of a pack file. Raises PackRefused."""
    from shared.rules.pack import load

    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except OSError as error:
        refuse([Fault(path, (error.strerror or "cannot be read").lower(), "a file that can be read")])
    except UnicodeDecodeError:
        refuse([Fault(path, "not text", "UTF-8")])
    return load(text, path)


def _renamed(faults: Sequence[Fault], start: str, wanted: str) -> list[Fault]:
    return [
        Fault(wanted + fault.where.removeprefix(start), fault.said, fault.expected, fault.clause)
        if fault.where.startswith(start)
        else fault
        for fault in faults
    ]
