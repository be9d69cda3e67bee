"""The client of every service: a method for each of its operations.

Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from typing import Any

from muster_client.asking import Operation, Service
from muster_client.generated import answers
from muster_client.lines import Lines

CHECK_DATABASE = Operation("check_database", "POST", "/fsck", answers.Checked)
HEADS = Operation("heads", "GET", "/tournaments/{tournament}/heads", answers.HeadsView)
HEALTHZ = Operation("healthz", "GET", "/healthz", answers.Alive)
METRICS_TEXT = Operation("metrics_text", "GET", "/metrics")
READYZ = Operation("readyz", "GET", "/readyz", answers.Ready)
REBUILD_FROM_LOGS = Operation("rebuild_from_logs", "POST", "/rebuild", answers.RebuiltView)
SHOW_ASYNCAPI = Operation("show_asyncapi", "GET", "/asyncapi.json")
SHOW_EVENT_SCHEMA = Operation("show_event_schema", "GET", "/schemas/events/{type}/{version}")
SHOW_RESULT_SCHEMA = Operation("show_result_schema", "GET", "/schemas/results/{version}")
WHOLE_LOG = Operation("whole_log", "GET", "/log")


class Common(Service):
    """The operations that every service has."""

    def check_database(self, *, idempotency_key: str = "") -> answers.Checked:
        """Check every log, copy, snapshot and read model and the feed for damage; repair nothing.

        **Who may call it:** `operator`.
        """
        how: dict[str, Any] = {"idempotency_key": idempotency_key}
        made: answers.Checked = self._command(CHECK_DATABASE, (), how)
        return made

    def heads(self, tournament: str) -> answers.HeadsView:
        """Show the heads of the logs of a tournament, as far as this service has copied them.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(HEADS, (tournament,), {}, answers.HeadsView)

    def healthz(self) -> answers.Alive:
        """Check that the process answers.

        **Who may call it:** everybody.
        """
        return self._read(HEALTHZ, (), {}, answers.Alive)

    def metrics_text(self) -> str:
        """Show all metrics in the format of Prometheus. The token must be valid for all tournaments.

        **Who may call it:** `operator`, `integration`, `service`.
        """
        return self._text(METRICS_TEXT, (), {}, "text/plain")

    def readyz(self) -> answers.Ready:
        """Check that the process can do its work.

        With an operator's or a service's token, the answer has every detail; without one it has numbers only.

        **Who may call it:** everybody.
        """
        return self._read(READYZ, (), {}, answers.Ready)

    def rebuild_from_logs(self, *, idempotency_key: str = "") -> answers.RebuiltView:
        """Delete every cache and read model, rebuild them from the logs, and report what differed.

        **Who may call it:** `operator`.
        """
        how: dict[str, Any] = {"idempotency_key": idempotency_key}
        made: answers.RebuiltView = self._command(REBUILD_FROM_LOGS, (), how)
        return made

    def show_asyncapi(self) -> str:
        """Show AsyncAPI 3.0 of all events on the broker: routing keys, messages, schemas; the same on every service.

        **Who may call it:** everybody.
        """
        return self._text(SHOW_ASYNCAPI, (), {}, "application/json")

    def show_event_schema(self, type: str, version: int) -> str:
        """Show the JSON Schema of the data of an event. Every event's `dataschema` points here. It never changes.

        **Who may call it:** everybody.
        """
        return self._text(
            SHOW_EVENT_SCHEMA,
            (
                type,
                version,
            ),
            {},
            "application/schema+json",
        )

    def show_result_schema(self, version: int) -> str:
        """Show the JSON Schema of the data of a GameResult. Its `dataschema` points here. It never changes.

        **Who may call it:** everybody.
        """
        return self._text(SHOW_RESULT_SCHEMA, (version,), {}, "application/schema+json")

    def whole_log(self, *, after: int | None = None, limit: int | None = None) -> Lines:
        """Show this service's events of every tournament in one order without gaps (`feedposition`).

        A token limited to some types of events leaves out the others; `Link` and `Muster-Feed-End` still count
        them.

        **Who may call it:** `operator`, `integration`, `service`.
        """
        return self._lines(WHOLE_LOG, (), {"after": after, "limit": limit})
