"""The probes of /readyz: database, disk, schema, own log, outbox, broker, copies, worker and quarantine.

A service is not ready without its database, disk and schema, or if a peer is ahead of its log: then it takes no
commands. A missing broker or owner only degrades it: it still appends and answers, and the logs catch up later.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from shared import metrics
from shared.log.copies import DAMAGED, FOLD, FORK, Case, close_cases, cursors, open_cases
from shared.log.outbox import count_unpublished as outbox_depth
from shared.messaging.errors import BrokerUnavailable
from shared.messaging.inbox import ANNOUNCER, EARLY, NEWER
from shared.messaging.status import PartStatus, part_statuses
from shared.service.wiring import Service
from shared.web.health import Disk, Probe

NEEDED = ("database", "disk", "schema", "own_copies")
"""Probes without which a service is not ready; the other probes degrade it."""

MAX_BACKLOG = 10_000
"""With more unpublished or uncopied events than this, the service is degraded."""

BROKER_SECONDS = 1.0
"""Timeout of the broker; a readiness check usually has a timeout of two seconds."""

SILENT_SECONDS = 60.0
"""The service is degraded if an owner was not reached, or a part of the worker gave no heartbeat, for so long."""

OWNS = "the role that runs owns its tables, and could drop their triggers: docs/how-to/install.md"
"""Warning for a PostgreSQL database that is used by the role that migrates it, or by a superuser."""
REACHES = "the role that runs may connect to databases of other services: docs/how-to/install.md"
"""Warning: a compromised service could write the log of another one, whose owner would then sign the events."""

MIN_FREE_BYTES = 64 * 1024
"""The disk counts as full if this much cannot be written: some commands with their events."""

MAX_RETRIED_LOGS = 20
"""Most unreadable logs that one check tries to fold again."""


def probes(service: Service) -> dict[str, Probe]:
    """Return the probes of a service by name."""

    def database() -> tuple[bool, dict[str, object]]:
        with service.database.reading() as connection:
            connection.revisions()
        return True, {"dialect": service.database.name}

    def space() -> tuple[bool, dict[str, object]]:
        # PostgreSQL has a disk of its own, and reports itself when that is full.
        trouble = disk_trouble(service.settings.data) if service.settings.sqlite else ""
        return not trouble, {"trouble": trouble, "advice": "make room, or repair the disk"} if trouble else {}

    def schema() -> tuple[bool, dict[str, object]]:
        status = service.schema.check()
        detail = service.schema.summary(status) | {"newer": bool(status.newer)}
        if status.missing:
            detail["advice"] = service.schema.advice
        owns = service.database.owns_its_tables()
        if owns is not None:
            detail["owns_its_tables"] = owns
        reachable = service.database.reachable_databases(service.sources[0], service.sources[1:])
        if reachable:
            detail["reachable_databases"] = reachable
        warnings = [OWNS] * bool(owns) + [REACHES] * bool(reachable)
        if warnings:
            detail["warning"] = "; ".join(warnings)
        return not status.missing, detail

    def own_copies() -> tuple[bool, dict[str, object]]:
        now = time.time()
        detail: dict[str, object] = {}
        findings = service.own_copies.findings()
        for peer in findings:
            detail[peer.peer] = {"seconds_since_asked": round(now - peer.checked / 1000)}
            if peer.trouble:
                detail[peer.peer] = {"trouble": peer.trouble}
        ahead = any(peer.trouble for peer in findings)
        if ahead:
            detail["advice"] = f"muster recover --service {service.sources[0]}"
        return not ahead, detail

    def own_log() -> tuple[bool, dict[str, object]]:
        with service.database.reading() as connection:
            cases = [case for case in open_cases(connection) if _is_own_damage(case)]
        return not cases, {
            "damaged": [_case_detail(case, service.sources[0]) for case in cases[:20]],
            "count": len(cases),
        }

    def _is_own_damage(case: Case) -> bool:
        return case.origin == DAMAGED and case.source == service.sources[0]

    def outbox() -> tuple[bool, dict[str, object]]:
        with service.database.reading() as connection:
            depth = outbox_depth(connection)
        metrics.OUTBOX_DEPTH.labels(service.sources[0]).set(depth)
        return depth < MAX_BACKLOG, {"unpublished": depth}

    def broker() -> tuple[bool, dict[str, object]]:
        client = service.broker()
        try:
            with client.connect(patience=BROKER_SECONDS):
                return True, {"embedded": client.embedded}
        except BrokerUnavailable as error:
            return False, {"embedded": client.embedded, "error": str(error)}

    def copies() -> tuple[bool, dict[str, object]]:
        with service.database.reading() as connection:
            known = {cursor.source: cursor for cursor in cursors(connection)}
        detail: dict[str, dict[str, object]] = {}
        is_current = True
        for source in service.sources[1:]:
            cursor = known.get(source)
            behind = cursor.behind if cursor else 0
            age = time.time() - cursor.checked / 1000 if cursor and cursor.checked else None
            metrics.REPLICATION_LAG.labels(source).set(behind)
            trouble = cursor.trouble if cursor else ""
            detail[source] = {"behind": behind, "seconds_since_asked": None if age is None else round(age)}
            if trouble:
                detail[source] |= {"trouble": trouble}
            # A check in the future was recorded before the clock was set back: it does not count.
            is_recent = age is not None and abs(age) < SILENT_SECONDS
            is_current = is_current and not trouble and behind < MAX_BACKLOG and is_recent
        return is_current, {**detail}

    def parts() -> tuple[bool, dict[str, object]]:
        with service.database.reading() as connection:
            statuses = part_statuses(connection)
        now = time.time()
        detail = {name: _part([part for part in statuses if part.name == name], now) for name in service.parts}
        return all(part["ok"] for part in detail.values()), {**detail}

    def quarantine() -> tuple[bool, dict[str, object]]:
        with service.database.reading() as connection:
            cases = [case for case in open_cases(connection) if not _is_own_damage(case)]
        unreadable = {case.tournament for case in cases if case.origin == FOLD}
        readable = {
            tournament
            for tournament in sorted(unreadable)[:MAX_RETRIED_LOGS]
            if service.repository.is_readable(tournament)
        }
        for case in [case for case in cases if case.origin == FOLD and case.tournament in readable]:
            with service.database.writing() as connection:
                close_cases(connection, case.source, case.tournament, [FOLD])
            cases.remove(case)
        metrics.QUARANTINE_CASES.set(len(cases))
        return not cases, {
            "events": [_case_detail(case, service.sources[0]) for case in cases[:20]],
            "count": len(cases),
        }

    return {
        "database": database,
        "disk": space,
        "schema": schema,
        "broker": broker,
        **{
            probe.__name__: _once_migrated(service, probe)
            for probe in (own_copies, own_log, outbox, copies, parts, quarantine)
        },
    }


def disk_usage(folder: Path) -> Disk | None:
    """Return size and free space of the disk that holds a folder; None if they cannot be read."""
    try:
        used = shutil.disk_usage(folder)
    except OSError:
        return None
    metrics.DISK_SIZE.set(used.total)
    metrics.DISK_FREE.set(used.free)
    return Disk(free=used.free, size=used.total)


def disk_trouble(folder: Path) -> str:
    """Return why a folder cannot be written to; empty if it can.

    This writes a file, because a file system that is full or broken does not always say so in its statistics. The file
    has no name and is deleted at once, usually before it reaches the disk.
    """
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            file.write(bytes(MIN_FREE_BYTES))
    except OSError as error:
        return error.strerror or type(error).__name__
    return ""


def _once_migrated(service: Service, probe: Probe) -> Probe:
    """Return a probe that does not read any tables while the schema is outdated."""

    def guarded() -> tuple[bool, dict[str, object]]:
        return (False, {"waits_for_schema": True}) if service.schema.is_outdated else probe()

    return guarded


def _part(statuses: list[PartStatus], now: float) -> dict[str, object]:
    """Return the state of a part of the worker. If several workers run it, the best one counts."""
    if not statuses:
        return {"ok": False, "state": "missing", "trouble": "no worker runs it"}
    # A heartbeat in the future was recorded before the clock was set back: it does not count.
    best = min(
        statuses, key=lambda part: (abs(now - part.beat / 1000) > SILENT_SECONDS, bool(part.trouble), -part.beat)
    )
    silent = round(now - best.beat / 1000)
    state = "silent" if abs(silent) > SILENT_SECONDS else "failing" if best.trouble else "works"
    detail: dict[str, object] = {"ok": state == "works", "state": state, "seconds_since_sign_of_life": silent}
    if best.trouble:
        detail["trouble"] = best.trouble
    if best.deaths:
        detail |= {"deaths": best.deaths, "next_try_in_seconds": max(0, round(best.due / 1000 - now))}
    return detail


def _case_detail(case: Case, service: str) -> dict[str, object]:
    return {
        "source": case.source,
        "tournament": case.tournament,
        "position": case.position,
        "reason": case.reason,
        "origin": case.origin,
        "remedy": remedy(case, service),
        "advice": _advice(case, service),
    }


def remedy(case: Case, service: str) -> str:
    """Return the kind of repair that a quarantine case needs, for programs."""
    if case.origin == DAMAGED and case.source == service:
        return "fsck"
    if case.origin == FORK or (case.origin in (FOLD, DAMAGED) and case.source != service):
        return "recopy"
    if case.origin == EARLY:
        return "wait"
    if case.source == service:
        return "upgrade_itself"
    return "upgrade" if case.origin == NEWER else "look"


def _advice(case: Case, service: str) -> str:
    return {
        "fsck": f"muster fsck --service {service} --repair",
        "recopy": f"muster recopy {case.source} {case.tournament} --service {service}",
        "wait": f"nothing: it is copied once the announcement has come from {ANNOUNCER}",
        "upgrade_itself": f"upgrade every process of {service} to the version that wrote it",
        "upgrade": f"upgrade {service} to the version that {case.source} runs",
        "look": f"look at the log of {case.source}: GET /tournaments/{case.tournament}/log",
    }[remedy(case, service)]
