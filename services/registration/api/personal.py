"""Routes of personal data: shown to those who need them, each look on record, and erased."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection

from services.registration import answers, looks
from services.registration.domain import commands as ask
from services.registration.domain.disclosure import disclosed, need_reason_to_look
from services.registration.personal import Safe
from shared.events.recorded import Recorded
from shared.handling.front import Front, by_of, shown
from shared.handling.schemas import ReceiptShown
from shared.http.access import caller
from shared.http.blueprint import Blueprint
from shared.http.paging import PageQuery, begins_after, page, page_of
from shared.http.roles import HEAD_REFEREE, OPERATOR, ORGANISER, PLAYER

LEADING = (OPERATOR, ORGANISER)


def personal_blueprint(front: Front, safe: Safe, may_show: Callable[[], None]) -> Blueprint:
    """What a player gave for the eyes of few.

    may_show: raises while the log may lack what was erased since.
    """
    blueprint = Blueprint("personal", description="Personal data: who is shown them, who looked, erasing.")
    database = front.desk.database

    @blueprint.get("/tournaments/<id:tournament>/players/<id:player>/personal")
    @blueprint.allow(*LEADING, HEAD_REFEREE, PLAYER)
    @blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours", "other-venue", "behind-own-copies")
    @blueprint.response(200, answers.Personal)
    def show_personal_data(tournament: str, player: str) -> dict[str, Any]:
        """Show a player's personal data: all to the organiser, needs and private notes to a head referee, and to the
        player what is theirs. Every look but the player's own is kept, and the player may read who looked.
        """
        may_show()
        by = by_of(caller())
        with front.reading(tournament) as folded:
            need_reason_to_look(folded.state, by, player)
        if by.role == PLAYER:
            with database.reading() as connection:
                return {"player": player, "data": disclosed(by.role, safe.get(connection, tournament, player) or {})}
        with database.writing() as connection:
            looks.hold(connection, tournament, player)
            data = disclosed(by.role, safe.get(connection, tournament, player) or {})
            if data:
                looks.note(connection, tournament, player, by, front.desk.now(), sorted(data))
        return {"player": player, "data": data}

    @blueprint.get("/tournaments/<id:tournament>/players/<id:player>/personal/looks")
    @blueprint.allow(*LEADING, PLAYER)
    @blueprint.arguments(PageQuery, location="query")
    @blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours", "other-venue")
    @blueprint.response(200, page_of(answers.LookShown))
    def list_looks(query: dict[str, Any], tournament: str, player: str) -> Any:
        """List who was shown a player's personal data, when and which; erased with them, and in no log."""
        (after,) = begins_after(query, int) or (0,)
        with front.reading(tournament) as folded:
            need_reason_to_look(folded.state, by_of(caller()), player)
        with database.reading() as connection:
            found = looks.looks_at(connection, tournament, player, after, query["limit"] + 1)
        items = found[: query["limit"]]
        return page(items, (items[-1]["id"],) if len(found) > len(items) else None)

    @blueprint.delete("/tournaments/<id:tournament>/players/<id:player>/personal")
    @blueprint.allow(*LEADING, PLAYER)
    @blueprint.response(200, ReceiptShown)
    @blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours")
    def erase_personal_data(tournament: str, player: str) -> dict[str, Any]:
        """Erase a player's personal data for good, private notes and who looked too; the log never held any of it, so
        every hash still verifies.
        """

        def erase(connection: Connection, recorded: Sequence[Recorded]) -> None:
            erase_all(safe, connection, tournament, player)

        with database.reading() as connection:
            kept = safe.holds(connection, tournament, player)
        command = ask.ErasePersonalData(player=player, kept=kept)
        receipt = front.command(tournament, command, also=erase)
        safe.forget(database)
        return shown(receipt, tournament)

    return blueprint


def erase_all(safe: Safe, connection: Connection, tournament: str, player: str) -> None:
    """Nothing personal is left of a player, and not who looked at it."""
    safe.erase(connection, tournament, player)
    looks.erase(connection, tournament, player)


def erased_again(safe: Safe) -> Callable[[Connection, Sequence[Recorded]], None]:
    """What erases once more where the log of an erasure comes back into a database of before."""

    def erase(connection: Connection, recorded: Sequence[Recorded]) -> None:
        for event in recorded:
            if event.type == "PersonalDataErased":
                erase_all(safe, connection, event.tournament, msgspec.json.decode(event.data)["player"])

    return erase
