"""Swiss rounds: the next one, its scenario and who meets whom, by the ruleset or by hand."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.pairing import amendments, swiss_bracket, swiss_pairing
from services.pairing.amendments import AmendPairings
from services.pairing.guards import AllRoundsPlayed, RoundNotClosed, seed_of
from services.pairing.plans import Draft, Field, PairingsRefused, Plan
from services.pairing.publication import refuse_draft_of_cut
from services.pairing.rounds import PairRound, events_of, refuse_other_than_next, written
from services.pairing.seating import numbered, seated
from services.pairing.swiss_clocks import timing_view
from services.pairing.swiss_pairing import (
    MET_CLAUSE,
    avoid_repeats,
    byes_given,
    faults_by_hand,
    field_of,
    met_before,
    swiss,
    without,
)
from shared.log.event import Event
from shared.refusals import Expected, Fault, Refusal, one_of
from shared.rules.model import Draw, RoundsNotFixed, TooFewPlayers
from shared.rules.pairing import table_draw
from shared.rules.parts import or_own_scenarios
from shared.swiss.elimination import cut_places
from shared.swiss.game_parts import Scenario
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import planned_rounds
from shared.swiss.rounds import number_of_rounds, scenario_draw
from shared.tournament.format import tier_of
from shared.tournament.games import describe_games
from shared.tournament.guards import Context, require_running
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament

__all__ = ["MET_CLAUSE", "amend", "avoid_repeats", "faults_by_hand", "met_before", "pair", "timing_view"]


def pair(state: Tournament, command: PairRound, context: Context) -> Sequence[Event]:
    """Pair the next round, by the ruleset or by hand, once the one before is closed.

    Source: AR-PAIR-1 to AR-PAIR-7, AR-SET-4, AR-RND-1, DW-PAIR-1 to DW-PAIR-6, FF-PAIR-1 to FF-PAIR-7.
    """
    require_running(state)
    refuse_other_than_next(state, command.round)
    number = ready_for_next(state)
    paired = state.rounds.cut or field_of(state, number).players
    seed = seed_of(state, number, context, paired) if command.pairings is None else ""
    drawn = _scenario_drawn(state, command, number, seed)
    scenario = _scenario(state, drawn.order[0] if drawn else command.scenario)
    if not state.rounds.cut and number > 1:
        _refuse_beyond_plan(state, number)
    refuse_draft_of_cut(state)
    bracket = swiss_bracket.bracket(state, number, context) if state.rounds.cut else None
    field = Field(bracket.survivors, {}) if bracket else field_of(state, number)
    byes = byes_given(state, command, field, paired_by_rule=bracket is None)
    if command.pairings is not None:
        plan = written(swiss_pairing, state, number, command, field, "elimination" if bracket else "swiss")
    else:
        plan = (
            swiss_bracket.paired(state, bracket)
            if bracket
            else swiss(state, number, without(field, byes), context, len(byes))
        )
        plan = replace(plan, drafts=[*plan.drafts, *byes])
    if not plan.drafts:
        raise TooFewPlayers(f"Round {number} would have no players.", players=0, minimum=1)
    if number == 1:
        _refuse_unfixed(state, plan)
    check_byes(state, plan.drafts, scenario)
    if drawn:
        plan = replace(plan, draws=[*plan.draws, drawn])
    plan = _seated(state, number, plan, seed)
    seats = numbered(state, number, plan.drafts)
    made_from = state.results.standings_changed_at(number - 1)
    return events_of(number, plan, seats, made_from=made_from, seed=seed, scenario=scenario)


def amend(state: Tournament, command: AmendPairings, context: Context) -> Sequence[Event]:
    """Change pairings by hand. Raises ScenarioMissing where the worth of a new bye depends on the scenario."""
    amended = amendments.amend(swiss_pairing, state, command, context)
    for event in amended:
        check_byes(state, event.pairings, state.rounds.rounds[event.round].scenario)
    return amended


def _seated(state: Tournament, number: int, plan: Plan, seed: str) -> Plan:
    """The plan with a table for every game: the top one first, or as a draw on record says (FF-AMB-28)."""
    rules = ruleset_of(state.entries).tables
    order, avoid = rules.order if seed and plan.stage == "swiss" else "", rules.avoid_repeats
    players = [draft.player_1 for draft in plan.drafts if draft.kind != "bye"]
    draw = table_draw(order, players, round=number, seed=seed)
    if draw is None:
        return replace(plan, drafts=seated(state, plan.drafts, avoid_repeats=avoid))
    drawn = sorted(plan.drafts, key=lambda draft: draw.order.index(draft.player_1) if draft.kind != "bye" else -1)
    placed = {draft.player_1: draft for draft in seated(state, drawn, avoid_repeats=avoid)}
    return replace(plan, drafts=[placed[draft.player_1] for draft in plan.drafts], draws=[*plan.draws, draw])


def ready_for_next(state: Tournament) -> int:
    """The number of the next round, once nobody plays the one before. Raises RoundNotClosed."""
    require_running(state)
    latest = state.rounds.latest()
    if latest is None:
        return 1
    waiting = state.open_games(latest.number)
    if waiting or latest.number not in state.results.closed:
        open_games = f"; open games: {len(waiting)}: {describe_games(state, waiting)}" if waiting else ""
        raise RoundNotClosed(
            f"Round {latest.number} is not closed{open_games}.",
            round=latest.number,
            games=waiting,
        )
    return latest.number + 1


def _refuse_beyond_plan(state: Tournament, number: int) -> None:
    """Raises AllRoundsPlayed, CutDue."""
    planned = planned_rounds(state)
    if planned is not None and number > planned:
        raise AllRoundsPlayed(f"All {planned} planned rounds have been played.", planned=planned)
    places = due_places(state, number - 1)
    if places and state.entries.rounds is None:
        raise CutDue(f"After round {number - 1} the first {places} go on; make the cut.", places=places)


def due_places(state: Tournament, after_round: int) -> int:
    """How many go on after a round by the ruleset's table; 0 for no cut then."""
    if 1 not in state.rounds.rounds:
        return 0
    players = sum(len(seat.players) for seat in state.rounds.rounds[1].seats.values())
    due = cut_places(ruleset_of(state.entries), players)
    return due.places if due.after_round == after_round else 0


