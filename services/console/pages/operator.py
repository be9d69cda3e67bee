"""The operator's pages: health of the services, and tokens.

`/readyz` answers an operator's token in full. Each answer is cached for that token only, so a forged token sees nothing
while the services that could reject it are away.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from hashlib import sha256
from threading import Lock
from typing import Any

import httpx
import msgspec
from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from msgspec import Struct

from muster_client import Muster, MusterError, Problem
from muster_client.connection import SERVICES
from services.console.forms import Form
from services.console.language import N_, _, in_markup, mark_english, ngettext, number
from services.console.responses import leave_plain
from services.console.signed_in import EVERY_EVENT, claims_of, current_person, muster
from services.console.undo import flash
from services.console.words import ROLES

TIMEOUT = httpx.Timeout(3.0, connect=1.0)
"""Short, so that the page appears even if a service is away."""
KEPT = 30
"""Cached answers, of all services and tokens."""
OK, DEGRADED, FAILED, AWAY = "ok", "degraded", "failed", "away"


class NotAnOperator(Exception):
    """A service rejects the token: it is not an operator's."""


class Check(Struct, frozen=True):
    """A failed check. needed: True if the service cannot work without it. detail: facts as the service reports them."""

    name: str
    needed: bool
    detail: dict[str, Any]


class Case(Struct, frozen=True):
    """An event in quarantine. origin: kind of case. remedy: kind of remedy. reason, advice: as the service reports
    them.
    """

    source: str
    tournament: str
    position: int
    origin: str
    reason: str
    advice: str
    remedy: str = ""


class Condition(Struct, frozen=True):
    """The health of a service at `asked` (seconds since 1970).

    unpublished: events that wait for the broker. behind: peer -> events missing in the copy here. free, size: bytes of
    the disk. None or empty: not reported.
    """

    service: str
    status: str
    version: str = ""
    unpublished: int | None = None
    behind: dict[str, int] = {}
    free: int | None = None
    size: int | None = None
    checks: list[Check] = []
    cases: list[Case] = []
    quarantined: int = 0
    asked: float = 0.0

    @property
    def disk(self) -> int | None:
        """Percentage of free disk space."""
        return round(100 * self.free / self.size) if self.free is not None and self.size else None


