"""Every number that Muster measures about itself, in one table. No Flask here: log and messaging use these too.

With PROMETHEUS_MULTIPROC_DIR set (before Python starts), the processes of a service share their values there.
Seconds are seconds; names end in `_total` on the wire where they only grow.
"""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector

REGISTRY = CollectorRegistry()

FAST = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the buckets, in seconds: fine where a request should be."""

# fmt: off
HTTP_SECONDS = Histogram("muster_http_request_seconds",
    "Seconds from the first hook to the answer, by route template.",
    ["method", "endpoint", "status"], buckets=FAST, registry=REGISTRY)
APPEND_SECONDS = Histogram("muster_append_seconds",
    "Seconds of one append to the log, commit included.",
    ["source"], buckets=FAST, registry=REGISTRY)
DECIDE_RETRIES = Counter("muster_decide_retries",
    "Decisions made again because somebody else appended first.",
    ["source"], registry=REGISTRY)
FOLD_SECONDS = Histogram("muster_fold_seconds",
    "Seconds to bring the state of one tournament up to date.",
    ["source"], buckets=FAST, registry=REGISTRY)
OUTBOX_DEPTH = Gauge("muster_outbox_depth",
    "Committed events that are not yet confirmed by the broker.",
    ["source"], registry=REGISTRY, multiprocess_mode="mostrecent")
REPLICATION_LAG = Gauge("muster_replication_lag_events",
    "Events that the owner of a log has and the copy here has not.",
    ["source"], registry=REGISTRY, multiprocess_mode="mostrecent")
QUARANTINED = Counter("muster_quarantined_events",
    "Foreign events that were put aside because they cannot be true.",
    ["source"], registry=REGISTRY)
QUARANTINE_DROPPED = Counter("muster_quarantine_dropped",
    "Refused events of messages that were not kept, or no longer: there were too many of them.",
    ["source"], registry=REGISTRY)
RELAY_PUBLISHED = Counter("muster_relay_published",
    "Events published and confirmed.",
    ["source"], registry=REGISTRY)
CONSUMER_OUTCOMES = Counter("muster_consumer_outcomes",
    "Foreign events received, by what became of them: accepted, duplicate, gap, tampered, poison.",
    ["source", "outcome"], registry=REGISTRY)
# fmt: on

OUTCOMES = ("accepted", "duplicate", "gap", "tampered", "poison")

ProcessCollector(registry=REGISTRY)


def exposition(accept: str) -> tuple[bytes, str]:
    """Return all values as Prometheus reads them, and their content type. accept: the header of who asks."""
    encode, content_type = choose_encoder(accept)
    registry = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return encode(registry), content_type
