"""The player's own page, for a phone: my table, my opponent, reporting, confirming, disputing."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem, answers, problems
from muster_client.generated.bodies import Facts
from services.console.forms import Form
from services.console.result_form import POINTERS, facts_of, result_form
from services.console.signed_in import person_of, sign_in
from services.console.upstream import here, muster
from services.console.words import score_of

blueprint = Blueprint("table", __name__)


@blueprint.get("/events/<event>/come-in")
def come_in(event: str) -> ResponseReturnValue:
    """Open the link or the code of a player: the token goes into the cookie, and out of the address."""
    person = person_of(request.args.get("token", ""))
    if person is None or person.tournament != event or not person.player:
        return render_template("bad_link.html"), 403
    try:
        muster(person).registration.show_me(event)
    except Problem:
        return render_template("bad_link.html"), 403
    sign_in(person)
    return redirect(url_for("table.show", event=event))


@blueprint.route("/events/<event>/table", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """My table; posting reports a result, confirms or disputes the opponent's."""
    if not here().player:
        return redirect(url_for("home.enter"))
    me = muster().registration.show_me(event)
    seat = _seat(event, me.player.id)
    if seat is None or seat.pairing.status == "bye":
        return render_template("my_table.html", me=me, seat=seat, game=None, form=Form(), place="table")
    game = muster().scoring.show_game(event, seat.pairing.id)
    form = Form({**POINTERS, "reason": "/reason"})
    reports = request.form.get("do") == "report"
    # The page is asked for anew every few seconds; the ruleset is large, and needed for the form alone.
    asks = None
    said = game.binds or game.status in ("reported", "disputed")
    if reports or not (said or seat.status == "paired"):
        ruleset = muster().registration.show_tournaments_ruleset(event).ruleset
        asks = result_form(ruleset, game.name_1, game.name_2)
    if form.sent:
        try:
            _say(event, game, form, facts_of(form, asks) if asks is not None and reports else {})
        except Problem as problem:
            form.refused(problem)
        if form.good:
            return redirect(url_for("table.show", event=event))
    mine = 1 if game.player_1 == me.player.id else 2
    page = render_template(
        "my_table.html",
        me=me,
        seat=seat,
        game=game,
        mine=mine,
        opponent=game.name_2 if mine == 1 else game.name_1,
        by_me=game.reported_by == me.player.id,
        told=score_of(game.facts),
        asks=asks,
        form=form,
        place="table",
    )
    return page, 200 if form.good else 422


def _seat(event: str, player: str) -> answers.PlayersPairing | None:
    try:
        return muster().pairing.show_players_pairing(event, player)
    except problems.NoGame:
        return None


def _say(event: str, game: answers.GameShown, form: Form, facts: Facts) -> None:
    """What the player says about the game. Raises Problem."""
    scoring, does = muster().scoring, request.form.get("do", "")
    if does == "report" and form.good:
        improbable = form["improbable"] == "yes"
        scoring.report_result(event, game.id, facts=facts, improbable=improbable, idempotency_key=form.key)
    elif does == "confirm":
        scoring.confirm_result(event, game.id, idempotency_key=form.key)
    elif does == "dispute":
        if not form["reason"]:
            form.wrong("reason", "Say in a few words what is wrong, for the referee.")
            return
        scoring.dispute_result(event, game.id, reason=form["reason"], idempotency_key=form.key)