class LastConditions:
    """The last answers of the services, per token."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, bytes], Condition] = {}
        self._one = Lock()

    def keep(self, token: str, condition: Condition) -> None:
        """Cache an answer; the oldest one is dropped beyond the limit."""
        with self._one:
            self._known.pop(place := (condition.service, _digest(token)), None)
            self._known[place] = condition
            while len(self._known) > KEPT:
                del self._known[next(iter(self._known))]

    def of(self, token: str, service: str) -> Condition | None:
        """Return the last answer of a service to a token."""
        with self._one:
            return self._known.get((service, _digest(token)))


def conditions(muster: Muster, known: LastConditions) -> list[tuple[Condition, Condition | None]]:
    """Return the health of each service, with the last known one of a service that is away. Raises NotAnOperator."""
    connection = muster.connection

    def ask(service: str) -> tuple[Condition, Condition | None]:
        token = connection.token
        try:
            found = _asked(connection.http, connection.urls[service], token, service, time.time())
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, msgspec.ValidationError):
            return Condition(service, AWAY, asked=time.time()), known.of(token, service)
        known.keep(token, found)
        return found, None

    with ThreadPoolExecutor(len(SERVICES)) as several:
        return list(several.map(ask, SERVICES))


def _asked(http: httpx.Client, url: str, token: str, service: str, now: float) -> Condition:
    headers = {"Authorization": f"Bearer {token}"}
    answer = http.get(f"{url}/readyz", headers=headers, timeout=TIMEOUT)
    if answer.status_code in (401, 403):
        raise NotAnOperator
    said = answer.json()
    checks = {name: one for name, one in said["checks"].items() if isinstance(one, dict)} if _is_ready(said) else None
    if checks is None:
        raise ValueError("that is no answer of a service")
    detail = {name: one.get("detail") or {} for name, one in checks.items()}
    disk = said["disk"] if isinstance(said.get("disk"), dict) else {}
    quarantine = detail.get("quarantine", {})
    return Condition(
        service,
        said["status"],
        version=str(said.get("version", "")),
        unpublished=detail.get("outbox", {}).get("unpublished"),
        behind={peer: one["behind"] for peer, one in detail.get("copies", {}).items() if _is_count(one)},
        free=_whole(disk.get("free")),
        size=_whole(disk.get("size")),
        checks=[Check(name, bool(one.get("needed")), detail[name]) for name, one in checks.items() if not one["ok"]],
        cases=[msgspec.convert(case, Case) for case in quarantine.get("events", [])],
        quarantined=quarantine.get("count", 0),
        asked=now,
    )


def _is_ready(said: object) -> bool:
    return (
        isinstance(said, dict) and isinstance(said.get("checks"), dict) and said.get("status") in (OK, DEGRADED, FAILED)
    )


def _is_count(said: object) -> bool:
    return isinstance(said, dict) and isinstance(said.get("behind"), int)


def _whole(said: object) -> int | None:
    return said if isinstance(said, int) else None


def _digest(token: str) -> bytes:
    return sha256(token.encode()).digest()


CHECKS = {
    "database": N_("The database is not responding. Start it; the service recovers automatically."),
    "disk": N_(
        "The data disk is full or read-only. The service accepts no commands until there is space; reading still works."
    ),
    "schema": N_("The tables are older than the code. Migrate them; the service waits for that."),
    "own_log": N_("Events of its own log are damaged on disk. Restore them from the other services with muster fsck."),
    "own_copies": N_(
        "This service's log is incomplete: other services have later events. It accepts no commands until it recovers."
    ),
    "broker": N_("The broker is not responding. Start it; nothing is lost, and nothing waits for it."),
    "outbox": N_("Many events are waiting to be published. Check the broker and the worker's log."),
    "copies": N_(
        "The copies are not catching up. Check that the owners of the logs respond, and check the worker's log."
    ),
    "parts": N_("The worker is down, or a part of it keeps failing. Start the worker; its log says why it failed."),
    "quarantine": N_("Events from other services were rejected and are in quarantine. See below what to do with each."),
}
"""Check of /readyz -> what a failure means and what to do."""
NAMES = {
    "database": N_("Database"),
    "disk": N_("Disk"),
    "schema": N_("Database tables"),
    "own_log": N_("Own log"),
    "own_copies": N_("Own log in the copies of the others"),
    "broker": N_("Broker"),
    "outbox": N_("Unpublished events"),
    "copies": N_("Copies of other logs"),
    "parts": N_("Worker"),
}
"""Check of /readyz -> its heading; quarantine has its own list."""
CASES = {
    "newer": N_("It was written by newer code than this service runs. It waits for the upgrade."),
    "early": N_("It arrived before its tournament was announced here. It will be accepted automatically."),
    "fork": N_("The copy differs from the log of its owner."),
    "fold": N_("The copy contains something that cannot be read."),
    "damaged": N_("The copy was damaged on disk."),
    "message": N_("A message was damaged or has no valid signature."),
    "owner": N_("The owner's log contains something that does not verify."),
}
"""Kind of a case in quarantine -> its cause."""
REMEDIES = {
    "wait": N_("Nothing: it is copied once the announcement has arrived."),
    "upgrade": N_("Upgrade %(service)s to the version that %(source)s runs."),
    "upgrade_itself": N_("Upgrade every process of %(service)s to the version that wrote it."),
    "look": N_("Check the log of %(source)s:"),
}
"""Remedy of a case in quarantine -> words; a remedy that is a command is shown as the command."""
COMMANDS, LOOK = ("recopy", "fsck"), "look"
PARTS = {
    "missing": N_("%(part)s: not running in any worker."),
    "silent": N_("%(part)s: no heartbeat for %(seconds)s seconds."),
    "failing": N_("%(part)s: keeps failing; it is retried."),
}
"""State of a part of a worker -> words."""


def check_name(check: Check) -> str:
    """Return the heading of a check."""
    return _(NAMES[check.name]) if check.name in NAMES else check.name


def check_facts(check: Check) -> list[str]:
    """Return the facts of a failed check, a line each."""
    return list(_FACTS.get(check.name, _nothing)(check.detail))


def remedy(case: Case, service: str) -> str | Markup:
    """Return what to do about a case in quarantine of a service."""
    if case.remedy in COMMANDS:
        return Markup("<code>%s</code>") % case.advice
    if case.remedy not in REMEDIES:
        return mark_english(case.advice)  # a service that is newer than this console
    names = {"service": service.capitalize(), "source": case.source.capitalize()}
    words = in_markup(REMEDIES[case.remedy], **names)
    if case.remedy != LOOK:
        return words
    return Markup("%s <code>GET /tournaments/%s/log</code>") % (words, case.tournament)


def _nothing(detail: Mapping[str, Any]) -> Iterator[str]:
    yield from ()


def _schema_facts(detail: Mapping[str, Any]) -> Iterator[str]:
    if "found" in detail and "expected" in detail:
        words = N_("They are at %(found)s; %(expected)s is required.")
        yield _(words, found=detail["found"], expected=detail["expected"])


def _own_copies_facts(detail: Mapping[str, Any]) -> Iterator[str]:
    for peer, state in detail.items():
        if isinstance(state, dict) and state.get("trouble"):
            yield _("%(peer)s has events that are missing here.", peer=peer.capitalize())


def _own_log_facts(detail: Mapping[str, Any]) -> Iterator[str]:
    for case in detail.get("damaged", ()):
        yield _("%(tournament)s, position %(position)s", tournament=case["tournament"], position=case["position"])


def _outbox_facts(detail: Mapping[str, Any]) -> Iterator[str]:
    yield ngettext("%(num)s event is waiting.", "%(num)s events are waiting.", detail.get("unpublished", 0))


def _copies_facts(detail: Mapping[str, Any]) -> Iterator[str]:
    for source, state in detail.items():
        if not isinstance(state, dict) or "behind" not in state:
            continue
        behind = ngettext("%(num)s event behind", "%(num)s events behind", state["behind"])
        seconds = state.get("seconds_since_asked")
        if seconds is None:
            yield _("%(source)s: %(behind)s; not contacted yet.", source=source.capitalize(), behind=behind)
        else:
            words = N_("%(source)s: %(behind)s; last contact %(seconds)s seconds ago.")
            yield _(words, source=source.capitalize(), behind=behind, seconds=number(seconds))


def _parts_facts(detail: Mapping[str, Any]) -> Iterator[str]:
    for part, state in detail.items():
        words = PARTS.get(state.get("state", "")) if isinstance(state, dict) else None
        if words:
            yield _(words, part=part, seconds=number(state.get("seconds_since_sign_of_life", 0)))


_FACTS = {
    "schema": _schema_facts,
    "own_log": _own_log_facts,
    "own_copies": _own_copies_facts,
    "outbox": _outbox_facts,
    "copies": _copies_facts,
    "parts": _parts_facts,
}


WEBHOOK = {
    "enabled": (N_("running"), "is-bound"),
    "unverified": (N_("has not answered yet"), "is-open"),
    "failing": (N_("not delivering"), "is-dispute"),
    "disabled": (N_("disabled"), "is-half"),
    "target_lost": (N_("address lost"), "is-dispute"),
}
"""Status of a webhook -> words, and the class of its mark."""
ADVICE = {
    "unverified": N_("It must answer the verification request with the challenge it was sent."),
    "failing": N_("The deliveries say why. They are retried automatically."),
    "target_lost": N_("The subscriber must enter its address again."),
}
CAUSES = {
    "asked": N_("Someone disabled it."),
    "failing": N_("Muster disabled it because nothing could be delivered. Enable it when its address responds again."),
    "gone": N_("It asked for no more messages (410). Enable it if that was a mistake."),
    "unverified": N_("It never answered the verification request. Enable it to send the request again."),
    "no_authority": N_(
        "The subscriber no longer has access. The person who enables it again takes responsibility for it."
    ),
}
"""Cause of a disabled webhook -> words, with what to do."""
DELIVERY = {"waiting": N_("waiting"), "delivered": N_("delivered"), "dead": N_("gave up")}
KINDS = {
    "ping": N_("Test message"),
    "verification": N_("Verification request"),
}
"""Kind of a message without an event -> words."""
FAULTS = {
    "status": N_("It answered with a status other than 2xx."),
    "redirect": N_("It answered with a redirect; redirects are not followed."),
    "gone": N_("It asked for no more messages (410)."),
    "challenge": N_("It answered without the challenge."),
    "timeout": N_("It did not answer in time."),
    "unreachable": N_("No server is listening there, or the network cannot reach it."),
    "tls": N_("Its certificate is not valid, or it does not support TLS."),
    "closed": N_("It closed the connection before answering."),
    "too-large": N_("Its answer is too long."),
    "not-public": N_("Its name resolves to an address that is not public."),
    "name-unknown": N_("Its name does not resolve."),
    "no-message": N_("The event can no longer be shown, or the address cannot be decrypted."),
}
"""Cause of the last failed attempt of a delivery -> words."""


def advice(status: str, cause: str) -> str:
    """Return what to do about a webhook; empty if it works."""
    words = CAUSES.get(cause, "") if status == "disabled" else ADVICE.get(status, "")
    return _(words) if words else ""


blueprint = Blueprint("operator", __name__)
INSTALLATION = "installation"
"""In place of an event's id: all events."""
LITTLE_DISK = 10
"""Warn below this percentage of free disk space."""
_KNOWN = "muster-last-conditions"
STATUS = {
    OK: (N_("running"), "is-bound"),
    "degraded": (N_("running, with problems"), "is-half"),
    FAILED: (N_("failed"), "is-dispute"),
    AWAY: (N_("not responding"), "is-dispute"),
}


