"""The player's own page, for a phone: my table, reporting, confirming, disputing, calling a judge, leaving."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem, answers, problems
from muster_client.generated.bodies import Facts
from services.console import waiting
from services.console.fact_words import fact_lines, result_text
from services.console.forms import Form
from services.console.game_history import why_so
from services.console.language import _
from services.console.pages.public import home_of
from services.console.player_place import next_round, place_of, seat_in_bracket, seconds_left
from services.console.result_form import ResultForm, facts_of, result_form
from services.console.result_look import IMPROBABLE, LOOK, Look, Preview, look
from services.console.settled import is_settled
from services.console.toast import say
from services.console.upstream import here, muster
from services.console.waiting import ABOUT, call_a_judge, my_call, withdraw_my_call

blueprint = Blueprint("table", __name__)
MAY_BE_APPEALED = ("ruled", "corrected")
FINAL = ("head_referee", "organiser")
"""Whose ruling nobody hears an appeal against."""


@blueprint.route("/events/<event>/table", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """My table; posting reports a result, confirms or disputes the opponent's."""
    if not here().player:
        return redirect(url_for("home.enter"))
    me = muster().registration.show_me(event)
    try:
        seat = _seat(event, me.player.id)
    except problems.WrongFormat:  # nobody meets in games there
        return redirect(home_of(event))
    rests = seat is None or seat.status == "closed"
    bracket = seat_in_bracket(event, me.player.id, seat.round if seat else 0) if rests else None
    if seat is None or seat.pairing.status == "bye":
        stands = place_of(event, me.player.id)
        return render_template(
            "my_table.html",
            me=me,
            seat=seat,
            game=None,
            form=Form(),
            place="table",
            stands=stands,
            bracket=bracket,
            next=None if bracket else next_round(event, seat),
        )
    game = muster().scoring.show_game(event, seat.pairing.id)
    does = request.form.get("do", "")
    reports, looks = does == "report", does == LOOK
    said = is_settled(game) or game.status in ("reported", "disputed")
    asks = _asks(event, game) if reports or looks or not (said or seat.status == "paired") else None
    form, found = _form(asks, does), Look()
    if form.sent and form["game"] not in ("", game.id):
        form.above.append(_("This was about an earlier game. Nothing was sent; below is the game as it stands now."))
    elif looks and asks is not None:
        found = look(form, asks, _preview(event, game.id))
    elif form.sent:
        try:
            _say(event, game, form, facts_of(form, asks) if asks is not None and reports else {})
        except Problem as problem:
            form.add_problem(problem)
            found = Look(unlikely=problem.code == IMPROBABLE)
        if form.is_valid:
            return redirect(url_for("table.show", event=event))
    mine = 1 if game.player_1 == me.player.id else 2
    page = render_template(
        "my_table.html",
        me=me,
        seat=seat,
        game=game,
        mine=mine,
        opponent=_rivals(game, me.player),
        by_me=game.reported_by == me.player.id,
        result=result_text(game),
        facts=fact_lines(game.facts),
        asks=asks,
        given=found.given,
        unchecked=found.unchecked,
        unlikely=found.unlikely,
        why=why_so(muster().scoring.show_game_history(event, game.id).items) if game.status in MAY_BE_APPEALED else "",
        call=None if seat.status == "closed" else my_call(event, game.id),
        about=ABOUT,
        appealable=seat.status == "started" and game.status in MAY_BE_APPEALED and game.ruling not in FINAL,
        left=None if is_settled(game) else seconds_left(event, seat),
        stands=place_of(event, me.player.id) if is_settled(game) else None,
        bracket=bracket,
        next=next_round(event, seat) if is_settled(game) and not bracket else None,
        form=form,
        place="table",
    )
    return page, 200 if form.is_valid else 422


@blueprint.post("/events/<event>/table/look")
def look_first(event: str) -> ResponseReturnValue:
    """What the report that is being typed would give, and what is wrong with it; nothing is sent."""
    game = muster().scoring.show_game(event, Form()["game"])
    asks = _asks(event, game)
    form, found = _form(asks, LOOK), Look()
    if asks is not None:
        found = look(form, asks, _preview(event, game.id))
    return render_template(
        "result_look.html",
        form=form,
        asks=asks,
        given=found.given,
        unchecked=found.unchecked,
        unlikely=found.unlikely,
    )


