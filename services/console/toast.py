"""The message about what was just done, shown once on the next page, with a button that takes it back if possible.

    done = muster().registration.drop_player(event, player, idempotency_key=form.key)
    say(_("%(player)s has dropped out.", player=name), done)

`base.html` shows it by `toast.html`.
"""

from __future__ import annotations

from typing import Any

from flask import request, session
from msgspec import Struct

from services.console.undo import Undo, sign, undo_of

_KEPT = "toast"


class Toast(Struct, frozen=True):
    """text: what was done. undo: signed, for the form that takes it back; empty if nothing does."""

    text: str
    undo: str = ""


def say(text: str, done: Any = None, undo: Undo | None = None) -> None:
    """Show a message on the next page.

    done: the answer of the command. undo: the request that reverses it; by default the one that its events name.
    """
    event = (request.view_args or {}).get("event", "")
    session[_KEPT] = [text, sign(undo or undo_of(getattr(done, "events", ())), event) if event else ""]


def take_toast() -> Toast | None:
    """Return the message for this page, once, for a page that somebody looks at and not for a script."""
    if request.headers.get("HX-Request"):
        return None
    kept = session.pop(_KEPT, None)
    return Toast(*kept) if kept else None
