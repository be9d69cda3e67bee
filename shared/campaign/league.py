"""The league: groups that take part, games played, and the table (FS-LGE-1 to FS-LGE-3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.campaign.facts import Ending, GameReport, rivals_of
from shared.campaign.report import endings_of, improbable_in_report
from shared.campaign.roster import Group
from shared.campaign.state import CAMPAIGN, ENLISTED, Mustered, rules_at
from shared.campaign.tables import Options, Rules, Tiebreak
from shared.refusals import Fault
from shared.tournament.results import StandingRow
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament

Compared = Literal["league_points"] | Tiebreak
"""Values by which two groups are compared."""


class LeagueGame(Struct, frozen=True):
    """A game, a bye or an absence, as the league counts it.

    vp: victory points of each group.
    sides: groups of each side; empty if each group is a side of its own.
    """

    groups: tuple[str, ...]
    endings: tuple[Ending, ...]
    vp: tuple[int, ...]
    sides: tuple[tuple[str, ...], ...] = ()

    def rivals_of(self, group: str) -> tuple[str, ...]:
        """Return the rivals of a group."""
        return rivals_of(self.sides or [[member] for member in self.groups], group)


class Standing(Struct, frozen=True, omit_defaults=True):
    """A line of the table.

    rank: from 1; equal groups share it.
    rating: the last final rating.
    """

    rank: int
    group: str
    points: int
    rating: int
    vp: int
    tied: bool = False
    withdrawn: bool = False


def bye(group: str) -> LeagueGame:
    """Return a bye (FS-RND-3)."""
    return LeagueGame((group,), ("bye",), (0,))


def no_show(present: str, absent: str) -> LeagueGame:
    """Return a game with an absent group: a loss for it, a bye for the other (FS-LGE-1)."""
    return LeagueGame((present, absent), ("bye", "no_show"), (0, 0))


def league_points(options: Options, ending: Ending) -> int:
    """Return the league points of an ending (FS-LGE-1)."""
    points = options.league_points
    by_ending = {"win": points.win, "draw": points.draw, "loss": points.loss, "no_show": points.loss}
    return options.bye_points if ending == "bye" else by_ending[ending]


def league_table(
    rules: Rules, ratings: Mapping[str, int], games: Sequence[LeagueGame], withdrawn: Collection[str] = ()
) -> list[Standing]:
    """Return the standings of all groups in `ratings`, best first (FS-LGE-2).

    ratings: group -> final rating of the last closed round. A withdrawn group keeps its place.
    """
    values = comparison_values(rules, ratings, games)
    vp = {group: _total(games, group, lambda game, n: game.vp[n]) for group in ratings}
    order = sorted(ratings, key=lambda group: (*(-value for value in values[group].values()), group))
    table: list[Standing] = []
    for _, equals in groupby(order, key=lambda group: values[group]):
        tied_groups = list(equals)
        rank = len(table) + 1
        table += [
            Standing(
                rank,
                group,
                values[group]["league_points"],
                ratings[group],
                vp[group],
                len(tied_groups) > 1,
                group in withdrawn,
            )
            for group in tied_groups
        ]
    return table


def comparison_values(
    rules: Rules, ratings: Mapping[str, int], games: Sequence[LeagueGame]
) -> dict[str, dict[Compared, int]]:
    """Return the values that groups are compared by, in order: league points, then tiebreaks (FS-LGE-2, FS-AMB-59)."""
    options = rules.options
    points = {group: _total(games, group, lambda game, n: league_points(options, game.endings[n])) for group in ratings}
    vp = {group: _total(games, group, lambda game, n: game.vp[n]) for group in ratings}

    def of(group: str) -> dict[Compared, int]:
        equals = {other for other in points if points[other] == points[group]}
        values: Mapping[Tiebreak, int] = {
            "group_rating": ratings[group],
            "total_vp": vp[group],
            "head_to_head": _head_to_head(options, games, group, equals),
        }
        return {"league_points": points[group], **{tiebreak: values[tiebreak] for tiebreak in options.tiebreaks}}

    return {group: of(group) for group in ratings}


def separated_by(first: Mapping[Compared, int], second: Mapping[Compared, int]) -> Compared | Literal[""]:
    """Return the first value in which two groups differ; empty if they are equal and share a rank (FS-LGE-2)."""
    return next((name for name, value in first.items() if value != second[name]), "")


def _total(games: Sequence[LeagueGame], group: str, value: Callable[[LeagueGame, int], int]) -> int:
    return sum(value(game, game.groups.index(group)) for game in games if group in game.groups)


def _head_to_head(options: Options, games: Sequence[LeagueGame], group: str, equals: Collection[str]) -> int:
    """Return the league points won in games among groups with equal points (FS-AMB-59)."""
    among = [game for game in games if len(game.groups) > 1 and set(game.groups) <= set(equals)]
    return _total(among, group, lambda game, n: league_points(options, game.endings[n]))


GAME, NO_SHOW, DOUBLE_NO_SHOW = "game", "no_show", "double_no_show"
"""Kinds of facts of a campaign's game. A game has its `report`; a no-show says by `conceded_by` which group was away,
by its place among the players of the pairing, from 1."""


PRESENT_STATUSES = ("active", "waiting", "dropped")
"""Statuses of players who may be present when dice are rolled."""


def latest_round(state: Tournament) -> int:
    """Return the number of the round paired last; 0 before the first."""
    latest = state.rounds.latest()
    return latest.number if latest else 0


def building_round(state: Tournament) -> int:
    """Return the first round of a group that is built now; 0 before the first round is paired (FS-RAT-3)."""
    return latest_round(state) + 1 if state.rounds.rounds else 0


def current_groups(state: Tournament) -> dict[str, Group]:
    """Return every group: from scoring's log once it has entered, before that as it was built (FS-SVC-1)."""
    return {**CAMPAIGN.of(state).groups, **groups_to_enter(state)}


