"""The league: which groups live and play, what was played, and the table (FS-LGE-1 to FS-LGE-3)."""

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
"""What two groups may be separated by."""


class LeagueGame(Struct, frozen=True):
    """A game as the league counts it, or a bye or an absence of one group. vp: of each group.

    sides: who stood with whom; none where each group stood for itself.
    """

    groups: tuple[str, ...]
    endings: tuple[Ending, ...]
    vp: tuple[int, ...]
    sides: tuple[tuple[str, ...], ...] = ()

    def rivals_of(self, group: str) -> tuple[str, ...]:
        """Whom a group met."""
        return rivals_of(self.sides or [[one] for one in self.groups], group)


class Standing(Struct, frozen=True, omit_defaults=True):
    """A line of the table. rank: from 1, shared by equals. rating: as last made final."""

    rank: int
    group: str
    points: int
    rating: int
    vp: int
    tied: bool = False
    withdrawn: bool = False


def bye(group: str) -> LeagueGame:
    """A bye. FS-RND-3."""
    return LeagueGame((group,), ("bye",), (0,))


def no_show(present: str, absent: str) -> LeagueGame:
    """A game to which one did not come: a loss for it, a bye for the other. FS-LGE-1."""
    return LeagueGame((present, absent), ("bye", "no_show"), (0, 0))


def league_points(options: Options, ending: Ending) -> int:
    """League points of an outcome. FS-LGE-1."""
    points = options.league_points
    by_ending = {"win": points.win, "draw": points.draw, "loss": points.loss, "no_show": points.loss}
    return options.bye_points if ending == "bye" else by_ending[ending]


def league_table(
    rules: Rules, ratings: Mapping[str, int], games: Sequence[LeagueGame], withdrawn: Collection[str] = ()
) -> list[Standing]:
    """The standings of all groups of `ratings`, best first.

    ratings: group -> final rating of the last closed round. A withdrawn group keeps its place. Source: FS-LGE-2.
    """
    made = compared(rules, ratings, games)
    vp = {group: _total(games, group, lambda game, n: game.vp[n]) for group in ratings}
    order = sorted(ratings, key=lambda group: (*(-value for value in made[group].values()), group))
    table: list[Standing] = []
    for _, equals in groupby(order, key=lambda group: made[group]):
        same = list(equals)
        rank = len(table) + 1
        table += [
            Standing(
                rank, group, made[group]["league_points"], ratings[group], vp[group], len(same) > 1, group in withdrawn
            )
            for group in same
        ]
    return table


def compared(rules: Rules, ratings: Mapping[str, int], games: Sequence[LeagueGame]) -> dict[str, dict[Compared, int]]:
    """What groups are compared by, in order: league points, then the tiebreaks in force. FS-LGE-2, FS-AMB-59."""
    options = rules.options
    points = {group: _total(games, group, lambda game, n: league_points(options, game.endings[n])) for group in ratings}
    vp = {group: _total(games, group, lambda game, n: game.vp[n]) for group in ratings}

    def of(group: str) -> dict[Compared, int]:
        equals = {other for other in points if points[other] == points[group]}
        values: Mapping[Tiebreak, int] = {
            "group_rating": ratings[group],
            "total_vp": vp[group],
            "head_to_head": _between(options, games, group, equals),
        }
        return {"league_points": points[group], **{tiebreak: values[tiebreak] for tiebreak in options.tiebreaks}}

    return {group: of(group) for group in ratings}


def separated_by(one: Mapping[Compared, int], other: Mapping[Compared, int]) -> Compared | Literal[""]:
    """The first value in which two groups differ; empty for equals, who share a rank. FS-LGE-2."""
    return next((name for name, value in one.items() if value != other[name]), "")


def _total(games: Sequence[LeagueGame], group: str, value: Callable[[LeagueGame, int], int]) -> int:
    return sum(value(game, game.groups.index(group)) for game in games if group in game.groups)


def _between(options: Options, games: Sequence[LeagueGame], group: str, equals: Collection[str]) -> int:
    """League points won where all who played have equally many. FS-AMB-59."""
    among = [game for game in games if len(game.groups) > 1 and set(game.groups) <= set(equals)]
    return _total(among, group, lambda game, n: league_points(options, game.endings[n]))


