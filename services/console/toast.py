"""What was just done, said once on the next page, with a button that takes it back where the service names how.

    done = muster().registration.drop_player(event, player, idempotency_key=form.key)
    say(_("%(player)s has dropped out.", player=name), done)

`base.html` shows it by `toast.html`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import current_app, request, session
from itsdangerous import BadSignature, URLSafeSerializer
from markupsafe import Markup
from msgspec import Struct

from services.console.language import in_english, of_services

_KEPT = "toast"
CONTEXT = "remains"
"""Of what services say, in catalogues."""
LARGEST_UNDO = 1200
"""Characters of a signed undo that the cookie of a session still has room for."""


class Toast(Struct, frozen=True):
    """text: what was done. undo: signed, for the form that takes it back; empty where nothing does.

    remains: what stays different even then, in the words of the service; stays: the same by its stable words.
    """

    text: str
    undo: str = ""
    remains: str = ""
    stays: Sequence[str] = ()

    @property
    def left(self) -> str | Markup:
        """What stays different, in the language of the page."""
        words = [of_services(CONTEXT, word) or "" for word in self.stays]
        return " ".join(words) if words and all(words) else in_english(self.remains)


class Undo(Struct, frozen=True):
    """The request that reverses a command, as its service named it."""

    service: str
    method: str
    address: str
    body: dict[str, Any] | None = None


def say(text: str, done: Any = None) -> None:
    """Say something on the next page. done: the answer of the command, which may name what reverses it."""
    undo = getattr(done, "undo", None)
    if undo is None or not undo.method or not undo.address:
        session[_KEPT] = [text]
        return
    signed = _signer().dumps([done.meta.service, undo.method, undo.address, undo.body])
    text_only = len(signed) > LARGEST_UNDO
    session[_KEPT] = [text] if text_only else [text, signed, undo.remains or "", list(undo.stays or ())]


def take_toast() -> Toast | None:
    """Return what this page is to say; it is said once, on a page that somebody looks at and not to a script."""
    if request.headers.get("HX-Request"):
        return None
    kept = session.pop(_KEPT, None)
    return Toast(*kept) if kept else None


def read_undo(signed: str) -> Undo | None:
    """The request behind a button of ours; None for anything else."""
    try:
        return Undo(*_signer().loads(signed))
    except (BadSignature, TypeError):
        return None


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="undo")
