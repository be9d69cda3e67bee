"""What commands ask of a state first: is the tournament there and not over, may they act here, may they decide this.

Staff and players are in the log, with the ids of the tokens that it issued to them and those that were revoked: a
command in their name needs such an id. Operators, integrations and organisers with a token of the installation are not
in it: no log proves what they may do, and the door alone has looked.

Staff who were appointed for one venue act there only; a service says in its table which venues a command is about. Who
of the staff may settle a question follows from the ruleset and from who was appointed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct, UnsetType

from shared.log.event import GUEST, Actor
from shared.refusals import Expected, Fault, Refusal, expects, one_of
from shared.roles import ISSUED, ORGANISER, PLAYER
from shared.rules.option_hints import allowing, data_of
from shared.rules.staff import ROLES, SILENT, Question, answerer
from shared.tournament.context import RULE, By
from shared.tournament.entries import Entries, Player
from shared.tournament.issued_tokens import is_issued
from shared.tournament.ruleset import rules_of
from shared.tournament.state import Tournament


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


def announced(state: Tournament) -> Entries:
    """The entries of a tournament that exists. Raises UnknownTournament."""
    if not state.entries.status:
        raise UnknownTournament("There is no tournament with this id.")
    return state.entries


def running(state: Tournament) -> Entries:
    """The entries of a tournament that is neither cancelled nor concluded. Raises UnknownTournament, TournamentOver."""
    entries = announced(state)
    if entries.status == "cancelled" or state.results.concluded:
        raise TournamentOver(f"The tournament is {'cancelled' if entries.status == 'cancelled' else 'concluded'}.")
    return entries


def keep_to_formats(state: Tournament, formats: Collection[str]) -> None:
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


def keep_to_venue(state: Tournament, by: By, touched: Iterable[str]) -> None:
    """Let staff of one venue pass only when nothing of another is touched; who has no venue acts everywhere.

    Raises OtherVenue.
    """
    own = own_venue(state, by)
    others = sorted(set(filter(None, touched)) - {own})
    if own and others:
        raise OtherVenue(f"You are appointed for {own}; this is about {', '.join(others)}.", venue=own, venues=others)


def of_player(state: Tournament, player: str) -> list[str]:
    """The venue where a player is, or wants to play; none for a player who is not known."""
    known = state.entries.players.get(player)
    return [known.venue] if known else []


def of_game(state: Tournament, game: str) -> list[str]:
    """The venue where a game is played; none for a game that is not known."""
    return [round.seats[game].venue for round in state.rounds.rounds.values() if game in round.seats]


def of_round(state: Tournament, number: int) -> list[str]:
    """The venues where games of a round are played; none for a round that is not paired."""
    round = state.rounds.rounds.get(number)
    return [seat.venue for seat in round.seats.values()] if round else []


def every_open(state: Tournament) -> list[str]:
    """Every venue that takes part."""
    return [venue.id for venue in state.entries.venues.values() if venue.open]


def named_deciders(entries: Entries, question: Question) -> str:
    """Who settles a question under the tournament's ruleset, as its document calls them."""
    rules = rules_of(entries).staff
    titles = (rules or SILENT).titles
    roles = answerer(rules, question, appointed(entries)).roles
    return " or ".join(titles.get(role, role.replace("_", " ")) for role in roles)


def appointed(entries: Entries) -> set[str]:
    """The roles that somebody of the staff holds now."""
    return {member.role for member in entries.staff.values() if member.active}


def settles(entries: Entries, by: By, question: Question) -> bool:
    """Whether the caller may settle a question; an operator counts as an organiser."""
    rules = rules_of(entries).staff
    role = ORGANISER if by.role == "operator" else by.role
    named = ROLES[getattr(rules or SILENT, question)]
    return role in named or role in answerer(rules, question, appointed(entries)).roles


def need_decider(entries: Entries, by: By, question: Question) -> None:
    """Raises NotYourDecision, with the roles that settle the question and the clause that says so."""
    if settles(entries, by, question):
        return
    ruleset = rules_of(entries)
    who = answerer(ruleset.staff, question, appointed(entries))
    named = named_deciders(entries, question)
    role = ORGANISER if by.role == "operator" else by.role
    lets_them = [word for word, roles in ROLES.items() if role in roles]
    option = allowing(ruleset, f"/staff/{question}", lambda word: word in lets_them)
    raise NotYourDecision(
        f"In {ruleset.name} this is settled by: {named}" + (f"; by others with {option.said}." if option else "."),
        question=question,
        roles=list(who.roles),
        clause=who.clause,
        **data_of(option),
    )


NUMBERED_STAFF = re.compile(r"s[1-9][0-9]*")
"""The ids of staff; nobody else is called so."""


class Lack(Struct, frozen=True):
    """Why somebody may not give a command. taken_back: they might once."""

    detail: str
    taken_back: bool = False


def lack_of_authority(entries: Entries, by: By, roles: Collection[str], by_rule: bool = False) -> Lack | None:
    """Why somebody may not give a command, as far as the state tells; None where they may.

    roles: those that may give it; none where that takes no role. by_rule: whether a rule gives it, and nobody else.
    """
    if by_rule != (by.role == RULE):
        return Lack("A rule alone gives this command." if by_rule else "No rule gives this command.")
    if by.role == RULE:
        return None if by.via is None else Lack("A rule acts by no link.")
    if roles and by.role not in roles:
        return Lack(f"The role {by.role} may not do this; these may: {', '.join(sorted(roles))}.")
    if by.token and by.token in entries.revoked:
        return Lack("The staff of the tournament have revoked the token.", taken_back=True)
    if by.role == PLAYER:
        return _lack_of_player(entries, by)
    member = entries.staff.get(by.actor)
    if member is None:
        named = by.role in ISSUED or NUMBERED_STAFF.fullmatch(by.actor)
        return Lack(f"Nobody was appointed as {by.actor}.") if named else None
    if not member.active:
        return Lack(f"{member.name} was dismissed.", taken_back=True)
    if by.role != member.role:
        return Lack(f"{member.name} was appointed as {member.role}, not as {by.role}.")
    return None if is_issued(entries, by.actor, by.token) else _not_issued(by)


def _lack_of_player(entries: Entries, by: By) -> Lack | None:
    if "." in by.actor:  # a player of another tournament, whose log alone has the id in full
        return None if by.token.startswith(f"{by.actor}.") else _not_issued(by)
    if by.player not in entries.players:
        return Lack(f"{by.actor} is no player of this tournament.")
    return None if is_issued(entries, by.actor, by.token) else _not_issued(by)


def _not_issued(by: By) -> Lack:
    used = f"the token {by.token}" if by.token else "no token"
    return Lack(f"This tournament issued to {by.actor} other tokens than this command came with: {used}.")


def provable(entries: Entries, by: By) -> bool:
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


def need_venue(entries: Entries, venue: str | UnsetType) -> None:
    """Raise UnknownVenue if a filter names a venue that the tournament does not have. Unset, or empty: no filter."""
    if venue and venue not in entries.venues:
        right = one_of(list(entries.venues)) if entries.venues else expects("no-venues")
        raise UnknownVenue(f"No venue has the id {venue}.", [Fault("/venue", venue, right)])