GAME, NO_SHOW, DOUBLE_NO_SHOW = "game", "no_show", "double_no_show"
"""Kinds of facts of a campaign's game. A game has its `report`; a no-show says by `conceded_by` which group was away,
by its place among the players of the pairing, from 1."""


HERE = ("active", "waiting", "dropped")
"""Statuses of players who may be around when dice are rolled."""


def latest_round(state: Tournament) -> int:
    """The round paired last; 0 before the first."""
    latest = state.rounds.latest()
    return latest.number if latest else 0


def building_round(state: Tournament) -> int:
    """The round from which on a group plays that is built now; 0 before the first is paired. FS-RAT-3."""
    return latest_round(state) + 1 if state.rounds.rounds else 0


def current_groups(state: Tournament) -> dict[str, Group]:
    """Every group as it lives: by scoring's log once it has entered there, before that as it was built. FS-SVC-1."""
    return {**CAMPAIGN.of(state).groups, **groups_to_enter(state)}


def groups_before(state: Tournament) -> dict[str, Group]:
    """Groups as they were before the game of the round, whether what it brought about has begun or not.

    What one was before a phase that it has left, as after its end, is nothing to this round.
    """
    living, number = current_groups(state), latest_round(state)
    phases = {id: group.phase for id, group in living.items()}
    opened = {id for id, phase in phases.items() if phase is not None and phase.round == number}
    return {**living, **{id: group for id, group in CAMPAIGN.of(state).before.items() if id in opened}}


def improbable_facts(state: Tournament, facts: Mapping[str, Any]) -> list[Fault]:
    """What goes beyond what the groups, the encounters and the terrain could bring. FS-REP-2, FS-REP-3."""
    if facts["kind"] != GAME:
        return []
    report = report_of(facts)
    seat = seat_of(state, report.sides[0].group)
    rules, sides = rules_at(state.entries, latest_round(state)), sides_of(seat) if seat else ()
    found = improbable_in_report(rules, report, groups_before(state), sides)
    return [replace(fault, where=f"/report{fault.where}") for fault in found]


def groups_to_enter(state: Tournament) -> dict[str, Group]:
    """Groups that registration has built to the end, and that scoring's log does not know yet.

    The first of a player, or one that takes the place of a group without members. FS-SVC-1, FS-AMB-54.
    """
    lived, entered = CAMPAIGN.of(state).groups, CAMPAIGN.of(state).entered
    return {
        id: built
        for id, built in ENLISTED.of(state).groups.items()
        if built.rating and entered.get(id) != built and (id not in lived or not lived[id].members)
    }


def submission_base(state: Tournament, player: str) -> Group:
    """What a group that is handed in goes on from: no number is used again, and turfs that were rolled stay.

    Turfs of a group that has lived do not: what takes its place rolls its own. FS-GRP-13, FS-AMB-54.
    """
    built = ENLISTED.of(state).groups.get(player) or Group(player, "")
    lived = CAMPAIGN.of(state).groups.get(player) or built
    turfs = built.turfs if CAMPAIGN.of(state).entered.get(player) != built else ()
    return Group(player, "", turfs=turfs, serial=max(built.serial, lived.serial))


def serving_staff(state: Tournament) -> set[str]:
    """The staff who serve now, by id; they may roll and see dice wherever they are. FS-AUD-1."""
    return {member.id for member in state.entries.staff.values() if member.active}


def people_at_building(state: Tournament) -> set[str]:
    """Who may have rolled and seen dice while groups are built: whoever entered and stayed, and the staff. FS-AUD-1."""
    return serving_staff(state) | {player.id for player in state.entries.players.values() if player.status in HERE}


def active_groups(state: Tournament) -> dict[str, Group]:
    """The groups that take part now: built, with members, and not withdrawn. FS-RND-4, FS-AMB-54."""
    active = {player.id for player in state.entries.active()}
    return {id: group for id, group in current_groups(state).items() if id in active and group.members}


def unfinished_groups(state: Tournament, round: int) -> list[str]:
    """The groups whose round is not over: all that still play, until their step 9 is closed. FS-RND-1.

    Who did not play may have no phase at all (FS-AMB-55); a game whose ruling is appealed is not over.
    """
    rules = rules_at(state.entries, round)
    over, active = CAMPAIGN.of(state).ratings.get(round, {}), active_groups(state)
    left = []
    for seat in state.rounds.rounds[round].seats.values():
        result = state.results.results.get(seat.game)
        played = seat.kind != "bye" and not (result and result.binds and result.facts["kind"] != GAME)
        if result is not None and result.appealed:
            left += [player for player in seat.players if player in active]
        elif played or rules.options.bye_post_game != "none":
            left += [player for player in seat.players if player in active and player not in over]
    return left


