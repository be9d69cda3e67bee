"""Events for an integration's token that is for some of them: of some types, or about one venue."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from shared.application.repository import Repository
from shared.events.recorded import Recorded
from shared.formats.coop.seating import of_session
from shared.roles import INTEGRATION
from shared.tournament.guards.venues import of_game, of_player
from shared.tournament.state import Tournament
from shared.web.tokens import Caller

Wanted = Callable[[Recorded], bool]

_PLACED: dict[str, Callable[[Tournament, str], list[str]]] = {
    "venue": lambda state, venue: [venue],
    "player": of_player,
    "players": of_player,
    "game": of_game,
    "session": of_session,
}
"""Member of an event's data -> the venues that its values are about."""


def wanted_by(who: Caller | None, repository: Repository) -> Wanted | None:
    """Which events a caller reads; None for all.

    An event of a venue is about a game, a table or a player there; one that is about no venue is everybody's.
    """
    venue = who.venue if who is not None and who.role == INTEGRATION else None
    types = frozenset(who.types) if who is not None else frozenset()
    if not venue and not types:
        return None

    def wanted(event: Recorded) -> bool:
        if types and event.type not in types:
            return False
        if not venue:
            return True
        with repository.now(event.tournament) as loaded:
            about = set(filter(None, _venues(loaded.state, msgspec.json.decode(event.data))))
        return not about or venue in about

    return wanted


def _venues(state: Tournament, data: Any) -> Iterator[str]:
    if isinstance(data, list):
        for each in data:
            yield from _venues(state, each)
    if not isinstance(data, dict):
        return
    for name, value in data.items():
        if place := _PLACED.get(name):
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, str):
                    yield from place(state, one)
        yield from _venues(state, value)
