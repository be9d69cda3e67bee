"""A small tournament in three logs in memory, each service deciding from what it had read of the others.

Every command is decided as its service does, and stands on record; what is said as events alone (`say`) does not.

    club = Club("Ana", "Ben", "Cy", "Dee", "Eve")
    club.play_round({"Ana": 300})           # paired, started, reported, confirmed, closed
    club.lines()                            # as `muster export` writes them
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from services.pairing.handlers import HANDLERS as PAIRING
from services.pairing.rounds import PairRound
from services.pairing.swiss_clocks import StartRound
from services.registration.handlers import HANDLERS as REGISTRATION
from services.registration.players import Entry, JoinPlayers
from services.registration.swiss_rosters import OpenRosters, SubmitRoster, due_rosters
from services.registration.swiss_sealed_rosters import SealedRoster
from services.registration.tournaments import AnnounceTournament
from services.registration.withdrawals import DropPlayer
from services.scoring.handlers import HANDLERS as SCORING
from services.scoring.results import ConfirmResult, CorrectResult, ReportResult
from services.scoring.rounds import CloseRound, Conclude
from shared.formats.fold import EVOLVE, evolve
from shared.formats.packs import shipped_ruleset
from shared.log.cloudevents import to_wire
from shared.log.event import EMPTY_HEAD, Actor, Event, Head, Recorded, compute_hash, event_id
from shared.log.log import Entry as LogEntry
from shared.log.log import Stamp, chain_events
from shared.rules.parts import to_json
from shared.service.commands import entries_of, recorded_entries
from shared.swiss.games import ruleset_of
from shared.swiss.ruleset import Ruleset
from shared.tournament.draws import with_draws
from shared.tournament.guards import By, Context, by_rule, recorded_actor
from shared.tournament.rounds import Seat
from shared.tournament.state import PrivateRow, Tournament
from tests.acting import acting
from tests.draws import oracle_of
from tests.issuing import with_token

ARMADA = shipped_ruleset("star-wars-armada-1.1")
BEGIN = datetime(2026, 3, 7, 10)
STAFF = By("organiser", "organiser")
HANDLERS = {"registration": REGISTRATION, "pairing": PAIRING, "scoring": SCORING}


class Service:
    """The state that one service has folded, and its position in each log."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.state = Tournament()
        self.heads = dict.fromkeys(EVOLVE, EMPTY_HEAD)


