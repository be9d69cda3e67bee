"""Events about the installation as a whole. They stand in a log of registration's that is no tournament's."""

from __future__ import annotations

from shared.log.event import Event

INSTALLATION = "installation"
"""Where a tournament has its id, these have this; ids of tournaments begin with `t-`."""


class InstallationTokenRevoked(Event, frozen=True, kw_only=True):
    """A token that whoever runs Muster handed out, or a service's own, named by its id, is worth nothing any more."""

    token: str
    reason: str = ""


class OrganiserTokenIssued(Event, frozen=True, kw_only=True):
    """An operator gave an organiser a token for all tournaments, in which they lead those that they announce.

    token: its id, never the token. organiser: the name that the log records for what is done with it.
    """

    token: str
    organiser: str
    days: int


OF_INSTALLATION = frozenset({InstallationTokenRevoked.__name__, OrganiserTokenIssued.__name__})
