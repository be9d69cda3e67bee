"""The places of a tournament as its log gives them: who prints them from a log alone asks the row of its format."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec import Struct

from shared.events.base import Event
from shared.rules.words import PLAIN, Words
from shared.tournament.state import Tournament


class Placings(Struct, frozen=True, kw_only=True):
    """Rows in rank order, with players by id.

    columns: of every form. marks: further ones, which a text for people puts into words. people: the column of players,
    of one or of several in a row. words: what the ruleset calls things. provisional: why the order may change.
    """

    columns: Sequence[str]
    rows: Sequence[dict[str, Any]]
    marks: Sequence[str] = ()
    people: str = "player"
    words: Words = PLAIN
    provisional: str = ""


class Replay(Struct, frozen=True, kw_only=True):
    """How the places of a format are found again in a log.

    recording: the event that records them, in pages. number: its member that says of which round, or which recording.
    standing: those that stand. at_hand: the one of now; 0 before the first. placings: after a round, from a state, as
    the first event of that recording has it; None while there is none. open: what is said while it is not recorded.
    """

    recording: type[Event]
    number: str = "round"
    standing: Callable[[Tournament], Collection[int]]
    at_hand: Callable[[Tournament], int]
    placings: Callable[[Tournament, int, Any], Placings]
    open: str
