"""`muster tournament` and `muster send`: show and change a tournament of running services."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from muster.cli.command_group import example
from muster.cli.connection import connect, online
from muster.cli.connection_options import connection_options
from muster.cli.offline_input import announced_ruleset, catalogue_option, format_option, plain_values
from muster.cli.output import mark_provisional, printable, refuse, show, unreadable
from muster.cli.tournament_results import command as results
from muster_client import Muster
from muster_client.plain import path_of
from shared.formats import FORMATS
from shared.refusals import MAX_SHOWN_LENGTH, Fault, expects
from shared.settings import SERVICES

METHODS = ("POST", "PUT", "PATCH", "DELETE")
UNTOLD = {"seed", "page", "pages"}
"""Members that are not shown to people."""
Json = Mapping[str, Any]

preview_option = click.option("--preview", is_flag=True, help="Only say what the command would do.")


def give(
    muster: Muster,
    service: str,
    path: str,
    body: Any = None,
    *,
    preview: bool,
    form: str = "table",
    method: str = "POST",
    content_type: str = "",
) -> Json | None:
    """Send a command and return its answer; with `preview` only print its effects and return None."""
    if preview:
        shown = muster.plain.command(method, service, path, body, content_type=content_type, preview="true")
        click.echo(json.dumps(shown, ensure_ascii=False, indent=2) if form == "json" else "\n".join(foretold(shown)))
        return None
    answer: Json = muster.plain.command(method, service, path, body, content_type=content_type)
    return answer


def foretold(shown: Json) -> Iterator[str]:
    """Return the lines that describe a preview."""
    events, uncertain = shown["events"], shown["uncertain"]
    yield "Nothing was done."
    if not events and not uncertain:
        yield "The command would change nothing."
        return
    yield "It would append:"
    yield from (f"  {event['type']}: {in_words(event['data'])}" for event in events)
    for one in uncertain:
        why = "rolled, and all that follows from it" if one["reason"] == "rolled" else "made at that moment"
        yield f"  known once it is done: {printable(one['where'])} ({why})"
    moved = [line for name, value in shown["moves"].items() for line in _moved(name, value)]
    yield "Nothing that is shown elsewhere would move." if not moved else "It would move:"
    yield from moved


def _moved(name: str, value: Any) -> Iterator[str]:
    """Return the lines for changes of one kind; none for an empty list."""
    if isinstance(value, list):
        yield from (f"  {name}: {in_words(one) if isinstance(one, Mapping) else one}" for one in value)
    elif name == "round" and isinstance(value, Mapping):
        yield f"  round {value['round']}:"
        yield from (f"    {_pairing_counts(one)}" for one in value["pairings"])
    elif isinstance(value, Mapping) and not _is_move(value):
        facts = {key: one for key, one in value.items() if not isinstance(one, Mapping | list)}
        lines = [line for key, one in value.items() if key not in facts for line in _moved(_word(key), one)]
        yield from (f"  {name}, {line.strip()}" for line in lines)
    elif isinstance(value, Mapping):
        yield f"  {name}: {in_words({'': value})}"
    elif value is None:
        yield f"  {name}: none any more"


def _pairing_counts(seat: Json) -> str:
    """Return a game as one line of the pairings."""
    one, two = seat.get("name_1") or seat["player_1"], seat.get("name_2") or seat.get("player_2")
    table = f"table {seat.get('table_label') or seat['table']}: " if seat.get("table") else ""
    return printable(f"{table}{one} – {two}" if two else f"bye: {one}")


def in_words(value: Json) -> str:
    """Return the members of an object on one line; `before` and `after` of a member as `before → after`."""
    return printable(", ".join(_told(value)))


def _told(value: Json) -> Iterator[str]:
    for key, one in value.items():
        word = _word(key)
        if key.endswith("after") and key.removesuffix("after") + "before" in value:
            continue
        if key.endswith("before") and (after := key.removesuffix("before") + "after") in value:
            yield f"{_word(key.removesuffix('before'))} {_of(one)} -> {_of(value[after])}".strip()
        elif key in UNTOLD or one is None or one is False or one in ("", {}, []):
            continue
        elif isinstance(one, Mapping):
            yield f"{word} {_of(one['before'])} -> {_of(one['after'])}" if _is_move(one) else _inside(word, one)
        elif isinstance(one, list):
            yield f"{word} {_list(one)}"
        else:
            yield f"{word} {_of(one)}".strip()


def _inside(word: str, value: Json) -> str:
    return f"{word} ({', '.join(_told(value))})"


def _is_move(value: Json) -> bool:
    return set(value) == {"before", "after"}


def _list(values: Sequence[Any]) -> str:
    if any(isinstance(one, Mapping | list) for one in values):
        return f"({len(values)})"
    return ", ".join(map(_of, values))


def _of(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value in ("", None) else str(value)


def _word(name: str) -> str:
    return name.strip("_").replace("_", " ")


@click.command("send")
@click.argument("service", type=click.Choice(SERVICES))
@click.argument("method", type=click.Choice(METHODS))
@click.argument("address")
@click.argument("body", default="")
@preview_option
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@online
@example("muster send registration POST /tournaments/t-5f0c7d1e6f0a/players/p1/drop --preview")
def send(service: str, method: str, address: str, body: str, preview: bool, form: str) -> None:
    """Send any command to a service.

    SERVICE is registration, pairing or scoring; METHOD is that of HTTP; ADDRESS starts with /tournaments/; BODY is JSON
    (- is standard input). Prints the events that were appended, and on standard error how to reverse them.
    """
    if not address.startswith("/"):
        refuse([Fault("ADDRESS", address, expects("address-in-service"))])
    text = sys.stdin.read() if body == "-" else body
    try:
        said = json.loads(text) if text.strip() else None
    except ValueError as error:
        refuse([Fault("BODY", text[:MAX_SHOWN_LENGTH], expects("json", problem=str(error)))])
    muster = connect()
    answer = give(muster, service, address, said, preview=preview, form=form, method=method)
    if answer is None:
        return
    if form == "json":
        click.echo(json.dumps(answer, ensure_ascii=False, indent=2))
        return
    for event in answer["events"]:
        click.echo(f"{event['type']}: {in_words(event['data'])}")
    if not answer["events"]:
        click.echo("Nothing was changed.")
    rest = {key: one for key, one in answer.items() if key not in ("events", "tournament")}
    if told := in_words(rest):
        click.echo(told)


TABLES = ("rank", "session", "outcome", "rounds", "share", "goals", "scenario", "loyal", "survivors", "reason")
SURVIVORS = ("rank", "player", "points", "victories", "rounds", "goals")
WITH_REASON = (*SURVIVORS, "reason")


def show_standings(found: Mapping[str, Any], form: str) -> None:
    """Print standings of scoring as a table, CSV or JSON."""
    columns = ["rank", "player", *found["columns"], "tied", "status"]
    told = [_standing(row, found["columns"]) for row in found["items"]]
    rows = mark_provisional(told, provisional=found["provisional"])
    words: Mapping[str, str] = found.get("words", {})
    headings = {name: words[name] for name in found["columns"] if name in words}
    state = "final" if found["final"] else "provisional" if found["provisional"] else "recorded"
    if form == "table":
        rows = [row | {"tied": words.get("tied", "tied") if row["tied"] else ""} for row in rows]
    show(columns, rows, form, f"Standings after round {found['round']} ({state})", headings)


def show_ranking(found: Mapping[str, Any], form: str) -> None:
    """Print the ranking of survivors; as a table with the reason of each place, after the tables of the round."""
    names = {row["player"]: row["name"] for row in found["survivors"]}
    survivors = [{column: row[column] for column in SURVIVORS} | {"player": row["name"]} for row in found["survivors"]]
    if form != "table":
        show(SURVIVORS, mark_provisional(survivors, provisional=found["provisional"]), form)
        return
    state = "final" if found["final"] else "provisional" if found["provisional"] else "published"
    tables = [
        row
        | {"survivors": ", ".join(names.get(player, player) for player in row["survivors"])}
        | {"reason": _value_text(row["reason"], names)}
        for row in found["tables"]
    ]
    show(TABLES, tables, form, f"Tables of round {found['round']} ({state})")
    reasons = [_value_text(row["reason"], names) for row in found["survivors"]]
    told = [row | {"reason": reason} for row, reason in zip(survivors, reasons, strict=True)]
    show(WITH_REASON, told, form, f"Survivors after round {found['round']} ({state})")


def show_season(found: Mapping[str, Any], form: str) -> None:
    """Print the table of a season by division, with ratings if it has them."""
    divided = any(row["division"] for row in found["items"])
    rated = any(row["rating"] for row in found["items"])
    columns = ["rank", *(["division"] if divided else []), "player", *found["columns"], "attended"]
    columns += [*(["rating"] if rated else []), "eligible", "tied", "status"]
    rows = [
        {"rank": row["rank"], "division": row["division"], "player": row["name"]}
        | {column: row["values"][column] for column in found["columns"]}
        | {"attended": row["attended"], "rating": row["rating"]["rating"] if row["rating"] else None}
        | {"eligible": not row["barred"], "tied": row["tied"]}
        | ({} if row["status"] == "active" else {"status": row["status"]})
        for row in found["items"]
    ]
    state = "final" if found["final"] else "provisional" if found["provisional"] else "recorded"
    told = [{name: row[name] for name in columns if name in row} for row in rows]
    show(columns, mark_provisional(told, provisional=found["provisional"]), form, f"Season ({state})")


def _value_text(reason: Mapping[str, str] | None, names: Mapping[str, str]) -> str:
    """Return text about what separates a row from the row above; for the first row, from the row below."""
    if reason is None:
        return ""
    other = names.get(reason["compared_with"], reason["compared_with"])
    if reason["by"] == "equal":
        return f"equal to {other} ({reason['clause']})"
    return f"{reason['by']}: {reason['own']} against {reason['theirs']} of {other} ({reason['clause']})"


def _standing(row: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    values = {column: row["values"][column] for column in columns}
    status = {} if row["status"] == "active" else {"status": row["status"]}
    return {"rank": row["rank"], "player": row["name"], **values, "tied": row["tied"], **status}


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
    """Show the standings, after a round or now."""
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
    """Show the pairings of a round and the state of each game."""
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
    """Return text about the sides of a game of three or more groups; empty for a game of two."""
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
