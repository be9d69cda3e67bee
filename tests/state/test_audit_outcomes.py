"""What an audit says when a log names another winner, other seeds, another round to have left after."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from muster.audit.findings import Failure, Findings
from muster.audit.logs import audit
from services.pairing.tournament import commands as pair
from services.scoring.tournament.commands import Conclude
from shared.events.recorded import Recorded
from shared.tournament.events import registration
from tests.state.logs import Club, armada_night, rechained
from tests.state.test_audit import DUST, dust, names, play, with_rosters


def forged(club: Club, source: str, type: str, **members: Any) -> list[Failure]:
    """What the audit finds when the last event of a type says something else, in a log that is chained anew.

    A forged hash changes every seed behind it; so only the last event of its log is told of.
    """
    log = club.logs[source]
    event = next(event for event in reversed(log) if event.type == type)
    data = msgspec.json.encode(msgspec.json.decode(event.data) | members, order="deterministic").decode()
    return found({**club.logs, source: rechained(log, {event.position: {"data": data}})})


def found(logs: dict[str, list[Recorded]]) -> list[Failure]:
    findings = Findings()
    audit(logs, findings)
    return findings.failures


def told(failures: list[Failure], code: str) -> list[tuple[str, str]]:
    return [(failure.found, failure.expected) for failure in failures if failure.code == code]


class TestWinner:
    def test_the_winner_that_the_service_named_is_the_one_that_follows(self):
        club = armada_night()
        findings = Findings()
        audit(club.logs, findings)
        assert (findings.failures, findings.counts["winners"]) == ([], 1)

    def test_another_winner_is_told_of(self):
        club = armada_night()
        right = club.read("scoring").state.results.winner
        wrong = next(player for player in club.ids.values() if player != right)
        (failure,) = forged(club, "scoring", "TournamentConcluded", winner=wrong)
        assert (failure.code, failure.found, failure.expected) == ("winner", f"winner {wrong}", right)
        assert failure.position == len(club.logs["scoring"])

    def test_another_number_of_rounds_is_told_of(self):
        assert told(forged(armada_night(), "scoring", "TournamentConcluded", rounds=2), "winner") == [
            ("concluded after 2 rounds", "3, as are closed")
        ]

    def test_a_draw_that_nobody_made_is_told_of(self):
        draw = {"purpose": "title", "round": 3, "order": ["p1", "p2"], "seed": "0" * 64}
        assert told(forged(armada_night(), "scoring", "TournamentConcluded", draws=[draw]), "draw") == [
            ("draw title of p1, p2", "no draw")
        ]

    def test_standings_that_somebody_left_since_are_recorded_before_the_end(self):
        club = Club("Ana", "Ben", "Cy", "Dee")
        for _ in range(3):
            club.play_round({"Ana": 300})
        club.say("registration", registration.PlayerDisqualified(player="p1", after_round=3, ground="loaded dice"))
        club.decide(Conclude())
        assert found(club.logs) == []

    def test_a_correction_after_the_end_names_another_winner_or_is_told_of(self):
        club = Club("Ana", "Ben")
        club.play_round({"Ana": 300})
        club.decide(Conclude(early="the hall closes"))
        before = club.read("scoring").state.results.winner
        seat = club.read("scoring").state.rounds.rounds[1].seats["r1g1"]
        club.correct("r1g1", *((10, 300) if seat.player_1 == before else (300, 10)))
        assert club.read("scoring").state.results.winner != before
        assert found(club.logs) == []
        silent = {**club.logs, "scoring": club.logs["scoring"][:-1]}
        assert [failure.code for failure in found(silent)] == ["winner"]


class TestCut:
    def cut(self) -> Club:
        random = Random(3)
        club = with_rosters(Club(*names(35), ruleset=DUST, rounds=None, tier="event"))
        for _ in range(3):
            play(club, random, dust)
        club.drop("Player 9")
        club.decide(pair.MakeCut())
        return club

    def test_the_seeds_that_the_service_took_are_those_that_follow(self):
        assert found(self.cut().logs) == []

    def test_other_seeds_are_told_of(self):
        club = self.cut()
        seeds = club.read("pairing").state.rounds.cut
        swapped = [seeds[1], seeds[0], *seeds[2:]]
        assert told(forged(club, "pairing", "CutMade", seeds=swapped), "cut") == [
            (f"seed 1 is {seeds[1]}", f"{seeds[0]}, by the standings of round 3")
        ]

    def test_other_standings_are_told_of(self):
        failures = told(forged(self.cut(), "pairing", "CutMade", made_from=1), "cut")
        assert [said for said, _ in failures] == ["made from scoring 1"]
        failures = told(forged(self.cut(), "pairing", "CutMade", after_round=2), "cut")
        assert failures == [("a cut after round 2", "one after round 3, once closed")]


def test_leaving_after_another_round_is_told_of():
    club = armada_night()
    failures = forged(club, "registration", "PlayerDropped", after_round=1)
    assert told(failures, "leaving") == [("p5 left after round 1", "after round 2, the last one closed then")]


def test_a_disqualification_after_another_round_is_told_of():
    club = Club("Ana", "Ben", "Cy")
    club.play_round()
    club.say("registration", registration.PlayerDisqualified(player="p1", after_round=0, ground="loaded dice"))
    assert told(found(club.logs), "leaving") == [("p1 left after round 0", "after round 1, the last one closed then")]
