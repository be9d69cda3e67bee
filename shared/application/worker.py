"""A service's worker put together: relay, consumer and catch-up over the service's own parts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from shared import logs
from shared.application.drafts_hidden import HIDING
from shared.application.scrub import Scrub
from shared.application.service import Service
from shared.messaging.backoff import DATABASE_AWAY
from shared.messaging.catch_up import CatchUp
from shared.messaging.consumer import Consumer
from shared.messaging.relay import Relay
from shared.messaging.worker import Part, run_worker
from shared.private_files import keep_to_oneself


def work(service: Service, only: Collection[str] = (), more: Sequence[Part] = ()) -> int:
    """Run the worker until it is told to stop; returns the exit code for `sys.exit`.

    only: of relay, consumer, catch-up and `more`, where they run as processes of their own; empty: all. more: parts
    that this service has beside them.
    """
    settings = service.settings
    keep_to_oneself()
    logs.configure(settings.service, form=settings.log_format, level=settings.log_level)
    broker = service.broker()
    upstream = service.upstream()
    inbox = service.inbox(upstream)
    catch_up = CatchUp(
        inbox, upstream, every=settings.catch_up_seconds, also=partial(_regularly, service, Scrub(service.database))
    )
    consumer = Consumer(settings.service, broker, inbox, on_connected=catch_up.request)
    relay = Relay(service.database, settings.service, broker, service.signer, batch=settings.relay_batch, hiding=HIDING)
    parts: list[Part] = [relay, consumer, catch_up, *more]
    status = (settings.bind, settings.worker_port) if settings.worker_port else None
    try:
        return run_worker(
            parts,
            only or [part.name for part in parts],
            status,
            service.database,
            partial(_hindrance, service),
        )
    finally:
        service.database.close()


def _hindrance(service: Service) -> str:
    """Why no part may run now; the peers are asked before the relay gives positions in the feed."""
    if why := service.schema.hindrance():
        return why
    try:
        service.own_copies.ask_once()
    except DATABASE_AWAY:
        return "the database does not answer"
    return ""


def _regularly(service: Service, scrub: Scrub) -> None:
    service.own_copies.look_now_and_then()
    scrub.turn()
    if service.regularly is not None:
        service.regularly()
