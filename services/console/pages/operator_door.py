"""Where whoever started Muster comes in as its operator, by the address that the greeting prints."""

from __future__ import annotations

import time

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from services.console import operator_door
from services.console.forms import Form
from services.console.keys_tried import whose
from services.console.language import _
from services.console.settings import Settings
from services.console.signed_in import person_of, sign_in

blueprint = Blueprint("operator_door", __name__)


@blueprint.route("/operator/come-in", methods=["GET", "POST"])
def enter() -> ResponseReturnValue:
    """Ask first, since a program that looks at addresses would use up what works once; posting signs in."""
    form = Form()
    if form.sent:
        settings: Settings = current_app.config["SETTINGS"]
        code = form["code"]
        token = operator_door.open_once(settings.data, code, time.time()) if settings.data and code else ""
        # No service has to look at a token that was left here: it may be what is wrong. What opens nothing is counted.
        person = person_of(token) if token else whose(code)
        if token and person is not None:
            sign_in(person)
            return redirect(url_for("operator.show"))
        form.above.append(
            _(
                "This address was used, or is older than an hour. Start Muster anew, or make a key with"
                " %(command)s and sign in with it.",
                command="muster token --role operator",
            )
        )
    code = form["code"] or request.args.get("code", "")
    return render_template("operator_door.html", form=form, code=code), 200 if form.good else 403
