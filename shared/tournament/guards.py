"""Guards: the context of a decision, who may do what where, what is published, and when secrets are committed.

Staff and players are in the log, with the ids of the tokens that it issued to them and those that were revoked: a
command in their name needs such an id. Operators, integrations and organisers with a token of the installation are not
in it: no log proves what they may do, and only the edge has checked.

Staff who were appointed for one venue act there only; a service says in its table which venues a command is about. The
ruleset and the appointments decide which staff may settle a question.

Ids of tokens follow from the log alone, so that services and an audit can check that this log issued the token:

    t-cup.p17.1772359200123     with the entry of p17, at that moment (Unix milliseconds)
    t-cup.s2.1772359200123      with the appointment of s2
    t-cup.p17.l1                the first link that staff asked for on behalf of p17

Rounds and cuts are private rows of pairing until they are published: no log holds them, and no other service. Anyone
who holds the public log can compute what the rules will pair; the rows keep back the changes made by hand, and the
time of publication.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from msgspec import Struct, UnsetType
from msgspec.structs import replace

from shared.log.command_record import Authority
from shared.log.event import GUEST, Actor, Event, Head
from shared.refusals import Expected, Fault, Refusal, expects, one_of
from shared.roles import ISSUED, ORGANISER, PLAYER, REFEREE_UP, SERVICE
from shared.rules.model import Draws
from shared.rules.parts import DEFAULT_STAFF_RULES, ROLES, Question, allowing_option, deciding_roles, option_data
from shared.shapes import Command
from shared.tournament.draws import BEACON_ROW, BeaconMissed, BeaconRead, Oracle
from shared.tournament.format import rules_of
from shared.tournament.people import Entries, Player
from shared.tournament.state import PrivateRow, Tournament

RULE: Final = "rule"
"""The role of a rule that acts by itself; nobody has a token for it."""


class By(Actor, frozen=True):
    """Who gives a command: the actor of its events, and what allows it.

    venue: the one in the token; an appointment in the log overrides it (`guards.own_venue`). token: the id of the token
    that was used. clause, cause: of a rule that acts by itself, where it is written and the event that made it due.
    """

    token: str = ""
    clause: str = ""
    cause: str = ""

    @property
    def player(self) -> str:
        """The id of the player of this tournament who acts; empty for anyone else."""
        return self.actor if self.role == PLAYER and "." not in self.actor else ""

    @property
    def staff(self) -> bool:
        """Whether they act for others: organiser, referee, or a rule."""
        return self.role in REFEREE_UP or self.role == RULE

    @property
    def authority(self) -> Authority:
        """What allows the command, as its record holds it."""
        return Authority(self.token, self.clause, self.cause)


def by_rule(clause: str, cause: str = "") -> By:
    """A rule that acts by itself. clause: where it stands. cause: the id of the event that made it due."""
    return By(RULE, RULE, clause=clause, cause=cause)


def by_recorded(actor: Actor, authority: Authority) -> By:
    """Return who gave a command, from the actor of its events and its record."""
    return By(actor.actor, actor.role, actor.venue, actor.via, authority.token, authority.clause, authority.cause)


BY_GUEST = By("guest", "guest")
"""Somebody without a token, where that is enough."""


class Context(Struct, frozen=True):
    """now: RFC 3339, UTC, milliseconds. heads: where each log ends in the state that is decided on.

    draws: answers the questions of this decision.
    """

    by: By
    now: str
    heads: Mapping[str, Head]
    source: str
    draws: Draws


def entry_token(tournament: str, who: str, time: str) -> str:
    """Return the id of the token that comes with an entry or an appointment. time: of that event."""
    return f"{tournament}.{who}.{milliseconds(time)}"


def milliseconds(time: str) -> int:
    """Return a moment in Unix milliseconds. time: as events have it."""
    return round(datetime.fromisoformat(time).timestamp() * 1000)


def tokens_of(tournament: str, entries: Entries, who: str) -> list[str]:
    """Return the ids of every token that the log issued to a player or a member of staff, oldest first."""
    if (player := entries.players.get(who)) is not None:
        return _player_tokens(tournament, player)
    member = entries.staff.get(who)
    return [entry_token(tournament, who, member.appointed_at)] if member and member.appointed_at else []


def is_issued(entries: Entries, who: str, token: str) -> bool:
    """Return True if the log issued a token with this id to a player or a member of staff.

    The first part of the id is the tournament's own and is not compared: the state of a tournament does not hold it,
    and tokens of other tournaments are refused before any decision.
    """
    return token in tokens_of(token.rsplit(".", 2)[0], entries, who)


def _player_tokens(tournament: str, player: Player) -> list[str]:
    first = [entry_token(tournament, player.id, player.entered_at)] if player.entered_at else []
    return first + [link.token for link in player.links]


class UnknownTournament(Refusal):
    """No tournament has this id, as far as this service has heard."""

    code = "tournament-unknown"


class UnknownVenue(Refusal):
    """An answer was asked for of a venue that the tournament does not have."""

    code = "venue-unknown"


class TournamentOver(Refusal):
    """The tournament is cancelled, or concluded and this is not for the time after."""

    code = "tournament-over"


class WrongFormat(Refusal):
    """The tournament is of another format than what was asked; data: `format`."""

    code = "wrong-format"


class OtherVenue(Refusal):
    """The member of staff was appointed for one venue, and this is about another; `data` names both."""

    code = "other-venue"


class NotYourDecision(Refusal):
    """The ruleset leaves this to others of the staff; `data` names their roles and the clause."""

    code = "not-your-decision"


Venues = Callable[[Tournament, Any], Iterable[str]]
"""State and command -> the venues of the games, tables and players it is about; an empty one belongs to everybody."""


def require_announced(state: Tournament) -> Entries:
    """The entries of a tournament that exists. Raises UnknownTournament."""
    if not state.entries.status:
        raise UnknownTournament("There is no tournament with this id.")
    return state.entries


def require_running(state: Tournament) -> Entries:
    """The entries of a tournament that is neither cancelled nor concluded. Raises UnknownTournament, TournamentOver."""
    entries = require_announced(state)
    if entries.status == "cancelled" or state.results.concluded:
        raise TournamentOver(f"The tournament is {'cancelled' if entries.status == 'cancelled' else 'concluded'}.")
    return entries


def require_format(state: Tournament, formats: Collection[str]) -> None:
    """Raises WrongFormat for an announced tournament of another format than these; none: of every format."""
    found = state.entries.format
    if formats and found not in ("", *formats):
        known = " and ".join(formats)
        raise WrongFormat(f"This is for the format {known}; the tournament is of the format {found}.", format=found)


def own_venue(state: Tournament, by: By) -> str:
    """The one venue where somebody of the staff acts, empty for everywhere and for who is no staff.

    The appointment in the log decides; for a token that stands for nobody in it, the venue in the token.
    """
    if not by.staff:
        return ""
    member = state.entries.staff.get(by.actor)
    return member.venue if member and member.venue else by.venue


def recorded_actor(state: Tournament, by: By) -> Actor:
    """Return the actor of the events of a caller, with the venue where they act in this tournament."""
    return Actor(by.actor, by.role, own_venue(state, by), by.via)


def require_own_venue(state: Tournament, by: By, touched: Iterable[str]) -> None:
    """Let staff of one venue pass only when nothing of another is touched; who has no venue acts everywhere.

    Raises OtherVenue.
    """
    own = own_venue(state, by)
    others = sorted(set(filter(None, touched)) - {own})
    if own and others:
        raise OtherVenue(f"You are appointed for {own}; this is about {', '.join(others)}.", venue=own, venues=others)


def player_venues(state: Tournament, player: str) -> list[str]:
    """The venue where a player is, or wants to play; none for a player who is not known."""
    known = state.entries.players.get(player)
    return [known.venue] if known else []


def game_venues(state: Tournament, game: str) -> list[str]:
    """The venue where a game is played; none for a game that is not known."""
    return [round.seats[game].venue for round in state.rounds.rounds.values() if game in round.seats]


def round_venues(state: Tournament, number: int) -> list[str]:
    """The venues where games of a round are played; none for a round that is not paired."""
    round = state.rounds.rounds.get(number)
    return [seat.venue for seat in round.seats.values()] if round else []


def open_venues(state: Tournament) -> list[str]:
    """Every venue that takes part."""
    return [venue.id for venue in state.entries.venues.values() if venue.open]


def decider_titles(entries: Entries, question: Question) -> str:
    """Who settles a question under the tournament's ruleset, as its document calls them."""
    rules = rules_of(entries).staff
    titles = (rules or DEFAULT_STAFF_RULES).titles
    roles = deciding_roles(rules, question, appointed_roles(entries)).roles
    return " or ".join(titles.get(role, role.replace("_", " ")) for role in roles)


