"""Properties of any sequence of commands: no player is paired twice or after leaving, and the log has it all."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from services.pairing.amendments import AmendPairings, MoveTable
from services.pairing.plans import ByHand
from services.pairing.rounds import PairRound, RepairRound, WithdrawRound
from services.pairing.swiss_clocks import StartRound
from services.pairing.swiss_cut import GiveUpSeat, MakeCut, OfferSpare, RecallSpare
from shared.formats.fold import encode, fold
from shared.refusals import Refusal
from shared.tournament import registration
from shared.tournament.state import Tournament
from tests.auditing import decided_again
from tests.examples import examples
from tests.services.pairing.stories import ARMADA, DUST, FALLOUT, Story, pack, with_cut

PACKS = {ARMADA: pack(), FALLOUT: pack(FALLOUT), DUST: pack(DUST), "cut": with_cut(), "reseed": with_cut("reseed")}
numbers = st.integers(0, 10_000)


class Evening(RuleBasedStateMachine):
    """A tournament at the mercy of its staff and its players."""

    story: Story

    @initialize(
        ruleset=st.sampled_from(sorted(PACKS)),
        scope=st.sampled_from(["event", "venue"]),
        venues=st.integers(0, 3),
        players=st.integers(2, 14),
    )
    def announce(self, ruleset: str, scope: str, venues: int, players: int) -> None:
        scope = scope if venues else "event"
        rounds = None if ruleset in ("cut", "reseed") else 6
        self.story = Story("t-1", pack=PACKS[ruleset], pairing_scope=scope, rounds=rounds)
        homes = [self.story.venue(f"Hall {number}", tables=9, accessible=[9]) for number in range(venues)]
        for index in range(players):
            self.story.join(1, venue=homes[index % venues] if homes else "")
        self.story.staff("Sam")
        self.story.staff("Otto", venue=homes[0] if homes else "")

    def attempt(self, command: Any, role: str = "organiser") -> list[Any]:
        """Do it, or be refused by name."""
        try:
            return self.story.do(command, role)
        except Refusal:
            return []

    def player(self, number: int) -> str:
        players = list(self.story.state.entries.players)
        return players[number % len(players)]

    def latest(self) -> int:
        return max(self.story.state.rounds.rounds, default=0)

    @rule(scenario=st.sampled_from(["", "Melee"]))
    def pair(self, scenario: str) -> None:
        if self.attempt(PairRound(scenario=scenario)):
            self.nobody_who_left_was_paired()

    @rule(scenario=st.sampled_from(["", "Melee"]))
    def play(self, scenario: str) -> None:
        """A round without incident, so that later ones are reached."""
        if self.attempt(PairRound(scenario=scenario)) and self.attempt(StartRound(round=self.latest())):
            self.story.finish(self.latest())

    @rule(number=numbers, rematch=st.booleans(), scenario=st.sampled_from(["", "Melee"]))
    def pair_by_hand(self, number: int, rematch: bool, scenario: str) -> None:
        active = [player.id for player in self.story.state.entries.active()]
        active = active[number % len(active) :] + active[: number % len(active)] if active else []
        pairings = [ByHand(player_1=one, player_2=two) for one, two in zip(active[::2], active[1::2], strict=False)]
        pairings += [ByHand(player_1=active[-1])] if len(active) % 2 else []
        if self.attempt(PairRound(pairings=pairings, allow_rematch=rematch, scenario=scenario)):
            self.nobody_who_left_was_paired()

    def nobody_who_left_was_paired(self) -> None:
        for seat in self.story.seats(self.latest()):
            assert all(self.story.state.entries.players[player].status == "active" for player in seat.players)

    @rule(role=st.sampled_from(["organiser", "head_referee"]))
    def withdraw(self, role: str) -> None:
        self.attempt(WithdrawRound(round=self.latest(), reason="x"), role)

    @rule()
    def repair(self) -> None:
        scenario = "Melee" if self.story.state.entries.ruleset["id"] == FALLOUT else ""
        if self.attempt(RepairRound(round=self.latest(), reason="x", scenario=scenario)):
            self.nobody_who_left_was_paired()

    @rule(one=numbers, two=numbers)
    def swap(self, one: int, two: int) -> None:
        swap = (self.player(one), self.player(two))
        self.attempt(AmendPairings(round=self.latest(), reason="x", swap=swap, allow_rematch=True))

    @rule(one=numbers)
    def give_a_bye(self, one: int) -> None:
        pairings = [ByHand(player_1=self.player(one))]
        self.attempt(AmendPairings(round=self.latest(), reason="x", pairings=pairings))

    @rule(table=st.integers(1, 9), number=numbers)
    def move(self, table: int, number: int) -> None:
        if self.latest():
            seats = self.story.seats(self.latest())
            game = seats[number % len(seats)].game if seats else "r1g1"
            self.attempt(MoveTable(round=self.latest(), game=game, table=table))

    @rule()
    def start(self) -> None:
        if self.attempt(StartRound(round=self.latest())):
            self.nobody_who_left_was_paired()

    def started(self) -> bool:
        latest = self.story.state.rounds.latest() if hasattr(self, "story") else None
        return bool(latest and latest.has_started and latest.number not in self.story.state.results.closed)

    @precondition(started)
    @rule(number=numbers, side=st.sampled_from([1, 2]), confirmed=st.booleans())
    def report(self, number: int, side: int, confirmed: bool) -> None:
        known = self.story.state.results.results
        waiting = [s.game for s in self.story.seats(self.latest()) if s.kind != "bye" and s.game not in known]
        if waiting:
            self.story.win(waiting[number % len(waiting)], side, confirmed=confirmed)

    @precondition(started)
    @rule()
    def finish(self) -> None:
        self.story.finish(self.latest())

    @rule(number=numbers)
    def drop(self, number: int) -> None:
        player = self.story.state.entries.players[self.player(number)]
        if player.status == "active" and self.latest():
            self.story.drop(player.id)

    @rule(number=numbers)
    def disqualify(self, number: int) -> None:
        player = self.story.state.entries.players[self.player(number)]
        if player.status == "active" and self.latest():
            self.story.disqualify(player.id)

    @rule(number=numbers)
    def reinstate(self, number: int) -> None:
        player = self.story.state.entries.players[self.player(number)]
        if player.status == "dropped":
            self.story.registration(registration.PlayerReinstated(player=player.id))

    @rule(number=numbers, venue=st.integers(1, 3))
    def move_player(self, number: int, venue: int) -> None:
        player = self.story.state.entries.players[self.player(number)]
        if player.status == "active" and f"v{venue}" in self.story.state.entries.venues:
            self.story.registration(registration.PlayerMoved(player=player.id, venue=f"v{venue}"))

    @rule(number=numbers, venue=st.integers(1, 3), table=st.integers(1, 9))
    def pin(self, number: int, venue: int, table: int) -> None:
        if f"v{venue}" in self.story.state.entries.venues:
            player = self.player(number)
            self.story.registration(registration.PlayerPinned(player=player, venue=f"v{venue}", table=table))

    @rule(staff=st.sampled_from(["s1", "s2"]), here=st.booleans())
    def spare(self, staff: str, here: bool) -> None:
        self.attempt(OfferSpare(staff=staff) if here else RecallSpare(staff=staff))

    @rule(places=st.sampled_from([None, 2, 3, 4]))
    def cut(self, places: int | None) -> None:
        self.attempt(MakeCut(places=places))

    @rule(number=numbers)
    def give_up(self, number: int) -> None:
        self.attempt(GiveUpSeat(player=self.player(number)))

    @invariant()
    def nobody_sits_twice_and_no_table_is_shared(self) -> None:
        for number in self.story.state.rounds.rounds if hasattr(self, "story") else ():
            seats = self.story.seats(number)
            seated = Counter(player for seat in seats for player in (seat.player_1, seat.player_2) if player)
            assert not [player for player, times in seated.items() if times > 1]
            places = Counter((seat.venue, seat.table) for seat in seats if seat.table)
            done = self.story.state.results.results
            for place, games in places.items():
                here = [seat.game for seat in seats if (seat.venue, seat.table) == place and seat.game not in done]
                assert games == 1 or len(here) <= 1

    @invariant()
    def no_round_is_paired_before_the_one_before_is_closed(self) -> None:
        if hasattr(self, "story"):
            rounds = sorted(self.story.state.rounds.rounds)
            assert rounds == list(range(1, len(rounds) + 1))
            assert all(number in self.story.state.results.closed for number in rounds[:-1])

    def teardown(self) -> None:
        if hasattr(self, "story"):
            assert decided_again(self.story.logs, "pairing") == []
            folded = fold(Tournament(), [event for log in self.story.logs.values() for event in log])
            assert encode(folded) == encode(self.story.state)


Evening.TestCase.settings = settings(
    max_examples=examples(60), stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestEvening = Evening.TestCase
