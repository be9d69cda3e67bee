"""The parts of a service: database, states, command handler, gateway, and clients of the other services.

Routes are module-level functions, defined before any service exists. They use proxies that resolve to the service of
the current request: `service`, `gateway`, and others made by `current_part` and `gateway_of`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar, cast

from flask import current_app
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.local import LocalProxy

from shared import metrics
from shared.clock import utc_now
from shared.keys import TICKETS, Sealer
from shared.log.database import Connection, Database
from shared.log.event import Recorded
from shared.log.outbox import CommitNotifier
from shared.log.schema import open_database
from shared.logs import RateLimitedLogger, get_logger
from shared.messaging.errors import LogUnknown, OwnerUnavailable
from shared.messaging.inbox import ANNOUNCER, Inbox
from shared.messaging.peers import TIMEOUT, Peers, Timeout, UpstreamFeed
from shared.messaging.vouching import Keyring, Signer
from shared.messaging.worker import PARTS
from shared.messaging.worker import Part as WorkerPart
from shared.refusals import Refusal
from shared.roles import EVERY_TOURNAMENT, OPERATOR, SERVICE
from shared.service.commands import CommandEnvelope, CommandHandler, Projection
from shared.service.draws import PURPOSE, BeaconAway, BeaconReader, is_missed
from shared.service.gates import OwnCopies, SchemaGate, SeenGate, event_fault
from shared.service.handlers import Handler
from shared.service.previews import EVENTS_ONLY, Previews
from shared.service.refusals import BehindOwnCopies
from shared.service.routes import Gateway
from shared.service.state import NO_PRIVATE_ROWS, PrivateRows, Repository
from shared.settings import Settings
from shared.shapes import Command
from shared.tournament.draws import BEACON_ROW, PREVIEW_ROW, SECRET_ROW, AwaitedBeacon, FirstPreview, Secret
from shared.tournament.guards import KeepDraws, ReadBeacon, by_rule, is_over
from shared.tournament.registration import INSTALLATION
from shared.tournament.state import Tournament
from shared.web.tokens import Caller, Issuer, mint

if TYPE_CHECKING:
    from shared.messaging.broker import Broker

HURRY = Timeout(1.0, connect=0.3)
"""Timeouts, in seconds, of a request to another service that an answer has to wait for."""

TOKEN_SECONDS = 900
"""Lifetime of a service's own token before a new one is signed.

