"""What registration asks of a format; the rows are in `services/registration/formats.py`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated

from msgspec import Struct

from services.registration.tournament.commands import AnnounceTournament
from shared.events.base import Event
from shared.rules.ruleset import AnyRuleset
from shared.shapes import View
from shared.tournament.entries import Entries
from shared.tournament.state import Tournament


class DatesView(View, frozen=True, kw_only=True):
    """What follows from the first day of play, each with its clause."""

    lists_due_on: Annotated[str, "Advised; lists are locked later."]
    released_by: Annotated[str, "What came out later is not legal yet."]
    clauses: dict[str, str]


class Away(Struct, frozen=True):
    """Somebody who stayed away too often. clause: by which they are out. told: the position in scoring's log of the
    result that told it last.
    """

    clause: str
    told: int


class RegistrationFormat(Struct, frozen=True, kw_only=True):
    """What a format does in its own way while players come together.

    refuse_rounds: raises RoundsByOption for a number of rounds that the ruleset does not have. operator_data: what the
    operator entered of the game with the announcement, as events; None where there is no such data. absent: active
    players who drop because they stayed away. dates: what is due when before the first day. links: what concerns a
    player -> the service and the path, in the tournament, where it is found, beside those of every format. on_purpose:
    what may be kept back until staff publish it.
    """

    refuse_rounds: Callable[[AnyRuleset, int | None], None] = lambda ruleset, rounds: None
    operator_data: Callable[[AnnounceTournament], list[Event]] | None = None
    absent: Callable[[Tournament], Mapping[str, Away]] = lambda state: {}
    dates: Callable[[Entries], DatesView | None] = lambda entries: None
    links: Mapping[str, tuple[str, str]] = {}
    on_purpose: Collection[str] = ()
