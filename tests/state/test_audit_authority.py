"""The audit checks that actors were entitled to their commands and that rules acted when due.

A club of these tests asks nobody whether they may; so what it writes is what a service would have refused.
"""

from __future__ import annotations

import pytest

from muster.audit.findings import Failure
from services.pairing.rounds import PairRound
from services.pairing.swiss_clocks import StartRound
from services.registration.check_in import CheckIn
from services.registration.season_tournaments import GatherTournament
from services.registration.staff import AppointStaff, DismissStaff, RevokeToken
from services.registration.swiss_rosters import DropAbsentPlayer, dropped_for_absence
from services.registration.venues import OpenVenue
from services.registration.withdrawals import WarnPlayer
from services.scoring.results import ConfirmResult, ReportResult
from shared.log.event import Actor, actor_json
from shared.season.entries import TournamentGathered
from shared.tournament.guards import By, by_rule
from shared.tournament.registration import PlayerDropped
from shared.tournament.results import ResultConfirmed, ResultReported
from tests.auditing import failures
from tests.issuing import with_token
from tests.state.logs import Club, rechained

FACTS = {"points_1": 100, "points_2": 20, "second_player": 2}
REX = By("s1", "referee")


@pytest.fixture
def club() -> Club:
    """Four players in the middle of round 1; Rex is a referee."""
    club = Club("Ana", "Ben", "Cy", "Dee")
    club.decide(AppointStaff(name="Rex", role="referee"))
    club.decide(PairRound())
    club.decide(StartRound(round=1))
    return club


def told(club: Club, code: str) -> Failure:
    """Return the only finding."""
    (found,) = failures(club.logs)
    assert found.code == code, found
    return found


def test_a_report_of_a_referee_passes(club: Club) -> None:
    club.decide(ReportResult(game="r1g1", facts=FACTS), REX)
    assert failures(club.logs) == []


def test_an_unappointed_actor_is_reported(club: Club) -> None:
    club.decide(ReportResult(game="r1g1", facts=FACTS), By("s9", "referee"))
    found = told(club, "authority")
    assert (found.source, found.position) == ("scoring", 1)
    assert (found.found, str(found.expected)) == (
        "ReportResult by s9, referee",
        "a refusal: Nobody was appointed as s9. (forbidden)",
    )


def test_a_referee_in_a_wrong_role_is_reported(club: Club) -> None:
    club.decide(ReportResult(game="r1g1", facts=FACTS), By("s1", "head_referee"))
    assert "as referee, not as head_referee" in str(told(club, "authority").expected)


def test_a_dismissed_referee_is_reported(club: Club) -> None:
    club.decide(DismissStaff(tournament=club.tournament, staff="s1"))
    club.decide(ReportResult(game="r1g1", facts=FACTS), REX)
    assert "Rex was dismissed" in str(told(club, "authority").expected)


def test_a_dismissal_that_the_service_had_not_seen_is_no_fault(club: Club) -> None:
    club.read("scoring")
    club.decide(DismissStaff(tournament=club.tournament, staff="s1"))
    club.decide(ReportResult(game="r1g1", facts=FACTS), REX, read=False)
    assert failures(club.logs) == []


def test_a_revoked_link_is_reported(club: Club) -> None:
    rex = with_token(club.tournament, club.read("registration").state.entries, REX)
    club.decide(RevokeToken(token_id=rex.token))
    club.decide(ReportResult(game="r1g1", facts=FACTS), rex)
    assert "revoked the token" in str(told(club, "authority").expected)


@pytest.mark.parametrize(
    "by",
    [
        By("s1", "referee", token="9d1c62a0f3b54e7788aa0011"),
        By("s1", "referee", token="t-club.s2.1772877601000"),
        By("p1", "player", token="9d1c62a0f3b54e7788aa0011"),
        By("p1", "player", token="t-club.p2.1772877602000"),
        By("t-other.p1", "player", token="t-club.p1.1772877602000"),
    ],
)
def test_a_token_that_the_log_did_not_issue_is_reported(club: Club, by: By) -> None:
    club.decide(ReportResult(game="r1g1", facts=FACTS))
    club.record(ConfirmResult(game="r1g1"), by, ResultConfirmed(round=1, game="r1g1"))
    (found,) = [one for one in failures(club.logs) if one.code == "authority"]
    assert str(found.expected).startswith(f"a refusal: This tournament issued to {by.actor} other tokens")


def test_an_actor_of_another_venue_is_reported() -> None:
    club = Club("Ana", "Ben")
    for name in ("North", "South"):
        club.decide(OpenVenue(name=name, tables=4))
    club.decide(AppointStaff(name="Rex", role="referee", venue="v1"))
    club.decide(CheckIn(player="p1", venue="v2"))
    club.decide(WarnPlayer(player="p1", reason="late"), By("s1", "referee", venue="v1"))
    assert told(club, "authority").source == "registration"


