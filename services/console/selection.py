"""One action for several selected rows. Each row is sent on its own, so a refusal concerns only its row.

The form of a selection stands below its list; the boxes of the rows belong to it by `form="several"`, so no script is
needed. What was done stays done; the rows that were refused stay selected, each with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any
from uuid import uuid4

from flask import request
from markupsafe import Markup
from msgspec import Struct

from muster_client import Problem, Unreachable, answers
from services.console.forms import LONGEST_KEY, Form
from services.console.language import _
from services.console.problem_words import fault_text, problem_text
from services.console.undo import flash

PART = "several"
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
MOST = 100
"""Rows of one form: those of a page."""
TOO_OFTEN, AWAY = 429, 500
"""Statuses after which the remaining rows are not tried: the first one, and those from the second one on."""


class Refused(Struct, frozen=True):
    """A row that was refused. id: of the row. text: why."""

    id: str
    name: str
    text: str | Markup


class Done(Struct, frozen=True):
    """The events of all rows that were done, as the answer to one command."""

    events: Sequence[answers.EventView]


class Selection(Struct):
    """The form of a selection. ids: the selected rows. said: what was done. refused: the rows that were not."""

    form: Form
    ids: Collection[str] = ()
    said: str = ""
    refused: Sequence[Refused] = ()

    def is_ticked(self, id: str) -> bool:
        """Return True if the box of a row is ticked: it was selected and not done, or the page selects all."""
        return id in self.ids or request.args.get("select") == "all"


def selection(pointers: Mapping[str, str], field: str) -> Selection:
    """Return the selection that was sent, or an empty one. field: the name of the boxes. pointers: as for `Form`."""
    form = Form(pointers, part=PART)
    ids = dict.fromkeys(filter(None, form.all(field))) if form.sent else {}
    if form.sent and not ids:
        form.add_fault(PART, _("Select one or more rows."))
    elif len(ids) > MOST:
        form.add_fault(PART, _("Select %(most)s rows at most.", most=MOST))
    elif not all(map(ID.fullmatch, ids)):
        form.add_fault(PART, _("Select rows of this page."))
    return Selection(form, ids)


def act_on_each(
    chosen: Selection,
    action: str,
    act: Callable[[str, str], Any],
    name_of: Callable[[str], str],
    say: Callable[[int], str],
) -> bool:
    """Send an action for each selected row. Return True if all were done; the next page then says so.

    action: its name, part of the idempotency keys. act: takes the id of a row and its key, and returns the answer.
    name_of: the name of a row that was refused. say: what was done, by its count. A fault of a field that all rows
    share ends the action.
    """
    form, done, events = chosen.form, set[str](), list[answers.EventView]()
    refused: list[Refused] = []
    stopped: str | Markup = ""
    for id in chosen.ids:
        text = stopped
        if not stopped:
            try:
                events += act(id, f"{form.key}-{action}-{id}"[-LONGEST_KEY:]).events
                done.add(id)
                continue
            except Unreachable:
                text = stopped = _("Not saved: there was no answer.")
            except Problem as problem:
                if _concerns_fields(problem, form):
                    form.add_problem(problem)
                    break
                text = _reason(problem)
                stopped = text if problem.status == TOO_OFTEN or problem.status >= AWAY else ""
        refused.append(Refused(id, name_of(id), text))
    chosen.said, chosen.refused = say(len(done)) if done else "", refused
    if done:
        flash(chosen.said, Done(events))
    if form.is_valid and not refused:
        return True
    chosen.ids = [id for id in chosen.ids if id not in done]
    form.key = str(uuid4())
    return False


def _concerns_fields(problem: Problem, form: Form) -> bool:
    """Return True if every fault of a problem is about a field of the form, which all rows share."""
    faults = problem.faults
    return bool(faults) and all(any(fault.where == at for at in form.pointers.values()) for fault in faults)


def _reason(problem: Problem) -> str | Markup:
    """Return why a row was refused, with its faults."""
    return Markup(" ").join([Markup("%s") % problem_text(problem), *map(fault_text, problem.faults)])
