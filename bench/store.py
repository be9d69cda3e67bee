"""Where figures are kept: bench/results/<date>.json for each run, latest.json for the newest of every benchmark.

A quick pass is kept under its date and leaves latest.json alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench.findings import Found

RESULTS = Path(__file__).parent / "results"
LATEST = RESULTS / "latest.json"


def keep(found: Sequence[Found]) -> Path:
    """Write what a run has found so far; returns the file of the run."""
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"{found[0].date[:19].replace(':', '')}.json"
    _write(file, found)
    if not found[0].quick:
        newest = {each.benchmark: each for each in latest()} | {each.benchmark: each for each in found}
        _write(LATEST, [newest[name] for name in sorted(newest)])
    return file


def latest() -> list[Found]:
    """The newest figures of every benchmark that was ever run in full; empty before the first."""
    return msgspec.json.decode(LATEST.read_bytes(), type=list[Found]) if LATEST.exists() else []


def _write(file: Path, found: Sequence[Found]) -> None:
    draft = file.with_suffix(".tmp")
    draft.write_bytes(msgspec.json.format(msgspec.json.encode(list(found)), indent=2) + b"\n")
    draft.replace(file)