It stays valid three times as long, as clocks differ.
"""

CATCH_UP_SECONDS = 2.0
"""Time limit for copying one log from one owner during a request; the worker copies the rest."""

Reaction = Callable[[str, str], None]
"""Called with (tournament, source) after copied events have been committed. A call may be lost."""

RecoveryHook = Callable[[Connection, Sequence[Recorded]], None]
"""Called in the transaction that recovers own events from peers; repeats the writes that belong to the events."""

_log = get_logger("muster.handling")


class Service:
    """A service without its HTTP side.

    sources: its own log first, then the logs that it copies. projection: a read model updated with the log.
    private: its private rows. previews: how it previews commands. database: instead of the one in the settings.

    The application sets these attributes afterwards:
    on_copies: called after events were copied. on_append: called after this process appended events.
    on_tick: called by the worker every second or two. on_recovered: called with own events that peers gave back.
    find_lost_rows: returns the names of rows that the log mentions and that are missing.
    parts: names of the worker's parts. extra_parts: returns the parts beyond the standard ones.
    table_checks: find damage in the tables of this service.
    """

    def __init__(
        self,
        settings: Settings,
        sources: tuple[str, ...],
        handlers: Mapping[type, Handler],
        *,
        projection: Projection | None = None,
        private: PrivateRows = NO_PRIVATE_ROWS,
        previews: Previews = EVENTS_ONLY,
        clock: Callable[[], str] = utc_now,
        database: Database | None = None,
    ) -> None:
        self.settings = settings
        self.sources = sources
        self.clock = clock
        metrics.initialize_series(sources[0], sources[1:])
        self.database = database or open_database(settings.database_url, settings.web_threads)
        self.schema = SchemaGate(self.database, settings.service)
        kinds = {SECRET_ROW: Secret, PREVIEW_ROW: FirstPreview, BEACON_ROW: AwaitedBeacon}
        private = replace(private, kinds={**private.kinds, **kinds})
        self.repository = Repository(self.database, sources, private=private)
        self.commit_notifier = CommitNotifier(self.database)
        peers = Peers(sources[0], self.upstream(HURRY))
        self.previews = previews
        self.own_copies = OwnCopies(self.database, sources[0], peers, sources[1:])
        self.handler = CommandHandler(
            sources[0],
            self.database,
            self.repository,
            handlers,
            clock,
            self._notify_append,
            projection,
            self.own_copies.require_none_ahead,
            sealer=Sealer([key.seed for key in settings.signing_keys], PURPOSE),
            with_beacon=bool(settings.beacon),
        )
        self.on_copies: Reaction | None = None
        self.on_append: Callable[[], None] | None = None
        self.on_tick: Callable[[], None] | None = None
        self.parts: tuple[str, ...] = PARTS
        self.extra_parts: Callable[[], Sequence[WorkerPart]] = tuple
        self.table_checks: tuple[TableCheck, ...] = ()
        self.on_recovered: RecoveryHook | None = None
        self.find_lost_rows: Callable[[], Sequence[str]] = tuple
        self.signer = Signer(sources[0], settings.signing_keys, settings.public_urls[settings.service])
        self.keyring = Keyring(settings.source_keys)
        self._revoked: Collection[str] = ()
        self._inbox = self.inbox(self.upstream(HURRY))
        self.gateway = Gateway(
            self.handler,
            SeenGate(self.repository, sources[0], self.catch_up, settings.web_threads, settings.seen_wait_ms / 1000),
            previews,
        )

    def upstream(self, timeout: Timeout = TIMEOUT) -> UpstreamFeed:
        """Return a client of the services whose logs are copied here, with this service's token."""
        return UpstreamFeed(
            {name: self.settings.urls[name] for name in self.sources[1:]}, self._headers, timeout=timeout
        )

    def inbox(self, upstream: UpstreamFeed) -> Inbox:
        """Return the inbox that copies foreign events, and fetches missing ones from `upstream`."""
        others = self.sources[1:]
        return Inbox(
            self.database, others, self.keyring, event_fault, upstream.fetch, self.handle_copies, (INSTALLATION,)
        )

    def broker(self) -> Broker:
        """Return the broker of the settings, not connected yet."""
        # Importing kombu takes a tenth of the startup of a web process, which needs it only for /readyz.
        from shared.messaging.broker import Broker

        settings = self.settings
        return Broker(
            settings.broker_url,
            settings.exchange,
            folder=settings.broker_folder,
            poll_ms=settings.poll_ms,
            confirm_ms=settings.confirm_ms,
        )

    def handle_copies(self, tournament: str, source: str) -> None:
        """React to copied events, in whichever process of the service copied them."""
        if tournament == INSTALLATION:
            return
        try:
            self._keep_draws(tournament)
            if self.on_copies is not None:
                self.on_copies(tournament, source)
        except BehindOwnCopies as refusal:  # recovery of the own log repeats the reaction
            _log.info("no reaction to copies", tournament=tournament, source=source, reason=str(refusal))

    def _keep_draws(self, tournament: str) -> None:
        """Commit to the first secret once the tournament is announced, and reveal the last one once it is over."""
        with self.repository.now(tournament) as loaded:
            state, draws = loaded.state, loaded.state.draws[self.sources[0]]
            over, number = is_over(state), draws.current
            due = bool(state.entries.format) and (bool(number) if over else not draws.committed)
        if due and self.handler.draws_in(state.entries.format):
            key = f"draws-{number}-{'revealed' if over else 'committed'}"
            command_id = f"{key}~muster"
            self.handler.run(CommandEnvelope(tournament, KeepDraws(), by_rule(""), command_id=command_id, key=key))

    def catch_up(self, tournament: str) -> list[str]:
        """Copy the latest events of a tournament from their owners. Return the owners that do not answer at once."""
        silent = []
        for source in self.sources[1:]:
            try:
                self._inbox.backfill(source, tournament, time.monotonic() + CATCH_UP_SECONDS)
            except LogUnknown:
                continue
            except OwnerUnavailable as error:
                silent.append(source)
                _log.info("owner not asked", source=source, tournament=tournament, error=str(error))
        return silent

    def _notify_append(self) -> None:
        self.commit_notifier.notify()
        if self.on_append is not None:
            self.on_append()

    def is_revoked(self, caller: Caller) -> bool:
        """Return True if the installation has revoked a token. Tokens of one tournament are revoked by its own log.

        If the database does not answer, the last known revocations count.
        Raises BehindOwnCopies if revocations may have been lost with the log. Operators and services are exempt,
        because they repair it.
        """
        if self.sources[0] == ANNOUNCER and caller.role not in (OPERATOR, SERVICE):
            self.own_copies.require_none_ahead("it accepts no token, because the token may have been revoked,")
        if caller.signed_by == TICKETS and caller.tournament != EVERY_TOURNAMENT:
            return False
        with suppress(SQLAlchemyError), self.repository.now(INSTALLATION) as loaded:
            self._revoked = frozenset(loaded.state.entries.revoked)
        return caller.jti in self._revoked

    def _headers(self) -> Mapping[str, str]:
        issuer = Issuer(self.settings.service, self.settings.signing_keys[0])
        return {"Authorization": f"Bearer {_own_token(issuer, int(time.time()) // TOKEN_SECONDS * TOKEN_SECONDS)}"}


