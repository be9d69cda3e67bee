"""Moves in any order: the token stays on its track, no token is lost, an end is final, and the log passes the audit."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.scoring.coop_moves import PlayMoves
from services.scoring.coop_sessions import SetUpSession
from services.scoring.handlers import HANDLERS
from shared.coop import entries, seating
from shared.coop.moves import camp_supply
from shared.coop.ruleset import read_data
from shared.coop.sessions import SESSIONS, coop_of
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.refusals import Refusal
from shared.rules.parts import to_json
from shared.tournament import registration
from shared.tournament.guards import By
from tests.auditing import decided_again
from tests.coop.story import CONDITION, operator_data
from tests.examples import examples
from tests.services.harness import Harness

BONDS = shipped_ruleset("atomic-bonds")
ORGANISER = By("organiser", "organiser")
SURVIVORS = ["p1", "p2", "p3"]
survivor = st.sampled_from([*SURVIVORS, "p4"])
MOVES = st.one_of(
    st.builds(lambda who: {"move": "survivor_killed", "survivor": who}, survivor),
    st.builds(
        lambda goal: {"move": "goal_completed", "goal": goal}, st.sampled_from(["g01", "g02", "g11", "g12", "g05"])
    ),
    st.just({"move": "condition_met", "condition": CONDITION}),
    st.builds(lambda spaces: {"move": "scenario_effect", "spaces": spaces}, st.integers(0, 3)),
    st.builds(lambda who: {"move": "upgrade_gained", "survivor": who}, survivor),
    st.builds(lambda who: {"move": "camp_gained", "survivor": who}, survivor),
    st.just({"move": "camp_gained", "survivor": "p1", "from_space": "Crossroads Camp"}),
    st.just({"move": "camp_placed", "space": "Hill"}),
    st.builds(lambda who: {"move": "mutation_revealed", "survivor": who}, survivor),
    st.just({"move": "rads_recovered", "survivor": "p1"}),
    st.just({"move": "card_revealed", "enemies_on_map": 1}),
    st.just({"move": "enemies_activated"}),
    st.just({"move": "opposing_activated", "enemies_on_map": 2}),
    st.builds(lambda who: {"move": "first_player_chosen", "player": who}, survivor),
    st.builds(lambda who: {"move": "quest_reward", "faction": who}, st.sampled_from(["North", "South"])),
)
OPTIONS = st.fixed_dictionaries(
    {
        option.key: st.sampled_from([*option.choices] if option.kind == "choice" else [False, True])
        for option in BONDS.options
        if option.kind in ("choice", "flag")
        and option.key.startswith("ab.")
        and option.key not in ("ab.report.detail", "ab.event.loyal_choice")
    }
)


def table(options: dict[str, Any]) -> Harness:
    """Return a table of three that is set up."""
    pack = to_json(apply_options(BONDS, options))
    data = msgspec.to_builtins(read_data(operator_data(loyal_rewards=[])))
    harness = Harness("scoring", HANDLERS)
    harness.say(
        "registration",
        registration.TournamentAnnounced(name="Night", format="coop", ruleset=pack, rehearsal=True),
        entries.OperatorDataPinned(version=1, data=data),
        *(registration.PlayerJoined(player=player, name=player) for player in SURVIVORS),
    )
    harness.say(
        "pairing",
        seating.SessionRoundOpened(round=1, tables=1, method="manual"),
        seating.TableSeated(round=1, session="r1t1", survivors=SURVIVORS, host="p1"),
    )
    goals = ["g01", "g02", "g11", "g12"]
    done = harness.run(
        SetUpSession(session="r1t1", scenario="fixture-one", loyal_faction="North", first_player="p1", goals=goals),
        ORGANISER,
    )
    assert not isinstance(done, Refusal)
    return harness


@pytest.mark.clause("AB-PWR-5", "AB-CMP-1", "AB-END-3")
@settings(max_examples=examples(60))
@given(OPTIONS, st.lists(st.lists(MOVES, min_size=1, max_size=2), max_size=40))
def test_invariants_after_any_order_of_moves(options, moments):
    harness = table(options)
    for moment in moments:
        session = SESSIONS.of(harness.state).sessions["r1t1"]
        ended = session.ended
        happened = harness.run(msgspec.convert({"session": "r1t1", "moves": moment}, PlayMoves), ORGANISER)
        session = SESSIONS.of(harness.state).sessions["r1t1"]
        lies = session.table
        assert ended is None or (isinstance(happened, Refusal) and happened.code == "session-ended")
        assert 0 <= lies.position <= lies.last_space
        assert (lies.position == lies.last_space) <= (session.ended is not None)
        kit = coop_of(harness.state.entries).kit
        assert camp_supply(lies, kit) >= 0
        assert lies.camp_gained >= 0
        assert len(lies.camp_spaces) >= 1
        assert len(set(lies.completed)) == len(lies.completed)
        assert set(lies.completed) <= set(lies.goals)
    assert decided_again(harness.logs, "scoring") == []
