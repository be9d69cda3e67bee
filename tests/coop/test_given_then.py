"""State changes by each co-op event, given a table that is set up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shared.coop import entries, seating
from shared.coop.entries import COOP
from shared.coop.events import (
    ActivationCardRevealed,
    ActivationDeckReshuffled,
    ActivationEffectResolved,
    ActivationSkipped,
    CampTokenGained,
    CampTokenPlaced,
    CoopRankingPublished,
    EnemiesActivated,
    FightAssisted,
    FirstPlayerChosen,
    GoalCompleted,
    GoalsRevealed,
    LoyalFactionChosen,
    LoyalRewardResolved,
    ModificationKept,
    MoveDecidedAgain,
    MoveTakenBack,
    MutationRevealed,
    MutationsDealt,
    MutationTurnedDown,
    OpposingFactionActivated,
    OpposingRewardIgnored,
    PowerTokenAdvanced,
    PowerTokenPlaced,
    PowerTokenRetreated,
    RoundBegan,
    RoundEnded,
    SessionAbandoned,
    SessionConfirmed,
    SessionCorrected,
    SessionLeftUnfinished,
    SessionLost,
    SessionReported,
    SessionSetUpStarted,
    SessionStarted,
    SessionTold,
    SessionWon,
    SurvivorKilled,
    SurvivorRanked,
    SurvivorTravelled,
    VictoryConditionMet,
    WorkshopUpgradeGained,
)
from shared.coop.seating import SEATING
from shared.coop.sessions import SESSIONS
from shared.formats.fold import CATALOGUE, decode, encode, fold
from shared.log.event import EMPTY_HEAD, Event, Head
from shared.log.log import Stamp, chain_events
from shared.service.commands import entries_of
from shared.tournament import registration
from shared.tournament.state import Tournament
from tests.acting import acting

S = "r1t1"
TIME = "2026-03-01T10:00:00.000Z"
NUMBERS = SessionTold(outcome="victory", rounds=7, completed=["g01", "g02"], kills=1, position=1)
RANKED = SurvivorRanked(rank=1, player="p1", points=3, victories=1, rounds=7, goals=2)
GIVEN: list[Event] = [
    registration.TournamentAnnounced(name="Night", format="coop", ruleset={"id": "x"}, rehearsal=True),
    entries.OperatorDataPinned(version=1, data={"scenarios": []}),
    entries.PartyFormed(party="g1", players=["p1", "p2"]),
    seating.SessionRoundOpened(round=1, tables=2, method="drawn", seed="ab", waiting=["p9"]),
    seating.TableSeated(round=1, session=S, survivors=["p1", "p2"], host="p1", venue="v1", table=3),
    seating.TableSeated(round=1, session="r1t2", survivors=["p3"], host="p3"),
    SessionSetUpStarted(session=S, scenario="one", survivors=["p1", "p2"], host="p1", data_version=1),
    LoyalFactionChosen(
        session=S, loyal="N", opposing="S", loyal_icon="A", opposing_icon="B", required_goals=2, conditions=["there"]
    ),
    PowerTokenPlaced(session=S, faction="S", spaces=10),
    GoalsRevealed(session=S, goals=["g01", "g02", "g03", "g04"]),
    CampTokenPlaced(session=S, space="Crossroads Camp", from_supply=True),
    MutationsDealt(session=S, cards=2),
    FirstPlayerChosen(session=S, player="p1"),
    SessionStarted(session=S),
    RoundBegan(session=S, round=1),
]
CARD = ActivationCardRevealed(session=S, round=1, card="a1", enemies=["e1", "e2"], icons=["B"], enemies_on_map=2)
GAINED = CampTokenGained(session=S, survivor="p1")
WON = SessionWon(session=S, round=1, cause="GoalCompleted")
NEXT = sum("scoring" in CATALOGUE[type(event).__name__].owners for event in GIVEN) + 1
"""Position of the first event of scoring that follows the given ones."""


def state_after(*events: Event) -> Tournament:
    """Return the state after these events, following the given ones."""
    heads: dict[str, Head] = {}
    state = Tournament()
    for event in [*GIVEN, *events]:
        source = CATALOGUE[type(event).__name__].owners[0]
        head = heads.get(source, EMPTY_HEAD)
        stamp = Stamp(acting("x"), f"c{head.position}", TIME, {})
        recorded = chain_events(source, "t-1", head, entries_of([event]), stamp)
        heads[source] = Head(recorded[-1].position, recorded[-1].hash)
        fold(state, recorded)
    return state


def session(state: Tournament) -> Any:
    return SESSIONS.of(state).sessions[S]


def table(state: Tournament) -> Any:
    return session(state).table


def moved(kind: type, start: int, end: int, reason: str) -> Any:
    return kind(session=S, round=1, from_space=start, to_space=end, reason=reason)


STORIES: list[tuple[list[Event], Callable[[Tournament], Any], Any]] = [
    (
        [],
        lambda s: (s.entries.rehearsal, COOP.of(s).data, COOP.of(s).party_of("p2")),
        (True, [{"scenarios": []}], "g1"),
    ),
    (
        [entries.PartyJoined(party="g1", player="p3")],
        lambda s: (COOP.of(s).parties, COOP.of(s).party_of("p3"), COOP.of(s).formed),
        ({"g1": ["p1", "p2", "p3"]}, "g1", 1),
    ),
    (
        [
            entries.PartyJoined(party="g1", player="p3"),
            entries.PartyLeft(party="g1", player="p1"),
        ],
        lambda s: (COOP.of(s).parties, COOP.of(s).party_of("p1")),
        ({"g1": ["p2", "p3"]}, ""),
    ),
    ([entries.PartyDisbanded(party="g1")], lambda s: (COOP.of(s).parties, COOP.of(s).formed), ({}, 1)),
    ([], lambda s: (s.has_begun, SEATING.of(s).latest().waiting, SEATING.of(s).table(S).table), (True, ["p9"], 3)),
    (
        [
            seating.TableReseated(session="r1t2", survivors=[], host="", reason="x"),
            seating.TableReseated(session=S, survivors=["p1", "p3"], host="p1", reason="x"),
        ],
        lambda s: ([t.session for t in SEATING.of(s).tables()], SEATING.of(s).latest().waiting),
        ([S], ["p9", "p2"]),
    ),
    (
        [seating.SessionRoundClosed(round=1)],
        lambda s: (s.rounds_closed(), SEATING.of(s).latest().closed),
        (1, True),
    ),
    (
        [],
        lambda s: (table(s).scenario, table(s).loyal, table(s).required, table(s).spaces, table(s).last_space),
        ("one", "N", 2, 10, 9),
    ),
    ([], lambda s: (table(s).camp_spaces, table(s).first_player, table(s).part), (["Crossroads Camp"], "p1", "turns")),
    ([], lambda s: (session(s).status, session(s).started_at, table(s).round), ("playing", TIME, 1)),
    (
        [GoalCompleted(session=S, goal="g02"), VictoryConditionMet(session=S, condition="there")],
        lambda s: (table(s).open_goals, table(s).completed, table(s).met),
        (["g01", "g03", "g04"], ["g02"], ["there"]),
    ),
    (
        [
            SurvivorKilled(session=S, survivor="p2"),
            moved(PowerTokenAdvanced, 0, 1, "survivor_killed"),
            moved(PowerTokenAdvanced, 1, 2, "activation_card"),
            moved(PowerTokenAdvanced, 2, 5, "scenario_effect"),
            moved(PowerTokenRetreated, 5, 3, "extra_goal"),
        ],
        lambda s: (table(s).position, table(s).kills, table(s).cards, table(s).others, table(s).killed),
        (3, 1, 1, 3, {"p2": 1}),
    ),
    (
        [
            LoyalRewardResolved(session=S, reward="XP"),
            OpposingRewardIgnored(session=S),
            ActivationEffectResolved(session=S, round=1, enemies=2, text="x"),
        ],
        lambda s: table(s).position,
        0,
    ),
    (
        [
            SurvivorKilled(session=S, survivor="p2"),
            GAINED,
            MoveTakenBack(session=S, statement=NEXT, does=["survivor_killed"]),
            MoveDecidedAgain(session=S, statement=NEXT + 1),
        ],
        lambda s: (table(s).kills, table(s).camp_gained, session(s).said.taken_back),
        (0, 1, {NEXT: NEXT + 2}),
    ),
    ([WorkshopUpgradeGained(session=S, survivor="p1")], lambda s: table(s).counts, {"workshop_upgrades": 1}),
    (
        [GAINED, CampTokenPlaced(session=S, space="Hill"), CampTokenGained(session=S, survivor="p2")],
        lambda s: (table(s).camp_gained, table(s).camp_spaces),
        (1, ["Crossroads Camp", "Hill"]),
    ),
    (
        [CampTokenGained(session=S, survivor="p2", from_space="Crossroads Camp")],
        lambda s: (table(s).camp_gained, table(s).camp_spaces),
        (1, []),
    ),
    ([MutationRevealed(session=S, survivor="p1")], lambda s: table(s).mutated, ["p1"]),
    (
        [
            SurvivorTravelled(session=S, survivor="p1", space="Crossroads Camp"),
            FightAssisted(session=S, survivor="p1", fighter="p2", hits=1),
            ModificationKept(session=S, survivor="p1", card="scope", asset="rifle", drawn=2),
        ],
        lambda s: (table(s).modified, table(s).position),
        ({"p1": {"rifle": "scope"}}, 0),
    ),
    (
        [MutationRevealed(session=S, survivor="p1"), MutationTurnedDown(session=S, survivor="p1")],
        lambda s: table(s).mutated,
        [],
    ),
    ([CARD], lambda s: (table(s).part, table(s).drawn.icons, table(s).discarded), ("enemies", ["B"], ["a1"])),
    ([CARD, EnemiesActivated(session=S, round=1)], lambda s: table(s).part, "opposing"),
    (
        [CARD, OpposingFactionActivated(session=S, round=1, enemies_on_map=0)],
        lambda s: table(s).part,
        "first_player",
    ),
    ([CARD, ActivationDeckReshuffled(session=S, cards=["a1"])], lambda s: table(s).discarded, []),
    ([ActivationSkipped(session=S, round=1)], lambda s: table(s).part, "first_player"),
    (
        [CARD, RoundEnded(session=S, round=1), RoundBegan(session=S, round=2)],
        lambda s: (table(s).rounds_ended, table(s).round, table(s).drawn),
        (1, 2, None),
    ),
    (
        [WON],
        lambda s: (session(s).ended.outcome, session(s).ended.position, session(s).status),
        ("victory", 10, "ended"),
    ),
    ([SessionLost(session=S, round=1, cause="x")], lambda s: session(s).ended.outcome, "defeat"),
    ([SessionLeftUnfinished(session=S, reason="late")], lambda s: session(s).ended.cause, "late"),
    ([SessionAbandoned(session=S, reason="x")], lambda s: session(s).ended.outcome, "abandoned"),
    (
        [
            SessionConfirmed(session=S, survivor="p1"),
            SessionReported(session=S, told=NUMBERS, survivor="p2"),
            SessionConfirmed(session=S, survivor="p2", host=True),
        ],
        lambda s: (session(s).told, session(s).confirmed, session(s).host_agreed, session(s).binds),
        (NUMBERS, ["p2"], True, False),
    ),
    (
        [WON, SessionConfirmed(session=S, ruling=True, binds=True)],
        lambda s: (session(s).binds, session(s).confirmed),
        (True, []),
    ),
    (
        [WON, SessionCorrected(session=S, told=NUMBERS, reason="x")],
        lambda s: (session(s).told, session(s).binds, session(s).corrected),
        (NUMBERS, True, True),
    ),
    (
        [CoopRankingPublished(round=1, tables=[], survivors=[RANKED])],
        lambda s: (SESSIONS.of(s).published[1].survivors, SESSIONS.of(s).published[1].position),
        ([RANKED], 10),
    ),
    (
        [
            CoopRankingPublished(round=1, tables=[], survivors=[RANKED]),
            CoopRankingPublished(round=1, page=1, pages=2, tables=[], survivors=[]),
        ],
        lambda s: (SESSIONS.of(s).published[1].survivors, SESSIONS.of(s).coming.survivors),
        ([RANKED], []),
    ),
    (
        [
            CoopRankingPublished(round=1, page=1, pages=2, tables=[], survivors=[RANKED]),
            CoopRankingPublished(round=1, page=2, pages=2, tables=[], survivors=[RANKED]),
        ],
        lambda s: (SESSIONS.of(s).published[1].survivors, SESSIONS.of(s).published[1].position, SESSIONS.of(s).coming),
        ([RANKED, RANKED], 11, None),
    ),
]


@pytest.mark.parametrize(("happened", "look", "expected"), STORIES)
def test_state_after_each_event(happened, look, expected):
    assert look(state_after(*happened)) == expected


@pytest.mark.parametrize("happened", [happened for happened, _, _ in STORIES])
def test_state_survives_serialisation(happened):
    state = state_after(*happened)
    assert decode(encode(state)) == state


def test_every_co_op_event_is_tested():
    told_of = {type(event) for happened, _, _ in STORIES for event in [*GIVEN, *happened]}
    of_coop = {event.schema for event in CATALOGUE.values() if "shared.coop." in event.schema.__module__}
    assert told_of - {registration.TournamentAnnounced} == of_coop
