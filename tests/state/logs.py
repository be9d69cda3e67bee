"""A small tournament in three logs in memory, each service deciding from what it had read of the others.

Scoring decides as the service does, pairing too where it is asked to; all else is said as events.

    club = Club("Ana", "Ben", "Cy", "Dee", "Eve")
    club.play_round({"Ana": 300})           # paired, started, reported, confirmed, closed
    club.lines()                            # as `muster export` writes them
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from services.pairing.handlers import HANDLERS
from services.scoring import handlers as of_scoring
from services.scoring.tournament.commands import CloseRound, Conclude, ConfirmResult, CorrectResult, ReportResult
from shared.eventlog.append import Entry, Stamp, chained
from shared.events.base import Event
from shared.events.canonical import canonical
from shared.events.cloudevents import to_wire
from shared.events.recorded import EMPTY, Head, Recorded
from shared.formats.catalogue import CATALOGUE
from shared.formats.fold import EVOLVE, evolve
from shared.formats.pack import shipped_ruleset
from shared.formats.swiss.games import entrants_of, games_of
from shared.formats.swiss.ranking import recorded_standings
from shared.formats.swiss.rules.pairing import pair_round
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.ruleset import ruleset_of
from shared.rules.ruleset import to_json
from shared.tournament.context import By, Context
from shared.tournament.events import pairing, registration
from shared.tournament.events.pairing import Seat
from shared.tournament.state import Tournament

ARMADA = shipped_ruleset("star-wars-armada-1.1")
STAFF = By("referee", "head_referee")


class Service:
    """What one service has folded, and how far it has read each log."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.state = Tournament()
        self.heads = dict.fromkeys(EVOLVE, EMPTY)


