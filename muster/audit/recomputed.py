"""What `muster replay` shows, computed again from logs alone: standings, league tables, rankings, seasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec.structs import replace

from muster.audit.replay import Logs, as_seen, format_of, rounds_closed, rounds_recorded, whole
from shared.events.recorded import GENESIS
from shared.formats.campaign.league import as_rows, round_at_hand, table_after
from shared.formats.coop.at_tables import ranking_after
from shared.formats.coop.scoring_events import CoopRankingPublished
from shared.formats.coop.seating import SEATING
from shared.formats.coop.sessions import SESSIONS
from shared.formats.season.ranking import table_of
from shared.formats.season.rules import table as season_table
from shared.formats.season.scoring_events import SeasonStandingsRecorded
from shared.formats.swiss.places import standings_of_round
from shared.formats.swiss.rules.standings import Standings, rows_as_json
from shared.formats.swiss.ruleset import ruleset_of
from shared.rules.words import PLAIN, Words
from shared.tournament.events.scoring import StandingRow, StandingsRecorded
from shared.tournament.state import Tournament

Json = dict[str, Any]

LEAGUE = ("league_points", "group_rating", "total_vp")
"""Columns of a campaign's league table."""


class Replayed(NamedTuple):
    """Rows in rank order, with the public names of players as they are now.

    columns: of every form. marks: further ones, which a text for people puts into words. provisional: why the order
    may still change, if it may. words: what the ruleset calls things.
    """

    columns: Sequence[str]
    marks: Sequence[str]
    rows: list[Json]
    provisional: str
    words: Words = PLAIN


class NotSwiss(Exception):
    """The tournament has no standings of this kind; its format is the text, empty when it was never announced."""


class NotClosed(Exception):
    """No standings were recorded after this round; `closed` are the rounds after which there were."""

    def __init__(self, round: int, closed: Sequence[int]) -> None:
        super().__init__(f"round {round} is not closed")
        self.closed = closed


def replayed(logs: Logs, round: int | None = None) -> Replayed:
    """The places after a round, as they follow from what scoring had seen when it recorded them last.

    round: of a season the number of the recording; None for the latest. Raises NotSwiss, NotClosed, CannotFold.
    """
    return REPLAYS.get(format_of(logs), _standings)(logs, round)


def standings_replayed(logs: Logs, round: int | None = None) -> tuple[Standings, bool]:
    """The standings after a round of a Swiss tournament, and whether they are provisional: their round is not closed.

    round: None for the latest one; while that is open, its standings are those of the results that bind so far,
    with ties in the order of the last recorded seed. Raises NotSwiss, NotClosed, CannotFold.
    """
    closed = rounds_closed(logs)
    state = whole(logs)
    if state.entries.format != "swiss":
        raise NotSwiss(state.entries.format)
    latest = max(state.rounds.rounds, default=0)
    if round is None and latest not in closed:
        recorded = state.results.recorded.get(max(closed, default=0))
        return standings_of_round(state, latest, recorded.seed if recorded else GENESIS), True
    wanted = latest if round is None else round
    if wanted not in closed:
        raise NotClosed(wanted, closed)
    recording = {command for command, rounds in rounds_recorded(logs).items() if wanted in rounds}
    standings: Standings | None = None
    for heard, before in as_seen(logs, "scoring"):
        if isinstance(heard.event, StandingsRecorded) and heard.command_id in recording:
            standings = standings_of_round(before, wanted, heard.event.seed)
            recording.discard(heard.command_id)
    if standings is None:
        raise NotClosed(wanted, closed)
    return standings, False


def _standings(logs: Logs, round: int | None) -> Replayed:
    standings, provisional = standings_replayed(logs, round)
    state = whole(logs)
    rows = _named(rows_as_json(standings), state)
    why = f"round {standings.round} is not closed: these standings are provisional" * provisional
    columns = ["rank", "player", *standings.columns]
    return Replayed(columns, ("tied", "status"), rows, why, ruleset_of(state.entries).words or PLAIN)


