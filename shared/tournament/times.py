"""When rounds and games end, and when drafts are published: times as events have them, RFC 3339, UTC, milliseconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from shared.refusals import Expected, Fault, Refusal, expects
from shared.shapes import Check, Size
from shared.tournament.rounds import Round


class PublicationPast(Refusal):
    """The time at which a draft would be published is over."""

    code = "publication-past"


class PublicationNotDue(Refusal):
    """No time is set for the draft, or it has not come; for a rule alone. data.round: which, for one of a round."""

    code = "publication-not-due"


def _expected_moment(said: str) -> Expected | None:
    return None if utc(said) else expects("moment")


PublishedAt = Annotated[str, Size(40), Check(_expected_moment), "Left out: now."] | None
"""A member of a command that publishes a draft."""


def utc(moment: str) -> str:
    """A moment in the form that events have: UTC, milliseconds, Z; empty for what is none."""
    try:
        then = datetime.fromisoformat(moment)
        if then.tzinfo is None:
            return ""
        return then.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return ""


def time_to_come(at: str, now: str) -> str:
    """A time that a command sets, in the form of events. now: in that form. Raises PublicationPast."""
    moment = utc(at)
    if moment <= now:
        raise PublicationPast(f"It is {now} already.", [Fault("/at", at, expects("time-after", time=now))])
    return moment


def need_due(at: str, now: str, subject: str, **data: Any) -> None:
    """Raise PublicationNotDue before the time at which something is published, or if no time is set (empty).

    subject: begins the refusal, with its verb: "The cut is". data: of the refusal.
    """
    if not at or now < at:
        raise PublicationNotDue(f"{subject} not due to be published.", **data)


def end_of(round: Round, game: str) -> str:
    """When time is called for one game: with the round, or as many minutes later as it was given; empty before."""
    more = round.extended.get(game, 0)
    return later(round.ends_at, more) if more else round.ends_at


def later(moment: str, minutes: int) -> str:
    """A moment some minutes later, in the form that events have."""
    then = datetime.fromisoformat(moment) + timedelta(minutes=minutes)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def hard_stop_of(round: Round) -> str | None:
    """When every game ends, whatever is in progress; None: there is no such time."""
    return None if round.overtime is None else later(round.ends_at, round.overtime)
