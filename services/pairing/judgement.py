"""The judgement of the rules on a round: what they would have avoided, and what they would pair.

People decide; the judgement refuses nothing. A finding is a fact that the rules would have avoided, or that changed
after the round was paired. What is impossible (a player twice, a taken table) was refused before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any, Literal

from msgspec import Struct

from services.pairing.formats import PairingFormat
from services.pairing.plans import ByeGiven, PairingRules, lacking, spares_of
from services.pairing.rounds import PairRound, before_it
from shared.log.event import Head
from shared.refusals import Expected, Refusal, expects
from shared.rules.matching import Met
from shared.tournament.draws import FixedDraws, SeededDraws
from shared.tournament.guards import Context, by_rule
from shared.tournament.rounds import PairingsDrawn, Round, RoundPaired, Seat, kept_apart
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


CANNOT_PLAY: Mapping[str, str] = {
    "no_roster": "finding-no-roster",
    "not_checked_in": "finding-not-checked-in",
    "dropped": "finding-dropped",
    "disqualified": "finding-disqualified",
    "withdrawn": "finding-withdrawn",
    "waiting": "finding-waiting",
}
"""Why a player of a pairing cannot play: their status, or what they lack -> the code of the sentence."""


class Finding(Struct, frozen=True):
    """A fact about a round. sentence: about the players or the game, or a whole one if it is about the round.

    game: empty if it is about the round. players: those concerned.
    """

    code: Code
    sentence: Expected
    game: str = ""
    players: list[str] = []
    clause: str = ""


class ByRules(Struct, frozen=True):
    """The round that the rules would have paired. refused: why they would have paired nothing; empty if they would.

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

    places: player -> venue and table of each game. byes: player -> the round of the first bye. rested: players with a
    bye in the round before, given or not.
    """

    places: dict[str, set[tuple[str, int]]] = {}
    byes: dict[str, int] = {}
    rested: set[str] = set()


def by_rules(format: PairingFormat, state: Tournament, round: Round, heads: Mapping[str, Head]) -> ByRules:
    """Return the round by the rules: with the recorded seed, or with a seed of our own if it was paired by hand.

    Byes that players asked for or were given stay.
    """
    given = [ByeGiven(player=seat.player_1, kind=seat.bye) for seat in round.seats.values() if seat.bye]  # type: ignore[arg-type]
    command = PairRound(round=round.number, scenario=round.scenario, byes=given)
    draws = FixedDraws(round.seed) if round.seed else SeededDraws(f"round {round.number}")
    context = Context(by_rule(""), "", heads, OWN, draws)  # no clock decides who meets whom
    try:
        events = format.pair(before_it(state, round), command, context)
    except Refusal as refusal:
        return ByRules(refused=refusal.detail, code=refusal.code, data=refusal.data)
    seats = [seat for event in events if isinstance(event, PairingsDrawn) for seat in event.pairings]
    stands = next(event for event in events if isinstance(event, RoundPaired))
    return ByRules(stands.method, seats, stands.left_out)


def findings(rules: PairingRules, state: Tournament, round: Round, ruled: ByRules) -> list[Finding]:
    """Return what the rules would have avoided in a round: game by game, then about the whole round."""
    findings: list[Finding] = []
    met = rules.met_before(state, round.number) if round.stage != "elimination" else {}
    earlier = _earlier(state, round)
    for seat in round.seats.values():
        findings += _opponents(rules, state, round, seat, met)
        findings += _place(rules, state, seat, earlier)
        findings += _byes(state, round, seat, earlier)
        findings += _staff(state, round, seat)
        findings += _absent(state, seat, earlier)
    return [*findings, *_whole(state, round, ruled)]


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
    """Return the players of a game, regardless of its id and table."""
    return frozenset(seat.all_players)


def _opponents(rules: PairingRules, state: Tournament, round: Round, seat: Seat, met: Met) -> Iterator[Finding]:
    sides = seat.sides or ([[seat.player_1], [seat.player_2]] if seat.kind == "game" else [])
    rivals = [pair for here, there in combinations(sides, 2) for pair in product(here, there)]
    apart = {frozenset(pair) for pair in kept_apart(state.entries, round.number, seat.players)}
    for one, other in rivals:
        if again := met.get(one, {}).get(other):
            met_before = (
                expects("finding-met-times", times=again.earlier) if again.earlier > 1 else expects("finding-met")
            )
            yield _about("rematch", seat, [one, other], met_before, rules.MET_CLAUSE)
        if frozenset((one, other)) in apart:
            yield _about("kept_apart", seat, [one, other], expects("finding-kept-apart"))


def _place(rules: PairingRules, state: Tournament, seat: Seat, earlier: Earlier) -> Iterator[Finding]:
    entries = state.entries
    homes = {player: entries.players[player] for player in seat.players}
    if entries.pairing_scope == "venue":
        away = [player for player, known in homes.items() if seat.venue and known.venue != seat.venue]
        if away:
            yield _about("other_venue", seat, away, expects("finding-other-venue"))
    if seat.kind == "bye":
        return
    venue = entries.venues.get(seat.venue)
    if venue is not None and not venue.open:
        yield _about("venue_closed", seat, [], expects("finding-venue-closed", venue=venue.name))
    elif venue is not None and venue.tables and seat.table not in venue.tables:
        yield _about("table_gone", seat, [], expects("finding-table-gone", venue=venue.name, table=seat.table))
    pins = {player: known.pinned for player, known in homes.items() if known.pinned}
    elsewhere = [player for player, pin in pins.items() if pin != (seat.venue, seat.table)]
    if elsewhere:
        yield _about("not_at_fixed_table", seat, elsewhere, expects("finding-not-at-fixed-table"))
    if venue is not None and venue.tables.get(seat.table) and not pins:
        yield _about("table_kept_free", seat, [], expects("finding-table-kept-free", table=seat.table))
    if seat.table and rules.avoid_repeats(entries):
        place = seat.venue, seat.table
        again = [one for one in seat.players if one not in pins and place in earlier.places.get(one, ())]
        if again:
            yield _about("table_again", seat, again, expects("finding-table-again", table=seat.table))


def _byes(state: Tournament, round: Round, seat: Seat, earlier: Earlier) -> Iterator[Finding]:
    if seat.kind == "game" and len(seat.players) > 1 and earlier.rested.issuperset(seat.players):
        yield _about("byes_meet", seat, list(seat.players), expects("finding-byes-meet", round=round.number - 1))
    if seat.kind != "bye" or seat.bye:
        return
    if had := earlier.byes.get(seat.player_1):
        yield _about("bye_again", seat, [seat.player_1], expects("finding-bye-again", round=had))
    busy = {other.player_2 for other in round.seats.values() if other.kind == "spare"}
    free = [one for one in spares_of(state) if one.id not in busy and one.venue in ("", seat.venue)]
    if free:
        yield _about("bye_beside_spare", seat, [seat.player_1], expects("finding-bye-beside-spare", spare=free[0].name))


def _staff(state: Tournament, round: Round, seat: Seat) -> Iterator[Finding]:
    judges = {member.player for member in state.entries.staff.values() if member.active and member.player}
    for player in seat.players:
        if player in judges:
            yield _about("staff_plays", seat, [player], expects("finding-staff-plays"))
    if seat.kind != "spare":
        return
    spare = state.entries.staff.get(seat.player_2)
    others = [player for other in round.seats.values() if other.game != seat.game for player in other.players]
    if spare is None or not spare.active:
        yield _about("spare_gone", seat, [seat.player_2], expects("finding-spare-gone"))
    elif spare.player in others:
        yield _about("spare_gone", seat, [seat.player_2], expects("finding-spare-plays"))


def _absent(state: Tournament, seat: Seat, earlier: Earlier) -> Iterator[Finding]:
    for player in seat.players:
        known = state.entries.players[player]
        why = known.status if known.status != "active" else ""
        if not why and player not in earlier.places:
            why = lacking(state.entries, known)
        if why:
            yield _about("cannot_play", seat, [player], expects(CANNOT_PLAY[why]))


def _whole(state: Tournament, round: Round, ruled: ByRules) -> Iterator[Finding]:
    entries = state.entries
    scoped = entries.pairing_scope == "venue"
    byes = [seat for seat in round.seats.values() if seat.kind == "bye" and not seat.bye]
    for venue, number in Counter(seat.venue if scoped else "" for seat in byes).items():
        if number > 1:
            players = [seat.player_1 for seat in byes if not scoped or seat.venue == venue]
            yield Finding("byes_together", expects("finding-byes-together", players=number), players=players)
    places = Counter((seat.venue, seat.table, seat.wave) for seat in round.seats.values() if seat.table)
    for (_, table, _), number in places.items():
        if number > 1:
            yield Finding("table_shared", expects("finding-table-shared", games=number, table=table))
    named = {player for seat in round.seats.values() for player in seat.players}
    named |= {player for players in round.left_out.values() for player in players}
    missing = [player for seat in ruled.seats for player in seat.players if player not in named]
    if missing:
        names = [entries.name_of(player) for player in missing]
        yield Finding("left_out", expects("finding-left-out", names=names), players=missing)
    if round.made_from and round.made_from != state.results.standings_changed_at(round.number - 1):
        yield Finding("older_standings", expects("finding-older-standings", round=round.number))


def _about(code: Code, seat: Seat, players: list[str], sentence: Expected, clause: str = "") -> Finding:
    return Finding(code, sentence, seat.game, players, clause)
