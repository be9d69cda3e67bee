"""An event of 2,000 players in twenty halls, written into the databases of the services.

Three rounds are closed. In the fourth, results come in: some are disputed, referees are called, most are still open.
Many wait for a seat, hand in lists, and are of the staff.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from msgspec.structs import replace

from bench.story import RULESET, Appended, Shape, facts_of_round, recorded, seats_of, shelve, story
from services.pairing.app import PRIVATE
from shared.formats.packs import shipped_swiss
from shared.log.database import Database
from shared.log.event import Event
from shared.tournament import registration, results, rounds
from shared.tournament.state import CALL, Call, Private, PrivateRow

PLAYERS, HALLS, WAITING, STAFF = 2_000, 20, 150, 60
CALLED_AT = "2026-03-07T12:00:00.000Z"
TABLES = PLAYERS // 2 // HALLS
"""In each hall."""
SETTLED, REPORTED, DISPUTED, CALLS, LISTS, AWARDS = 400, 100, 40, 30, 150, 12
"""Of round 4: games by their state, and calls; lists that wait for staff; awards."""
GIVEN = (
    *("Aleksandra", "Benedikt", "Chiara", "Dorothée", "Emil", "Fatoumata", "Giuseppe", "Hannelore", "Ioannis", "Jo"),
    *("Katarzyna", "Lennart", "Małgorzata", "Niamh", "Otto", "Pilar", "Quentin", "Ragnhild", "Søren", "Thi Minh"),
)
FAMILY = (
    *("Almeida", "Brzęczyszczykiewicz", "Castellanos", "Dąbrowski", "Eriksson", "Fernández-Cortés", "Grünwald", "Ó Sé"),
    *("Papadopoulos", "van den Heuvel", "Kowalczyk", "Lindqvist", "McAllister", "Nagy", "Oberhuber", "Quist", "Rossi"),
    *("Schwarzenbacher", "Tremblay", "Uhl", "Villeneuve", "Wojciechowska", "Yıldırım", "Zimmermann"),
)


def crowded_event(databases: Mapping[str, Database], id: str, *, paired: bool = False) -> str:
    """Write the event into the database of each service. Return its id. paired: round 4 has not started."""
    logs = recorded(_told(paired), id)
    for database in databases.values():
        shelve(database, [logs])
    if not paired:
        with databases["pairing"].writing() as connection:
            PRIVATE.write(connection, id, Private(), list(_calls(Shape(PLAYERS, closed=3, open=True))))
    return id


def _told(paired: bool) -> Iterator[Appended]:
    shape, random = Shape(PLAYERS, closed=3, open=True), Random(PLAYERS)
    for source, actor, events in story(shape):
        for event in events:
            if isinstance(event, rounds.RoundStarted) and event.round == shape.closed + 1 and paired:
                return
        yield source, actor, [other for event in events for other in _crowded(event, random)]
    yield "registration", "organiser", [_appointed(number) for number in range(1, STAFF + 1)]
    yield "registration", "organiser", [_waits(number, random) for number in range(1, WAITING + 1)]
    yield "registration", "organiser", list(_lists())
    yield "scoring", "organiser", [_award(number) for number in range(1, AWARDS + 1)]
    yield "scoring", "organiser", list(_results(shape))


def _crowded(event: Event, random: Random) -> Iterator[Event]:
    """Yield an event of the story, with names as people have them, and in many halls."""
    match event:
        case registration.TournamentAnnounced():
            yield replace(event, capacity=PLAYERS, check_in=True, rounds=7)
        case registration.VenueOpened():
            tables = [registration.Table(table=number) for number in range(1, TABLES + 1)]
            for number in range(1, HALLS + 1):
                yield replace(event, venue=f"v{number}", name=f"Hall {number} of the fair", tables=tables)
        case registration.PlayerJoined():
            yield replace(event, name=name_of(random), venue=f"v{random.randint(1, HALLS)}")
        case rounds.PairingsDrawn():
            yield replace(event, pairings=[_seated(seat) for seat in event.pairings])
        case _:
            yield event


def name_of(random: Random) -> str:
    """Return a name as people have them."""
    return f"{random.choice(GIVEN)} {random.choice(FAMILY)}"


def _seated(seat: rounds.Seat) -> rounds.Seat:
    hall, table = divmod(seat.table - 1, TABLES)
    return replace(seat, venue=f"v{hall + 1}", table=table + 1)


def _appointed(number: int) -> Event:
    hall = f"v{(number - 1) % HALLS + 1}"
    return registration.StaffAppointed(staff=f"s{number}", name=f"Judge {number}", role="referee", venue=hall)


def _waits(number: int, random: Random) -> Event:
    return registration.PlayerWaitlisted(
        player=f"p{PLAYERS + number}", name=name_of(random), club=f"Club {number % 40}"
    )


def _lists() -> Iterator[Event]:
    example = shipped_swiss(RULESET).roster.example
    for number in range(1, LISTS + 1):
        yield registration.RosterSubmitted(player=f"p{number}", roster=example)


def _award(number: int) -> Event:
    return results.AwardGiven(
        award=f"a{number}", name=f"Award {number}", player=f"p{number * 3}", reason="by the vote of all"
    )


def _calls(shape: Shape) -> Iterator[PrivateRow]:
    seats = [_seated(seat) for seat in seats_of(shape, 4)]
    for number, seat in enumerate(seats[-CALLS:], 1):
        call = Call(
            id=f"c{number}",
            round=4,
            game=seat.game,
            caller=seat.player_1,
            venue=seat.venue,
            table=seat.table,
            reason="rules",
            text="may this ship move there at all?",
            called_at=CALLED_AT,
        )
        yield PrivateRow(CALL, call.id, call)


def _results(shape: Shape) -> Iterator[Event]:
    both = zip(seats_of(shape, 4), facts_of_round(shape, 4), strict=True)
    for number, (seat, facts) in enumerate(both, 1):
        if number > DISPUTED + REPORTED + SETTLED:
            return
        yield results.ResultReported(round=4, game=seat.game, facts=facts, side=1)
        if number <= DISPUTED:
            yield results.ResultDisputed(round=4, game=seat.game, side=2, reason="the last ship was out of range")
        elif number > DISPUTED + REPORTED:
            yield results.ResultConfirmed(round=4, game=seat.game, side=2)
