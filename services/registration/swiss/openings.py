"""The opening of rosters: from when the log holds which fields in clear, and the decision that brings them there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from services.registration.swiss.commands import OpenRosters
from services.registration.tournament.refusals import RosterIllegal
from shared.log.event import Event, NotCanonical
from shared.refusals import NOTHING, Fault, expects
from shared.swiss.games import ruleset_of
from shared.swiss.roster_parts import SUBMISSION, Since, seal, sealed_fields
from shared.tournament.guards import Context
from shared.tournament.registration import OpenedRoster, RostersOpened
from shared.tournament.state import Tournament


def reached(state: Tournament) -> frozenset[Since]:
    """Return the moments of the ruleset that have come. A cancelled tournament is over, too."""
    moments = set(SUBMISSION)
    if state.rounds.begun:
        moments.add("round_1")
    if state.results.concluded or state.entries.status == "cancelled":
        moments |= {"round_1", "end"}
    return frozenset(moments)


def sealed_now(state: Tournament) -> list[str]:
    """Return the fields of a roster that not everybody may see yet."""
    return sealed_fields(ruleset_of(state.entries).roster, reached(state))


def notes_are_public(state: Tournament) -> bool:
    """Return True if a note about a roster may be in the log: play has begun, or rosters are open when handed in."""
    return "round_1" in reached(state) or not sealed_now(state)


class DueRoster(Struct, frozen=True):
    """A roster with fields that are open by now, and of which the log has digests alone."""

    player: str
    digests: Mapping[str, str]


def due_rosters(state: Tournament) -> list[DueRoster]:
    """Return the rosters that are to be opened now, with the digests of the fields that are due."""
    if state.entries.format != "swiss" or reached(state) == SUBMISSION:
        return []
    later = set(sealed_now(state))
    due = []
    for player in state.entries.players.values():
        if player.roster_sealed and (now := player.roster_sealed.keys() - later):
            due.append(DueRoster(player.id, {field: player.roster_sealed[field] for field in now}))
    return due


def open_rosters(state: Tournament, command: OpenRosters, context: Context) -> Sequence[Event]:
    """Open fields of rosters: each is what its digest in the log says. What is open already is passed over.

    Raises RosterIllegal for what is not due, and for a value and salt that do not give the digest. Source: AR-TIME-6.
    """
    faults: list[Fault] = []
    opened = [_opened(state, index, one, faults) for index, one in enumerate(command.rosters)]
    if faults:
        first = faults[0]
        raise RosterIllegal(f"{first.where} is {first.said}; expected {first.expected}.", faults)
    rosters = [one for one in opened if one.salts]
    return [RostersOpened(rosters=rosters)] if rosters else []


def _opened(state: Tournament, index: int, one: OpenedRoster, faults: list[Fault]) -> OpenedRoster:
    """Return the fields of a roster that this opens. What is wrong goes into `faults`."""
    faults += _faults_of(state, f"/rosters/{index}", one)
    player = state.entries.players.get(one.player)
    sealed = player.roster_sealed if player else {}
    return OpenedRoster(
        player=one.player,
        roster={field: value for field, value in one.roster.items() if field in sealed},
        salts={field: salt for field, salt in one.salts.items() if field in sealed},
    )


def _faults_of(state: Tournament, where: str, one: OpenedRoster) -> Iterator[Fault]:
    if (player := state.entries.players.get(one.player)) is None:
        yield Fault(f"{where}/player", one.player, expects("player-of-tournament"))
        return
    for field in sorted(one.roster.keys() - one.salts.keys()):
        yield Fault(f"{where}/salts/{field}", "nothing", expects("salt"))
    later = sealed_now(state)
    for field, salt in one.salts.items():
        if field in later:
            yield Fault(f"{where}/salts/{field}", salt, expects("open-field"))
        elif (digest := player.roster_sealed.get(field)) is not None:
            found = _digest(one, field, salt)
            if found != digest:
                yield Fault(f"{where}/roster/{field}", found or NOTHING, expects("digest-as-handed-in", digest=digest))


def _digest(one: OpenedRoster, field: str, salt: str) -> str:
    """Return the digest of a field; empty for a value that no log holds."""
    try:
        return seal(salt, field, one.roster.get(field))
    except NotCanonical:
        return ""
