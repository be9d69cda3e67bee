"""What anybody may see of a campaign or of a co-operative event: where everybody stands, and the latest round."""

from __future__ import annotations

from flask import render_template
from msgspec import Struct

from muster_client import Muster, answers, problems
from services.console.language import N_, _
from services.console.sittings import published, standings_of

MOST = 100
"""Rows of each table on a page; programs read all of them."""

STATUS = {
    "seated": N_("not begun"),
    "setup": N_("being laid out"),
    "playing": N_("being played"),
    "ended": N_("over"),
    "not_played": N_("not played"),
}
OUTCOME = {
    "victory": N_("won"),
    "defeat": N_("lost"),
    "unfinished": N_("not finished"),
    "abandoned": N_("broken off"),
}


class Seated(Struct, frozen=True):
    """A table of a round of sessions. number: 0 where tables have none. state: how far it is, or how it ended."""

    number: int
    venue: str
    names: list[str]
    state: str


def page_of(asked: Muster, event: answers.TournamentView) -> str:
    """The page of an event that is no Swiss."""
    if event.format == "campaign":
        return _campaign(asked, event)
    if event.format == "coop":
        return _coop(asked, event)
    return render_template("public_other.html", event=event, place="about")


def _campaign(asked: Muster, event: answers.TournamentView) -> str:
    """The league table with the group behind each place, and the games of the latest round."""
    rounds = published(asked.pairing.list_rounds(event.id).items)
    return render_template(
        "public_campaign.html",
        event=event,
        place="about",
        standings=standings_of(asked, event.id, MOST),
        groups={group.id: group for group in asked.scoring.list_groups(event.id).items},
        round=asked.pairing.show_round(event.id, rounds[-1].round, limit=MOST) if rounds else None,
    )


def _coop(asked: Muster, event: answers.TournamentView) -> str:
    """Who sits at which table of the latest round, how each session stands, and the survivors over all of them."""
    rounds = asked.pairing.list_session_rounds(event.id).items
    return render_template(
        "public_coop.html",
        event=event,
        place="about",
        round=rounds[-1] if rounds else None,
        tables=_tables(asked, event, rounds[-1]) if rounds else [],
        ranking=_ranking(asked, event.id) if rounds else None,
    )


def _tables(asked: Muster, event: answers.TournamentView, round: answers.SessionRoundView) -> list[Seated]:
    """The tables of a round, as scoring knows their sessions and pairing who sits there."""
    sessions = {session.id: session for session in asked.scoring.list_sessions(event.id, round=round.round).items}
    venues = {venue.id: venue.name for venue in event.venues}
    tables = []
    for seated in round.tables[:MOST]:
        session = sessions.get(seated.id)
        ended = session.ended if session else None
        state = OUTCOME.get(ended.outcome) if ended else STATUS.get(seated.status)
        tables.append(Seated(seated.table, venues.get(seated.venue, ""), seated.names, _(state) if state else ""))
    return tables


def _ranking(asked: Muster, event: str) -> answers.RankingView | None:
    try:
        return asked.scoring.show_ranking(event, of="survivors", limit=MOST)
    except problems.RoundUnknown:  # scoring has not read of the round yet
        return None