@lru_cache(maxsize=8)
def _own_token(service: Issuer, issued: int) -> str:
    """Return the token with which a service asks the others. issued: in seconds since 1970."""
    name = service.purpose
    return mint(
        service,
        actor=name,
        role=SERVICE,
        tournament=EVERY_TOURNAMENT,
        jti=f"{name}-{issued}",
        iat=issued,
        exp=issued + 3 * TOKEN_SECONDS,
    )


WIRED = "muster.wired"
"""The extension of an application that holds its parts by their types."""

Part = TypeVar("Part")


def current_part(kind: type[Part]) -> Part:
    """Return a proxy for the part of this type in the current application."""
    return cast(Part, LocalProxy(lambda: current_app.extensions[WIRED][kind]))


def gateway_of(*formats: str) -> Gateway:
    """Return a proxy for the gateway, limited to tournaments of these formats."""
    return cast(Gateway, LocalProxy(lambda: current_app.extensions[WIRED][Gateway].for_formats(*formats)))


def gateway_in(formats: Collection[str]) -> Gateway:
    """Return the same for the formats of a table, which may be filled later."""
    return cast(Gateway, LocalProxy(lambda: current_app.extensions[WIRED][Gateway].for_formats(*formats)))


service = current_part(Service)
gateway = current_part(Gateway)


Damage = tuple[str, str]
"""The place in a table, and the fault there."""


class TableCheck(Struct, frozen=True):
    """A check of a table.

    find: returns the damage. repair: rebuilds the table from the logs; None: the logs do not hold its content.
    """

    table: str
    find: Callable[[Connection], Sequence[Damage]]
    repair: Callable[[Connection], None] | None = None


PUBLISHED_AT_ONCE = 100
"""Most rows handled at once; the next call handles the others."""

_rationed_log = RateLimitedLogger("muster.handling")


def publish_due(service: Service, command_for: Callable[[Tournament, str, str], Command | None]) -> int:
    """Publish the private rows that are due by the service's clock. Return the number published.

    command_for: returns the command that publishes a row, by its kind and id; None for a superseded row, which is then
    ignored.
    The worker calls this every second or two. A refused publication is retried, for example after the previous round
    was reopened.
    """
    now, published, rows = service.clock(), 0, service.repository.private
    with service.database.reading() as connection:
        due = rows.due(connection, now, PUBLISHED_AT_ONCE)
    for tournament, kind, id in due:
        with service.repository.now(tournament) as loaded:
            command, row = command_for(loaded.state, kind, id), loaded.state.private.row(kind, id)
        if command is None or row is None:
            with service.database.writing() as connection:
                rows.forget_time(connection, tournament, kind, id)
            continue
        key = f"{kind}-{row.revision}"
        envelope = CommandEnvelope(tournament, command, by_rule(""), command_id=f"{key}~muster", key=key)
        try:
            published += bool(service.handler.run(envelope).events)
        except Refusal as refusal:
            _rationed_log.warning(
                "a draft is due to be published", tournament=tournament, due=row.due_at, refused=refusal.detail
            )
    return published


def read_beacons(service: Service) -> int:
    """Record the public beacon for the secrets that wait for it. Return the number recorded.

    The worker calls this every second or two. A round that cannot be read is retried until it counts as missed.
    """
    now, reader, read = service.clock(), BeaconReader(service.settings.beacon), 0
    with service.database.reading() as connection:
        due = service.repository.private.due(connection, now, PUBLISHED_AT_ONCE, beacons=True)
    for tournament, _kind, id in due:
        with service.repository.now(tournament) as loaded:
            awaited = loaded.state.private.body(BEACON_ROW, id)
        if not isinstance(awaited, AwaitedBeacon):
            continue
        try:
            command = ReadBeacon(number=int(id), signature=reader.signature(awaited.round))
        except BeaconAway as away:
            if not is_missed(awaited.round, now):
                continue
            command = ReadBeacon(number=int(id), reason=str(away))
            _rationed_log.warning("a beacon is missed", tournament=tournament, round=awaited.round, reason=str(away))
        key = f"beacon-{id}"
        envelope = CommandEnvelope(tournament, command, by_rule(""), command_id=f"{key}~muster", key=key)
        try:
            service.handler.run(envelope)
        except Refusal as refusal:
            _rationed_log.warning("a beacon is due to be recorded", tournament=tournament, refused=refusal.detail)
            continue
        read += 1
    return read
