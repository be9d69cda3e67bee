"""What pairing shows of judges who are called to tables: to staff all of it, to whoever called their own."""

from __future__ import annotations

from typing import Annotated, Literal

from services.pairing.tournament.calls import CallReason, sees
from services.pairing.tournament.views import Named
from shared.shapes import View
from shared.tournament.guards import By
from shared.tournament.state import Call, Tournament, calls_of

Status = Literal["waiting", "taken", "answered", "withdrawn"]


class JudgeCallView(View, frozen=True, kw_only=True):
    """A call to a table, as it stands."""

    id: str
    round: int
    game: str
    venue: str
    venue_name: str
    table: Annotated[int, "0: the game has none."]
    players: Annotated[list[Named], "Who sits there now; none where the game is no more."]
    caller: Annotated[str, "The id of a player, or of whoever of the staff called."]
    caller_name: str
    reason: CallReason
    text: str
    status: Status
    called_at: str
    referee: Annotated[str, "Who took it, or answered it; empty: nobody yet."]
    referee_name: str
    taken_at: str
    ended_at: Annotated[str, "When it was answered or withdrawn; empty: it is open."]
    answer: str


class UnpublishedView(View, frozen=True, kw_only=True):
    """What staff know of a tournament that is not published."""

    revision: Annotated[int, "Rises with every change of a draft or a call."]
    round: Annotated[int | None, "The round that is a draft."]
    cut: Annotated[bool, "The cut is a draft."]
    open_calls: Annotated[int, "Calls that are waiting or taken."]


def unpublished_view(state: Tournament) -> UnpublishedView:
    """Return what is not published, for staff. state: with drafts."""
    latest = state.rounds.latest()
    return UnpublishedView(
        revision=state.private.revision,
        round=latest.number if latest and latest.draft else None,
        cut=state.rounds.cut_draft,
        open_calls=sum(call.open for call in calls_of(state).values()),
    )


def call_view(state: Tournament, call: Call) -> JudgeCallView:
    """One call, for somebody who is shown it."""
    entries = state.entries
    round = state.rounds.rounds.get(call.round)
    seat = round.seats.get(call.game) if round else None
    venue = entries.venues.get(call.venue)
    there = dict.fromkeys((*seat.players, seat.player_2)) if seat else ()
    return JudgeCallView(
        id=call.id,
        round=call.round,
        game=call.game,
        venue=call.venue,
        venue_name=venue.name if venue else "",
        table=call.table,
        players=[Named(player=one, name=entries.name_of(one)) for one in there if one],
        caller=call.caller,
        caller_name=entries.name_of(call.caller),
        reason=call.reason,  # type: ignore[arg-type]
        text=call.text,
        status=call.status,  # type: ignore[arg-type]
        called_at=call.called_at,
        referee=call.referee,
        referee_name=entries.name_of(call.referee) if call.referee else "",
        taken_at=call.taken_at,
        ended_at=call.ended_at,
        answer=call.answer,
    )


def calls_shown(state: Tournament, by: By, venue: str, status: str, game: str) -> list[Call]:
    """The calls that somebody is shown, in the order they came. venue, status, game: of these alone; empty: of all.

    status: `open` for those that are neither answered nor withdrawn.
    """
    return [
        call
        for call in calls_of(state).values()
        if sees(call, by)
        and venue in ("", call.venue)
        and game in ("", call.game)
        and status in ("", call.status, "open" if call.open else "")
    ]
