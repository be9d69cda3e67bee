"""Asking owners about what was refused: a budget a minute, round robin, more and more seldom for each log.

Whoever may publish can have a thousand events of tournaments refused that nobody knows. Each of them would be asked for
at its owner for ever, and the true ones behind them never.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from shared.eventlog.quarantine import Case
from shared.messaging.backoff import Allowance, Backoff

ASKED_A_MINUTE = 20
"""Logs of each source."""
FIRST_SECONDS, LONGEST_SECONDS = 60.0, 3600.0
"""Until the same log is asked for again; doubled each time."""
REMEMBERED = 10_000


class CasesToAsk:
    """Which logs with a refused event are due to be asked for at their owner."""

    def __init__(self) -> None:
        self._due: dict[tuple[str, str], float] = {}
        self._patience: dict[tuple[str, str], Backoff] = {}
        self._allowance: dict[str, Allowance] = {}

    def take(self, source: str, cases: Iterable[Case], anyway: bool = False) -> list[str]:
        """The tournaments of `source` to ask for now, those that have waited longest first; they count as asked.

        cases: open ones of any source; forks are left out, for no answer heals them. anyway: also those asked for
        a moment ago, as after an owner was away.
        """
        now = time.monotonic()
        logs = {(case.source, case.tournament) for case in cases if case.source == source and case.origin != "fork"}
        for log in [log for log in self._due if log[0] == source and log not in logs]:
            del self._due[log], self._patience[log]
        allowance = self._allowance.setdefault(source, Allowance(ASKED_A_MINUTE))
        asked = []
        for log in sorted(logs, key=lambda log: (self._due.get(log, 0.0), log)):
            if not anyway and self._due.get(log, 0.0) > now:
                break
            if not allowance.take():
                break
            if len(self._due) < REMEMBERED or log in self._due:
                self._due[log] = now + self._patience.setdefault(log, Backoff(FIRST_SECONDS, LONGEST_SECONDS)).more()
            asked.append(log[1])
        return asked
