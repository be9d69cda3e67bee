"""Lists of players: their text form, the pages where staff check them, and the player's own page.

In the text form an entry is a line with its parts after semicolons; what belongs to it is on indented lines below:

    Alpha; 70; class leader
      perks: Action Boy; 5; requisite 5
    Beta; 48; class champion

A part that is only a number is the points; any other part begins with its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, cast

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from msgspec import Struct

from muster_client import Fault, Problem, problems
from services.console.forms import Form
from services.console.language import _
from services.console.problem_words import NOTHING, fault_text
from services.console.result_form import TOTALS, list_label
from services.console.signed_in import ALL, current_person, muster, venue_shown
from services.console.undo import flash

LONGEST, DEEPEST = 500, 5
"""Lines of one field, and how far in they go."""
LATER = re.compile(r"(?P<list>[A-Za-z_]{1,40}): *(?P<entry>.*)")
PART = re.compile(r"(?P<name>[A-Za-z_]{1,40}) +(?P<value>.+)")
NUMBER = re.compile(r"[0-9]{1,9}")
INDENT = "  "


class Unreadable(ValueError):
    """A line is not an entry. line: its number, from 1."""

    def __init__(self, line: int) -> None:
        self.line = line
        super().__init__(f"line {line}")


class _Line(Struct, frozen=True):
    number: int
    depth: int
    text: str


def as_text(entries: Any) -> str:
    """Return entries of a list in their text form."""
    return "\n".join(_lines(entries if isinstance(entries, list) else [], ""))


def entries_of(text: str) -> list[dict[str, Any]]:
    """Return the entries of a text. Raises Unreadable for the first line that is not an entry."""
    lines = [
        _Line(number, len(line) - len(line.lstrip()), line.strip())
        for number, line in enumerate(text.expandtabs(4).splitlines(), 1)
        if line.strip()
    ]
    if len(lines) > LONGEST:
        raise Unreadable(lines[LONGEST].number)
    entries: list[dict[str, Any]] = []
    above: list[tuple[int, dict[str, Any]]] = []
    for line in lines:
        while above and above[-1][0] >= line.depth:
            above.pop()
        later = LATER.fullmatch(line.text) if above else None
        if len(above) > DEEPEST or (above and later is None):
            raise Unreadable(line.number)
        entry = _entry(later["entry"] if later else line.text, line.number)
        inner = above[-1][1].setdefault(later["list"], []) if later else entries
        if not isinstance(inner, list):
            raise Unreadable(line.number)
        inner.append(entry)
        above.append((line.depth, entry))
    return entries


def _entry(text: str, line: int) -> dict[str, Any]:
    name, *parts = (part.strip() for part in text.split(";"))
    if not name:
        raise Unreadable(line)
    entry: dict[str, Any] = {"name": name}
    for part in filter(None, parts):
        if NUMBER.fullmatch(part):
            entry["points"] = int(part)
            continue
        match = PART.fullmatch(part)
        if match is None or match["name"] == "name":
            raise Unreadable(line)
        value = match["value"]
        entry[match["name"]] = int(value) if NUMBER.fullmatch(value) else value
    return entry


def _lines(entries: Sequence[Any], indent: str) -> Iterator[str]:
    for entry in entries:
        if not isinstance(entry, Mapping):
            continue
        parts = [str(entry.get("name", ""))]
        parts += [f"{entry['points']}"] if "points" in entry else []
        plain = {name: value for name, value in entry.items() if name not in ("name", "points")}
        parts += [f"{name} {value}" for name, value in plain.items() if not isinstance(value, list)]
        yield indent + "; ".join(parts)
        for name, inner in plain.items():
            if isinstance(inner, list):
                for line in _lines(inner, ""):
                    own = not line.startswith(INDENT)
                    yield f"{indent}{INDENT}{name}: {line}" if own else f"{indent}{INDENT}{line}"


blueprint = Blueprint("lists", __name__)
PAGE = 100
STATES = ("submitted", "none", "accepted", "rejected")
State = Literal["none", "submitted", "accepted", "rejected"]


@blueprint.get("/events/<event>/lists")
def show(event: str) -> ResponseReturnValue:
    """List players by the status of their roster; those that wait for staff come first."""
    state = request.args.get("state", STATES[0])
    state = state if state in STATES else STATES[0]
    after = request.args.get("after") or None
    tournament = muster().registration.show_tournament(event)
    venue = venue_shown(tournament)
    players = muster().registration.list_players(
        event,
        roster=cast(State, state),
        limit=PAGE,
        after=after,
        sort="name",
        status="active",
        venue=venue or None,
    )
    return render_template(
        "lists.html", event=tournament, players=players, state=state, venue=venue, all_venues=ALL, place="players"
    )


@blueprint.route("/events/<event>/lists/<player>", methods=["GET", "POST"])
def one(event: str, player: str) -> ResponseReturnValue:
    """Show a roster with its faults; staff accept it or send it back with a reason."""
    form, registration = Form({"note": "/note"}), muster().registration
    if form.sent:
        action = request.form.get("do", "")
        if action == "reject" and not form["note"]:
            form.add_fault("note", _("Say why, so that the player can fix it."))
        if form.is_valid:
            try:
                if action == "accept":
                    done = registration.accept_roster(event, player, note=form["note"], idempotency_key=form.key)
                    flash(_("The list is accepted."), done)
                else:
                    done = registration.reject_roster(event, player, note=form["note"], idempotency_key=form.key)
                    flash(_("The list is sent back."), done)
                return redirect(url_for("lists.show", event=event))
            except Problem as problem:
                form.add_problem(problem)
    page = render_template(
        "list.html",
        event=registration.show_tournament(event),
        player=registration.show_player(event, player),
        roster=registration.show_roster(event, player),
        form=form,
        place="players",
    )
    return page, 200 if form.is_valid else 422


ENTRIES, WHOLE = "entries", "whole"
CHECK = "check"


@blueprint.route("/events/<event>/my-list", methods=["GET", "POST"])
def mine(event: str) -> ResponseReturnValue:
    """Show the list of the signed-in player; a post checks or hands in a new one."""
    if not current_person().player:
        return redirect(url_for("home.enter"))
    registration = muster().registration
    me = registration.show_me(event)
    rules = registration.show_tournaments_ruleset(event).ruleset.get("roster") or {}
    fields: dict[str, str] = rules.get("fields") or {}
    found = registration.show_roster(event, me.player.id) if fields else None
    roster_now = found.roster if found else {}
    defaults = {
        name: as_text(roster_now.get(name)) if kind == ENTRIES else str(roster_now.get(name, ""))
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
                    registration.submit_roster(event, me.player.id, roster=roster, preview=True)
                    legal = True
                else:
                    registration.submit_roster(event, me.player.id, roster=roster, idempotency_key=form.key)
            except Problem as problem:
                _add_problem(form, problem)
            else:
                if not checks:
                    flash(_("Your list is handed in."))
                    return redirect(url_for("lists.mine", event=event))
    page = render_template(
        "my_list.html",
        me=me,
        fields=fields,
        labels={name: list_label(name) for name in fields},
        found=found,
        form=form,
        legal=legal,
        open=bool(fields) and _is_open(event, me.player.id, roster_now),
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
                form.add_fault(name, _("Line %(number)s cannot be read; see the example.", number=unreadable.line))
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
        text = _missing_total(name, fault) or fault_text(fault)
        if entry.isdecimal():
            text = Markup("%s %s") % (_("Entry %(number)s:", number=int(entry) + 1), text)
        form.add_fault(name, text)
    else:
        if problem.faults:
            return
    form.faults.clear()
    form.add_problem(problem)


def _missing_total(name: str, fault: Fault) -> str:
    if name not in TOTALS or fault.said not in NOTHING:
        return ""
    return f"{_(TOTALS[name])} ({fault.clause})" if fault.clause else _(TOTALS[name])


def _is_open(event: str, player: str, roster: dict[str, Any]) -> bool:
    """Return True if another list would be accepted: play has not begun, or the game waits for one."""
    try:
        muster().registration.submit_roster(event, player, roster=roster, preview=True)
    except (problems.RosterLocked, problems.TournamentOver, problems.PlayerNotActive):
        return False
    except Problem:
        return True
    return True
