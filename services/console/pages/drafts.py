"""The page of a draft: reasons of its pairings, what the rules think of it, swaps by hand, and publishing it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem, answers, bodies, problems
from services.console.forms import Form
from services.console.hall_time import use_zone_of
from services.console.language import N_, _
from services.console.pages.public import all_players
from services.console.pairing_words import finding_text, reason_text
from services.console.quick_entry import tables_named
from services.console.signed_in import muster
from services.console.undo import REASON, Undo, flash

blueprint = Blueprint("drafts", __name__)
POINTERS = {"s": "/swap", "reason": "/reason", "at": "/at", "table": "/table", "venue": "/venue"}
CHANGEABLE = ("draft", "paired")
"""Statuses of a round whose pairings can still change here."""
DONE = {
    "swap": N_("The players have changed places."),
    "move": N_("The game has moved."),
    "publish": N_("The pairings of round %(round)s are published."),
    "later": N_("The pairings of round %(round)s will be published at that time."),
    "keep": N_("The pairings of round %(round)s are held back."),
    "discard": N_("The pairings of round %(round)s are discarded."),
}
"""Action of a form -> message on the next page."""
NOTHING = N_("Nothing was changed.")


@blueprint.get("/events/<event>/rounds/<int:number>/draft")
def show(event: str, number: int) -> ResponseReturnValue:
    """Show the draft next to the round that the rules would have paired."""
    return _draft(event, number, Form(POINTERS))


@blueprint.post("/events/<event>/rounds/<int:number>/draft")
def act(event: str, number: int) -> ResponseReturnValue:
    """Swap two players, move a game, publish now or at a time, or discard; `do=try` shows a swap and action nothing."""
    form, action = Form(POINTERS), request.form.get("do", "")
    foreseen: answers.PairingPreview | None = None
    done: Any = None
    try:
        if action in ("try", "swap"):
            foreseen, done = _swap(event, number, form, preview=action == "try")
        elif action == "move":
            done = _move(event, number, form)
        elif action in ("publish", "later", "keep"):
            done = _publish(event, number, form, action)
        elif action == "discard":
            version = form.version
            done = muster().pairing.withdraw_round(
                event, number, reason=form["reason"], if_match=version, idempotency_key=form.key
            )
    except problems.PreconditionFailed:
        form.above.append(_("Someone else changed this first. Your change was not saved; this is the current draft."))
        return _draft(event, number, form, stale=True), 412
    except Problem as problem:
        form.add_problem(problem)
        return _draft(event, number, form), problem.status
    if not form.is_valid or foreseen is not None:
        return _draft(event, number, form, foreseen), 200 if form.is_valid else 422
    undo = None
    if action == "swap":
        back = {"swap": form.all("s"), "reason": REASON, "allow_rematch": True}
        undo = Undo("pairing", f"/rounds/{number}/amendments", back)
    flash(_(DONE.get(action, NOTHING), round=number), done, undo)
    if action in ("publish", "discard"):
        return redirect(url_for("rounds.show", event=event))
    return redirect(url_for("drafts.show", event=event, number=number))


def _swap(event: str, number: int, form: Form, *, preview: bool) -> tuple[answers.PairingPreview | None, Any]:
    """Swap two players or preview the swap. Return the preview, or else the answer."""
    two = form.all("s")
    if len(two) != 2:
        form.add_fault("s", _("Tick the two players who change places."))
        return None, None
    version, rematch = form.version, form["allow_rematch"] == "yes"
    why, pairing = form["reason"] or _("Swapped by hand"), muster().pairing
    how: dict[str, Any] = {"swap": two, "reason": why, "if_match": version}
    try:
        if preview:
            return pairing.amend_pairings(event, number, preview=True, allow_rematch=rematch, **how), None
        return None, pairing.amend_pairings(event, number, allow_rematch=rematch, idempotency_key=form.key, **how)
    except problems.PairingsRefused as refused:
        if rematch:
            raise
        return _would_meet_again(event, number, form, how, refused), None


def _would_meet_again(
    event: str, number: int, form: Form, how: dict[str, Any], refused: Problem
) -> answers.PairingPreview:
    """Return the preview of a swap that would make a rematch; add a fault that names the players to the form.

    Raises `refused` if the swap was refused for another reason.
    """
    try:
        foreseen = muster().pairing.amend_pairings(event, number, preview=True, allow_rematch=True, **how)
    except Problem:
        raise refused from None
    again = [
        game
        for game in (foreseen.moves.round.pairings if foreseen.moves.round else [])
        if game.rematch and {game.player_1, game.player_2} & set(how["swap"])
    ]
    for game in again:
        words = _("%(first)s and %(second)s have already played each other.", first=game.name_1, second=game.name_2)
        form.add_fault("allow_rematch", words)
    if not again:
        raise refused
    form.add_fault("allow_rematch", _("Tick this to let them meet again."))
    return foreseen


def _move(event: str, number: int, form: Form) -> Any:
    services = muster()
    venue = form["venue"] or services.pairing.show_pairing(event, number, form["game"]).venue
    places = tables_named(services.registration.show_tournament(event), form["table"], venue)
    if not places:
        form.add_fault("table", _("Enter a table number."))
        return None
    place: bodies.MoveTableBody = {"table": places[0][1]}
    if form["venue"]:
        place["venue"] = form["venue"]
    version, key = form.version, form.key
    return services.pairing.move_table(event, number, form["game"], **place, if_match=version, idempotency_key=key)


def _publish(event: str, number: int, form: Form, action: str) -> Any:
    pairing, version = muster().pairing, form.version
    if action == "keep":
        return pairing.cancel_publication(event, number, if_match=version, idempotency_key=form.key)
    if action == "publish":
        return pairing.publish_round(event, number, if_match=version, idempotency_key=form.key)
    use_zone_of(muster().registration.show_tournament(event))
    at = form.moment("at")
    if at is None:
        return None
    return pairing.publish_round(event, number, at=at, if_match=version, idempotency_key=form.key)


def _why_not(ruled: answers.RuledRound) -> Problem:
    """Return why the rules would have paired nothing, as a problem."""
    body = {"code": ruled.code or "", "detail": ruled.refused, "data": ruled.data}
    return Problem("pairing", 409, body)


def players_away(event: str, round: answers.RoundView) -> list[str]:
    """Return the names of players whose game is at another venue than their own."""
    games = [game for game in round.pairings if game.venue and game.kind != "bye"]
    places = {player: game.venue for game in games for player in (game.player_1, game.player_2)}
    listed = all_players(event, status="active")
    return [one.name for one in listed if one.venue and places.get(one.id, one.venue) != one.venue]


def _draft(
    event: str, number: int, form: Form, foreseen: answers.PairingPreview | None = None, *, stale: bool = False
) -> str:
    """Render the page. foreseen: the preview of a swap. stale: the ticks belong to an earlier draft."""
    services = muster()
    tournament = services.registration.show_tournament(event)
    round = services.pairing.show_round(event, number, sort="table")
    use_zone_of(tournament)
    judged = services.pairing.judge_round(event, number) if round.status in CHANGEABLE else None
    ticked = set() if stale else set(form.all("s"))
    names = {game.player_1: game.name_1 for game in round.pairings}
    names |= {game.player_2: game.name_2 for game in round.pairings if game.player_2}
    return render_template(
        "draft.html",
        event=tournament,
        form=form,
        round=round,
        judged=judged,
        why_not=_why_not(judged.by_rules) if judged else None,
        foreseen=foreseen.moves if foreseen is not None else None,
        ticked=ticked,
        names=names,
        reason_text=reason_text,
        finding_text=finding_text,
        warned={finding.game for finding in judged.findings if finding.game} if judged else set(),
        by_hand=set(judged.by_hand) if judged else set(),
        changeable=round.status in CHANGEABLE,
        away=players_away(event, round) if len(tournament.venues) > 1 else [],
        place="round",
    )
