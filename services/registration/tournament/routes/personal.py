"""Routes of personal data: shown to those who need them, each look on record, and erased."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from services.registration.handlers import HANDLERS
from services.registration.tournament import personal_data_vault
from services.registration.tournament.decide.disclosure import disclosed, need_reason_to_look
from services.registration.tournament.personal_data_vault import PersonalDataVault
from services.registration.tournament.player_commands import ErasePersonalData
from shared.formats.fold import data_of
from shared.log.database import Connection
from shared.log.event import Recorded
from shared.roles import HEAD_REFEREE, ORGANISER_UP, PLAYER
from shared.service.gateway import by_of
from shared.service.views import Appended
from shared.service.wiring import gateway, service, wired
from shared.shapes import View
from shared.web.auth import caller
from shared.web.blueprint import Blueprint
from shared.web.paging import Paged, begins_after, page, page_of

safe = wired(PersonalDataVault)
blueprint = Blueprint("personal", description="Personal data: show them, see who looked, erase them.")


class PersonalView(View, frozen=True, kw_only=True):
    """Personal data, as far as whoever asks is shown them."""

    player: str
    data: Annotated[
        dict[str, Any],
        "email, phone, legal_name: to the organiser; needs, table_reason: to a head referee, too; all of these to the"
        " player. notes (event, type, time, actor, note): to organiser and head referee.",
    ]


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/personal")
@blueprint.allow(*ORGANISER_UP, HEAD_REFEREE, PLAYER)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours", "other-venue", "behind-own-copies")
@blueprint.response(200, PersonalView)
def show_personal_data(tournament: str, player: str) -> PersonalView:
    """Show a player's personal data: the organiser sees all of it, a head referee sees needs and private notes, and the
    player sees what is theirs. Every look except the player's own is recorded, and the player may read who looked.
    """
    service.own_copies.require_none_ahead()
    by = by_of(caller())
    with gateway.reading(tournament) as loaded:
        need_reason_to_look(loaded.state, by, player)
    if by.role == PLAYER:
        with gateway.handler.database.reading() as connection:
            data = disclosed(by.role, safe.get(connection, tournament, player) or {})
            return PersonalView(player=player, data=data)
    with gateway.handler.database.writing() as connection:
        personal_data_vault.hold(connection, tournament, player)
        data = disclosed(by.role, safe.get(connection, tournament, player) or {})
        if data:
            personal_data_vault.note(connection, tournament, player, by, gateway.handler.now(), sorted(data))
    return PersonalView(player=player, data=data)


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/personal/looks")
@blueprint.allow(*ORGANISER_UP, PLAYER)
@blueprint.arguments(Paged, location="query")
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours", "other-venue")
@blueprint.response(200, page_of(personal_data_vault.LookView))
def list_looks(query: Paged, tournament: str, player: str) -> Any:
    """List who was shown a player's personal data, when, and which data; the list is erased with the data."""
    (after,) = begins_after(query.after, int) or (0,)
    with gateway.reading(tournament) as loaded:
        need_reason_to_look(loaded.state, by_of(caller()), player)
    with gateway.handler.database.reading() as connection:
        found = personal_data_vault.looks_at(connection, tournament, player, after, query.limit + 1)
        total = personal_data_vault.number_of(connection, tournament, player)
    items = found[: query.limit]
    return page(items, (items[-1].id,) if len(found) > len(items) else None, total)


@blueprint.delete("/tournaments/<id:tournament>/players/<id:player>/personal")
@blueprint.allow(*HANDLERS[ErasePersonalData].roles)
@blueprint.previewed
@blueprint.response(200, Appended)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours")
def erase_personal_data(tournament: str, player: str) -> Appended:
    """Erase a player's personal data for good, including private notes and the list of who looked. The log never held
    any of it, so every hash still verifies.
    """

    def erase(connection: Connection, recorded: Sequence[Recorded]) -> None:
        erase_all(safe, connection, tournament, player)

    with gateway.handler.database.reading() as connection:
        kept = safe.holds(connection, tournament, player)
    answer = gateway.run(tournament, ErasePersonalData(player=player, kept=kept), also=erase)
    gateway.handler.database.forget_removed()
    return answer


def erase_all(safe: PersonalDataVault, connection: Connection, tournament: str, player: str) -> None:
    """Nothing personal is left of a player, and not who looked at it."""
    safe.erase(connection, tournament, player)
    personal_data_vault.erase(connection, tournament, player)


def erased_again(safe: PersonalDataVault) -> Callable[[Connection, Sequence[Recorded]], None]:
    """What erases once more where the log of an erasure comes back into a database of before."""

    def erase(connection: Connection, recorded: Sequence[Recorded]) -> None:
        for event in recorded:
            if event.type == "PersonalDataErased":
                erase_all(safe, connection, event.tournament, data_of(event)["player"])

    return erase
