"""Measurements of webhooks in trouble, for whoever watches the installation."""

from __future__ import annotations

from collections.abc import Collection

from services.scoring.webhooks.deliveries import DEAD, WAITING, Key
from shared import metrics
from shared.log.database import Connection

MEASURED_SECONDS = 15.0
"""Between two measurements; dead deliveries are counted row by row."""


def measure(connection: Connection, enabled: Collection[Key], disabled: int) -> None:
    """Show what waits, is dead, fails or is disabled. disabled: webhooks that a rule has disabled."""
    for state in (WAITING, DEAD):
        # As text, so that the index of deliveries that wait is used.
        number = connection.value(f"SELECT count(*) FROM webhook_deliveries WHERE state = '{state}'")
        metrics.WEBHOOK_DELIVERIES.labels(state).set(number)
    failing = connection.rows("SELECT tournament, webhook FROM webhooks WHERE failing > 0")
    metrics.WEBHOOKS_IN_TROUBLE.labels("failing").set(sum(tuple(key) in enabled for key in failing))
    metrics.WEBHOOKS_IN_TROUBLE.labels("disabled").set(disabled)
