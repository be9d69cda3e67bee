"""Refusals that several topics of pairing share, and the checks that raise them."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

import msgspec

from shared.refusals import Fault, Refusal, expects, one_of
from shared.tournament.games import describe_games
from shared.tournament.guards import Context, require_running, require_venue
from shared.tournament.parts import (
    aside_venues,
    describe_parts,
    latest_round_at,
    next_round_at,
    rounds_done,
    select_parts,
    venues_in_play,
)
from shared.tournament.people import Entries, Player
from shared.tournament.rounds import WHOLE, Round, Seat
from shared.tournament.state import Tournament


class RoundUnknown(Refusal):
    """No round with this number is paired."""

    code = "round-unknown"


class GameUnknown(Refusal):
    code = "game-unknown"


class PlayerUnknown(Refusal):
    code = "player-unknown"


class RoundAlreadyPaired(Refusal):
    """Another round is next: the requested one is already paired, or comes later."""

    code = "round-already-paired"


class VenuesApart(Refusal):
    """The venue would be further ahead of another one than the tournament allows; data: `round`, `most`, `venues`."""

    code = "venues-apart"


class RoundNotClosed(Refusal):
    """The previous round is still being played."""

    code = "round-not-closed"


class AllRoundsPlayed(Refusal):
    """No further round is planned, or the bracket has its winner."""

    code = "all-rounds-played"


class RoundNotLatest(Refusal):
    """Only the latest round can be changed or withdrawn."""

    code = "round-not-latest"


class RoundClosed(Refusal):
    """Scoring has closed the round, so it cannot change."""

    code = "round-closed"


class RoundAlreadyStarted(Refusal):
    code = "round-already-started"


class RoundNotStarted(Refusal):
    code = "round-not-started"


class RoundHasAbsentPlayers(Refusal):
    """A player of the round has left since it was paired, or may not start without a legal roster."""

    code = "round-has-absent-players"


class GameHasResult(Refusal):
    """A game that would change has a report."""

    code = "game-has-result"


def round_of(state: Tournament, number: int) -> Round:
    """Return a paired round. Raises RoundUnknown."""
    if number not in state.rounds.rounds:
        raise RoundUnknown(f"Round {number} is not paired.", round=number)
    return state.rounds.rounds[number]


def round_status(state: Tournament, round: Round) -> str:
    """Return draft, paired, started or closed."""
    if round.draft:
        return "draft"
    if round.number in state.results.closed:
        return "closed"
    return "started" if round.has_started else "paired"


def current_round(state: Tournament, number: int) -> Round:
    """Return a round that is not over at every venue. Raises RoundUnknown, RoundNotLatest, RoundClosed."""
    return current_parts(state, number, WHOLE)[0]


def current_parts(state: Tournament, number: int, venue: str) -> tuple[Round, list[str]]:
    """Return a round and its parts that are not over: the one at a venue, or all of them if the venue is empty.

    Raises RoundUnknown, UnknownVenue, PartUnknown, RoundNotLatest, RoundClosed.
    """
    require_running(state)
    round = round_of(state, number)
    parts = select_parts(state, round, venue)
    latest = {part: latest_round_at(state.rounds, part) for part in parts}
    if number not in latest.values():
        after = max(latest.values())
        raise RoundNotLatest(f"Round {after} has been paired since{describe_parts(round, parts)}.", latest=after)
    current = [part for part in parts if latest[part] == number and not state.results.is_closed(number, part)]
    if not current:
        raise RoundClosed(f"Round {number} is closed{describe_parts(round, parts)}.", round=number)
    return round, current


def require_next_part(state: Tournament, number: int | None, venue: str) -> int:
    """Return the number of the next round of a venue that is paired by itself.

    Raises UnknownVenue, RoundAlreadyPaired unless that is `number` or `number` is None, RoundNotClosed while the venue
    plays, VenuesApart.
    """
    require_venue(state.entries, venue)
    following, latest = next_round_at(state, venue), latest_round_at(state.rounds, venue)
    if number is not None and number != following:
        raise RoundAlreadyPaired(
            f"Round {number} is not the next one at {venue}; round {following} is.",
            [Fault("/round", str(number), one_of([following]))],
            next=following,
        )
    seats = state.rounds.rounds[latest].seats if latest else {}
    games = [game for game in state.open_games(latest) if seats[game].venue == venue] if latest else []
    if latest and (games or not state.results.is_closed(latest, venue)):
        open_games = f"; open games: {len(games)}: {describe_games(state, games)}" if games else ""
        raise RoundNotClosed(
            f"Round {latest} is not closed at {venue}{open_games}.", round=latest, games=games, venues=[venue]
        )
    _refuse_apart(state, following, venue)
    return following


def _refuse_apart(state: Tournament, number: int, venue: str) -> None:
    """Raise VenuesApart if a venue would be more rounds ahead of another one than the tournament allows."""
    most = state.entries.rounds_apart
    if most is None:
        return
    aside = aside_venues(state)
    done = {other: rounds_done(state, other) for other in venues_in_play(state) if other != venue}
    behind = [other for other, rounds in done.items() if number - 1 - rounds > most and other not in aside]
    if behind:
        raise VenuesApart(
            f"With round {number}, {venue} would be more than {most} round{'' if most == 1 else 's'} ahead of "
            f"{', '.join(behind)}.",
            round=number,
            most=most,
            venues=behind,
        )


def started_parts(state: Tournament, number: int, venue: str) -> tuple[Round, list[str]]:
    """Return a round and its parts that are being played. Raises the refusals of `current_parts`, RoundNotStarted."""
    round, parts = current_parts(state, number, venue)
    started = [part for part in parts if round.clock_of(part)]
    if not started:
        raise RoundNotStarted(f"Round {number} has not started{describe_parts(round, parts)}.", round=number)
    return round, started


def game_of(round: Round, game: str) -> Seat:
    """Return a game of a round. Raises GameUnknown."""
    if game not in round.seats:
        fault = Fault("/game", game, expects("game-of-round"))
        raise GameUnknown(f"Round {round.number} has no game {game}.", [fault])
    return round.seats[game]


def games_with_reports(state: Tournament, round: Round) -> list[str]:
    """Return the games of a round with a report, or with a player about whom the format has recorded something."""
    slices = state.formats.values()
    return [
        seat.game
        for seat in round.seats.values()
        if seat.game in state.results.results
        or any(part.plays(player, round.number) for part in slices for player in seat.players)
    ]


def player_of(entries: Entries, player: str) -> Player:
    """Return a player of the tournament. Raises PlayerUnknown."""
    if player not in entries.players:
        fault = Fault("/player", player, expects("player-of-tournament"))
        raise PlayerUnknown(f"No player has the id {player}.", [fault])
    return entries.players[player]


def players_seated_before(state: Tournament, number: int) -> set[str]:
    """Return all players who were paired in an earlier round."""
    rounds = [round for round in state.rounds.rounds.values() if round.number < number]
    return {player for round in rounds for seat in round.seats.values() for player in seat.players}


def player_data(player: Player) -> dict[str, str]:
    """Return a player as an object in the data of a refusal."""
    return {"player": player.id, "name": player.name}


def seed_of(state: Tournament, number: int, context: Context, players: Collection[str] = (), venue: str = WHOLE) -> str:
    """Return the seed of every draw when a round, or its part at a venue, is paired.

    It is the answer to the question `pairing: round, attempt`, followed by the venue. Only withdrawing what was
    published raises the attempt, so pairing a draft again gives the same seed.
    players: the players to pair. If they change after staff first saw the outcome of the seed, the change is recorded.
    """
    ruleset = sha256(msgspec.json.encode(state.entries.ruleset, order="sorted")).hexdigest()[:16]
    about = [*players, f"ruleset {ruleset}"] if players else ()
    question = f"pairing: {number}, {state.rounds.times_withdrawn(number, venue) + 1}"
    return context.draws.answer(f"{question}, {venue}" if venue else question, about)
