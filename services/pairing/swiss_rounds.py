"""Swiss rounds: the next round with its scenario and pairings, by the ruleset or by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from services.pairing import amendments, swiss_bracket, swiss_pairing
from services.pairing.amendments import AmendPairings
from services.pairing.guards import AllRoundsPlayed, RoundNotClosed, seed_of
from services.pairing.plans import Field, PairingsRefused, Plan, PlannedPairing, refuse_faults
from services.pairing.publication import require_published_cut, with_pairings
from services.pairing.rounds import PairRound, plan_by_hand, require_next_round, round_events
from services.pairing.seating import number_games, seat_pairings
from services.pairing.swiss_clocks import timing_view
from services.pairing.swiss_pairing import (
    MET_CLAUSE,
    avoid_repeats,
    faults_by_hand,
    field_of,
    met_before,
    pair_swiss,
    read_byes,
    remove_byes,
)
from services.pairing.swiss_parts import ELSEWHERE, PartField, field_of_part, parts_due, standings_of_part
from shared.log.event import Event
from shared.refusals import Expected, Fault, Refusal, expects, one_of
from shared.rules.model import Draw, RoundsNotFixed, TooFewPlayers
from shared.rules.pairing import table_draw
from shared.rules.parts import or_own_scenarios
from shared.swiss.elimination import cut_places
from shared.swiss.game_parts import Scenario
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import closed_standings, planned_rounds
from shared.swiss.rounds import number_of_rounds, scenario_draw
from shared.tournament.format import tier_of
from shared.tournament.games import describe_games
from shared.tournament.guards import Context, require_running
from shared.tournament.parts import (
    describe_parts,
    has_own_rounds,
    latest_round_at,
    players_of_first_round,
    venues_behind,
)
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament

__all__ = ["MET_CLAUSE", "amend", "avoid_repeats", "faults_by_hand", "met_before", "pair", "timing_view"]


def pair(state: Tournament, command: PairRound, context: Context) -> Sequence[Event]:
    """Pair the next round after the previous one is closed, by the ruleset or by hand; each venue by itself, if so set.

    Source: AR-PAIR-1 to AR-PAIR-7, AR-SET-4, AR-RND-1, DW-PAIR-1 to DW-PAIR-6, FF-PAIR-1 to FF-PAIR-7.
    """
    require_running(state)
    if has_own_rounds(state):
        return _pair_parts(state, command, context)
    if command.venue:
        refuse_faults([Fault("/venue", command.venue, expects("venues-paired-together"))])
    require_next_round(state, command.round)
    number = next_round_number(state)
    paired = state.rounds.cut or field_of(state, number).players
    seed = seed_of(state, number, context, paired) if command.pairings is None else ""
    drawn = _scenario_drawn(state, command, number, seed)
    scenario = _scenario(state, drawn.order[0] if drawn else command.scenario)
    if not state.rounds.cut and number > 1:
        _refuse_beyond_plan(state, number)
    require_published_cut(state)
    bracket = swiss_bracket.pair_bracket(state, number, context) if state.rounds.cut else None
    field = Field(bracket.survivors, {}) if bracket else field_of(state, number)
    byes = read_byes(state, command, field, paired_by_rule=bracket is None)
    if command.pairings is not None:
        plan = plan_by_hand(swiss_pairing, state, number, command, field, "elimination" if bracket else "swiss")
    else:
        plan = (
            swiss_bracket.plan_bracket(state, bracket)
            if bracket
            else pair_swiss(
                state, number, remove_byes(field, byes), seed, closed_standings(state, number - 1), byes=len(byes)
            )
        )
        plan = replace(plan, pairings=[*plan.pairings, *byes])
    if not plan.pairings:
        raise TooFewPlayers(f"Round {number} would have no players.", players=0, minimum=1)
    if number == 1:
        _refuse_unfixed(state, sum(len(pairing.players) for pairing in plan.pairings))
    require_scenario_for_byes(state, plan.pairings, scenario)
    if drawn:
        plan = replace(plan, draws=[*plan.draws, drawn])
    plan = _seat_plan(state, number, plan, seed)
    seats = number_games(state, number, plan.pairings)
    made_from = state.results.standings_changed_at(number - 1)
    return round_events(number, plan, seats, made_from=made_from, seed=seed, scenario=scenario)


def _pair_parts(state: Tournament, command: PairRound, context: Context) -> list[Event]:
    """Pair the next round of one venue, or of all venues whose turn it is, each by itself.

    Raises the refusals of `parts_due` and `pair`.
    """
    number, due = parts_due(state, command)
    if number > 1:
        _refuse_beyond_plan(state, number)
    fields = {venue: field_of_part(state, number, venue) for venue in due}
    whole = Field([player for part in fields.values() for player in part.field.players], {})
    byes = read_byes(state, command, whole, paired_by_rule=True)
    if number == 1:
        waiting = [venue for venue in venues_behind(state, 1) if venue not in due]
        others = sum(player.venue in waiting for player in state.entries.active())
        first = state.rounds.rounds.get(1)
        seated = sum(len(seat.players) for seat in first.seats.values()) if first else 0
        _refuse_unfixed(state, len(whole.players) + others + seated)
    if command.pairings is not None:
        return _pair_parts_by_hand(state, number, command, fields)
    if not whole.players and not any(part.byes for part in fields.values()):
        raise TooFewPlayers(f"Round {number} would have no players{_at(command)}.", players=0, minimum=1)
    events: list[Event] = []
    for venue, part in fields.items():
        own = [bye for bye in byes if state.entries.players[bye.player_1].venue == venue]
        if part.field.players or part.byes:
            paired = _pair_part(state, number, venue, part, own, command, context)
            events += paired
            state = with_pairings(state, paired)
    return events


def _at(command: PairRound) -> str:
    return f" at {command.venue}" if command.venue else ""


def _pair_part(
    state: Tournament,
    number: int,
    venue: str,
    part: PartField,
    given: Sequence[PlannedPairing],
    command: PairRound,
    context: Context,
) -> list[Event]:
    """Return the events that pair a round at one venue. given: byes that staff grant there."""
    field = part.field
    players = [*field.players, *(bye.player_1 for bye in part.byes)]
    seed = seed_of(state, number, context, players, venue)
    scenario, draws = _scenario_of_part(state, command, number, seed)
    rest = remove_byes(field, given)
    plan = Plan(stage="swiss", method=BYES_ONLY, pairings=[], left_out=field.left_out)
    if rest.players:
        standings = standings_of_part(state, number, venue, field.players, seed)
        plan = pair_swiss(state, number, rest, seed, standings, venue=venue, byes=len(given))
    byes = [*(replace(bye, venue=venue) for bye in given), *part.byes]
    plan = replace(plan, pairings=[*plan.pairings, *byes], draws=[*plan.draws, *draws])
    require_scenario_for_byes(state, plan.pairings, scenario)
    plan = _seat_plan(state, number, plan, seed)
    return _part_events(state, number, venue, plan, seed, scenario)


BYES_ONLY = "byes"
"""Method of a part without games."""


def _part_events(state: Tournament, number: int, venue: str, plan: Plan, seed: str, scenario: str) -> list[Event]:
    made_from = state.results.closed_at(latest_round_at(state.rounds, venue), venue)
    seats = number_games(state, number, plan.pairings)
    return round_events(number, plan, seats, made_from=made_from, seed=seed, scenario=scenario, venue=venue)


def _pair_parts_by_hand(
    state: Tournament, number: int, command: PairRound, fields: Mapping[str, PartField]
) -> list[Event]:
    """Return the events that pair a round as entered by hand, for each venue where it is played.

    Raises PairingsRefused also for a game at a venue that is not paired now, and for a player who has a game already.
    """
    players = [player for part in fields.values() for player in part.field.players]
    left_out: dict[str, list[str]] = {}
    for part in fields.values():
        for why, some in part.field.left_out.items():
            left_out.setdefault(why, []).extend(some)
    plan = plan_by_hand(swiss_pairing, state, number, command, Field(players, left_out), "swiss")
    played_elsewhere = left_out.get(ELSEWHERE, [])
    refuse_faults(
        [
            Fault(f"/pairings/{index}", player, expects("player-to-pair"))
            for index, pairing in enumerate(plan.pairings)
            for player in pairing.players
            if player in played_elsewhere or state.entries.players[player].venue not in fields
        ]
    )
    scenario, _ = _scenario_of_part(state, command, number, "")
    require_scenario_for_byes(state, plan.pairings, scenario)
    plan = _seat_plan(state, number, plan, "")
    refuse_faults(
        [
            Fault(f"/pairings/{index}/venue", pairing.venue or "nothing", one_of(list(fields)))
            for index, pairing in enumerate(plan.pairings)
            if pairing.venue not in fields
        ]
    )
    events: list[Event] = []
    for venue, part in fields.items():
        pairings = [*(pairing for pairing in plan.pairings if pairing.venue == venue), *part.byes]
        own = {
            why: [player for player in some if state.entries.players[player].venue == venue]
            for why, some in plan.left_out.items()
        }
        if pairings:
            made = replace(plan, pairings=pairings, left_out={why: some for why, some in own.items() if some})
            paired = _part_events(state, number, venue, made, "", scenario)
            events += paired
            state = with_pairings(state, paired)
    return events


def _scenario_of_part(state: Tournament, command: PairRound, number: int, seed: str) -> tuple[str, list[Draw]]:
    """Return the scenario of a round, and its draw if it is drawn now. All venues play the scenario of the first.

    Raises PairingsRefused for another one, and the refusals of `_scenario`.
    """
    if (known := state.rounds.rounds.get(number)) is not None:
        if command.scenario and _scenario(state, command.scenario) != known.scenario:
            refuse_faults([Fault("/scenario", command.scenario, one_of([known.scenario] if known.scenario else []))])
        return known.scenario, []
    drawn = _scenario_drawn(state, command, number, seed)
    return _scenario(state, drawn.order[0] if drawn else command.scenario), [drawn] if drawn else []


def amend(state: Tournament, command: AmendPairings, context: Context) -> Sequence[Event]:
    """Change pairings by hand. Raises ScenarioMissing if the value of a new bye depends on the scenario."""
    amended = amendments.amend(swiss_pairing, state, command, context)
    for event in amended:
        require_scenario_for_byes(state, event.pairings, state.rounds.rounds[event.round].scenario)
    return amended


def _seat_plan(state: Tournament, number: int, plan: Plan, seed: str) -> Plan:
    """Return the plan with a table for every game, in pairing order or in the order of a recorded draw (FF-AMB-28)."""
    rules = ruleset_of(state.entries).tables
    order, avoid = rules.order if seed and plan.stage == "swiss" else "", rules.avoid_repeats
    players = [pairing.player_1 for pairing in plan.pairings if pairing.kind != "bye"]
    draw = table_draw(order, players, round=number, seed=seed)
    if draw is None:
        return replace(plan, pairings=seat_pairings(state, plan.pairings, avoid_repeats=avoid))

    def draw_order(pairing: PlannedPairing) -> int:
        return draw.order.index(pairing.player_1) if pairing.kind != "bye" else -1

    drawn = sorted(plan.pairings, key=draw_order)
    seated = {pairing.player_1: pairing for pairing in seat_pairings(state, drawn, avoid_repeats=avoid)}
    return replace(plan, pairings=[seated[pairing.player_1] for pairing in plan.pairings], draws=[*plan.draws, draw])


def next_round_number(state: Tournament) -> int:
    """Return the number of the next round. Raises RoundNotClosed while the latest round is being played."""
    require_running(state)
    latest = state.rounds.latest()
    if latest is None:
        return 1
    aside = state.results.aside.get(latest.number, {})
    games = [game for game in state.open_games(latest.number) if latest.seats[game].venue not in aside]
    if games or latest.number not in state.results.closed:
        parts = [part for part in latest.parts if not state.results.is_closed(latest.number, part)]
        open_games = f"; open games: {len(games)}: {describe_games(state, games)}" if games else ""
        raise RoundNotClosed(
            f"Round {latest.number} is not closed{describe_parts(latest, parts)}{open_games}.",
            round=latest.number,
            games=games,
            venues=[*filter(None, parts), *venues_behind(state, latest.number)],
        )
    return latest.number + 1


def _refuse_beyond_plan(state: Tournament, number: int) -> None:
    """Raise AllRoundsPlayed after the last planned round, and CutDue if the ruleset requires a cut first."""
    planned = planned_rounds(state)
    if planned is not None and number > planned:
        raise AllRoundsPlayed(f"All {planned} planned rounds have been played.", planned=planned)
    places = cut_places_due(state, number - 1)
    if places and state.entries.rounds is None:
        raise CutDue(f"After round {number - 1} the first {places} go on; make the cut.", places=places)


def cut_places_due(state: Tournament, after_round: int) -> int:
    """Return the places of the cut that the ruleset's table requires after a round; 0 if it requires none."""
    if 1 not in state.rounds.rounds:
        return 0
    due = cut_places(ruleset_of(state.entries), players_of_first_round(state))
    return due.places if due.after_round == after_round else 0


