"""Every option of the pack, with its default and each alternative."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from services.scoring.coop_sessions import EndSession, TimeRemains, end
from shared.coop.ranking import rank_survivors, rank_tables
from shared.coop.sessions import SESSIONS
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.model import OptionsRefused
from shared.service.state import Repository
from shared.tournament.guards import By, Context
from tests.coop.story import CONDITION, operator_data
from tests.coop.test_examples import counted_session
from tests.draws import oracle_of

BONDS = shipped_ruleset("atomic-bonds")
KILL = {"move": "survivor_killed", "survivor": "p1"}
MET = {"move": "condition_met", "condition": CONDITION}
GOALS = ["g01", "g02", "g03", "g04"]


def ranking(**options):
    return apply_options(BONDS, {f"ab.{key.replace('__', '.')}": value for key, value in options.items()}).ranking


@pytest.mark.clause("AB-AMB-1")
@pytest.mark.parametrize(("chosen", "completed"), [("voluntary", []), ("forced", ["g11", "g12"])])
def test_goals_completion(new, chosen, completed):
    night = new(options={"ab.goals.completion": chosen})
    night.set_up()
    night.upgrades(6)
    assert night.state["goals_completed"] == completed


@pytest.mark.clause("AB-AMB-2")
def test_goals_replenish(new):
    kept = new()
    kept.set_up(goals=GOALS)
    kept.refuse_move(422, "impossible-move", {"move": "goal_completed", "goal": "g01", "replaced_by": "g05"})
    kept.goal("g01")
    assert len(kept.state["goals_open"]) == 3
    night = new(options={"ab.goals.replenish": True})
    night.set_up(goals=GOALS)
    wrong = {"move": "goal_completed", "goal": "g01", "replaced_by": "g02"}
    assert night.refuse_move(422, "impossible-move", wrong).places == ["/moves/0/replaced_by"]
    night.goal("g01", replaced_by="g05")
    assert night.state["goals_open"] == ["g02", "g03", "g04", "g05"]
    assert night.goal("g02").types == ["GoalCompleted", "GoalsRevealed"]
    assert len(night.state["goals_open"]) == 4


@pytest.mark.clause("AB-AMB-3", "AB-GOAL-5")
@pytest.mark.parametrize(("chosen", "position"), [("topmost_space", 0), ("retreat_refused", 1)])
def test_power_retreat_floor(new, chosen, position):
    night = new(options={"ab.power.retreat_floor": chosen})
    night.set_up(goals=GOALS)
    night.move_to(1)
    for goal in GOALS[:3]:
        night.goal(goal)
    assert night.history("PowerTokenRetreated")[0]["to_space"] == position
    night.kill("p1")
    night.kill("p1")
    before = night.position
    night.goal("g04")
    assert night.position == before - 2


@pytest.mark.clause("AB-AMB-3")
def test_a_retreat_that_just_fits_is_made(new):
    night = new(options={"ab.power.retreat_floor": "retreat_refused"})
    night.set_up(goals=GOALS)
    night.move_to(2)
    for goal in GOALS[:3]:
        night.goal(goal)
    assert night.position == 0


@pytest.mark.clause("AB-AMB-4")
@pytest.mark.parametrize(
    ("chosen", "moment", "outcome"),
    [
        ("defeat_first", [MET, KILL], "defeat"),
        ("victory_first", [KILL, MET], "victory"),
        ("sequence", [MET, KILL], "victory"),
        ("sequence", [KILL, MET], "defeat"),
    ],
)
def test_end_tie(new, chosen, moment, outcome):
    night = new(options={"ab.end.tie": chosen})
    night.set_up()
    night.move_to(8)
    night.goal("g01")
    night.goal("g02")
    if chosen == "sequence":
        assert night.refuse_move(409, "session-ended", *moment).places == ["/moves/1"]
        moment = moment[:1]
    night.move(*moment)
    assert night.state["ended"]["outcome"] == outcome


@pytest.mark.clause("AB-AMB-5", "AB-ACT-7")
@pytest.mark.parametrize("chosen", ["reshuffle_discard", "session_lost", "no_activation"])
def test_deck_exhausted(new, chosen):
    night = new(data=operator_data(power_track_spaces=30), options={"ab.deck.exhausted": chosen})
    night.set_up()
    for number in range(1, 9):
        night.end_round(f"a{number}")
    if chosen == "reshuffle_discard":
        assert night.card("a3").types == ["ActivationDeckReshuffled", "ActivationCardRevealed"]
    elif chosen == "session_lost":
        assert night.card("a3").types == ["SessionLost"]
        assert night.state["ended"]["cause"] == "deck_exhausted"
    else:
        assert night.move({"move": "card_revealed"}).types == ["ActivationSkipped"]
        night.move({"move": "first_player_chosen", "player": "p1"})
        assert night.state["session_round"] == 10


@pytest.mark.clause("AB-AMB-6")
@pytest.mark.parametrize(("chosen", "counted"), [("at_resolution", 5), ("at_card_reveal", 1)])
def test_activation_enemy_count(new, chosen, counted):
    data = operator_data(activation_effects=[{"enemies_min": 0, "text": "they come"}])
    night = new(data=data, options={"ab.activation.enemy_count": chosen})
    night.set_up()
    if chosen == "at_card_reveal":
        refused = night.refuse_move(422, "impossible-move", {"move": "card_revealed", "card": "a1"})
        assert refused.places == ["/moves/0/enemies_on_map"]
    night.card("a1", enemies_on_map=1)
    night.move({"move": "enemies_activated"})
    night.move({"move": "opposing_activated", "enemies_on_map": 5})
    assert night.history("ActivationEffectResolved")[0]["enemies"] == counted


@pytest.mark.clause("AB-AMB-7")
@pytest.mark.parametrize(("chosen", "position"), [("opposing_icon_counts", 1), ("card_ignored", 0)])
def test_activation_two_icons(new, chosen, position):
    night = new(data=operator_data(activation_cards=[]), options={"ab.activation.two_icons": chosen})
    night.set_up()
    night.move({"move": "card_revealed", "icons": ["A", "B"]})
    night.move({"move": "enemies_activated"})
    if position:
        night.move({"move": "opposing_activated"})
    night.move({"move": "first_player_chosen", "player": "p1"})
    assert night.position == position


@pytest.mark.clause("AB-AMB-7")
@pytest.mark.parametrize("chosen", ["opposing_icon_counts", "card_ignored"])
def test_single_icon_is_unaffected(new, chosen):
    night = new(options={"ab.activation.two_icons": chosen})
    night.set_up()
    night.end_round("a1")
    assert night.position == 1


@pytest.mark.clause("AB-AMB-8")
@pytest.mark.parametrize(("chosen", "position"), [("advance", 1), ("ignored", 0)])
def test_quest_opposing_reward(new, chosen, position):
    night = new(options={"ab.quest.opposing_reward": chosen})
    night.set_up()
    night.move({"move": "quest_reward", "faction": "South"})
    assert night.position == position


@pytest.mark.clause("AB-AMB-9")
def test_empty_supply_gives_nothing(new):
    night = new(options={"ab.camp.supply_empty": "no_gain"})
    night.set_up()
    gain = {"move": "camp_gained", "survivor": "p1"}
    night.move(*[gain] * 7)
    for more in ({}, {"from_space": "Crossroads Camp"}):
        refused = night.refuse_move(422, "impossible-move", {**gain, **more})
        assert [(fault["where"], fault["clause"]) for fault in refused.faults] == [("/moves/0/from_space", "AB-AMB-9")]


@pytest.mark.clause("AB-AMB-9")
def test_camp_supply_empty(new):
    night = new(options={"ab.camp.supply_empty": "move_one_from_map"})
    night.set_up()
    gain = {"move": "camp_gained", "survivor": "p1"}
    night.refuse_move(422, "impossible-move", {**gain, "from_space": "Crossroads Camp"})
    for _ in range(7):
        night.move(gain)
    night.refuse_move(422, "impossible-move", {**gain, "from_space": "Crossroads Camp"})  # one stays on the map
    night.move({"move": "camp_placed", "space": "Hill"})
    night.refuse_move(422, "impossible-move", gain)
    night.move({**gain, "from_space": "Crossroads Camp"})
    assert night.state["camp_tokens"] == {"supply": 0, "gained": 7, "on_map": ["Hill"]}


@pytest.mark.clause("AB-AMB-10")
@pytest.mark.parametrize(("chosen", "types"), [("stays_revealed", []), ("turns_facedown", ["MutationTurnedDown"])])
def test_mutation_after_recovery(new, chosen, types):
    night = new(options={"ab.mutation.after_recovery": chosen})
    night.set_up()
    night.move({"move": "mutation_revealed", "survivor": "p1"})
    assert night.move({"move": "rads_recovered", "survivor": "p1"}).types == types


@pytest.mark.clause("AB-AMB-11", "AB-SET-7")
def test_data_mutation_cards(new):
    night = new(options={"ab.data.mutation_cards": 2})
    body = {"scenario": "fixture-one", "loyal_faction": "North", "first_player": night.tables()["r1t1"][0]}
    assert night.refused(422, "set-up-refused", "setup", body).faults[0]["clause"] == "AB-SET-7"
    for cards in (3, "unknown"):
        enough = new(options={"ab.data.mutation_cards": cards})
        enough.set_up()
        assert enough.history("MutationsDealt") == [{"session": "r1t1", "cards": 3}]


@pytest.mark.clause("AB-AMB-12")
@pytest.mark.parametrize(("chosen", "position"), [("each_time", 3), ("once_per_survivor", 2)])
def test_killed_repeat(new, chosen, position):
    night = new(options={"ab.killed.repeat": chosen})
    night.set_up()
    for survivor in ("p1", "p1", "p2"):
        night.kill(survivor)
    assert night.position == position


@pytest.mark.clause("AB-AMB-13", "AB-END-5")
def test_victory_at_the_end_of_the_round(new):
    night = new(data=operator_data(further_victory_conditions=[]), options={"ab.victory.immediate": "end_of_round"})
    night.set_up(goals=GOALS)
    for goal in GOALS[:3]:
        night.goal(goal)
    assert night.state["ended"] is None
    night.end_round("a3")
    assert night.state["ended"]["outcome"] == "victory"
    assert night.state["session_round"] == 1


@pytest.mark.clause("AB-AMB-13")
def test_victory_as_soon_as_all_conditions_are_met(new):
    night = new(options={"ab.victory.immediate": "when_all_conditions_hold"})
    night.set_up()
    night.card("a1")
    assert night.move(MET, {"move": "goal_completed", "goal": "g01"}).types == ["VictoryConditionMet", "GoalCompleted"]
    assert night.goal("g02").types == ["GoalCompleted", "SessionWon"]


@pytest.mark.clause("AB-AMB-14", "AB-RNK-6")
@pytest.mark.parametrize(
    ("chosen", "order"),
    [("begun", [("r1t2", 1), ("r1t1", 2)]), ("completed", [("r1t2", 0), ("r1t1", 1)])],
)
def test_rounds_counting(new, chosen, order):
    data = operator_data(table={"survivors_min": 1, "survivors_max": 1})
    night = new(2, data=data, options={"ab.rounds.counting": chosen})
    for session in ("r1t1", "r1t2"):
        night.set_up(session)
        if session == "r1t1":
            night.end_round("a3")
        night.win()  # in the middle of a round
        night.confirm()
    assert [(row["session"], row["rounds"]) for row in night.ranking()["tables"]] == order


@pytest.mark.clause("AB-AMB-14")
@pytest.mark.parametrize(("chosen", "rounds"), [("begun", 7), ("completed", 6)])
def test_report_gives_rounds_begun(new, chosen, rounds):
    night = new(1, options={"ab.rounds.counting": chosen, "ab.report.detail": "summary"})
    night.set_up()
    reported = {"outcome": "victory", "rounds": 7, "completed": ["g01", "g02"], "position": 0}
    night.do("scoring", "/sessions/r1t1/report", {"told": reported})
    assert [row["rounds"] for row in night.ranking()["tables"]] == [rounds]


@pytest.mark.clause("AB-AMB-15", "AB-END-4")
def test_session_time_limit(new):
    night = new(options={"ab.session.time_limit_minutes": 120})
    night.set_up()
    body = {"outcome": "unfinished", "reason": "time"}
    assert night.refused(409, "time-remains", "ending", body).data["limit"] == 120
    night.do("scoring", "/sessions/r1t1/ending", {**body, "outcome": "abandoned"})
    free = new(options={"ab.session.time_limit_minutes": "none"})
    free.set_up()
    free.do("scoring", "/sessions/r1t1/ending", body)


@pytest.mark.clause("AB-AMB-15", "AB-END-4")
@pytest.mark.parametrize(("minutes", "left"), [(0, 1), (59 / 60, 1), (1, 0), (90, 0)])
def test_time_limit_ends_with_the_last_minute(new, minutes, left):
    night = new(options={"ab.session.time_limit_minutes": 1})
    night.set_up()
    loaded = Repository(night.muster.databases["scoring"], ("scoring", "registration", "pairing")).cold(night.id)
    began = datetime.fromisoformat(SESSIONS.of(loaded.state).sessions["r1t1"].started_at)
    now = (began + timedelta(minutes=minutes)).isoformat(timespec="milliseconds")
    context = Context(
        By("organiser", "organiser"), now, dict(loaded.heads), "scoring", oracle_of(loaded.state, "scoring")
    )
    command = EndSession(session="r1t1", outcome="unfinished", reason="time")
    if left:
        with pytest.raises(TimeRemains):
            end(loaded.state, command, context)
    else:
        ended = [type(event).__name__ for event in end(loaded.state, command, context)]
        assert ended == ["SessionLeftUnfinished", "SessionConfirmed"]


@pytest.mark.clause("AB-AMB-15", "AB-RNK-4")
@pytest.mark.parametrize(
    ("chosen", "order"), [("between", ["late", "lost", "poor"]), ("as_defeat", ["lost", "late", "poor"])]
)
def test_rank_unfinished(chosen, order):
    tables = [
        counted_session("late", "unfinished", 9, 2, 1),
        counted_session("lost", "defeat", 4, 9, 3),
        counted_session("poor", "defeat", 2, 9, 0),
    ]
    assert [row.session for row in rank_tables(tables, ranking(rank__unfinished=chosen))] == order


@pytest.mark.clause("AB-AMB-16")
@pytest.mark.parametrize(("chosen", "first"), [("goals_then_survival", "long"), ("same_keys", "short")])
def test_rank_defeats(chosen, first):
    tables = [counted_session("long", "defeat", 9, 9, 1), counted_session("short", "defeat", 4, 9, 1)]
    assert rank_tables(tables, ranking(rank__defeats=chosen))[0].session == first


@pytest.mark.clause("AB-AMB-17", "AB-RNK-7")
def test_rank_power_measure_and_scope():
    tables = [counted_session("ten", "victory", 7, 4, 2), counted_session("twelve", "victory", 7, 4, 2, 12)]
    assert [row.rank for row in rank_tables(tables, ranking(rank__power_measure="fraction"))] == [1, 2]
    assert [row.rank for row in rank_tables(tables, ranking(rank__power_measure="spaces"))] == [1, 1]
    north, south = (
        type(one)(**{name: getattr(one, name) for name in one.__struct_fields__} | {"side": ("s", loyal)})
        for one, loyal in zip(tables, ("North", "South"), strict=True)
    )
    together = rank_tables([north, south], ranking())
    apart = rank_tables([north, south], ranking(rank__scope="per_scenario_side"))
    assert [(row.rank, row.scope) for row in together] == [(1, ("", "")), (2, ("", ""))]
    assert [(row.rank, row.scope) for row in apart] == [(1, ("s", "North")), (1, ("s", "South"))]


@pytest.mark.clause("AB-RNK-7")
def test_no_handicaps():
    one = counted_session("one", "victory", 7, 4, 2)
    changed = {"session": "four", "survivors": ("a", "b", "c", "d"), "side": ("harder", "South")}
    four = type(one)(**{name: getattr(one, name) for name in one.__struct_fields__} | changed)
    assert [(row.session, row.rank) for row in rank_tables([one, four], ranking())] == [("four", 1), ("one", 1)]


@pytest.mark.clause("AB-AMB-18", "AB-RNK-8")
def test_event_session_points():
    played = [
        counted_session("A", "victory", 7, 1, 2),
        counted_session("B", "unfinished", 9, 2, 1),
        counted_session("C", "abandoned", 1, 2, 0),
    ]
    points = {row.player: row.points for row in rank_survivors(played, ranking())}
    assert points == {"a": 3, "b": 1, "c": 0}
    chosen = {row.player: row.points for row in rank_survivors(played, ranking(event__session_points="victory:5"))}
    assert chosen == {"a": 5, "b": 1, "c": 0}
    for wrong in ("victory=5", {"victory": "5"}, {"victory": -1}, {"glory": 1}):
        with pytest.raises(OptionsRefused):
            ranking(event__session_points=wrong)


@pytest.mark.clause("AB-AMB-19", "AB-SET-2", "AB-SVC-1")
def test_event_loyal_choice(new):
    night = new(options={"ab.event.loyal_choice": "organiser"}, seated=False)
    refused = night.ask("POST", "pairing", "/session-rounds", {})
    assert (refused.code, refused.faults[0]["clause"]) == ("seating-refused", "AB-AMB-19")
    night.seat(scenario="fixture-one", loyal_faction="South")
    body = {"first_player": night.tables()["r1t1"][0]}
    other = night.refused(422, "set-up-refused", "setup", {**body, "loyal_faction": "North"})
    assert [fault["clause"] for fault in other.faults] == ["AB-AMB-19"]
    night.do("scoring", "/sessions/r1t1/setup", body)
    assert (night.state["loyal_faction"], night.state["opposing_faction"]) == ("South", "North")


@pytest.mark.clause("AB-AMB-20", "AB-REP-1")
def test_report_detail(new):
    steps = new()
    steps.set_up()
    told_of = {"outcome": "victory", "rounds": 3, "completed": ["g01", "g02"], "position": 0}
    steps.refused(409, "other-detail", "report", {"told": told_of})
    whole = new(options={"ab.report.detail": "summary"})
    whole.set_up()
    whole.refuse_move(409, "other-detail", KILL)
    whole.do("scoring", "/sessions/r1t1/report", {"told": told_of}, "p1")
    assert whole.state["ended"]["outcome"] == "victory"
