"""A tournament as its three logs would tell it, of any size: for benchmarks that need one and not the playing of it.

Pairings go round in a circle, results are drawn from a seed, scores and standings are the ruleset's own. The events
are those that the services append, in the order of the commands that they would come from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from muster.simulator.plausible import results
from services.scoring.tournament.rounds import standings_pages
from shared.events.base import Event
from shared.formats.pack import shipped_ruleset
from shared.formats.swiss.ranking import as_draws, as_rows
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.scoring import score_game
from shared.formats.swiss.rules.standings import Standings, rank
from shared.rules.model import Entrant, Facts, Game
from shared.rules.ruleset import to_json
from shared.tournament.event_pages import in_pages
from shared.tournament.events import pairing, registration, scoring
from shared.tournament.events.pairing import Seat

RULESET = "star-wars-armada-1.1"
SEED = "5a" * 32

Appended = tuple[str, str, Sequence[Event]]
"""Source, actor, and what one command appended."""


class Shape(Struct, frozen=True):
    """players: an even number. closed: rounds played to their end. open: whether one more round has started."""

    players: int
    closed: int
    open: bool = False
    seed: int = 1


def player_id(number: int) -> str:
    """The id of the player who signed up as this one, from 1."""
    return f"p{number}"


def seats_of(shape: Shape, round: int) -> list[Seat]:
    """Who meets whom in a round: the first player stays, the others move on by one place each round."""
    others = [player_id(number) for number in range(2, shape.players + 1)]
    shift = (round - 1) % len(others)
    circle = [player_id(1), *others[shift:], *others[:shift]]
    half = shape.players // 2
    pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
    return [
        Seat(
            game=f"r{round}g{table}",
            kind="game",
            player_1=one,
            player_2=two,
            venue="v1",
            table=table,
            reason="same group, 12 points",
        )
        for table, (one, two) in enumerate(pairs, start=1)
    ]


def facts_of_round(shape: Shape, round: int) -> list[dict[str, Any]]:
    """The facts of a round's games, in the order of its tables; the same whenever asked."""
    random = Random(f"{shape.seed}/{round}")
    draw = results(shipped_ruleset(RULESET), random)
    return [{"kind": "game", **draw({})} for _ in range(shape.players // 2)]


def story(shape: Shape) -> Iterator[Appended]:
    """Every command's events, from the announcement to the last closed round, and the start of an open one."""
    ruleset = shipped_ruleset(RULESET)
    yield "registration", "organiser", [_announced(ruleset, shape)]
    tables = [registration.Table(table=number) for number in range(1, shape.players // 2 + 1)]
    yield "registration", "organiser", [registration.VenueOpened(venue="v1", name="Old Town Hall", tables=tables)]
    for number in range(1, shape.players + 1):
        yield "registration", "organiser", [_joined(number)]
    entrants = [Entrant(player_id(number), f"Player {number}") for number in range(1, shape.players + 1)]
    games: list[Game] = []
    for round in range(1, shape.closed + 1 + shape.open):
        seats = seats_of(shape, round)
        yield "pairing", "organiser", _paired(round, seats)
        yield "pairing", "organiser", [_started(round)]
        if round > shape.closed:
            return
        for seat, facts in zip(seats, facts_of_round(shape, round), strict=True):
            yield from _played(round, seat, facts)
            typed = msgspec.convert(facts, Facts)
            score = score_game(ruleset, typed)
            games.append(Game(round, seat.table, "game", seat.player_1, seat.player_2, typed, score))
        yield "scoring", "organiser", _closed(rank(ruleset, entrants, games, round=round, seed=SEED), len(seats))


def _announced(ruleset: Ruleset, shape: Shape) -> Event:
    return registration.TournamentAnnounced(
        name="Measured Cup",
        format="swiss",
        ruleset=to_json(ruleset),
        tier="competitive",
        starts_on="2026-03-07",
        ends_on="2026-03-08",
        rounds=shape.closed + shape.open,
        organiser="organiser",
    )


def _joined(number: int) -> Event:
    return registration.PlayerJoined(
        player=player_id(number),
        name=f"Player {number}",
        faction=("rebel", "imperial")[number % 2],
        club=f"Club {number % 40}",
        venue="v1",
    )


def _paired(round: int, seats: list[Seat]) -> list[Event]:
    pages = in_pages(seats)
    drawn: list[Event] = [
        pairing.PairingsDrawn(round=round, page=number, pages=len(pages), pairings=page)
        for number, page in enumerate(pages, start=1)
    ]
    paired = pairing.RoundPaired(
        round=round, stage="swiss", method="random_in_bracket", games=len(seats), seed=SEED, made_from=0
    )
    return [*drawn, paired]


def _started(round: int) -> Event:
    return pairing.RoundStarted(round=round, minutes=120, ends_at="2026-03-07T12:00:00.000Z")


def _played(round: int, seat: Seat, facts: dict[str, Any]) -> Iterator[Appended]:
    yield "scoring", seat.player_1, [scoring.ResultReported(round=round, game=seat.game, facts=facts, side=1)]
    yield "scoring", seat.player_2, [scoring.ResultConfirmed(round=round, game=seat.game, side=2)]


def _closed(standings: Standings, games: int) -> list[Event]:
    recorded = standings_pages(as_rows(standings), standings.round, SEED, as_draws(standings))
    return [*recorded, scoring.RoundClosed(round=standings.round, games=games)]