class Row(Struct, frozen=True):
    """A service with its health, or its last known health if it is away. ago: seconds since then."""

    now: Condition
    last: Condition | None
    ago: int

    @property
    def shown(self) -> Condition:
        return self.last or self.now


def for_operators(view: Callable[..., ResponseReturnValue]) -> Callable[..., ResponseReturnValue]:
    """Restrict a view to operators' tokens. What they may do is decided by the services."""

    @wraps(view)
    def guarded(**parts: Any) -> ResponseReturnValue:
        if current_person().role != "operator" or current_person().tournament != EVERY_EVENT:
            return _refuse()
        return view(**parts)

    return guarded


@blueprint.get("/operator")
@for_operators
def show() -> ResponseReturnValue:
    """Show the problems first, then each service and each case of quarantine."""
    try:
        asked = conditions(muster(), _last_known())
    except NotAnOperator:
        return _refuse()
    rows = [Row(now, last, round(now.asked - last.asked) if last else 0) for now, last in asked]
    return render_template(
        "operator.html",
        rows=rows,
        wrong=[*(text for row in rows for text in _wrong(row)), *_failing_webhooks(rows)],
        status=STATUS,
        cases=CASES,
        check_name=check_name,
        check_facts=check_facts,
        remedy=remedy,
        here="health",
    )


