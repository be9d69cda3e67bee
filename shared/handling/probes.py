"""What /readyz asks: do database and broker answer, does the outbox drain, do the copies follow, is anything put aside.

Only the database decides whether a service is ready. A broker or an owner that is away degrades it: appends and
answers go on, and the logs catch up by themselves.
"""

from __future__ import annotations

import time

from sqlalchemy import text

from shared import metrics
from shared.handling.service import Service
from shared.http.health import Probe
from shared.log.cursors import cursors
from shared.log.outbox import depth as outbox_depth
from shared.log.quarantine import open_cases
from shared.messaging.errors import BrokerUnavailable

DEEP = 10_000
"""Unpublished events beyond which the relay or the broker needs somebody's attention."""

BROKER_SECONDS = 1.0
"""For the broker to answer; whoever asks whether a service is ready has two."""

SILENT = 60.0
"""Seconds since the worker could last ask an owner how far its log reaches, beyond which somebody should look."""

_ALIVE = text("SELECT position FROM heads LIMIT 1")


def probes(service: Service) -> dict[str, Probe]:
    """The probes of a service, by name."""

    def database() -> tuple[bool, dict[str, object]]:
        with service.database.reading() as connection:
            connection.execute(_ALIVE)
        return True, {"dialect": service.database.dialect}

    def outbox() -> tuple[bool, dict[str, object]]:
        with service.database.reading() as connection:
            depth = outbox_depth(connection)
        metrics.OUTBOX_DEPTH.labels(service.sources[0]).set(depth)
        return depth < DEEP, {"unpublished": depth}

    def broker() -> tuple[bool, dict[str, object]]:
        found = service.broker()
        try:
            with found.connect(patience=BROKER_SECONDS):
                return True, {"embedded": found.embedded}
        except BrokerUnavailable as error:
            return False, {"embedded": found.embedded, "error": str(error)}

    def copies() -> tuple[bool, dict[str, object]]:
        with service.database.reading() as connection:
            known = {cursor.source: cursor for cursor in cursors(connection)}
        found: dict[str, object] = {}
        followed = True
        for source in service.sources[1:]:
            cursor = known.get(source)
            behind = cursor.behind if cursor else 0
            asked = time.time() - cursor.checked / 1000 if cursor and cursor.checked else None
            metrics.REPLICATION_LAG.labels(source).set(behind)
            found[source] = {"behind": behind, "seconds_since_asked": None if asked is None else round(asked)}
            followed = followed and behind < DEEP and asked is not None and asked < SILENT
        return followed, found

    def quarantine() -> tuple[bool, dict[str, object]]:
        with service.database.reading() as connection:
            cases = open_cases(connection)
        shown = [
            {"source": c.source, "tournament": c.tournament, "position": c.position, "reason": c.reason} for c in cases
        ]
        return not cases, {"events": shown[:20], "count": len(cases)}

    return {
        "database": database,
        "broker": broker,
        "outbox": outbox,
        "copies": copies,
        "quarantine": quarantine,
    }
