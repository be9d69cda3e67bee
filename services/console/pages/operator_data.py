"""The scenario sheets and cards of a co-operative event, as its organiser enters them: JSON, with every error."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from flask import Blueprint, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from msgspec import Struct

from muster_client import Problem
from services.console.forms import Form
from services.console.language import _
from services.console.problem_words import fault_text
from services.console.signed_in import muster, only_for
from services.console.undo import flash

blueprint = Blueprint("operator_data", __name__)
TEXT, FILE = "data", "data_file"
"""Fields: the data as JSON, and their file."""
REFUSED = "operator-data-refused"


class DataFault(Struct, frozen=True):
    """An error. place: the path inside the data."""

    place: str
    text: str | Markup


@blueprint.route("/events/<event>/operator-data", methods=["GET", "POST"])
@only_for(lambda person: person.organises)
def show(event: str) -> ResponseReturnValue:
    """Show the data in use and what they lack; `do=check` checks others, any other post enters them."""
    registration = muster().registration
    tournament = registration.show_tournament(event)
    if tournament.format != "coop":
        abort(404)
    now = registration.show_operator_data(event)
    form = Form(defaults={TEXT: json.dumps(now.data, ensure_ascii=False, indent=1) if now.version else ""})
    faults: list[DataFault] = []
    status, checked = 200, False
    data = _data(form) if form.sent else None
    if data is not None:
        try:
            if form["do"] == "check":
                registration.pin_operator_data(event, data=data, preview=True)
                checked = True
            else:
                done = registration.pin_operator_data(event, data=data, idempotency_key=form.key)
                flash(_("The data are saved.") if done.events else _("Nothing was changed."))
                return redirect(url_for("operator_data.show", event=event))
        except Problem as problem:
            status = problem.status
            faults = [DataFault(fault.where, fault_text(fault)) for fault in problem.faults]
            if problem.code == REFUSED:
                form.add_fault(TEXT, _("The data have errors; they are listed below."))
            else:
                form.add_problem(problem)
    elif form.sent:
        status = 422
    page = render_template(
        "operator_data.html", event=tournament, form=form, now=now, faults=faults, checked=checked, place="settings"
    )
    return page, status


def _data(form: Form) -> dict[str, Any] | None:
    """Return the data of the form; None, with a fault added, if there are none or they are not a JSON object."""
    form.take_file(TEXT, FILE)
    if not form[TEXT] and TEXT not in form.faults:
        form.add_fault(TEXT, _("Choose a file, or paste the data."))
    if not form.is_valid:
        return None
    try:
        data = json.loads(form.text(TEXT), parse_constant=_refuse_constant)
        json.dumps(data, ensure_ascii=False).encode()  # half of a surrogate pair cannot be sent
    except json.JSONDecodeError as error:
        said = _("This is not JSON: see line %(line)s, column %(column)s.", line=error.lineno, column=error.colno)
        form.add_fault(TEXT, said)
    except (ValueError, RecursionError):
        form.add_fault(TEXT, _("This is not JSON."))
    else:
        if isinstance(data, dict):
            return data
        form.add_fault(TEXT, _("The data begin with { and end with }."))
    return None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