def appointed_roles(entries: Entries) -> set[str]:
    """The roles that somebody of the staff holds now."""
    return {member.role for member in entries.staff.values() if member.active}


def can_settle(entries: Entries, by: By, question: Question) -> bool:
    """Whether the caller may settle a question; an operator counts as an organiser."""
    rules = rules_of(entries).staff
    role = ORGANISER if by.role == "operator" else by.role
    named = ROLES[getattr(rules or DEFAULT_STAFF_RULES, question)]
    return role in named or role in deciding_roles(rules, question, appointed_roles(entries)).roles


def require_decider(entries: Entries, by: By, question: Question) -> None:
    """Raises NotYourDecision, with the roles that settle the question and the clause that says so."""
    if can_settle(entries, by, question):
        return
    ruleset = rules_of(entries)
    who = deciding_roles(ruleset.staff, question, appointed_roles(entries))
    named = decider_titles(entries, question)
    role = ORGANISER if by.role == "operator" else by.role
    lets_them = [word for word, roles in ROLES.items() if role in roles]
    option = allowing_option(ruleset, f"/staff/{question}", lambda word: word in lets_them)
    raise NotYourDecision(
        f"In {ruleset.name} this is settled by: {named}" + (f"; by others with {option.said}." if option else "."),
        question=question,
        roles=list(who.roles),
        clause=who.clause,
        **option_data(option),
    )


