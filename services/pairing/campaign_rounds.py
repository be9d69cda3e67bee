"""Campaign rounds: paired by league points and ratings, or by hand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from services.pairing import amendments, campaign_pairing_rules
from services.pairing.amendments import AmendPairings
from services.pairing.campaign_pairing_rules import MET_CLAUSE, avoid_repeats, faults_by_hand, met_before, rounds_before
from services.pairing.guards import AllRoundsPlayed, RoundNotClosed, players_seated_before
from services.pairing.plans import NOT_CHECKED_IN, Field, PairingsRefused, Plan, PlannedPairing, group_by_venue
from services.pairing.rounds import PairRound, plan_by_hand, refuse_byes, require_next_round, round_events
from services.pairing.seating import number_games, seat_pairings
from shared.campaign.league import active_groups, current_groups, table_before
from shared.campaign.pairing import faults_of_next_round, pair_round
from shared.campaign.state import rules_at
from shared.campaign.tables import Rules
from shared.log.event import Event
from shared.refusals import Fault, expects
from shared.rules.model import Pairing, TooFewPlayers
from shared.tournament.format import rules_of
from shared.tournament.guards import Context, require_format, require_running
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament

__all__ = ["MET_CLAUSE", "amend", "avoid_repeats", "faults_by_hand", "met_before", "pair", "timing_view"]


def timing_view(state: Tournament, round: Round) -> None:
    """Return None: the rounds of a campaign have no clock."""


LEAGUE = "league"
"""The stage of every round of a campaign."""
NO_GROUP, WIPED_OUT = "no_group", "wiped_out"
"""Reasons why an active player is left out: no group with turfs and rating, or a group without members."""


def pair(state: Tournament, command: PairRound, context: Context) -> Sequence[Event]:
    """Pair the next round after every group has closed its post-game phase (FS-RND-1 to FS-RND-5)."""
    require_running(state)
    if command.venue:
        require_format(state, ("swiss",))
    require_next_round(state, command.round)
    latest = state.rounds.latest()
    number = latest.number + 1 if latest else 1
    rules = rules_at(state.entries, number)
    _refuse_unready(state, rules, number)
    _refuse_scenario(command.scenario)
    field = field_of(state, number)
    _refuse_too_few(state, number, field)
    refuse_byes(command, paired_by_rule=False)
    if command.pairings is not None:
        plan = plan_by_hand(campaign_pairing_rules, state, number, command, field, LEAGUE)
    elif rules.options.pairing == "manual":
        fault = Fault("/pairings", "nothing", expects("pairings-of-round"), "FS-RND-2")
        raise PairingsRefused("The organiser pairs this campaign by hand.", [fault])
    else:
        pairings = list(_plan_pairings(state, number, field))
        plan = Plan(stage=LEAGUE, method=rules.options.pairing, pairings=pairings, left_out=field.left_out)
    seats = number_games(state, number, seat_pairings(state, plan.pairings, avoid_repeats=True))
    made_from = state.results.standings_changed_at(number - 1)
    return round_events(number, plan, seats, made_from=made_from)


def amend(state: Tournament, command: AmendPairings, context: Context) -> Sequence[Event]:
    """Change pairings by hand."""
    return amendments.amend(campaign_pairing_rules, state, command, context)


def field_of(state: Tournament, number: int) -> Field:
    """Return the players to pair in a round: active players whose group has members (FS-RND-4, FS-AMB-54)."""
    groups, able, seated_before = current_groups(state), active_groups(state), players_seated_before(state, number)
    players: list[str] = []
    left_out: dict[str, list[str]] = {}
    for player in state.entries.active():
        reason = ""
        if player.id not in able:
            reason = WIPED_OUT if player.id in groups else NO_GROUP
        elif state.entries.check_in and not player.checked_in and player.id not in seated_before:
            reason = NOT_CHECKED_IN
        if reason:
            left_out.setdefault(reason, []).append(player.id)
        else:
            players.append(player.id)
    return Field(players, left_out)


def _plan_pairings(state: Tournament, number: int, field: Field) -> Iterator[PlannedPairing]:
    """Yield the pairings by the rules, byes last. Venues are paired separately if the tournament says so."""
    parts = group_by_venue(state, field.players)
    made = pair_parts(state, number, parts.values())
    for pairing in sorted(made, key=lambda pairing: pairing.kind == "bye"):
        venue = next(venue for venue, part in parts.items() if pairing.player_1 in part)
        yield _planned(pairing, venue)


def _planned(pairing: Pairing, venue: str) -> PlannedPairing:
    return PlannedPairing(
        kind=pairing.kind,
        player_1=pairing.player_1,
        player_2=pairing.player_2 or "",
        venue=venue or None,
        table=0 if pairing.kind == "bye" else None,
        reason=pairing.reason,
        rematch=pairing.rematch,
        sides=[list(side) for side in pairing.sides],
    )


def _refuse_unready(state: Tournament, rules: Rules, number: int) -> None:
    """Raise AllRoundsPlayed, or RoundNotClosed with every group that is still in its post-game phase."""
    planned = rules.options.rounds
    if number > planned:
        raise AllRoundsPlayed(f"All {planned} planned rounds have been played.", planned=planned)
    before = number - 1
    if not before:
        return
    games = state.open_games(before)
    groups = active_groups(state)
    faults = list(faults_of_next_round(rules, groups, groups, number))
    if games or faults or before not in state.results.closed:
        raise RoundNotClosed(
            f"Round {before} is not over; open games: {len(games)}, groups in a post-game phase: {len(faults)}.",
            faults,
            round=before,
            games=games,
            groups=[fault.where.removeprefix("/groups/") for fault in faults],
        )


def _refuse_scenario(scenario: str) -> None:
    """Raise PairingsRefused if a scenario is given: in a campaign the players roll objectives."""
    if scenario:
        fault = Fault("/scenario", scenario, expects("no-scenario"), "FS-GAM-5")
        raise PairingsRefused("A campaign has no scenarios.", [fault])


def _refuse_too_few(state: Tournament, number: int, field: Field) -> None:
    """Raise TooFewPlayers, with the players left out and the reasons."""
    minimum, count = rules_of(state.entries).entry.minimum_players, len(field.players)
    if count < minimum:
        raise TooFewPlayers(
            f"Round {number} has {count} to pair and needs {minimum}.",
            players=count,
            minimum=minimum,
            left_out=field.left_out,
        )


def pair_parts(state: Tournament, number: int, parts: Iterable[Collection[str]]) -> list[Pairing]:
    """Pair a round by the rules, from the league table after the previous round; a bye is last in its part (FS-RND-2).

    parts: the groups that play, in parts that are paired separately. Raises StepRefused if the organiser pairs by hand.
    """
    rules, table = rules_at(state.entries, number), table_before(state, number)
    met, rested = met_before(state, number), groups_with_bye(state, number)
    made: list[Pairing] = []
    for part in parts:
        made += pair_round(rules, [line for line in table if line.group in part], met, rested)
    return made


def groups_with_bye(state: Tournament, number: int) -> list[str]:
    """Return the groups that had a bye before this round, once for each bye (FS-RND-3)."""
    return [
        seat.player_1 for round in rounds_before(state, number) for seat in round.seats.values() if seat.kind == "bye"
    ]
