"""Campaign leagues, as `shared/tournament/format.py` asks of a format; and who can confirm dice told at the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from shared.campaign import state, table_dice
from shared.campaign.league import LeagueGame, games_by_round, latest_round, planned_rounds, standing_rows, table_after
from shared.campaign.ruleset import CampaignRuleset
from shared.campaign.ruleset import faults_of_campaign as faults
from shared.campaign.state import CAMPAIGN, ENLISTED, EVOLVE_ENLISTED, REGISTRATION_EVENTS, SCORING_EVENTS, rules_at
from shared.campaign.table_dice import DieStatus, ReportedDie, as_reported
from shared.log.event import Event
from shared.roles import REFEREE_UP
from shared.rules.parts import DEFAULT_WORDS
from shared.tournament.format import GameTaken, Placings, Replay, ResultRow, has_attended
from shared.tournament.results import StandingsRecorded
from shared.tournament.state import Tournament


def reported_dice(state: Any) -> dict[str, ReportedDie]:
    """Every die of a campaign that was told, of building and of play, in the order of the logs."""
    return {**ENLISTED.of(state).reported_dice, **CAMPAIGN.of(state).reported_dice}


def discarded_dice(state: Any) -> dict[str, ReportedDie]:
    """Return the dice of the table that a correction took back and whose questions were not asked again, by roll."""
    return {roll.roll: as_reported(roll) for roll in CAMPAIGN.of(state).discarded_dice() if roll.source == "table"}


def reporter_of(state: Any, die: ReportedDie) -> str:
    """The player whose word a die is: who told it, as a player or as a member of staff who plays; empty for others."""
    if die.role not in REFEREE_UP:
        return die.told_by
    member = state.entries.staff.get(die.told_by)
    own = member.player if member is not None else ""
    return own if own and own in (die.group, die.rolled_by, die.witnessed_by) else ""


def confirmer_of(state: Any, die: ReportedDie) -> str:
    """Who else was there by the told die: its witness, or the roller where the witness told it; empty: nobody need."""
    own = reporter_of(state, die)
    if die.agreed or not own:
        return ""
    return die.rolled_by if die.witnessed_by in (own, die.told_by) else die.witnessed_by


def die_status(state: Any, die: ReportedDie, asked: bool) -> DieStatus:
    """How far a die is vouched for. asked: whether the ruleset has others confirm dice (`fs.dice.witness`)."""
    known: DieStatus | None = CAMPAIGN.of(state).dice_status.get(die.roll)
    if known is not None:
        return known
    if not confirmer_of(state, die):
        return "confirmed"
    return "unconfirmed" if asked else "not_asked"


def die_statuses(state: Any, asked: Callable[[int], bool]) -> Iterator[tuple[ReportedDie, DieStatus]]:
    """Every told die with how far it is vouched for. asked: of a round, as for `standing_of`."""
    for die in reported_dice(state).values():
        yield die, die_status(state, die, asked(die.round))


def dice_statuses(state: Tournament) -> Iterator[str]:
    """Yield how far each die of a table is vouched for, and `discarded` for each die that was taken back. FS-AUD-1."""

    def asked(round: int) -> bool:
        return rules_at(state.entries, round).options.witness == "confirms"

    yield from (standing for _, standing in die_statuses(state, asked))
    yield from ("discarded" for _ in CAMPAIGN.of(state).discarded_dice())


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
            attended=has_attended(games[row.player]),
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
            for row in standing_rows(table_after(state, round))
        ],
        marks=("tied", "status"),
        words=replace(DEFAULT_WORDS, tied="tied"),
    )


RULESET = CampaignRuleset
EVENTS: Mapping[str, Sequence[type[Event]]] = {
    "registration": REGISTRATION_EVENTS,
    "scoring": (*SCORING_EVENTS, *table_dice.DICE_EVENTS),
}
SLICES = (ENLISTED, CAMPAIGN)
CHANGES = {
    "registration": ENLISTED.changed_by(EVOLVE_ENLISTED),
    "scoring": CAMPAIGN.changed_by(state.EVOLVE_CAMPAIGN),
}
REPLAY = Replay(
    recording=StandingsRecorded,
    number="round",
    standing=lambda state: state.results.closed,
    at_hand=latest_round,
    placings=placings,
    open="round {} is not closed: this table is provisional",
)
