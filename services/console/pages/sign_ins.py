"""The sign-ins of a browser: a link asks before it replaces one, and a page switches between those that are held."""

from __future__ import annotations

import time
from hashlib import sha256

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import MusterError
from services.console import sign_in_codes
from services.console.forms import Form
from services.console.keys_tried import owner_of
from services.console.language import N_, _
from services.console.responses import leave_plain
from services.console.settings import Settings
from services.console.signed_in import EVERY_EVENT, Person, forget, person_of, replaced_by, sign_in, sign_ins
from services.console.toast import say
from services.console.upstream import muster
from services.console.words import SIGNED_IN

blueprint = Blueprint("sign_ins", __name__)
NO_ROOM = N_("This browser holds as many sign-ins of staff as it can. Sign out of one of them first.")


class SignIn(Struct, frozen=True):
    """A sign-in as a page shows it. event: the name of its event, empty for all; player: the name of the player."""

    id: str
    role: str
    event: str
    player: str


@blueprint.route("/come-in", methods=["GET", "POST"])
def by_key() -> ResponseReturnValue:
    """Sign in by a link with a key, as staff of an event get it; the key goes out of the address at once."""
    person = owner_of(_key_given("key"))
    return redirect(url_for("home.enter")) if person is None else _arrive(person, url_for("sign_ins.by_key"))


@blueprint.route("/events/<event>/come-in", methods=["GET", "POST"])
def by_link(event: str) -> ResponseReturnValue:
    """Open the link or the code of a player: the token goes into the cookie, and out of the address."""
    person = owner_of(_key_given("token"), event)
    if person is None:
        return render_template("bad_link.html"), 403
    return _arrive(person, url_for("sign_ins.by_link", event=event))


@blueprint.route(f"/<any({', '.join(sign_in_codes.ROLES)}):role>/come-in", methods=["GET", "POST"])
def by_code(role: str) -> ResponseReturnValue:
    """Sign in by a code that works once. Opening its link only asks: programs that follow links would use it up."""
    form = Form()
    if form.sent:
        settings: Settings = current_app.config["SETTINGS"]
        code = form["code"]
        token = sign_in_codes.open_once(settings.data, role, code, time.time()) if settings.data and code else ""
        # No service is asked about this token: a service that is away may be the reason to sign in. Wrong codes count.
        person = person_of(token) if token else owner_of(code)
        if token and person is not None:
            sign_in(person)
            say(_("You are now signed in as %(who)s.", who=_(SIGNED_IN[person.role])))
            return redirect(url_for("operator.show") if person.role == "operator" else home_of(person))
        form.above.append(
            _(
                "This link was used, or is older than an hour. Start Muster again, or make a key with"
                " %(command)s and sign in with it.",
                command="muster token --role operator",
            )
        )
    code = form["code"] or request.args.get("code", "")
    return render_template("sign_in_by_code.html", form=form, role=role, code=code), 200 if form.is_valid else 403


def _key_given(name: str) -> str:
    return request.form.get("token", "") if request.method == "POST" else request.args.get(name, "")


def _arrive(person: Person, address: str) -> ResponseReturnValue:
    """Sign in at once, or ask first if that replaces another sign-in: anybody can get somebody to open a link."""
    replaced = replaced_by(sign_ins(), person)
    if request.method == "POST" or not replaced:
        if sign_in(person):
            if request.method == "POST":
                say(_("You are now signed in as %(who)s.", who=name_of(person)))
            return redirect(home_of(person))
        say(_(NO_ROOM))
        return redirect(url_for("sign_ins.show"))
    everywhere = person.tournament == EVERY_EVENT
    leave_plain()
    return render_template(
        "ask_sign_in.html",
        address=address,
        token=person.token,
        new=_shown(person),
        held=[_shown(one) for one in replaced],
        stay=url_for("home.show") if everywhere else url_for("events.show", event=person.tournament),
    )


@blueprint.route("/sign-ins", methods=["GET", "POST"])
def show() -> ResponseReturnValue:
    """List the sign-ins of this browser; posting uses one, or signs out of one."""
    form, held = Form(), sign_ins()
    chosen = next((one for one in held if _id(one) == form["sign_in"]), None)
    if form.sent and chosen is not None:
        who = name_of(chosen)
        if request.form.get("do") == "forget":
            forget(chosen)
            say(_("You are signed out as %(who)s.", who=who))
            return redirect(url_for("sign_ins.show"))
        sign_in(chosen)
        say(_("You are now signed in as %(who)s.", who=who))
        return redirect(home_of(chosen))
    return render_template("sign_ins.html", form=form, held=[_shown(one) for one in reversed(held)])


def home_of(person: Person) -> str:
    """Return where somebody begins who has just signed in."""
    if person.player:
        return url_for("table.show", event=person.tournament)
    if person.tournament == EVERY_EVENT:
        return url_for("home.show")
    return url_for("events.show", event=person.tournament)


def _id(person: Person) -> str:
    return sha256(person.token.encode()).hexdigest()[:16]


def name_of(person: Person) -> str:
    """Return the name of a player, or the role of somebody else in words."""
    return _shown(person).player or _(SIGNED_IN.get(person.role, person.role))


def _shown(person: Person) -> SignIn:
    """Name the event and the player, as far as the services answer."""
    event = player = ""
    asked = muster(person).registration
    try:
        if person.player:
            me = asked.show_me(person.tournament)
            event, player = me.name, me.player.name
        elif person.tournament != EVERY_EVENT:
            event = asked.show_tournament(person.tournament).name
    except MusterError:
        event = person.tournament
    return SignIn(_id(person), person.role, event, player)