def _wrong(row: Row) -> list[str]:
    """Return the problems of a service, one per line."""
    name = row.now.service.capitalize()
    if row.now.status == AWAY:
        away = _("%(service)s is not responding. Start it; the others keep working, and nothing is lost.", service=name)
        return [away]
    lines = [f"{name}: {_(CHECKS.get(check.name, check.name))}" for check in row.now.checks]
    if row.now.disk is not None and row.now.disk < LITTLE_DISK:
        lines.append(_("%(service)s: only %(percent)s %% of the disk is free.", service=name, percent=row.now.disk))
    return lines


def _failing_webhooks(rows: list[Row]) -> list[str]:
    """Return the installation's webhooks that fail, one per line; none while scoring is away."""
    if any(row.now.service == "scoring" and row.now.status == AWAY for row in rows):
        return []
    try:
        webhooks = muster().scoring.list_webhooks(INSTALLATION).items
    except MusterError:
        return []
    return [
        _("Webhook %(name)s is not delivering, or gave up on messages. See its deliveries.", name=one.name or one.id)
        for one in webhooks
        if one.status in ("failing", "target_lost") or one.dead
    ]


def _last_known() -> LastConditions:
    known: LastConditions = current_app.extensions.setdefault(_KNOWN, LastConditions())
    return known


