"""What registration shows of a command before anybody decides: players whose place would be another."""

from __future__ import annotations

from typing import Annotated

from shared.shapes import View
from shared.tournament.entries import Entries


class StatusMoved(View, frozen=True, kw_only=True):
    """A status as it is and as it would be; before is empty for somebody new."""

    before: str
    after: str


class PlaceMoved(View, frozen=True, kw_only=True):
    """A player who would take part, wait or be gone in another way: somebody new, who leaves, or who moves up."""

    id: Annotated[str, "The id of the player."]
    name: str
    status: StatusMoved


def places_moved(before: Entries, after: Entries) -> list[PlaceMoved]:
    """Everybody whose status would be another, in order of sign-up."""
    was = {id: player.status for id, player in before.players.items()}
    return [
        PlaceMoved(id=id, name=player.name, status=StatusMoved(before=was.get(id, ""), after=player.status))
        for id, player in after.players.items()
        if was.get(id) != player.status
    ]
