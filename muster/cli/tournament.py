"""`muster tournament`: a tournament of running services, seen and set up from the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from muster.cli.command_group import example
from muster.cli.connection_options import connection_options
from muster.cli.offline.chosen import announced_ruleset, catalogue_option, format_option, plain_values
from muster.cli.online.commands import give, preview_option
from muster.cli.online.connection import connect, online
from muster.cli.online.tournament_results import command as results
from muster.cli.output import refuse, show, unreadable
from muster.cli.shown_standings import show_ranking, show_season, show_standings
from muster_client import Muster
from muster_client.plain import path_of
from shared.formats import FORMATS

STATUSES = ("active", "waiting", "dropped", "disqualified", "withdrawn")

id_argument = click.argument("tournament", metavar="ID")
round_option = click.option("--round", "number", type=click.IntRange(1), metavar="N", help="Default: the latest.")


@click.group("tournament")
@connection_options
@example("muster tournament list")
def command() -> None:
    """Announce, list and show the tournaments of running services."""


command.add_command(results)


@command.command("list")
@format_option
@online
@example("muster tournament list --format json")
def list_tournaments(form: str) -> None:
    """List tournaments, newest first; private ones need a token."""
    columns = ("id", "name", "format", "ruleset", "status", "starts_on", "players", "visibility")
    show(columns, list(connect().plain.items("registration", "/tournaments")), form)


@command.command("show")
@id_argument
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@online
@example("muster tournament show t-5f0c7d1e6f0a")
def show_tournament(tournament: str, form: str) -> None:
    """Show a tournament, its venues and its staff."""
    muster = connect()
    found = muster.plain.get("registration", path_of(tournament))
    if form == "json":
        _one(found)
        return
    rounds = muster.plain.get("pairing", path_of(tournament, "/rounds"))["items"]
    facts = [{"": name.replace("_", " "), " ": _in_words(found.get(name))} for name in FACTS]
    facts.insert(4, {"": "ruleset", " ": f"{found['ruleset']['name']} ({found['ruleset']['id']})"})
    facts.append({"": "rounds paired", " ": str(len(rounds))})
    show(("", " "), [fact for fact in facts if fact[" "]], form, found["name"])
    venues = [{**venue, "tables": len(venue["tables"])} for venue in found["venues"]]
    if venues:
        show(("id", "name", "tables", "open"), venues, form, "Venues")
    if found["staff"]:
        show(("id", "name", "role", "venue"), found["staff"], form, "Staff")


FACTS = (
    "id",
    "status",
    "format",
    "tier",
    "starts_on",
    "ends_on",
    "players",
    "capacity",
    "rounds",
    "pairing_scope",
    "visibility",
    "check_in",
    "registration_open",
)


@command.command("announce")
@click.argument("name")
@click.option("--ruleset", metavar="ID", help="A shipped ruleset: `muster ruleset list`.")
@click.option("--pack", metavar="FILE", help="The file of your own pack (YAML), in place of a shipped ruleset.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Set an option; repeatable.")
@catalogue_option
@click.option("--play", type=click.Choice([*FORMATS]), help="Default: the format of the ruleset.")
@click.option(
    "--operator-data",
    "data",
    metavar="FILE",
    help="The file with what the sheets of a co-operative game say (YAML, JSON).",
)
@click.option("--rehearsal", is_flag=True, help="Nothing counts, and made-up operator's data are accepted.")
@click.option("--tier", default="", metavar="NAME", help="Default: the first tier of the ruleset.")
@click.option("--rounds", type=int, metavar="N", help="Default: as the ruleset says.")
@click.option("--capacity", type=int, metavar="N", help="How many players can enter.")
@click.option("--starts-on", metavar="YYYY-MM-DD", help="First day of play.")
@click.option("--ends-on", metavar="YYYY-MM-DD", help="Last day of play.")
@click.option("--by-venue", is_flag=True, help="Pair players inside their venue.")
@click.option("--private", is_flag=True, help="Show the tournament only to those with a token for it.")
@click.option("--check-in", is_flag=True, help="Round 1 pairs only players who are checked in.")
@click.option("--sign-up", type=click.Choice(["open", "invite_only"]), default="invite_only", show_default=True)
@preview_option
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@online
@example('muster tournament announce "Spring Open" --ruleset star-wars-armada-1.1 --rounds 3')
def announce(
    name: str,
    ruleset: str | None,
    pack: str | None,
    options: Sequence[str],
    catalogues: Sequence[str],
    play: str | None,
    data: str | None,
    rehearsal: bool,
    by_venue: bool,
    private: bool,
    check_in: bool,
    preview: bool,
    form: str,
    **given: Any,
) -> None:
    """Announce a tournament; prints its id and its organiser's token."""
    body: dict[str, Any] = {"name": name, "check_in": check_in, "rehearsal": rehearsal}
    body |= {"format": play} if play else {}
    body |= {"operator_data": plain_values(data)} if data else {}
    body |= announced_ruleset(ruleset, pack, options, catalogues)
    body |= {key: value for key, value in given.items() if value is not None}
    body |= {"pairing_scope": "venue" if by_venue else "event", "visibility": "private" if private else "public"}
    answer = give(connect(), "registration", "/tournaments", body, preview=preview, form=form)
    if answer is None:
        return
    if form == "json":
        _one({"id": answer["id"], "token": answer["token"]})
    else:
        click.echo(answer["id"])
        click.echo(f"organiser's token: {answer['token']}")


