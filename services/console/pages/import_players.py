"""Players from a file: a preview with the faults of each row, then entering them; and the file of all players."""

from __future__ import annotations

import re
from hashlib import sha256

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from msgspec import Struct

from muster_client import Fault, Problem
from services.console.forms import Form
from services.console.language import _, ngettext
from services.console.problem_words import expected_text, problem_text, value_text
from services.console.signed_in import muster
from services.console.undo import say
from shared.csv_cells import NotUtf8, text_of

blueprint = Blueprint("import_players", __name__)
ROW = re.compile(r"row (\d+)(?:, column (\d+)(?: \((\w+)\))?)?")
SHOWN = 100
"""Players of a file that the preview lists; it counts the others."""


class FileFault(Struct, frozen=True):
    """A fault of a file. row, column: from 1; empty if it is about the whole file."""

    row: str
    column: str
    value: str
    expected: str | Markup


@blueprint.route("/events/<event>/players/import", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """Preview a file that was chosen or pasted; then enter the players of exactly the rows of the preview."""
    form, faults, joining, unchanged = Form(), [], [], 0
    content = _content(form)
    looked = sha256(content.encode()).hexdigest()
    if form.sent and form.is_valid:
        sends = request.form.get("do") == "send"
        try:
            if sends and form["looked"] == looked:
                done = muster().registration.join_players_csv(event, content, idempotency_key=form.key)
                say(ngettext("One player is entered.", "%(num)s players are entered.", len(done.players)), done)
                return redirect(url_for("players.show", event=event))
            foreseen = muster().registration.join_players_csv(event, content, preview=True)
            unchanged = foreseen.moves.unchanged or 0
            joining = [one for one in foreseen.events if one.type in ("PlayerJoined", "PlayerWaitlisted")]
            if sends:
                form.above.append(
                    _("These rows are not those that you looked at. Look at what they would do, then send them.")
                )
        except Problem as problem:
            faults = [_fault(fault) for fault in problem.faults]
            form.above.append(problem_text(problem))
    page = render_template(
        "import_players.html",
        event=muster().registration.show_tournament(event),
        form=form,
        content=content,
        looked=looked,
        faults=faults,
        joining=joining[:SHOWN],
        more=max(0, len(joining) - SHOWN),
        count=len(joining),
        unchanged=unchanged,
        waiting=sum(one.type == "PlayerWaitlisted" for one in joining),
        place="players",
    )
    return page, 200 if form.is_valid else 422


@blueprint.get("/events/<event>/players.csv")
def export(event: str) -> ResponseReturnValue:
    """Return all players as a file that can be imported again."""
    text = muster().registration.export_players(event)
    named = {"Content-Disposition": f'attachment; filename="{event}-players.csv"'}
    return Response(text, content_type="text/csv; charset=utf-8", headers=named)


def _content(form: Form) -> str:
    """Return the chosen file, or else the pasted text."""
    given = request.files.get("file") if form.sent else None
    text = request.form.get("text", "") if form.sent else ""
    if given is not None and given.filename:
        try:
            text = text_of(given.read())
        except NotUtf8 as error:
            form.add_fault("file", _("Row %(row)s is not in UTF-8. Save the file as “CSV UTF-8”.", row=error.row))
            return ""
    if form.sent and not text.strip():
        form.add_fault("text", _("Choose a file, or paste its rows."))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _fault(fault: Fault) -> FileFault:
    place = ROW.match(fault.where)
    row, column = (place[1], place[3] or place[2] or "") if place else ("", "")
    return FileFault(row, column, value_text(fault.said), expected_text(fault))
