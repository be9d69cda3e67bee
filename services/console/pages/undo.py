"""Taking back what was just done."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from services.console.forms import Form
from services.console.language import _
from services.console.toast import read_undo, say
from services.console.upstream import muster
from services.console.way_back import inside

blueprint = Blueprint("undo", __name__)


@blueprint.post("/events/<event>/undo")
def take_back(event: str) -> ResponseReturnValue:
    """Send the request that the service named; then back to the page where the button was."""
    form, undo = Form(), read_undo(request.form.get("undo", ""))
    back = inside(request.form.get("back", "")) or url_for("events.show", event=event)
    if undo is None or not undo.address.startswith(f"/tournaments/{event}/"):
        say(_("That cannot be taken back any more."))
        return redirect(back)
    muster().send(undo.method, undo.service, undo.address, undo.body, idempotency_key=form.key)
    say(_("Taken back."))
    return redirect(back)