def cut_places_due_now(state: Tournament) -> int:
    """Return the places of the cut that is due after the latest closed round; 0 if none is due or one is made."""
    latest = state.rounds.latest()
    if state.rounds.cut or latest is None or latest.number not in state.results.closed:
        return 0
    return cut_places_due(state, latest.number)


def _refuse_unfixed(state: Tournament, players: int) -> None:
    """Raise unless the number of rounds is fixed for the players of the first pairing, at all venues.

    Raises TooFewPlayers, RoundsNotFixed, and RoundsByTable if the tier requires the number of the table and another
    one was announced. Source: AR-SET-4, AR-RND-1, AR-AMB-24.
    """
    entries = state.entries
    ruleset = ruleset_of(entries)
    minimum = ruleset.entry.minimum_players
    if players < minimum:
        raise TooFewPlayers(
            f"There are {players} players to pair; at least {minimum} are needed.", players=players, minimum=minimum
        )
    due = number_of_rounds(ruleset, players, entries.tier)
    if due not in (None, entries.rounds) and entries.rounds is not None and ruleset.rounds.outside == "never":
        raise RoundsByTable(
            f"{entries.rounds} rounds were announced; {players} players play {due} at the tier {entries.tier}.",
            players=players,
            rounds=due,
            clause=tier_of(entries).cites("rounds"),
        )
    if entries.rounds is None and due is None:
        key = next((option.key for option in ruleset.options if "/rounds/table" in option.sets), "")
        advice = f": `rounds` of the tournament, or a row for them in the option {key}" if key else ""
        raise RoundsNotFixed(
            f"For {players} players the organiser says how many rounds are played{advice}.",
            players=players,
            tier=entries.tier,
        )


