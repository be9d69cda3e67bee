"""From which day a release may be used, and when lists are due: dates in, dates out."""

from __future__ import annotations

from datetime import date, timedelta
from typing import get_args

from shared.formats.swiss.rules.ruleset import Ruleset
from shared.rules.parts import Weekday


def legal_from(ruleset: Ruleset, released: date) -> date:
    """The first day of play on which a release is legal.

    released: the day it came out; of a physical product the day on which the publisher's own shop sells it.
    Source: FF-ROS-14, FF-AMB-5.
    """
    return released + timedelta(days=ruleset.legality.delay_days if ruleset.legality else 0)


def usual_weekday(ruleset: Ruleset, released: date, kind: str) -> str:
    """The weekday on which this kind of release comes out, where this one did not; empty where nothing is doubtful.

    Source: FF-ROS-15.
    """
    usual = ruleset.legality.weekdays.get(kind) if ruleset.legality else None
    return "" if usual is None or get_args(Weekday)[released.weekday()] == usual else usual


def released_by(ruleset: Ruleset, first_day: date) -> date:
    """The last day of release of what is legal on the first day of play. FF-ROS-14, FF-AMB-5."""
    return first_day - timedelta(days=ruleset.legality.delay_days if ruleset.legality else 0)


def list_due(ruleset: Ruleset, first_day: date) -> date:
    """The last day for lists, as advised; they are locked later, see `roster.locked`. FF-REG-2, FF-AMB-22."""
    return first_day - timedelta(days=ruleset.legality.list_due_days if ruleset.legality else 0)
