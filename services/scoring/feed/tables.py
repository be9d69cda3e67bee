"""The tables of the public feed; their types and indices stand in the migration."""

from __future__ import annotations

from services.scoring.webhooks.tables import WEBHOOKS
from shared.eventlog.database import Table

PUBLIC_FEED = Table("public_feed", ("feed", "source", "tournament", "position", "mark"), ("feed",))
"""The one order over the events of every source, without gaps. mark: of everything up to here (see places.py)."""

PUBLIC_FEED_LOGS = Table("public_feed_logs", ("source", "tournament", "position"), ("source", "tournament"))
"""How far each log stands in the feed."""

PUBLIC_FEED_RECOPIES = Table("public_feed_recopies", ("one", "recopy"), ("one",))
"""One row, under whose lock places are given: the last recopy of a log that the feed has been mended for."""

PUBLIC_FEED_FOLLOWERS = (WEBHOOKS,)
"""Tables whose rows stand at a place of the feed (`feed`, `opened`): where that is taken back, they go back with it."""
