"""The first page, signing in and out, language and colours, and sign-up for an event."""

from __future__ import annotations

from typing import Literal

from flask import Blueprint, current_app, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem
from muster_client.generated.bodies import InvitedGuest
from services.console.forms import Form, own_path, search_query
from services.console.language import COOKIE, LANGUAGES, _
from services.console.pages.public import SWISS, is_sign_up_open, seats_left
from services.console.pages.sign_ins import NO_ROOM, home_of, name_of, owner_of
from services.console.signed_in import GUEST, muster, person_of, sign_in, sign_out
from services.console.undo import flash

blueprint = Blueprint("home", __name__)
Status = Literal["running", "announced", "concluded", "cancelled"]
GROUPS: dict[Status, int] = {"running": 24, "announced": 20, "concluded": 20, "cancelled": 5}
"""Status of a tournament -> events of that status on the first page; the rest follows page by page."""
YEAR = 365 * 86_400
THEMES = ("light", "dark", "auto")


@blueprint.get("/")
def show() -> ResponseReturnValue:
    """List running, coming and finished events; `q` searches names, `of` and `after` page through one group."""
    query = search_query()
    of, after = request.args.get("of", ""), request.args.get("after") or None
    wanted = [status for status in GROUPS if of in (status, "")] or list(GROUPS)
    registration = muster().registration
    groups = {
        status: registration.list_tournaments(
            status=status, limit=GROUPS[status], q=query or None, after=after if of == status else None
        )
        for status in wanted
    }
    return render_template(
        "home.html",
        groups=groups,
        q=query,
        of=of if of in GROUPS else "",
        after=after,
        swiss=SWISS,
    )


@blueprint.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Return that the console is up; the services are not checked."""
    return {"status": "ok"}


@blueprint.route("/sign-in", methods=["GET", "POST"])
def enter() -> ResponseReturnValue:
    """Sign in with a key: the token that `make run` prints, or that an organiser hands out."""
    form = Form()
    if form.sent:
        person = owner_of(form["token"])
        if person is None:
            form.add_fault(
                "token", _("This key is not valid. Check that you copied all of it and that it has not expired.")
            )
        else:
            if sign_in(person):
                flash(_("You are now signed in as %(who)s.", who=name_of(person)))
                return redirect(home_of(person))
            form.above.append(_(NO_ROOM))
    return render_template("sign_in.html", form=form), 200 if form.is_valid else 422


@blueprint.post("/sign-out")
def leave() -> ResponseReturnValue:
    """Sign out of everything and clear the pages that the browser has kept."""
    sign_out()
    flash(_("You are signed out."))
    answer = make_response(redirect(url_for("home.show")))
    answer.headers["Clear-Site-Data"] = '"storage"'  # only honoured over HTTPS, where pages are kept
    return answer


@blueprint.post("/colours")
def colours() -> ResponseReturnValue:
    """Save light or dark; `auto` follows the device."""
    return _kept("theme", request.form.get("theme", ""), THEMES)


@blueprint.post("/language")
def speak() -> ResponseReturnValue:
    """Save the language."""
    return _kept(COOKIE, request.form.get("language", ""), tuple(LANGUAGES))


def _kept(name: str, chosen: str, known: tuple[str, ...]) -> ResponseReturnValue:
    """Save a choice in a cookie for a year and return to the page."""
    answer = make_response(redirect(own_path(request.form.get("back", "")) or url_for("home.show"), 303))
    if chosen in known:
        secure = current_app.config["SESSION_COOKIE_SECURE"]
        answer.set_cookie(name, chosen, max_age=YEAR, httponly=True, samesite="Lax", secure=secure)
    return answer


POINTERS = {name: f"/{name}" for name in ("name", "club", "venue")}


@blueprint.route("/events/<event>/join", methods=["GET", "POST"])
def join(event: str) -> ResponseReturnValue:
    """Sign a guest up and sign the browser in as that player. The same key signs up once."""
    registration, form = muster(GUEST).registration, Form(POINTERS)
    seen = registration.show_tournament(event)
    if form.sent:
        guest = InvitedGuest(name=form["name"])
        if form["club"]:
            guest["club"] = form["club"]
        if form["venue"]:
            guest["venue"] = form["venue"]
        try:
            joined = registration.sign_up(event, idempotency_key=form.key, **guest)
        except Problem as problem:
            form.add_problem(problem)
        else:
            person = person_of(joined.players[0].token)
            if person is not None and sign_in(person):
                flash(_("You are signed up."))
                return redirect(url_for("table.show", event=event))
            flash(_("%(player)s is signed up. This browser had no room for another login.", player=guest["name"]))
            return redirect(url_for("public.show", event=event))
    page = render_template("join.html", seen=seen, open=is_sign_up_open(seen), left=seats_left(seen), form=form)
    return page, 200 if form.is_valid else 422
