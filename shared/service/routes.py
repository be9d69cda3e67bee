"""Routes: how a route becomes a command, and the gateway through which routes run commands and read states.

    @blueprint.command(RuleResult, "/tournaments/<id:tournament>/games/<id:game>/ruling")
    @blueprint.may_refuse("game-unknown", "ruling-final")
    def rule_result(command: RuleResult, tournament: str) -> Appended:
        \"""Rule what the result is; the head referee's word is final.\"""
        return gateway.run(tournament, command)

Members of the command that the address names come from the address, all others from the body. The command's struct is
the schema of the body, and its row in the service's table names the roles. The `id` and `Location` of a created thing
follow from the recorded events, so a repeated command gets the same answer:

    AWARD = Made((AwardGiven,), "award")
    PLAYER = Made((PlayerJoined, PlayerWaitlisted), "player", "/tournaments/<id:tournament>/players/<id:player>")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import wraps
from typing import Any, NoReturn, TypeVar, cast
from urllib.parse import quote

from flask import abort, jsonify
from msgspec import UNSET, Struct, UnsetType, to_builtins
from msgspec.structs import replace

from shared import logs
from shared.log.event import Event
from shared.log.reading import log_page
from shared.refusals import Refusal
from shared.roles import EVERY_TOURNAMENT
from shared.service.commands import CommandEnvelope, CommandHandler, CommandResult, InlineWrite, venues_of
from shared.service.gates import SeenGate
from shared.service.handlers import Handler
from shared.service.previews import Previews, preview
from shared.service.refusals import BehindOwnCopies
from shared.service.state import LoadedAggregate
from shared.service.views import Appended, EventView, event_view, require_intact
from shared.service.visibility import (
    can_caller_see_drafts,
    is_visible,
    require_access,
    require_own_tournament,
    require_valid_token,
    unknown_tournament,
)
from shared.shapes import Command
from shared.tournament.draws import ABOUT_SECRETS
from shared.tournament.guards import (
    BY_GUEST,
    By,
    UnknownTournament,
    are_standings_unpublished,
    require_format,
    require_venue,
)
from shared.tournament.registration import INSTALLATION
from shared.tournament.state import Tournament
from shared.web.auth import caller_or_none, require_caller
from shared.web.blueprint import Blueprint
from shared.web.idempotency import command_ids, key_of
from shared.web.request import this_request
from shared.web.schema import NO_OPEN_TYPES, OpenTypes, convert, deferred
from shared.web.tokens import Caller
from shared.web.versions import IfMatch, etag, etag_of, parse_if_match, parse_seen, with_form, with_private

PARTS = re.compile(r"<(?:[^<>:]+:)?([^<>:]+)>")
"""Matches a variable part of a route; group 1 is its name."""

Answer = TypeVar("Answer", bound=Appended)
View = TypeVar("View", bound=Callable[..., Any])


class Made(Struct, frozen=True):
    """The thing that a command creates.

    by: event types, each of which creates one. member: the member of the event that holds the id; empty if the view
    sets the id itself. at: the route that shows the thing, whose last part is the id; empty if there is none.
    """

    by: tuple[type[Event], ...]
    member: str
    at: str = ""

    def with_id(self, answer: Answer) -> tuple[Answer, dict[str, str]]:
        """Return the answer with the id of the created thing, and the header Location.

        The answer is unchanged if the command created nothing, or several things.
        """
        creating = {kind.__name__ for kind in self.by}
        ids = {str(event.data[self.member]) for event in answer.events if self.member and event.type in creating}
        if answer.id is UNSET and len(ids) == 1:
            answer = replace(answer, id=ids.pop())
        if answer.id is UNSET or not self.at:
            return answer, {}
        return answer, {"Location": self._address(answer.id)}

    def _address(self, id: str) -> str:
        """Return the path as the caller reaches it, with the path prefix of a proxy."""
        request = this_request()
        *_, last = PARTS.findall(self.at)
        parts = {**(request.view_args or {}), last: id}
        path = PARTS.sub(lambda part: str(parts[part[1]]), self.at)
        return quote(request.root_path.rstrip("/") + path)


class CommandBlueprint(Blueprint):
    """A blueprint whose commands are rows of the service's table."""

    def __init__(
        self, name: str, handlers: Mapping[type, Handler], *, opened: OpenTypes = NO_OPEN_TYPES, **options: Any
    ) -> None:
        """handlers: command type -> its row. opened: as for `schema_of`. options: as for `Blueprint`."""
        super().__init__(name, **options)
        self._handlers, self._opened = handlers, opened

    def command(
        self,
        kind: type[Command],
        rule: str,
        *,
        method: str = "POST",
        answer: Any = Appended,
        status: int = 201,
        within: str | None = "tournament",
        required: bool = True,
        makes: Made | None = None,
    ) -> Callable[[View], View]:
        """Register a command. The view receives the command and the parts of the address that it does not hold.

        answer, status: of the response. within: as for `allow`. required: as for `arguments`. makes: as for `makes`.
        """
        from_address = set(kind.__struct_fields__) & set(PARTS.findall(rule))
        has_body = set(kind.__struct_fields__) > from_address
        schema = deferred(kind, from_address, self._opened)

        def decorator(view: View) -> View:
            @wraps(view)
            def with_command(*loaded: Any, **parts: Any) -> Any:
                *others, body = loaded if has_body else (*loaded, {})
                address = {name: parts[name] for name in from_address}
                command = body if isinstance(body, kind) else convert({**body, **address}, kind)
                kept = {name: part for name, part in parts.items() if name not in from_address or name == "tournament"}
                return view(command, *others, **kept)

            decorated = cast(View, with_command)
            if makes:
                decorated = self.makes(makes)(decorated)
            if has_body:
                decorated = self.arguments(schema, required=required)(decorated)
            if self._handlers[kind].roles:
                decorated = self.allow(*self._handlers[kind].roles, within=within)(decorated)
            decorated = self.previewed(self.response(status, answer)(decorated))
            return cast(View, self.route(rule, methods=[method])(decorated))

        return decorator

    def makes(self, made: Made) -> Callable[[View], View]:
        """Add the `id` of the created thing and its address to the answer. Apply it below `response`."""

        def decorator(view: View) -> View:
            @wraps(view)
            def with_id(*loaded: Any, **parts: Any) -> Any:
                return made.with_id(view(*loaded, **parts))

            named = cast(View, with_id)
            return self.located(named) if made.at else named

        return decorator


