"""Guards: the context of a decision, authority of callers, publication, and upkeep of secrets.

The log contains staff and players, the ids of the tokens issued to them, and the revoked ids. A command in their name
needs such an id. The log does not contain operators, integrations, and organisers with a token of the installation.
Their authority is checked only at the edge, and no log proves it.

Staff appointed for one venue act only there. Each service states in a table which venues a command affects. The ruleset
and the appointments decide which staff may settle a question.

Token ids follow from the log, so services and audits can check that this log issued a token:

    t-cup.p17.1772359200123     issued with the entry of p17, at that time (Unix milliseconds)
    t-cup.s2.1772359200123      issued with the appointment of s2
    t-cup.p17.l1                the first link that staff requested for p17

Rounds and cuts are private rows of pairing until their publication. Anyone with the public log can compute what the
rules will pair, so the rows hide only manual changes and the time of publication.
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
"""Role of an automatic rule. No token has it."""


class By(Actor, frozen=True):
    """The caller of a command: the actor of its events, and what authorizes it.

    - `venue`: venue in the token; an appointment in the log overrides it (`own_venue`).
    - `token`: id of the token used.
    - `clause`, `cause`: for an automatic rule, its clause and the id of the event that made it due.
    """

    token: str = ""
    clause: str = ""
    cause: str = ""

    @property
    def player(self) -> str:
        """Id of the player of this tournament who acts; empty for anyone else."""
        return self.actor if self.role == PLAYER and "." not in self.actor else ""

    @property
    def staff(self) -> bool:
        """True for organisers, referees and automatic rules, who act for others."""
        return self.role in REFEREE_UP or self.role == RULE

    @property
    def authority(self) -> Authority:
        """The authority of the command, as its record contains it."""
        return Authority(self.token, self.clause, self.cause)


def by_rule(clause: str, cause: str = "") -> By:
    """Return the caller for an automatic rule.

    - `clause`: the clause of the rule.
    - `cause`: id of the event that made the rule due.
    """
    return By(RULE, RULE, clause=clause, cause=cause)


def by_recorded(actor: Actor, authority: Authority) -> By:
    """Return the caller of a recorded command, from the actor of its events and its record."""
    return By(actor.actor, actor.role, actor.venue, actor.via, authority.token, authority.clause, authority.cause)


BY_GUEST = By("guest", "guest")
"""A caller without a token."""


class Context(Struct, frozen=True):
    """The context of a decision.

    - `now`: current time (RFC 3339, UTC, milliseconds).
    - `heads`: head of each log in the state that is decided on.
    - `source`: name of the deciding service.
    - `draws`: answers the questions of this decision.
    """

    by: By
    now: str
    heads: Mapping[str, Head]
    source: str
    draws: Draws


def entry_token(tournament: str, id: str, time: str) -> str:
    """Return the id of the token issued with an entry or an appointment at `time`."""
    return f"{tournament}.{id}.{milliseconds(time)}"


def milliseconds(time: str) -> int:
    """Return a time of an event in Unix milliseconds."""
    return round(datetime.fromisoformat(time).timestamp() * 1000)


def tokens_of(tournament: str, entries: Entries, id: str) -> list[str]:
    """Return the ids of all tokens that the log issued to a player or a member of staff, oldest first."""
    if (player := entries.players.get(id)) is not None:
        return _player_tokens(tournament, player)
    member = entries.staff.get(id)
    return [entry_token(tournament, id, member.appointed_at)] if member and member.appointed_at else []


def is_issued(entries: Entries, id: str, token: str) -> bool:
    """Return True if the log issued a token with this id to a player or a member of staff.

    The tournament part of the id is not compared: the state does not contain the tournament's id, and the edge refuses
    tokens of other tournaments before any decision.
    """
    return token in tokens_of(token.rsplit(".", 2)[0], entries, id)


def _player_tokens(tournament: str, player: Player) -> list[str]:
    first = [entry_token(tournament, player.id, player.entered_at)] if player.entered_at else []
    return first + [link.token for link in player.links]


class UnknownTournament(Refusal):
    """This service knows no tournament with this id."""

    code = "tournament-unknown"


class UnknownVenue(Refusal):
    """The tournament has no venue with this id."""

    code = "venue-unknown"


class TournamentOver(Refusal):
    """The tournament is cancelled, or concluded and the command does not apply afterwards."""

    code = "tournament-over"


class WrongFormat(Refusal):
    """The request does not apply to the format of the tournament; data: `format`."""

    code = "wrong-format"


class OtherVenue(Refusal):
    """The member of staff was appointed for another venue than the request affects; `data` names both."""

    code = "other-venue"


class NotYourDecision(Refusal):
    """The ruleset leaves this decision to other staff; `data` names their roles and the clause."""

    code = "not-your-decision"


Venues = Callable[[Tournament, Any], Iterable[str]]
"""Returns the venues that a command affects: those of its games, tables and players. Empty venues belong to no one."""


def require_announced(state: Tournament) -> Entries:
    """Return the entries of an existing tournament. Raises UnknownTournament."""
    if not state.entries.status:
        raise UnknownTournament("There is no tournament with this id.")
    return state.entries


def require_running(state: Tournament) -> Entries:
    """Return the entries of a tournament that is neither cancelled nor concluded.

    Raise UnknownTournament or TournamentOver.
    """
    entries = require_announced(state)
    if entries.status == "cancelled" or state.results.concluded:
        raise TournamentOver(f"The tournament is {'cancelled' if entries.status == 'cancelled' else 'concluded'}.")
    return entries


def require_format(state: Tournament, formats: Collection[str]) -> None:
    """Raise WrongFormat if the tournament is announced and has none of these formats. No formats: all are accepted."""
    format = state.entries.format
    if formats and format not in ("", *formats):
        accepted = " and ".join(formats)
        raise WrongFormat(
            f"This is for the format {accepted}; the tournament is of the format {format}.", format=format
        )


def own_venue(state: Tournament, by: By) -> str:
    """Return the only venue where a member of staff acts; empty for every venue, and for callers who are not staff.

    The appointment in the log decides. The venue in the token counts only for staff that the log does not contain.
    """
    if not by.staff:
        return ""
    member = state.entries.staff.get(by.actor)
    return member.venue if member and member.venue else by.venue


def recorded_actor(state: Tournament, by: By) -> Actor:
    """Return the actor for the caller's events, with the venue where they act in this tournament."""
    return Actor(by.actor, by.role, own_venue(state, by), by.via)


