"""Verbs to tell a tournament with as a director would: events of three logs, folded; commands decided upon them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from services.pairing.app import due_follow_up
from services.pairing.handlers import FORMATS, HANDLERS
from services.pairing.judgement import Finding, findings, pair_by_rules
from services.pairing.publication import with_drafts
from services.pairing.rounds import PairRound
from services.pairing.swiss_clocks import StartRound
from services.scoring.handlers import HANDLERS as SCORING
from shared.formats.fold import evolve
from shared.formats.packs import shipped_ruleset
from shared.log.event import EMPTY_HEAD, Actor, Event, Head, Recorded
from shared.log.log import Entry, Stamp, chain_events
from shared.refusals import Refusal
from shared.roles import ISSUED
from shared.rules.parts import to_json
from shared.service.commands import entries_of, recorded_entries
from shared.swiss.ranking import as_draws, as_rows, standings_of_round
from shared.tournament import registration, results, rounds
from shared.tournament.draws import with_draws
from shared.tournament.guards import By, Context, recorded_actor
from shared.tournament.rounds import Seat
from shared.tournament.state import PrivateRow, Tournament
from tests.acting import acting
from tests.draws import FixedOracle, oracle_of
from tests.issuing import member_of, with_token

NOON = "2026-03-07T12:00:00.000Z"
ARMADA, FALLOUT, DUST = "star-wars-armada-1.1", "fallout-factions-comp-1.0", "dust-warfare-1.0"
ROUND_ROBIN = "round-robin"

FACTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    ARMADA: (
        {"points_1": 200, "points_2": 100, "end": "rounds", "second_player": 2},
        {"points_1": 100, "points_2": 200, "end": "rounds", "second_player": 2},
    ),
    FALLOUT: (
        {"points_1": 20, "points_2": 10, "scenario": "Melee"},
        {"points_1": 10, "points_2": 20, "scenario": "Melee"},
    ),
    DUST: (
        {"winner": 1, "points_1": 150, "points_2": 50},
        {"winner": 2, "points_1": 50, "points_2": 150},
    ),
    ROUND_ROBIN: ({"points_1": 1, "points_2": 0}, {"points_1": 0, "points_2": 1}),
}
"""Ruleset -> the facts of a game that the first side won, and of one that the second did."""


def pack(id: str = ARMADA, **parts: Mapping[str, Any]) -> dict[str, Any]:
    """A shipped pack with some members of some parts changed."""
    made = to_json(shipped_ruleset(id))
    for part, members in parts.items():
        made[part] = {**made[part], **members}
    return made


ARMADA_PACK = pack()


def with_cut(bracket: str = "seeded") -> dict[str, Any]:
    """Dust Warfare for small evenings: five players or more play two rounds, then the first four go on."""
    bands = [{"least": 2, "most": 4, "rounds": 2}, {"least": 5, "rounds": 4, "cut_to": 4, "cut_after": 2}]
    return pack(DUST, cut={"bracket": bracket}, rounds={"table": bands})


_ids = count(1)


class Story:
    """A tournament with its own id, built event by event.

    secrets_of: the name from which its draw secrets follow; not the running number, so that the order of tests changes
    no draw. logs: what each source has said so far. now: the time of what happens next.
    """

    def __init__(self, id: str = "", *, pack: dict[str, Any] = ARMADA_PACK, **announced: Any) -> None:
        self.id = id or f"t-{next(_ids)}"
        self.secrets_of = id
        self.state = Tournament()
        self.logs: dict[str, list[Recorded]] = {"registration": [], "pairing": [], "scoring": []}
        self.now = NOON
        members: dict[str, Any] = {
            "name": "Cup",
            "format": "swiss",
            "tier": pack["tiers"][-1]["id"],
            "rounds": 3,
        } | announced
        self.registration(registration.TournamentAnnounced(ruleset=pack, **members))

    def registration(self, *events: Event) -> None:
        self._append_events("registration", events)

    def scoring(self, *events: Event) -> None:
        self._append_events("scoring", events)

    def venue(self, name: str = "Hall", tables: int = 0, accessible: Sequence[int] = ()) -> str:
        """Open a venue with tables 1 to so many."""
        id = f"v{len(self.state.entries.venues) + 1}"
        numbers = range(1, tables + 1)
        listed = [registration.Table(table=number, accessible=number in accessible) for number in numbers]
        self.registration(registration.VenueOpened(venue=id, name=name, tables=listed))
        return id

    def staff(self, name: str = "Sam", role: str = "spare", venue: str = "") -> str:
        id = f"s{len(self.state.entries.staff) + 1}"
        self.registration(registration.StaffAppointed(staff=id, name=name, role=role, venue=venue))
        return id

    def join(self, count: int, *, venue: str = "", roster: bool = True) -> list[str]:
        """Add players, by default with an accepted list."""
        first = len(self.state.entries.players) + 1
        joined = [f"p{number}" for number in range(first, first + count)]
        for player in joined:
            self.registration(registration.PlayerJoined(player=player, name=player.upper(), venue=venue))
            if roster:
                self.registration(registration.RosterAccepted(player=player))
        return joined

    def drop(self, player: str) -> None:
        closed = self.state.results.rounds_closed()
        self.registration(registration.PlayerDropped(player=player, after_round=closed))

    def disqualify(self, player: str) -> None:
        closed = self.state.results.rounds_closed()
        self.registration(registration.PlayerDisqualified(player=player, after_round=closed, reason="dice"))

    def win(self, game: str, side: int = 1, *, confirmed: bool = True) -> None:
        """Report a game, and by default confirm it."""
        round = self.round_of(game)
        facts = FACTS[self.state.entries.ruleset["id"]][side - 1]
        facts = facts | {"kind": self.state.rounds.rounds[round].seats[game].kind}
        self.scoring(results.ResultReported(round=round, game=game, facts=facts, side=1))
        if confirmed:
            self.scoring(results.ResultConfirmed(round=round, game=game, side=2))

    def close(self, round: int) -> None:
        """Standings are recorded, unless they are held back, and the round is closed."""
        seed = self.heads["scoring"].hash
        if "standings" in self.state.entries.on_purpose:
            self.scoring(results.RoundClosed(round=round, games=len(self.seats(round)), seed=seed))
            return
        standings = standings_of_round(self.state, round, seed)
        rows, draws = as_rows(standings), as_draws(standings)
        pages = [rows[start : start + rounds.PAGE_ROWS] for start in range(0, len(rows), rounds.PAGE_ROWS)] or [[]]
        self.scoring(
            *(
                results.StandingsRecorded(
                    round=round, page=page, pages=len(pages), rows=part, seed=seed, draws=draws if page == 1 else []
                )
                for page, part in enumerate(pages, start=1)
            ),
            results.RoundClosed(round=round, games=len(self.seats(round))),
        )

    def finish(self, round: int) -> None:
        """Every open game is won by its first player, and the round is closed."""
        for game in self.state.open_games(round):
            self.win(game)
        self.close(round)

    def play(self, round: int | None = None) -> int:
        """A whole round, from its pairing to its end; returns its number."""
        scenario = "Melee" if self.state.entries.ruleset["id"] == FALLOUT else ""
        self.do(PairRound(round=round, scenario=scenario))
        number = max(self.state.rounds.rounds)
        self.do(StartRound(round=number))
        self.finish(number)
        return number

    def do(self, command: Any, role: str = "organiser", by: By | None = None) -> list[Any]:
        """Decide a command and let what follows happen."""
        by, row = by or self._caller(role), HANDLERS[type(command)]
        if row.complete is not None:
            command = row.complete(self.shown, command)
        oracle = oracle_of(self.state, "pairing", self.secrets_of)
        decided = self._decided(command, by, oracle)
        rows = [one for one in decided if isinstance(one, PrivateRow)]
        events = [one for one in decided if not isinstance(one, PrivateRow)]
        if rows:
            self.state.private = self.state.private.written(self.state.private.revision + 1, rows)
        events = with_draws(events, oracle, keeps_back=row.drafts)
        entries = recorded_entries(events, command, by.authority, row.form)
        self._append("pairing", entries, recorded_actor(self.state, by))
        return decided

    def _caller(self, role: str) -> By:
        """Return a caller of a role; one who is appointed to it if the log issues its tokens."""
        if role not in ISSUED:
            return By("someone", role)
        staff = member_of(self.state.entries, role) or self.staff(f"A {role}", role)
        return with_token(self.id, self.state.entries, By(staff, role))

    def judge(self, command: Any, role: str = "organiser") -> list[Any]:
        """Decide a command of scoring and let what follows happen."""
        context = Context(By("someone", role), self.now, self.heads, "scoring", oracle_of(self.state, "scoring"))
        events = list(SCORING[type(command)].decide(self.state, command, context))
        self.scoring(*events)
        return events

    def follow(self) -> list[Any]:
        """Let pairing react to scoring's log, as its worker does after it has copied it."""
        due = due_follow_up(self.shown, self.id)
        return self.do(due[0], by=due[1]) if due else []

    def decide(self, command: Any, role: str = "organiser", actor: str = "someone") -> list[Any]:
        """Return the events of a command without applying them."""
        return self._decided(command, By(actor, role), oracle_of(self.state, "pairing", self.secrets_of))

    def _decided(self, command: Any, by: By, oracle: FixedOracle) -> list[Any]:
        row = HANDLERS[type(command)]
        state = self.shown if row.drafts else self.state
        return list(row.decide(state, command, Context(by, self.now, self.heads, "pairing", oracle)))

    @property
    def shown(self) -> Tournament:
        """The state as staff see it, with drafts."""
        return with_drafts(self.state)

    def refusal(self, command: Any, role: str = "organiser", actor: str = "someone") -> Any:
        """The refusal of a command."""
        try:
            events = self.decide(command, role, actor)
        except Refusal as refusal:
            return refusal
        raise AssertionError(f"not refused: {events}")

    def judged(self, number: int) -> list[Finding]:
        """Return the judgement of a round."""
        state = self.shown
        format, round = FORMATS[state.entries.format], state.rounds.rounds[number]
        return findings(format, state, round, pair_by_rules(format, state, round, self.heads))

    @property
    def heads(self) -> dict[str, Head]:
        return {
            source: Head(log[-1].position, log[-1].hash) if log else EMPTY_HEAD for source, log in self.logs.items()
        }

    def seats(self, round: int) -> list[Seat]:
        return list(self.shown.rounds.rounds[round].seats.values())

    def seat_of(self, round: int, player: str) -> Seat:
        (seat,) = [seat for seat in self.seats(round) if player in (seat.player_1, seat.player_2)]
        return seat

    def pairs(self, round: int) -> set[frozenset[str]]:
        """Return the pairings as sets of players; a bye is a set of one."""
        return {frozenset({seat.player_1, seat.player_2} - {""}) for seat in self.seats(round)}

    @staticmethod
    def round_of(game: str) -> int:
        return int(game.removeprefix("r").partition("g")[0])

    def _append_events(self, source: str, events: Sequence[Event]) -> None:
        self._append(source, entries_of(events), acting("someone"))

    def _append(self, source: str, entries: Sequence[Entry], actor: Actor) -> None:
        seen = {other: head.position for other, head in self.heads.items() if other != source}
        stamp = Stamp(actor, f"c{sum(map(len, self.logs.values()))}", self.now, seen)
        for recorded in chain_events(source, self.id, self.heads[source], entries, stamp):
            self.logs[source].append(recorded)
            evolve(self.state, recorded)
