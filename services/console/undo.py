"""The message about the last action on the next page, and the request that takes it back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from flask import current_app, request, session
from itsdangerous import BadSignature, URLSafeSerializer
from msgspec import Struct

from muster_client import answers

_KEPT = "toast"


class Toast(Struct, frozen=True):
    """A message. undo: the signed undo request for the form; empty if the action cannot be undone."""

    text: str
    undo: str = ""


def flash(text: str, done: Any = None, undo: Undo | None = None) -> None:
    """Show a message on the next page.

    done: the answer of the command. undo: the request that reverses it; by default derived from its events.
    """
    event = (request.view_args or {}).get("event", "")
    session[_KEPT] = [text, sign(undo or undo_of(getattr(done, "events", ())), event) if event else ""]


def take_toast() -> Toast | None:
    """Return the message for this page, once; requests of scripts leave it for the page."""
    if request.headers.get("HX-Request"):
        return None
    kept = session.pop(_KEPT, None)
    return Toast(*kept) if kept else None


REASON = "taken back"
"""The reason that reversing commands put on record."""
LONGEST = 1200
"""Characters of a signed undo that the cookie of a session has room for."""


class Undo(Struct, frozen=True):
    """The request that reverses a command. path: below the tournament."""

    service: str
    path: str
    body: dict[str, Any] | None
    method: str = "POST"


def _each(what: str) -> _Row:
    """Return a row for events of one player each. what: the last part of the path, for one player and for several."""

    def undo(data: Sequence[Mapping[str, Any]]) -> Undo:
        players = [one["player"] for one in data]
        if len(players) == 1:
            return Undo("registration", f"/players/{players[0]}/{what}", {})
        return Undo("registration", f"/players/{what}", {"players": players})

    return undo


def _one(service: str, path: str, body: Mapping[str, str] = MappingProxyType({}), method: str = "POST") -> _Row:
    """Return a row for a single event. path, body: with members of the event in braces."""

    def undo(data: Sequence[Mapping[str, Any]]) -> Undo | None:
        members = defaultdict(str, data[0])  # members that are empty may be absent
        filled = {name: value for name, text in body.items() if (value := text.format_map(members))}
        sent = None if method == "DELETE" else filled
        return Undo(service, path.format_map(members), sent, method) if len(data) == 1 else None

    return undo


def _of_part(path: str, body: Mapping[str, str] = MappingProxyType({})) -> _Row:
    """Return a row for a single event about a round, or about its part at one venue."""

    def undo(data: Sequence[Mapping[str, Any]]) -> Undo | None:
        venue = {"venue": data[0]["venue"]} if data[0].get("venue") else {}
        return Undo("scoring", path.format_map(data[0]), {**body, **venue}) if len(data) == 1 else None

    return undo


_Row = Callable[[Sequence[Mapping[str, Any]]], Undo | None]
WHY = MappingProxyType({"reason": REASON})

ROWS: Mapping[str, _Row] = MappingProxyType(
    {
        "PlayerCheckedIn": _each("check-out"),
        "PlayerCheckedOut": _each("check-in"),
        "PlayerDropped": _one("registration", "/players/{player}/reinstatement"),
        "PlayerPinned": _one("registration", "/players/{player}/table", method="DELETE"),
        "PlayerReinstated": _one("registration", "/players/{player}/drop", WHY),
        "SeatGiven": _one("registration", "/players/{player}/seat", method="DELETE"),
        "PlayerDisqualified": _one("registration", "/players/{player}/disqualification/revocation", WHY),
        "RegistrationClosed": _one("registration", "/registration/reopen"),
        "RegistrationReopened": _one("registration", "/registration/close"),
        "VenueOpened": _one("registration", "/venues/{venue}/closing", WHY),
        "RoundPaired": _one("pairing", "/rounds/{round}/withdrawal", WHY),
        "ResultReported": _one("scoring", "/games/{game}/voiding", WHY),
        "SpareAvailable": _one("pairing", "/spare?staff={staff}", method="DELETE"),
        "SpareUnavailable": _one("pairing", "/spare", {"staff": "{staff}"}),
        "PartClosed": _of_part("/rounds/{round}/reopening", WHY),
        "RoundClosed": _one("scoring", "/rounds/{round}/reopening", WHY),
        "RoundReopened": _of_part("/rounds/{round}/close"),
        "WebhookDisabled": _one("scoring", "/webhooks/{webhook}/enable"),
        "WebhookEnabled": _one("scoring", "/webhooks/{webhook}/disable", WHY),
        "AwardGiven": _one("scoring", "/awards/{award}/withdrawal", WHY),
    }
)
"""Event -> the request that reverses the command that appended it."""


def undo_of(events: Sequence[answers.EventView]) -> Undo | None:
    """Return the request that reverses a command, by its events; None if no row fits."""
    for kind, row in ROWS.items():
        if data := [event.data for event in events if event.type == kind]:
            return row(data)
    return None


def sign(undo: Undo | None, event: str) -> str:
    """Return an undo as text that a form can carry; an empty string for none and for one that is too long."""
    signed = _signer().dumps([event, undo.service, undo.path, undo.body, undo.method]) if undo else ""
    return signed if len(signed) <= LONGEST else ""


def read_undo(signed: str, event: str) -> Undo | None:
    """Return the undo that a form of this event carries; None for anything else."""
    try:
        of, *undo = _signer().loads(signed)
        return Undo(*undo) if of == event else None
    except (BadSignature, TypeError, ValueError):
        return None


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="undo")
