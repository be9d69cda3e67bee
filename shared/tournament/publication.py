"""What is published on purpose: until staff publish it, it is there for them and for the services alone.

Rounds and cuts are private rows of pairing until then: no log holds them, and no other service. Whoever holds the
public log can compute what the rules will pair; kept back is what people changed of it, and when it is shown.
"""

from __future__ import annotations

from msgspec.structs import replace

from shared.roles import REFEREE_UP, SERVICE
from shared.tournament.context import RULE
from shared.tournament.state import Tournament

SEE_DRAFTS = (*REFEREE_UP, SERVICE)
"""Roles that are shown what is not published yet, in the tournament that their token is for."""

ROUNDS, CUT, STANDINGS = "rounds", "cut", "standings"


def sees_drafts(role: str) -> bool:
    """Whether somebody of a role is shown drafts of their tournament; a rule that acts by itself knows them too."""
    return role in SEE_DRAFTS or role == RULE


def keeps_standings_back(state: Tournament) -> bool:
    """Whether not everybody is shown the standings as they are."""
    if state.results.concluded:
        return False
    return STANDINGS in state.entries.on_purpose or bool(state.results.held_back)


def with_published_standings(state: Tournament) -> Tournament:
    """The tournament up to the last round whose standings are recorded: what standings are made of for everybody.

    Results stay what they are; only who asks for standings is handed this state.
    """
    if not keeps_standings_back(state):
        return state
    rounds, results = state.rounds, state.results
    last = max(results.recorded, default=0)
    return replace(
        state,
        rounds=replace(rounds, rounds={number: round for number, round in rounds.rounds.items() if number <= last}),
        results=replace(
            results,
            results={game: result for game, result in results.results.items() if result.round <= last},
            held_back={},
            publish_at="",
            closed={number: position for number, position in results.closed.items() if number <= last},
        ),
    )
