"""What registration asks of a format; the rows are in `services/registration/formats.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from services.registration.tournament.commands import AnnounceTournament
from shared.events.base import Event
from shared.rules.ruleset import AnyRuleset
from shared.tournament.entries import Entries
from shared.tournament.state import Tournament


def any_number(ruleset: AnyRuleset, rounds: int | None) -> None:
    """Of a format whose rulesets leave the number of rounds to the announcement."""


def nobody(state: Tournament) -> list[str]:
    """Of a format in which nobody drops by staying away."""
    return []


def no_dates(entries: Entries) -> dict[str, Any] | None:
    """Of a format in which nothing is due before the first day."""
    return None


class RegistrationFormat(Struct, frozen=True, kw_only=True):
    """What a format does in its own way while players come together.

    refuse_rounds: raises RoundsByOption for a number of rounds that the ruleset does not have. operator_data: what the
    operator entered of the game with the announcement, as events; None where there is no such data. absent: active
    players who drop because they stayed away. dates: what is due when before the first day. links: what concerns a
    player -> the service and the path, in the tournament, where it is found, beside those of every format.
    """

    name: str
    refuse_rounds: Callable[[AnyRuleset, int | None], None] = any_number
    operator_data: Callable[[AnnounceTournament], list[Event]] | None = None
    absent: Callable[[Tournament], list[str]] = nobody
    dates: Callable[[Entries], dict[str, Any] | None] = no_dates
    links: Mapping[str, tuple[str, str]] = {}