def _scenario_drawn(state: Tournament, command: PairRound, number: int, seed: str) -> Draw | None:
    """Return the draw of the round's scenario from the pool; None if the command names one or there is no draw.

    seed: empty for a round by hand. Source: FF-SET-4.
    """
    ruleset = ruleset_of(state.entries)
    if command.scenario or not seed or ruleset.result.scenario_per != "round":
        return None
    played = [round.scenario for round in state.rounds.rounds.values() if round.number < number]
    return scenario_draw(ruleset, played, round=number, seed=seed)


def _scenario(state: Tournament, name: str) -> str:
    """Return the canonical name of a scenario, which may be given by an alias.

    Raises PairingsRefused for an unknown scenario, and ScenarioMissing if a round needs one (FF-AMB-8).
    """
    ruleset = ruleset_of(state.entries)
    scenarios = ruleset.scenarios
    if scenarios and not name and ruleset.result.scenario_per == "round":
        expected, clause = or_own_scenarios(expect_scenario(scenarios), ruleset), ruleset.result.cites("scenario_per")
        raise ScenarioMissing(
            "All games of a round have one scenario, fixed before the pairing is published; name it.",
            [Fault("/scenario", "nothing", expected, clause)],
        )
    canonical = next((scenario.name for scenario in scenarios if name in (scenario.name, *scenario.aliases)), "")
    if name and scenarios and not canonical:
        raise PairingsRefused(
            "The ruleset has no such scenario.", [Fault("/scenario", name, expect_scenario(scenarios))]
        )
    pool = ruleset.result.pool
    if canonical and pool and canonical not in pool:
        fault = Fault("/scenario", name, one_of(list(pool)), ruleset.result.cites("pool"))
        raise PairingsRefused(f"{canonical} is not in the scenario pool of this event (option scenario_pool).", [fault])
    return canonical or name


