"""For whoever runs the installation: whether anything is wrong and what to do about it, and tokens."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import MusterError, Problem
from services.console.forms import Form
from services.console.health import AWAY, FAILED, OK, Condition, LastConditions, NotForYou, conditions
from services.console.language import N_, _
from services.console.operator_words import CASES, CHECKS, check_facts, check_name, remedy
from services.console.responses import leave_plain
from services.console.signed_in import EVERY_EVENT, claims_of
from services.console.toast import say
from services.console.upstream import here, muster
from services.console.words import ROLES

blueprint = Blueprint("operator", __name__)
INSTALLATION = "installation"
"""In place of an event's id: all of them."""
LITTLE_DISK = 10
"""Percent that are free, below which somebody should look."""
_KNOWN = "muster-last-conditions"
STATUS = {
    OK: (N_("works"), "is-bound"),
    "degraded": (N_("works, something is missing"), "is-half"),
    FAILED: (N_("cannot work"), "is-dispute"),
    AWAY: (N_("does not answer"), "is-dispute"),
}


class Row(Struct, frozen=True):
    """A service: as it is, or as it was last where it is away. ago: seconds since then."""

    now: Condition
    last: Condition | None
    ago: int

    @property
    def shown(self) -> Condition:
        return self.last or self.now


def for_operators(view: Callable[..., ResponseReturnValue]) -> Callable[..., ResponseReturnValue]:
    """Tell whoever holds no operator's token that this is not for them. What they may do, the services decide."""

    @wraps(view)
    def guarded(**parts: Any) -> ResponseReturnValue:
        if here().role != "operator" or here().tournament != EVERY_EVENT:
            return _not_for_you()
        return view(**parts)

    return guarded


@blueprint.get("/operator")
@for_operators
def show() -> ResponseReturnValue:
    """Whether anything is wrong, first; then each service, and each case of quarantine with its advice."""
    try:
        asked = conditions(muster(), _last_known())
    except NotForYou:
        return _not_for_you()
    rows = [Row(now, last, round(now.asked - last.asked) if last else 0) for now, last in asked]
    return render_template(
        "operator.html",
        rows=rows,
        wrong=[*(text for row in rows for text in _wrong(row)), *_not_told(rows)],
        status=STATUS,
        cases=CASES,
        check_name=check_name,
        check_facts=check_facts,
        remedy=remedy,
        here="health",
    )


def _wrong(row: Row) -> list[str]:
    """What is wrong with a service, in a line each."""
    name = row.now.service.capitalize()
    if row.now.status == AWAY:
        away = _("%(service)s does not answer. Start it; the others go on, and nothing is lost.", service=name)
        return [away]
    lines = [f"{name}: {_(CHECKS.get(check.name, check.name))}" for check in row.now.checks]
    if row.now.disk is not None and row.now.disk < LITTLE_DISK:
        lines.append(_("%(service)s: only %(percent)s %% of the disk are free.", service=name, percent=row.now.disk))
    return lines


def _not_told(rows: list[Row]) -> list[str]:
    """Webhooks of the installation that nothing reaches, a line each; none where scoring is away."""
    if any(row.now.service == "scoring" and row.now.status == AWAY for row in rows):
        return []
    try:
        webhooks = muster().scoring.list_webhooks(INSTALLATION).items
    except MusterError:
        return []
    return [
        _("Webhook %(name)s: nothing arrives, or messages were given up. See its deliveries.", name=one.name or one.id)
        for one in webhooks
        if one.status in ("failing", "target_lost") or one.dead
    ]


def _last_known() -> LastConditions:
    known: LastConditions = current_app.extensions.setdefault(_KNOWN, LastConditions())
    return known


def _not_for_you() -> ResponseReturnValue:
    what = _("This page is for whoever runs Muster. It takes an operator's token.")
    return render_template("refused.html", what=what, problem=None), 403


POINTERS = {"token": "/token_id", "reason": "/reason", "name": "/name", "organiser": "/organiser", "days": "/days"}
GIVEN = {role: ROLES[role] for role in ("organiser", "head_referee", "referee")}
"""Whom staff are given a token as -> in words."""
LONGEST_ID = 200


@blueprint.route("/operator/tokens", methods=["GET", "POST"])
@for_operators
def tokens() -> ResponseReturnValue:
    """Revoke a token; issue one to an organiser or to staff, which is shown once; list what was issued and revoked."""
    form, does, made, status = Form(POINTERS), request.form.get("do", ""), "", 200
    try:
        if does == "revoke" and _filled_in(form, "token"):
            id = _id_of(form["token"])
            _revoke(id, form)
            say(_("The token %(id)s is worth nothing any more.", id=id))
            return redirect(url_for("operator.tokens"))
        if does == "issue" and _filled_in(form, "organiser"):
            body: Any = {"organiser": form["organiser"]}
            if form["days"]:
                body["days"] = int(form["days"]) if form["days"].isdecimal() else form["days"]
            made = muster().registration.issue_organiser_token(**body, idempotency_key=form.key).token
            leave_plain()
        if does == "appoint" and _filled_in(form, "event", "name"):
            role: Any = form["role"]
            staff = {"name": form["name"], "role": role}
            made = muster().registration.appoint_staff(form["event"], **staff, idempotency_key=form.key).token
            leave_plain()
    except Problem as problem:
        form.add_problem(problem)
        status = problem.status
    lists = {
        "issued": muster().registration.list_organiser_tokens().items,
        "revoked": muster().registration.list_revocations().items,
    }
    page = render_template("operator_tokens.html", form=form, made=made, **lists, roles=GIVEN, here="tokens")
    return page, status if status != 200 or form.is_valid else 422


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
            form.add_fault(field, _("This is missing."))
    return form.is_valid