def _asks(event: str, game: answers.GameShown) -> ResultForm | None:
    """What a report of the game may say; None in a format whose games are told in another way."""
    try:
        return result_form(muster().scoring.show_result_form(event, game.id), game.name_1, game.name_2)
    except problems.WrongFormat:
        return None


def _form(asks: ResultForm | None, does: str) -> Form:
    if does == "call":
        return Form(waiting.POINTERS)
    return Form({**(asks.pointers if asks else {}), "reason": "/reason"})


def _preview(event: str, game: str) -> Preview:
    improbable = request.form.get("improbable") == "yes"
    return lambda facts: muster().scoring.report_result(event, game, facts=facts, improbable=improbable, preview=True)


def _rivals(game: answers.GameShown, me: answers.PlayerView) -> str:
    """Return the names of everybody on the other sides of a game: two of them in a game of three."""
    if not game.sides:
        return game.name_2 if game.player_1 == me.id else game.name_1
    mine = next((one.side for one in game.sides if one.group == me.id), 0)
    return ", ".join(one.name for one in game.sides if one.side != mine)


def _seat(event: str, player: str) -> answers.PlayersPairing | None:
    try:
        return muster().pairing.show_players_pairing(event, player)
    except problems.NoGame:
        return None


def _say(event: str, game: answers.GameShown, form: Form, facts: Facts) -> None:
    """Send what the player says about the game, and confirm it on the next page. Raises Problem."""
    scoring, does = muster().scoring, request.form.get("do", "")
    if does == "report" and form.is_valid:
        improbable = form["improbable"] == "yes"
        scoring.report_result(event, game.id, facts=facts, improbable=improbable, idempotency_key=form.key)
        say(_("Your result is sent."))
    elif does == "confirm":
        scoring.confirm_result(event, game.id, idempotency_key=form.key)
        say(_("The result is confirmed."))
    elif does in ("dispute", "appeal"):
        if not form["reason"]:
            form.add_fault("reason", _("Say in a few words what is wrong, for the referee."))
            return
        send = scoring.dispute_result if does == "dispute" else scoring.appeal_ruling
        send(event, game.id, reason=form["reason"], idempotency_key=form.key)
        say(_("The referees look at it."))
    elif does == "call":
        call_a_judge(event, game.id, form)
        if form.is_valid:
            say(_("A judge is called."))
    elif does == "withdraw":
        withdraw_my_call(event, form)
        say(_("The call is withdrawn."))
    elif form.is_valid:
        say(_("Nothing was changed."))


GAMES = 100
"""More than anybody plays in one event."""


@blueprint.get("/events/<event>/my-games")
def games(event: str) -> ResponseReturnValue:
    """Every game of the player so far, the first round first; scores are shown with the player's own side in front."""
    if not here().player:
        return redirect(url_for("home.enter"))
    me = muster().registration.show_me(event)
    mine = []
    for game in muster().scoring.list_games(event, player=me.player.id, round="all", limit=GAMES).items:
        first = game.player_1 == me.player.id
        score = result_text(game, 1 if first else 2)
        mine.append({"game": game, "opponent": game.name_2 if first else game.name_1, "score": score})
    return render_template("my_games.html", me=me, games=mine)


@blueprint.route("/events/<event>/leave", methods=["GET", "POST"])
def leave(event: str) -> ResponseReturnValue:
    """Ask a second time; posting drops the player out."""
    if not here().player:
        return redirect(url_for("home.enter"))
    me, form = muster().registration.show_me(event), Form()
    if form.sent:
        try:
            muster().registration.drop_player(event, me.player.id, idempotency_key=form.key)
            say(_("You have left the tournament."))
        except Problem as problem:
            form.add_problem(problem)
        else:
            return redirect(url_for("table.show", event=event))
    return render_template("my_leave.html", me=me, form=form), 200 if form.is_valid else 422