def _refuse() -> ResponseReturnValue:
    what = _("This page is for operators of this installation. Sign in with an operator's token.")
    return render_template("refused.html", what=what, problem=None), 403


POINTERS = {"token": "/token_id", "reason": "/reason", "name": "/name", "organiser": "/organiser", "days": "/days"}
STAFF_ROLES = {role: ROLES[role] for role in ("organiser", "head_referee", "referee")}
"""Role that staff can get a token for -> words."""
LONGEST_ID = 200


@blueprint.route("/operator/tokens", methods=["GET", "POST"])
@for_operators
def tokens() -> ResponseReturnValue:
    """Issue and revoke tokens of organisers and staff; a new one is shown once."""
    form, action, made, status = Form(POINTERS), request.form.get("do", ""), "", 200
    try:
        if action == "revoke" and _filled_in(form, "token"):
            id = _id_of(form["token"])
            _revoke(id, form)
            flash(_("The token %(id)s has been revoked.", id=id))
            return redirect(url_for("operator.tokens"))
        if action == "issue" and _filled_in(form, "organiser"):
            body: Any = {"organiser": form["organiser"]}
            if form["days"]:
                body["days"] = int(form["days"]) if form["days"].isdecimal() else form["days"]
            made = muster().registration.issue_organiser_token(**body, idempotency_key=form.key).token
            leave_plain()
        if action == "appoint" and _filled_in(form, "event", "name"):
            role: Any = form["role"]
            staff = {"name": form["name"], "role": role}
            made = muster().registration.appoint_staff(form["event"], **staff, idempotency_key=form.key).token
            leave_plain()
    except Problem as problem:
        form.add_problem(problem)
        status = problem.status
    lists = {
        "issued": muster().registration.list_organiser_tokens().items,
        "revoked": muster().registration.list_revocations().items,
    }
    page = render_template("operator_tokens.html", form=form, made=made, **lists, roles=STAFF_ROLES, here="tokens")
    return page, status if status != 200 or form.is_valid else 422


def _revoke(id: str, form: Form) -> None:
    """Revoke a token of an event, whose id begins with the event's, or of the installation."""
    registration, why = muster().registration, form["reason"]
    event, dot, _rest = id.partition(".")
    if dot and event.startswith("t-"):
        registration.revoke_token(event, token_id=id, reason=why, idempotency_key=form.key)
    else:
        registration.revoke_installation_token(token_id=id, reason=why, idempotency_key=form.key)


def _id_of(text: str) -> str:
    """Return the id of a token, given the id or the whole token."""
    return str(claims_of(text).get("jti") or text)[:LONGEST_ID]


def _filled_in(form: Form, *fields: str) -> bool:
    for field in fields:
        if not form[field]:
            form.add_fault(field, _("This field is required."))
    return form.is_valid
