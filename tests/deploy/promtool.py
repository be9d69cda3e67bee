"""promtool, the checker that comes with Prometheus, over rules and made-up series."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from tests.programs import run_program


def program() -> str | None:
    """The promtool of this machine: TEST_PROMTOOL, or the one on PATH."""
    return shutil.which(os.environ.get("TEST_PROMTOOL") or "promtool")


def run(*arguments: str | Path) -> str:
    """What promtool says. Raises AssertionError with it where it finds something wrong."""
    binary = program()
    assert binary is not None
    done = run_program([binary, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def firing(alert: str, series: Mapping[str, str], after: str, expected: int) -> dict[str, object]:
    """A test that so many alerts of a name fire after so long. series: name and labels -> values, one every 15 s."""
    sample = [{"labels": "{}", "value": expected}] if expected else []
    named = f'count(ALERTS{{alertname="{alert}", alertstate="firing"}})' if alert else "count(ALERTS)"
    return {
        "interval": "15s",
        "name": alert,
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [{"expr": named, "eval_time": after, "exp_samples": sample}],
    }
