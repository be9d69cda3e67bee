"""Gathered, released and refused tournaments, with divisions, tiers and weights."""

from __future__ import annotations

from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from tests.season.story import Season, holds, new_season


def test_tournaments_that_cannot_be_gathered(cups, muster):
    season, spring, _ = cups
    other = new_season(muster)
    private = season.cup("Ana", "Ben", visibility="private")
    cancelled = muster.announce()
    cancelled.do("registration", "/cancellation", {"reason": "x"})
    body = season.refused(409, "tournament-gathered", "/tournaments", {"tournament": spring.id})
    assert body.data["tournament"] == spring.id
    # A private one is refused as one that is not there.
    for id in (season.id, other.id, "t-nowhere", cancelled.id, private.id):
        answer = season.refused(422, "tournament-not-for-season", "/tournaments", {"tournament": id})
        assert [(fault["where"], fault["said"]) for fault in answer.faults] == [("/tournament", id)]
    operator = muster.token("operator")
    answer = season.ask("POST", "registration", "/season/tournaments", {"tournament": private.id}, operator)
    assert answer.status == 201


def test_divisions_tiers_and_weights_must_be_in_the_ruleset(season):
    cup = season.cup("Ana", "Ben")
    season.refused(422, "division-unknown", "/tournaments", {"tournament": cup.id, "division": "Third"})
    answer = season.refused(422, "invalid-request", "/tournaments", {"tournament": cup.id, "tier": "major"})
    assert answer.places == ["/tier"]
    season.gather(cup, weight=200)
    season.claim_all(cup)
    rows = season.table()["items"]
    assert [one["weight"] for row in rows for one in row["results"]] == [200, 200]


def test_tier_of_the_tournament_sets_its_weight_by_ruleset(muster):
    pack = to_json(shipped_ruleset("season-points"))
    pack["weights"]["tiers"] = {"casual": 150}
    body = {"name": "League", "pack": pack}
    answer = muster.ask("POST", "registration", "/tournaments", body, muster.token("operator"))
    assert answer.status == 201, answer
    season = Season(muster, answer.body["id"])
    season.gather(season.cup("Ana", "Ben", tier="casual"))
    season.gather(muster.announce(tier="premier"))
    gathered = season.ask("GET", "registration", "/season/tournaments").body["items"]
    assert [one["tier"] for one in gathered] == ["casual", ""]
    season.post("/claims/by-name", {"tournament": gathered[0]["id"]})
    assert {one["weight"] for row in season.table()["items"] for one in row["results"]} == {150}


def test_released_tournament_may_be_gathered_again(cups):
    season, spring, autumn = cups
    season.claim_all(spring)
    season.claim_all(autumn)
    before = season.table()["items"]
    release = f"/season/tournaments/{autumn.id}/release"
    told = season.ask("POST", "registration", f"{release}?preview=true", {"reason": "x"}).body
    gone = next(move for move in told["moves"]["season"]["moves"] if move["name"] == "Ana B")
    assert ([event["type"] for event in told["events"]], gone["points_after"]) == (["TournamentReleased"], 0)
    season.post(f"/tournaments/{autumn.id}/release", {"reason": "played for another league"})
    rows = {row["name"]: row["attended"] for row in season.table()["items"]}
    assert (rows["Ana B"], rows["Cy"]) == (0, 1)
    season.refused(404, "tournament-not-gathered", f"/tournaments/{autumn.id}/release", {"reason": "x"})
    season.gather(autumn)
    assert [{**row, "was": None} for row in season.table()["items"]] == [{**row, "was": None} for row in before]
    holds(season)


def test_commands_of_other_formats_are_refused(cups):
    season, spring, _ = cups
    for method, service, rest, body in (
        ("POST", "registration", "/season/tournaments", {"tournament": season.id}),
        ("GET", "registration", "/season/players", None),
        ("GET", "scoring", "/season/standings", None),
        ("POST", "scoring", "/season/cut", {}),
    ):
        answer = spring.ask(method, service, rest, body)
        assert (answer.status, answer.code, answer.data["format"]) == (409, "wrong-format", "swiss"), rest
    for method, service, rest, body in (
        ("POST", "pairing", "/rounds", None),
        ("GET", "scoring", "/standings", None),
        ("POST", "pairing", "/session-rounds", None),
    ):
        answer = season.ask(method, service, rest, body)
        assert (answer.status, answer.code, answer.data["format"]) == (409, "wrong-format", "season"), rest
