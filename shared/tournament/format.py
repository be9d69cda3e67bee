"""Formats: the interface of a format's module, access to the ruleset in a state, and final places.

`Replay` lets a program print places from a log alone. `ResultRow` is what a season reads of a concluded tournament.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from shared.log.event import Event, Part
from shared.refusals import Fault, expects, to_short_json
from shared.rules.checks import faults_of_shape
from shared.rules.model import Draws, PackRefused, make_draw
from shared.rules.parts import DEFAULT_WORDS, AnyRuleset, Tier, Words
from shared.tournament.people import Entries
from shared.tournament.results import StandingRow
from shared.tournament.rounds import DrawMade
from shared.tournament.state import Change, Slice, SliceGetter, Tournament

_CACHE_SIZE = 512

RulesetType = TypeVar("RulesetType", bound=AnyRuleset)


class _CacheEntry(Struct, frozen=True):
    """A parsed pack. `derived` holds values that its format computed from the ruleset."""

    pack: dict[str, Any]
    ruleset: AnyRuleset
    derived: dict[bytes, Any]


_cache: OrderedDict[tuple[int, type], _CacheEntry] = OrderedDict()
"""Parsed packs by the pack's identity: states share the pack objects of their events."""


def rules_of(entries: Entries) -> AnyRuleset:
    """Return the tournament's ruleset as the parts common to all formats, with the organiser's options applied."""
    return read_common(entries.ruleset)


def tier_of(entries: Entries) -> Tier:
    """Return the tournament's tier (level of play); the ruleset's first if the announcement names none."""
    tiers = rules_of(entries).tiers
    return next((tier for tier in tiers if tier.id == entries.tier), tiers[0])


def voids_games(entries: Entries) -> bool:
    """Return True if the ruleset voids the games of disqualified players."""
    return bool(entries.ruleset.get("disqualification", {}).get("opponents") == "void_games")


def has_clock(entries: Entries) -> bool:
    """Return True if rounds have a clock: staff start each round, and it lasts as long as the ruleset says."""
    return "clock" in entries.ruleset


def read_common(pack: dict[str, Any]) -> AnyRuleset:
    """Return the common parts of a pack of any format. Raise PackRefused if it is not a ruleset."""
    return read_ruleset(pack, AnyRuleset)


def read_ruleset(pack: dict[str, Any], type: type[RulesetType]) -> RulesetType:
    """Return a pack written by `to_json` as the ruleset type of its format; cached by pack.

    Raise PackRefused with every fault if it is not such a ruleset.
    """
    ruleset: RulesetType = _cached(pack, type).ruleset  # type: ignore[assignment]
    return ruleset


def ruleset_cache(pack: dict[str, Any], type: type[RulesetType]) -> dict[bytes, Any]:
    """Return the cache for values that a format derives from a ruleset. It lives as long as the parsed ruleset."""
    return _cached(pack, type).derived


def _cached(pack: dict[str, Any], type: type[RulesetType]) -> _CacheEntry:
    key = (id(pack), type)
    entry = _cache.get(key)
    if entry is None or entry.pack is not pack:
        entry = _cache[key] = _CacheEntry(pack, _convert(pack, type), {})
        while len(_cache) > _CACHE_SIZE:
            _cache.popitem(last=False)
    return entry


def _convert(pack: dict[str, Any], type: type[RulesetType]) -> RulesetType:
    if type is not AnyRuleset and (faults := faults_of_shape(pack, type)):
        raise PackRefused("this is not a ruleset of the format", faults)
    try:
        return msgspec.convert(pack, type)
    except msgspec.ValidationError as error:
        raise PackRefused(
            f"this is not a ruleset: {error}", [Fault("", to_short_json(pack), expects("ruleset"))]
        ) from error


class Placings(Struct, frozen=True, kw_only=True):
    """Final or current places: rows in rank order, with players by id.

    - `columns`: columns of every output form.
    - `marks`: columns that human-readable output shows as words.
    - `people`: column that holds one player id, or several.
    - `words`: the ruleset's words.
    - `provisional`: why the order may change; empty if it cannot.
    """

    columns: Sequence[str]
    rows: Sequence[dict[str, Any]]
    marks: Sequence[str] = ()
    people: str = "player"
    words: Words = DEFAULT_WORDS
    provisional: str = ""


