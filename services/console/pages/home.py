"""The first page, signing in and out, and the colours."""

from __future__ import annotations

from flask import Blueprint, current_app, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem
from services.console.forms import Form
from services.console.signed_in import Person, person_of, sign_in, sign_out
from services.console.upstream import muster

blueprint = Blueprint("home", __name__)
LISTED = 200
YEAR = 365 * 86_400
THEMES = ("light", "dark", "auto")


@blueprint.get("/")
def show() -> ResponseReturnValue:
    """Running, coming and finished events."""
    listed = muster().registration.list_tournaments(limit=LISTED)
    groups = {status: [one for one in listed.items if one.status == status] for status in ("running", "announced")}
    over = [one for one in listed.items if one.status in ("concluded", "cancelled")]
    return render_template("home.html", running=groups["running"], coming=groups["announced"], over=over)


@blueprint.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Whether the console answers; it says nothing of the services."""
    return {"status": "ok"}


@blueprint.route("/sign-in", methods=["GET", "POST"])
def enter() -> ResponseReturnValue:
    """Sign in with a key: the token that `make run` prints, or that an organiser hands out."""
    form = Form()
    if form.sent:
        person = person_of(form["token"])
        if person is None or not _is_good(person):
            form.wrong("token", "This key opens nothing. Was it copied whole, and is it still good?")
        else:
            sign_in(person)
            return redirect(_home_of(person))
    return render_template("sign_in.html", form=form), 200 if form.good else 422


@blueprint.get("/come-in")
def come_in() -> ResponseReturnValue:
    """Sign in by an address that holds the key, as `make run` prints it; the key goes out of the address at once."""
    person = person_of(request.args.get("key", ""))
    if person is None or not _is_good(person):
        return redirect(url_for("home.enter"))
    sign_in(person)
    return redirect(_home_of(person))


@blueprint.post("/sign-out")
def leave() -> ResponseReturnValue:
    """Forget every key of this browser."""
    sign_out()
    return redirect(url_for("home.show"))


@blueprint.post("/colours")
def colours() -> ResponseReturnValue:
    """Keep light or dark; auto follows the device."""
    chosen = request.form.get("theme", "")
    answer = make_response(redirect(url_for("home.show")))
    if chosen in THEMES:
        secure = current_app.config["SESSION_COOKIE_SECURE"]
        answer.set_cookie("theme", chosen, max_age=YEAR, httponly=True, samesite="Lax", secure=secure)
    return answer


def _is_good(person: Person) -> bool:
    """Whether the services take this token."""
    asked = muster(person).registration
    try:
        if person.player:
            asked.show_me(person.tournament)
        elif person.tournament == "*":
            asked.list_tournaments(limit=1)
        else:
            asked.show_tournament(person.tournament)
    except Problem:
        return False
    return True


def _home_of(person: Person) -> str:
    if person.player:
        return url_for("table.show", event=person.tournament)
    if person.tournament == "*":
        return url_for("home.show")
    return url_for("events.show", event=person.tournament)
