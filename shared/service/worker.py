"""The worker of a service: relay, consumer and catch-up, as threads of the web process or as a separate process."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Collection
from functools import partial

from shared import logs
from shared.environment import set_private_umask
from shared.messaging.catch_up import CatchUp
from shared.messaging.consumer import Consumer
from shared.messaging.errors import DATABASE_UNAVAILABLE
from shared.messaging.relay import Relay
from shared.messaging.status import report_parts
from shared.messaging.worker import FINISH_SECONDS, Part, Worker, run_worker
from shared.service.fsck import Scrub
from shared.service.wiring import Service, read_beacons


class WorkerThreads:
    """A worker in threads of the web process. If a part hangs, the process quits and gunicorn starts another one."""

    def __init__(self, service: Service) -> None:
        parts = parts_of(service)
        self._worker = Worker(parts, hindrance=partial(_hindrance, service))
        self._pulse = report_parts(service.database, parts, self._worker.down, self._worker.changed)
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def start(self) -> None:
        """Start the threads. Call this after the process has been forked."""
        self._thread.start()

    def begin_stop(self) -> None:
        """Tell the parts to stop after their current batch."""
        self._worker.stop.set()

    def stop(self) -> None:
        """Stop the parts and wait for them."""
        self.begin_stop()
        self._thread.join(FINISH_SECONDS)

    def _run(self) -> None:
        with self._pulse:
            code = self._worker.run()
        if code:
            os.kill(os.getpid(), signal.SIGQUIT)


def parts_of(service: Service) -> list[Part]:
    """Return the parts of the worker: relay, consumer, catch-up, and the extra parts of the service."""
    settings, broker, upstream = service.settings, service.broker(), service.upstream()
    inbox = service.inbox(upstream)
    regularly = partial(_tick, service, Scrub(service.database))
    catch_up = CatchUp(inbox, upstream, every=settings.catch_up_seconds, after_pass=regularly)
    consumer = Consumer(settings.service, broker, inbox, on_connected=catch_up.request)
    relay = Relay(service.database, settings.service, broker, service.signer, batch=settings.relay_batch)
    return [relay, consumer, catch_up, *service.extra_parts()]


def work(service: Service, only: Collection[str] = ()) -> int:
    """Run the worker in this process until it is stopped. Return the exit code.

    only: names of the parts to run, if several processes share them; empty: all.
    """
    settings = service.settings
    set_private_umask()
    logs.configure(settings.service, form=settings.log_format, level=settings.log_level)
    parts = parts_of(service)
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
    """Return why no part can run now; empty if they can. Peers are checked before the relay numbers any events."""
    if why := service.schema.hindrance():
        return why
    try:
        service.own_copies.check_once()
    except DATABASE_UNAVAILABLE:
        return "the database does not answer"
    return ""


def _tick(service: Service, scrub: Scrub) -> None:
    service.own_copies.check_if_due()
    scrub.turn()
    read_beacons(service)
    if service.on_tick is not None:
        service.on_tick()
