"""The referees' queue: calls, disputes and appeals in the order they came; going to a table, and answering a call."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem, answers, problems
from services.console.forms import Form
from services.console.language import N_, _
from services.console.signed_in import ALL, here, muster, venue_shown
from services.console.undo import say
from services.console.waiting import KINDS, OPEN, counted_by_venue, queue_of, waiting_call

blueprint = Blueprint("referee", __name__)
POINTERS = {"answer": "/answer"}
QUICK = (N_("I explained the rule."), N_("They have more time now."), N_("They agreed between them."))
"""Answers that one tap gives."""


@blueprint.get("/events/<event>/referee")
def show(event: str) -> ResponseReturnValue:
    """The queue. `venue` shows one venue, `call` opens a call to answer it."""
    if not here().staff:
        return redirect(url_for("home.enter"))
    return _queue(event, Form(POINTERS), request.args.get("call", ""))


@blueprint.post("/events/<event>/referee")
def act(event: str) -> ResponseReturnValue:
    """Take, answer or end a call."""
    if not here().staff:
        return redirect(url_for("home.enter"))
    form, call, does = Form(POINTERS), request.form.get("call", ""), request.form.get("do", "")
    pairing = muster().pairing
    try:
        if does == "take":
            say(_("The call is yours."), pairing.take_call(event, call, idempotency_key=form.key))
        elif does == "answer":
            answer = form["answer"] or form["quick"]
            if not answer:
                form.add_fault("answer", _("Say in a word what you decided."))
                return _queue(event, form, call), 422
            say(_("Answered."), pairing.answer_call(event, call, answer=answer, idempotency_key=form.key))
        elif does == "end":
            pairing.withdraw_call(event, call, idempotency_key=form.key)
            say(_("The call is taken off the list."))
        else:
            say(_("Nothing was changed."))
    except problems.CallTaken as problem:
        form.above.append(_("%(referee)s was faster and goes there.", referee=problem.data.get("name", "")))
        return _queue(event, form, ""), problem.status
    except Problem as problem:
        form.add_problem(problem)
        return _queue(event, form, call if does == "answer" else ""), problem.status
    venue = request.args.get("venue")
    if does == "take":
        return redirect(url_for("referee.show", event=event, venue=venue, call=call, _anchor="open"))
    return redirect(url_for("referee.show", event=event, venue=venue))


def _queue(event: str, form: Form, call: str) -> str:
    shown = muster().registration.show_tournament(event)
    queue = queue_of(shown)
    venue = venue_shown(shown)
    items = queue.at(venue)
    opened = _opened(event, call)
    return render_template(
        "referee.html",
        event=shown,
        place="referee",
        form=form,
        items=items,
        away=queue.away,
        counts=counted_by_venue(queue, shown.venues),
        venue=venue,
        all_venues=ALL,
        kinds=KINDS,
        opened=waiting_call(opened) if opened is not None else None,
        mine=opened is not None and opened.referee == here().actor,
        quick=QUICK,
    )


def _opened(event: str, call: str) -> answers.JudgeCallView | None:
    """The call that is to be answered, while it is open."""
    if not call:
        return None
    try:
        found = muster().pairing.show_call(event, call)
    except problems.CallUnknown:
        return None
    return found if found.status in OPEN else None
