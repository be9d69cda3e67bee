"""The campaign format, with the names that `shared/tournament/format.py` requires, and the status of table dice."""

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
from shared.tournament.format import GameTaken, Placings, Replay, ResultRow, has_attended, with_disqualified
from shared.tournament.results import StandingsRecorded
from shared.tournament.state import Tournament


def reported_dice(state: Any) -> dict[str, ReportedDie]:
    """Return every reported die of a campaign, from building and play, in log order."""
    return {**ENLISTED.of(state).reported_dice, **CAMPAIGN.of(state).reported_dice}


def discarded_dice(state: Any) -> dict[str, ReportedDie]:
    """Return the table dice that a correction took back and that were not asked for again, by roll id."""
    return {roll.roll: as_reported(roll) for roll in CAMPAIGN.of(state).discarded_dice() if roll.source == "table"}


def reporter_of(state: Any, die: ReportedDie) -> str:
    """Return the player who reported a die, as a player or as staff who plays; empty for other staff."""
    if die.role not in REFEREE_UP:
        return die.reported_by
    member = state.entries.staff.get(die.reported_by)
    own = member.player if member is not None else ""
    return own if own and own in (die.group, die.rolled_by, die.witnessed_by) else ""


def confirmer_of(state: Any, die: ReportedDie) -> str:
    """Return the named person who can confirm or deny a die; empty if both sides agreed on it with their result.

    It is the witness, or the roller if the witness reported the die. Who else reported it does not matter: a witness
    named by staff can deny it as well (FS-AUD-1).
    """
    if die.agreed:
        return ""
    own = reporter_of(state, die)
    return die.rolled_by if die.witnessed_by in (own, die.reported_by) else die.witnessed_by


def die_status(state: Any, die: ReportedDie, needs_confirmation: bool) -> DieStatus:
    """Return the status of a die. needs_confirmation: the ruleset has others confirm dice (`fs.dice.witness`)."""
    known: DieStatus | None = CAMPAIGN.of(state).dice_status.get(die.roll)
    if known is not None:
        return known
    if not confirmer_of(state, die):
        return "confirmed"
    if not needs_confirmation:
        return "not_asked"
    return "unconfirmed" if reporter_of(state, die) else "reported_by_staff"


def die_statuses(state: Any, needs_confirmation: Callable[[int], bool]) -> Iterator[tuple[ReportedDie, DieStatus]]:
    """Yield every reported die with its status. needs_confirmation: for a round, as in `die_status`."""
    for die in reported_dice(state).values():
        yield die, die_status(state, die, needs_confirmation(die.round))


def dice_statuses(state: Tournament) -> Iterator[str]:
    """Yield the status of each die rolled at a table, and `discarded` for each die that was taken back (FS-AUD-1)."""

    def needs_confirmation(round: int) -> bool:
        return rules_at(state.entries, round).options.witness == "confirms"

    yield from (standing for _, standing in die_statuses(state, needs_confirmation))
    rejected = CAMPAIGN.of(state).rejected_dice()
    for roll in CAMPAIGN.of(state).discarded_dice():
        yield "rejected" if roll.roll in rejected else "discarded"


__all__ = ["CHANGES", "EVENTS", "REPLAY", "RULESET", "SLICES", "faults", "final_results", "planned_rounds"]


def final_results(state: Tournament) -> list[ResultRow]:
    """Return the league table as recorded after the last round, with every game that counts (FS-LGE-2)."""
    last = state.results.rounds_closed()
    recorded = state.results.recorded.get(last)
    games: dict[str, list[GameTaken]] = defaultdict(list)
    for number, game in games_by_round(state, last):
        for index, group in enumerate(game.groups):
            games[group].append(_league_side(game, index, number))
    players = state.entries.players
    rows = [
        ResultRow(
            entry=row.player,
            name=players[row.player].name,
            place=row.rank,
            score=int(row.values["league_points"]),
            games=games[row.player],
            status="disqualified" if players[row.player].status == "disqualified" else row.status,
            attended=has_attended(games[row.player]),
        )
        for row in (recorded.rows if recorded else [])
    ]
    return with_disqualified(state, rows, games)


def _league_side(game: LeagueGame, index: int, round: int) -> GameTaken:
    """Return a league game from the point of view of one group.

    A bye is a game without an opponent. A game with an absent group counts as a forfeit. A game of three or more
    groups has no single opponent; `against` is then the highest score of a rival.
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
    """Return the league table after a round, from binding results and final ratings. Equal groups share a rank."""
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
    recorded_numbers=lambda state: state.results.closed,
    current_number=latest_round,
    placings=placings,
    provisional_message="round {} is not closed: this table is provisional",
)