class Gateway:
    """Access of the routes of a service to its commands and states.

    waiting: limits the requests that wait for events of other services. previews: renders previews.
    formats: the tournament formats that the routes are for, a tournament of another format is refused; empty: all.
    """

    def __init__(
        self, handler: CommandHandler, waiting: SeenGate, previews: Previews, formats: Collection[str] = ()
    ) -> None:
        self.handler = handler
        self.repository = handler.repository
        self.formats = formats
        self._waiting = waiting
        self._previews = previews
        self._limited: dict[tuple[str, ...], Gateway] = {}

    def for_formats(self, *formats: str) -> Gateway:
        """Return the gateway for routes that only tournaments of these formats have."""
        limited = self._limited.get(formats)
        if limited is None:
            limited = self._limited[formats] = Gateway(self.handler, self._waiting, self._previews, formats)
        return limited

    def run(
        self,
        tournament: str,
        command: Any,
        *,
        inline_write: InlineWrite | None = None,
        creates_tournament: bool = False,
        preceding: Sequence[CommandEnvelope] = (),
    ) -> Appended:
        """Run a command as `command` does. Return its result as answers show it."""
        result = self.command(
            tournament,
            command,
            inline_write=inline_write,
            creates_tournament=creates_tournament,
            preceding=preceding,
        )
        return appended_view(result)

    def command(
        self,
        tournament: str,
        command: Any,
        *,
        inline_write: InlineWrite | None = None,
        creates_tournament: bool = False,
        allow_guests: bool = False,
        by: By | None = None,
        preceding: Sequence[CommandEnvelope] = (),
    ) -> CommandResult:
        """Run a command of the current request. The answer gets Muster-Seen and the new ETag.

        With `preview=true` the request is answered with a preview instead, and this does not return.

        inline_write: writes rows in the same transaction. creates_tournament: the caller cannot have seen it yet.
        allow_guests: a caller without a token is allowed, and acts as a guest.
        by: the actor, if the caller's token belongs to another tournament.
        preceding: for a preview, the commands that a rule would run before this one.
        """
        request, source = this_request(), self.handler.source
        caller = caller_or_none() if allow_guests else require_caller()
        # 1. Read what the decision needs: events of other services, and what the caller has seen.
        if self.handler.handlers[type(command)].requires_latest:
            self._waiting.catch_up(tournament)
        if not creates_tournament and (seen := parse_seen(request.environ.get("HTTP_MUSTER_SEEN"))):
            self._waiting.until_read(tournament, seen, caller)

        # 2. Add the actor, the idempotency key, the conditions of the request, and the check of access.
        def check(state: Tournament) -> None:
            if tournament == INSTALLATION:
                require_own_tournament(state, caller)
            if not creates_tournament:
                require_access(tournament, state, caller)
                require_own_tournament(state, caller)
                require_format(state, self.formats)

        id, *other_ids = command_ids(caller, by.actor if by else "")
        envelope = CommandEnvelope(
            tournament,
            command,
            by or (actor_of(caller) if caller else BY_GUEST),
            id,
            key_of(id) or "",
            IfMatch() if creates_tournament else parse_if_match(request.environ.get("HTTP_IF_MATCH"), source),
            inline_write,
            check,
            other_ids,
        )
        if request.edge.preview:
            self._answer_preview(envelope, caller, preceding)
        # 3. Queue, decide and append. A refusal is final only if the other services have no news that could change it.
        try:
            result = self.handler.run(envelope)
        except Refusal as refusal:
            if not self._has_news(tournament, caller, refusal):
                raise
            result = self.handler.run(envelope)
        # 4. Answer.
        request.edge.seen, request.edge.replayed = result.seen, result.is_repeat
        if result.private:
            request.edge.etag = with_private(etag_of(result.seen, source), result.private)
        elif result.events:
            request.edge.etag = etag(source, result.events[-1].position)
        if result.events:
            logs.bind(tournament=tournament, events=[event.id for event in result.events])
        return result

    def _answer_preview(
        self, envelope: CommandEnvelope, caller: Caller | None, preceding: Sequence[CommandEnvelope]
    ) -> NoReturn:
        """Answer with the effect of a command. The route does not continue: it issues no token and stores nothing."""
        tournament, edge = envelope.tournament, this_request().edge
        try:
            foreseen = preview(self.handler, envelope, preceding)
        except Refusal as refusal:
            if not self._has_news(tournament, caller, refusal):
                raise
            foreseen = preview(self.handler, envelope, preceding)
        edge.seen = foreseen.before.seen
        edge.etag = f'"{foreseen.before.preview_tag}"'
        drafts = can_caller_see_drafts(tournament, foreseen.before.state, caller)
        foreseen = replace(
            foreseen,
            before=self._visible_state(foreseen.before, drafts),
            after=self._visible_state(foreseen.after, drafts),
        )
        abort(jsonify(to_builtins(self._previews.view(foreseen, caller))))

    def _has_news(self, tournament: str, caller: Caller | None, refusal: Refusal) -> bool:
        """Copy the latest events of the other services after a refusal. Return True if there were any."""
        if isinstance(refusal, BehindOwnCopies):
            return False
        if isinstance(refusal, UnknownTournament) and not self._waiting.others_may_know(caller):
            return False
        with self.repository.now(tournament) as loaded:
            before = loaded.seen
        with self._waiting.place(guest=True) if caller is None else nullcontext():
            self._waiting.catch_up(tournament)
        with self.repository.now(tournament) as loaded:
            return loaded.seen != before

    @contextmanager
    def reading(
        self, tournament: str, *, venue: str | UnsetType = UNSET, any_log: bool = False
    ) -> Iterator[LoadedAggregate]:
        """Yield the state for an answer, at least as new as what the caller has seen.

        venue: the venue that the answer is limited to; unset or empty: none. any_log: the log of the installation,
        which is no tournament, can be read too.

        Raises UnknownVenue, UnknownTournament (also for a private tournament that the caller may not see),
        NotYourTournament if the operation is restricted to roles, WrongFormat, NotYetSeen, ImplausibleSeen,
        TokenRevoked.
        """
        if tournament == INSTALLATION and not any_log:
            raise unknown_tournament()
        request = this_request()
        caller = caller_or_none()
        if seen := parse_seen(request.environ.get("HTTP_MUSTER_SEEN")):
            self._waiting.until_read(tournament, seen, caller)
        for asked_owners in (False, True):
            with self.repository.now(tournament) as loaded:
                if is_visible(tournament, loaded.state, caller):
                    require_access(tournament, loaded.state, caller)
                    if request.edge.for_roles:
                        require_own_tournament(loaded.state, caller)
                    require_format(loaded.state, self.formats)
                    require_venue(loaded.state.entries, venue)
                    request.edge.seen = loaded.seen
                    yield self._visible_state(loaded, can_caller_see_drafts(tournament, loaded.state, caller))
                    return
            if asked_owners or not self._waiting.others_may_know(caller):
                break
            with self._waiting.place(guest=caller is None):
                self._waiting.catch_up(tournament)
        raise unknown_tournament()

    def require_still_valid(self, caller: Caller) -> None:
        """Check a token of one tournament that is used outside of that tournament.

        Raises TokenRevoked if the tournament revoked it, TokenExpired if the event has been over for too long.
        """
        if caller.tournament != EVERY_TOURNAMENT:
            with self.repository.now(caller.tournament) as loaded:
                require_valid_token(caller.tournament, loaded.state, caller)

    def version(self, loaded: LoadedAggregate) -> str:
        """Return the ETag of an answer made from this state. It changes as soon as any log grows."""
        tag = etag_of(loaded.seen, self.handler.source)
        if loaded.drafts:
            return with_private(tag, loaded.state.private.revision)
        return with_form("draft", tag) if not loaded.public and are_standings_unpublished(loaded.state) else tag

    def last_change(self, tournament: str, loaded: LoadedAggregate, sources: Sequence[str]) -> tuple[str, int]:
        """Return the time of the last event in these logs, as far as the state knows them, and their event count."""
        times = []
        with self.handler.database.reading() as connection:
            for source in sources:
                last = log_page(connection, source, tournament, loaded.heads[source].position - 1, 1)
                times += [event.time for event in last]
        return max(times), sum(loaded.heads[source].position for source in sources)

    def events_about(self, tournament: str, matches: Callable[[Any], bool], naming: str = "") -> list[EventView]:
        """Return the views of the own events of a tournament whose data match, in order.

        matches: returns True for the data of a matching event. naming: an id that the data of all of them contain;
        other events are not decoded.
        """
        with self.repository.now(tournament) as loaded:
            end, venues = loaded.heads[self.handler.source].position, venues_of(loaded.state)
        with self.handler.database.reading() as connection:
            events = require_intact(log_page(connection, self.handler.source, tournament, 0, end))
        named = f'"{naming}"' if naming else ""
        views = (event_view(event, venues) for event in events if named in event.data)
        return [view for view in views if matches(view.data)]

    def _visible_state(self, loaded: LoadedAggregate, drafts: bool) -> LoadedAggregate:
        """Return the state as the caller may see it. drafts: including the drafts in private rows."""

        def visible_state() -> LoadedAggregate:
            state = self.handler.private.with_drafts(loaded.state) if drafts else loaded.state
            if state is loaded.state and (drafts or not are_standings_unpublished(state)):
                return loaded
            visible = LoadedAggregate(state, dict(loaded.heads), loaded.recopied)
            visible.drafts, visible.public = drafts, not drafts
            return visible

        return loaded.derived(("shown", drafts), visible_state)


def actor_of(caller: Caller) -> By:
    """Return a caller as decisions know them."""
    return By(caller.actor, caller.role, caller.venue or "", caller.via, token=caller.jti)


def appended_view(result: CommandResult) -> Appended:
    """Return a result as answers show it. It depends only on recorded data, so a repeated command gets the same."""
    public = (event for event in result.events if event.type not in ABOUT_SECRETS)
    events = [event_view(event, result.venues) for event in public]
    return Appended(events=events, id=result.answer.get("id", UNSET))
