"""What the rules think of a round as it stands, beside what they would have done; people decide, and this refuses
nothing.

A finding is a fact that the rules would have avoided, or that changed since the round was paired. Whatever cannot be
at all (somebody twice, a table that is taken) was refused when it was asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any, Literal

from msgspec import Struct

from services.pairing.tournament.commands import ByeGiven, PairRound
from services.pairing.tournament.drafts import lacking, spares_of
from services.pairing.tournament.format import PairingFormat, PairingRules
from services.pairing.tournament.whole_round import before_it
from shared.events.recorded import Head
from shared.refusals import Refusal
from shared.rules.meetings import Met
from shared.tournament.context import Context, by_rule
from shared.tournament.draws import Guess, Known
from shared.tournament.events.pairing import PairingsDrawn, RoundPaired, Seat
from shared.tournament.rounds import Round, kept_apart
from shared.tournament.state import Tournament

OWN = "pairing"
"""The log that pairing appends to."""

Code = Literal[
    "rematch",
    "kept_apart",
    "other_venue",
    "venue_closed",
    "table_gone",
    "table_shared",
    "not_at_fixed_table",
    "table_kept_free",
    "table_again",
    "bye_again",
    "byes_together",
    "byes_meet",
    "bye_beside_spare",
    "spare_gone",
    "staff_plays",
    "cannot_play",
    "left_out",
    "older_standings",
]


class Finding(Struct, frozen=True):
    """game: the game it is about, empty for the round. players: whom it concerns. said: in a sentence."""

    code: Code
    said: str
    game: str = ""
    players: list[str] = []
    clause: str = ""


class ByRules(Struct, frozen=True):
    """What the rules would have paired. refused: why they would have paired nothing; empty where they would.

    code, data: of that refusal.
    """

    method: str = ""
    seats: list[Seat] = []
    left_out: dict[str, list[str]] = {}
    refused: str = ""
    code: str = ""
    data: Mapping[str, Any] = {}


class Earlier(Struct, frozen=True):
    """The rounds before one.

    places: everybody who sat in them -> where. byes: player -> the round of the first bye. rested: who had a bye in the
    round just before, given or not.
    """

    places: dict[str, set[tuple[str, int]]] = {}
    byes: dict[str, int] = {}
    rested: set[str] = set()


def by_rules(format: PairingFormat, state: Tournament, round: Round, heads: Mapping[str, Head]) -> ByRules:
    """What the rules pair in a round: with the seed on record, or of a round by hand with one of our own.

    Byes that players asked for, or were given, stay.
    """
    given = [ByeGiven(player=seat.player_1, kind=seat.bye) for seat in round.seats.values() if seat.bye]  # type: ignore[arg-type]
    command = PairRound(round=round.number, scenario=round.scenario, byes=given)
    draws = Known(round.seed) if round.seed else Guess(f"round {round.number}")
    context = Context(by_rule(""), "", heads, OWN, draws)  # no clock decides who meets whom
    try:
        events = format.pair(before_it(state, round), command, context)
    except Refusal as refusal:
        return ByRules(refused=refusal.detail, code=refusal.code, data=refusal.data)
    seats = [seat for event in events if isinstance(event, PairingsDrawn) for seat in event.pairings]
    stands = next(event for event in events if isinstance(event, RoundPaired))
    return ByRules(stands.method, seats, stands.left_out)


def findings(rules: PairingRules, state: Tournament, round: Round, ruled: ByRules) -> list[Finding]:
    """What the rules would have avoided in a round, game by game, and then what is about the whole of it."""
    found: list[Finding] = []
    met = rules.met_before(state, round.number) if round.stage != "elimination" else {}
    earlier = _earlier(state, round)
    for seat in round.seats.values():
        found += _opponents(rules, state, round, seat, met)
        found += _place(rules, state, seat, earlier)
        found += _byes(state, round, seat, earlier)
        found += _staff(state, round, seat)
        found += _absent(state, seat, earlier)
    return [*found, *_whole(state, round, ruled)]


def _earlier(state: Tournament, round: Round) -> Earlier:
    earlier = Earlier()
    for known in state.rounds.rounds.values():
        for seat in known.seats.values() if known.number < round.number else ():
            for player in seat.players:
                earlier.places.setdefault(player, set()).add((seat.venue, seat.table))
            if seat.kind == "bye":
                earlier.byes.setdefault(seat.player_1, known.number)
                earlier.rested.update([seat.player_1] if known.number == round.number - 1 else [])
    return earlier


def meeting(seat: Seat) -> frozenset[str]:
    """Who sits in a game, whatever its id and table."""
    return frozenset(seat.everybody)


def _opponents(rules: PairingRules, state: Tournament, round: Round, seat: Seat, met: Met) -> Iterator[Finding]:
    sides = seat.sides or ([[seat.player_1], [seat.player_2]] if seat.kind == "game" else [])
    rivals = [pair for here, there in combinations(sides, 2) for pair in product(here, there)]
    apart = {frozenset(pair) for pair in kept_apart(state.entries, round.number, seat.players)}
    for one, other in rivals:
        if again := met.get(one, {}).get(other):
            often = f"{again.earlier} times " if again.earlier > 1 else ""
            yield _about(state, "rematch", seat, [one, other], f"they have met {often}before", rules.MET_CLAUSE)
        if frozenset((one, other)) in apart:
            yield _about(state, "kept_apart", seat, [one, other], "they asked not to meet")


def _place(rules: PairingRules, state: Tournament, seat: Seat, earlier: Earlier) -> Iterator[Finding]:
    entries = state.entries
    homes = {player: entries.players[player] for player in seat.players}
    if entries.pairing_scope == "venue":
        away = [player for player, known in homes.items() if seat.venue and known.venue != seat.venue]
        if away:
            yield _about(state, "other_venue", seat, away, "not at their venue")
    if seat.kind == "bye":
        return
    venue = entries.venues.get(seat.venue)
    if venue is not None and not venue.open:
        yield _about(state, "venue_closed", seat, [], f"{venue.name} is closed")
    elif venue is not None and venue.tables and seat.table not in venue.tables:
        yield _about(state, "table_gone", seat, [], f"{venue.name} has no table {seat.table}")
    pins = {player: known.pinned for player, known in homes.items() if known.pinned}
    elsewhere = [player for player, pin in pins.items() if pin != (seat.venue, seat.table)]
    if elsewhere:
        yield _about(state, "not_at_fixed_table", seat, elsewhere, "not at the table that is fixed for them")
    if venue is not None and venue.tables.get(seat.table) and not pins:
        yield _about(state, "table_kept_free", seat, [], f"table {seat.table} is kept for players who need it")
    if seat.table and rules.avoid_repeats(entries):
        place = seat.venue, seat.table
        again = [one for one in seat.players if one not in pins and place in earlier.places.get(one, ())]
        if again:
            yield _about(state, "table_again", seat, again, f"at table {seat.table} before")


def _byes(state: Tournament, round: Round, seat: Seat, earlier: Earlier) -> Iterator[Finding]:
    if seat.kind == "game" and len(seat.players) > 1 and earlier.rested.issuperset(seat.players):
        said = f"all had a bye in round {round.number - 1}"
        yield _about(state, "byes_meet", seat, list(seat.players), said)
    if seat.kind != "bye" or seat.bye:
        return
    if had := earlier.byes.get(seat.player_1):
        yield _about(state, "bye_again", seat, [seat.player_1], f"had a bye in round {had}")
    busy = {other.player_2 for other in round.seats.values() if other.kind == "spare"}
    free = [one for one in spares_of(state) if one.id not in busy and one.venue in ("", seat.venue)]
    if free:
        yield _about(state, "bye_beside_spare", seat, [seat.player_1], f"{free[0].name} stands by to play")


def _staff(state: Tournament, round: Round, seat: Seat) -> Iterator[Finding]:
    judges = {member.player for member in state.entries.staff.values() if member.active and member.player}
    for player in seat.players:
        if player in judges:
            yield _about(state, "staff_plays", seat, [player], "of the staff; another one decides in this game")
    if seat.kind != "spare":
        return
    spare = state.entries.staff.get(seat.player_2)
    others = [player for other in round.seats.values() if other.game != seat.game for player in other.players]
    if spare is None or not spare.active:
        yield _about(state, "spare_gone", seat, [seat.player_2], "of the staff no more")
    elif spare.player in others:
        yield _about(state, "spare_gone", seat, [seat.player_2], "in another game, too")


def _absent(state: Tournament, seat: Seat, earlier: Earlier) -> Iterator[Finding]:
    for player in seat.players:
        known = state.entries.players[player]
        why = known.status if known.status != "active" else ""
        if not why and player not in earlier.places:
            why = lacking(state.entries, known)
        if why:
            yield _about(state, "cannot_play", seat, [player], f"cannot play as it is: {why.replace('_', ' ')}")


def _whole(state: Tournament, round: Round, ruled: ByRules) -> Iterator[Finding]:
    entries = state.entries
    scoped = entries.pairing_scope == "venue"
    byes = [seat for seat in round.seats.values() if seat.kind == "bye" and not seat.bye]
    for venue, number in Counter(seat.venue if scoped else "" for seat in byes).items():
        if number > 1:
            players = [seat.player_1 for seat in byes if not scoped or seat.venue == venue]
            yield Finding("byes_together", f"{number} have a bye who could play each other.", players=players)
    places = Counter((seat.venue, seat.table, seat.wave) for seat in round.seats.values() if seat.table)
    for (_, table, _), number in places.items():
        if number > 1:
            yield Finding("table_shared", f"{number} games are at table {table} at once.")
    named = {player for seat in round.seats.values() for player in seat.players}
    named |= {player for players in round.left_out.values() for player in players}
    missing = [player for seat in ruled.seats for player in seat.players if player not in named]
    if missing:
        names = ", ".join(entries.name_of(player) for player in missing)
        yield Finding("left_out", f"The rules would pair {names} too.", players=missing)
    if round.made_from and round.made_from != state.results.standings_changed_at(round.number - 1):
        yield Finding("older_standings", f"The standings before round {round.number} are others by now.")


def _about(state: Tournament, code: Code, seat: Seat, players: list[str], said: str, clause: str = "") -> Finding:
    names = ", ".join(state.entries.name_of(player) for player in players)
    return Finding(code, f"{names}: {said}." if names else f"{seat.game}: {said}.", seat.game, players, clause)
