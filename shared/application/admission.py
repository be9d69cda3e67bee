"""What of a foreign event is looked at beside its chain before a copy takes it.

Its type is one that its source appends, its version is known, its data are canonical and fit the schema, so do its
actor and what it carries of a command; and a log begins with what begins a log.
"""

from __future__ import annotations

from shared.eventlog.verify import Broken
from shared.events.actors import NotAnActor, read_actor
from shared.events.canonical import is_canonical
from shared.events.command_record import NoCommand, read_record
from shared.events.recorded import LARGEST_COMMAND, LARGEST_EVENT, Recorded, size_of
from shared.formats.fold import CATALOGUE, read_event
from shared.messaging.admission import ANNOUNCER, NEWER, NotYet
from shared.tournament.events.installation import INSTALLATION, OF_INSTALLATION
from shared.tournament.events.webhooks import OF_WEBHOOKS

ANNOUNCEMENT = "TournamentAnnounced"
"""With what the log of a tournament begins."""


def fault_of(event: Recorded) -> Broken | None:
    """Why a copy must not take an event, as far as the event itself tells; None where it may."""
    known = CATALOGUE.get(event.type)
    if known is None or event.version > known.version:
        return NotYet(event, f"waits for newer code: {event.type}, version {event.version}", NEWER)
    if event.source not in known.owners:
        return Broken(event, f"{event.type} is no event of {event.source}")
    if event.type not in OF_WEBHOOKS and (event.tournament == INSTALLATION) != (event.type in OF_INSTALLATION):
        return Broken(event, f"{event.type} is no event of {event.tournament}")
    if (
        event.source == ANNOUNCER
        and event.tournament != INSTALLATION
        and (event.position == 1) != (event.type == ANNOUNCEMENT)
    ):
        return Broken(event, f"a log of {ANNOUNCER} begins with {ANNOUNCEMENT}, and holds it nowhere else")
    if size_of(event.data) > LARGEST_EVENT:
        return Broken(event, f"its data have more than {LARGEST_EVENT} bytes")
    if size_of(event.command) > LARGEST_COMMAND:
        return Broken(event, f"its command has more than {LARGEST_COMMAND} bytes")
    try:
        if not is_canonical(event.data):
            return Broken(event, "its data are not canonical JSON")
        read_event(event.type, event.version, event.data)
    except Exception as error:  # of a reader, or of an upcast that met something else than it was made for
        return Broken(event, f"its data do not fit {event.type}, version {event.version}: {error}")
    try:
        read_actor(event.actor)
    except NotAnActor as error:
        return Broken(event, f"its {error}")
    return _fault_of_record(event)


def _fault_of_record(event: Recorded) -> Broken | None:
    """Whether the command has its form. What it says, an audit looks at: only its service knows it."""
    if not event.command:
        return None
    try:
        read_record(event)
        return None if is_canonical(event.command) else Broken(event, "its command is not canonical JSON")
    except (NoCommand, ValueError, RecursionError) as error:
        return Broken(event, f"its command cannot be read: {error}")
