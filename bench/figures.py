"""Figures: a quantile of many, and how many digits of one are kept."""

from __future__ import annotations

import math
from collections.abc import Sequence


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0 to 1) of the values do not exceed; values need not be sorted."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def rounded(value: float) -> float:
    """A value as it is kept: four significant digits, for no measurement here is better than that."""
    return float(f"{value:.4g}")