def expect_scenario(known: Sequence[Scenario]) -> Expected:
    """Return the expectation that a fault shows: one of these scenarios, by name."""
    return one_of([scenario.name for scenario in known])


def require_scenario_for_byes(state: Tournament, pairings: Sequence[PlannedPairing | Seat], scenario: str) -> None:
    """Raise ScenarioMissing if the value of a bye depends on the scenario and none is given (FF-BYE-2, FF-AMB-8)."""
    ruleset = ruleset_of(state.entries)
    byes = [pairing.player_1 for pairing in pairings if pairing.kind == "bye" and not pairing.bye]
    if byes and ruleset.bye.half_of_most and not scenario:
        raise ScenarioMissing(
            f"{byes[0]} has a bye, and what it is worth depends on the scenario; name the scenario.",
            [Fault("/scenario", "nothing", expect_scenario(ruleset.scenarios))],
            clause=ruleset.bye.cites("half_of_most"),
        )


class RoundsByTable(Refusal):
    """The tier fixes the number of rounds by the number of players, and another number was announced."""

    code = "rounds-by-table"


class CutDue(Refusal):
    """The ruleset continues with an elimination stage, and the cut has not been made."""

    code = "cut-due"


class ScenarioMissing(Refusal):
    """The round needs a scenario: because every round has one, or because the value of a bye depends on it."""

    code = "scenario-missing"
