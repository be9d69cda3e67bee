"""`muster play`: simulate a whole tournament through running services, with everything that goes wrong at real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from muster.cli.command_group import example
from muster.cli.connection import connect, online
from muster.cli.offline_input import (
    announced_ruleset,
    catalogue_option,
    chosen_ruleset,
    plain_file,
    set_option,
    swiss_ruleset,
    with_catalogues,
)
from muster.cli.output import refuse
from muster.cli.tournament import show_ranking, show_standings
from muster.simulator.campaign import CampaignSimulation
from muster.simulator.coop import CoopSimulation, made_up_data, playable
from muster.simulator.director import Director
from muster.simulator.results_by_chance import NoPlausibleResult, Table, plausible_result
from muster.simulator.simulation import Simulation
from muster_client import Muster
from shared.campaign.ruleset import CampaignRuleset
from shared.coop.ruleset import CoopRuleset, OperatorData, TableSize, read_data
from shared.refusals import NOTHING, Fault, display_text, either, expects, one_of
from shared.rules.checks import locate_faults
from shared.rules.model import DataRefused, RoundsNotFixed
from shared.rules.parts import AnyRuleset
from shared.swiss.rounds import number_of_rounds, scenario_pool
from shared.swiss.ruleset import Ruleset

ProgressReport = Callable[[str], None]
"""Called with a line of progress."""

CAMPAIGN_ROUNDS = "fs.campaign.rounds"
"""The option for the number of rounds of a campaign. FS-AMB-59."""

COOP_ROUNDS = 2
"""The default number of sessions of each survivor."""


class PlayRequest(NamedTuple):
    """The parameters of a simulation.

    body: the members of the announcement that every format has. players, venues: their numbers. rounds: None for the
    default of the ruleset. operator_data: the file with the sheets of a co-operative game, if given.
    """

    body: dict[str, Any]
    players: int
    rounds: int | None
    venues: int
    seed: str
    operator_data: str | None = None


class Playing(NamedTuple):
    """The simulation of one format. faults: returns why a request cannot be played to its end.

    play: announces and plays a tournament; returns the final places of scoring, with the id under `tournament`; raises
    Refused, Unreachable. show: writes the places to standard output as table, csv or json.
    """

    faults: Callable[[PlayRequest, Any], Iterator[Fault]]
    play: Callable[[Muster, PlayRequest, Any, ProgressReport], Any]
    show: Callable[[Any, str], None]


def playing_of(format: str) -> Playing:
    """Return the simulation of a format; report an unknown format on standard error and exit."""
    if format not in FORMATS:
        refuse([Fault("--ruleset", format, expects("ruleset-of-format", formats=either(list(FORMATS))))])
    return FORMATS[format]


def _swiss_faults(asked: PlayRequest, ruleset: Ruleset) -> Iterator[Fault]:
    if asked.operator_data is not None:
        yield _of_coop_alone(asked.operator_data)
    level = next((known for known in ruleset.tiers if known.id == asked.body["tier"]), ruleset.tiers[0])
    try:
        if number_of_rounds(ruleset, asked.players, level.id) is None and asked.rounds is None:
            yield Fault("--rounds", NOTHING, expects("rounds-for-players", players=asked.players))
    except RoundsNotFixed as refusal:
        yield Fault("--players", f"{asked.players}", expects("at-least", least=refusal.data["minimum"]))
    if level.list_due and not ruleset.roster.example:
        yield Fault(ruleset.id, NOTHING, expects("example-roster", tier=level.id), level.cites("list_due"))
    for scenario in scenario_pool(ruleset) or [""]:
        try:
            plausible_result(ruleset, Table(scenario=scenario), Random(0))
        except NoPlausibleResult:
            yield Fault(ruleset.id, display_text(scenario), expects("scenario-with-results"))


def _of_coop_alone(file: str) -> Fault:
    """Return the fault of operator data for a tournament of another format than the one that has them."""
    return Fault("--operator-data", file, expects("no-operator-data"))


def _play_swiss(muster: Muster, asked: PlayRequest, ruleset: Ruleset, report: ProgressReport) -> Any:
    director = Director.announce(muster, **asked.body)
    report(f"{director.id}: {ruleset.name}, {asked.players} players")
    return Simulation(director, ruleset, asked.players, asked.venues, asked.seed, report).play()


def _coop_faults(asked: PlayRequest, ruleset: CoopRuleset) -> Iterator[Fault]:
    data = _operator_data(asked, ruleset)[1]
    size, cards = data.table, ruleset.kit.mutation_cards
    if not playable(data):
        yield Fault("--operator-data", NOTHING, expects("complete-side"), "AB-OPS-1")
    if asked.players < size.survivors_min:
        expected = expects("players-at-table", least=size.survivors_min)
        yield Fault("--players", str(asked.players), expected, "AB-SET-8")
    if cards and cards < size.survivors_max:
        yield Fault(
            "--operator-data", str(size.survivors_max), expects("survivors-by-mutations", most=cards), "AB-SET-7"
        )


def _play_coop(muster: Muster, asked: PlayRequest, ruleset: CoopRuleset, report: ProgressReport) -> Any:
    """Play a co-operative event; with invented data it is announced as a rehearsal."""
    rounds = asked.rounds or COOP_ROUNDS
    data, found = _operator_data(asked, ruleset)
    body = {"rounds": rounds, "operator_data": data, "rehearsal": found.placeholder, "sign_up": "open"}
    director = Director.announce(muster, **asked.body | body)
    rehearsal = ", a rehearsal" if found.placeholder else ""
    report(f"{director.id}: {ruleset.name}, {asked.players} players{rehearsal}")
    return CoopSimulation(director, ruleset, found, asked.players, rounds, asked.venues, asked.seed, report).play()


def _operator_data(asked: PlayRequest, ruleset: CoopRuleset) -> tuple[Any, OperatorData]:
    """Return the operator data, from the file or invented, as sent and as parsed; report faults and exit."""
    if asked.operator_data is None:
        most, cards = TableSize().survivors_max, ruleset.kit.mutation_cards
        data = made_up_data(min(most, cards or most))
        return data, read_data(data)
    data, lines = plain_file(asked.operator_data)
    try:
        return data, read_data(data)
    except DataRefused as refusal:
        refuse(locate_faults(refusal.faults, asked.operator_data, lines))


def _campaign_faults(asked: PlayRequest, ruleset: CampaignRuleset) -> Iterator[Fault]:
    given = asked.body["options"].get(CAMPAIGN_ROUNDS)
    if asked.operator_data is not None:
        yield _of_coop_alone(asked.operator_data)
    least = max(2 * asked.venues, ruleset.entry.minimum_players)
    if asked.players < least:
        expected = expects("players-of-venues", least=least)
        yield Fault("--players", str(asked.players), expected, ruleset.entry.cites("minimum_players"))
    if asked.rounds and given is not None and given != str(asked.rounds):
        yield Fault("--rounds", str(asked.rounds), expects("rounds-of-option", rounds=given, option=CAMPAIGN_ROUNDS))
    most = ruleset.rules.options.rounds
    if asked.rounds not in (None, most) and CAMPAIGN_ROUNDS not in [option.key for option in ruleset.options]:
        yield Fault("--rounds", str(asked.rounds), expects("rounds-of-pack", rounds=most))


def _play_campaign(muster: Muster, asked: PlayRequest, ruleset: CampaignRuleset, report: ProgressReport) -> Any:
    rounds = asked.rounds or ruleset.rules.options.rounds
    options = asked.body["options"] | ({CAMPAIGN_ROUNDS: str(rounds)} if asked.rounds else {})
    director = Director.announce(muster, **asked.body | {"rounds": None, "options": options})
    report(f"{director.id}: {ruleset.name}, {asked.players} players, {rounds} rounds")
    return CampaignSimulation(director, ruleset.rules, asked.players, rounds, asked.venues, asked.seed, report).play()


FORMATS: Mapping[str, Playing] = MappingProxyType(
    {
        "swiss": Playing(_swiss_faults, _play_swiss, show_standings),
        "coop": Playing(_coop_faults, _play_coop, show_ranking),
        "campaign": Playing(_campaign_faults, _play_campaign, show_standings),
    }
)
"""Format -> its simulation."""


MOST_PLAYERS, MOST_VENUES = 10_000, 100


@click.command("play")
@click.option("--ruleset", "ruleset_id", metavar="ID", help="A shipped ruleset: `muster ruleset list`.")
@click.option("--pack", metavar="FILE", help="The file of your own pack (YAML), in place of a shipped ruleset.")
@set_option
@catalogue_option
@click.option("--tier", default="", help="Default: the first tier of the ruleset.")
@click.option("--players", type=click.IntRange(2, MOST_PLAYERS), default=8, show_default=True, metavar="N")
@click.option("--rounds", type=click.IntRange(1, 64), metavar="N", help="Default: as the ruleset says.")
@click.option(
    "--operator-data",
    "data",
    metavar="FILE",
    help="The file with what the sheets of a co-operative game say (YAML, JSON).",
)
@click.option("--venues", type=click.IntRange(1, MOST_VENUES), default=1, show_default=True, metavar="N")
@click.option("--by-venue", is_flag=True, help="Pair players inside their venue.")
@click.option("--seed", default="", metavar="TEXT", help="The same text gives the same players and results.")
@click.option("--name", default="Simulated tournament", show_default=True)
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)  # fmt: skip
@online
@example("muster play --ruleset dust-warfare-1.0 --players 21 --token-file operator.token")
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
) -> None:
    """Simulate a whole tournament, from players and their lists to the final standings.

    Some players drop out, concede, stay away or dispute a result, as in real events. Needs an operator's token.
    Progress goes to standard error, the standings to standard output.
    """
    if (ruleset_id is None) == (pack is None):
        refuse([Fault("--ruleset", display_text(ruleset_id), expects("ruleset-or-pack"))])
    ruleset = _ruleset(ruleset_id or "", pack, options, catalogues)
    playing = playing_of(ruleset.format)
    if tier not in (known := [known.id for known in ruleset.tiers]) and tier:
        refuse([Fault("--tier", tier, one_of(known))])
    body = announced_ruleset(ruleset_id, pack, options, catalogues)
    body |= {"name": name, "tier": tier, "pairing_scope": "venue" if by_venue else "event", "rounds": rounds}
    asked = PlayRequest(body, players, rounds, venues, seed, data)
    if faults := [*playing.faults(asked, ruleset)]:
        refuse(faults)
    played = playing.play(connect(), asked, ruleset, partial(click.echo, err=True))
    playing.show(played, form)
    id, last = played["tournament"], form != "table"
    click.echo(f"{id} is over. To check it: muster export {id} > {id}.jsonl; muster verify {id}.jsonl", err=last)


def _ruleset(ruleset_id: str, pack: str | None, options: Sequence[str], catalogues: Sequence[str]) -> AnyRuleset:
    """Return the ruleset with its options; only Swiss rulesets have catalogues."""
    if catalogues:
        return with_catalogues(swiss_ruleset(ruleset_id, options, pack), catalogues)
    return chosen_ruleset(ruleset_id, options, pack)
