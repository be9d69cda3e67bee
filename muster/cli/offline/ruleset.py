"""`muster ruleset`: which there are, what is in one, and whether a pack of your own would be accepted."""

from __future__ import annotations

import json

import click

from muster.cli.offline.chosen import chosen_ruleset, format_option, pack_in, set_option
from muster.cli.output import in_form, refuse, write
from shared.refusals import Refusal


@click.group("ruleset")
def command() -> None:
    """List, show and check rulesets."""


@command.command("list")
@format_option
def list_rulesets(form: str) -> None:
    """The rulesets that come with Muster."""
    from shared.formats.pack import shipped

    rows = [{"id": id, "version": found.version, "title": found.title} for id, found in shipped().items()]
    columns = ("id", "version", "title")
    write(in_form(form, columns, rows), "-")


@command.command("show")
@click.argument("ruleset_id", metavar="ID")
@set_option
@click.option("--format", "form", type=click.Choice(["yaml", "json"]), default="yaml", show_default=True)
def show(ruleset_id: str, options: tuple[str, ...], form: str) -> None:
    """A ruleset as its pack (yaml; the start of a pack of your own), or as a tournament holds it (json)."""
    from shared.formats.pack import shipped_text
    from shared.rules.ruleset import to_json

    ruleset = chosen_ruleset(ruleset_id, options)
    if form == "json":
        write(json.dumps(to_json(ruleset), indent=2, ensure_ascii=False) + "\n", "-")
    elif options or ruleset_id.casefold() != ruleset.id:
        import yaml

        write(yaml.safe_dump(to_json(ruleset), sort_keys=False, allow_unicode=True, width=110), "-")
    else:
        write(shipped_text(ruleset_id), "-")


@command.command("check")
@click.argument("file", metavar="FILE")
def check(file: str) -> None:
    """Whether a pack can be played by; every fault with its line when not."""
    try:
        ruleset = pack_in(file)
    except Refusal as refusal:
        refuse(refusal.faults)
    click.echo(f"{file}: {ruleset.id} is a ruleset that can be played by")
