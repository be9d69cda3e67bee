"""What addresses of scoring ask for behind their question mark."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from shared.shapes import Check, Documented, Id, Query, Whole
from shared.tournament.game_status import GameStatus
from shared.web.paging import Paged

MOST_ROUNDS = 1000
ALL = "all"
ROUND_OR_ALL = f"a whole number from 1 to {MOST_ROUNDS}, or {ALL}"


def _round_or_all(said: str) -> str:
    known = said == ALL or (said.isascii() and said.isdecimal() and 1 <= int(said[:9]) <= MOST_ROUNDS)
    return "" if known else ROUND_OR_ALL


class GamesQuery(Paged, frozen=True, kw_only=True):
    """Which games."""

    round: Annotated[
        str | UnsetType,
        Check(_round_or_all),
        Documented({"pattern": "^(all|[1-9][0-9]*)$"}),
        "Of which round, from 1 to 1000, or `all`; left out: the latest, which the answer names.",
    ] = UNSET
    status: Annotated[GameStatus | UnsetType, "Only games of this status."] = UNSET
    venue: Annotated[Id | UnsetType, "Only games at this venue."] = UNSET
    improbable: Annotated[
        bool | UnsetType, "true: only games with facts that were asked back and stood by; false: only the others."
    ] = UNSET


class StandingsQuery(Query, frozen=True, kw_only=True):
    """Which standings."""

    round: Annotated[
        int | UnsetType, Whole(1, MOST_ROUNDS), "As recorded after this round; left out: those of this moment."
    ] = UNSET
