"""The venue that a page shows: the one that was asked for, else that of whoever looks; and what they may do where."""

from __future__ import annotations

from flask import request

from muster_client import answers
from services.console.upstream import here

ALL = "all"
"""In place of a venue in an address: every one of them."""


def venue_shown(event: answers.TournamentView) -> str:
    """The id of a venue; empty for all of them."""
    asked = request.args.get("venue")
    if asked is not None:
        return asked if any(venue.id == asked for venue in event.venues) else ""
    return here().venue


def acts_everywhere(event: answers.TournamentView) -> bool:
    """Whether whoever is here may do what is about every venue: pair, start or close a round."""
    return all(here().acts_at(venue.id) for venue in event.venues if venue.open)


def settles(event: answers.TournamentView, question: str) -> bool:
    """Whether whoever is here may decide something of this kind under the rules of the event, as registration says."""
    role = "organiser" if here().role == "operator" else here().role
    return any(role in one.roles for one in event.decisions if one.question == question)