NUMBERED_STAFF = re.compile(r"s[1-9][0-9]*")
"""The ids of staff; nobody else is called so."""


class Denial(Struct, frozen=True):
    """Why somebody may not give a command. taken_back: they might once."""

    detail: str
    taken_back: bool = False


def authority_denial(entries: Entries, by: By, roles: Collection[str], by_rule: bool = False) -> Denial | None:
    """Why somebody may not give a command, as far as the state tells; None where they may.

    roles: those that may give it; none where that takes no role. by_rule: whether a rule gives it, and nobody else.
    """
    if by_rule != (by.role == RULE):
        return Denial("A rule alone gives this command." if by_rule else "No rule gives this command.")
    if by.role == RULE:
        return None if by.via is None else Denial("A rule acts by no link.")
    if roles and by.role not in roles:
        return Denial(f"The role {by.role} may not do this; these may: {', '.join(sorted(roles))}.")
    if by.token and by.token in entries.revoked:
        return Denial("The staff of the tournament have revoked the token.", taken_back=True)
    if by.role == PLAYER:
        return _lack_of_player(entries, by)
    member = entries.staff.get(by.actor)
    if member is None:
        named = by.role in ISSUED or NUMBERED_STAFF.fullmatch(by.actor)
        return Denial(f"Nobody was appointed as {by.actor}.") if named else None
    if not member.active:
        return Denial(f"{member.name} was dismissed.", taken_back=True)
    if by.role != member.role:
        return Denial(f"{member.name} was appointed as {member.role}, not as {by.role}.")
    return None if is_issued(entries, by.actor, by.token) else _not_issued(by)


def _lack_of_player(entries: Entries, by: By) -> Denial | None:
    if "." in by.actor:  # a player of another tournament, whose log alone has the id in full
        return None if by.token.startswith(f"{by.actor}.") else _not_issued(by)
    if by.player not in entries.players:
        return Denial(f"{by.actor} is no player of this tournament.")
    return None if is_issued(entries, by.actor, by.token) else _not_issued(by)


