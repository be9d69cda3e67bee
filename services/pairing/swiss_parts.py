"""Parts of Swiss rounds: a venue that is paired by itself, as soon as its own last round is closed.

A part is made from facts that no other venue can still change: the games at this venue, and the earlier games of its
players. So the order in which venues go on changes no pairing. A player who moves between venues plays at the new one
from the first round number that they have not played; see `leavers` and `arrivals`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from services.pairing.guards import RoundNotClosed, player_data, require_next_part
from services.pairing.plans import Field, PlannedPairing, PlayersWithoutVenue
from services.pairing.rounds import PairRound
from services.pairing.swiss_pairing import field_of
from shared.rules.model import Game
from shared.swiss.games import counted_game, entrants_of, ruleset_of
from shared.swiss.standings import Standings, rank
from shared.tournament.parts import (
    aside_venues,
    latest_round_at,
    next_round_at,
    rounds_done,
    venues_in_play,
)
from shared.tournament.rounds import WHOLE, Seat
from shared.tournament.state import Tournament

ELSEWHERE = "played_elsewhere"
"""Why an active player is not paired at a venue: the round was played at the venue that they left."""


def parts_due(state: Tournament, command: PairRound) -> tuple[int, list[str]]:
    """Return the number of the next round, and the venues to pair: the named one, or all whose turn it is.

    Raises UnknownVenue, RoundAlreadyPaired, RoundNotClosed with every venue that is still playing, VenuesApart,
    PlayersWithoutVenue.
    """
    if command.venue:
        number = require_next_part(state, command.round, command.venue)
        if not state.entries.venues[command.venue].open:
            _refuse_homeless(state, number, command.venue)
        return number, [command.venue]
    aside = aside_venues(state)
    following = {venue: next_round_at(state, venue) for venue in venues_in_play(state) if venue not in aside}
    number = command.round or min(following.values(), default=next_round_at(state, WHOLE))
    due = [venue for venue, next_number in following.items() if next_number == number]
    playing = [venue for venue in due if rounds_done(state, venue) < latest_round_at(state.rounds, venue)]
    if playing:
        seats, games = state.rounds.rounds[number - 1].seats, state.open_games(number - 1)
        waiting = [game for game in games if seats[game].venue in playing]
        raise RoundNotClosed(
            f"Round {number - 1} is not closed at {', '.join(playing)}; open games: {len(waiting)}. "
            "Name a `venue` to pair one that is not waiting.",
            round=number - 1,
            games=waiting,
            venues=playing,
        )
    for venue in due or list(following)[:1]:
        require_next_part(state, number, venue)
    _refuse_homeless(state, number)
    return number, due


def _refuse_homeless(state: Tournament, number: int, venue: str = "") -> None:
    """Raise PlayersWithoutVenue with every player to pair who is at no open venue. venue: only those of this one."""
    entries = state.entries
    places = {venue.id for venue in entries.venues.values() if venue.open}
    players = (entries.players[player] for player in field_of(state, number).players)
    homeless = [player for player in players if player.venue not in places and venue in ("", player.venue)]
    if homeless:
        raise PlayersWithoutVenue(
            f"{len(homeless)} player{'s are' if len(homeless) > 1 else ' is'} at no open venue.",
            players=[player_data(player) for player in homeless],
        )


class PartField(Struct, frozen=True):
    """The players of a part: those to pair, and byes of players on the way between two venues."""

    field: Field
    byes: list[PlannedPairing]


def field_of_part(state: Tournament, number: int, venue: str) -> PartField:
    """Return the players to pair at a venue in a round, and the byes of players on the way between venues."""
    whole, players = field_of(state, number), state.entries.players
    seated = {player for seat in _seats_of_round(state, number) for player in seat.players}
    here = [player for player in whole.players if players[player].venue == venue]
    away = still_playing(state, number, venue)
    left_out = {
        why: listed
        for why, all_listed in whole.left_out.items()
        if (listed := [player for player in all_listed if players[player].venue == venue and player not in seated])
    }
    if elsewhere := [player for player in here if player in seated]:
        left_out[ELSEWHERE] = elsewhere
    field = Field([player for player in here if player not in seated and player not in away], left_out)
    byes = [
        *(_bye(player, venue, f"round {away[player]} is still being played at the venue they left") for player in away),
        *(
            _bye(
                player,
                venue,
                f"moved to {state.entries.venues[players[player].venue].name}, which has paired this round already",
            )
            for player in leavers(state, number, venue)
        ),
    ]
    return PartField(field, byes)


def _seats_of_round(state: Tournament, number: int) -> list[Seat]:
    round = state.rounds.rounds.get(number)
    return list(round.seats.values()) if round else []


def still_playing(state: Tournament, number: int, venue: str) -> dict[str, int]:
    """Return the players of a venue whose earlier game at another venue is not over -> its round."""
    playing: dict[str, int] = {}
    for earlier, round in state.rounds.rounds.items():
        if earlier >= number:
            continue
        for seat in round.seats.values():
            if seat.venue != venue and seat.kind != "bye" and not state.results.is_closed(earlier, seat.venue):
                playing |= dict.fromkeys(seat.players, earlier)
    entries = state.entries
    return {
        player: round
        for player, round in playing.items()
        if entries.players[player].venue == venue and entries.players[player].status == "active"
    }


def leavers(state: Tournament, number: int, venue: str) -> list[str]:
    """Return the players who played the round before at this venue and whose new venue has paired this round already.

    They have no game in this round anywhere.
    """
    seated = {player for seat in _seats_of_round(state, number) for player in seat.players}
    found = []
    for seat in _seats_of_round(state, number - 1):
        for id in seat.players if seat.venue == venue else ():
            player = state.entries.players[id]
            if player.status != "active" or player.venue == venue or id in seated:
                continue
            if player.venue in state.entries.venues and latest_round_at(state.rounds, player.venue) >= number:
                found.append(id)
    return found


def _bye(player: str, venue: str, reason: str) -> PlannedPairing:
    return PlannedPairing(kind="bye", player_1=player, venue=venue, table=0, reason=reason)


def games_of_part(state: Tournament, number: int, venue: str, members: Sequence[str]) -> list[Game]:
    """Return the counted Swiss games before a round at a venue, and those of its members elsewhere."""
    ruleset, own = ruleset_of(state.entries), set(members)
    games = (
        counted_game(state, ruleset, round, seat)
        for earlier, round in state.rounds.rounds.items()
        if earlier < number and round.stage == "swiss"
        for seat in round.seats.values()
        if seat.venue == venue or not own.isdisjoint(seat.players)
    )
    return [game for game in games if game is not None]


def standings_of_part(
    state: Tournament, number: int, venue: str, members: Sequence[str], seed: str
) -> Standings | None:
    """Return the standings that a part is paired from; None for the first round. seed: breaks ties."""
    if number == 1:
        return None
    games = games_of_part(state, number, venue, members)
    known = {player for game in games for player in (game.player_1, game.player_2)} | set(members)
    entrants = [entrant for entrant in entrants_of(state) if entrant.player in known]
    standings = rank(ruleset_of(state.entries), entrants, games, round=number - 1, seed=seed)
    rows = tuple(row for row in standings.rows if row.player in members)
    return Standings(standings.round, standings.columns, rows, standings.draws)
