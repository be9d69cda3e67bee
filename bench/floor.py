"""The floor of a tournament in play: its open games, and what the players' phones send about them."""

from __future__ import annotations

import time
from uuid import uuid4

import orjson

from bench.load import Request
from bench.shelf import recorded, shelve
from bench.story import Shape, facts_of_round, seats_of, story
from shared.application.deciding import entries_of
from shared.clock import utc_now
from shared.eventlog.append import Stamp, append
from shared.eventlog.database import Database
from shared.eventlog.read import head_of
from shared.formats.fold import data_of
from shared.roles import PLAYER
from shared.tournament.events.scoring import ResultVoided
from shared.tournament.issued_tokens import entry_token
from shared.web.tokens import Issuer, mint


class Floor:
    """Tournaments whose last round has started, in scoring's database, as copies and own log alike.

    shape: of each of them; its `open` round is the one that results come in for. logs: of each, for whoever is to hold
    copies of them; recorded anew they would have other salts, and other hashes.
    """

    def __init__(self, database: Database, issuer: Issuer, shape: Shape, tournaments: int) -> None:
        self._database = database
        self._issuer = issuer
        self.round = shape.closed + 1
        self.tournaments = [f"t-{uuid4().hex[:12]}" for _ in range(tournaments)]
        self.seats = seats_of(shape, self.round)
        self.facts = facts_of_round(shape, self.round)
        told = list(story(shape))
        self.logs = [recorded(told, tournament) for tournament in self.tournaments]
        shelve(database, self.logs)
        self._entered = {
            data_of(event)["player"]: event.time
            for event in self.logs[0]["registration"]
            if event.type == "PlayerJoined"
        }
        self._tokens: dict[tuple[str, str], str] = {}

    def reports(self, side: int = 1) -> list[Request]:
        """Every open game's result, posted by one of its players; neighbours in the list are different tournaments."""
        return [
            self.report(tournament, number, side)
            for number in range(len(self.seats))
            for tournament in self.tournaments
        ]

    def report(self, tournament: str, number: int, side: int) -> Request:
        """The result of one game, by the player of one side, under a new idempotency key."""
        seat = self.seats[number]
        headers = {
            "Authorization": f"Bearer {self._token(tournament, (seat.player_1, seat.player_2)[side - 1])}",
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid4()),
        }
        body = orjson.dumps({"facts": self.facts[number]})
        return Request("POST", f"/tournaments/{tournament}/games/{seat.game}/result", headers, body)

    def standings(self, tournament: str, seen: str = "") -> Request:
        """The present standings, at least as far as `seen` (the header Muster-Seen of an answer)."""
        return Request("GET", f"/tournaments/{tournament}/standings", {"Muster-Seen": seen} if seen else {})

    def clear(self) -> None:
        """Take every result of the open round back, so that the same games can be reported again."""
        for tournament in self.tournaments:
            with self._database.reading() as connection:
                head = head_of(connection, "scoring", tournament)
            events = [ResultVoided(round=self.round, game=seat.game, reason="measured again") for seat in self.seats]
            stamp = Stamp("organiser", uuid4().hex, utc_now(), {})
            append(self._database, "scoring", tournament, head, entries_of(events), stamp)

    def _token(self, tournament: str, player: str) -> str:
        place = (tournament, player)
        if place not in self._tokens:
            now = int(time.time())
            self._tokens[place] = mint(
                self._issuer,
                actor=player,
                role=PLAYER,
                tournament=tournament,
                jti=entry_token(tournament, player, self._entered[player]),
                iat=now,
                exp=now + 86_400,
                player=player,
            )
        return self._tokens[place]
