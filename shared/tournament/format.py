"""Formats: the names that the module of one has, its ruleset inside a tournament's state, and its places.

A program that prints places from a log alone asks the module of the format. Rows hold places, points, and games as each
side saw them; where several players share the first place, a recorded draw decides.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from shared.log.event import Event, Part
from shared.refusals import Fault, expects, shown
from shared.rules.checks import faults_of_shape
from shared.rules.model import Draws, PackRefused, make_draw
from shared.rules.parts import DEFAULT_WORDS, AnyRuleset, Tier, Words
from shared.tournament.people import Entries
from shared.tournament.results import StandingRow
from shared.tournament.rounds import DrawMade
from shared.tournament.state import Change, Slice, SliceGetter, Tournament

_KEEP = 512

Wanted = TypeVar("Wanted", bound=AnyRuleset)


class _Read(Struct, frozen=True):
    """A ruleset as read from the pack in a state. kept: what a format has worked out by it so far."""

    pack: dict[str, Any]
    ruleset: AnyRuleset
    kept: dict[bytes, Any]


_read: OrderedDict[tuple[int, type], _Read] = OrderedDict()


def rules_of(entries: Entries) -> AnyRuleset:
    """What the tournament's ruleset says as those of all formats do, with the organiser's options in force."""
    return read_common(entries.ruleset)


def tier_of(entries: Entries) -> Tier:
    """The tournament's level of play; the ruleset's first where the announcement names none."""
    tiers = rules_of(entries).tiers
    return next((tier for tier in tiers if tier.id == entries.tier), tiers[0])


def voids_games(entries: Entries) -> bool:
    """Return True if the games of disqualified players count for no one."""
    return bool(entries.ruleset.get("disqualification", {}).get("opponents") == "void_games")


def has_clock(entries: Entries) -> bool:
    """Return True if staff start each round, which then lasts as long as the ruleset says."""
    return "clock" in entries.ruleset


def read_common(pack: dict[str, Any]) -> AnyRuleset:
    """What a ruleset of any format says as all do. Raises PackRefused when it is none."""
    return read_ruleset(pack, AnyRuleset)


def read_ruleset(pack: dict[str, Any], wanted: type[Wanted]) -> Wanted:
    """The ruleset that `to_json` wrote, as its format has it; read once for the same pack.

    Raises PackRefused with every fault when it is none.
    """
    found: Wanted = _reading(pack, wanted).ruleset  # type: ignore[assignment]
    return found


def ruleset_cache(pack: dict[str, Any], wanted: type[Wanted]) -> dict[bytes, Any]:
    """Where a format keeps what it has worked out by a ruleset, as long as the ruleset itself is kept."""
    return _reading(pack, wanted).kept


def _reading(pack: dict[str, Any], wanted: type[Wanted]) -> _Read:
    key = (id(pack), wanted)
    found = _read.get(key)
    if found is None or found.pack is not pack:
        found = _read[key] = _Read(pack, _converted(pack, wanted), {})
        while len(_read) > _KEEP:
            _read.popitem(last=False)
    return found


def _converted(pack: dict[str, Any], wanted: type[Wanted]) -> Wanted:
    if wanted is not AnyRuleset and (faults := faults_of_shape(pack, wanted)):
        raise PackRefused("this is not a ruleset of the format", faults)
    try:
        return msgspec.convert(pack, wanted)
    except msgspec.ValidationError as error:
        raise PackRefused(f"this is not a ruleset: {error}", [Fault("", shown(pack), expects("ruleset"))]) from error


class Placings(Struct, frozen=True, kw_only=True):
    """Rows in rank order, with players by id.

    columns: of every form. marks: further ones, which a text for people puts into words. people: the column of players,
    of one or of several in a row. words: what the ruleset calls things. provisional: why the order may change.
    """

    columns: Sequence[str]
    rows: Sequence[dict[str, Any]]
    marks: Sequence[str] = ()
    people: str = "player"
    words: Words = DEFAULT_WORDS
    provisional: str = ""


class Replay(Struct, frozen=True, kw_only=True):
    """How the places of a format are found again in a log.

    recording: the event that records them, in pages. number: its member that says of which round, or which recording.
    standing: those that stand. at_hand: the one of now; 0 before the first. placings: after a round, from a state, as
    the first event of that recording has it; None while there is none. open: what is said while it is not recorded.
    """

    recording: type[Event]
    number: str
    standing: Callable[[Tournament], Collection[int]]
    at_hand: Callable[[Tournament], int]
    placings: Callable[[Tournament, int, Any], Placings]
    open: str


TITLE = "title"
"""Purpose of the draw between those who share the first place of the final standings."""


class GameTaken(Part, frozen=True, kw_only=True):
    """A game as one side saw it. outcome: win, draw or loss. kind: game, bye or forfeit; opponent: the other entry."""

    outcome: str
    opponent: str = ""
    kind: str = "game"
    score: int = 0
    against: int = 0
    round: int = 0


class ResultRow(Part, frozen=True, kw_only=True):
    """What an entry reached in its tournament. place: 0 for none. score: the tournament's own points."""

    entry: str
    name: str
    place: int
    score: int = 0
    games: list[GameTaken] = []
    status: str = "active"
    attended: bool = True


def has_attended(games: list[GameTaken]) -> bool:
    """Whether somebody played, had a bye, or won because the other did not come."""
    return any(game.kind != "forfeit" or game.outcome == "win" for game in games)


def first_placed(rows: Sequence[StandingRow]) -> list[str]:
    """Who stands first: one player, several who share the place, or nobody."""
    return [row.player for row in rows if row.rank == 1 and row.status != "disqualified"]


def title_winner(first: Sequence[str], round: int, draws: Draws) -> tuple[str, list[DrawMade]]:
    """The one of those who stand first that has the title, empty for nobody; and the draw that decided it, if any.

    round: the last one played. Source: AR-AMB-15, DW-AMB-9.
    """
    if len(first) < 2:
        return (first[0] if first else ""), []
    draw = make_draw(draws.answer(f"lot: {TITLE}, {round}"), TITLE, round, first)
    made = DrawMade(purpose=draw.purpose, round=draw.round, order=list(draw.order), seed=draw.seed)
    return draw.order[0], [made]


class Format(Protocol):
    """A module about a kind of tournaments."""

    @property
    def RULESET(self) -> type[AnyRuleset]:
        """What its packs become."""

    @property
    def EVENTS(self) -> Mapping[str, Sequence[type[Event]]]:
        """Owner -> the events that only this format has."""

    @property
    def SLICES(self) -> Sequence[Slice[Any]]:
        """The slices of the state that only this format has."""

    @property
    def CHANGES(self) -> Mapping[str, Mapping[type, tuple[SliceGetter, Change]]]:
        """Owner -> event -> the slice that it changes, and how."""

    @property
    def REPLAY(self) -> Replay:
        """How its places are found again in a log."""

    def faults(self, ruleset: Any, /) -> list[Fault]:
        """Return what a ruleset of the right shape still gets wrong, each at its JSON pointer."""

    def planned_rounds(self, state: Tournament, /) -> int | None:
        """Return how many rounds are to be played; None while nobody has fixed it. May raise RoundsNotFixed."""

    @property
    def final_results(self) -> Callable[[Tournament], list[ResultRow]] | None:
        """A function that returns what a concluded tournament is worth to a season; None if no season counts it."""
