"""Views and request shapes that several services share: events, faults, heads and season moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType, to_builtins

from shared.formats.fold import current_data
from shared.log.event import Actor, Recorded, actor_text, read_actor
from shared.log.log import is_intact
from shared.refusals import Fault
from shared.roles import Role
from shared.rules.model import as_json
from shared.season.ranking import rank_moves_between
from shared.season.ruleset import CountedResult, SeasonTable
from shared.season.table import Move, ResultMove
from shared.shapes import Number, Shape, Size, View
from shared.tournament.people import Player
from shared.tournament.registration import RulesetMoved, TournamentAmended, TournamentAnnounced
from shared.tournament.state import Tournament
from shared.web.refusals import LogUnreadable


class ViaView(View, frozen=True, kw_only=True):
    """The person besides the player who received the player's link."""

    how: Annotated[Literal["link", "entry"], "link: `by` requested the link; entry: `by` entered the player."]
    by: Annotated[str, "The id of that person."]


class ActorView(View, frozen=True, kw_only=True):
    """The actor of an event; members that do not apply are absent."""

    actor: Annotated[str, "The id of a player or of a member of staff, or the name in the token."]
    role: Annotated[Role, "The role in which they acted; `rule`: Muster itself, applying a rule."]
    venue: Annotated[str | UnsetType, "The id of the venue that their role is limited to; absent: every venue."] = UNSET
    via: ViaView | UnsetType = UNSET


class EventView(View, frozen=True, kw_only=True):
    """An event as recorded."""

    id: str
    source: Annotated[str, "The service whose log holds it."]
    type: str
    position: Annotated[int, "In its log, from 1."]
    time: Annotated[str, "RFC 3339, UTC."]
    actor: ActorView
    actor_text: Annotated[str, "The actor as a line: `p1, player` or `s2, referee of Hall B`."]
    data: Annotated[
        dict[str, Any],
        "As recorded; a whole ruleset is shown as its id, version, name, format and address.",
    ]


WITH_RULESET = frozenset({TournamentAnnounced.__name__, TournamentAmended.__name__, RulesetMoved.__name__})
"""Events that may hold a whole ruleset, so that replay needs no file."""


class RulesetReference(View, frozen=True, kw_only=True):
    """A short reference to a ruleset."""

    id: str
    version: str
    name: str
    format: str
    address: Annotated[str, "The path of the whole ruleset, from the root of registration."]


def ruleset_reference(pack: Mapping[str, Any], tournament: str, from_round: int = 0) -> RulesetReference:
    """Return the reference to a tournament's ruleset. from_round: the first round played by it; 0: as announced."""
    query = f"?round={from_round}" if from_round else ""
    return RulesetReference(
        id=str(pack.get("id", "")),
        version=str(pack.get("version", "")),
        name=str(pack.get("name", "")),
        format=str(pack.get("format", "")),
        address=f"/tournaments/{tournament}/ruleset{query}",
    )


def public_data(event: Recorded) -> dict[str, Any]:
    """Return the recorded data of an event, with a reference in place of a whole ruleset."""
    data = current_data(event)
    if event.type not in WITH_RULESET or not data.get("ruleset"):
        return data
    reference = ruleset_reference(data["ruleset"], event.tournament, data.get("from_round", 0))
    return {**data, "ruleset": to_builtins(reference)}


def actor_view(actor: Actor) -> ActorView:
    """Return the view of an actor."""
    via = ViaView(how=actor.via.how, by=actor.via.by) if actor.via else UNSET
    return ActorView(actor=actor.actor, role=actor.role, venue=actor.venue or UNSET, via=via)


def event_view(recorded: Recorded, venues: Mapping[str, str] | None = None) -> EventView:
    """Return the view of a recorded event. venues: id -> name, for the text of the actor."""
    actor = read_actor(recorded.actor)
    return EventView(
        id=recorded.id,
        source=recorded.source,
        type=recorded.type,
        position=recorded.position,
        time=recorded.time,
        actor=actor_view(actor),
        actor_text=actor_text(actor, venues),
        data=public_data(recorded),
    )


class WarningView(View, frozen=True, kw_only=True):
    """A reminder without penalty."""

    player: Annotated[str, "Their id in the tournament."]
    time: Annotated[str, "RFC 3339, UTC."]
    actor: ActorView
    actor_text: Annotated[str, "The member of staff who gave it, as a line: `s2, referee of Hall B`."]
    reason: str
    clause: Annotated[str, "A clause of the ruleset; empty if none was named."]


def warning_view(warned: Recorded, venues: Mapping[str, str] | None = None) -> WarningView:
    """Return the view of a warning. venues: id -> name, for the text of the actor."""
    event = event_view(warned, venues)
    return WarningView(
        player=event.data["player"],
        time=event.time,
        actor=event.actor,
        actor_text=event.actor_text,
        reason=event.data["reason"],
        clause=event.data.get("clause", ""),
    )


ExternalId = Annotated[
    str | None, "The id of the player in another system, such as a rating list. null: none is known."
]


TableLabel = Annotated[str | UnsetType, "The text printed on the table. Absent: the number is printed."]


class Appended(View, frozen=True, kw_only=True):
    """The effect of a command."""

    id: Annotated[
        str | UnsetType,
        "The id of the thing it created, as in addresses; absent if it created nothing or several things.",
    ] = UNSET
    events: Annotated[list[EventView], "The appended events; empty: nothing changed."]


