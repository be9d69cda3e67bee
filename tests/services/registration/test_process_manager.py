"""Reactions to events of other services: the end of a tournament, a second absence."""

from __future__ import annotations

import pytest

from services.registration import app as wiring
from services.registration.swiss_rosters import dropped_for_absence
from shared.log.event import Event, Recorded
from shared.log.log import Stamp, chain_events
from shared.log.reading import head_of
from shared.messaging.envelope import Line
from shared.messaging.vouching import Signer
from shared.service.commands import entries_of
from shared.settings import load
from shared.tournament.results import ResultCorrected, ResultReported, ResultVoided, TournamentConcluded
from shared.tournament.rounds import RoundWithdrawn
from tests.acting import acting, text_of
from tests.services.registration.story import announced


def absent(game: str, side: int = 2, kind: str = "no_show") -> ResultReported:
    """A side did not come."""
    facts = {"kind": kind} if kind.startswith("double") else {"kind": kind, "conceded_by": side}
    return ResultReported(round=int(game[1]), game=game, facts=facts)


@pytest.fixture
def evening(evening):
    """Two rounds between Ana and Ben, and between Cy and Dee."""
    evening.join("Ana", "Ben", "Cy", "Dee")
    evening.begin("p1", "p2", "p3", "p4")
    evening.closed(1)
    evening.paired(2, ("p1", "p3"), ("p4", "p2"))
    evening.started(2)
    return evening


@pytest.fixture
def react(evening):
    """Registration hears that a log of another service was copied: scoring's, if nothing else is said."""
    service = wiring.build(evening.club.env, evening.club.database)
    return lambda source="scoring": service.handle_copies(evening.id, source)


def chained_behind(evening, source: str, *events: Event) -> list[Recorded]:
    """Append events of another service that registration has not copied yet."""
    with evening.club.database.reading() as connection:
        head = head_of(connection, source, evening.id)
    stamp = Stamp(acting(source), "1", "2026-03-01T10:00:00.000Z", {})
    return chain_events(source, evening.id, head, entries_of(events), stamp)


def listed(evening) -> str:
    lines = evening.club.ask("GET", "/tournaments?limit=500").body["items"]
    return next(line["status"] for line in lines if line["id"] == evening.id)


def test_a_player_absent_twice_is_dropped(evening, react):
    """AR-AMB-18: the second no-show is a drop."""
    evening.say("scoring", absent("r1g1"))
    react()
    assert evening.names("dropped") == []
    evening.say("scoring", absent("r2g2"))
    react()
    assert evening.names("dropped") == ["Ben"]
    react()
    assert [event.type for event in evening.log].count("PlayerDropped") == 1
    assert text_of(evening.log[-1]) == "rule"


def test_a_reinstated_player_is_not_dropped_for_the_same_absences(evening, react):
    evening.say("scoring", absent("r1g1"), absent("r2g2"))
    react()
    assert evening.do("p2", "reinstatement").status == 201
    react()
    assert evening.player("p2")["status"] == "active"


@pytest.mark.parametrize(
    "amends",
    [
        ResultVoided(round=2, game="r2g2", reason="the wrong game"),
        ResultCorrected(round=2, game="r2g2", facts={"kind": "game"}, reason="they came"),
    ],
)
def test_an_absence_that_was_none_counts_no_more(evening, amends):
    evening.say("scoring", absent("r1g1"), absent("r2g2"))
    assert [*dropped_for_absence(evening.state)] == ["p2"]
    evening.say("scoring", amends)
    assert [*dropped_for_absence(evening.state)] == []


@pytest.mark.clause("AR-AMB-18")
def test_a_forfeit_is_an_absence_where_the_ruleset_says_so(evening):
    evening.say("scoring", absent("r1g1", kind="forfeit"), absent("r2g2"))
    assert [*dropped_for_absence(evening.state)] == ["p2"]


def test_absences_of_both_players_and_in_withdrawn_rounds(evening):
    evening.say("scoring", absent("r1g2", kind="double_no_show"), absent("r2g2", side=1))
    assert [*dropped_for_absence(evening.state)] == ["p4"]
    evening.say("pairing", RoundWithdrawn(round=2, reason="paired wrongly"))
    assert [*dropped_for_absence(evening.state)] == []


def test_the_directory_learns_of_the_beginning_and_of_the_end(evening):
    fresh = announced(evening.club)
    fresh.join("Ana", "Ben")
    assert listed(fresh) == "announced"
    fresh.begin("p1", "p2")
    assert listed(fresh) == "running" == fresh.get().body["status"]
    evening.concluded()
    assert listed(evening) == "concluded"


def test_the_conclusion_is_listed_despite_an_absence_in_the_last_round(evening, react):
    """All events may be copied at once; then it is too late to drop a player, and the reaction must not fail."""
    evening.say("scoring", absent("r1g1"), absent("r2g2"), TournamentConcluded(winner="p1", rounds=2))
    react()
    assert listed(evening) == "concluded"
    assert evening.names("dropped") == []


def test_a_cancelled_tournament_drops_no_player(evening, react):
    evening.say("scoring", absent("r1g1"), absent("r2g2"))
    evening.post("/cancellation", {"reason": "the hall is flooded"})
    react()
    assert evening.names("dropped") == []
    assert listed(evening) == "cancelled"


def test_news_that_an_answer_fetched_in_a_hurry_mean_the_same(evening, monkeypatch):
    """A command that must not miss anything asks scoring itself; the worker will find these events copied already."""
    service = wiring.build(evening.club.env, evening.club.database)
    signer = Signer("scoring", load("scoring", evening.club.env).signing_keys)
    news = chained_behind(evening, "scoring", TournamentConcluded(winner="p1", rounds=2))

    def fetch(source: str, tournament: str, after: int):
        behind = [event for event in news if source == "scoring" and event.position > after]
        return [Line(event, signature=signer.log(event)) for event in behind]

    monkeypatch.setattr(service._inbox.logs, "_fetch", fetch)
    service.catch_up(evening.id)
    assert evening.get().body["status"] == "concluded"
    assert listed(evening) == "concluded"


def test_events_of_an_unannounced_tournament_are_ignored(evening):
    asked = {"source": "pairing", "tournament": "never-announced"}
    wiring.build(evening.club.env, evening.club.database).handle_copies(asked["tournament"], asked["source"])
    assert not any(line["id"] == "never-announced" for line in evening.club.ask("GET", "/tournaments").body["items"])
