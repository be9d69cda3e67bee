"""When rounds and games end, as the log has it. Times are RFC 3339, UTC, milliseconds."""

from __future__ import annotations

from datetime import datetime, timedelta

from shared.tournament.rounds import Round


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
