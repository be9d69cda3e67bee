"""Personal data: encrypted rows outside the log, and the routes that show and erase them.

Each person has their own key; erasing data means deleting the key. Access is recorded in rows too, which are erased
with the data: the log is permanent, and the fact that someone looked at a player's needs is as private as the needs.
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
from shared.web.auth import require_caller
from shared.web.blueprint import Blueprint
from shared.web.paging import Paged, page, page_of, parse_after
from shared.web.refusals import LogUnreadable

_OF_PLAYER = "WHERE tournament = :tournament AND player = :player"
NONCE = 12
"""Bytes of an AES-GCM nonce, which precedes the ciphertext."""


class PersonalDataVault:
    """Encrypts and decrypts personal data. master: 32-byte key that encrypts each person's key."""

    def __init__(self, master: bytes) -> None:
        self._master = AESGCM(master)

    def put(self, connection: Connection, tournament: str, player: str, data: dict[str, Any]) -> None:
        """Store personal data of a player, replacing earlier data."""
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
        """Add members to the personal data of a player, replacing members of the same name."""
        self.put(connection, tournament, player, {**(self.get(connection, tournament, player) or {}), **data})

    def get(self, connection: Connection, tournament: str, player: str) -> dict[str, Any] | None:
        """Return personal data of a player; None if there are none. Raises LogUnreadable if they cannot be read."""
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
        """Return the rows that cannot be decrypted, with the problem."""
        damaged = []
        for tournament, player in connection.rows("SELECT tournament, player FROM personal"):
            try:
                self.get(connection, tournament, player)
            except LogUnreadable:
                damaged.append((f"{tournament}/{player}", "it cannot be decrypted"))
        return damaged

    def holds(self, connection: Connection, tournament: str, player: str) -> bool:
        """Return True if any personal data of a player are stored."""
        sql = f"SELECT player FROM personal {_OF_PLAYER}"
        return connection.first(sql, tournament=tournament, player=player) is not None

    def erase(self, connection: Connection, tournament: str, player: str) -> None:
        """Destroy the key and the data that it encrypted."""
        connection.delete_securely(f"DELETE FROM personal {_OF_PLAYER}", tournament=tournament, player=player)


def _seal(cipher: AESGCM, plain: bytes, place: bytes) -> bytes:
    nonce = secrets.token_bytes(NONCE)
    return nonce + cipher.encrypt(nonce, plain, place)


def _open(cipher: AESGCM, sealed: bytes, place: bytes) -> bytes:
    return cipher.decrypt(bytes(sealed[:NONCE]), bytes(sealed[NONCE:]), place)


class LookView(View, frozen=True, kw_only=True):
    """An access to personal data."""

    id: int
    time: str
    actor: Annotated[str, "The id of the person; for staff, the id in the tournament."]
    role: str
    members: list[str]


def lock_personal_data(connection: Connection, tournament: str, player: str) -> None:
    """Lock a player's row, so that no erasure happens between the access and its record."""
    connection.lock_rows(f"SELECT player FROM personal {_OF_PLAYER}", tournament=tournament, player=player)


def record_look(connection: Connection, tournament: str, player: str, by: By, time: str, members: list[str]) -> None:
    """Record an access to these members of a player's personal data. time: RFC 3339."""
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
    """Return the recorded accesses to a player's personal data with ids above `after`, in order."""
    sql = f"""SELECT id, time, actor, role, members FROM personal_looks {_OF_PLAYER} AND id > :after
        ORDER BY id LIMIT :limit"""
    rows = connection.rows(sql, tournament=tournament, player=player, after=after, limit=limit)
    return [
        LookView(id=id, time=time, actor=actor, role=role, members=members.split(","))
        for id, time, actor, role, members in rows
    ]


def count_looks(connection: Connection, tournament: str, player: str) -> int:
    """Return the number of recorded accesses to a player's personal data."""
    sql = f"SELECT count(*) FROM personal_looks {_OF_PLAYER}"
    number: int = connection.value(sql, tournament=tournament, player=player)
    return number


