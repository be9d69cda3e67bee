"""More of the player's own pages: my games, and leaving the tournament."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem
from services.console.fact_told import told_of
from services.console.forms import Form
from services.console.upstream import here, muster

blueprint = Blueprint("me", __name__)
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
        score = told_of(game, 1 if first else 2)
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
        except Problem as problem:
            form.refused(problem)
        else:
            return redirect(url_for("table.show", event=event))
    return render_template("my_leave.html", me=me, form=form), 200 if form.good else 422