def ratings_after(state: Tournament, round: int) -> dict[str, int]:
    """The groups that were in the campaign in a round -> rating as it was made final last, up to its end. FS-RAT-3."""
    built, lived = ENLISTED.of(state).ratings, CAMPAIGN.of(state).ratings
    found: dict[str, int] = {}
    for number in sorted({*built, *lived}):
        if number <= round:
            found |= built.get(number, {}) | lived.get(number, {})
    return {id: found[id] for id in current_groups(state) if id in found}


def mustered_for(state: Tournament, game: str, group: str) -> Mustered | None:
    """A group as it was mustered for a game, if it was for this one. FS-GAM-1."""
    known = CAMPAIGN.of(state).mustered.get(group)
    return known if known is not None and known.game == game else None


msgspec.json.Decoder(GameReport)  # its first use, in one thread alone: see shared/swiss/ruleset.py


def report_of(facts: Mapping[str, Any]) -> GameReport:
    """The report that the facts of a game hold. Raises msgspec.ValidationError when they hold none."""
    return msgspec.convert(facts["report"], GameReport)


def sides_of(seat: Seat) -> tuple[tuple[str, ...], ...]:
    """Every side of a game with its groups; in a game of two each stands for itself."""
    return tuple(map(tuple, seat.sides)) or tuple((player,) for player in seat.players)


def seat_of(state: Tournament, group: str) -> Seat | None:
    """The seat of a group in the round at hand, if it has a game."""
    latest = state.rounds.latest()
    seats = latest.seats.values() if latest else ()
    return next((seat for seat in seats if group in seat.players and seat.kind != "bye"), None)


def absent_groups(seat: Seat, facts: Mapping[str, Any]) -> tuple[str, ...]:
    """The groups that did not come to a game; none where it was played. FS-LGE-1."""
    match facts["kind"]:
        case "no_show":
            return (seat.players[facts["conceded_by"] - 1],)
        case "double_no_show":
            return seat.players
    return ()


def league_game(seat: Seat, facts: Mapping[str, Any]) -> LeagueGame:
    """A game as the league counts it, group by group in the order of the pairing. FS-LGE-1."""
    players, sides = seat.players, sides_of(seat)
    if away := absent_groups(seat, facts):
        endings: list[Ending] = ["no_show" if one in away else "bye" for one in players]
        return LeagueGame(players, tuple(endings), (0,) * len(players), sides)
    report = report_of(facts)
    ended = zip(report.sides, endings_of(report, sides), strict=True)
    told = {side.group: (ending, side.vp) for side, ending in ended}
    return LeagueGame(players, tuple(told[one][0] for one in players), tuple(told[one][1] for one in players), sides)


def games_played(state: Tournament, until: int) -> list[LeagueGame]:
    """Byes, and games whose result binds, of the rounds up to one. FS-RND-3, FS-REP-5."""
    return [game for _, game in games_by_round(state, until)]


def games_by_round(state: Tournament, until: int) -> list[tuple[int, LeagueGame]]:
    """The same, each with the number of its round."""
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
    """The league table after a round, by what binds now. FS-LGE-2."""
    return _table(state, round, ratings_after(state, round))


def table_before(state: Tournament, round: int) -> list[Standing]:
    """The table that a round is paired from: every group with the rating that it has now, also who came since."""
    return _table(state, round - 1, {id: group.rating for id, group in current_groups(state).items()})


def _table(state: Tournament, round: int, ratings: Mapping[str, int]) -> list[Standing]:
    gone = [id for id in ratings if _gone(state, id)]
    return league_table(rules_at(state.entries, round), ratings, games_played(state, round), gone)


def _gone(state: Tournament, player: str) -> bool:
    known = state.entries.players.get(player)
    return known is None or known.status != "active"


def standing_rows(table: list[Standing]) -> list[StandingRow]:
    """The table as standings are recorded; a withdrawn group keeps its place, marked."""
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
    """How many rounds are to be played, as the rules of the next one have it. FS-LGE-3."""
    return rules_at(state.entries, max(state.rounds.rounds, default=0) + 1).options.rounds
