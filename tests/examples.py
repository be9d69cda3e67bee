"""How many examples hypothesis tries: a third in `make test` and `make check`, all of them in `make check-all`."""

from __future__ import annotations

import hypothesis


def examples(number: int) -> int:
    """Return the examples to try in this run. number: examples of a full run, times MUSTER_FUZZ."""
    full = hypothesis.settings.default.max_examples  # of the profile that tests/conftest.py loaded
    return max(3, round(number * full / 50))
