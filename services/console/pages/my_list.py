"""The page of a player's own list: entries, the word of the staff, and a form for another one while lists are open."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from muster_client import Problem, problems
from services.console.forms import Form
from services.console.language import _
from services.console.pages.lists import Unreadable, as_text, entries_of
from services.console.problem_words import fault_text
from services.console.result_form import field_of
from services.console.signed_in import here, muster
from services.console.undo import say

blueprint = Blueprint("my_list", __name__)
ENTRIES, WHOLE = "entries", "whole"
CHECK = "check"


@blueprint.route("/events/<event>/my-list", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """Show the list of the signed-in player; a post checks or hands in another one."""
    if not here().player:
        return redirect(url_for("home.enter"))
    asked = muster().registration
    me = asked.show_me(event)
    rules = asked.show_tournaments_ruleset(event).ruleset.get("roster") or {}
    fields: dict[str, str] = rules.get("fields") or {}
    found = asked.show_roster(event, me.player.id) if fields else None
    stands = found.roster if found else {}
    defaults = {
        name: as_text(stands.get(name)) if kind == ENTRIES else str(stands.get(name, ""))
        for name, kind in fields.items()
    }
    form = Form({name: f"/roster/{name}" for name in fields}, defaults=defaults)
    legal = False
    if form.sent and fields:
        roster = _entered_roster(form, fields)
        checks = request.form.get("do") == CHECK
        if form.is_valid:
            try:
                if checks:
                    asked.submit_roster(event, me.player.id, roster=roster, preview=True)
                    legal = True
                else:
                    asked.submit_roster(event, me.player.id, roster=roster, idempotency_key=form.key)
            except Problem as problem:
                _add_problem(form, problem)
            else:
                if not checks:
                    say(_("Your list is handed in."))
                    return redirect(url_for("my_list.show", event=event))
    page = render_template(
        "my_list.html",
        me=me,
        fields=fields,
        labels={name: field_of(name) for name in fields},
        found=found,
        form=form,
        legal=legal,
        open=bool(fields) and _is_open(event, me.player.id, stands),
        example={
            name: as_text(value) for name, value in (rules.get("example") or {}).items() if isinstance(value, list)
        },
    )
    return page, 200 if form.is_valid else 422


def _entered_roster(form: Form, fields: dict[str, str]) -> dict[str, Any]:
    roster: dict[str, Any] = {}
    for name, kind in fields.items():
        if kind == ENTRIES:
            try:
                roster[name] = entries_of(request.form.get(name, ""))
            except Unreadable as unreadable:
                form.add_fault(name, _("Line %(number)s cannot be read; look at the example.", number=unreadable.line))
        elif kind == WHOLE:
            value = form.whole(name)
            if value is not None:
                roster[name] = value
        elif form[name]:
            roster[name] = form[name]
    return {name: value for name, value in roster.items() if value != []}


def _add_problem(form: Form, problem: Problem) -> None:
    """Add each fault to its field, with the entry that it is about."""
    for fault in problem.faults:
        _empty, *place = fault.where.split("/")
        name, entry = (place[1], place[2] if len(place) > 2 else "") if len(place) > 1 else ("", "")
        if name not in form.pointers:
            break
        text = fault_text(fault)
        if entry.isdecimal():
            text = Markup("%s %s") % (_("Entry %(number)s:", number=int(entry) + 1), text)
        form.add_fault(name, text)
    else:
        if problem.faults:
            return
    form.faults.clear()
    form.add_problem(problem)


def _is_open(event: str, player: str, roster: dict[str, Any]) -> bool:
    """Return True if another list would be accepted: play has not begun, or the game waits for one."""
    try:
        muster().registration.submit_roster(event, player, roster=roster, preview=True)
    except (problems.RosterLocked, problems.TournamentOver, problems.PlayerNotActive):
        return False
    except Problem:
        return True
    return True
