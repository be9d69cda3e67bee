"""What a reader asks for of all that they see: types of events, a tournament, one of its venues, a season."""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec import Struct, UnsetType

from services.scoring.season.index import gathered_by
from shared.formats.fold import CATALOGUE
from shared.log.event import Recorded
from shared.refusals import Expected, Fault, expects, shown
from shared.roles import EVERY_TOURNAMENT
from shared.service.state import Repository
from shared.service.visibility import venue_of, wanted, wanted_by
from shared.service.wiring import gateway
from shared.tournament.guards import need_venue
from shared.web.refusals import InvalidRequest, WrongTournament
from shared.web.tokens import Caller

Wanted = Callable[[Recorded], bool]


class Filter(Struct, frozen=True):
    """tournament: the one asked for; empty for all. conditions: of what the caller sees, the events hold them all.

    season: events are of what it counts; empty where none is asked for. venues: for a reader of results, whose games
    are asked for by where they are played, and not by what their events are about.
    """

    tournament: str = ""
    conditions: tuple[Wanted, ...] = ()
    season: str = ""
    venues: tuple[str, ...] = ()

    def wanted(self, repository: Repository, types: Collection[str] = ()) -> Wanted | None:
        """The events that are asked for, with what the season counts now; None for all. types: of these alone."""
        conditions = list(self.conditions)
        if types:
            conditions.append(lambda event: event.type in types)
        if self.season:
            with repository.now(self.season) as loaded:
                counted = {self.season, *gathered_by(loaded.state)}
            conditions.append(lambda event: event.tournament in counted)
        return (lambda event: all(holds(event) for holds in conditions)) if conditions else None


def expected_types(said: str) -> Expected | None:
    """Return what would be right in place of a list of types; None for one that is."""
    unknown = [name for name in said.split(",") if name not in CATALOGUE] if said else []
    return expects("types-of-events", unknown=shown(unknown[0])) if unknown else None


def filter_of(
    types: str,
    tournament: str | UnsetType,
    venue: str | UnsetType,
    season: str | UnsetType,
    who: Caller | None,
    *,
    results: bool = False,
) -> Filter:
    """What is asked for.

    Raises UnknownTournament for a tournament or season that is not there for the caller, WrongTournament for a token of
    another one, TokenRevoked and TokenExpired for one that is not good in its own any more, UnknownVenue for a venue
    that the tournament does not have, InvalidRequest for a venue without a tournament, and for a season that is none.
    """
    own = who.tournament if who is not None and who.tournament != EVERY_TOURNAMENT else ""
    one = tournament or own
    if own and one != own:
        with gateway.reading(one):
            raise WrongTournament(f"The token is for the tournament {own}, and this is {one}.", tournament=own)
    if one:
        with gateway.reading(one) as loaded:
            need_venue(loaded.state.entries, venue)
    elif venue:
        fault = Fault("/venue", venue, expects("nothing-without", member="tournament"))
        raise InvalidRequest("A venue belongs to a tournament.", [fault])
    if season:
        with gateway.reading(season) as loaded:
            if loaded.state.entries.format != "season":
                raise InvalidRequest("This tournament is not a season.", [Fault("/season", season, expects("season"))])
    of_types, venues = types.split(",") if types else (), tuple(filter(None, (venue or "", venue_of(who))))
    if results:
        found = [wanted(who.types if who else (), "", gateway.repository), wanted(of_types, "", gateway.repository)]
    else:
        found = [wanted_by(who, gateway.repository), wanted(of_types, venue or "", gateway.repository)]
    return Filter(one or "", tuple(filter(None, found)), season or "", venues if results else ())