def groups_before(state: Tournament) -> dict[str, Group]:
    """Return the groups as they were before the game of the current round.

    The state before an earlier, finished phase does not matter to this round.
    """
    groups, number = current_groups(state), latest_round(state)
    phases = {id: group.phase for id, group in groups.items()}
    opened = {id for id, phase in phases.items() if phase is not None and phase.round == number}
    return {**groups, **{id: group for id, group in CAMPAIGN.of(state).before.items() if id in opened}}


def improbable_facts(state: Tournament, facts: Mapping[str, Any]) -> list[Fault]:
    """Return values beyond what the groups, the encounters and the terrain can give (FS-REP-2, FS-REP-3)."""
    if facts["kind"] != GAME:
        return []
    report = report_of(facts)
    seat = seat_of(state, report.sides[0].group)
    rules, sides = rules_at(state.entries, latest_round(state)), sides_of(seat) if seat else ()
    faults = improbable_in_report(rules, report, groups_before(state), sides)
    return [replace(fault, where=f"/report{fault.where}") for fault in faults]


def groups_to_enter(state: Tournament) -> dict[str, Group]:
    """Return complete groups that have not entered scoring's log yet (FS-SVC-1, FS-AMB-54).

    These are the first group of a player, and groups that replace one without members.
    """
    groups, entered = CAMPAIGN.of(state).groups, CAMPAIGN.of(state).entered
    return {
        id: built
        for id, built in ENLISTED.of(state).groups.items()
        if built.rating and entered.get(id) != built and (id not in groups or not groups[id].members)
    }


def submission_base(state: Tournament, player: str) -> Group:
    """Return the base of a submitted group: numbers already used and turfs already rolled (FS-GRP-13, FS-AMB-54).

    Turfs of a group that has played are dropped; its replacement rolls new ones.
    """
    built = ENLISTED.of(state).groups.get(player) or Group(player, "")
    entered = CAMPAIGN.of(state).groups.get(player) or built
    turfs = built.turfs if CAMPAIGN.of(state).entered.get(player) != built else ()
    return Group(player, "", turfs=turfs, serial=max(built.serial, entered.serial))


def serving_staff(state: Tournament) -> set[str]:
    """Return the ids of active staff, who may roll and witness dice anywhere (FS-AUD-1)."""
    return {member.id for member in state.entries.staff.values() if member.active}


def people_at_building(state: Tournament) -> set[str]:
    """Return the ids of people who may roll and witness dice while groups are built: players and staff (FS-AUD-1)."""
    return serving_staff(state) | {
        player.id for player in state.entries.players.values() if player.status in PRESENT_STATUSES
    }


def active_groups(state: Tournament) -> dict[str, Group]:
    """Return the groups that take part now: built, with members, and not withdrawn (FS-RND-4, FS-AMB-54)."""
    active = {player.id for player in state.entries.active()}
    return {id: group for id, group in current_groups(state).items() if id in active and group.members}


def unfinished_groups(state: Tournament, round: int) -> list[str]:
    """Return the active groups that have not finished step 9 of a round (FS-RND-1).

    A group that did not play may have no phase (FS-AMB-55). A game with an appealed ruling is unfinished.
    """
    rules = rules_at(state.entries, round)
    finished, active = CAMPAIGN.of(state).ratings.get(round, {}), active_groups(state)
    unfinished = []
    for seat in state.rounds.rounds[round].seats.values():
        result = state.results.results.get(seat.game)
        played = seat.kind != "bye" and not (result and result.binds and result.facts["kind"] != GAME)
        if result is not None and result.appealed:
            unfinished += [player for player in seat.players if player in active]
        elif played or rules.options.bye_post_game != "none":
            unfinished += [player for player in seat.players if player in active and player not in finished]
    return unfinished


