"""Events about the installation as a whole. They stand in a log of registration's that is no tournament's."""

from __future__ import annotations

from shared.events.base import Event

INSTALLATION = "installation"
"""Where a tournament has its id, these have this; ids of tournaments begin with `t-`."""


class InstallationTokenRevoked(Event, frozen=True, kw_only=True):
    """A token that whoever runs Muster handed out, or a service's own, named by its id, is worth nothing any more."""

    token: str
    reason: str = ""


OF_INSTALLATION = frozenset({InstallationTokenRevoked.__name__})
