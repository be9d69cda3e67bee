"""Lists of players: the pages where staff check, enter or accept them, and the player's own page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from msgspec import Struct

from muster_client import Fault, Problem, answers, problems
from muster_client.generated.bodies import SubmitRosterBody
from services.console.forms import Form
from services.console.language import _, ngettext
from services.console.list_text import (
    ENTRIES,
    WHOLE,
    BadFile,
    Unreadable,
    as_file,
    as_text,
    entries_of,
    read_file,
    too_large,
)
from services.console.problem_words import NOTHING, fault_text
from services.console.result_form import TOTALS, list_label
from services.console.signed_in import ALL, current_person, may_decide, muster, venue_shown
from services.console.undo import flash

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


@blueprint.route("/events/<event>/lists", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """List players by the status of their list; open on the lists that wait for someone.

    A post accepts the lists of several players, which staff saw on paper.
    """
    after = request.args.get("after") or None
    tournament = muster().registration.show_tournament(event)
    venue, sheet = venue_shown(tournament), _sheet(event)
    papers = Form(part=PAPER)
    if papers.sent and _accept_papers(event, papers, sheet) and papers.is_valid:
        return redirect(url_for("lists.show", event=event, state=request.args.get("state") or None, venue=venue or ALL))
    counts = {state: _players(event, state, limit=1, venue=venue or None).total for state in STATES}
    state = request.args.get("state", "")
    if state not in STATES:
        state = next((one for one in TO_DO if counts[one]), "accepted" if counts["accepted"] else "none")
    page = render_template(
        "lists.html",
        event=tournament,
        papers=papers,
        sheet=sheet,
        sees_papers=bool(sheet.fields) and state != "accepted" and may_decide(tournament, "lists"),
        players=_players(event, state, limit=PAGE, after=after, venue=venue or None),
        counts=counts,
        state=state,
        venue=venue,
        all_venues=ALL,
        place="players",
    )
    return page, _status(papers)


@blueprint.route("/events/<event>/lists/<player>", methods=["GET", "POST"])
def one(event: str, player: str) -> ResponseReturnValue:
    """Show a list with its faults. Staff accept it, send it back, enter one for the player, or accept one on paper."""
    registration, sheet = muster().registration, _sheet(event)
    found = registration.show_roster(event, player)
    paper = _paper_form(sheet, found)
    form = _list_form(sheet, found.roster, {"note": "/note", "override": "/override"})
    who, action, legal = registration.show_player(event, player), "", False
    if paper.sent:
        if _accept_paper(event, player, paper, sheet):
            flash(_("The list of %(player)s is accepted on paper.", player=who.name))
            return redirect(url_for("lists.show", event=event))
    elif form.sent:
        action = request.form.get("do", "")
    if action in (CHECK, SEND):
        legal = _hand_in(event, player, form, sheet, preview=action == CHECK, override=form["override"])
        if form.is_valid and not legal:
            flash(_("The list of %(player)s is saved.", player=who.name))
            return redirect(url_for("lists.show", event=event))
    elif action and _decide(event, player, form, action):
        return redirect(url_for("lists.show", event=event))
    enters = bool(sheet.fields) and who.status in ("active", "waiting") and current_person().acts_at(who.venue)
    tournament = registration.show_tournament(event)
    page = render_template(
        "list.html",
        event=tournament,
        player=who,
        roster=found,
        form=form,
        sheet=sheet,
        legal=legal,
        enters=enters,
        paper=paper,
        sees_papers=enters and may_decide(tournament, "lists"),
        locked=enters and not _is_open(event, player, found.roster),
        entering=action in (CHECK, SEND) or form.too_large,
        place="players",
    )
    return page, _status(form, paper)


def _status(*forms: Form) -> int:
    """Return the status of a page with forms: 413 after one that was too large, 422 with faults, else 200."""
    if any(form.too_large for form in forms):
        return 413
    return 200 if all(form.is_valid for form in forms) else 422


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


CHECK, SEND, PAPER = "check", "send", "paper"
TAKE_FILES = frozenset({"lists.one", "lists.mine"})
"""Pages that take a file with a list."""


class Sheet(Struct, frozen=True):
    """The fields of a list in the event's ruleset: name -> kind, label, and an example of its entries.

    file: the example as a text file. totals: fields with the total points of a list.
    """

    fields: dict[str, str]
    labels: dict[str, str]
    example: dict[str, str]
    file: str
    totals: list[str]


def _sheet(event: str) -> Sheet:
    rules = muster().registration.show_tournaments_ruleset(event).ruleset.get("roster") or {}
    fields: dict[str, str] = rules.get("fields") or {}
    example = rules.get("example") or {}
    return Sheet(
        fields,
        {name: list_label(name) for name in fields},
        {name: as_text(value) for name, value in example.items() if isinstance(value, list)},
        as_file(example, fields),
        list(dict.fromkeys(check["written"] for check in rules.get("checks") or () if check.get("written") in fields)),
    )


def _list_form(sheet: Sheet, roster: Mapping[str, Any], others: Mapping[str, str] | None = None) -> Form:
    """Return the form of a list, filled with the current one. others: further fields -> their pointers."""
    defaults = {
        name: as_text(roster.get(name)) if kind == ENTRIES else str(roster.get(name, ""))
        for name, kind in sheet.fields.items()
    }
    form = Form({**{name: f"/roster/{name}" for name in sheet.fields}, **(others or {})}, defaults=defaults)
    if form.too_large:
        form.add_fault(FILE, too_large())
    return form


def _paper_form(sheet: Sheet, found: answers.RosterView) -> Form:
    """Return the form of a list on paper: its totals and the reason."""
    fields = {f"{PAPER}-{name}": f"/roster/{name}" for name in sheet.totals}
    defaults = {f"{PAPER}-{name}": str(found.roster.get(name, "")) for name in sheet.totals}
    return Form({**fields, "on_paper": "/on_paper"}, defaults=defaults, part=PAPER)


def _accept_paper(
    event: str, player: str, form: Form, sheet: Sheet, of_player: str = "", *, preview: bool = False
) -> bool:
    """Accept a list that staff saw on paper. Return True if that is done; add every fault to the form.

    of_player: end of the names of the player's fields, in a form of several players. preview: only find the faults.
    """
    totals = {name: form.whole(f"{PAPER}-{name}{of_player}") for name in sheet.totals}
    if not form["on_paper"] and "on_paper" not in form.faults:
        form.add_fault("on_paper", _("Say why the list is not entered."))
    if "on_paper" in form.faults or any(f"{PAPER}-{name}{of_player}" in form.faults for name in totals):
        return False
    roster = {name: total for name, total in totals.items() if total is not None}
    try:
        registration = muster().registration
        if preview:
            registration.submit_roster(event, player, preview=True, roster=roster, on_paper=form["on_paper"])
        else:
            key = f"{form.key}{of_player}"
            registration.submit_roster(event, player, roster=roster, on_paper=form["on_paper"], idempotency_key=key)
    except Problem as problem:
        form.pointers = {f"{PAPER}-{name}{of_player}": f"/roster/{name}" for name in totals} | {"on_paper": "/on_paper"}
        form.add_problem(problem)
        return False
    return True


def _accept_papers(event: str, form: Form, sheet: Sheet) -> int:
    """Accept the lists of the players that are ticked or have a total: all, or none if one has a fault.

    Return the number of accepted lists; add every fault to the form.
    """
    fields = [name for name in request.form if name.startswith(f"{PAPER}-") and form[name]]
    typed = [name.rpartition(".")[2] for name in fields if "." in name]
    chosen = list(dict.fromkeys([*form.all("player"), *typed]))[:PAGE]
    if not chosen:
        form.add_fault("on_paper", _("Tick the players, or enter the totals of their lists."))
        return 0
    for player in chosen:
        _accept_paper(event, player, form, sheet, f".{player}", preview=True)
    accepted = [
        player for player in chosen if form.is_valid and _accept_paper(event, player, form, sheet, f".{player}")
    ]
    if accepted:
        done = ngettext("%(num)s list is accepted on paper.", "%(num)s lists are accepted on paper.", len(accepted))
        flash(done)
    return len(accepted)


def _hand_in(event: str, player: str, form: Form, sheet: Sheet, *, preview: bool, override: str = "") -> bool:
    """Hand in or check the list of a form. Return True if a preview found it legal; add every fault to the form."""
    roster, registration = _roster_of(form, sheet), muster().registration
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
    return page, _status(form)


FILE = "file"


def _roster_of(form: Form, sheet: Sheet) -> dict[str, Any]:
    """Return the list of a form: that of the chosen file, otherwise the typed one. Add every fault to the form."""
    given = request.files.get(FILE)
    if given is None or not given.filename:
        return _entered_roster(form, sheet.fields)
    try:
        found = read_file(given.read(), sheet.fields)
    except BadFile as bad:
        form.add_fault(FILE, bad.args[0])  # `str` would lose its markup
        return {}
    form.replace(found.texts)
    return _entered_roster(form, sheet.fields) if found.roster is None else found.roster


def _entered_roster(form: Form, fields: dict[str, str]) -> dict[str, Any]:
    roster: dict[str, Any] = {}
    for name, kind in fields.items():
        if kind == ENTRIES:
            try:
                roster[name] = entries_of(form.text(name))
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