class Replay(Struct, frozen=True, kw_only=True):
    """Access to the recorded places of a format, for programs that read a log.

    - `recording`: event that records places, in pages.
    - `number`: name of its member with the number of the round or recording.
    - `recorded_numbers`: returns the numbers of the recordings in force.
    - `current_number`: returns the current number; 0 before the first.
    - `placings`: returns the places after a round, given the state and the first event of its recording (None if there
      is none).
    - `provisional_message`: message if the places are not recorded yet.
    """

    recording: type[Event]
    number: str
    recorded_numbers: Callable[[Tournament], Collection[int]]
    current_number: Callable[[Tournament], int]
    placings: Callable[[Tournament, int, Any], Placings]
    provisional_message: str


TITLE = "title"
"""Purpose of the draw between players who share the first place of the final standings."""


class GameTaken(Part, frozen=True, kw_only=True):
    """One game from one side's view.

    - `outcome`: `win`, `draw` or `loss`.
    - `opponent`: id of the other entry; empty if there is none.
    - `kind`: `game`, `bye` or `forfeit`.
    - `score`, `against`: points of this side and of the other side, in the tournament's own points.
    - `round`: number of the round.
    """

    outcome: str
    opponent: str = ""
    kind: str = "game"
    score: int = 0
    against: int = 0
    round: int = 0


class ResultRow(Part, frozen=True, kw_only=True):
    """The final result of one entry in its tournament.

    - `entry`: id of the entry. `name`: display name.
    - `place`: final place; 0 for none.
    - `score`: total, in the tournament's own points.
    - `games`: all games of the entry.
    - `status`: `active`, `dropped` or `disqualified`.
    - `attended`: true if the entry was present.
    """

    entry: str
    name: str
    place: int
    score: int = 0
    games: list[GameTaken] = []
    status: str = "active"
    attended: bool = True


def has_attended(games: list[GameTaken]) -> bool:
    """Return True if an entry played, had a bye, or won by forfeit."""
    return any(game.kind != "forfeit" or game.outcome == "win" for game in games)


def with_disqualified(
    state: Tournament, rows: Sequence[ResultRow], games: Mapping[str, list[GameTaken]]
) -> list[ResultRow]:
    """Return the rows with every disqualified player who came, also those whom the final table leaves out.

    Such a player has no place, and still counts in the field of the tournament (SEA-PLACE-2, SEA-DQ). games: all games
    of each player, also void ones.
    """
    if not rows:
        return []
    listed = {row.entry for row in rows}
    players = [player for player in state.entries.players.values() if player.status == "disqualified"]
    left_out = [
        ResultRow(
            entry=player.id,
            name=player.name,
            place=0,
            status="disqualified",
            attended=player.checked_in or has_attended(games.get(player.id, [])),
        )
        for player in players
        if player.id not in listed
    ]
    return [*rows, *left_out]


def first_placed(rows: Sequence[StandingRow]) -> list[str]:
    """Return the ids of the players in first place: one, several who share it, or none."""
    return [row.player for row in rows if row.rank == 1 and row.status != "disqualified"]


def title_winner(first: Sequence[str], round: int, draws: Draws) -> tuple[str, list[DrawMade]]:
    """Return the winner (empty for none), and the draw that decided between several players in first place.

    `round` is the last round played. Source: AR-AMB-15, DW-AMB-9.
    """
    if len(first) < 2:
        return (first[0] if first else ""), []
    draw = make_draw(draws.answer(f"lot: {TITLE}, {round}"), TITLE, round, first)
    recorded = DrawMade(purpose=draw.purpose, round=draw.round, order=list(draw.order), seed=draw.seed)
    return draw.order[0], [recorded]


class Format(Protocol):
    """The interface of a format's module."""

    @property
    def RULESET(self) -> type[AnyRuleset]:
        """The type of its rulesets."""

    @property
    def EVENTS(self) -> Mapping[str, Sequence[type[Event]]]:
        """The events that only this format has, by owner."""

    @property
    def SLICES(self) -> Sequence[Slice[Any]]:
        """The slices of the state that only this format has."""

    @property
    def CHANGES(self) -> Mapping[str, Mapping[type, tuple[SliceGetter, Change]]]:
        """For each owner and event: the getter of the changed slice, and the change."""

    @property
    def REPLAY(self) -> Replay:
        """Access to its places in a log."""

    def faults(self, ruleset: Any, /) -> list[Fault]:
        """Return the faults of a well-formed ruleset, each at its JSON pointer."""

    def planned_rounds(self, state: Tournament, /) -> int | None:
        """Return the planned number of rounds; None if it is not set. May raise RoundsNotFixed."""

    @property
    def final_results(self) -> Callable[[Tournament], list[ResultRow]] | None:
        """A function that returns the final results for a season; None if seasons do not count this format."""
