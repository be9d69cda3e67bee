"""The referees' queue of calls, disputes and appeals, and a player's call of a referee."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, cast

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Problem, Unreachable, answers, problems
from services.console.forms import Form
from services.console.language import N_, _, ngettext
from services.console.signed_in import ALL, current_person, muster, venue_shown
from services.console.undo import flash

About = Literal["rules", "time", "dispute", "other"]
ABOUT = {
    "rules": N_("Rules"),
    "time": N_("Time"),
    "dispute": N_("We disagree"),
    "other": N_("Something else"),
}
"""Reason of a call -> words."""
CALL_POINTERS = {"about": "/reason", "details": "/text"}
OPEN = ("waiting", "taken")
PAGE = 500
"""Calls read at once; no event has more open ones."""
KEPT = 20
"""Calls of one player to one table."""


def my_call(event: str, game: str) -> answers.JudgeCallView | None:
    """Return the last call of the signed-in player to a table, unless it was withdrawn."""
    calls: Sequence[answers.JudgeCallView] = muster().pairing.list_calls(event, game=game, limit=KEPT).items
    kept = [call for call in calls if call.status != "withdrawn"]
    return kept[-1] if kept else None


def call_a_judge(event: str, game: str, form: Form) -> None:
    """Call a referee to a table; a second call by the same player is not an error. Raises Problem."""
    about = cast(About, form["about"] if form["about"] in ABOUT else "other")
    try:
        muster().pairing.call_judge(event, game=game, reason=about, text=form["details"], idempotency_key=form.key)
    except problems.JudgeAlreadyCalled:
        mine = my_call(event, game)
        if mine is None or mine.status not in OPEN:
            form.above.append(_("A referee has already been called to this table. Stay where you are."))


def withdraw_my_call(event: str, form: Form) -> None:
    """Withdraw a call; a call that is over stays as it ended. Raises Problem."""
    try:
        muster().pairing.withdraw_call(event, form["call"], idempotency_key=form.key)
    except problems.CallOver:
        return


KINDS = {"call": N_("Referee called"), "dispute": N_("Disputed result"), "appeal": N_("Appeal against a ruling")}
MINUTES, HOURS = 60, 3600
"""Seconds."""


class Waiting(Struct, frozen=True):
    """An item of the queue. id: id of the call or the game. about: kind of call. who: the waiting player.

    referee: id and name of the referee who took a call; empty if no one has. at: start of the wait.
    """

    kind: str
    id: str
    game: str
    table: int
    venue: str
    venue_name: str
    players: Sequence[str]
    who: str
    about: str
    text: str
    at: str
    referee: str = ""
    referee_name: str = ""
    table_label: str | None = None

    @property
    def age(self) -> str:
        """The waiting time as text, such as `6 minutes ago`."""
        return age_of(self.at, datetime.now(UTC))


class Queue(Struct, frozen=True):
    """The queue, oldest first. away: services that did not respond, so that their items are missing."""

    items: Sequence[Waiting]
    away: Sequence[str]

    def at(self, venue: str) -> Sequence[Waiting]:
        """Return the items at a venue; all of them for an empty id."""
        return [one for one in self.items if venue in ("", one.venue)]


def queue_of(event: answers.TournamentView) -> Queue:
    """Return the queue of an event. If a service is away, only its items are missing."""
    venues = {venue.id: venue.name for venue in event.venues}
    away: list[str] = []

    def read(service: str, ask: Callable[[], Iterable[Waiting]]) -> list[Waiting]:
        try:
            return list(ask())
        except Unreachable:
            away.append(service)
            return []

    found = read("pairing", lambda: _calls(event.id)) + read("scoring", lambda: _contested(event.id, venues))
    return Queue(sorted(found, key=lambda one: (one.at, one.kind, one.id)), away)


def _calls(event: str) -> Iterator[Waiting]:
    for call in muster().pairing.list_calls(event, status="open", limit=PAGE).items:
        yield waiting_call(call)


def waiting_call(call: answers.JudgeCallView) -> Waiting:
    """Return a call as an item of the queue."""
    return Waiting(
        kind="call",
        id=call.id,
        game=call.game,
        table=call.table,
        venue=call.venue,
        venue_name=call.venue_name,
        players=[one.name for one in call.players],
        who=call.caller_name,
        about=_(ABOUT[call.reason]) if call.reason in ABOUT else call.reason,
        text=call.text,
        at=call.called_at,
        referee=call.referee,
        referee_name=call.referee_name,
        table_label=call.table_label,
    )


def _contested(event: str, venues: dict[str, str]) -> Iterator[Waiting]:
    for game in muster().scoring.list_games(event, round="all", contested=True, limit=PAGE).items:
        if game.contest is not None:
            yield Waiting(
                kind=game.contest.kind,
                id=game.id,
                game=game.id,
                table=game.table,
                venue=game.venue,
                venue_name=venues.get(game.venue, ""),
                players=[game.name_1, game.name_2],
                who=game.contest.name,
                about="",
                text=game.contest.reason,
                at=game.contest.at,
                table_label=game.table_label,
            )


def age_of(moment: str, now: datetime) -> str:
    """Return how long ago a moment was, in words; "just now" for the future, empty for an invalid one."""
    try:
        seconds = (now - datetime.fromisoformat(moment)).total_seconds()
    except (ValueError, TypeError):
        return ""
    if seconds < MINUTES:
        return _("just now")
    if seconds < 2 * HOURS:
        return ngettext("for %(num)s minute", "for %(num)s minutes", int(seconds // MINUTES))
    return ngettext("for %(num)s hour", "for %(num)s hours", int(seconds // HOURS))


def counted_by_venue(queue: Queue, venues: Iterable[Any]) -> dict[str, int]:
    """Return venue -> number of items; the empty venue has all."""
    return {"": len(queue.items)} | {venue.id: len(queue.at(venue.id)) for venue in venues}


blueprint = Blueprint("referee", __name__)
POINTERS = {"answer": "/answer"}
QUICK = (N_("I explained the rule."), N_("They have more time now."), N_("They agreed between them."))
"""Answers that one tap sends."""


@blueprint.get("/events/<event>/referee")
def show(event: str) -> ResponseReturnValue:
    """Show the queue. `venue` filters, `call` opens a call to answer it."""
    if not current_person().staff:
        return redirect(url_for("home.enter"))
    return _queue(event, Form(POINTERS), request.args.get("call", ""))


@blueprint.post("/events/<event>/referee")
def act(event: str) -> ResponseReturnValue:
    """Take, answer or end a call."""
    if not current_person().staff:
        return redirect(url_for("home.enter"))
    form, call, action = Form(POINTERS), request.form.get("call", ""), request.form.get("do", "")
    pairing = muster().pairing
    try:
        if action == "take":
            flash(_("You have taken the call."), pairing.take_call(event, call, idempotency_key=form.key))
        elif action == "answer":
            answer = form["answer"] or form["quick"]
            if not answer:
                form.add_fault("answer", _("Enter a short answer."))
                return _queue(event, form, call), 422
            flash(_("Answered."), pairing.answer_call(event, call, answer=answer, idempotency_key=form.key))
        elif action == "end":
            pairing.withdraw_call(event, call, idempotency_key=form.key)
            flash(_("The call was removed from the list."))
        else:
            flash(_("Nothing was changed."))
    except problems.CallTaken as problem:
        form.above.append(_("%(referee)s took this call first.", referee=problem.data.get("name", "")))
        return _queue(event, form, ""), problem.status
    except Problem as problem:
        form.add_problem(problem)
        return _queue(event, form, call if action == "answer" else ""), problem.status
    venue = request.args.get("venue")
    if action == "take":
        return redirect(url_for("referee.show", event=event, venue=venue, call=call, _anchor="open"))
    return redirect(url_for("referee.show", event=event, venue=venue))


def _queue(event: str, form: Form, call: str) -> str:
    tournament = muster().registration.show_tournament(event)
    queue = queue_of(tournament)
    venue = venue_shown(tournament)
    items = queue.at(venue)
    opened = _opened(event, call)
    return render_template(
        "referee.html",
        event=tournament,
        place="referee",
        form=form,
        items=items,
        away=queue.away,
        counts=counted_by_venue(queue, tournament.venues),
        venue=venue,
        all_venues=ALL,
        kinds=KINDS,
        opened=waiting_call(opened) if opened is not None else None,
        mine=opened is not None and opened.referee == current_person().actor,
        quick=QUICK,
    )


def _opened(event: str, call: str) -> answers.JudgeCallView | None:
    """Return the open call to be answered; None if it is over."""
    if not call:
        return None
    try:
        found = muster().pairing.show_call(event, call)
    except problems.CallUnknown:
        return None
    return found if found.status in OPEN else None
