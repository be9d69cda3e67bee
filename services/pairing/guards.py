"""Guards of pairing: refusals of several topics, and the checks that raise them."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

import msgspec

from shared.refusals import Fault, Refusal, expects
from shared.tournament.guards import Context, require_running
from shared.tournament.people import Entries, Player
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament


class RoundUnknown(Refusal):
    """No round with this number stands paired."""

    code = "round-unknown"


class GameUnknown(Refusal):
    code = "game-unknown"


class PlayerUnknown(Refusal):
    code = "player-unknown"


class RoundAlreadyPaired(Refusal):
    """Another round is next: the one asked for stands already, or is further away."""

    code = "round-already-paired"


class RoundNotClosed(Refusal):
    """Somebody still plays the round before; nobody plays two at once."""

    code = "round-not-closed"


class AllRoundsPlayed(Refusal):
    """No further round is planned, or the bracket has its winner."""

    code = "all-rounds-played"


class RoundNotLatest(Refusal):
    """Only the round paired last is changed or taken back."""

    code = "round-not-latest"


class RoundClosed(Refusal):
    """Scoring closed the round; what it was stands."""

    code = "round-closed"


class RoundAlreadyStarted(Refusal):
    code = "round-already-started"


class RoundNotStarted(Refusal):
    code = "round-not-started"


class RoundHasAbsentPlayers(Refusal):
    """A player of the round left after the pairing, or may not begin without a legal roster."""

    code = "round-has-absent-players"


class GameHasResult(Refusal):
    """Something was reported of a game that would change."""

    code = "game-has-result"


def round_of(state: Tournament, number: int) -> Round:
    """A round that stands paired. Raises RoundUnknown."""
    if number not in state.rounds.rounds:
        raise RoundUnknown(f"Round {number} is not paired.", round=number)
    return state.rounds.rounds[number]


def status_of_round(state: Tournament, round: Round) -> str:
    """draft, paired, started or closed."""
    if round.draft:
        return "draft"
    return "closed" if round.number in state.results.closed else round.status


def current_round(state: Tournament, number: int) -> Round:
    """The round paired last, while it is not closed. Raises RoundUnknown, RoundNotLatest, RoundClosed."""
    require_running(state)
    found, latest = round_of(state, number), state.rounds.latest()
    if latest is not None and latest.number != number:
        raise RoundNotLatest(f"Round {latest.number} has been paired since.", latest=latest.number)
    if number in state.results.closed:
        raise RoundClosed(f"Round {number} is closed.", round=number)
    return found


def started_round(state: Tournament, number: int) -> Round:
    """The round that is being played. Raises as `current_round`, and RoundNotStarted."""
    found = current_round(state, number)
    if found.status != "started":
        raise RoundNotStarted(f"Round {number} has not started.", round=number)
    return found


def game_of(round: Round, game: str) -> Seat:
    """A pairing of a round. Raises GameUnknown."""
    if game not in round.seats:
        fault = Fault("/game", game, expects("game-of-round"))
        raise GameUnknown(f"Round {round.number} has no game {game}.", [fault])
    return round.seats[game]


def games_begun(state: Tournament, round: Round) -> list[str]:
    """The games of a round that scoring knows something of: a report, or its format of one who plays."""
    parts = state.formats.values()
    return [
        seat.game
        for seat in round.seats.values()
        if seat.game in state.results.results
        or any(part.plays(one, round.number) for part in parts for one in seat.players)
    ]


def player_of(entries: Entries, player: str) -> Player:
    """A player who entered. Raises PlayerUnknown."""
    if player not in entries.players:
        fault = Fault("/player", player, expects("player-of-tournament"))
        raise PlayerUnknown(f"No player has the id {player}.", [fault])
    return entries.players[player]


def seated_before(state: Tournament, number: int) -> set[str]:
    """Everybody who sat in a round before this one."""
    rounds = [round for round in state.rounds.rounds.values() if round.number < number]
    return {player for round in rounds for seat in round.seats.values() for player in seat.players}


def named(player: Player) -> dict[str, str]:
    """A player as the data of a refusal names them."""
    return {"player": player.id, "name": player.name}


def seed_of(state: Tournament, number: int, context: Context, players: Collection[str] = ()) -> str:
    """Return the seed of every draw of the next pairing of a round.

    It answers the question `pairing: round, attempt`; the attempt rises when a published round is withdrawn, so
    pairing a draft again gives the same seed. players: who is paired, for the list of changes since staff saw first
    what the seed makes of the field.
    """
    ruleset = sha256(msgspec.json.encode(state.entries.ruleset, order="sorted")).hexdigest()[:16]
    about = [*players, f"ruleset {ruleset}"] if players else ()
    return context.draws.answer(f"pairing: {number}, {state.rounds.withdrawn.get(number, 0) + 1}", about)