def require_own_venue(state: Tournament, by: By, affected: Iterable[str]) -> None:
    """Raise OtherVenue if the caller acts only at one venue and an affected venue is another one."""
    own = own_venue(state, by)
    others = sorted(set(filter(None, affected)) - {own})
    if own and others:
        raise OtherVenue(f"You are appointed for {own}; this is about {', '.join(others)}.", venue=own, venues=others)


def player_venues(state: Tournament, player: str) -> list[str]:
    """Return the venue of a player, in a list; empty for an unknown player."""
    known = state.entries.players.get(player)
    return [known.venue] if known else []


def game_venues(state: Tournament, game: str) -> list[str]:
    """Return the venue of a game, in a list; empty for an unknown game."""
    return [round.seats[game].venue for round in state.rounds.rounds.values() if game in round.seats]


def round_venues(state: Tournament, number: int) -> list[str]:
    """Return the venues of a round's games; empty for a round that is not paired."""
    round = state.rounds.rounds.get(number)
    return [seat.venue for seat in round.seats.values()] if round else []


def open_venues(state: Tournament) -> list[str]:
    """Return the ids of all open venues."""
    return [venue.id for venue in state.entries.venues.values() if venue.open]


def decider_titles(entries: Entries, question: Question) -> str:
    """Return the titles of the staff who settle a question, as the ruleset's document names them."""
    rules = rules_of(entries).staff
    titles = (rules or DEFAULT_STAFF_RULES).titles
    roles = deciding_roles(rules, question, appointed_roles(entries)).roles
    return " or ".join(titles.get(role, role.replace("_", " ")) for role in roles)


def appointed_roles(entries: Entries) -> set[str]:
    """Return the roles of all active staff."""
    return {member.role for member in entries.staff.values() if member.active}


def can_settle(entries: Entries, by: By, question: Question) -> bool:
    """Return True if the caller may settle a question. An operator counts as an organiser."""
    rules = rules_of(entries).staff
    role = ORGANISER if by.role == "operator" else by.role
    deciders = ROLES[getattr(rules or DEFAULT_STAFF_RULES, question)]
    return role in deciders or role in deciding_roles(rules, question, appointed_roles(entries)).roles


def require_decider(entries: Entries, by: By, question: Question) -> None:
    """Raise NotYourDecision unless the caller may settle a question."""
    if can_settle(entries, by, question):
        return
    ruleset = rules_of(entries)
    deciding = deciding_roles(ruleset.staff, question, appointed_roles(entries))
    titles = decider_titles(entries, question)
    role = ORGANISER if by.role == "operator" else by.role
    sufficient = [word for word, roles in ROLES.items() if role in roles]
    option = allowing_option(ruleset, f"/staff/{question}", lambda word: word in sufficient)
    raise NotYourDecision(
        f"In {ruleset.name} this is settled by: {titles}" + (f"; by others with {option.text}." if option else "."),
        question=question,
        roles=list(deciding.roles),
        clause=deciding.clause,
        **option_data(option),
    )


NUMBERED_STAFF = re.compile(r"s[1-9][0-9]*")
"""The ids of appointed staff. No other actor has such a name."""


class Denial(Struct, frozen=True):
    """The reason why a caller may not issue a command. `taken_back`: they once could."""

    detail: str
    taken_back: bool = False


