"""Campaign leagues, as `shared/tournament/format.py` asks of a format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from shared.formats.campaign import events, groups, state, table_dice
from shared.formats.campaign.groups import ENLISTED
from shared.formats.campaign.league import as_rows, games_by_round, planned_rounds, round_at_hand, table_after
from shared.formats.campaign.rules.ruleset import CampaignRuleset
from shared.formats.campaign.rules.ruleset import faults_of_campaign as faults
from shared.formats.campaign.rules.standings import LeagueGame
from shared.formats.campaign.state import CAMPAIGN
from shared.log.event import Event
from shared.rules.words import PLAIN
from shared.tournament.events.scoring import StandingsRecorded
from shared.tournament.placings import GameTaken, Placings, Replay, ResultRow, was_there
from shared.tournament.state import Tournament

__all__ = ["CHANGES", "EVENTS", "REPLAY", "RULESET", "SLICES", "faults", "final_results", "planned_rounds"]


def final_results(state: Tournament) -> list[ResultRow]:
    """The league table as recorded after the last round, with every game that binds. FS-LGE-2."""
    last = state.results.rounds_closed()
    recorded = state.results.recorded.get(last)
    games: dict[str, list[GameTaken]] = defaultdict(list)
    for number, game in games_by_round(state, last):
        for index, group in enumerate(game.groups):
            games[group].append(_league_side(game, index, number))
    players = state.entries.players
    return [
        ResultRow(
            entry=row.player,
            name=players[row.player].name,
            place=row.rank,
            score=int(row.values["league_points"]),
            games=games[row.player],
            status=row.status,
            attended=was_there(games[row.player]),
        )
        for row in (recorded.rows if recorded else [])
    ]


def _league_side(game: LeagueGame, index: int, round: int) -> GameTaken:
    """A game of the league as one group saw it: a bye alone, or with one who did not come, as a game not played.

    A game of more than two groups has no one opponent; `against` is the most that a rival scored.
    """
    ending, rivals = game.endings[index], game.rivals_of(game.groups[index])
    kind = "bye" if len(game.groups) == 1 else "forfeit" if "no_show" in game.endings else "game"
    return GameTaken(
        outcome={"bye": "win", "no_show": "loss"}.get(ending, ending),
        opponent=rivals[0] if len(game.groups) == 2 else "",
        kind=kind,
        score=game.vp[index],
        against=max((game.vp[game.groups.index(rival)] for rival in rivals), default=0),
        round=round,
    )


def placings(state: Tournament, round: int, recorded: StandingsRecorded | None) -> Placings:
    """The league table after a round, of the results that bind and the ratings that are final; equals share a rank."""
    columns = ["league_points", "group_rating", "total_vp"]
    return Placings(
        columns=["rank", "player", *columns],
        rows=[
            {"rank": row.rank, "player": row.player}
            | {column: row.values[column] for column in columns}
            | {"tied": row.tied}
            | ({} if row.status == "active" else {"status": row.status})
            for row in as_rows(table_after(state, round))
        ],
        marks=("tied", "status"),
        words=replace(PLAIN, tied="tied"),
    )


RULESET = CampaignRuleset
EVENTS: Mapping[str, Sequence[type[Event]]] = {
    "registration": events.OF_REGISTRATION,
    "scoring": (*events.OF_SCORING, *table_dice.OF_DICE),
}
SLICES = (ENLISTED, CAMPAIGN)
CHANGES = {"registration": ENLISTED.changed_by(groups.EVOLVE), "scoring": CAMPAIGN.changed_by(state.EVOLVE)}
REPLAY = Replay(
    recording=StandingsRecorded,
    number="round",
    standing=lambda state: state.results.closed,
    at_hand=round_at_hand,
    placings=placings,
    open="round {} is not closed: this table is provisional",
)