class FaultView(View, frozen=True, kw_only=True):
    """A fault, or something that is advised against."""

    where: Annotated[str, "JSON pointer into the body, or the name of a header"]
    said: Annotated[str, "The value found there"]
    expected: Annotated[str, "The expected value, as an English sentence"]
    clause: Annotated[str, "The clause of the rules; empty if there is none"]
    code: Annotated[str | UnsetType, "A stable code for `expected`, for programs"] = UNSET
    data: Annotated[dict[str, Any] | UnsetType, "The values in `expected`, by name"] = UNSET


def faults_view(faults: Iterable[Fault]) -> list[FaultView]:
    """Return the views of faults."""
    return [
        FaultView(
            where=fault.where,
            said=fault.said,
            expected=str(fault.expected),
            clause=fault.clause,
            code=fault.code,
            data=to_builtins(fault.data),
        )
        for fault in faults
    ]


class HeadView(View, frozen=True, kw_only=True):
    """The end of a log."""

    position: int
    hash: str


class HeadsView(View, frozen=True, kw_only=True):
    """The ends of the logs of a tournament, as far as this service has copied them."""

    tournament: str
    heads: dict[str, HeadView]


class DieTold(Shape, frozen=True, kw_only=True):
    """A die rolled at the table."""

    sides: int
    natural: Annotated[int, "The face that the die shows."]


class RollTold(Shape, frozen=True, kw_only=True):
    """Dice that were rolled at a table. Without dice, the service rolls. The roller is the player by default."""

    dice: Annotated[list[DieTold], Size(9)] = []
    rolled_by: Annotated[str, "The id of a player or a member of staff."] = ""
    witnessed_by: Annotated[str, "Another person who was present."] = ""


AskedSince = Annotated[
    str | UnsetType,
    "`version` of an earlier answer of this list with the same filters; the answer has only the changes since.",
]
Version = Annotated[str | UnsetType, "Send it as `since` later, to get only what changed after this answer."]
AnsweredSince = Annotated[
    str | UnsetType | None,
    "With `since`: that version, and `items` has only what changed after it. null: the changes are not known, and"
    " `items` is the whole list; replace yours with it.",
]
Gone = Annotated[
    list[str] | UnsetType,
    "With `since`: ids that are no longer in the list, or not with these filters. It may name ids that were never in"
    " it.",
]


def require_intact(events: Sequence[Recorded]) -> Sequence[Recorded]:
    """Return the same events. Raises LogUnreadable if the hash of one does not match."""
    for event in events:
        if not is_intact(event):
            raise LogUnreadable(f"The event {event.id} is damaged in this database.", event=event.id)
    return events


class CountedView(View, frozen=True, kw_only=True):
    """A result in a season. reason: why it does not count; empty: it counts."""

    entry: str
    place: int
    points: Number
    reason: str


class ResultMoved(View, frozen=True, kw_only=True):
    """A player's own result that changed; null: there was no result before, or there is none after."""

    tournament: str
    before: CountedView | None
    after: CountedView | None


class PassedBy(View, frozen=True, kw_only=True):
    """A player who was not ahead before, and is ahead now."""

    player: str
    name: str


class SeasonMoveView(View, frozen=True, kw_only=True):
    """A player of a season whose rank or values change; without a rank the player is not in the table."""

    player: str
    name: str
    division: str
    rank_before: int | None
    rank_after: int | None
    points_before: Number
    points_after: Number
    columns: Annotated[list[str], "The values that change."]
    results: list[ResultMoved]
    passed_by: Annotated[list[PassedBy], "At most five."]


class SeasonConsequences(View, frozen=True, kw_only=True):
    """The effect of a correction on a season that counts the tournament.

    stands: the season is over and its standings stay as they are; the moves are informational.
    """

    season: str
    name: str
    stands: bool
    moves: list[SeasonMoveView]


def moves_view(before: Tournament, after: Tournament, table: SeasonTable | None = None) -> list[SeasonMoveView]:
    """Return the players whose rank or values change. table: of `before`, if it is known already."""
    players = {**before.entries.players, **after.entries.players}
    return [move_view(move, players) for move in rank_moves_between(before, after, table)]


def move_view(move: Move, players: Mapping[str, Player]) -> SeasonMoveView:
    """Return the view of a move, with names. players: the players of the season."""
    return SeasonMoveView(
        player=move.player,
        name=players[move.player].name,
        division=move.division,
        rank_before=move.rank_before,
        rank_after=move.rank_after,
        points_before=as_json(move.points_before),
        points_after=as_json(move.points_after),
        columns=list(move.columns),
        results=_results_moved(move.results),
        passed_by=[PassedBy(player=player, name=players[player].name) for player in move.passed_by],
    )


def _results_moved(moves: Iterable[ResultMove]) -> list[ResultMoved]:
    return [
        ResultMoved(tournament=move.tournament, before=before, after=after)
        for move in moves
        for before, after in [(_counted_view(move.before), _counted_view(move.after))]
        if before or after
    ]


def _counted_view(result: CountedResult | None) -> CountedView | None:
    """Return the view of a result; None if the player had no entry in that tournament."""
    if result is None or not result.entry:
        return None
    return CountedView(entry=result.entry, place=result.place, points=as_json(result.points), reason=result.reason)