def ratings_after(state: Tournament, round: int) -> dict[str, int]:
    """Return the groups that were in the campaign in a round, with their last final rating up to its end (FS-RAT-3)."""
    built, played = ENLISTED.of(state).ratings, CAMPAIGN.of(state).ratings
    ratings: dict[str, int] = {}
    for number in sorted({*built, *played}):
        if number <= round:
            ratings |= built.get(number, {}) | played.get(number, {})
    return {id: ratings[id] for id in current_groups(state) if id in ratings}


def mustered_for(state: Tournament, game: str, group: str) -> Mustered | None:
    """Return the muster of a group for this game, if any (FS-GAM-1)."""
    known = CAMPAIGN.of(state).mustered.get(group)
    return known if known is not None and known.game == game else None


msgspec.json.Decoder(GameReport)  # built at import: see ruleset.py


def report_of(facts: Mapping[str, Any]) -> GameReport:
    """Return the report in the facts of a game. Raise msgspec.ValidationError if there is none."""
    return msgspec.convert(facts["report"], GameReport)


def sides_of(seat: Seat) -> tuple[tuple[str, ...], ...]:
    """Return the groups of each side of a game. In a game of two, each group is a side."""
    return tuple(map(tuple, seat.sides)) or tuple((player,) for player in seat.players)


def seat_of(state: Tournament, group: str) -> Seat | None:
    """Return the seat of a group in the current round, if it has a game."""
    latest = state.rounds.latest()
    seats = latest.seats.values() if latest else ()
    return next((seat for seat in seats if group in seat.players and seat.kind != "bye"), None)


def absent_groups(seat: Seat, facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the groups that did not come to a game; empty if it was played (FS-LGE-1)."""
    match facts["kind"]:
        case "no_show":
            return (seat.players[facts["conceded_by"] - 1],)
        case "double_no_show":
            return seat.players
    return ()


def league_game(seat: Seat, facts: Mapping[str, Any]) -> LeagueGame:
    """Return a game as the league counts it, group by group in the order of the pairing (FS-LGE-1)."""
    players, sides = seat.players, sides_of(seat)
    if absent := absent_groups(seat, facts):
        endings: list[Ending] = ["no_show" if player in absent else "bye" for player in players]
        return LeagueGame(players, tuple(endings), (0,) * len(players), sides)
    report = report_of(facts)
    ended = zip(report.sides, endings_of(report, sides), strict=True)
    results = {side.group: (ending, side.vp) for side, ending in ended}
    return LeagueGame(
        players, tuple(results[player][0] for player in players), tuple(results[player][1] for player in players), sides
    )


def games_played(state: Tournament, until: int) -> list[LeagueGame]:
    """Return byes and games with a binding result, up to a round (FS-RND-3, FS-REP-5)."""
    return [game for _, game in games_by_round(state, until)]


def games_by_round(state: Tournament, until: int) -> list[tuple[int, LeagueGame]]:
    """Return the same games, each with the number of its round."""
    games = []
    for number, round in sorted(state.rounds.rounds.items()):
        if number > until:
            break
        for seat in round.seats.values():
            if seat.kind == "bye":
                games.append((number, bye(seat.player_1)))
                continue
            result = state.results.results.get(seat.game)
            if result is not None and result.binds:
                games.append((number, league_game(seat, result.facts)))
    return games


def table_after(state: Tournament, round: int) -> list[Standing]:
    """Return the league table after a round, by the results that bind now (FS-LGE-2)."""
    return _table(state, round, ratings_after(state, round))


def table_before(state: Tournament, round: int) -> list[Standing]:
    """Return the table from which a round is paired: all groups, even new ones, with their current ratings."""
    return _table(state, round - 1, {id: group.rating for id, group in current_groups(state).items()})


def _table(state: Tournament, round: int, ratings: Mapping[str, int]) -> list[Standing]:
    withdrawn = [id for id in ratings if _has_left(state, id)]
    return league_table(rules_at(state.entries, round), ratings, games_played(state, round), withdrawn)


def _has_left(state: Tournament, player: str) -> bool:
    known = state.entries.players.get(player)
    return known is None or known.status != "active"


def standing_rows(table: list[Standing]) -> list[StandingRow]:
    """Return the table as recorded standings. A withdrawn group keeps its place and is marked."""
    return [
        StandingRow(
            rank=line.rank,
            player=line.group,
            values={"league_points": line.points, "group_rating": line.rating, "total_vp": line.vp},
            tied=line.tied,
            status="dropped" if line.withdrawn else "active",
        )
        for line in table
    ]


def planned_rounds(state: Tournament) -> int:
    """Return the planned number of rounds, by the rules of the next round (FS-LGE-3)."""
    return rules_at(state.entries, max(state.rounds.rounds, default=0) + 1).options.rounds