def due_now(state: Tournament) -> int:
    """How many go on by the ruleset's table from the round that was closed last; 0 where a cut is made, or none due."""
    latest = state.rounds.latest()
    if state.rounds.cut or latest is None or latest.number not in state.results.closed:
        return 0
    return due_places(state, latest.number)


def _refuse_unfixed(state: Tournament, plan: Plan) -> None:
    """The number of rounds is fixed before play, by the players of the first pairing. AR-SET-4, AR-RND-1, AR-AMB-24.

    Where no number but the table's is possible at the tier, another one that was announced is refused.
    """
    entries = state.entries
    players = sum(len(draft.players) for draft in plan.drafts)
    ruleset = ruleset_of(entries)
    if players < ruleset.entry.minimum_players:
        least = ruleset.entry.minimum_players
        raise TooFewPlayers(
            f"There are {players} players to pair; at least {least} are needed.", players=players, minimum=least
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
        option = next((one.key for one in ruleset.options if "/rounds/table" in one.sets), "")
        unless = f": `rounds` of the tournament, or a row for them in the option {option}" if option else ""
        raise RoundsNotFixed(
            f"For {players} players the organiser says how many rounds are played{unless}.",
            players=players,
            tier=entries.tier,
        )


def _scenario_drawn(state: Tournament, command: PairRound, number: int, seed: str) -> Draw | None:
    """The draw of a round's scenario from the pool, where nobody names one; a round by hand names its own. FF-SET-4."""
    ruleset = ruleset_of(state.entries)
    if command.scenario or not seed or ruleset.result.scenario_per != "round":
        return None
    played = [round.scenario for round in state.rounds.rounds.values() if round.number < number]
    return scenario_draw(ruleset, played, round=number, seed=seed)


def _scenario(state: Tournament, asked: str) -> str:
    """The scenario by the name that the ruleset has for it.

    Raises PairingsRefused for one that it does not have, ScenarioMissing for none where a round has one (FF-AMB-8).
    """
    ruleset = ruleset_of(state.entries)
    known = ruleset.scenarios
    if known and not asked and ruleset.result.scenario_per == "round":
        expected, clause = or_own_scenarios(scenarios(known), ruleset), ruleset.result.cites("scenario_per")
        raise ScenarioMissing(
            "All games of a round have one scenario, fixed before the pairing is published; name it.",
            [Fault("/scenario", "nothing", expected, clause)],
        )
    found = next((one.name for one in known if asked in (one.name, *one.aliases)), "")
    if asked and known and not found:
        raise PairingsRefused("The ruleset has no such scenario.", [Fault("/scenario", asked, scenarios(known))])
    pool = ruleset.result.pool
    if found and pool and found not in pool:
        fault = Fault("/scenario", asked, one_of(list(pool)), ruleset.result.cites("pool"))
        raise PairingsRefused(f"{found} is not in the scenario pool of this event (option scenario_pool).", [fault])
    return found or asked


def scenarios(known: Sequence[Scenario]) -> Expected:
    """Return the expectation of one of these scenarios, by name."""
    return one_of([scenario.name for scenario in known])


def check_byes(state: Tournament, drafts: Sequence[Draft | Seat], scenario: str) -> None:
    """Raises ScenarioMissing where the worth of a bye depends on the scenario of its round. FF-BYE-2, FF-AMB-8."""
    ruleset = ruleset_of(state.entries)
    byes = [draft.player_1 for draft in drafts if draft.kind == "bye" and not draft.bye]
    if byes and ruleset.bye.half_of_most and not scenario:
        raise ScenarioMissing(
            f"{byes[0]} has a bye, and what it is worth depends on the scenario; name the scenario.",
            [Fault("/scenario", "nothing", scenarios(ruleset.scenarios))],
            clause=ruleset.bye.cites("half_of_most"),
        )


class RoundsByTable(Refusal):
    """At this tier the number of players says how many rounds there are, and another number was announced."""

    code = "rounds-by-table"


class CutDue(Refusal):
    """The ruleset goes on with an elimination stage, and who is in it was not decided yet."""

    code = "cut-due"


class ScenarioMissing(Refusal):
    """A round has one scenario, or a bye of it is worth what its scenario says, and none is named."""

    code = "scenario-missing"
