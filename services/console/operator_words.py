"""Texts for operators: failed checks, cases in quarantine, undelivered messages, and what to do about each.

They are made from the stable codes in `/readyz` and of webhooks, never from sentences of the services.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from services.console.health import Case, Check
from services.console.language import N_, _, in_markup, mark_english, number

CHECKS = {
    "database": N_("Its database does not answer. Start the database; the service goes on by itself."),
    "disk": N_("The disk of its data is full or read-only. It takes no command until there is room; reading goes on."),
    "schema": N_("Its tables are older than its code. Migrate them; the service waits for that."),
    "own_log": N_("Events of its own log are damaged on its disk. Take them back from the others with muster fsck."),
    "own_copies": N_("Others hold more of its log than it does. It takes no command until it has recovered."),
    "broker": N_("The broker does not answer. Start it; nothing is lost, and nothing waits for it."),
    "outbox": N_("Many events wait to be published. Look at the broker, and at the log of its worker."),
    "copies": N_("Its copies do not follow. Look whether the owners of the logs answer, and at its worker's log."),
    "parts": N_("Its worker is away, or a part of it keeps failing. Start the worker; its log says why it failed."),
    "quarantine": N_("Events of others do not fit, and wait in quarantine. See below what to do with each."),
}
"""Check of /readyz -> what is wrong if it fails, and what to do."""
NAMES = {
    "database": N_("Database"),
    "disk": N_("Disk"),
    "schema": N_("Tables of the database"),
    "own_log": N_("Its own log"),
    "own_copies": N_("Its own log in the copies of the others"),
    "broker": N_("Broker"),
    "outbox": N_("Events to publish"),
    "copies": N_("Copies of the others"),
    "parts": N_("Worker"),
}
"""Check of /readyz -> its heading; quarantine has a list of its own."""
CASES = {
    "newer": N_("It was written by newer code than this service runs. It waits for the upgrade."),
    "early": N_("It came before the event that it belongs to was announced here. It is taken by itself."),
    "fork": N_("The copy differs from the log of its owner."),
    "fold": N_("The copy holds something that cannot be read."),
    "damaged": N_("The copy was damaged on the disk."),
    "message": N_("A message was damaged, or nobody vouches for it."),
    "owner": N_("The log of its owner holds something that does not verify."),
}
"""Kind of a case in quarantine -> what went wrong."""
REMEDIES = {
    "wait": N_("Nothing: it is copied once the announcement has come."),
    "upgrade": N_("Upgrade %(service)s to the version that %(source)s runs."),
    "upgrade_itself": N_("Upgrade every process of %(service)s to the version that wrote it."),
    "look": N_("Look at the log of %(source)s:"),
}
"""Remedy of a case in quarantine -> words; a remedy that is a command is shown as the command."""
COMMANDS, LOOK = ("recopy", "fsck"), "look"
PARTS = {
    "missing": N_("%(part)s: no worker runs it."),
    "silent": N_("%(part)s: no sign of life for %(seconds)s seconds."),
    "failing": N_("%(part)s: it keeps failing, and is tried again."),
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
        words = N_("They stand at %(found)s, and have to stand at %(expected)s.")
        yield _(words, found=detail["found"], expected=detail["expected"])


def _own_copies_facts(detail: Mapping[str, Any]) -> Iterator[str]:
    for peer, state in detail.items():
        if isinstance(state, dict) and state.get("trouble"):
            yield _("%(peer)s holds what is missing here.", peer=peer.capitalize())


def _own_log_facts(detail: Mapping[str, Any]) -> Iterator[str]:
    for case in detail.get("damaged", ()):
        yield _("%(tournament)s, position %(position)s", tournament=case["tournament"], position=case["position"])


def _outbox_facts(detail: Mapping[str, Any]) -> Iterator[str]:
    yield _("%(number)s events wait.", number=number(detail.get("unpublished", 0)))


def _copies_facts(detail: Mapping[str, Any]) -> Iterator[str]:
    for source, state in detail.items():
        if not isinstance(state, dict) or "behind" not in state:
            continue
        facts = {"source": source.capitalize(), "behind": number(state["behind"])}
        seconds = state.get("seconds_since_asked")
        if seconds is None:
            yield _("%(source)s: %(behind)s events behind, and never asked yet.", **facts)
        else:
            words = N_("%(source)s: %(behind)s events behind, asked %(seconds)s seconds ago.")
            yield _(words, **facts, seconds=number(seconds))


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
    "enabled": (N_("works"), "is-bound"),
    "unverified": (N_("has not answered yet"), "is-open"),
    "failing": (N_("nothing arrives"), "is-dispute"),
    "disabled": (N_("disabled"), "is-half"),
    "target_lost": (N_("its address is lost"), "is-dispute"),
}
"""Status of a webhook -> words, and the class of its mark."""
ADVICE = {
    "unverified": N_("It was asked whether it wants this, and has to answer with the challenge that it was sent."),
    "failing": N_("The deliveries say why. They are tried again by themselves."),
    "target_lost": N_("Whoever subscribed has to give its address again."),
}
CAUSES = {
    "asked": N_("Somebody disabled it."),
    "failing": N_("Muster disabled it, for nothing arrived any more. Enable it when its address answers."),
    "gone": N_("It answered that it wants nothing more (410). Enable it if that was a mistake."),
    "unverified": N_("It never answered that it wants this. Enable it, and it is asked again."),
    "no_authority": N_("Whoever subscribed may not see this any more. Whoever enables it vouches for it."),
}
"""Why a webhook is disabled -> words, with what to do."""
DELIVERY = {"waiting": N_("waiting"), "delivered": N_("delivered"), "dead": N_("given up")}
KINDS = {
    "ping": N_("Test message"),
    "verification": N_("Question whether it wants this"),
}
"""Kind of a message without an event -> words."""
FAULTS = {
    "status": N_("It answered with another status than 2xx."),
    "redirect": N_("It answered with a redirect, which is not followed."),
    "gone": N_("It answered that it wants nothing more (410)."),
    "challenge": N_("It answered without the challenge."),
    "timeout": N_("It did not answer in time."),
    "unreachable": N_("Nothing listens there, or the network does not lead there."),
    "tls": N_("Its certificate is not good, or it speaks no TLS."),
    "closed": N_("It closed the connection before it had answered."),
    "too-large": N_("Its answer is too long."),
    "not-public": N_("Its name stands for an address that is not public."),
    "name-unknown": N_("Its name stands for no address."),
    "no-message": N_("The event cannot be shown any more, or the address cannot be opened."),
}
"""Why the last attempt of a delivery failed -> words."""


def advice(status: str, cause: str) -> str:
    """Return what to do about a webhook; empty if it works."""
    words = CAUSES.get(cause, "") if status == "disabled" else ADVICE.get(status, "")
    return _(words) if words else ""
