"""Metrics of the process and the build."""

from __future__ import annotations

import sys

from prometheus_client.parser import text_string_to_metric_families

from shared.version import VERSION
from tests.web.fake import bearer

OF_A_PROCESS = {
    "process_cpu_seconds_total",
    "process_resident_memory_bytes",
    "process_virtual_memory_bytes",
    "process_open_fds",
    "process_max_fds",
    "process_start_time_seconds",
}


def samples(text):
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_process_and_build_metrics(client):
    found = samples(client.get("/metrics", headers=bearer("integration", "*")).text)
    assert {name for name, *labels in found if name.startswith("process_") and not labels} == OF_A_PROCESS
    (build,) = [dict(labels) for name, *labels in found if name == "muster_build_info"]
    assert build == {"version": VERSION, "python": ".".join(map(str, sys.version_info[:3]))}


def test_readiness_checks_are_metrics(client):
    found = samples(client.get("/metrics", headers=bearer("integration", "*")).text)
    assert {value for (name, *_), value in found.items() if name == "muster_check_ok"} <= {0.0, 1.0}
