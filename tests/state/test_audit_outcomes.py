"""Findings of the audit about wrong winners, seeds and rounds of drops."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from muster.audit.findings import Failure, Findings
from muster.audit.logs import audit
from services.pairing.swiss_cut import GiveUpSeat, MakeCut
from services.registration.withdrawals import DisqualifyPlayer
from services.scoring.rounds import Conclude
from shared.log.event import Recorded
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
    return [(failure.found, str(failure.expected)) for failure in failures if failure.code == code]


class TestWinner:
    def test_the_recorded_winner_passes(self):
        assert found(armada_night().logs) == []

    def test_a_wrong_winner_is_reported(self):
        club = armada_night()
        right = club.read("scoring").state.results.winner
        wrong = next(player for player in club.ids.values() if player != right)
        (failure,) = forged(club, "scoring", "TournamentConcluded", winner=wrong)
        assert (failure.code, failure.found, str(failure.expected)) == (
            "decision",
            f'Conclude: TournamentConcluded with winner "{wrong}"',
            f'TournamentConcluded with winner "{right}"',
        )
        assert failure.event == next(one.id for one in club.logs["scoring"] if one.type == "TournamentConcluded")

    def test_a_wrong_number_of_rounds_is_reported(self):
        assert told(forged(armada_night(), "scoring", "TournamentConcluded", rounds=2), "decision") == [
            ("Conclude: TournamentConcluded with rounds 2", "TournamentConcluded with rounds 3")
        ]

    def test_an_invented_draw_is_reported(self):
        draw = {"purpose": "title", "round": 3, "order": ["p1", "p2"], "seed": "0" * 64}
        ((said, expected),) = told(forged(armada_night(), "scoring", "TournamentConcluded", draws=[draw]), "decision")
        assert said.startswith('Conclude: TournamentConcluded with draws/0 {"purpose":"title"')
        assert expected == "TournamentConcluded with draws/0 nothing"

    def test_standings_after_a_drop_are_recorded_before_the_end(self):
        club = Club("Ana", "Ben", "Cy", "Dee")
        for _ in range(3):
            club.play_round({"Ana": 300})
        club.decide(DisqualifyPlayer(player="p1", reason="loaded dice"))
        club.decide(Conclude())
        assert found(club.logs) == []

    def test_a_correction_after_the_end_without_a_new_winner_is_reported(self):
        club = Club("Ana", "Ben")
        club.play_round({"Ana": 300})
        club.decide(Conclude(reason="the hall closes"))
        before = club.read("scoring").state.results.winner
        seat = club.read("scoring").state.rounds.rounds[1].seats["r1g1"]
        club.correct("r1g1", *((10, 300) if seat.player_1 == before else (300, 10)))
        assert club.read("scoring").state.results.winner != before
        assert found(club.logs) == []
        silent = {**club.logs, "scoring": club.logs["scoring"][:-1]}
        ((said, expected),) = told(found(silent), "decision")
        assert said == "CorrectResult: nothing after StandingsRecorded"
        assert expected.startswith("TournamentConcluded")


class TestCut:
    def cut(self) -> Club:
        random = Random(3)
        club = with_rosters(Club(*names(35), ruleset=DUST, rounds=None, tier="event"))
        for _ in range(3):
            play(club, random, dust)
        club.drop("Player 9")
        club.decide(MakeCut())
        return club

    def test_the_recorded_seeds_pass(self):
        assert found(self.cut().logs) == []

    def test_wrong_seeds_are_reported(self):
        club = self.cut()
        seeds = club.read("pairing").state.rounds.cut
        swapped = [seeds[1], seeds[0], *seeds[2:]]
        ((said, expected),) = told(forged(club, "pairing", "CutMade", seeds=swapped), "decision")
        assert f'seeds/0 "{seeds[1]}"' in said
        assert f'seeds/0 "{seeds[0]}"' in expected

    def test_a_wrong_replacement_is_reported(self):
        """DW-AMB-11."""
        club = self.cut()
        leaves = club.read("pairing").state.rounds.cut[0]
        club.decide(GiveUpSeat(player=leaves))
        assert found(club.logs) == []
        promoted = club.read("pairing").state.rounds.given_up[leaves]
        assert promoted
        for other in ("", next(player for player in club.ids.values() if player not in (promoted, leaves))):
            ((said, expected),) = told(forged(club, "pairing", "SeatGivenUp", promoted=other), "decision")
            assert (said, expected) == (
                f'GiveUpSeat: SeatGivenUp with promoted "{other}"',
                f'SeatGivenUp with promoted "{promoted}"',
            )

    def test_wrong_standings_are_reported(self):
        for forged_member, right in (({"made_from": 1}, "made_from"), ({"after_round": 2}, "after_round 3")):
            ((_, expected),) = told(forged(self.cut(), "pairing", "CutMade", **forged_member), "decision")
            assert right in expected


def test_a_wrong_round_of_a_drop_is_reported():
    club = armada_night()
    failures = forged(club, "registration", "PlayerDropped", after_round=1)
    assert told(failures, "decision")[0] == (
        "DropPlayer: PlayerDropped with after_round 1",
        "PlayerDropped with after_round 2",
    )


def test_a_wrong_round_of_a_disqualification_is_reported():
    club = Club("Ana", "Ben", "Cy")
    club.play_round()
    club.decide(DisqualifyPlayer(player="p1", reason="loaded dice"))
    assert found(club.logs) == []
    failures = forged(club, "registration", "PlayerDisqualified", after_round=0)
    assert told(failures, "decision")[0] == (
        "DisqualifyPlayer: PlayerDisqualified with after_round 0",
        "PlayerDisqualified with after_round 1",
    )