class Club:
    """A tournament under way. players: public names; ids are p1, p2 … in this order."""

    def __init__(
        self, *players: str, ruleset: Ruleset = ARMADA, tournament: str = "t-club", format: str = "swiss", **more: Any
    ) -> None:
        self.tournament = tournament
        self.logs: dict[str, list[Recorded]] = {source: [] for source in EVOLVE}
        self.services = {source: Service(source) for source in EVOLVE}
        self.commands = 0
        announced: dict[str, Any] = {"name": "Club night", "tier": "casual", "rounds": 3} | more
        self.say("registration", registration.TournamentAnnounced(format=format, ruleset=to_json(ruleset), **announced))
        self.ids = {name: f"p{number}" for number, name in enumerate(players, 1)}
        if players:
            self.say("registration", *(registration.PlayerJoined(player=id, name=n) for n, id in self.ids.items()))

    # Reading and appending

    def read(self, source: str) -> Service:
        """Let a service read the other logs to their ends."""
        service = self.services[source]
        for other, log in self.logs.items():
            for event in log[service.heads[other].position :]:
                evolve(service.state, event)
                service.heads[other] = Head(event.position, event.hash)
        return service

    def say(self, source: str, *events: Event, actor: str = "organiser", read: bool = True) -> list[Recorded]:
        """Append the events of one command. read: False for a service that has not read what is new elsewhere."""
        service = self.read(source) if read else self.services[source]
        self.commands += 1
        entries = [Entry(type(e).__name__, CATALOGUE[type(e).__name__].version, canonical(e)) for e in events]
        seen = {other: head.position for other, head in service.heads.items() if other != source}
        command = sha256(f"{self.tournament} {self.commands}".encode()).hexdigest()[:24]
        stamp = Stamp(actor, command, f"2026-03-07T10:{self.commands // 60:02}:{self.commands % 60:02}.000Z", seen)
        recorded = chained(source, self.tournament, service.heads[source], entries, stamp)
        for event in recorded:
            self.logs[source].append(event)
            evolve(service.state, event)
            service.heads[source] = Head(event.position, event.hash)
        return recorded

    def decide(self, command: Any, by: By = STAFF, *, read: bool = True) -> list[Recorded]:
        """Let scoring or pairing decide a command, and append what follows."""
        source = "scoring" if type(command) in of_scoring.HANDLERS else "pairing"
        handlers = {**of_scoring.HANDLERS, **HANDLERS}
        service = self.read(source) if read else self.services[source]
        context = Context(by, "2026-03-07T10:00:00.000Z", dict(service.heads), source)
        return self.say(source, *handlers[type(command)].decide(service.state, command, context), read=False)

    # What happens at a tournament

    def drop(self, name: str) -> None:
        state = self.read("registration").state
        after = state.results.rounds_closed()
        self.say("registration", registration.PlayerDropped(player=self.ids[name], after_round=after))

    def pair(self) -> list[Seat]:
        """The next round as the ruleset pairs it."""
        service = self.read("pairing")
        state = service.state
        number = max(state.rounds.rounds, default=0) + 1
        own = service.heads["pairing"]
        seed = own.hash if own.position else service.heads["registration"].hash
        made = pair_round(
            ruleset_of(state.entries),
            entrants_of(state),
            games_of(state, number - 1, stage="swiss"),
            round=number,
            seed=seed,
            standings=recorded_standings(state, number - 1),
        )
        seats = [
            Seat(
                game=f"r{number}g{table}",
                kind=pairing_.kind,
                player_1=pairing_.player_1,
                player_2=pairing_.player_2 or "",
                reason=pairing_.reason,
            )
            for table, pairing_ in enumerate(made.pairings, 1)
        ]
        draws = [
            pairing.DrawMade(purpose=draw.purpose, round=draw.round, order=list(draw.order), seed=draw.seed)
            for draw in made.draws
        ]
        recorded = state.results.recorded.get(number - 1)
        policy = [s for s in ruleset_of(state.entries).pairing.stages if s.from_round <= number][-1].policy
        self.stand(seats, method=policy, seed=seed, draws=draws, made_from=recorded.position if recorded else 0)
        return seats

    def stand(self, seats: Sequence[Seat], page: int = 3, **more: Any) -> None:
        """Record a round as paired, in pages of `page` pairings."""
        number = int(seats[0].game[1:].partition("g")[0])
        pages = [list(seats[start : start + page]) for start in range(0, len(seats), page)]
        self.say(
            "pairing",
            *(
                pairing.PairingsDrawn(round=number, page=index, pages=len(pages), pairings=part)
                for index, part in enumerate(pages, 1)
            ),
            pairing.RoundPaired(round=number, stage="swiss", games=len(seats), **more),
        )

    def start(self, round: int) -> None:
        self.say("pairing", pairing.RoundStarted(round=round, minutes=120, ends_at="2026-03-07T12:00:00.000Z"))

    def report(self, game: str, points_1: int, points_2: int) -> None:
        """Player 1 reports, player 2 confirms."""
        number = int(game[1:].partition("g")[0])
        seat = self.read("scoring").state.rounds.rounds[number].seats[game]
        facts = {"points_1": points_1, "points_2": points_2, "second_player": 2}
        one, two = (By(player, "player", player) for player in (seat.player_1, seat.player_2))
        self.decide(ReportResult(game=game, facts=facts), one)
        self.decide(ConfirmResult(game=game), two)

    def play_round(self, points: Mapping[str, int] | None = None, *, close: bool = True) -> int:
        """Pair, start, play and close the next round; whoever is not in `points` scores 100."""
        scored = {self.ids[name]: value for name, value in (points or {}).items()}
        seats = self.pair()
        number = int(seats[0].game[1:].partition("g")[0])
        self.start(number)
        for seat in seats:
            if seat.kind == "game":
                self.report(seat.game, scored.get(seat.player_1, 100), scored.get(seat.player_2, 100))
        if close:
            self.close(number)
        return number

    def close(self, round: int) -> None:
        self.decide(CloseRound(round=round))

    def correct(self, game: str, points_1: int, points_2: int) -> None:
        facts = {"points_1": points_1, "points_2": points_2, "second_player": 2}
        self.decide(CorrectResult(game=game, facts=facts, reason="slips mixed up"))

    # As a file

    def lines(self) -> list[bytes]:
        return [to_wire(event) for log in self.logs.values() for event in log]

    def file(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines())


def armada_night() -> Club:
    """Five players, three rounds with byes, a drop and a correction after the last round but one."""
    club = Club("Ana", "Ben", "Cy", "Dee", "Eve")
    club.play_round({"Ana": 300, "Ben": 180})
    club.play_round({"Ana": 250, "Cy": 140})
    club.correct("r1g1", 40, 220)
    club.drop("Eve")
    club.play_round({"Dee": 90, "Ben": 20})
    club.decide(Conclude())
    return club


def rechained(events: Sequence[Recorded], changed: Mapping[int, Mapping[str, Any]]) -> list[Recorded]:
    """A log forged with care: members of events replaced by position, and every hash behind them made anew."""
    import msgspec

    forged: list[Recorded] = []
    for event in events:
        members = msgspec.structs.asdict(event) | dict(changed.get(event.position, {}))
        head = Head(forged[-1].position, forged[-1].hash) if forged else EMPTY
        entry = Entry(members["type"], members["version"], members["data"])
        seen = msgspec.json.decode(members["seen"])
        stamp = Stamp(members["actor"], members["command_id"], members["time"], seen)
        forged += chained(event.source, event.tournament, head, [entry], stamp)
    return forged
