"""What commands ask of a state first: is the tournament there and not over, may they act here, may they decide this.

Staff who were appointed for one venue act there only; a service says in its table which venues a command is about. Who
of the staff may settle a question follows from the ruleset and from who was appointed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from shared.rules.option_hints import allowing, data_of
from shared.rules.staff import ORGANISER, ROLES, SILENT, Question, answerer
from shared.tournament.context import By
from shared.tournament.entries import Entries
from shared.tournament.refusals import NotYourDecision, OtherVenue, TournamentOver, UnknownTournament
from shared.tournament.ruleset import rules_of
from shared.tournament.state import Tournament

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


def own_venue(state: Tournament, by: By) -> str:
    """The one venue where somebody of the staff acts, empty for everywhere and for who is no staff.

    The appointment in the log decides; for a token that stands for nobody in it, the venue in the token.
    """
    if not by.staff:
        return ""
    member = state.entries.staff.get(by.actor)
    return member.venue if member and member.venue else by.venue


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