@command.command("join")
@id_argument
@click.option("--players", required=True, metavar="FILE", help="players.csv; - is standard input.")
@preview_option
@format_option
@online
@example("muster tournament join t-5f0c7d1e6f0a --players players.csv")
def join(tournament: str, players: str, preview: bool, form: str) -> None:
    """Enter all players of a file, and print each one's personal link."""
    try:
        content = sys.stdin.buffer.read() if players == "-" else Path(players).read_bytes()
    except OSError as error:
        refuse([unreadable(players, error)])
    path, muster = path_of(tournament, "/players/csv"), connect()
    answer = give(muster, "registration", path, content, preview=preview, form=form, content_type="text/csv")
    if answer is None:
        return
    show(("id", "name", "status", "link"), answer["players"], form)


@command.command("players")
@id_argument
@click.option("--status", type=click.Choice(STATUSES), help="Only players of this status.")
@format_option
@online
@example("muster tournament players t-5f0c7d1e6f0a --status active")
def players(tournament: str, status: str | None, form: str) -> None:
    """List players in order of sign-up."""
    found = connect().plain.items("registration", path_of(tournament, "/players"), status=status)
    columns = ("id", "name", "faction", "club", "venue", "status", "late", "checked_in", "roster", "barred")
    show(columns, list(found), form)


@command.command("standings")
@id_argument
@round_option
@format_option
@online
@example("muster tournament standings t-5f0c7d1e6f0a --round 2")
def standings(tournament: str, number: int | None, form: str) -> None:
    """Show the standings, after a round or as they are now."""
    show_standings(connect().plain.whole("scoring", path_of(tournament, "/standings"), round=number), form)


@command.command("ranking")
@id_argument
@round_option
@format_option
@online
@example("muster tournament ranking t-5f0c7d1e6f0a --round 2")
def ranking(tournament: str, number: int | None, form: str) -> None:
    """Show the ranking of a co-operative event."""
    muster, path = connect().plain, path_of(tournament, "/ranking")
    tables = muster.whole("scoring", path, "tables", of="tables", round=number)
    survivors = muster.whole("scoring", path, "survivors", of="survivors", round=number)
    show_ranking({**survivors, "tables": tables["tables"]}, form)


@command.command("season")
@id_argument
@click.option(
    "--number",
    type=click.IntRange(1),
    metavar="N",
    help="The standings recorded under this number. Default: the latest.",
)
@format_option
@online
@example("muster tournament season t-5f0c7d1e6f0a")
def season(tournament: str, number: int | None, form: str) -> None:
    """Show the table of a season."""
    show_season(connect().plain.whole("scoring", path_of(tournament, "/season/standings"), number=number), form)


@command.command("pairings")
@id_argument
@round_option
@click.option("--status", metavar="WORD", help="Only games that are open, reported, disputed, confirmed …")
@format_option
@online
@example("muster tournament pairings t-5f0c7d1e6f0a --status open")
def pairings(tournament: str, number: int | None, status: str | None, form: str) -> None:
    """Show the pairings of a round, and how far each game is."""
    muster = connect()
    games = list(muster.plain.items("scoring", path_of(tournament, "/games"), round=number, status=status))
    venues = _venues(muster, tournament) if any(game["venue"] for game in games) else {}
    columns = ("round", "venue", "table", "kind", "player_1", "player_2", "sides", "status", "game", "wave")
    rows = [_pairing(game, venues) for game in games]
    show([name for name in columns if name != "sides" or any(name in row for row in rows)], rows, form)


def _one(value: Mapping[str, Any]) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def _pairing(game: Mapping[str, Any], venues: Mapping[str, str]) -> dict[str, Any]:
    names = [game[f"name_{side}"] or game[f"player_{side}"] for side in (1, 2)]
    row = {
        "round": game["round"],
        "venue": venues.get(game["venue"], game["venue"]),
        "table": game["table"] or None,
        "wave": game["wave"] if game["wave"] > 1 else None,
        "kind": game["kind"],
        "player_1": names[0],
        "player_2": names[1],
        "sides": _sides_in_words(game.get("sides") or ()),
        "status": game["status"],
        "game": game["id"],
    }
    return {name: value for name, value in row.items() if value not in (None, "")}


def _sides_in_words(told: Sequence[Mapping[str, Any]]) -> str:
    """Who plays with whom against whom, of a game of three or more groups; nothing of a game of two."""
    sides: dict[int, list[str]] = {}
    for one in told if len(told) > 2 else ():
        sides.setdefault(one["side"], []).append(one["name"])
    return " against ".join(" and ".join(names) for _, names in sorted(sides.items()))


def _venues(muster: Muster, tournament: str) -> dict[str, str]:
    return {venue["id"]: venue["name"] for venue in muster.plain.get("registration", path_of(tournament))["venues"]}


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{number} {word}" for word, number in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
