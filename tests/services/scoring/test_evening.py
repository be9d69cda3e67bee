"""An evening with every event of a Swiss tournament that scoring can append."""

from __future__ import annotations

from shared.log.cloudevents import from_wire
from shared.log.log import verify
from tests.services.scoring.story import floor, score
from tests.services.story import NOBODY, same_state

COOP = {"copies", "recopies", "recovery", "parties", "sessions", "campaign games", "groups", "dice", "seasons"}
COOP |= {"schemas", "webhooks", "deliveries"}
"""Events of other formats and of copies, which have their own tests."""
ON_PURPOSE = {"publish_standings", "cancel_standings_publication", "check_database", "set_part_aside"}
"""Covered by tests/services/scoring/test_kept_back.py and test_parts.py, and tests/services/test_rot.py."""


def test_an_evening_with_every_kind_of_result(new_club):
    club = new_club("scoring")
    told = floor(club, 5, rounds=2, staff=("head_referee", "referee"))
    told.begin(1, ("p1", "p2"), ("p3", "p4"), ("p5",))

    told.report("r1g1", score(210, 150), by="p1")
    told.dispute("r1g1", by="p2", facts=score(150, 210))
    told.rule("r1g1", score(150, 210))
    told.appeal("r1g1", by="p1")
    told.reject("r1g1")
    told.report("r1g2", score(300, 0), by="p4")
    told.post("/games/r1g2/report", {"facts": score(0, 300)}, by="p4")
    told.post("/games/r1g2/confirmation", {"report": told.game("r1g2")["report"]}, by="p3")
    assert told.close(1).status == 201
    told.reopen(1)
    told.void("r1g2")
    slips = [{"game": "r1g2", "facts": score(120, 100)}]
    assert told.post("/results", {"results": slips}, by="referee").status == 201
    told.close(1)
    told.begin(2, ("p5", "p2"), ("p3", "p1"), ("p4",))
    told.play(2, (100, 50), (100, 50))
    told.correct("r1g1", score(210, 150), by="head_referee", preview=True)
    told.correct("r1g1", score(210, 150), by="head_referee")
    told.override("r1g1", score(220, 150))
    told.post("/awards", {"name": "Best painted", "player": "p3"})
    told.conclude()
    told.post("/awards/a1/withdrawal", {"reason": "it was a print"})

    for rest in (
        "/games",
        "/games/r1g1",
        "/games/r1g1/history",
        "/games/r1g1/result-form",
        "/standings",
        "/standings/p1",
        "/overlay",
        "/awards",
        "/heads",
        "/forms",
        "/forms/pairings",
    ):
        assert told.get(rest, by=NOBODY).status == 200
    lines = told.get("/log?limit=500", by=NOBODY).text.splitlines()
    assert verify(map(from_wire, lines)) == club.folded(told.id).heads["scoring"]
    for source in ("registration", "pairing"):
        copy = told.get(f"/log?source={source}&limit=500").text.splitlines()
        assert verify(map(from_wire, copy)) == club.folded(told.id).heads[source]
    assert [line["id"] for line in club.ask("GET", "/log", token=club.token("operator")).lines] == [
        event.id for event in told.log
    ]
    assert {line["source"] for line in club.ask("GET", "/feed?limit=500").lines} == set(club.sources)
    for address in ("/feed/stream", f"/tournaments/{told.id}/stream"):
        assert b"event: RoundClosed" in club.ask("GET", address).text
    assert same_state(club, told.id)
    for path in ("/healthz", "/readyz"):
        assert club.ask("GET", path).status == 200
    assert club.ask("GET", "/metrics", token=club.token("integration")).status == 200
    assert club.ask("POST", "/rebuild", token=club.token("operator")).status == 200

    crews = floor(club, 2, ruleset="fallout-factions-comp-1.0", rounds=2)
    crews.begin(1, ("p1", "p2"), scenario="Melee")
    crews.report("r1g1", {"points_1": 10, "points_2": 10})
    crews.close(1)
    tied = [row["player"] for row in crews.get("/standings?round=1").body["items"]]
    assert crews.post("/rounds/1/coin", {"order": tied[::-1], "reason": "a bottle cap"}).status == 201
    of_coop = {name for name, operation in club.operations.items() if set(operation["tags"]) & COOP}
    assert club.done == set(club.operations) - of_coop - ON_PURPOSE
