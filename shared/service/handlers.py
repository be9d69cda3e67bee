"""A command's row in the table of its service, and decisions that each format makes in its own way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from shared.log.command_record import CommandForm
from shared.log.event import Event
from shared.tournament.guards import By, Context, Venues, authority_denial, require_format, require_own_venue
from shared.tournament.state import PrivateRow, Tournament
from shared.web.refusals import Forbidden, TokenRevoked

Row = TypeVar("Row")
Decide = Callable[[Tournament, Any, Context], Sequence[Event]]
DecideWithRows = Callable[[Tournament, Any, Context], Sequence[Event | PrivateRow]]
"""A decision that may also write private rows."""
Version = Callable[[Tournament, Any], int]
"""The position of the last event that touched what a command is about; 0 where there is none."""


class Handler(Struct, frozen=True):
    """What governs a command.

    decide: returns the events that follow. roles: of the callers who may give it; empty: no role is needed. by_rule:
    only a rule may give it.
    formats: of the tournaments that have it; empty: all. venues: those that it is about, for staff of one venue.
    version: the last change of the thing that the command names, which If-Match is compared with; without it nothing
    at all may have been appended since. fresh: ask the other services first for their latest events. slow: its decision
    may take seconds, so it is made before the log is locked. drafts: it may be about what is not published yet; other
    commands are decided without drafts. private: its decision may write private rows. complete: adds to a command the
    private rows that it publishes, before it is decided and recorded; it is called with the state with drafts.
    revision: as version, of the private row that the command is about. form: of its record.
    """

    decide: DecideWithRows
    roles: Sequence[str] = ()
    by_rule: bool = False
    formats: Collection[str] = ()
    venues: Venues | None = None
    version: Version | None = None
    fresh: bool = False
    slow: bool = False
    drafts: bool = False
    private: bool = False
    complete: Callable[[Tournament, Any], Any] | None = None
    revision: Version | None = None
    form: CommandForm = CommandForm()

    def allow(self, state: Tournament, command: Any, by: By) -> None:
        """Raises where somebody may not give the command here, by what the state knows of them: WrongFormat,
        TokenRevoked, Forbidden, OtherVenue.
        """
        require_format(state, self.formats)
        if lack := authority_denial(state.entries, by, self.roles, self.by_rule):
            raise TokenRevoked(lack.detail) if lack.taken_back else Forbidden(lack.detail, role=by.role)
        if self.venues is not None:
            require_own_venue(state, by, self.venues(state, command))


def judged_by_thing(
    handlers: Mapping[type, Handler], things: Mapping[str, Version], besides: Collection[type] = ()
) -> dict[type, Handler]:
    """Return the rows with the version of the thing that each command names; a row with a version of its own keeps it.

    things: member of a command -> when the thing that it names was touched last. A command with several of these
    members is judged by the one that stands first here. besides: commands that make something new, or that change more
    than what they name.
    """
    return {
        command: row
        if row.version is not None or row.by_rule or command in besides
        else replace(row, version=_thing_of(command, things))
        for command, row in handlers.items()
    }


def _thing_of(command: type, things: Mapping[str, Version]) -> Version | None:
    members = command.__struct_fields__  # type: ignore[attr-defined]
    return next((version for member, version in things.items() if member in members), None)


def by_format(rows: Mapping[str, Row], decide: Callable[[Row, Tournament, Any, Context], Sequence[Event]]) -> Decide:
    """A decision that is handed the row of the tournament's format; of what is not announced yet the first.

    rows: format -> its row, looked up at every decision.
    What it makes raises WrongFormat for a format that has no row.
    """

    def decide_by_row(state: Tournament, command: Any, context: Context) -> Sequence[Event]:
        require_format(state, rows)
        return decide(rows[state.entries.format or next(iter(rows))], state, command, context)

    return decide_by_row
