"""The alert rules: on metrics that exist, explained on the page for operators, and firing when they should."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from deploy.stack import Stack
from shared.roles import INTEGRATION
from tests import http
from tests.deploy import promtool
from tests.issuing import token_of
from tests.waiting import until

ROOT = Path(__file__).parents[2]
ALERTS = ROOT / "deploy" / "alerts.yml"
PAGE = ROOT / "docs/how-to/troubleshoot.md"

OF_PROMETHEUS = {"job", "instance"}
"""Labels that Prometheus adds."""
SELECTED = re.compile(r"\b((?:muster|process)_\w+|up)\b(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)(=~|!~|!=|=)"([^"]*)"')

HERE = 'job="muster",instance="x:8003"'
CALM = {
    f"up{{{HERE}}}": "1x80",
    f'muster_build_info{{{HERE},version="1"}}': "1x80",
    f'muster_check_ok{{{HERE},check="database",needed="true"}}': "1x80",
    f'muster_check_ok{{{HERE},check="broker",needed="false"}}': "1x80",
    f'muster_replication_lag_events{{{HERE},source="pairing"}}': "0 3 0 2x2 0x80",
    f'muster_outbox_depth{{{HERE},source="scoring"}}': "0 40 0 12 0x80",
    f'muster_queue_messages{{{HERE},source="scoring"}}': "0 4000 0x80",
    f'muster_copy_seconds_bucket{{{HERE},source="pairing",le="0.1"}}': "0+9x80",
    f'muster_copy_seconds_bucket{{{HERE},source="pairing",le="+Inf"}}': "0+9x80",
    f"muster_quarantine_cases{{{HERE}}}": "0x80",
    f'muster_quarantine_dropped_total{{{HERE},source="pairing"}}': "7x80",
    f'muster_consumer_outcomes_total{{{HERE},source="pairing",outcome="accepted"}}': "0+9x80",
    f'muster_consumer_outcomes_total{{{HERE},source="unknown",outcome="poison"}}': "2x80",
    f'muster_http_failures_total{{{HERE},status="500"}}': "3x80",
    f'muster_http_request_seconds_count{{{HERE},endpoint="/x",status="503"}}': "0+1x80",
    f'muster_http_request_seconds_count{{{HERE},endpoint="/x",status="200"}}': "0+99x80",
    f'muster_http_request_seconds_bucket{{{HERE},endpoint="/x",le="0.1"}}': "0+99x80",
    f'muster_http_request_seconds_bucket{{{HERE},endpoint="/x",le="+Inf"}}': "0+100x80",
    f"muster_streams_lag_seconds{{{HERE}}}": "0 2 0x80",
    f'muster_webhook_deliveries{{{HERE},state="waiting"}}': "0 40 2000x9 0x80",
    f'muster_webhook_deliveries{{{HERE},state="dead"}}': "3x40 1x40",
    f'muster_webhooks_in_trouble{{{HERE},trouble="failing"}}': "0 1x20 0x80",
    f'muster_webhooks_in_trouble{{{HERE},trouble="disabled"}}': "2x80",
    f'muster_database_connections{{{HERE},state="in_use"}}': "3x80",
    f"muster_database_connections_limit{{{HERE}}}": "16x80",
    f"muster_disk_free_bytes{{{HERE}}}": "50x80",
    f"muster_disk_bytes{{{HERE}}}": "100x80",
    f"process_open_fds{{{HERE}}}": "30x80",
    f"process_max_fds{{{HERE}}}": "1024x80",
    f"process_start_time_seconds{{{HERE}}}": "1x80",
}
"""An evening on which nothing is wrong, a minute every four values: what comes and goes is no alarm."""

TROUBLE: dict[str, tuple[Mapping[str, str], int]] = {
    "MusterAway": ({f"up{{{HERE}}}": "1x4 0x80"}, 1),
    "MusterNotReady": ({f'muster_check_ok{{{HERE},check="database",needed="true"}}': "1x4 0x80"}, 1),
    "MusterDegraded": ({f'muster_check_ok{{{HERE},check="broker",needed="false"}}': "0x80"}, 1),
    "MusterPeersBehind": ({f'muster_replication_lag_events{{{HERE},source="pairing"}}': "0 1+1x80"}, 1),
    "MusterOutboxGrowing": ({f'muster_outbox_depth{{{HERE},source="scoring"}}': "1+1x80"}, 1),
    "MusterQueueGrowing": ({f'muster_queue_messages{{{HERE},source="scoring"}}': "1001x80"}, 1),
    "MusterCopiesSlow": (
        {
            f'muster_copy_seconds_bucket{{{HERE},source="pairing",le="0.1"}}': "0x80",
            f'muster_copy_seconds_bucket{{{HERE},source="pairing",le="100.0"}}': "0+9x80",
        },
        1,
    ),
    "MusterQuarantine": ({f"muster_quarantine_cases{{{HERE}}}": "1x80"}, 1),
    "MusterFlooded": ({f'muster_quarantine_dropped_total{{{HERE},source="pairing"}}': "0+1x80"}, 1),
    "MusterPoison": (
        {
            f'muster_consumer_outcomes_total{{{HERE},source="unknown",outcome="poison"}}': "0x60 1x20",
            f'muster_consumer_outcomes_total{{{HERE},source="pairing",outcome="tampered"}}': "0x60 1x20",
        },
        2,
    ),
    "MusterFailing": ({f'muster_http_failures_total{{{HERE},status="500"}}': "0x60 1x20"}, 1),
    "MusterUnavailable": (
        {f'muster_http_request_seconds_count{{{HERE},endpoint="/x",status="503"}}': "0+10x80"},
        1,
    ),
    "MusterSlow": (
        {
            f'muster_http_request_seconds_bucket{{{HERE},endpoint="/x",le="0.1"}}': "0+50x80",
            f'muster_http_request_seconds_bucket{{{HERE},endpoint="/x",le="2.5"}}': "0+100x80",
        },
        1,
    ),
    "MusterStreamsBehind": ({f"muster_streams_lag_seconds{{{HERE}}}": "1 16 31+15x80"}, 1),
    "MusterWebhooksWaiting": ({f'muster_webhook_deliveries{{{HERE},state="waiting"}}': "1001x80"}, 1),
    "MusterWebhooksFailing": ({f'muster_webhooks_in_trouble{{{HERE},trouble="failing"}}': "1x80"}, 1),
    "MusterWebhooksDead": ({f'muster_webhook_deliveries{{{HERE},state="dead"}}': "3x40 4x40"}, 1),
    "MusterWebhooksDisabled": ({f'muster_webhooks_in_trouble{{{HERE},trouble="disabled"}}': "2x40 3x40"}, 1),
    "MusterConnectionsExhausted": ({f'muster_database_connections{{{HERE},state="in_use"}}': "15x80"}, 1),
    "MusterDiskFull": ({f"muster_disk_free_bytes{{{HERE}}}": "9x80"}, 1),
    "MusterFilesExhausted": ({f"process_open_fds{{{HERE}}}": "1000x80"}, 1),
    "MusterRestarting": (
        {f"process_start_time_seconds{{{HERE}}}": "1 2 3 4 5 6x75"},
        1,
    ),
    "MusterTwoVersions": (
        {f'muster_build_info{{{HERE},version="1"}}': "1x320", f'muster_build_info{{{HERE},version="2"}}': "1x320"},
        1,
    ),
}
"""Alert -> what differs from a calm evening, and how many alerts of that name fire at its end."""


def rules() -> dict[str, dict[str, Any]]:
    (group,) = yaml.safe_load(ALERTS.read_text())["groups"]
    return {rule["alert"]: rule for rule in group["rules"]}


def measured(urls: Iterable[str], headers: Mapping[str, str]) -> dict[str, dict[str, set[str]]]:
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for url in urls:
        text = http.get(f"{url}/metrics", headers=headers).raise_for_status().text
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                known = found[sample.name]  # one without labels is there as well
                for label, value in sample.labels.items():
                    known[label].add(value)
    return found


@pytest.fixture(scope="module")
def shown(shared_stack: Stack) -> dict[str, dict[str, set[str]]]:
    """Metric -> label -> the values that it has, over the three services of a Muster that runs."""
    headers = {"Authorization": f"Bearer {token_of(shared_stack.env, INTEGRATION, actor='prometheus')}"}

    def complete() -> dict[str, dict[str, set[str]]] | None:
        found = measured(shared_stack.urls.values(), headers)
        # The last thing that a service measures after its start is its queue: its worker has to be connected.
        connected = found.get("muster_queue_messages", {}).get("source", ())
        # Webhooks are measured when the worker of scoring has begun to lead.
        return found if len(connected) == len(shared_stack.urls) and "muster_webhook_deliveries" in found else None

    found = until(complete, "every worker measures its queue, and scoring's its webhooks", pause=0.5)
    found["up"] = defaultdict(set)
    return found


def test_every_metric_and_label_of_a_rule_exists_in_a_muster_that_runs(shown: dict[str, dict[str, set[str]]]) -> None:
    used = 0
    for alert, rule in rules().items():
        expression = rule["expr"]
        metrics = SELECTED.findall(expression)
        assert metrics, alert
        for metric, matchers in metrics:
            assert metric in shown, f"{alert}: no service shows {metric}"
            for label, how, value in MATCHER.findall(matchers):
                assert label in shown[metric] or label in OF_PROMETHEUS, f"{alert}: {metric} has no {label}"
                if how == "=" and metric != "muster_http_request_seconds_count" and label not in OF_PROMETHEUS:
                    assert value in shown[metric][label], f"{alert}: {metric} never has {label}={value}"
            used += 1
        known = OF_PROMETHEUS.union(*(shown[metric] for metric, _ in metrics))
        for labels in re.findall(r"\b(?:by|on) \(([^)]*)\)", expression):
            assert set(re.split(r",\s*", labels)) <= known, f"{alert}: {labels}"
        told = rule["annotations"]["summary"]
        assert set(re.findall(r"\$labels\.(\w+)", told)) <= known, f"{alert}: {told}"
    assert used > len(rules())


def test_what_the_test_of_rules_would_find_is_found(shown: dict[str, dict[str, set[str]]]) -> None:
    assert "muster_check_broken" not in shown
    assert SELECTED.findall('rate(muster_x_total{a="b"}[5m]) > up') == [("muster_x_total", 'a="b"'), ("up", "")]


def test_the_page_for_operators_says_of_every_alert_what_it_means_and_what_to_do() -> None:
    section = PAGE.read_text().split("\n## Alerts\n")[1].split("\n## ")[0]
    rows = {cells[1].strip().strip("`"): cells[2:4] for line in section.splitlines() if (cells := line.split("|"))[3:]}
    assert {name for name in rows if name.startswith("Muster")} == rules().keys()
    for name, (means, do) in rows.items():
        assert len(means) > 2, name
        assert len(do) > 2, name
    for rule in rules().values():
        assert rule["labels"]["severity"] in ("page", "ticket")


@pytest.mark.engine("promtool")
def test_each_alert_fires_in_its_trouble_and_none_on_a_calm_evening(tmp_path: Path) -> None:
    assert TROUBLE.keys() == rules().keys()
    late = {"MusterTwoVersions": "70m", "MusterRestarting": "4m"}
    tests = [promtool.firing("", CALM, "19m", 0)]
    tests += [
        promtool.firing(alert, {**CALM, **changes}, late.get(alert, "16m"), number)
        for alert, (changes, number) in TROUBLE.items()
    ]
    file = tmp_path / "alerts_test.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(ALERTS)], "evaluation_interval": "15s", "tests": tests}))
    promtool.run("check", "rules", ALERTS)
    promtool.run("test", "rules", file)
