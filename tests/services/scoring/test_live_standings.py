"""Incremental standings equal recomputed ones after any commands."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from services.pairing.swiss_cut import MakeCut
from services.scoring.handlers import HANDLERS
from shared.formats.fold import decode, encode
from shared.log.event import GENESIS
from shared.swiss.ranking import LiveStandings, standings_of_round
from shared.swiss.standings import Standings, players_of
from shared.tournament.guards import By
from shared.tournament.registration import PlayerJoined, StaffAppointed, TournamentAnnounced
from shared.tournament.state import Tournament
from tests.examples import examples
from tests.services.harness import Harness
from tests.services.pairing.stories import DUST, Story, pack
from tests.services.scoring.test_sequences import FACTS, PACKS, PLAYERS, commanded, leave, settle

HEAD = By("s1", "head_referee")
MOVES = ("rule", "rule", "correct", "void", "coin", "close", "reopen", "settle", "pair", "start", "take back")
LEAVING = ("drop", "out", "back")

moves = st.lists(
    st.tuples(st.sampled_from(MOVES + LEAVING), st.integers(0, 7), st.sampled_from(FACTS[:5]), st.booleans()),
    min_size=10,
    max_size=30,
)
"""(action, game or player, facts, whether standings are read afterwards)"""


def whole(standings: Standings) -> Standings:
    """Return standings with all rows and draws computed."""
    return replace(standings, rows=tuple(standings.rows), draws=tuple(standings.draws))


def agree(kept: LiveStandings, state: Tournament) -> None:
    """Check that incremental, recomputed and restored standings are equal."""
    latest, closed = max(state.rounds.rounds, default=0), state.results.rounds_closed()
    recorded = state.results.recorded.get(closed)
    seed = recorded.seed if recorded else GENESIS
    anew = whole(standings_of_round(state, latest, seed))
    for known, live in ((state, kept), (decode(encode(state)), LiveStandings())):
        found = standings_of_round(known, latest, seed, live.after)
        assert list(players_of(found.rows)) == [row.player for row in anew.rows]
        assert whole(found) == anew


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(PACKS), moves)
def test_incremental_standings_equal_recomputed_ones(pack_told: dict, made: list) -> None:
    harness, kept = Harness("scoring", HANDLERS), LiveStandings()
    harness.say(
        "registration",
        TournamentAnnounced(name="Open", format="swiss", ruleset=pack_told, rounds=4),
        *[PlayerJoined(player=f"p{n}", name=f"Player {n}") for n in range(1, PLAYERS + 1)],
        StaffAppointed(staff="s1", name="Hetty", role="head_referee"),
    )
    agree(kept, harness.state)
    harness.play_on("pair")
    harness.play_on("start")
    for verb, number, facts, asked in made:
        if verb == "settle":
            settle(harness)
        elif verb in LEAVING:
            leave(harness, verb, f"p{1 + number % PLAYERS}")
        elif verb in ("pair", "start", "take back"):
            harness.play_on(verb)
        else:
            harness.run(commanded(harness, verb, number, facts), HEAD)
        if asked:
            agree(kept, harness.state)
    agree(kept, harness.state)


def test_the_bracket_is_applied_to_the_swiss_standings() -> None:
    story, kept = Story(pack=pack(DUST), rounds=None), LiveStandings()
    story.join(34)
    for number in (1, 2, 3):
        story.play(number)
        agree(kept, story.state)
    story.do(MakeCut())
    agree(kept, story.state)
    story.play(4)
    agree(kept, story.state)
