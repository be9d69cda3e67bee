"""For whoever runs the installation: is anything wrong, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Blueprint, current_app, render_template
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import MusterError
from services.console.health import AWAY, FAILED, OK, Condition, LastConditions, NotForYou, conditions
from services.console.language import N_, _
from services.console.operator_words import CASES, CHECKS, check_name, found, remedy
from services.console.signed_in import EVERY_EVENT
from services.console.upstream import here, muster

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
        found=found,
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
