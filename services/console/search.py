"""What somebody looks for on a page with a field `q` in its address."""

from __future__ import annotations

from flask import request

LONGEST = 100
"""Characters of a name that is looked for."""


def searched_for() -> str:
    """The words, as far as a name can be long; empty for none."""
    return request.args.get("q", "").strip()[:LONGEST]
