"""The judgement of a round: deviations from the rules, and the pairings that the rules would make.

A judgement informs staff and refuses nothing. A finding is a fact that the rules would have avoided, or that changed
after the round was paired. Impossible pairings (a player twice, a taken table) were refused earlier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, product, takewhile
from typing import Any, Literal

from msgspec import Struct

from services.pairing.formats import PairingFormat
from services.pairing.plans import ByeGiven, PairingRules, missing_requirement, standby_spares
from services.pairing.rounds import PairRound, without_round
from shared.log.event import Head
from shared.refusals import Expected, Refusal, expects
from shared.rules.matching import Met
from shared.tournament.draws import FixedDraws, SeededDraws
from shared.tournament.guards import Context, by_rule
from shared.tournament.parts import latest_round_at
from shared.tournament.rounds import WHOLE, PairingsDrawn, Round, RoundPaired, Seat, kept_apart
from shared.tournament.state import Tournament

OWN_LOG = "pairing"
"""The log to which pairing appends."""

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
"""Status or missing requirement of a player who cannot play -> sentence code."""


class Finding(Struct, frozen=True):
    """A fact about a game or the round.

    sentence: a predicate about the players or the game, or a whole sentence about the round. game: empty if the finding
    is about the round. players: the players concerned.
    """

    code: Code
    sentence: Expected
    game: str = ""
    players: list[str] = []
    clause: str = ""


class ByRules(Struct, frozen=True):
    """The round as the rules would pair it, or the refusal (`refused`, `code`, `data`) if they could not."""

    method: str = ""
    seats: list[Seat] = []
    left_out: dict[str, list[str]] = {}
    refused: str = ""
    code: str = ""
    data: Mapping[str, Any] = {}


class History(Struct, frozen=True):
    """Facts from the rounds before the judged one.

    places: player -> (venue, table) of each game. byes: player -> round of the first bye. rested: players with any bye
    in the previous round.
    """

    places: dict[str, set[tuple[str, int]]] = {}
    byes: dict[str, int] = {}
    rested: set[str] = set()


def pair_by_rules(format: PairingFormat, state: Tournament, round: Round, heads: Mapping[str, Head]) -> ByRules:
    """Return the round as the rules would pair it, keeping byes that were granted; part by part, if it was paired so.

    The draw uses the recorded seed; a round paired by hand has none and gets an arbitrary one.
    """
    ruled = ByRules()
    for venue in judged_parts(state, round):
        part = _part_by_rules(format, state, round, venue, heads)
        if part.refused:
            return part
        left_out = {why: [*ruled.left_out.get(why, ()), *players] for why, players in part.left_out.items()}
        ruled = ByRules(part.method, [*ruled.seats, *part.seats], ruled.left_out | left_out)
    return ruled


def judged_parts(state: Tournament, round: Round) -> list[str]:
    """Return the parts of a round to judge: the whole round, or those paired by themselves that have no later one."""
    if not round.origins:
        return [WHOLE]
    return [venue for venue in round.origins if latest_round_at(state.rounds, venue) == round.number]


def judged_seats(state: Tournament, round: Round) -> list[Seat]:
    """Return the pairings of these parts."""
    return [seat for part in judged_parts(state, round) for seat in round.seats_of(part)]


def _part_by_rules(
    format: PairingFormat, state: Tournament, round: Round, venue: str, heads: Mapping[str, Head]
) -> ByRules:
    seats = round.seats_of(venue)
    given = [ByeGiven(player=seat.player_1, kind=seat.bye) for seat in seats if seat.bye]  # type: ignore[arg-type]
    command = PairRound(round=round.number, venue=venue, scenario=round.scenario, byes=given)
    seed = round.origins[venue].seed if venue else round.seed
    draws = FixedDraws(seed) if seed else SeededDraws(f"round {round.number}")
    context = Context(by_rule(""), "", heads, OWN_LOG, draws)  # pairing does not depend on the time
    try:
        events = format.pair(without_round(state, round, venue), command, context)
    except Refusal as refusal:
        return ByRules(refused=refusal.detail, code=refusal.code, data=refusal.data)
    seats = [seat for event in events if isinstance(event, PairingsDrawn) for seat in event.pairings]
    paired = next(event for event in events if isinstance(event, RoundPaired))
    return ByRules(paired.method, seats, paired.left_out)


def findings(rules: PairingRules, state: Tournament, round: Round, ruled: ByRules) -> list[Finding]:
    """Return the findings about a round: game by game, then about the whole round."""
    findings: list[Finding] = []
    met = rules.met_before(state, round.number) if round.stage != "elimination" else {}
    history = _history(state, round)
    for seat in round.seats.values():
        findings += _opponent_findings(rules, state, round, seat, met)
        findings += _place_findings(rules, state, seat, history)
        findings += _bye_findings(state, round, seat, history)
        findings += _staff_findings(state, round, seat)
        findings += _absence_findings(state, seat, history)
    return [*findings, *_round_findings(state, round, ruled)]


def _history(state: Tournament, round: Round) -> History:
    history = History()
    for earlier in state.rounds.rounds.values():
        for seat in earlier.seats.values() if earlier.number < round.number else ():
            for player in seat.players:
                history.places.setdefault(player, set()).add((seat.venue, seat.table))
            if seat.kind == "bye":
                history.byes.setdefault(seat.player_1, earlier.number)
                if earlier.number == round.number - 1:
                    history.rested.add(seat.player_1)
    return history


def meeting(seat: Seat) -> frozenset[str]:
    """Return the players of a game, regardless of its id and table."""
    return frozenset(seat.all_players)


def _opponent_findings(rules: PairingRules, state: Tournament, round: Round, seat: Seat, met: Met) -> Iterator[Finding]:
    sides = seat.sides or ([[seat.player_1], [seat.player_2]] if seat.kind == "game" else [])
    rivals = [pair for side, opponents in combinations(sides, 2) for pair in product(side, opponents)]
    apart = {frozenset(pair) for pair in kept_apart(state.entries, round.number, seat.players)}
    for first, second in rivals:
        if meetings := met.get(first, {}).get(second):
            times = meetings.earlier
            sentence = expects("finding-met-times", times=times) if times > 1 else expects("finding-met")
            yield _finding("rematch", seat, [first, second], sentence, rules.MET_CLAUSE)
        if frozenset((first, second)) in apart:
            yield _finding("kept_apart", seat, [first, second], expects("finding-kept-apart"))


def _place_findings(rules: PairingRules, state: Tournament, seat: Seat, history: History) -> Iterator[Finding]:
    entries = state.entries
    players = {player: entries.players[player] for player in seat.players}
    if entries.pairing_scope == "venue":
        away = [id for id, player in players.items() if seat.venue and player.venue != seat.venue]
        if away:
            yield _finding("other_venue", seat, away, expects("finding-other-venue"))
    if seat.kind == "bye":
        return
    venue, table = entries.venues.get(seat.venue), entries.table_name(seat.venue, seat.table)
    if venue is not None and not venue.open:
        yield _finding("venue_closed", seat, [], expects("finding-venue-closed", venue=venue.name))
    elif venue is not None and venue.tables and seat.table not in venue.tables:
        yield _finding("table_gone", seat, [], expects("finding-table-gone", venue=venue.name, table=table))
    pins = {id: player.pinned for id, player in players.items() if player.pinned}
    elsewhere = [player for player, pin in pins.items() if pin != (seat.venue, seat.table)]
    if elsewhere:
        yield _finding("not_at_fixed_table", seat, elsewhere, expects("finding-not-at-fixed-table"))
    if venue is not None and venue.tables.get(seat.table) and not pins:
        yield _finding("table_kept_free", seat, [], expects("finding-table-kept-free", table=table))
    if seat.table and rules.avoid_repeats(entries):
        place = seat.venue, seat.table
        repeated = [id for id in seat.players if id not in pins and place in history.places.get(id, ())]
        if repeated:
            yield _finding("table_again", seat, repeated, expects("finding-table-again", table=table))


def _bye_findings(state: Tournament, round: Round, seat: Seat, history: History) -> Iterator[Finding]:
    if seat.kind == "game" and len(seat.players) > 1 and history.rested.issuperset(seat.players):
        yield _finding("byes_meet", seat, list(seat.players), expects("finding-byes-meet", round=round.number - 1))
    if seat.kind != "bye" or seat.bye:
        return
    if first_bye := history.byes.get(seat.player_1):
        yield _finding("bye_again", seat, [seat.player_1], expects("finding-bye-again", round=first_bye))
    busy = {game.player_2 for game in round.seats.values() if game.kind == "spare"}
    free = [spare for spare in standby_spares(state) if spare.id not in busy and spare.venue in ("", seat.venue)]
    if free:
        sentence = expects("finding-bye-beside-spare", spare=free[0].name)
        yield _finding("bye_beside_spare", seat, [seat.player_1], sentence)


def _staff_findings(state: Tournament, round: Round, seat: Seat) -> Iterator[Finding]:
    judges = {member.player for member in state.entries.staff.values() if member.active and member.player}
    for player in seat.players:
        if player in judges:
            yield _finding("staff_plays", seat, [player], expects("finding-staff-plays"))
    if seat.kind != "spare":
        return
    spare = state.entries.staff.get(seat.player_2)
    others = [player for game in round.seats.values() if game.game != seat.game for player in game.players]
    if spare is None or not spare.active:
        yield _finding("spare_gone", seat, [seat.player_2], expects("finding-spare-gone"))
    elif spare.player in others:
        yield _finding("spare_gone", seat, [seat.player_2], expects("finding-spare-plays"))


def _absence_findings(state: Tournament, seat: Seat, history: History) -> Iterator[Finding]:
    for id in seat.players:
        player = state.entries.players[id]
        reason = player.status if player.status != "active" else ""
        if not reason and id not in history.places:
            reason = missing_requirement(state.entries, player)
        if reason:
            yield _finding("cannot_play", seat, [id], expects(CANNOT_PLAY[reason]))


def made_from_older_standings(state: Tournament, round: Round) -> bool:
    """Return True if the standings that a round was paired from have changed since, or their round was reopened.

    For a part that was paired by itself: if an earlier result of one of its players has changed.
    """
    if not round.origins:
        return bool(round.made_from) and round.made_from != state.results.standings_changed_at(round.number - 1)
    return any(_has_older_origin(state, round, venue) for venue in round.origins)


def _has_older_origin(state: Tournament, round: Round, venue: str) -> bool:
    made_from = round.origins[venue].made_from
    if not made_from:
        return False
    if not state.results.is_closed(round.number - 1, venue):
        return latest_before(state, round.number, venue) == round.number - 1
    players = {player for seat in round.seats_of(venue) for player in seat.players}
    news = takewhile(lambda result: result.changed > made_from, reversed(state.results.results.values()))
    rounds = state.rounds.rounds
    return any(
        result.round < round.number and not players.isdisjoint(rounds[result.round].seats[result.game].players)
        for result in news
        if result.round in rounds and result.game in rounds[result.round].seats
    )


def latest_before(state: Tournament, number: int, venue: str) -> int:
    """Return the number of the last round before this one with games at a venue; 0 if there is none."""
    return max((n for n, round in state.rounds.rounds.items() if n < number and venue in round.parts), default=0)


def _round_findings(state: Tournament, round: Round, ruled: ByRules) -> Iterator[Finding]:
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
    mentioned = {player for seat in round.seats.values() for player in seat.players}
    mentioned |= {player for players in round.left_out.values() for player in players}
    missing = [player for seat in ruled.seats for player in seat.players if player not in mentioned]
    if missing:
        names = [entries.name_of(player) for player in missing]
        yield Finding("left_out", expects("finding-left-out", names=names), players=missing)
    if made_from_older_standings(state, round):
        yield Finding("older_standings", expects("finding-older-standings", round=round.number))


def _finding(code: Code, seat: Seat, players: list[str], sentence: Expected, clause: str = "") -> Finding:
    return Finding(code, sentence, seat.game, players, clause)
