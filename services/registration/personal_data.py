"""Personal data: the encrypted rows outside the log, and the routes that show and erase them.

Each person has a key of their own; erasing is deleting the key. The record of who looked is a row, too, and is
erased with the data: the log lasts for ever, and who looked at somebody's needs is as private as the needs are.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.registration.handlers import HANDLERS
from services.registration.players import ErasePersonalData, require_personal_data_access, visible_members
from shared.formats.fold import current_data
from shared.log.database import Connection
from shared.log.event import Recorded
from shared.roles import HEAD_REFEREE, ORGANISER_UP, PLAYER
from shared.service.routes import actor_of
from shared.service.views import Appended
from shared.service.wiring import current_part, gateway, service
from shared.shapes import View
from shared.tournament.guards import By
from shared.web.auth import caller
from shared.web.blueprint import Blueprint
from shared.web.paging import Paged, page, page_of, parse_after
from shared.web.refusals import LogUnreadable

_OF_PLAYER = "WHERE tournament = :tournament AND player = :player"
NONCE = 12
"""Bytes of a nonce of AES-GCM; it stands before the encrypted text."""


class PersonalDataVault:
    """Seals and opens personal data. master: 32 bytes; it seals each person's own key."""

    def __init__(self, master: bytes) -> None:
        self._master = AESGCM(master)

    def put(self, connection: Connection, tournament: str, player: str, data: dict[str, Any]) -> None:
        """Keep personal data of a player, in place of what was kept before."""
        key = AESGCM.generate_key(256)
        place = f"{tournament}/{player}".encode()
        self.erase(connection, tournament, player)
        connection.run(
            "INSERT INTO personal (tournament, player, key, data) VALUES (:tournament, :player, :key, :data)",
            tournament=tournament,
            player=player,
            key=_seal(self._master, key, place),
            data=_seal(AESGCM(key), orjson.dumps(data), place),
        )

    def add(self, connection: Connection, tournament: str, player: str, data: dict[str, Any]) -> None:
        """Keep personal data of a player beside what was kept before; members of the same name are replaced."""
        self.put(connection, tournament, player, {**(self.get(connection, tournament, player) or {}), **data})

    def get(self, connection: Connection, tournament: str, player: str) -> dict[str, Any] | None:
        """Return personal data of a player; None when there are none, or none any more. Raises LogUnreadable."""
        sql = f"SELECT key, data FROM personal {_OF_PLAYER}"
        row = connection.first(sql, tournament=tournament, player=player)
        if row is None:
            return None
        sealed, data = row
        place = f"{tournament}/{player}".encode()
        try:
            key = _open(self._master, sealed, place)
            opened: dict[str, Any] = orjson.loads(_open(AESGCM(key), data, place))
        except InvalidTag as error:
            raise LogUnreadable(f"The personal data of {player} are damaged in this database.", event="") from error
        return opened

    def damaged(self, connection: Connection) -> list[tuple[str, str]]:
        """Return the rows that cannot be opened: which, and why."""
        found = []
        for tournament, player in connection.rows("SELECT tournament, player FROM personal"):
            try:
                self.get(connection, tournament, player)
            except LogUnreadable:
                found.append((f"{tournament}/{player}", "it cannot be decrypted"))
        return found

    def holds(self, connection: Connection, tournament: str, player: str) -> bool:
        """Whether anything is kept of a player."""
        sql = f"SELECT player FROM personal {_OF_PLAYER}"
        return connection.first(sql, tournament=tournament, player=player) is not None

    def erase(self, connection: Connection, tournament: str, player: str) -> None:
        """Destroy the key and what it sealed; the log never held any of it."""
        connection.delete_securely(f"DELETE FROM personal {_OF_PLAYER}", tournament=tournament, player=player)


def _seal(cipher: AESGCM, plain: bytes, place: bytes) -> bytes:
    nonce = secrets.token_bytes(NONCE)
    return nonce + cipher.encrypt(nonce, plain, place)


def _open(cipher: AESGCM, sealed: bytes, place: bytes) -> bytes:
    return cipher.decrypt(bytes(sealed[:NONCE]), bytes(sealed[NONCE:]), place)


class LookView(View, frozen=True, kw_only=True):
    """Somebody was shown personal data."""

    id: int
    time: str
    actor: Annotated[str, "For staff, the id that the tournament shows."]
    role: str
    members: list[str]


