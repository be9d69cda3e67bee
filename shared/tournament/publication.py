"""What is published on purpose: until staff publish it, it is there for them and for the services alone.

A draft says of itself that it is one (`draft` of its events). To everybody else the tournament is as it would be
without: `as_everybody_sees`. Every answer, and every decision of somebody who sees no drafts, is made from that state,
so that no view has to remember what to leave out.

Whoever holds the public log can compute what the rules will pair. What is kept back is what people changed of it, and
when it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from shared.roles import REFEREE_UP, SERVICE
from shared.tournament.context import RULE
from shared.tournament.state import Tournament

SEE_DRAFTS = (*REFEREE_UP, SERVICE)
"""Roles that are shown what is not published yet, in the tournament that their token is for."""

ROUNDS, CUT, STANDINGS = "rounds", "cut", "standings"


class Topic(Struct, frozen=True):
    """Something that is published on purpose. source: whose log tells of it. hidden: types of events that may be
    drafts. opener: type of the event that opens all drafts before it. opened: position of the last one."""

    source: str
    hidden: frozenset[str]
    opener: str
    opened: Callable[[Tournament], int]


TOPICS: Mapping[str, Topic] = MappingProxyType(
    {
        ROUNDS: Topic(
            "pairing",
            frozenset(
                {
                    "PairingsDrawn",
                    "RoundPaired",
                    "PairingAmended",
                    "PublicationScheduled",
                    "TableMoved",
                    "RoundWithdrawn",
                }
            ),
            "RoundPublished",
            lambda state: state.rounds.opened,
        ),
        CUT: Topic(
            "pairing",
            frozenset({"CutMade", "CutPublicationScheduled", "SeatGivenUp"}),
            "CutPublished",
            lambda state: state.rounds.cut_opened,
        ),
        STANDINGS: Topic(
            "scoring",
            frozenset({"StandingsRecorded", "StandingsPublicationScheduled"}),
            "StandingsPublished",
            lambda state: state.results.opened,
        ),
    }
)
"""What an organiser may name in `on_purpose` -> what it is."""


FOR_STAFF: Mapping[str, frozenset[str]] = MappingProxyType(
    {"pairing": frozenset({"JudgeCalled", "CallTaken", "CallAnswered", "CallWithdrawn"})}
)
"""Source -> types of events that whoever sees drafts is shown, and nobody else at any time.

They change a slice of the state that no other decision reads. So whoever holds a log with their envelopes alone can
decide all else again.
"""


def sees_drafts(role: str) -> bool:
    """Whether somebody of a role is shown drafts of their tournament; a rule that acts by itself knows them too."""
    return role in SEE_DRAFTS or role == RULE


def has_drafts(state: Tournament) -> bool:
    """Whether something of it is not published yet."""
    return state.rounds.cut_draft or any(round.draft for round in state.rounds.rounds.values())


def as_everybody_sees(state: Tournament) -> Tournament:
    """The tournament without what is not published yet; the same where everything is."""
    if not has_drafts(state):
        return state
    known = state.rounds
    shown = replace(known, rounds={number: round for number, round in known.rounds.items() if not round.draft})
    if known.cut_draft:
        shown = replace(shown, cut=[], cut_after=0, cut_changed=0, given_up={}, cut_draft=False, cut_publish_at="")
    return replace(state, rounds=shown)


def keeps_standings_back(state: Tournament) -> bool:
    """Whether not everybody is shown the standings as they are."""
    results = state.results
    if results.concluded:
        return False
    return STANDINGS in state.entries.on_purpose or any(recorded.draft for recorded in results.recorded.values())


def with_published_standings(state: Tournament) -> Tournament:
    """The tournament up to the last round whose standings are published: what standings are made of for everybody.

    Results stay what they are; only who asks for standings is handed this state.
    """
    if not keeps_standings_back(state):
        return state
    rounds, results = state.rounds, state.results
    last = max((number for number, recorded in results.recorded.items() if not recorded.draft), default=0)
    return replace(
        state,
        rounds=replace(rounds, rounds={number: round for number, round in rounds.rounds.items() if number <= last}),
        results=replace(
            results,
            results={game: result for game, result in results.results.items() if result.round <= last},
            recorded={number: recorded for number, recorded in results.recorded.items() if number <= last},
            publish_at="",
            closed={number: position for number, position in results.closed.items() if number <= last},
        ),
    )


def as_decided_on(state: Tournament, role: str, drafts: bool) -> Tournament:
    """The state that a command is decided on. drafts: whether it may be about them."""
    return state if drafts and sees_drafts(role) else as_everybody_sees(state)
