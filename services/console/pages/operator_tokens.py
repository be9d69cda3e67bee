"""Tokens for whoever runs the installation: taken back, and given to staff of an event."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem
from services.console.compression import leave_plain
from services.console.forms import Form
from services.console.language import _
from services.console.pages.operator import for_operators
from services.console.signed_in import claims_of
from services.console.toast import say
from services.console.upstream import muster
from services.console.words import ROLES

blueprint = Blueprint("operator_tokens", __name__)
POINTERS = {"token": "/token_id", "reason": "/reason", "name": "/name"}
GIVEN = {role: ROLES[role] for role in ("organiser", "head_referee", "referee")}
"""Whom staff are given a token as -> in words."""
LONGEST_ID = 200


@blueprint.route("/operator/tokens", methods=["GET", "POST"])
@for_operators
def show() -> ResponseReturnValue:
    """Take a token back; give somebody of the staff one, which is shown once; what was taken back already."""
    form, does, made, status = Form(POINTERS), request.form.get("do", ""), "", 200
    try:
        if does == "revoke" and _filled_in(form, "token"):
            id = _id_of(form["token"])
            _revoke(id, form)
            say(_("The token %(id)s is worth nothing any more.", id=id))
            return redirect(url_for("operator_tokens.show"))
        if does == "appoint" and _filled_in(form, "event", "name"):
            role: Any = form["role"]
            staff = {"name": form["name"], "role": role}
            made = muster().registration.appoint_staff(form["event"], **staff, idempotency_key=form.key).token
            leave_plain()
    except Problem as problem:
        form.refused(problem)
        status = problem.status
    revoked = muster().registration.list_revocations().items
    page = render_template("operator_tokens.html", form=form, made=made, revoked=revoked, roles=GIVEN, here="tokens")
    return page, status if status != 200 or form.good else 422


def _revoke(id: str, form: Form) -> None:
    """A token of an event is taken back there: its id begins with that of the event."""
    registration, why = muster().registration, form["reason"]
    event, dot, _rest = id.partition(".")
    if dot and event.startswith("t-"):
        registration.revoke_token(event, token_id=id, reason=why, idempotency_key=form.key)
    else:
        registration.revoke_installation_token(token_id=id, reason=why, idempotency_key=form.key)


def _id_of(text: str) -> str:
    """What a revocation names; a token may be given whole, of which nothing but its id goes on."""
    return str(claims_of(text).get("jti") or text)[:LONGEST_ID]


def _filled_in(form: Form, *fields: str) -> bool:
    for field in fields:
        if not form[field]:
            form.wrong(field, _("This is missing."))
    return form.good