def authority_denial(entries: Entries, by: By, roles: Collection[str], by_rule: bool = False) -> Denial | None:
    """Return why the caller may not issue a command, according to the state; None if allowed.

    - `roles`: the allowed roles; empty if no role is required.
    - `by_rule`: True if only an automatic rule issues the command.
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
        return _player_denial(entries, by)
    member = entries.staff.get(by.actor)
    if member is None:
        needs_appointment = by.role in ISSUED or NUMBERED_STAFF.fullmatch(by.actor)
        return Denial(f"Nobody was appointed as {by.actor}.") if needs_appointment else None
    if not member.active:
        return Denial(f"{member.name} was dismissed.", taken_back=True)
    if by.role != member.role:
        return Denial(f"{member.name} was appointed as {member.role}, not as {by.role}.")
    return None if is_issued(entries, by.actor, by.token) else _not_issued(by)


def _player_denial(entries: Entries, by: By) -> Denial | None:
    if "." in by.actor:  # a player of another tournament; only its log has the full id
        return None if by.token.startswith(f"{by.actor}.") else _not_issued(by)
    if by.player not in entries.players:
        return Denial(f"{by.actor} is no player of this tournament.")
    return None if is_issued(entries, by.actor, by.token) else _not_issued(by)


def _not_issued(by: By) -> Denial:
    used = f"the token {by.token}" if by.token else "no token"
    return Denial(f"This tournament issued to {by.actor} other tokens than this command came with: {used}.")


def is_provable(entries: Entries, by: By) -> bool:
    """Return True if the log identifies the caller: a rule, a guest, a player, staff, or the announcing organiser."""
    announced = by.role == ORGANISER and (not entries.status or by.actor in (ORGANISER, entries.organiser))
    return announced or by.role in (RULE, GUEST, *ISSUED) or by.actor in entries.staff


def player_with_seat(player: Player) -> Expected:
    """Return the `expected` part of a fault about a player without a seat: what must happen before they can play."""
    return expects(WITH_SEAT[player.status], player=player.name)


WITH_SEAT: Mapping[str, str] = {
    "waiting": "player-with-seat",
    "withdrawn": "player-entered-again",
    "dropped": "player-reinstated",
    "disqualified": "player-admitted",
}
"""Status without a seat -> code of the expectation."""


def require_venue(entries: Entries, venue: str | UnsetType) -> None:
    """Raise UnknownVenue if a filter names an unknown venue. An unset or empty filter is accepted."""
    if venue and venue not in entries.venues:
        expected = one_of(list(entries.venues)) if entries.venues else expects("no-venues")
        raise UnknownVenue(f"No venue has the id {venue}.", [Fault("/venue", venue, expected)])


SEE_DRAFTS = (*REFEREE_UP, SERVICE)
"""Roles that see unpublished parts of the tournament that their token is for."""

ROUNDS, CUT, STANDINGS = "rounds", "cut", "standings"


def can_see_drafts(role: str) -> bool:
    """Return True if a role sees drafts of its tournament. Automatic rules do, too."""
    return role in SEE_DRAFTS or role == RULE


def are_standings_unpublished(state: Tournament) -> bool:
    """Return True if players see less than the current standings."""
    if state.results.concluded:
        return False
    return STANDINGS in state.entries.on_purpose or bool(state.results.held_back)


def published_state(state: Tournament) -> Tournament:
    """Return the state up to the last round whose standings are published: the basis of the standings that players see.

    Only requests for standings use this state. Results themselves are not hidden.
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
    """Commit to the first secret of a tournament, or reveal the last one after its end. Only a rule issues this."""


def keep_draws(state: Tournament, command: KeepDraws, context: Context) -> Sequence[Event]:
    """Commit or reveal through the oracle, which produces the events."""
    oracle = context.draws
    assert isinstance(oracle, Oracle), "previews never run this command"
    if is_over(state):
        oracle.reveal()
    elif not oracle.is_committed:
        oracle.commit()
    return []


class ReadBeacon(Command, frozen=True, kw_only=True):
    """Record the beacon's signature for a secret, or why it is missing. Only a rule issues this."""

    number: int
    signature: str = ""
    reason: str = ""


def read_beacon(state: Tournament, command: ReadBeacon, context: Context) -> Sequence[Event | PrivateRow]:
    """Record the beacon's value or its absence, and remove the row that requested it."""
    number, draws = command.number, state.draws[context.source]
    rows = [PrivateRow(BEACON_ROW, str(number), None)]
    if number != draws.current or draws.beacons.get(number, "") is not None:
        return rows
    if command.signature:
        return [BeaconRead(number=number, signature=command.signature), *rows]
    return [BeaconMissed(number=number, reason=command.reason), *rows]


def is_over(state: Tournament) -> bool:
    """Return True if no more questions are asked, except after a late correction."""
    return state.results.concluded or state.entries.status == "cancelled"
