"""The note on a page that shows what was known last: which service is away, how old it is, and what still works."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from babel.dates import format_timedelta
from flask import current_app, request
from msgspec import Struct

from services.console.language import N_, _, locale
from services.console.last_known import used_for_this_page
from services.console.live.of_app import hub_of

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "registration": N_("Registration is away"),
        "pairing": N_("Pairing is away"),
        "scoring": N_("Scoring is away"),
    }
)
WORKS: Mapping[str, str] = MappingProxyType(
    {
        "registration": N_("pairings, the clock, results and standings."),
        "pairing": N_("players, lists, results and standings."),
        "scoring": N_(
            "pairings, the clock, players and lists. Results that players send are kept on their phones and go out by"
            " themselves."
        ),
    }
)
FAILS: Mapping[str, str] = MappingProxyType(
    {
        "registration": N_("entering players, check-in, lists and signing up."),
        "pairing": N_("pairing, publishing and starting rounds, calls of time."),
        "scoring": N_("entering and correcting results, closing the round."),
    }
)


class Away(Struct, frozen=True):
    """seconds: how old the oldest answer of the service is, ago: in words. works, fails: what does."""

    service: str
    title: str
    seconds: int
    ago: str
    works: str
    fails: str


def away() -> list[Away]:
    """The services that did not answer for this page, and scoring where nothing is heard of what happens there."""
    found = used_for_this_page()
    deaf = hub_of(current_app).deaf_for((request.view_args or {}).get("event", ""))
    if deaf is not None:
        found["scoring"] = max(deaf, found.get("scoring", 0.0))
    return [
        Away(service, _(TITLES[service]), round(seconds), ago(seconds), _(WORKS[service]), _(FAILS[service]))
        for service, seconds in found.items()
    ]


def left(seconds: int | None) -> int | None:
    """What is left of a time that pairing said: its answer may be one that was known last."""
    return None if seconds is None else seconds - round(used_for_this_page().get("pairing", 0.0))


def ago(seconds: float) -> str:
    """`6 minutes ago`, in the language of the page."""
    return format_timedelta(-round(seconds), granularity="second", threshold=1, add_direction=True, locale=locale())
