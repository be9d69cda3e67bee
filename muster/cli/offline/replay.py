"""`muster replay`: standings from an exported log alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from muster.cli.faults import NOT_HELD, refuse, tell
from muster.cli.offline import tabular
from muster.cli.offline.chosen import format_option, output_option
from shared.refusals import Fault, Refusal

if TYPE_CHECKING:
    from muster.audit.replay_campaign import TableReplayed
    from muster.audit.replay_coop import RankingReplayed
    from muster.audit.replay_season import SeasonReplayed


RANKING = ("rank", "session", "outcome", "rounds", "power_share", "goals", "survivors")
"""Columns of a co-operative event's ranking."""


@click.command("replay")
@click.argument("file", metavar="LOG.jsonl")
@click.option(
    "--round",
    "number",
    type=click.IntRange(1),
    metavar="N",
    help="After this round, or of a season under this number; left out: the latest.",
)
@format_option
@output_option
def command(file: str, number: int | None, form: str, output: str) -> None:
    """Standings, the table of a league or a season, or the ranking of a co-operative event, from an exported log alone.

    LOG.jsonl may be - for standard input.

    Those of a closed round follow from what scoring had seen when it recorded them; those of an open one are
    provisional. The log's links and hashes are checked on the way; `muster verify` checks all the rest.
    """
    from muster.audit.findings import Findings
    from muster.audit.logs import heard_log
    from muster.audit.replay import CannotFold, NotClosed, NotSwiss, format_of, standings_replayed
    from muster.audit.replay_campaign import table_replayed
    from muster.audit.replay_coop import ranking_replayed
    from muster.audit.replay_season import season_replayed
    from muster.cli.offline.log_file import read_log_file
    from muster.cli.offline.standings import noted
    from muster.cli.offline.verify import as_fault, in_order
    from shared.formats.swiss.rules.standings import rows_as_json

    own: Mapping[str, tuple[Callable[..., Any], Callable[..., None]]] = {
        "coop": (ranking_replayed, _write_ranking),
        "campaign": (table_replayed, _write_league),
        "season": (season_replayed, _write_season),
    }
    findings = Findings()
    log = read_log_file(file, findings)
    heard = {source: heard_log(events, findings) for source, events in log.logs.items()}
    if findings.failures:
        tell(map(as_fault, in_order(findings.failures, list(log.heads))))
        raise SystemExit(NOT_HELD)
    try:
        if format_of(heard) in own:
            replay, write = own[format_of(heard)]
            write(replay(heard, number), form, output)
            return
        replayed = standings_replayed(heard, number)
    except NotSwiss as error:
        said = f"format {error}" if str(error) else "no announcement of the tournament"
        refuse([Fault(file, said, "the log of a tournament of the format swiss")])
    except NotClosed as error:
        closed = ", ".join(map(str, error.closed)) or "no round is closed yet"
        refuse([Fault("--round", str(error), closed)])
    except CannotFold as error:
        where = f"{error.event.source} {error.event.position} ({error.event.id})"
        tell([Fault(where, str(error), "something possible at this place")])
        raise SystemExit(NOT_HELD) from error
    except Refusal as refusal:
        tell([Fault(file, refusal.detail, "results that the ruleset of the log can rank"), *refusal.faults])
        raise SystemExit(NOT_HELD) from refusal
    rows = [
        row | {"player": replayed.names.get(row["player"], row["player"])} for row in rows_as_json(replayed.standings)
    ]
    columns = ["rank", "player", *replayed.standings.columns]
    if form == "csv":
        tabular.write(tabular.as_csv([*columns, "tied", "status"], rows), output)
    elif form == "json":
        tabular.write(tabular.as_json(tabular.in_order(rows, provisional=replayed.provisional)), output)
    else:
        told = [noted(row, replayed.words) for row in rows]
        tabular.write(tabular.as_table([*columns, "note"], told, replayed.words.columns), output)
    if replayed.provisional:
        click.echo(f"round {replayed.standings.round} is not closed: these standings are provisional", err=True)


def _write_ranking(replayed: RankingReplayed, form: str, output: str) -> None:
    """Tables in rank order, each with the names of its survivors."""
    rows: list[dict[str, Any]] = [
        {
            "rank": row.rank,
            "session": row.session,
            "outcome": row.outcome,
            "rounds": row.rounds,
            "power_share": row.share,
            "goals": row.goals,
            "survivors": [replayed.names.get(player, player) for player in replayed.seats[row.session]],
        }
        for row in replayed.ranking.tables
    ]
    if form == "json":
        tabular.write(tabular.as_json(tabular.in_order(rows, provisional=replayed.provisional)), output)
    else:
        told = [row | {"survivors": ", ".join(row["survivors"])} for row in rows]
        tabular.write((tabular.as_csv if form == "csv" else tabular.as_table)(RANKING, told), output)
    if replayed.provisional:
        click.echo(f"the ranking of round {replayed.ranking.round} is not published: it is provisional", err=True)


LEAGUE = ("league_points", "group_rating", "total_vp")
"""Columns of a campaign's league table."""


def _write_league(replayed: TableReplayed, form: str, output: str) -> None:
    """Groups in rank order, by the names of their players; equals share a rank."""
    rows: list[dict[str, Any]] = [
        {"rank": row.rank, "player": replayed.names.get(row.player, row.player)}
        | {column: row.values[column] for column in LEAGUE}
        | {"tied": row.tied}
        | ({} if row.status == "active" else {"status": row.status})
        for row in replayed.rows
    ]
    columns = ["rank", "player", *LEAGUE]
    if form == "json":
        tabular.write(tabular.as_json(tabular.in_order(rows, provisional=replayed.provisional)), output)
    elif form == "csv":
        tabular.write(tabular.as_csv([*columns, "tied", "status"], rows), output)
    else:
        noted = [row | {"note": ", ".join(filter(None, [row.get("status", ""), "tied" * row["tied"]]))} for row in rows]
        tabular.write(tabular.as_table([*columns, "note"], noted), output)
    if replayed.provisional:
        click.echo(f"round {replayed.round} is not closed: this table is provisional", err=True)


def _write_season(replayed: SeasonReplayed, form: str, output: str) -> None:
    """Members in rank order, division by division, with the values of the ruleset and the rating."""
    from shared.formats.season.rules.table import rows_as_json

    rows = [row | {"player": replayed.names.get(row["player"], row["player"])} for row in rows_as_json(replayed.table)]
    said = {name for row in rows for name in row}
    columns = ["rank", *(name for name in ("division",) if name in said), "player", *replayed.table.columns, "attended"]
    columns += [name for name in ("rating",) if name in said]
    if form == "json":
        tabular.write(tabular.as_json(tabular.in_order(rows, provisional=replayed.provisional)), output)
    elif form == "csv":
        tabular.write(tabular.as_csv([*columns, "eligible", "tied", "status"], rows), output)
    else:
        notes = [
            row | {"note": ", ".join([row.get("status", ""), "" if row["eligible"] else "not eligible"]).strip(", ")}
            for row in rows
        ]
        tabular.write(tabular.as_table([*columns, "note"], notes), output)
    if replayed.provisional:
        click.echo("something has changed since standings were recorded: these are provisional", err=True)
