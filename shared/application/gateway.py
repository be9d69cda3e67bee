"""What the routes of every service call: who asks, how far we have read, which command, what the answer carries."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

from shared.application.command_handler import (
    CommandEnvelope,
    CommandHandler,
    CommandResult,
    InlineProjection,
    told,
    venues_of,
)
from shared.application.refusals import BehindOwnCopies
from shared.application.repository import LoadedAggregate, Repository
from shared.application.visibility import admit, is_there, refuse_ended, refuse_revoked, unknown_tournament
from shared.application.waiting import Waiting
from shared.eventlog.read import log_page
from shared.messaging.admission import ANNOUNCER
from shared.refusals import Refusal
from shared.roles import EVERY_TOURNAMENT, SERVICE
from shared.tournament.context import GUEST, By
from shared.tournament.refusals import UnknownTournament, WrongFormat
from shared.tournament.state import Tournament
from shared.web import logs, request_context
from shared.web.access import caller, caller_or_none
from shared.web.conditional import etag, etag_of
from shared.web.idempotency import key_of
from shared.web.seen import behind, not_yet_seen, refuse_implausible
from shared.web.tokens import Caller

POLL = 0.005
"""Seconds between two looks at the copies while an answer waits for what the caller has seen."""

Done = TypeVar("Done")

CatchUp = Callable[[str], Collection[str]]
"""Copies of one tournament are brought up to date from their owners; returns those that did not answer."""


class Gateway:
    """The edge's way to the desk.

    catch_up: asks the owners of foreign logs; used where a decision must not miss what was acknowledged elsewhere,
    and where a caller has seen more than is here. waiting, seen_wait: how many wait for that, and how many seconds.
    formats: whatever is asked is of these formats, and refused for a tournament of another; empty: of every format.
    """

    def __init__(
        self,
        handler: CommandHandler,
        repository: Repository,
        catch_up: CatchUp,
        waiting: Waiting,
        seen_wait: float = 2.0,
        *,
        formats: Sequence[str] = (),
    ) -> None:
        self.handler = handler
        self.repository = repository
        self.formats = formats
        self._catch_up = catch_up
        self._waiting = waiting
        self._seen_wait = seen_wait

    def of(self, *formats: str) -> Gateway:
        """The same way to the desk, for what only tournaments of some formats have."""
        return Gateway(self.handler, self.repository, self._catch_up, self._waiting, self._seen_wait, formats=formats)

    def command(
        self,
        tournament: str,
        command: Any,
        *,
        also: InlineProjection | None = None,
        begins: bool = False,
        open_to_all: bool = False,
        by: By | None = None,
    ) -> CommandResult:
        """Run a command of the request at hand; the answer carries Muster-Seen and the new version.

        begins: the tournament begins with it, so that what the caller has seen is of another one.
        open_to_all: a caller without a token may ask too, and is a guest to the decision.
        by: who it is to the decision and in the log, where the token is of another tournament.
        """
        order = self._prepared(tournament, command, also, begins, open_to_all, by)
        receipt = self._with_news(tournament, lambda: self.handler.run(order))
        request_context.tell_seen(_filled(receipt.seen))
        request_context.tell_replayed(receipt.again)
        if receipt.events:
            request_context.tell_version(etag(self.handler.source, receipt.events[-1].position))
            logs.bind(tournament=tournament, events=[event.id for event in receipt.events])
        return receipt

    def preview(self, tournament: str, command: Any) -> tuple[LoadedAggregate, Tournament, list[Any]]:
        """What the command of the request at hand would do, with nothing appended: see `CommandHandler.preview`."""
        order = self._prepared(tournament, command, None, False)
        return self._with_news(tournament, lambda: self.handler.preview(order))

    @contextmanager
    def reading(self, tournament: str) -> Iterator[LoadedAggregate]:
        """The state for an answer, at least as far as the caller has seen.

        Raises UnknownTournament, also of a private tournament to who has no right to it, WrongFormat, NotYetSeen,
        ImplausibleSeen, TokenRevoked.
        """
        who = caller_or_none()
        self._await(tournament, request_context.asked_seen(), who)
        for asked_owners in (False, True):
            with self.repository.now(tournament) as loaded:
                if is_there(tournament, loaded.state, who):
                    admit(tournament, loaded.state, who)
                    keep_to_formats(self.formats, loaded.state)
                    request_context.tell_seen(_filled(loaded.seen))
                    yield loaded
                    return
            if asked_owners or not self._others_may_know(who):
                break
            with self._waiting.place(guest=who is None):
                self._catch_up(tournament)
        raise unknown_tournament()

    def still_good(self, who: Caller) -> None:
        """For what is asked outside of a token's tournament: that one has its say about the token all the same.

        Raises TokenRevoked when it has taken it back, TokenExpired when its event has been over for too long.
        """
        if who.tournament != EVERY_TOURNAMENT:
            with self.repository.now(who.tournament) as loaded:
                refuse_revoked(who.tournament, loaded.state, who)
                refuse_ended(who.tournament, loaded.state, who)

    def version(self, loaded: LoadedAggregate) -> str:
        """The ETag of an answer made from this state: it is another one as soon as any log has moved."""
        return etag_of(loaded.seen, self.handler.source)

    def events_about(self, tournament: str, wanted: Callable[[Any], bool]) -> list[dict[str, Any]]:
        """Own events of a tournament whose data are wanted, as answers show them, in order."""
        with self.repository.now(tournament) as loaded:
            end, venues = loaded.heads[self.handler.source].position, venues_of(loaded.state)
        with self.handler.database.reading() as connection:
            events = log_page(connection, self.handler.source, tournament, 0, end)
        shown_events = (told(event, venues) for event in events)
        return [event for event in shown_events if wanted(event["data"])]

    def _prepared(
        self,
        tournament: str,
        command: Any,
        also: InlineProjection | None,
        begins: bool,
        open_to_all: bool = False,
        by: By | None = None,
    ) -> CommandEnvelope:
        who = caller_or_none() if open_to_all else caller()
        row = self.handler.handlers[type(command)]
        if row.fresh:
            self._catch_up(tournament)
        if not begins:
            self._await(tournament, request_context.asked_seen(), who)
        ids = request_context.command_ids(by.actor if by else "") if who else request_context.guests_command_ids()

        def check(state: Tournament) -> None:
            if not begins:
                admit(tournament, state, who)
                keep_to_formats(row.formats or self.formats, state)

        return CommandEnvelope(
            tournament,
            command,
            by or (by_of(who) if who else GUEST),
            ids[0],
            key_of(ids[0]) or "",
            None if begins else request_context.position_meant(self.handler.source),
            also,
            check,
            ids[1:],
        )

    def _with_news(self, tournament: str, run: Callable[[], Done]) -> Done:
        """Run; a refusal stands only when the owners of the other logs have nothing new that could change it."""
        try:
            return run()
        except BehindOwnCopies:
            raise
        except Refusal as refusal:
            who = caller_or_none()
            if isinstance(refusal, UnknownTournament) and not self._others_may_know(who):
                raise
            with self.repository.now(tournament) as loaded:
                before = loaded.seen
            with self._waiting.place(guest=True) if who is None else nullcontext():
                self._catch_up(tournament)
            with self.repository.now(tournament) as loaded:
                if loaded.seen == before:
                    raise
            return run()

    def _others_may_know(self, who: Caller | None) -> bool:
        """Whether the owners are worth asking about a tournament that is not known here.

        Registration announces them all; and a service that asks would be asked back, and ask again.
        """
        return self.handler.source != ANNOUNCER and (who is None or who.role != SERVICE)

    def _await(self, tournament: str, wanted: Mapping[str, int], who: Caller | None) -> None:
        """Wait until this service has read as far as `wanted`.

        Raises NotYetSeen when that takes too long or too many wait, ImplausibleSeen, UnknownTournament.
        """
        if not wanted:
            return
        missing, seen, known = self._missing(tournament, wanted, who)
        if not missing:
            return
        if known:
            refuse_implausible(missing, seen, self.handler.source)
        elif not self._others_may_know(who):
            raise unknown_tournament()
        with self._waiting.place(guest=who is None):
            self._wait(tournament, wanted, known, who)

    def _wait(self, tournament: str, wanted: Mapping[str, int], known: bool, who: Caller | None) -> None:
        started = time.monotonic()
        silent: Collection[str] | None = None  # owners that did not answer, once they were asked
        while True:
            waited = time.monotonic() - started
            if silent is None and (not known or waited > self._seen_wait / 10):
                silent = self._catch_up(tournament)
            missing, seen, known = self._missing(tournament, wanted, who)
            if not missing:
                return
            if silent is not None:
                if not known and ANNOUNCER not in silent:
                    raise unknown_tournament()
                # Whoever owns what is missing has said how far its log goes: nothing is on its way.
                if not missing.keys() & set(silent):
                    raise not_yet_seen(missing, seen)
            if waited > self._seen_wait:
                raise not_yet_seen(missing, seen)
            time.sleep(POLL)

    def _missing(
        self, tournament: str, wanted: Mapping[str, int], who: Caller | None
    ) -> tuple[dict[str, int], dict[str, int], bool]:
        """What is wanted and not read yet, how far each log is read, whether the tournament is known.

        One that is not there for the caller is as unknown as one that nobody announced, and nothing of it is read.
        """
        with self.repository.now(tournament) as loaded:
            known = is_there(tournament, loaded.state, who)
            seen = loaded.seen if known else dict.fromkeys(loaded.seen, 0)
        return behind({source: wanted[source] for source in wanted if source in seen}, seen), seen, known


def by_of(who: Caller) -> By:
    """A caller as decisions know them."""
    return By(
        who.actor, who.role, who.player or "", who.venue or "", issuer=who.issuer or "", entered_by=who.entered_by or ""
    )


def _filled(seen: Mapping[str, int]) -> dict[str, int]:
    return {source: position for source, position in seen.items() if position}


def shown(receipt: CommandResult, tournament: str, **more: Any) -> dict[str, Any]:
    """A receipt as answers show it: made from the events alone, so that a repeated command is answered the same."""
    return {
        "tournament": tournament,
        "events": [told(event, receipt.venues) for event in receipt.events],
        **more,
    }


def keep_to_formats(formats: Sequence[str], state: Tournament) -> None:
    """Raises WrongFormat for an announced tournament of another format than these; none: of every format."""
    found = state.entries.format
    if formats and found not in ("", *formats):
        known = " and ".join(formats)
        raise WrongFormat(f"This is of the format {known}, the tournament {found}.", format=found)