class Club:
    """A tournament under way. players: public names; ids are p1, p2 … in this order."""

    def __init__(
        self, *players: str, ruleset: Ruleset = ARMADA, tournament: str = "t-club", format: str = "swiss", **more: Any
    ) -> None:
        self.tournament = tournament
        self.logs: dict[str, list[Recorded]] = {source: [] for source in EVOLVE}
        self.services = {source: Service(source) for source in EVOLVE}
        self.commands = 0
        self.lists: dict[str, SealedRoster] = {}
        announced: dict[str, Any] = {"name": "Club night", "tier": "casual", "rounds": 3} | more
        self.decide(AnnounceTournament(format=format, ruleset=to_json(ruleset), **announced))
        self.ids = {name: f"p{number}" for number, name in enumerate(players, 1)}
        if players:
            self.decide(JoinPlayers(entries=[Entry(name=name) for name in self.ids]))

    # Reading and appending

    def read(self, source: str) -> Service:
        """Fold the other logs up to their ends."""
        service = self.services[source]
        for other, log in self.logs.items():
            for event in log[service.heads[other].position :]:
                evolve(service.state, event)
                service.heads[other] = Head(event.position, event.hash)
        return service

    def say(self, source: str, *events: Event, actor: str = "organiser", read: bool = True) -> list[Recorded]:
        """Append events of no command. read: False for a service that has not read what is new elsewhere."""
        service = self.read(source) if read else self.services[source]
        return self._append(service, entries_of(events), acting(actor))

    def decide(self, command: Any, by: By = STAFF, *, read: bool = True) -> list[Recorded]:
        """Let the service that knows a command decide it, and append what follows with it."""
        source = next(name for name, table in HANDLERS.items() if type(command) in table)
        service, row = self.read(source) if read else self.services[source], HANDLERS[source][type(command)]
        by = with_token(self.tournament, service.state.entries, by)
        oracle = oracle_of(service.state, source)
        context = Context(by, self._time(self.commands + 1), dict(service.heads), source, oracle)
        events = [one for one in row.decide(service.state, command, context) if not isinstance(one, PrivateRow)]
        recorded = self.record(command, by, *with_draws(events, oracle, keeps_back=row.drafts), read=read)
        if isinstance(command, SubmitRoster):
            fields = ruleset_of(service.state.entries).roster.fields
            self.lists[command.player] = SealedRoster(
                command.secret, {name: command.roster.get(name) for name in fields}
            )
        elif isinstance(command, StartRound | Conclude):
            self.open_lists()
        return recorded

    def open_lists(self) -> None:
        """Registration opens the lists that are due."""
        due = due_rosters(self.read("registration").state)
        if rosters := [opened for one in due if (opened := self.lists[one.player].opened(one))]:
            self.decide(OpenRosters(rosters=rosters), by_rule("AR-ROS-6"))

    def record(self, command: Any, by: By, *events: Event, read: bool = True) -> list[Recorded]:
        """Append events of a command without asking its service."""
        source = next(name for name, table in HANDLERS.items() if type(command) in table)
        service, row = self.read(source) if read else self.services[source], HANDLERS[source][type(command)]
        by = with_token(self.tournament, service.state.entries, by)
        entries = recorded_entries(events, command, by.authority, row.form)
        return self._append(service, entries, recorded_actor(service.state, by))

    def _append(self, service: Service, entries: Sequence[LogEntry], actor: Actor) -> list[Recorded]:
        self.commands += 1
        seen = {other: head.position for other, head in service.heads.items() if other != service.source}
        command = sha256(f"{self.tournament} {self.commands}".encode()).hexdigest()[:24]
        stamp = Stamp(actor, command, self._time(self.commands), seen)
        head = service.heads[service.source]
        recorded = chain_events(service.source, self.tournament, head, entries, stamp)
        for event in recorded:
            self.logs[service.source].append(event)
            evolve(service.state, event)
            service.heads[service.source] = Head(event.position, event.hash)
        return recorded

    @staticmethod
    def _time(number: int) -> str:
        return f"{BEGIN + timedelta(seconds=number):%Y-%m-%dT%H:%M:%S}.000Z"

    # What happens at a tournament

    def drop(self, name: str) -> None:
        self.decide(DropPlayer(player=self.ids[name]))

    def pair(self) -> list[Seat]:
        """Return the next round as the ruleset pairs it."""
        self.decide(PairRound())
        rounds = self.services["pairing"].state.rounds.rounds
        return list(rounds[max(rounds)].seats.values())

    def start(self, round: int) -> None:
        self.decide(StartRound(round=round))

    def report(self, game: str, points_1: int, points_2: int) -> None:
        """Player 1 reports, player 2 confirms."""
        number = int(game[1:].partition("g")[0])
        seat = self.read("scoring").state.rounds.rounds[number].seats[game]
        facts = {"points_1": points_1, "points_2": points_2, "second_player": 2}
        one, two = (By(player, "player") for player in (seat.player_1, seat.player_2))
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
    """Return a forged log: members of events replaced by position, and all later hashes recomputed."""
    forged: list[Recorded] = []
    for event in events:
        head = Head(forged[-1].position, forged[-1].hash) if forged else EMPTY_HEAD
        position = head.position + 1
        id = event_id(event.source, event.tournament, position)
        members = {**changed.get(event.position, {}), "position": position, "id": id, "prev_hash": head.hash}
        other = replace(event, **members)
        forged.append(replace(other, hash=compute_hash(other)))
    return forged
