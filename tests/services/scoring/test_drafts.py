"""What pairing has drafted is not there in scoring for anybody but staff: no page, no log, no feed, no result."""

from __future__ import annotations

import pytest

from shared.events.cloudevents import from_line
from shared.events.recorded import Hidden
from shared.tournament.events.pairing import PairingAmended, PairingsDrawn, RoundPaired, RoundPublished, Seat
from tests.services.drafted import everything_read
from tests.services.scoring.story import score

WHY = "kept as a surprise"
SEATS = [
    Seat(game="r2g1", kind="game", player_1="p5", player_2="p1", table=1),
    Seat(game="r2g2", kind="game", player_1="p2", player_2="p3", table=2),
    Seat(game="r2g3", kind="bye", player_1="p4"),
]


def draft(evening):
    """Round 2 is drafted, with a bye, and mended once."""
    evening.say(
        "pairing",
        PairingsDrawn(round=2, page=1, pages=1, pairings=SEATS, draft=True),
        RoundPaired(round=2, stage="swiss", method="manual", games=3, reason=WHY, draft=True),
    )
    evening.say("pairing", PairingAmended(round=2, pairings=[], removed=[], reason=WHY, draft=True))


@pytest.fixture
def between(evening):
    """Round 1 is closed."""
    evening.play(1, (200, 100), (150, 140))
    return evening


def token(floor, role):
    player = "p1" if role == "player" else None
    return floor.club.token(role, floor.id, player=player) if role else ""


@pytest.mark.parametrize("role", ["", "player", "spare", "integration"])
def test_to_everybody_but_staff_a_draft_is_not_there(between, role):
    app, said = between.club.app, token(between, role)
    before = everything_read(app, between.id, said)
    assert len(before) > 20
    draft(between)
    assert everything_read(app, between.id, said) == before
    answer = between.club.ask("GET", f"/tournaments/{between.id}/log?source=pairing", token=said)
    events = [from_line(line) for line in answer.text.splitlines()]
    assert [isinstance(event, Hidden) for event in events[-3:]] == [True] * 3
    assert WHY.encode() not in answer.text


def test_staff_see_its_games_and_nobody_reports_one(between):
    draft(between)
    assert len(between.get("/games?round=2", by="referee").body["items"]) == 3
    for by in ("referee", "p5", "p1"):
        refused = between.report("r2g1", score(200, 100), by=by)
        assert (refused.status, refused.code) == (404, "game-unknown")
    assert between.close(2).code == "round-unknown"


def test_a_bye_of_a_draft_counts_for_nobody(between):
    before = between.get("/standings", by="referee").body["items"]
    draft(between)
    assert between.get("/standings", by="referee").body["items"] == before


def test_the_feed_passes_a_draft_over_and_repeats_it_behind_its_publication(between):
    club, address = between.club, f"/feed?tournament={between.id}&limit=500"
    draft(between)
    cursor = club.ask("GET", address).headers["Muster-Feed-Cursor"]
    assert WHY.encode() not in club.ask("GET", address).text
    assert WHY.encode() in club.ask("GET", address, token=club.token("operator")).text
    assert WHY.encode() not in club.ask("GET", address, token=club.token("integration")).text
    between.say("pairing", RoundPublished(round=2))
    news = club.ask("GET", f"{address}&after={cursor}").lines
    assert [event["type"] for event in news] == [
        "RoundPublished",
        "PairingsDrawn",
        "RoundPaired",
        "PairingAmended",
    ]
    assert [event.get("openedby", "") for event in news] == ["", *[news[0]["id"]] * 3]
    assert between.get("/games?round=2").status == 200