def lock_personal_data(connection: Connection, tournament: str, player: str) -> None:
    """Let no erasure come between what is read and the look that is noted."""
    connection.lock_rows(f"SELECT player FROM personal {_OF_PLAYER}", tournament=tournament, player=player)


def record_look(connection: Connection, tournament: str, player: str, by: By, time: str, members: list[str]) -> None:
    """Keep that somebody was shown these members of a player's personal data. time: as events have it."""
    connection.run(
        """INSERT INTO personal_looks (tournament, player, time, actor, role, members)
            VALUES (:tournament, :player, :time, :actor, :role, :members)""",
        tournament=tournament,
        player=player,
        time=time,
        actor=by.actor,
        role=by.role,
        members=",".join(members),
    )


def looks_of(connection: Connection, tournament: str, player: str, after: int, limit: int) -> list[LookView]:
    """The looks at a player's personal data behind the one with the id `after`, in their order."""
    sql = f"""SELECT id, time, actor, role, members FROM personal_looks {_OF_PLAYER} AND id > :after
        ORDER BY id LIMIT :limit"""
    rows = connection.rows(sql, tournament=tournament, player=player, after=after, limit=limit)
    return [
        LookView(id=id, time=time, actor=actor, role=role, members=members.split(","))
        for id, time, actor, role, members in rows
    ]


def count_looks(connection: Connection, tournament: str, player: str) -> int:
    """How many looks at a player's personal data are kept."""
    sql = f"SELECT count(*) FROM personal_looks {_OF_PLAYER}"
    number: int = connection.value(sql, tournament=tournament, player=player)
    return number


def erase(connection: Connection, tournament: str, player: str) -> None:
    """Forget who looked, once nothing is left that they looked at, and what staff noted about the player's roster."""
    connection.run(f"DELETE FROM personal_looks {_OF_PLAYER}", tournament=tournament, player=player)
    connection.run(f"DELETE FROM roster_notes {_OF_PLAYER}", tournament=tournament, player=player)


safe = current_part(PersonalDataVault)
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
    by = actor_of(caller())
    with gateway.reading(tournament) as loaded:
        require_personal_data_access(loaded.state, by, player)
    if by.role == PLAYER:
        with gateway.handler.database.reading() as connection:
            data = visible_members(by.role, safe.get(connection, tournament, player) or {})
            return PersonalView(player=player, data=data)
    with gateway.handler.database.writing() as connection:
        lock_personal_data(connection, tournament, player)
        data = visible_members(by.role, safe.get(connection, tournament, player) or {})
        if data:
            record_look(connection, tournament, player, by, gateway.handler.now(), sorted(data))
    return PersonalView(player=player, data=data)


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/personal/looks")
@blueprint.allow(*ORGANISER_UP, PLAYER)
@blueprint.arguments(Paged, location="query")
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours", "other-venue")
@blueprint.response(200, page_of(LookView))
def list_looks(query: Paged, tournament: str, player: str) -> Any:
    """List who was shown a player's personal data, when, and which data; the list is erased with the data."""
    (after,) = parse_after(query.after, int) or (0,)
    with gateway.reading(tournament) as loaded:
        require_personal_data_access(loaded.state, actor_of(caller()), player)
    with gateway.handler.database.reading() as connection:
        found = looks_of(connection, tournament, player, after, query.limit + 1)
        total = count_looks(connection, tournament, player)
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
    answer = gateway.run(tournament, ErasePersonalData(player=player, kept=kept), inline_write=erase)
    gateway.handler.database.truncate_journal()
    return answer


def erase_all(safe: PersonalDataVault, connection: Connection, tournament: str, player: str) -> None:
    """Nothing personal is left of a player, and not who looked at it."""
    safe.erase(connection, tournament, player)
    erase(connection, tournament, player)


def reapply_erasures(safe: PersonalDataVault) -> Callable[[Connection, Sequence[Recorded]], None]:
    """What erases once more where the log of an erasure comes back into a database of before."""

    def erase(connection: Connection, recorded: Sequence[Recorded]) -> None:
        for event in recorded:
            if event.type == "PersonalDataErased":
                erase_all(safe, connection, event.tournament, current_data(event)["player"])

    return erase
