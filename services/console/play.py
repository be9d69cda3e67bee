"""`muster play`: a whole tournament simulated through running services, with all that goes wrong at real ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import click

from services.console.chosen import announced_ruleset, catalogue_option, set_option, swiss_ruleset, with_catalogues
from services.console.client import Muster
from services.console.connection import connect, token_option, told, url_option
from services.console.faults import refuse
from services.console.tournament import show_standings
from shared.refusals import Fault
from shared.rules.refusals import RoundsNotFixed
from shared.rules.rounds import number_of_rounds
from shared.rules.ruleset import Ruleset

MOST_PLAYERS, MOST_VENUES = 10_000, 100


@click.command("play")
@click.option("--ruleset", "ruleset_id", metavar="ID", help="A shipped ruleset: `muster ruleset list`.")
@click.option("--pack", metavar="FILE", help="A pack of your own (YAML) instead of a shipped one.")
@set_option
@catalogue_option
@click.option("--tier", default="", help="Left out: the first of the ruleset.")
@click.option("--players", type=click.IntRange(2, MOST_PLAYERS), default=8, show_default=True, metavar="N")
@click.option("--rounds", type=click.IntRange(1, 64), metavar="N", help="Left out: as the ruleset says.")
@click.option("--venues", type=click.IntRange(1, MOST_VENUES), default=1, show_default=True, metavar="N")
@click.option("--by-venue", is_flag=True, help="Pair players inside their venue.")
@click.option("--seed", default="", metavar="TEXT", help="The same, the same players and results.")
@click.option("--name", default="Simulated tournament", show_default=True)
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)  # fmt: skip
@url_option
@token_option
@told
def command(
    ruleset_id: str | None,
    pack: str | None,
    options: Sequence[str],
    catalogues: Sequence[str],
    tier: str,
    players: int,
    rounds: int | None,
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
    ruleset = with_catalogues(swiss_ruleset(str(pack or ruleset_id), options), catalogues)
    check(ruleset, tier, players, rounds)
    scope = "venue" if by_venue else "event"
    body = announced_ruleset(ruleset_id, pack, options, catalogues)
    body |= {"name": name, "tier": tier, "pairing_scope": scope, "rounds": rounds}
    played = play(connect(url, token), ruleset, body, players, venues, seed)
    show_standings(played, form)
    id, last = played["tournament"], form != "table"
    click.echo(f"{id} is over. To check it: muster export {id} > {id}.jsonl; muster verify {id}.jsonl", err=last)


def check(ruleset: Ruleset, tier: str, players: int, rounds: int | None) -> None:
    """Leave with the exit code for bad input where such a tournament could not be played to its end."""
    from services.console.plausible import NoPlausibleResult, Table, plausible_result

    if tier not in (known := [known.id for known in ruleset.tiers]) and tier:
        refuse([Fault("--tier", f"unknown tier {tier!r}", "one of " + ", ".join(known))])
    faults = []
    level = next((known for known in ruleset.tiers if known.id == tier), ruleset.tiers[0])
    try:
        if number_of_rounds(ruleset, players, level.id) is None and rounds is None:
            faults.append(Fault("--rounds", "nothing", f"a number: for {players} players the organiser says how many"))
    except RoundsNotFixed as refusal:
        faults.append(Fault("--players", refusal.detail))
    if level.list_due and not ruleset.roster.example:
        said = f"no `roster.example`, and a list is due at the tier {level.id}"
        faults.append(Fault(ruleset.id, said, "a legal roster in the pack", level.cites("list_due")))
    for scenario in [known.name for known in ruleset.scenarios] or [""]:
        try:
            plausible_result(ruleset, Table(scenario=scenario), Random(0))
        except NoPlausibleResult as error:
            faults.append(Fault(ruleset.id, str(error), "a ruleset that takes a result of a game"))
    if faults:
        refuse(faults)


def play(muster: Muster, ruleset: Ruleset, body: dict[str, Any], players: int, venues: int, seed: str) -> Any:
    """Announce and play; the final standings as scoring shows them. Raises Refused, Unreachable."""
    from services.console.director import Director
    from services.console.simulation import Simulation

    director = Director.announce(muster, **body)
    say = partial(click.echo, err=True)
    say(f"{director.id}: {ruleset.title}, {players} players")
    return Simulation(director, ruleset, players, venues, seed, say).play()