def _not_issued(by: By) -> Denial:
    used = f"the token {by.token}" if by.token else "no token"
    return Denial(f"This tournament issued to {by.actor} other tokens than this command came with: {used}.")


def is_provable(entries: Entries, by: By) -> bool:
    """Whether the log tells who that is: a rule, a guest, a player, staff, or the organiser who announced it."""
    announced = by.role == ORGANISER and (not entries.status or by.actor in (ORGANISER, entries.organiser))
    return announced or by.role in (RULE, GUEST, *ISSUED) or by.actor in entries.staff


def player_with_seat(player: Player) -> Expected:
    """Return the expectation of a player who takes part, and why a player without a seat does not."""
    return expects(WITH_SEAT[player.status], player=player.name)


WITH_SEAT: Mapping[str, str] = {
    "waiting": "player-with-seat",
    "withdrawn": "player-entered-again",
    "dropped": "player-reinstated",
    "disqualified": "player-admitted",
}
"""Status without a seat -> the code of what would be right."""


def require_venue(entries: Entries, venue: str | UnsetType) -> None:
    """Raise UnknownVenue if a filter names a venue that the tournament does not have. Unset, or empty: no filter."""
    if venue and venue not in entries.venues:
        right = one_of(list(entries.venues)) if entries.venues else expects("no-venues")
        raise UnknownVenue(f"No venue has the id {venue}.", [Fault("/venue", venue, right)])


SEE_DRAFTS = (*REFEREE_UP, SERVICE)
"""Roles that are shown what is not published yet, in the tournament that their token is for."""

ROUNDS, CUT, STANDINGS = "rounds", "cut", "standings"


def can_see_drafts(role: str) -> bool:
    """Whether somebody of a role is shown drafts of their tournament; a rule that acts by itself knows them too."""
    return role in SEE_DRAFTS or role == RULE


def are_standings_unpublished(state: Tournament) -> bool:
    """Whether not everybody is shown the standings as they are."""
    if state.results.concluded:
        return False
    return STANDINGS in state.entries.on_purpose or bool(state.results.held_back)


def published_state(state: Tournament) -> Tournament:
    """The tournament up to the last round whose standings are recorded: what standings are made of for everybody.

    Results stay what they are; only who asks for standings is handed this state.
    """
    if not are_standings_unpublished(state):
        return state
    rounds, results = state.rounds, state.results
    last = max(results.recorded, default=0)
    return replace(
        state,
        rounds=replace(rounds, rounds={number: round for number, round in rounds.rounds.items() if number <= last}),
        results=replace(
            results,
            results={game: result for game, result in results.results.items() if result.round <= last},
            held_back={},
            publish_at="",
            closed={number: position for number, position in results.closed.items() if number <= last},
        ),
    )


class KeepDraws(Command, frozen=True, kw_only=True):
    """Commit to the first secret of a tournament, or reveal the last one once it is over. A rule gives it."""


def keep_draws(state: Tournament, command: KeepDraws, context: Context) -> Sequence[Event]:
    """Commit or reveal; the events of either follow from the oracle, as those of every decision do."""
    oracle = context.draws
    assert isinstance(oracle, Oracle), "no preview shows what a rule does about secrets"
    if is_over(state):
        oracle.reveal()
    elif not oracle.is_committed:
        oracle.commit()
    return []


class ReadBeacon(Command, frozen=True, kw_only=True):
    """Record the beacon's signature for the secret of a number, or why there is none. A rule gives it."""

    number: int
    signature: str = ""
    reason: str = ""


def read_beacon(state: Tournament, command: ReadBeacon, context: Context) -> Sequence[Event | PrivateRow]:
    """Record the value or that it is missed, and remove the row that asked for it."""
    number, draws = command.number, state.draws[context.source]
    rows = [PrivateRow(BEACON_ROW, str(number), None)]
    if number != draws.current or draws.beacons.get(number, "") is not None:
        return rows
    if command.signature:
        return [BeaconRead(number=number, signature=command.signature), *rows]
    return [BeaconMissed(number=number, reason=command.reason), *rows]


def is_over(state: Tournament) -> bool:
    """Return True if no question is asked any more, except after a late correction."""
    return state.results.concluded or state.entries.status == "cancelled"