def _league(logs: Logs, round: int | None) -> Replayed:
    """Groups by the names of their players; equals share a rank.

    While the round is open, the table is that of the results that bind and the ratings that are final so far.
    """
    state, closed = whole(logs), rounds_closed(logs)
    wanted = round_at_hand(state) if round is None else round
    if wanted not in closed and (round is not None or not wanted):
        raise NotClosed(wanted or 1, closed)
    made: list[StandingRow] = [] if wanted in closed else as_rows(table_after(state, wanted))
    for heard, before in as_seen(logs, "scoring") if wanted in closed else ():
        event = heard.event
        if isinstance(event, StandingsRecorded) and event.round == wanted and event.page == 1:
            made = as_rows(table_after(before, wanted))
    rows: list[Json] = [
        {"rank": row.rank, "player": row.player}
        | {column: row.values[column] for column in LEAGUE}
        | {"tied": row.tied}
        | ({} if row.status == "active" else {"status": row.status})
        for row in made
    ]
    why = f"round {wanted} is not closed: this table is provisional" * (wanted not in closed)
    return Replayed(
        ["rank", "player", *LEAGUE], ("tied", "status"), _named(rows, state), why, replace(PLAIN, tied="tied")
    )


def _ranking(logs: Logs, round: int | None) -> Replayed:
    """Tables of a co-operative event, each with the names of its survivors.

    While the ranking of a round is not published, of the sessions that bind so far.
    """
    state = whole(logs)
    latest = max(SEATING.of(state).rounds, default=0)
    published = sorted(SESSIONS.of(state).published)
    wanted = latest if round is None else round
    if not latest or (round is not None and round not in published):
        raise NotClosed(wanted or 1, published)
    seats = {table.session: table.survivors for table in SEATING.of(state).tables()}
    made = ranking_after(state, wanted)
    for heard, before in as_seen(logs, "scoring"):
        event = heard.event
        if isinstance(event, CoopRankingPublished) and event.round == wanted and event.page == 1:
            made = ranking_after(before, wanted)
    rows: list[Json] = [
        {
            "rank": row.rank,
            "session": row.session,
            "outcome": row.outcome,
            "rounds": row.rounds,
            "power_share": row.share,
            "goals": row.goals,
            "survivors": [_name(state, player) for player in seats[row.session]],
        }
        for row in made.tables
    ]
    why = f"the ranking of round {made.round} is not published: it is provisional" * (wanted not in published)
    return Replayed(["rank", "session", "outcome", "rounds", "power_share", "goals", "survivors"], (), rows, why)


def _season(logs: Logs, number: int | None) -> Replayed:
    """Members, division by division, with the values of the ruleset and the rating; without a number of now."""
    state = whole(logs)
    recorded: list[int] = []
    found = None
    for heard, before in as_seen(logs, "scoring"):
        event = heard.event
        if isinstance(event, SeasonStandingsRecorded) and event.page == 1:
            recorded.append(event.number)
            if number in (None, event.number):
                found = table_of(before)
    table = table_of(state) if number is None else found
    if table is None:
        raise NotClosed(number or 0, recorded)
    rows = _named(season_table.rows_as_json(table), state)
    said = {name for row in rows for name in row}
    columns = ["rank", *({"division"} & said), "player", *table.columns, "attended", *({"rating"} & said)]
    why = "something has changed since standings were recorded: these are provisional" * (table != found)
    return Replayed(columns, ("eligible", "tied", "status"), rows, why)


def _named(rows: Sequence[Json], state: Tournament) -> list[Json]:
    return [row | {"player": _name(state, row["player"])} for row in rows]


def _name(state: Tournament, player: str) -> str:
    known = state.entries.players.get(player)
    return known.name if known else player


REPLAYS: Mapping[str, Callable[[Logs, int | None], Replayed]] = MappingProxyType(
    {"campaign": _league, "coop": _ranking, "season": _season}
)
"""Format -> what is replayed; anything else is looked at as a Swiss tournament."""
