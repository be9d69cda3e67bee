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

from muster_client import Fault, Problem, answers, problems
from muster_client.generated.bodies import SubmitRosterBody
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
STATES = ("none", "submitted", "rejected", "accepted")
"""Status of a list, in the order of the page."""
TO_DO = ("submitted", "none", "rejected")
"""Statuses that wait for someone. The page opens on the first one that a player has."""
State = Literal["none", "submitted", "accepted", "rejected"]
MOST_NAMES = 20
"""Names of players without a list on the page that pairs round 1."""


class Unlisted(Struct, frozen=True):
    """Players who have no accepted list. total: their number. names: names of the first ones. state: status to show."""

    total: int
    names: list[str]
    state: str


def players_without_list(event: Any) -> Unlisted | None:
    """Return the active players without an accepted list; None if the event requires no lists or none is missing."""
    if not event.tier_rules.list_due:
        return None
    pages = {state: _players(event.id, state, limit=MOST_NAMES) for state in ("none", "submitted", "rejected")}
    names = [one.name for page in pages.values() for one in page.items]
    first = next((state for state, page in pages.items() if page.total), "")
    return Unlisted(sum(page.total for page in pages.values()), names[:MOST_NAMES], first) if first else None


def _players(event: str, state: str, **how: Any) -> answers.PlayerPage:
    return muster().registration.list_players(event, roster=cast(State, state), sort="name", status="active", **how)


@blueprint.get("/events/<event>/lists")
def show(event: str) -> ResponseReturnValue:
    """List players by the status of their list; open on the lists that wait for someone."""
    after = request.args.get("after") or None
    tournament = muster().registration.show_tournament(event)
    venue = venue_shown(tournament)
    counts = {state: _players(event, state, limit=1, venue=venue or None).total for state in STATES}
    state = request.args.get("state", "")
    if state not in STATES:
        state = next((one for one in TO_DO if counts[one]), "accepted" if counts["accepted"] else "none")
    return render_template(
        "lists.html",
        event=tournament,
        players=_players(event, state, limit=PAGE, after=after, venue=venue or None),
        counts=counts,
        state=state,
        venue=venue,
        all_venues=ALL,
        place="players",
    )


@blueprint.route("/events/<event>/lists/<player>", methods=["GET", "POST"])
def one(event: str, player: str) -> ResponseReturnValue:
    """Show a list with its faults; staff accept it, send it back with a reason, or enter one for the player."""
    registration, sheet = muster().registration, _sheet(event)
    found = registration.show_roster(event, player)
    form = _list_form(sheet, found.roster, {"note": "/note", "override": "/override"})
    who, action, legal = registration.show_player(event, player), request.form.get("do", ""), False
    if form.sent and action in (CHECK, SEND):
        legal = _hand_in(event, player, form, sheet, preview=action == CHECK, override=form["override"])
        if form.is_valid and not legal:
            flash(_("The list of %(player)s is saved.", player=who.name))
            return redirect(url_for("lists.show", event=event))
    elif form.sent and _decide(event, player, form, action):
        return redirect(url_for("lists.show", event=event))
    enters = bool(sheet.fields) and who.status in ("active", "waiting") and current_person().acts_at(who.venue)
    page = render_template(
        "list.html",
        event=registration.show_tournament(event),
        player=who,
        roster=found,
        form=form,
        sheet=sheet,
        legal=legal,
        enters=enters,
        locked=enters and not _is_open(event, player, found.roster),
        entering=form.sent and action in (CHECK, SEND),
        place="players",
    )
    return page, 200 if form.is_valid else 422


def _decide(event: str, player: str, form: Form, action: str) -> bool:
    """Accept a list or send it back. Return True if that is done; add every fault to the form."""
    registration = muster().registration
    if action == "reject" and not form["note"]:
        form.add_fault("note", _("Say why, so that the player can fix it."))
        return False
    try:
        if action == "accept":
            done = registration.accept_roster(event, player, note=form["note"], idempotency_key=form.key)
            flash(_("The list is accepted."), done)
        else:
            rejected = registration.reject_roster(event, player, note=form["note"], idempotency_key=form.key)
            flash(_("The list was sent back."), rejected)
    except Problem as problem:
        form.add_problem(problem)
        return False
    return True


ENTRIES, WHOLE = "entries", "whole"
CHECK, SEND = "check", "send"


class Sheet(Struct, frozen=True):
    """The fields of a list in the event's ruleset: name -> kind, label, and an example of its entries."""

    fields: dict[str, str]
    labels: dict[str, str]
    example: dict[str, str]


def _sheet(event: str) -> Sheet:
    rules = muster().registration.show_tournaments_ruleset(event).ruleset.get("roster") or {}
    fields: dict[str, str] = rules.get("fields") or {}
    example = rules.get("example") or {}
    return Sheet(
        fields,
        {name: list_label(name) for name in fields},
        {name: as_text(value) for name, value in example.items() if isinstance(value, list)},
    )


def _list_form(sheet: Sheet, roster: Mapping[str, Any], others: Mapping[str, str] | None = None) -> Form:
    """Return the form of a list, filled with the current one. others: further fields -> their pointers."""
    defaults = {
        name: as_text(roster.get(name)) if kind == ENTRIES else str(roster.get(name, ""))
        for name, kind in sheet.fields.items()
    }
    return Form({**{name: f"/roster/{name}" for name in sheet.fields}, **(others or {})}, defaults=defaults)


def _hand_in(event: str, player: str, form: Form, sheet: Sheet, *, preview: bool, override: str = "") -> bool:
    """Hand in or check the list of a form. Return True if a preview found it legal; add every fault to the form."""
    roster, registration = _entered_roster(form, sheet.fields), muster().registration
    if not form.is_valid:
        return False
    body: SubmitRosterBody = {"roster": roster}
    if override:
        body["override"] = override
    try:
        if preview:
            registration.submit_roster(event, player, preview=True, **body)
        else:
            registration.submit_roster(event, player, idempotency_key=form.key, **body)
    except Problem as problem:
        _add_problem(form, problem)
        return False
    return preview


@blueprint.route("/events/<event>/my-list", methods=["GET", "POST"])
def mine(event: str) -> ResponseReturnValue:
    """Show the list of the signed-in player; a post checks or hands in a new one."""
    if not current_person().player:
        return redirect(url_for("home.enter"))
    registration = muster().registration
    me, sheet = registration.show_me(event), _sheet(event)
    found = registration.show_roster(event, me.player.id) if sheet.fields else None
    roster_now = found.roster if found else {}
    form, legal = _list_form(sheet, roster_now), False
    if form.sent and sheet.fields:
        legal = _hand_in(event, me.player.id, form, sheet, preview=request.form.get("do") == CHECK)
        if form.is_valid and not legal:
            flash(_("Your list is handed in."))
            return redirect(url_for("lists.mine", event=event))
    page = render_template(
        "my_list.html",
        me=me,
        sheet=sheet,
        found=found,
        form=form,
        legal=legal,
        open=bool(sheet.fields) and _is_open(event, me.player.id, roster_now),
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