vault = current_part(PersonalDataVault)
blueprint = Blueprint("personal", description="Personal data: access, the record of access, erasure.")


class PersonalView(View, frozen=True, kw_only=True):
    """The personal data that the caller may see."""

    player: str
    data: Annotated[
        dict[str, Any],
        "`email`, `phone`, `legal_name`: visible to the organiser and the player. `needs`, `table_reason`: also to a "
        "head referee. `notes` (event, type, time, actor, note): visible to organiser and head referee.",
    ]


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/personal")
@blueprint.allow(*ORGANISER_UP, HEAD_REFEREE, PLAYER)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours", "other-venue", "behind-own-copies")
@blueprint.response(200, PersonalView)
def show_personal_data(tournament: str, player: str) -> PersonalView:
    """Show a player's personal data. The organiser sees everything, a head referee needs and private notes.

    Every access except the player's own is recorded, and the player can read the record.
    """
    service.own_copies.require_none_ahead()
    by = actor_of(require_caller())
    with gateway.reading(tournament) as loaded:
        require_personal_data_access(loaded.state, by, player)
    if by.role == PLAYER:
        with gateway.handler.database.reading() as connection:
            data = visible_members(by.role, vault.get(connection, tournament, player) or {})
            return PersonalView(player=player, data=data)
    with gateway.handler.database.writing() as connection:
        lock_personal_data(connection, tournament, player)
        data = visible_members(by.role, vault.get(connection, tournament, player) or {})
        if data:
            record_look(connection, tournament, player, by, gateway.handler.now(), sorted(data))
    return PersonalView(player=player, data=data)


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/personal/looks")
@blueprint.allow(*ORGANISER_UP, PLAYER)
@blueprint.arguments(Paged, location="query")
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours", "other-venue")
@blueprint.response(200, page_of(LookView))
def list_looks(query: Paged, tournament: str, player: str) -> Any:
    """List the recorded accesses to a player's personal data. The list is erased with the data."""
    (after,) = parse_after(query.after, int) or (0,)
    with gateway.reading(tournament) as loaded:
        require_personal_data_access(loaded.state, actor_of(require_caller()), player)
    with gateway.handler.database.reading() as connection:
        looks = looks_of(connection, tournament, player, after, query.limit + 1)
        total = count_looks(connection, tournament, player)
    items = looks[: query.limit]
    return page(items, (items[-1].id,) if len(looks) > len(items) else None, total)


@blueprint.delete("/tournaments/<id:tournament>/players/<id:player>/personal")
@blueprint.allow(*HANDLERS[ErasePersonalData].roles)
@blueprint.previewed
@blueprint.response(200, Appended)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours")
def erase_personal_data(tournament: str, player: str) -> Appended:
    """Erase a player's personal data permanently, including private notes and the record of access.

    The log never contained them, so all hashes stay valid.
    """

    def erase(connection: Connection, recorded: Sequence[Recorded]) -> None:
        erase_player(vault, connection, tournament, player)

    with gateway.handler.database.reading() as connection:
        kept = vault.holds(connection, tournament, player)
    answer = gateway.run(tournament, ErasePersonalData(player=player, kept=kept), inline_write=erase)
    gateway.handler.database.truncate_journal()
    return answer


def erase_player(vault: PersonalDataVault, connection: Connection, tournament: str, player: str) -> None:
    """Delete a player's personal data, the record of access to them, and private notes about the roster."""
    vault.erase(connection, tournament, player)
    connection.run(f"DELETE FROM personal_looks {_OF_PLAYER}", tournament=tournament, player=player)
    connection.run(f"DELETE FROM roster_notes {_OF_PLAYER}", tournament=tournament, player=player)


def reapply_erasures(vault: PersonalDataVault) -> Callable[[Connection, Sequence[Recorded]], None]:
    """Return the reaction that repeats erasures when events are recovered into an older database."""

    def erase(connection: Connection, recorded: Sequence[Recorded]) -> None:
        for event in recorded:
            if event.type == "PersonalDataErased":
                erase_player(vault, connection, event.tournament, current_data(event)["player"])

    return erase
