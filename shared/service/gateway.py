"""What the routes of every service call: who asks, how far we have read, which command, what the answer carries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, NoReturn, TypeVar

from flask import abort, jsonify
from msgspec import UNSET, to_builtins
from msgspec.structs import replace

from shared import logs
from shared.log.reading import log_page
from shared.refusals import Refusal
from shared.roles import EVERY_TOURNAMENT
from shared.service.commands import (
    CommandEnvelope,
    CommandHandler,
    CommandResult,
    WriteBeside,
    tag_of_preview,
    venues_of,
)
from shared.service.gates import Waiting
from shared.service.previews import Previews, preview
from shared.service.refusals import BehindOwnCopies
from shared.service.state import LoadedAggregate
from shared.service.views import Appended, EventView, event_view, intact
from shared.service.visibility import admit, is_shown_drafts, is_there, need_good_token, need_own, unknown_tournament
from shared.tournament.draws import ABOUT_SECRETS
from shared.tournament.guards import BY_GUEST, By, UnknownTournament, are_standings_unpublished, require_format
from shared.tournament.registration import INSTALLATION
from shared.tournament.state import Tournament
from shared.web.auth import caller, caller_or_none
from shared.web.idempotency import command_ids, key_of
from shared.web.request import EdgeRequest, this_request
from shared.web.tokens import Caller
from shared.web.versions import (
    etag,
    etag_of,
    in_form,
    parse_seen,
    position_meant,
    previews_meant,
    revision_meant,
    with_private,
)

Done = TypeVar("Done")


class Gateway:
    """The edge's way to the command handler and to the states.

    waiting: where requests wait for what other services have to say. previews: how commands are shown that are only to
    be shown. formats: whatever is asked is of these formats,
    and refused for a tournament of another; empty: of every format.
    """

    def __init__(
        self, handler: CommandHandler, waiting: Waiting, previews: Previews, formats: Collection[str] = ()
    ) -> None:
        self.handler = handler
        self.repository = handler.repository
        self.formats = formats
        self._waiting = waiting
        self._previews = previews

    def of(self, *formats: str) -> Gateway:
        """The same way, for what only tournaments of some formats have."""
        return Gateway(self.handler, self._waiting, self._previews, formats)

    def run(
        self,
        tournament: str,
        command: Any,
        *,
        also: WriteBeside | None = None,
        begins: bool = False,
        first: Sequence[CommandEnvelope] = (),
    ) -> Appended:
        """Run a command as `command` does; returns its result as answers show it."""
        return appended(self.command(tournament, command, also=also, begins=begins, first=first), tournament)

    def command(
        self,
        tournament: str,
        command: Any,
        *,
        also: WriteBeside | None = None,
        begins: bool = False,
        open_to_all: bool = False,
        by: By | None = None,
        first: Sequence[CommandEnvelope] = (),
    ) -> CommandResult:
        """Run a command of the request at hand; the answer carries Muster-Seen and the new version.

        With `preview=true` it is answered at once what the command would do, and this does not return.

        begins: the tournament begins with it, so that what the caller has seen is of another one.
        open_to_all: a caller without a token may ask too, and is a guest to the decision.
        by: who it is to the decision and in the log, where the token is of another tournament.
        first: for a preview, what a rule would do before the command.
        """
        request = this_request()
        who = caller_or_none() if open_to_all else caller()
        envelope = self._envelope(request, tournament, command, who, also, begins, by)
        if request.edge.preview:
            self._show_preview(envelope, who, first)
        result = self._with_news(tournament, who, lambda: self.handler.run(envelope))
        request.edge.seen = result.seen
        request.edge.replayed = result.again
        if result.events:
            request.edge.etag = etag(self.handler.source, result.events[-1].position)
        if result.private:
            request.edge.etag = with_private(etag_of(result.seen, self.handler.source), result.private)
        if result.events:
            logs.bind(tournament=tournament, events=[event.id for event in result.events])
        return result

    def _show_preview(
        self, envelope: CommandEnvelope, who: Caller | None, first: Sequence[CommandEnvelope]
    ) -> NoReturn:
        """Answer what a command would do. Nothing of its route runs after this: no token is issued, nothing kept."""
        tournament, edge = envelope.tournament, this_request().edge
        foreseen = self._with_news(tournament, who, lambda: preview(self.handler, envelope, first))
        edge.seen = foreseen.before.seen
        edge.etag = f'"{tag_of_preview(foreseen.before)}"'
        shown = is_shown_drafts(tournament, foreseen.before.state, who)
        foreseen = replace(
            foreseen, before=self._shown(foreseen.before, shown), after=self._shown(foreseen.after, shown)
        )
        abort(jsonify(to_builtins(self._previews.view(foreseen, who))))

    @contextmanager
    def reading(self, tournament: str, *, any_log: bool = False) -> Iterator[LoadedAggregate]:
        """The state for an answer, at least as far as the caller has seen.

        any_log: what is asked for every log has, that of the installation too, which is no tournament.

        Raises UnknownTournament, also of a private tournament to who has no right to it, NotYourTournament where the
        operation is for some roles, WrongFormat, NotYetSeen, ImplausibleSeen, TokenRevoked.
        """
        if tournament == INSTALLATION and not any_log:
            raise unknown_tournament()
        request = this_request()
        who = caller_or_none()
        self._read_what_was_seen(request, tournament, who)
        for asked_owners in (False, True):
            with self.repository.now(tournament) as loaded:
                if is_there(tournament, loaded.state, who):
                    admit(tournament, loaded.state, who)
                    if request.edge.for_roles:
                        need_own(loaded.state, who)
                    require_format(loaded.state, self.formats)
                    request.edge.seen = loaded.seen
                    yield self._shown(loaded, is_shown_drafts(tournament, loaded.state, who))
                    return
            if asked_owners or not self._waiting.others_may_know(who):
                break
            with self._waiting.place(guest=who is None):
                self._waiting.catch_up(tournament)
        raise unknown_tournament()

    def still_good(self, who: Caller) -> None:
        """For what is asked outside of a token's tournament: that one has its say about the token all the same.

        Raises TokenRevoked when it has taken it back, TokenExpired when its event has been over for too long.
        """
        if who.tournament != EVERY_TOURNAMENT:
            with self.repository.now(who.tournament) as loaded:
                need_good_token(who.tournament, loaded.state, who)

    def version(self, loaded: LoadedAggregate) -> str:
        """The ETag of an answer made from this state: it is another one as soon as any log has moved."""
        tag = etag_of(loaded.seen, self.handler.source)
        if loaded.drafts:
            return with_private(tag, loaded.state.private.revision)
        return in_form("draft", tag) if not loaded.public and are_standings_unpublished(loaded.state) else tag

    def last_change(self, tournament: str, loaded: LoadedAggregate, sources: Sequence[str]) -> tuple[str, int]:
        """The time of the last event of these logs, as this state knows them, and how many events they hold."""
        times = []
        with self.handler.database.reading() as connection:
            for source in sources:
                last = log_page(connection, source, tournament, loaded.heads[source].position - 1, 1)
                times += [event.time for event in last]
        return max(times), sum(loaded.heads[source].position for source in sources)

    def events_about(self, tournament: str, wanted: Callable[[Any], bool], naming: str = "") -> list[EventView]:
        """Own events of a tournament whose data are wanted, as answers show them, in order.

        naming: an id that stands in the data of all of them; others are not decoded.
        """
        with self.repository.now(tournament) as loaded:
            end, venues = loaded.heads[self.handler.source].position, venues_of(loaded.state)
        with self.handler.database.reading() as connection:
            events = intact(log_page(connection, self.handler.source, tournament, 0, end))
        named = f'"{naming}"' if naming else ""
        views = (event_view(event, venues) for event in events if named in event.data)
        return [view for view in views if wanted(view.data)]

    def _envelope(
        self,
        request: EdgeRequest,
        tournament: str,
        command: Any,
        who: Caller | None,
        also: WriteBeside | None = None,
        begins: bool = False,
        by: By | None = None,
    ) -> CommandEnvelope:
        row = self.handler.handlers[type(command)]
        if row.fresh:
            self._waiting.catch_up(tournament)
        if not begins:
            self._read_what_was_seen(request, tournament, who)
        ids, if_match = command_ids(who, by.actor if by else ""), request.environ.get("HTTP_IF_MATCH")
        foreseen = frozenset() if begins else previews_meant(if_match)

        def check(state: Tournament) -> None:
            if tournament == INSTALLATION:
                need_own(state, who)
            if not begins:
                admit(tournament, state, who)
                need_own(state, who)
                require_format(state, self.formats)

        return CommandEnvelope(
            tournament,
            command,
            by or (by_of(who) if who else BY_GUEST),
            ids[0],
            key_of(ids[0]) or "",
            None if begins or foreseen else position_meant(if_match, self.handler.source),
            revision_meant(if_match),
            foreseen,
            also,
            check,
            ids[1:],
        )

    def _shown(self, loaded: LoadedAggregate, drafts: bool) -> LoadedAggregate:
        """Return the state as a caller is shown it. drafts: they are shown those of private rows."""

        def made() -> LoadedAggregate:
            state = self.handler.private.with_drafts(loaded.state) if drafts else loaded.state
            if state is loaded.state and (drafts or not are_standings_unpublished(state)):
                return loaded
            shown = LoadedAggregate(state, dict(loaded.heads), loaded.recopied)
            shown.drafts, shown.public = drafts, not drafts
            return shown

        return loaded.derived(("shown", drafts), made)

    def _read_what_was_seen(self, request: EdgeRequest, tournament: str, who: Caller | None) -> None:
        """Raises MalformedSeen, and as `Waiting.until_read`."""
        if wanted := parse_seen(request.environ.get("HTTP_MUSTER_SEEN")):
            self._waiting.until_read(tournament, wanted, who)

    def _with_news(self, tournament: str, who: Caller | None, run: Callable[[], Done]) -> Done:
        """Run; a refusal stands only when the owners of the other logs have nothing new that could change it."""
        try:
            return run()
        except BehindOwnCopies:
            raise
        except Refusal as refusal:
            if isinstance(refusal, UnknownTournament) and not self._waiting.others_may_know(who):
                raise
            with self.repository.now(tournament) as loaded:
                before = loaded.seen
            with self._waiting.place(guest=True) if who is None else nullcontext():
                self._waiting.catch_up(tournament)
            with self.repository.now(tournament) as loaded:
                if loaded.seen == before:
                    raise
            return run()


def by_of(who: Caller) -> By:
    """A caller as decisions know them."""
    return By(who.actor, who.role, who.venue or "", who.via, token=who.jti)


def appended(result: CommandResult, tournament: str) -> Appended:
    """Return a result as answers show it: made from what is kept of it, so a repeated command gets the same answer."""
    told = (event for event in result.events if event.type not in ABOUT_SECRETS)
    events = [event_view(event, result.venues) for event in told]
    return Appended(events=events, id=result.answer.get("id", UNSET))
