"""All metrics of Muster in one table. This module does not import Flask, because log and messaging use it.

Each process has its own values. Counters end in `_total` on the wire.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder

from shared.version import VERSION

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

FAST = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of buckets in seconds, fine in the range of a normal request."""

SLOW = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
"""Upper bounds of buckets in seconds, for durations that involve other machines."""

# fmt: off
BUILD = Gauge("muster_build_info",
    "Always 1; the labels say what runs.",
    ["version", "python"], registry=REGISTRY)
HTTP_SECONDS = Histogram("muster_http_request_seconds",
    "Seconds from the first hook to the answer, by route template.",
    ["method", "endpoint", "status"], buckets=FAST, registry=REGISTRY)
APPEND_SECONDS = Histogram("muster_append_seconds",
    "Seconds of one append to the log, commit included.",
    ["source"], buckets=FAST, registry=REGISTRY)
APPENDED_TOGETHER = Histogram("muster_commands_appended_together",
    "Commands of one tournament that one transaction appended.",
    ["source"], buckets=(1, 2, 4, 8, 16, 32, 64), registry=REGISTRY)
DECIDE_RETRIES = Counter("muster_decide_retries",
    "Decisions repeated because another writer appended first.",
    ["source"], registry=REGISTRY)
FOLD_SECONDS = Histogram("muster_fold_seconds",
    "Seconds to bring the state of one tournament up to date.",
    ["source"], buckets=FAST, registry=REGISTRY)
OUTBOX_DEPTH = Gauge("muster_outbox_depth",
    "Committed events that are not yet confirmed by the broker.",
    ["source"], registry=REGISTRY)
REPLICATION_LAG = Gauge("muster_replication_lag_events",
    "Events that the owner of a log has and the copy here has not.",
    ["source"], registry=REGISTRY)
QUARANTINED = Counter("muster_quarantined_events",
    "Foreign events that were quarantined because they did not verify.",
    ["source"], registry=REGISTRY)
QUARANTINE_DROPPED = Counter("muster_quarantine_dropped",
    "Refused events of messages that were not kept, or no longer: there were too many of them.",
    ["source"], registry=REGISTRY)
WEBHOOK_ATTEMPTS = Counter("muster_webhook_attempts",
    "Messages sent to webhooks, by what came of it: delivered, or why not.",
    ["outcome"], registry=REGISTRY)
WEBHOOKS = Gauge("muster_webhooks",
    "Webhooks that are enabled, as the deliverer that leads knows them.",
    registry=REGISTRY)
WEBHOOKS_IN_TROUBLE = Gauge("muster_webhooks_in_trouble",
    "Webhooks that need attention: failing (enabled, and nothing arrives) or disabled (by a rule, not by a person).",
    ["trouble"], registry=REGISTRY)
WEBHOOK_DELIVERIES = Gauge("muster_webhook_deliveries",
    "Messages to webhooks that are waiting, and those that are dead: given up, and not sent again yet.",
    ["state"], registry=REGISTRY)
RELAY_PUBLISHED = Counter("muster_relay_published",
    "Events published and confirmed.",
    ["source"], registry=REGISTRY)
CONSUMER_OUTCOMES = Counter("muster_consumer_outcomes",
    "Foreign events received, by what became of them: accepted, duplicate, gap, tampered, poison.",
    ["source", "outcome"], registry=REGISTRY)
HTTP_FAILURES = Counter("muster_http_failures",
    "Answers that say the service failed (500) or could not do it now (503).",
    ["status"], registry=REGISTRY)
CHECK_OK = Gauge("muster_check_ok",
    "1 where a check of /readyz holds, else 0, as of this scrape; needed: whether the service cannot work without it.",
    ["check", "needed"], registry=REGISTRY)
CONNECTIONS = Gauge("muster_database_connections",
    "Connections to the database: open, and in_use by a thread.",
    ["state"], registry=REGISTRY)
CONNECTIONS_LIMIT = Gauge("muster_database_connections_limit",
    "Connections to the database that may be open.",
    registry=REGISTRY)
CACHED_TOURNAMENTS = Gauge("muster_cached_tournaments",
    "Tournaments whose state is held in memory.",
    ["source"], registry=REGISTRY)
STATES_BEGUN = Counter("muster_states_begun",
    "States that were not in memory, by what they were made from: snapshot, or log from its first event.",
    ["source", "begun"], registry=REGISTRY)
FOLDED = Counter("muster_folded_events",
    "Events folded into states.",
    ["source"], registry=REGISTRY)
QUEUE_MESSAGES = Gauge("muster_queue_messages",
    "Messages that wait in the service's own queue at the broker.",
    ["source"], registry=REGISTRY)
COPY_SECONDS = Histogram("muster_copy_seconds",
    "Seconds from the append at the owner to the copy here, by the two clocks, of events that came as messages.",
    ["source"], buckets=SLOW, registry=REGISTRY)
QUARANTINE_CASES = Gauge("muster_quarantine_cases",
    "Foreign events that are in quarantine now.",
    registry=REGISTRY)
STREAMS = Gauge("muster_streams",
    "Streams of the feed that are open.",
    registry=REGISTRY)
STREAMS_ENDED = Counter("muster_streams_ended",
    "Streams of the feed that ended, by why: left by the client or at the end of the process; slow: the client did not "
    "take what was sent; refused: its token or its cursor was good no more.",
    ["why"], registry=REGISTRY)
STREAMS_LAG = Gauge("muster_streams_lag_seconds",
    "Seconds since the streams last had all events.",
    registry=REGISTRY)
DISK_FREE = Gauge("muster_disk_free_bytes",
    "Bytes that are free where the data folder lies.",
    registry=REGISTRY)
DISK_SIZE = Gauge("muster_disk_bytes",
    "Bytes that there are where the data folder lies.",
    registry=REGISTRY)
# fmt: on
BUILD.labels(VERSION, platform.python_version()).set(1)

OUTCOMES = ("accepted", "duplicate", "gap", "tampered", "poison")


def initialize_series(source: str, copied: Sequence[str]) -> None:
    """Export counters as 0 before the first increment, so that monitoring sees the growth.

    source: the service. copied: the sources of its copies.
    """
    RELAY_PUBLISHED.labels(source)
    OUTBOX_DEPTH.labels(source)
    CONSUMER_OUTCOMES.labels("unknown", "poison")
    for status in ("500", "503"):
        HTTP_FAILURES.labels(status)
    for owner in copied:
        REPLICATION_LAG.labels(owner)
        COPY_SECONDS.labels(owner)
        QUARANTINED.labels(owner)
        QUARANTINE_DROPPED.labels(owner)
        for outcome in OUTCOMES:
            CONSUMER_OUTCOMES.labels(owner, outcome)


def exposition(accept: str) -> tuple[bytes, str]:
    """Return all metrics for Prometheus, and their content type. accept: the Accept header of the request."""
    encode, content_type = choose_encoder(accept)
    return encode(REGISTRY), content_type
