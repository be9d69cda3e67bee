"""Codes that sign a browser in once, within an hour: for the operator and the organiser of a Muster on this machine.

The greeting of `make run` leaves a token for each role in the data folder, under the digest of a code, and prints the
code. So nothing in a terminal's history, in a log or in a journal opens anything later. The keys that can sign such a
token are in the same folder, for the same user.
"""

from __future__ import annotations

import hmac
import math
import os
import secrets
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import msgspec
from flask import Blueprint, Flask, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import MusterError, Problem
from services.console.forms import Form
from services.console.language import N_, _
from services.console.responses import leave_plain
from services.console.settings import Settings
from services.console.signed_in import EVERY_EVENT, Person, forget, muster, person_of, replaced_by, sign_in, sign_ins
from services.console.undo import flash
from services.console.words import SIGNED_IN
from shared.environment import caller_network
from shared.keys import PublicKeys
from shared.web.refusals import TokenExpired, TokenNotYetValid, Unauthenticated
from shared.web.tokens import Verifier

ROLES = ("operator", "organiser")
"""Roles that a code can be for."""
SECONDS = 3600
"""Lifetime of a code."""


class LeftToken(msgspec.Struct, frozen=True):
    """A token stored under a code. code: its SHA-256. until: seconds since 1970."""

    code: str
    token: str
    until: float


