"""From which day a release may be used, and when lists are due: dates in, dates out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Literal

from shared.rules.ruleset import Ruleset

Release = Literal["electronic", "errata", "physical"]

WEEKDAYS: Mapping[Release, tuple[int, str]] = {"electronic": (4, "Friday"), "errata": (1, "Tuesday")}
"""On which day of the week a kind of release comes out (Monday is 0); a physical product on any. FF-ROS-15."""


def legal_from(ruleset: Ruleset, released: date) -> date:
    """The first day of play on which a release is legal.

    released: the day it came out; of a physical product the day on which the publisher's own shop sells it.
    Source: FF-ROS-14, FF-AMB-5.
    """
    return released + timedelta(days=ruleset.legality.delay_days if ruleset.legality else 0)


def wrong_weekday(released: date, kind: Release) -> str | None:
    """The weekday on which such a release comes out, where this one did not; None where nothing is doubtful.

    Source: FF-ROS-15.
    """
    if kind not in WEEKDAYS:
        return None
    number, name = WEEKDAYS[kind]
    return None if released.weekday() == number else name


def released_by(ruleset: Ruleset, first_day: date) -> date:
    """The last day of release of what is legal on the first day of play. FF-ROS-14, FF-AMB-5."""
    return first_day - timedelta(days=ruleset.legality.delay_days if ruleset.legality else 0)


def list_due(ruleset: Ruleset, first_day: date) -> date:
    """The last day for lists, as advised; they are locked later, see `roster.locked`. FF-REG-2, FF-AMB-22."""
    return first_day - timedelta(days=ruleset.legality.list_due_days if ruleset.legality else 0)
