"""The decision to set a co-operative table up: everything that lies on it before play, in the order of the sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.scoring.coop.commands import SetUpSession
from services.scoring.coop.table import SessionBuilder, of_table, refuse_ended, seated
from services.scoring.tournament.refusals import SessionAlreadySetUp, SetUpRefused
from services.scoring.tournament.state import running
from shared.coop import events
from shared.coop.entries import COOP, coop_of
from shared.coop.moves import drawn_goals
from shared.coop.ruleset import CoopRuleset, OperatorData, Side, missing_of
from shared.coop.seating import SeatedTable
from shared.coop.sessions import SESSIONS, data_of
from shared.log.event import Event
from shared.refusals import Fault, expects, one_of
from shared.rules.parts import or_option
from shared.tournament.guards import Context
from shared.tournament.state import Tournament


def set_up(state: Tournament, command: SetUpSession, context: Context) -> Sequence[Event]:
    """Lay a table out, whole or not at all. AB-SET-1 to AB-SET-8, AB-OPS-1, AB-AMB-19."""
    running(state)
    seat = seated(state, command.session)
    of_table(context.by, seat)
    known = SESSIONS.of(state).sessions.get(command.session)
    if known is not None:
        refuse_ended(known)
        raise SessionAlreadySetUp(f"{command.session} is set up already.", status=known.status)
    ruleset, data = coop_of(state.entries), data_of(state)
    if data is None:
        fault = Fault("/scenario", command.scenario or "nothing", expects("data-of-game"), "AB-OPS-1")
        raise SetUpRefused("The operator has not entered the data of the game.", [fault])
    scenario = command.scenario or seat.scenario
    loyal = command.loyal_faction or seat.loyal_faction
    side = data.side(scenario, loyal)
    faults = [*_faction(command, seat, ruleset, data, scenario, loyal), *_people(command, seat, ruleset, data)]
    faults += [*_side(side, loyal), *_goals(command.goals, ruleset, data)]
    if faults or side is None:
        raise SetUpRefused("The table cannot be set up like this.", faults)
    builder = SessionBuilder(state, command.session, context)
    id = command.session
    builder.say(
        events.SessionSetUpStarted(
            session=id,
            scenario=scenario,
            survivors=list(seat.survivors),
            host=seat.host,
            data_version=len(COOP.of(state).data),
        )
    )
    _lay_side(builder, side)
    goals = command.goals
    if goals is None:
        goals = drawn_goals(context.draws, id, builder.table, list(data.goals), ruleset.kit.goals_revealed)
    builder.say(events.GoalsRevealed(session=id, goals=goals))
    for _ in range(ruleset.kit.camp_tokens_at_start):
        builder.say(events.CampTokenPlaced(session=id, space=ruleset.kit.camp_start_space, from_supply=True))
    builder.say(events.MutationsDealt(session=id, cards=len(seat.survivors)))
    builder.say(events.FirstPlayerChosen(session=id, player=command.first_player))
    builder.say(events.SessionStarted(session=id))
    builder.say(events.RoundBegan(session=id, round=1))
    return builder.events


def _lay_side(builder: SessionBuilder, side: Side) -> None:
    """The sheet, loyal side up, and the token of the opposing faction on the topmost space. AB-SET-2, AB-SET-3."""
    builder.say(
        events.LoyalFactionChosen(
            session=builder.id,
            loyal=side.loyal_faction or "",
            opposing=side.opposing_faction or "",
            loyal_icon=side.loyal_icon or "",
            opposing_icon=side.opposing_icon or "",
            required_goals=side.required_goals or 0,
            conditions=list(side.further_victory_conditions),
        )
    )
    builder.say(
        events.PowerTokenPlaced(
            session=builder.id, faction=side.opposing_faction or "", spaces=side.power_track_spaces or 0
        )
    )


def _faction(
    command: SetUpSession,
    seat: SeatedTable,
    ruleset: CoopRuleset,
    data: OperatorData,
    scenario: str,
    loyal: str,
) -> Iterator[Fault]:
    """The scenario and the loyal faction: as the organiser assigned them, else as the table chooses. AB-SET-2."""
    if seat.scenario and command.scenario not in ("", seat.scenario):
        yield Fault("/scenario", command.scenario, expects("assigned-or-nothing", value=seat.scenario), "AB-SVC-1")
    if seat.loyal_faction and command.loyal_faction not in ("", seat.loyal_faction):
        right = expects("assigned-or-nothing", value=seat.loyal_faction)
        yield Fault("/loyal_faction", command.loyal_faction, right, "AB-AMB-19")
    elif ruleset.play.loyal_choice == "organiser" and not seat.loyal_faction:
        assigned = expects("assigned-faction")
        right = or_option(assigned, ruleset, "/play/loyal_choice", lambda chooser: chooser == "table")
        yield Fault("/loyal_faction", command.loyal_faction or "nothing", right, "AB-AMB-19")
    sheet = next((one for one in data.scenarios if one.scenario_id == scenario), None)
    if sheet is None:
        right = one_of([one.scenario_id for one in data.scenarios])
        yield Fault("/scenario", scenario or "nothing", right, "AB-SET-8")
    elif data.side(scenario, loyal) is None:
        factions = [side.loyal_faction for side in sheet.sides if side.loyal_faction]
        right = one_of(factions) if factions else expects("side-with-faction")
        yield Fault("/loyal_faction", loyal or "nothing", right, "AB-SET-2")


def _people(command: SetUpSession, seat: SeatedTable, ruleset: CoopRuleset, data: OperatorData) -> Iterator[Fault]:
    if command.first_player not in seat.survivors:
        yield Fault("/first_player", command.first_player, one_of(list(seat.survivors)), "AB-SET-8")
    size = data.table
    if not size.survivors_min <= len(seat.survivors) <= size.survivors_max:
        right = expects("survivors-of-table", least=size.survivors_min, most=size.survivors_max)
        yield Fault("/session", f"{len(seat.survivors)}", right, "AB-SET-8")
    cards = ruleset.kit.mutation_cards
    if cards and len(seat.survivors) > cards:
        right = expects("survivors-with-mutations", most=cards)
        yield Fault("/session", f"{len(seat.survivors)}", right, "AB-SET-7")


def _side(side: Side | None, loyal: str) -> Iterator[Fault]:
    for name in missing_of(side) if side else ():
        yield Fault("/loyal_faction", loyal or "nothing", expects("side-with-data", name=name), "AB-OPS-1")


def _goals(goals: Sequence[str] | None, ruleset: CoopRuleset, data: OperatorData) -> Iterator[Fault]:
    """Exactly four different goals of the deck. AB-SET-5."""
    if goals is None:
        return
    if len(goals) != ruleset.kit.goals_revealed:
        right = expects("goals-revealed", count=ruleset.kit.goals_revealed)
        yield Fault("/goals", f"{len(goals)}", right, "AB-SET-5")
    for index, goal in enumerate(goals):
        if goal not in data.goals:
            yield Fault(f"/goals/{index}", goal, one_of(list(data.goals)), "AB-SET-5")
        elif goal in goals[:index]:
            yield Fault(f"/goals/{index}", goal, expects("each-card-once"), "AB-SET-5")