def test_events_for_another_venue_than_the_appointment_are_reported(club: Club) -> None:
    for name in ("North", "South"):
        club.decide(OpenVenue(name=name, tables=4))
    club.decide(AppointStaff(name="Ria", role="referee", venue="v1"))
    recorded = club.decide(WarnPlayer(player="p1", reason="late"), By("s2", "referee", "v1"))
    for venue, found_as in (("v2", "s2, referee of v2"), ("", "s2, referee")):
        actor = {recorded[0].position: {"actor": actor_json(Actor("s2", "referee", venue))}}
        forged = {**club.logs, "registration": rechained(club.logs["registration"], actor)}
        (found,) = [one for one in failures(forged) if one.code == "authority"]
        assert found.found == f"WarnPlayer by {found_as}"
        assert str(found.expected) == "s2, referee of v1, as the log appointed them"


def test_an_unreadable_actor_is_reported(club: Club) -> None:
    recorded = club.decide(ReportResult(game="r1g1", facts=FACTS), REX)
    line = {recorded[0].position: {"actor": '{"actor":"s1"}'}}
    found = failures({**club.logs, "scoring": rechained(club.logs["scoring"], line)})
    assert found[0].code == "schema"
    assert "`role`" in found[0].found


def test_a_player_who_never_entered_is_reported(club: Club) -> None:
    club.decide(ReportResult(game="r1g1", facts=FACTS))
    command = ConfirmResult(game="r1g1")
    club.record(command, By("p9", "player"), ResultConfirmed(round=1, game="r1g1"))
    codes = {found.code for found in failures(club.logs)}
    assert "authority" in codes
    assert codes <= {"authority", "decision"}


def test_a_command_that_the_rules_refuse_is_reported(club: Club) -> None:
    club.record(ReportResult(game="r9g9", facts=FACTS), REX, ResultReported(round=9, game="r9g9", facts=FACTS))
    assert {found.code for found in failures(club.logs)} & {"decision", "fold"}


def test_a_command_of_another_format_is_reported(club: Club) -> None:
    cup = {"tournament": "t-cup", "name": "Cup", "format": "swiss", "ruleset": "star-wars-armada-1.1"}
    gathered = TournamentGathered(**cup, played_on="2026-03-07")
    club.record(GatherTournament(**cup, status="announced"), By("organiser", "organiser"), gathered)
    found = [found for found in failures(club.logs) if found.code == "authority"]
    assert ["wrong-format" in str(one.expected) for one in found] == [True]


def away(club: Club, rounds: int) -> None:
    """The same player does not come to the first game of each round."""
    gone = ""
    for round in range(1, rounds + 1):
        if round > 1:
            club.decide(PairRound())
            club.decide(StartRound(round=round))
        seats = club.read("scoring").state.rounds.rounds[round].seats.values()
        gone = gone or next(iter(seats)).player_2
        for seat in seats:
            sides = (seat.player_1, seat.player_2)
            if gone in sides:
                absent = {"kind": "no_show", "conceded_by": sides.index(gone) + 1}
                club.decide(ReportResult(game=seat.game, facts=absent))
            else:
                club.decide(ReportResult(game=seat.game, facts=FACTS))
        club.close(round)
    club.read("registration")


def test_a_rule_that_acted_when_due_passes(club: Club) -> None:
    """AR-AMB-18."""
    away(club, 2)
    (gone,) = {f"p{n}" for n in range(1, 5)} & set(_absent(club))
    club.decide(DropAbsentPlayer(player=gone), by_rule("AR-AMB-18"))
    assert failures(club.logs) == []


def test_a_rule_that_did_not_act_when_due_is_reported(club: Club) -> None:
    away(club, 2)
    for name in ("Tim", "Tom", "Ute"):
        club.decide(AppointStaff(name=name, role="referee"))
    assert "stayed away too often" in str(told(club, "rule").expected)


def test_a_rule_that_acted_without_being_due_is_reported(club: Club) -> None:
    away(club, 1)
    dropped = PlayerDropped(player="p1", after_round=1, reason="did not come to a game again (AR-AMB-18)")
    club.record(DropAbsentPlayer(player="p1"), by_rule("AR-AMB-18"), dropped)
    assert "player-not-away" in str(told(club, "decision").expected)


def test_a_rule_instead_of_a_person_and_vice_versa_are_reported(club: Club) -> None:
    club.decide(ReportResult(game="r1g1", facts=FACTS), by_rule("AR-RES-1"))
    assert "No rule gives this command" in str(told(club, "authority").expected)
    away(other := Club("Ana", "Ben", "Cy", "Dee"), 0)
    dropped = PlayerDropped(player="p1", after_round=0, reason="did not come to a game again (AR-AMB-18)")
    other.record(DropAbsentPlayer(player="p1"), By("organiser", "organiser"), dropped)
    assert any("A rule alone" in str(found.expected) for found in failures(other.logs))


def _absent(club: Club) -> list[str]:
    return [*dropped_for_absence(club.read("registration").state)]
