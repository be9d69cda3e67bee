"""The row of the format of campaign leagues, and what one is worth to a season: its final results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec.structs import replace

from shared.formats.campaign import events, groups, state, table_dice
from shared.formats.campaign.groups import ENLISTED
from shared.formats.campaign.league import (
    as_rows,
    games_by_round,
    improbable_facts,
    planned_rounds,
    round_at_hand,
    table_after,
)
from shared.formats.campaign.rules.ruleset import CampaignRuleset, faults_of_campaign
from shared.formats.campaign.rules.standings import LeagueGame
from shared.formats.campaign.state import CAMPAIGN, campaign_of
from shared.formats.campaign.vouched_dice import standings_of_dice
from shared.rules.words import PLAIN
from shared.tournament.events.scoring import StandingsRecorded
from shared.tournament.format import Format
from shared.tournament.placings import GameTaken, Placings, Replay, ResultRow, was_there
from shared.tournament.state import Tournament


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


def vouched(state: Tournament) -> Iterator[str]:
    """Yield how far each die of a table is vouched for, and `discarded` for each die that was taken back. FS-AUD-1."""

    def asked(round: int) -> bool:
        return campaign_of(state.entries, round).options.witness == "confirms"

    yield from (standing for _, standing in standings_of_dice(state, asked))
    yield from ("discarded" for _ in CAMPAIGN.of(state).discarded_dice())


CAMPAIGN_FORMAT = Format(
    name="campaign",
    ruleset=CampaignRuleset,
    faults=faults_of_campaign,
    events={"registration": events.OF_REGISTRATION, "scoring": (*events.OF_SCORING, *table_dice.OF_DICE)},
    slices=(ENLISTED, CAMPAIGN),
    changes={"registration": ENLISTED.changed_by(groups.EVOLVE), "scoring": CAMPAIGN.changed_by(state.EVOLVE)},
    planned_rounds=planned_rounds,
    improbable=improbable_facts,
    final_results=final_results,
    replay=Replay(
        recording=StandingsRecorded,
        standing=lambda state: state.results.closed,
        at_hand=round_at_hand,
        placings=placings,
        open="round {} is not closed: this table is provisional",
    ),
    vouched=vouched,
)
