"""Pages that take something back, with a reason: void a result, reopen a round, withdraw an award.

Each says what follows before anything happens, with a preview where scoring has one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Problem, answers
from services.console.forms import Form
from services.console.language import _
from services.console.problem_words import problem_text
from services.console.signed_in import acts_everywhere, current_person, may_decide, muster, only_for
from services.console.undo import Undo, flash
from services.console.words import BINDING, score_of

blueprint = Blueprint("reversals", __name__)
NO_REASON = "…"
"""Reason of a preview."""
CLOSED = "closed"
VOIDED_ALREADY = ("open", "bye")
"""Statuses of games without a result."""


class Reversal(Struct, frozen=True):
    """What a page takes back. send: sends or previews the command, by the arguments of the client.

    follows: sentences about what follows. back: the page that led here. done: the message afterwards. undo: the request
    that restores it; None if it follows from the events of the command, or if there is none. venues: id -> name of
    those whose part can be chosen; the empty id is the whole. instead: addresses and words of other ways,
    shown if it is refused.
    """

    title: str
    about: str
    button: str
    follows: Sequence[str]
    back: str
    done: str
    send: Callable[..., Any]
    undo: Undo | None = None
    venues: Mapping[str, str] = {}
    instead: Sequence[tuple[str, str]] = ()


def may_void(event: answers.TournamentView, game: answers.GameShown) -> bool:
    """Return True if the person may void the result of a game, and there is one."""
    has_result = game.status not in VOIDED_ALREADY
    return has_result and current_person().acts_at(game.venue) and may_decide(event, "rulings")


@blueprint.route("/events/<event>/games/<game>/voiding", methods=["GET", "POST"])
@only_for(lambda person: person.staff)
def void(event: str, game: str) -> ResponseReturnValue:
    """Void the result of a game: it was reported for the wrong one."""
    services = muster()
    tournament, shown = services.registration.show_tournament(event), services.scoring.show_game(event, game)
    back = url_for("results.show", event=event, game=game)
    if shown.status in VOIDED_ALREADY:
        flash(_("This game has no result."))
        return redirect(back)
    if not may_void(tournament, shown):
        abort(403)
    restored = {"facts": shown.facts, "improbable": shown.improbable} if shown.status in BINDING else None
    instead = [(back, _("Correct the result"))]
    if current_person().heads:
        reopening = url_for("reversals.reopen", event=event, number=shown.round)
        instead.append((reopening, _("Reopen round %(round)s…", round=shown.round)))
    names = {"first": shown.name_1, "second": shown.name_2}
    follows = [
        _("The game is open again, and its result no longer counts."),
        _("Both players can report again on their phones, or staff can enter the right result."),
        _("The history of the game keeps the old result, with your reason."),
    ]
    return _page(
        tournament,
        Reversal(
            title=_("Void the result"),
            about=_("%(first)s against %(second)s: %(score)s", **names, score=score_of(shown.facts) or "–"),
            button=_("Void the result"),
            follows=follows,
            back=back,
            done=_("The result is void: %(first)s against %(second)s.", **names),
            send=lambda **how: services.scoring.void_result(event, game, **how),
            undo=Undo("scoring", f"/games/{game}/result", restored) if restored else None,
            instead=instead,
        ),
    )


@blueprint.route("/events/<event>/round/<int:number>/reopening", methods=["GET", "POST"])
@only_for(lambda person: person.heads)
def reopen(event: str, number: int) -> ResponseReturnValue:
    """Reopen the last closed round."""
    services = muster()
    tournament = services.registration.show_tournament(event)
    parts = services.pairing.show_round(event, number, limit=1).parts or []
    venues = {"": _("the whole round")} if acts_everywhere(tournament) else {}
    if len(parts) > 1:
        closed = (part for part in parts if part.status == CLOSED and current_person().acts_at(part.venue))
        venues |= {part.venue: part.name for part in closed}
    if not venues:
        abort(403)
    follows = [
        _("Results of round %(round)s can be entered, voided and ruled on again.", round=number),
        _("The standings are provisional until you close the round again, which records them anew."),
        _("The next round cannot be paired before that."),
    ]
    return _page(
        tournament,
        Reversal(
            title=_("Reopen round %(round)s", round=number),
            about=_("For a round that was closed too early. To change one result, you need not reopen it: correct it."),
            button=_("Reopen round %(round)s", round=number),
            follows=follows,
            back=url_for("rounds.show", event=event, round=number),
            done=_("Round %(round)s is open again.", round=number),
            send=lambda **how: services.scoring.reopen_round(event, number, **how),
            venues=venues,
        ),
    )


@blueprint.route("/events/<event>/awards/<award>/withdrawal", methods=["GET", "POST"])
@only_for(lambda person: person.organises)
def withdraw_award(event: str, award: str) -> ResponseReturnValue:
    """Withdraw an award."""
    services = muster()
    given = next((one for one in services.scoring.list_awards(event).items if one.id == award), None)
    if given is None:
        abort(404)
    player = services.registration.show_player(event, given.player).name
    again = {"name": given.name, "player": given.player, "reason": given.reason}
    follows = [
        _("The award disappears from the public page. Ranks do not change."),
        _("The event log keeps that it was given, and why it was withdrawn."),
    ]
    return _page(
        services.registration.show_tournament(event),
        Reversal(
            title=_("Withdraw an award"),
            about=_("%(award)s, given to %(player)s", award=given.name, player=player),
            button=_("Withdraw the award"),
            follows=follows,
            back=url_for("standings.awards", event=event),
            done=_("Award withdrawn: %(award)s.", award=given.name),
            send=lambda **how: services.scoring.withdraw_award(event, award, **how),
            undo=Undo("scoring", "/awards", again),
        ),
    )


def _page(event: answers.TournamentView, reversal: Reversal) -> ResponseReturnValue:
    """Show what follows, or take it back and return to the page that led here."""
    form = Form({"reason": "/reason", "venue": "/venue"})
    chosen = form["venue"] if form["venue"] in reversal.venues else next(iter(reversal.venues), "")
    part = {"venue": chosen} if chosen else {}
    if form.sent and not form["reason"]:
        form.add_fault("reason", _("Enter a reason; it is recorded in the event log."))
    status = 200 if form.is_valid else 422
    if form.sent and form.is_valid:
        try:
            done = reversal.send(reason=form["reason"], idempotency_key=form.key, **part)
        except Problem as problem:
            form.add_problem(problem)
            status = problem.status
        else:
            flash(reversal.done, done, reversal.undo)
            return redirect(reversal.back)
    moves, refused = None, ""
    try:
        moves = reversal.send(reason=NO_REASON, preview=True, **part)
    except Problem as problem:
        if problem.status in (401, 403):
            raise
        refused = problem_text(problem)
    page = render_template(
        "reversal.html",
        event=event,
        form=form,
        it=reversal,
        chosen=chosen,
        moves=moves,
        refused="" if form.sent else refused,
    )
    return page, status