def leave(data: Path, role: str, token: str, now: float) -> str:
    """Store a token under a new code, which replaces that of an earlier start. Return the code. Raises OSError."""
    code = secrets.token_urlsafe(24)
    file = file_of(data, role)
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)
    with open(new, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as opened:
        opened.write(msgspec.json.encode(LeftToken(_digest(code), token, now + SECONDS)))
    new.replace(file)
    return code


def open_once(data: Path, role: str, code: str, now: float) -> str:
    """Return the token behind a code, and remove it; empty if there is none. Of two callers at once, one gets it."""
    file = file_of(data, role)
    try:
        left = msgspec.json.decode(file.read_bytes(), type=LeftToken)
    except (FileNotFoundError, msgspec.MsgspecError):
        return ""
    if not hmac.compare_digest(left.code, _digest(code)) or now >= left.until:
        return ""
    try:
        file.unlink()
    except FileNotFoundError:
        return ""
    return left.token


def file_of(data: Path, role: str) -> Path:
    """Return the file of the token that a code of this role opens."""
    return data / f"sign-in-{role}.json"


def _digest(code: str) -> str:
    return sha256(code.encode()).hexdigest()


AT_ONCE = 30
"""Wrong keys that an address may try in quick succession."""
PER_SECOND = 1.0
"""Wrong keys that it may try from then on."""
ADDRESSES = 10_000
"""Addresses that are remembered; the one that was wrong longest ago is forgotten first."""


class TooManyGuesses(Exception):
    """A wrong key from an address that has used up its allowance. wait: seconds until the next one."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"too many wrong keys; {wait} seconds to wait")
        self.wait = wait


class Allowance(NamedTuple):
    """Wrong keys that an address may still try (`left`) at a time (`at`, in seconds of the clock)."""

    left: float
    at: float


def after_wrong_key(before: Allowance, now: float) -> Allowance:
    """Return the allowance after one more wrong key; `left` is negative if the allowance was used up."""
    refilled = min(float(AT_ONCE), before.left + (now - before.at) * PER_SECOND)
    return Allowance(refilled - 1, now)


class Guesses:
    """Allowances for wrong keys, by address. clock: seconds that only go forward."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._allowances: dict[str, Allowance] = {}

    def take(self, address: str) -> None:
        """Count a wrong key. Raises TooManyGuesses beyond the allowance, which such a key does not reduce further."""
        with self._lock:
            now, network = self._clock(), caller_network(address)
            after = after_wrong_key(self._allowances.pop(network, Allowance(AT_ONCE, now)), now)
            while len(self._allowances) >= ADDRESSES:
                del self._allowances[next(iter(self._allowances))]
            self._allowances[network] = after if after.left >= 0 else Allowance(after.left + 1, now)
        if after.left < 0:
            raise TooManyGuesses(max(1, math.ceil(-after.left / PER_SECOND)))


class Keys(NamedTuple):
    """The means to check a key.

    verifier: checks signatures; None if the public keys are unknown, in which case a service checks the token.
    guesses: allowances for wrong keys.
    """

    verifier: Verifier | None
    guesses: Guesses


_KEYS = "muster-keys-tried"
TOO_OFTEN, FAULTS = 429, 500
"""Status, and lowest status, of answers that say nothing about a key."""


def connect(app: Flask, token_keys: PublicKeys, guesses: Guesses | None = None) -> None:
    """Give an application the public keys of the installation (purpose -> kid -> key) and its allowances."""
    verifier = Verifier(token_keys) if any(token_keys.values()) else None
    app.extensions[_KEYS] = Keys(verifier, guesses or Guesses())


def owner_of(key: str, event: str = "") -> Person | None:
    """Return the owner of a key; None if it is empty or invalid. event: only accept a player's key of this event.

    Raises TooManyGuesses for a wrong key beyond the allowance, and Problem if a service could not look it up.
    """
    if not key:
        return None
    keys: Keys = current_app.extensions[_KEYS]
    person = person_of(key)
    if person is not None and _fits(person, event) and _is_signed_here(keys.verifier, key) and _is_in_force(person):
        return person
    keys.guesses.take(request.remote_addr or "")
    return None


def _fits(person: Person, event: str) -> bool:
    return not event or (person.tournament == event and bool(person.player))


def _is_signed_here(verifier: Verifier | None, key: str) -> bool:
    if verifier is None:
        return True
    try:
        verifier.verify(key)
    except (Unauthenticated, TokenExpired, TokenNotYetValid):
        return False
    return True


def _is_in_force(person: Person) -> bool:
    """Return True if the services take the key of this person. Raises Problem if they could not look it up."""
    registration = muster(person).registration
    try:
        if person.player:
            registration.show_me(person.tournament)
        elif person.tournament == "*":
            registration.list_tournaments(limit=1)
        else:
            registration.show_tournament(person.tournament)
    except Problem as problem:
        if problem.status == TOO_OFTEN or problem.status >= FAULTS:
            raise
        return False
    return True


blueprint = Blueprint("sign_ins", __name__)
NO_ROOM = N_("This browser cannot hold any more staff logins. Sign out of one of them first.")


class SignIn(Struct, frozen=True):
    """A sign-in as a page shows it. event: the name of its event, empty for all; player: the name of the player."""

    id: str
    role: str
    event: str
    player: str


@blueprint.route("/come-in", methods=["GET", "POST"])
def by_key() -> ResponseReturnValue:
    """Sign in with a link that contains a key, such as staff receive. The redirect removes the key from the address."""
    person = owner_of(_key_given("key"))
    return redirect(url_for("home.enter")) if person is None else _arrive(person, url_for("sign_ins.by_key"))


@blueprint.route("/events/<event>/come-in", methods=["GET", "POST"])
def by_link(event: str) -> ResponseReturnValue:
    """Open the link or the code of a player: the token goes into the cookie, and out of the address."""
    person = owner_of(_key_given("token"), event)
    if person is None:
        return render_template("bad_link.html"), 403
    return _arrive(person, url_for("sign_ins.by_link", event=event))


@blueprint.route(f"/<any({', '.join(ROLES)}):role>/come-in", methods=["GET", "POST"])
def by_code(role: str) -> ResponseReturnValue:
    """Sign in by a code that works once. Opening its link only asks: programs that follow links would use it up."""
    form = Form()
    if form.sent:
        settings: Settings = current_app.config["SETTINGS"]
        code = form["code"]
        token = open_once(settings.data, role, code, time.time()) if settings.data and code else ""
        # No service is asked about this token: a service that is away may be the reason to sign in. Wrong codes count.
        person = person_of(token) if token else owner_of(code)
        if token and person is not None:
            sign_in(person)
            flash(_("You are now signed in as %(who)s.", who=_(SIGNED_IN[person.role])))
            return redirect(url_for("operator.show") if person.role == "operator" else home_of(person))
        form.above.append(
            _(
                "This link was already used, or is older than an hour. Restart Muster, or create a key with "
                "%(command)s and sign in with it.",
                command="muster token --role operator",
            )
        )
    code = form["code"] or request.args.get("code", "")
    return render_template("sign_in_by_code.html", form=form, role=role, code=code), 200 if form.is_valid else 403


def _key_given(name: str) -> str:
    return request.form.get("token", "") if request.method == "POST" else request.args.get(name, "")


def _arrive(person: Person, address: str) -> ResponseReturnValue:
    """Sign in at once, or ask first if that replaces another sign-in: a link may come from anyone."""
    replaced = replaced_by(sign_ins(), person)
    if request.method == "POST" or not replaced:
        if sign_in(person):
            if request.method == "POST":
                flash(_("You are now signed in as %(who)s.", who=name_of(person)))
            return redirect(home_of(person))
        flash(_(NO_ROOM))
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
            flash(_("You are signed out as %(who)s.", who=who))
            return redirect(url_for("sign_ins.show"))
        sign_in(chosen)
        flash(_("You are now signed in as %(who)s.", who=who))
        return redirect(home_of(chosen))
    return render_template("sign_ins.html", form=form, held=[_shown(one) for one in reversed(held)])


def home_of(person: Person) -> str:
    """Return the first page of a person who has just signed in."""
    if person.player:
        return url_for("table.show", event=person.tournament)
    if person.tournament == EVERY_EVENT:
        return url_for("home.show")
    return url_for("events.show", event=person.tournament)


def _id(person: Person) -> str:
    return sha256(person.token.encode()).hexdigest()[:16]


def name_of(person: Person) -> str:
    """Return the name of a player, or the role of anyone else in words."""
    return _shown(person).player or _(SIGNED_IN.get(person.role, person.role))


def _shown(person: Person) -> SignIn:
    """Return a sign-in with the names of event and player, as far as the services respond."""
    event = player = ""
    registration = muster(person).registration
    try:
        if person.player:
            me = registration.show_me(person.tournament)
            event, player = me.name, me.player.name
        elif person.tournament != EVERY_EVENT:
            event = registration.show_tournament(person.tournament).name
    except MusterError:
        event = person.tournament
    return SignIn(_id(person), person.role, event, player)
