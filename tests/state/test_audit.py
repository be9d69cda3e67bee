"""The audit repeats the decisions of the services: venues, spare players, brackets and manual changes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from muster.audit.findings import Failure, Findings
from muster.audit.logs import audit, decode_log
from services.pairing.amendments import AmendPairings
from services.pairing.rounds import PairRound, RepairRound
from services.pairing.swiss_clocks import StartRound
from services.pairing.swiss_cut import GiveUpSeat, MakeCut, OfferSpare
from services.registration.check_in import MovePlayer
from services.registration.players import Entry, JoinPlayers
from services.registration.staff import AppointStaff
from services.registration.swiss_rosters import SubmitRoster
from services.registration.swiss_sealed_rosters import SealedRoster
from services.registration.venues import OpenVenue
from services.registration.withdrawals import DisqualifyPlayer, ReinstatePlayer
from services.scoring import results as score
from services.scoring.rounds import CloseRound, Conclude, ReopenRound
from shared.formats.packs import shipped_ruleset, shipped_swiss
from shared.log.command_record import begins_command
from shared.log.event import Recorded
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import recorded_standings
from shared.swiss.roster_parts import split_sealed
from shared.swiss.standings import rows_as_json
from tests.auditing import failures, places
from tests.campaign.forging import Event, forged, of
from tests.state.logs import Club

ARMADA = shipped_swiss("star-wars-armada-1.1")
DUST = shipped_ruleset("dust-warfare-1.0")
FALLOUT = shipped_ruleset("fallout-factions-comp-1.0")
Facts = Callable[[Random, str], dict[str, Any]]


def names(count: int) -> list[str]:
    return [f"Player {number}" for number in range(1, count + 1)]


def armada(random: Random, kind: str) -> dict[str, Any]:
    return {"points_1": random.randrange(300), "points_2": random.randrange(300), "second_player": 2}


def fallout(random: Random, kind: str) -> dict[str, Any]:
    return {"points_1": random.randrange(20), "points_2": random.randrange(20), "scenario": "Melee"}


def dust(random: Random, kind: str) -> dict[str, Any]:
    winner = random.choice([1, 2, "draw"])
    return {"points_1": random.randrange(20), "points_2": random.randrange(20), "winner": winner}


def with_rosters(club: Club) -> Club:
    roster = ruleset_of(club.read("registration").state.entries).roster
    for player in club.ids.values():
        club.decide(SubmitRoster(player=player, roster=dict(roster.example), secret="a secret"))
    return club


def play(club: Club, random: Random, facts: Facts, scenario: str = "") -> int:
    """Pair the next round as the service does, play it, close it."""
    club.decide(PairRound(scenario=scenario))
    number = max(club.services["pairing"].state.rounds.rounds)
    club.decide(StartRound(round=number))
    finish(club, number, random, facts)
    return number


def finish(club: Club, number: int, random: Random, facts: Facts) -> None:
    seats = club.read("scoring").state.rounds.rounds[number].seats.values()
    results = [
        score.ReportResult(game=seat.game, facts=facts(random, seat.kind)) for seat in seats if seat.kind != "bye"
    ]
    club.decide(score.ReportResults(results=results))
    club.close(number)


def checked(club: Club) -> tuple[list[Failure], dict[str, int]]:
    findings = Findings()
    audit(club.logs, findings)
    return findings.failures, dict(findings.counts)


def holds(club: Club, pairings: int) -> None:
    failures, counts = checked(club)
    assert failures == []
    assert counts["commands"] == sum(begins_command(event) for log in club.logs.values() for event in log)
    assert sum(event.type == "RoundPaired" for event in club.logs["pairing"]) == pairings
    replays(club.logs, club)


def replays(logs: dict[str, list[Recorded]], club: Club) -> None:
    """Check that every closed round is replayed as it was last recorded."""
    findings = Findings()
    heard = {source: decode_log(log, findings) for source, log in logs.items()}
    state = club.read("scoring").state
    for round in state.results.closed:
        recorded = recorded_standings(state, round)
        assert recorded is not None
        assert places(heard, round) == rows_as_json(recorded)


@pytest.mark.parametrize("seed", range(12))
def test_three_venues_with_drops_corrections_and_moves_pass_the_audit(seed):
    random = Random(seed)
    club = Club(rounds=5, pairing_scope="venue")
    for venue in ("v1", "v2", "v3"):
        club.decide(OpenVenue(name=venue))
    club.ids = {name: f"p{number}" for number, name in enumerate(names(23), 1)}
    venues = {name: random.choice(["v1", "v2", "v3"]) for name in club.ids}
    club.decide(JoinPlayers(entries=[Entry(name=name, venue=venue) for name, venue in venues.items()]))
    for number in range(1, 6):
        play(club, random, armada)
        if number == 2:
            club.drop("Player 3")
            club.drop("Player 4")
            club.decide(DisqualifyPlayer(player="p5", reason="loaded dice"))
        if number == 4:
            club.correct("r1g1", 10, 290)
            club.decide(ReinstatePlayer(player="p3"))
        for player in random.sample(["p10", "p11", "p12", "p13"], 2):
            club.decide(MovePlayer(player=player, venue=random.choice(["v1", "v2", "v3"])))
    holds(club, 3 * 5)


@pytest.mark.parametrize("players", [5, 6, 9, 14])
def test_a_spare_player_in_every_round_passes_the_audit(players):
    random = Random(players)
    club = with_rosters(Club(*names(players), ruleset=FALLOUT, rounds=4, tier="event"))
    club.decide(AppointStaff(name="Sal", role="spare"))
    club.decide(OfferSpare(staff="s1"))
    for number in range(1, 5):
        play(club, random, fallout, scenario="Melee")
        if number == 2:
            club.drop("Player 2")
    spares = [
        seat
        for round in club.read("scoring").state.rounds.rounds.values()
        for seat in round.seats.values()
        if seat.kind == "spare"
    ]
    assert spares
    holds(club, 4)


@pytest.mark.parametrize("seed", range(3))
def test_a_cut_and_its_bracket_pass_the_audit(seed):
    random = Random(seed)
    club = with_rosters(Club(*names(35), ruleset=DUST, rounds=None, tier="event"))
    for _ in range(3):
        play(club, random, dust)
    club.decide(MakeCut())
    if seed == 1:
        gone = club.read("pairing").state.rounds.cut[1]
        club.decide(GiveUpSeat(player=gone))
    for _ in range(2):
        play(club, random, dust)
    stages = [round.stage for round in club.read("scoring").state.rounds.rounds.values()]
    assert stages == ["swiss"] * 3 + ["elimination"] * 2
    holds(club, 5)


def test_a_round_that_was_withdrawn_paired_again_and_amended_passes_the_audit():
    random = Random(7)
    club = Club(*names(12), rounds=3)
    play(club, random, armada)
    club.decide(PairRound())
    club.drop("Player 1")
    club.decide(RepairRound(round=2, reason="somebody left"))
    first, second = list(club.read("pairing").state.rounds.rounds[2].seats.values())[:2]
    club.decide(AmendPairings(round=2, reason="they share a car", swap=(first.player_1, second.player_1)))
    club.decide(StartRound(round=2))
    finish(club, 2, random, armada)
    club.decide(ReopenRound(round=2, reason="one slip came late"))
    club.decide(CloseRound(round=2))
    play(club, random, armada)
    holds(club, 4)


class TestLists:
    """AR-TIME-6: the log holds digests of closed fields, and later the matching values."""

    def submitted(self, **members: Any) -> list[tuple[str, str, str]]:
        club = Club("Ana", "Ben")
        club.decide(SubmitRoster(player="p1", roster=dict(ARMADA.roster.example), secret="a secret"))
        assert "a secret" not in club.file().decode()

        def forge(told: list[Event]) -> int:
            index = of(told, "RosterSubmitted")
            told[index]["data"].update(members)
            told[index]["command"]["data"].update(members)
            return index

        logs, _ = forged(club.logs, "registration", forge)
        return [(failure.code, failure.found, str(failure.expected)) for failure in failures(logs)]

    def test_a_list_recorded_by_registration_passes(self):
        assert self.submitted() == []

    @pytest.mark.clause("AR-TIME-6")
    def test_a_list_with_public_objective_cards_is_reported(self):
        ((code, _, expected),) = self.submitted(roster=dict(ARMADA.roster.example))
        assert code == "decision"
        assert "expected only its digest" in expected
        _, digests = split_sealed(ARMADA.roster.fields, ARMADA.roster.example, "a secret")
        for sealed, said in (({}, "nothing"), (digests | {"objectives": "Minefields"}, "Minefields")):
            ((code, _, expected),) = self.submitted(sealed=sealed)
            assert code == "decision"
            assert f"is {said}; expected a digest" in expected

    def test_a_digest_of_an_unknown_field_is_reported(self):
        _, sealed = split_sealed(ARMADA.roster.fields, ARMADA.roster.example, "a secret")
        ((code, _, expected),) = self.submitted(sealed=sealed | {"colour": "0" * 64})
        assert code == "decision"
        assert "expected nothing: this field is not hidden; send it in `roster`" in expected


class TestOpenings:
    """AR-TIME-6: opened lists equal the submitted ones and were legal then."""

    def test_lists_are_opened_with_play_and_at_the_end(self):
        club = with_rosters(Club(*names(4), rounds=1))
        play(club, Random(1), armada)
        club.decide(Conclude())
        assert sum(event.type == "RostersOpened" for event in club.logs["registration"]) == 2
        holds(club, 1)

    def test_an_opened_value_that_differs_from_the_list_is_reported(self):
        club = with_rosters(Club(*names(4), rounds=1))
        play(club, Random(1), armada)

        def forge(told: list[Event]) -> int:
            opened = of(told, "RostersOpened")
            for said in (told[opened]["data"], told[opened]["command"]["data"]):
                said["rosters"][2]["roster"]["faction"] = "imperial"
            return opened

        logs, position = forged(club.logs, "registration", forge)
        found = [one for one in failures(logs) if one.source == "registration"]
        assert {(one.code, one.position) for one in found} == {("decision", position)}
        assert "/rosters/2/roster/faction is " in str(found[0].expected)
        assert "as handed in" in str(found[0].expected)

    def test_an_illegal_list_is_reported_once_it_is_open(self):
        club = Club(*names(4), rounds=1)
        sheet = {**ARMADA.roster.example, "faction": "hutt"}
        _, digests = split_sealed(ARMADA.roster.fields, sheet, "a secret")
        (submitted, _) = club.decide(SubmitRoster(player="p1", roster={}, sealed=digests))
        club.lists["p1"] = SealedRoster("a secret", {name: sheet.get(name) for name in ARMADA.roster.fields})
        play(club, Random(1), armada)
        assert checked(club)[0] == [], "its objective cards are not open yet"
        club.decide(Conclude())
        ((failure,), _) = checked(club)
        assert (failure.code, failure.position) == ("roster", submitted.position)
        assert "AR-ROS-4" in str(failure.expected)


def test_a_game_with_sides_in_a_swiss_tournament_is_reported():
    club = Club(*names(6), rounds=1)
    play(club, Random(3), armada)

    def forge(told: list[Event]) -> int:
        drawn = of(told, "PairingsDrawn")
        one = told[drawn]["data"]["pairings"][0]
        one["sides"] = [[one["player_1"]], [one["player_2"]]]
        return drawn

    logs, position = forged(club.logs, "pairing", forge)
    (failure,) = [one for one in failures(logs) if one.source == "pairing"][:1]
    assert (failure.code, failure.position) == ("decision", position)
    assert "PairingsDrawn with pairings/0/sides [[" in failure.found
