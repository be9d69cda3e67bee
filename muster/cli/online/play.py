"""`muster play`: a whole tournament simulated through running services, with all that goes wrong at real ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from muster.cli.offline.chosen import (
    announced_ruleset,
    catalogue_option,
    chosen_ruleset,
    set_option,
    swiss_ruleset,
    with_catalogues,
)
from muster.cli.online.playing import PlayRequest, playing_of
from muster.cli.output import refuse
from muster.client.connection import connect, online
from shared.refusals import Fault
from shared.rules.ruleset import AnyRuleset

MOST_PLAYERS, MOST_VENUES = 10_000, 100


@click.command("play")
@click.option("--ruleset", "ruleset_id", metavar="ID", help="A shipped ruleset: `muster ruleset list`.")
@click.option("--pack", metavar="FILE", help="A pack of your own (YAML) instead of a shipped one.")
@set_option
@catalogue_option
@click.option("--tier", default="", help="Left out: the first of the ruleset.")
@click.option("--players", type=click.IntRange(2, MOST_PLAYERS), default=8, show_default=True, metavar="N")
@click.option("--rounds", type=click.IntRange(1, 64), metavar="N", help="Left out: as the ruleset says.")
@click.option(
    "--operator-data", "data", metavar="FILE", help="What the sheets of a co-operative game say (YAML, JSON)."
)
@click.option("--venues", type=click.IntRange(1, MOST_VENUES), default=1, show_default=True, metavar="N")
@click.option("--by-venue", is_flag=True, help="Pair players inside their venue.")
@click.option("--seed", default="", metavar="TEXT", help="The same, the same players and results.")
@click.option("--name", default="Simulated tournament", show_default=True)
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)  # fmt: skip
@online
def command(
    ruleset_id: str | None,
    pack: str | None,
    options: Sequence[str],
    catalogues: Sequence[str],
    tier: str,
    players: int,
    rounds: int | None,
    data: str | None,
    venues: int,
    by_venue: bool,
    seed: str,
    name: str,
    form: str,
    url: str | None,
    token: str | None,
) -> None:
    """Simulate a tournament: players, lists, results, drops, concessions, no-shows, disputes, rulings, to the end.

    Takes an operator's token, as announcing does. Progress goes to standard error, a line a round, and the standings
    to standard output.
    """
    if (ruleset_id is None) == (pack is None):
        refuse([Fault("", "neither or both of --ruleset and --pack", "one of them")])
    ruleset = _ruleset(str(pack or ruleset_id), options, catalogues)
    playing = playing_of(ruleset.format)
    if tier not in (known := [known.id for known in ruleset.tiers]) and tier:
        refuse([Fault("--tier", f"unknown tier {tier!r}", "one of " + ", ".join(known))])
    body = announced_ruleset(ruleset_id, pack, options, catalogues)
    body |= {"name": name, "tier": tier, "pairing_scope": "venue" if by_venue else "event", "rounds": rounds}
    asked = PlayRequest(body, players, rounds, venues, seed, data)
    if faults := [*playing.faults(asked, ruleset)]:
        refuse(faults)
    played = playing.play(connect(url, token), asked, ruleset, partial(click.echo, err=True))
    playing.show(played, form)
    id, last = played["tournament"], form != "table"
    click.echo(f"{id} is over. To check it: muster export {id} > {id}.jsonl; muster verify {id}.jsonl", err=last)


def _ruleset(of: str, options: Sequence[str], catalogues: Sequence[str]) -> AnyRuleset:
    """The ruleset as set; only Swiss ones have catalogues."""
    return with_catalogues(swiss_ruleset(of, options), catalogues) if catalogues else chosen_ruleset(of, options)
