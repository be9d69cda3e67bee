"""Encounters over HTTP: in reports and while scavenging, and their audit."""

from __future__ import annotations

from typing import Any

import pytest

from muster.audit.findings import Failure
from shared.campaign.encounters import span_of
from tests.auditing import decided_again, failures
from tests.campaign.forging import Event, change, forged, of
from tests.campaign.services.conftest import NewGames
from tests.campaign.services.games_story import Games, roll, wrong
from tests.campaign.services.league import ABSENT, League, new_league, told
from tests.campaign.services.test_rounds import audited, players, ready, report
from tests.campaign.story import RULES
from tests.fuzz.muster import Muster
from tests.services.story import Json

TWO = [{"met": "dead_scavenger"}, {"met": "slaves", "number": 2}]


def found(at: str = "dead_scavenger", face: int = 9, **more: Json) -> Json:
    return {"at": at, "member": "m-1", "roll": roll(face), **more}


@pytest.mark.clause("FS-ENC-1", "FS-ENC-2", "FS-REP-3", "FS-AUD-1")
def test_a_report_contains_searches_and_freed_slaves_with_dice(told: Games) -> None:
    """m-1 of p1 has Luck 6 and Intelligence 6: 9 + 6 is a 10mm SMG, and a three removes a collar."""
    before = told.group("p1")
    sides = {"searches": [found()], "freed": [{"member": "m-1", "roll": roll(3)}]}, {}
    answer = told.report("r1g1", sides=sides, encounters=TWO)
    assert answer.status == 201, answer
    after = told.group("p1")
    assert (after.count("smg_10mm"), len(after.members)) == (before.count("smg_10mm") + 1, len(before.members) + 1)
    assert after.members[-1].rank == "green"
    rolls = {one["roll"]: one for one in told.of("DieRolled")}
    assert [rolls[one["roll"]]["purpose"] for one in told.of("PlaceSearched")] == ["FS-ENC-2"]
    assert [rolls[one["roll"]]["purpose"] for one in told.of("CollarTried")] == ["FS-ENC-1"]
    assert told.void("r1g1").status == 201
    assert (told.group("p1").items, told.group("p1").members) == (before.items, before.members)


@pytest.mark.clause("FS-ENC-1", "FS-ENC-2", "FS-ENC-3")
@pytest.mark.parametrize(
    ("side", "encounters", "where"),
    [
        ({"searches": [found()] * 3}, TWO, ("/encounters", "FS-ENC-2")),
        ({"searches": [found("enclave_outpost")]}, TWO, ("/encounters", "FS-ENC-3")),
        ({"searches": [found(face=5)]}, TWO, ("/sides/0/searches/0/amount", "FS-ENC-2")),
        ({"freed": [{"member": "m-1", "roll": roll(4)}]}, TWO, ("/sides/0/freed/0/roll", "FS-ENC-1")),
        ({"freed": [{"member": "m-1", "roll": roll(1)}] * 3}, TWO, ("/encounters", "FS-ENC-1")),
        ({}, [{"met": "dragon"}], ("/encounters/0/met", "FS-REP-3")),
    ],
)
def test_impossible_encounters_are_refused(told: Games, side: Json, encounters: Json, where: tuple[str, str]) -> None:
    if side.get("searches") == [found(face=5)]:
        side = {"searches": [found(face=5) | {"roll": roll(5)}]}
    answer = told.report("r1g1", by="p1", sides=(side, {}), encounters=encounters)
    assert (answer.code, wrong(answer)) == ("game-report-refused", [where])


@pytest.mark.clause("FS-AUD-1")
def test_dice_of_an_encounter_need_a_witness_of_the_game(told: Games) -> None:
    side = {"searches": [found() | {"roll": roll(9, seen="p9")}]}
    answer = told.report("r1g1", sides=(side, {}), encounters=TWO)
    assert (answer.code, wrong(answer)) == ("dice-refused", [("/sides/0/searches/0/roll/witnessed_by", "FS-AUD-1")])


NUMBERS = [
    ({"deeds": ({"m-1": {"wounds": 50}}, {})}, "/facts/report/sides/0/members/0/wounds"),
    ({"deeds": ({"m-1": {"computers": 40}}, {})}, "/facts/report/sides/0/members/0/computers"),
    ({"deeds": ({"m-1": {"locks": 40}}, {})}, "/facts/report/sides/0/members/0/locks"),
    ({"sides": ({"loot": ["power_armor"]}, {})}, "/facts/report/sides/0/loot/0"),
    ({"sides": ({}, {"loot": ["gatling_laser"]})}, "/facts/report/sides/1/loot/0"),
    ({"encounters": [{"met": "slaves", "number": 9}]}, "/facts/report/encounters/0/number"),
]


@pytest.mark.clause("FS-REP-2", "FS-REP-3", "FS-ENC-1")
@pytest.mark.parametrize(("said", "where"), NUMBERS)
def test_improbable_numbers_must_be_confirmed_and_are_marked(told: Games, said: Json, where: str) -> None:
    answer = told.report("r1g1", by="p1", **said)
    assert (answer.status, answer.code, answer.places) == (422, "improbable-result", [where])
    assert "improbable" in answer.body["detail"]
    assert told.of("ResultReported") == []
    facts = {"kind": "game", "report": told.told("r1g1", **said)}
    taken = told.post("/games/r1g1/result", {"facts": facts, "improbable": True}, by="p1")
    assert (taken.status, taken.events[0]["data"]["improbable"]) == (201, True)
    assert told.confirm("r1g1", "p2").status == 201
    assert [game["id"] for game in told.get("/games?improbable=true").body["items"]] == ["r1g1"]
    assert marks(told) == []
    missing, *_ = marks(told, _unmarked)
    assert missing.code == "decision"
    assert "(improbable-result)" in str(missing.expected)


def marks(told: Games, forge: Any = None) -> list[Failure]:
    """Return the findings of an audit about marks, for real or forged logs."""
    logs = {source: told.club.log(told.id, source) for source in ("registration", "pairing", "scoring")}
    return decided_again(forged(logs, "scoring", forge)[0] if forge else logs, "scoring")


def _unmarked(events: list[Event]) -> int:
    index = of(events, "ResultReported")
    del events[index]["data"]["improbable"]
    del events[index]["command"]["data"]["improbable"]
    return index


@pytest.mark.clause("FS-REP-5")
def test_improbable_rulings_and_corrections_must_be_confirmed(told: Games) -> None:
    wild = {"kind": "game", "report": told.told("r1g1", deeds=({"m-1": {"wounds": 50}}, {}))}
    assert told.rule("r1g1", wild).code == "improbable-result"
    told.report("r1g1")
    assert told.correct("r1g1", wild).code == "improbable-result"
    body = {"facts": wild, "reason": "it was a massacre", "improbable": True}
    assert told.post("/games/r1g1/correction", body).types[0] == "ResultCorrected"
    assert told.get("/games/r1g1").body["improbable"] is True
    told.until("3", "p1", "p2")
    calm = {"kind": "game", "report": {**told.told("r1g1", lines=((), (2,)))}}
    calm["report"]["sides"][0]["members"] = calm["report"]["sides"][1]["members"] = []
    assert told.correct("r1g1", calm).status == 201
    assert told.get("/games/r1g1").body["improbable"] is True
    assert marks(told) == []


@pytest.mark.clause("FS-ENC-4", "FS-ENC-5", "FS-SCV-1")
def test_encounters_while_scavenging_are_offered_and_resolved(games: NewGames) -> None:
    league = games("raiders", "vault_residents")
    league.ready("r1g1")
    assert league.report("r1g1").status == 201
    league.until("3", "p1")

    def choose(does: str, *rolls: Json, **of: object) -> object:
        return league.post("/groups/p1/choices", {"does": does, "of": of, "rolls": list(rolls)})

    for member in ("m-2", "m-3"):
        assert choose("scavenge", roll(1), member=member).status == 201
    asked = league.get("/groups/p1/post-game").body["choices"]
    offered = [one["of"] for one in asked if one["does"] == "resolve_encounter" and one["legal"]]
    assert {"member": "m-2", "ending": "searched", "met": "enclave_outpost"} in offered
    xp = league.group("p1").member("m-2").xp
    free = choose("resolve_encounter", member="m-2", ending="escaped", wounds=500, met="deathclaw", number=1)
    assert (free.status, free.faults[0]["clause"]) == (422, "FS-ENC-5")
    fought = choose("resolve_encounter", roll(3, 4), member="m-2", ending="creatures_killed", met="ghouls", number=2)
    assert fought.types[0] == "EncounterResolved"
    assert league.group("p1").member("m-2").xp == xp + 4
    caps = league.group("p1").caps
    missing = choose("resolve_encounter", roll(6), member="m-3", ending="searched", met="dead_scavenger", searches=1)
    assert (missing.code, missing.body["data"]["expression"]) == ("dice-refused", "1D3")
    found = choose("resolve_encounter", roll(3), roll(2), member="m-3", ending="searched", met="dead_scavenger")
    assert found.status == 201
    assert league.group("p1").caps == caps + 20


def _scavenged(league: League, group: str, witness: str, member: str, face: int) -> None:
    body = {"does": "scavenge", "of": {"member": member}, "rolls": [told(face, by=group, seen=witness)]}
    league.do("scoring", f"/groups/{group}/choices", body)


def _resolved(member: str, met: str) -> Json:
    """Resolve an encounter with card and dice of the service."""
    card = RULES.encounters.cards[met]
    ending: Json = {"ending": "searched"} if card.treasure else {"ending": "slaves_met"}
    if card.wounds:
        ending = {"ending": "creatures_killed", "number": span_of(card)[0]}
    return {"does": "resolve_encounter", "of": {"member": member, "met": met, **ending}, "service": True}


@pytest.mark.clause("FS-ENC-1", "FS-ENC-2", "FS-ENC-3", "FS-ENC-4", "FS-ENC-5", "FS-AUD-2")
def test_the_audit_of_a_round_with_encounters_finds_nothing(muster_on: Muster) -> None:
    league = new_league(muster_on, 2, built=True)
    league.pair()
    ready(league, "r1g1")
    one, two = players(league, "r1g1")
    facts = report(league, "r1g1", ([1, 2], [1]), {f"{one} m-1": {"wounds": 2, "kills": 2, "models": 2}})
    game = facts["facts"]["report"]
    at_table = {"by": one, "seen": two}
    game["encounters"] = [{"met": "ghouls", "number": 2}, {"met": "slaves"}, {"met": "enclave_outpost"}]
    game["sides"][0]["searches"] = [
        {"at": "enclave_outpost", "member": "m-1", "roll": told(4, **at_table), "amount": told(7, **at_table)}
    ]
    game["sides"][1]["freed"] = [{"member": "m-1", "roll": told(1, **at_table)}]
    league.do("scoring", "/games/r1g1/result", facts)
    for step in ("1", "1b", "2"):
        league.do("scoring", f"/groups/{one}/steps/{step}/closing", ABSENT)
    endings: list[Json] = [
        {"ending": "searched", "met": "dead_scavenger"},
        {"ending": "slaves_met", "met": "slaves"},
        {"ending": "creatures_killed", "met": "molerats", "number": 4},
        {"ending": "member_killed", "met": "radscorpions", "number": 2, "wounds": 3, "kills": 1},
    ]
    for member, ending in zip(("m-1", "m-2", "m-3", "m-4"), endings, strict=True):
        _scavenged(league, one, two, member, 1)
        if ending["ending"] == "searched":
            drawn = {"does": "draw_encounter", "of": {"member": member}}
            [said] = league.do("scoring", f"/groups/{one}/choices", drawn).events
            league.do("scoring", f"/groups/{one}/choices", _resolved(member, said["data"]["met"]))
            continue
        body = {"does": "resolve_encounter", "of": {"member": member, **ending}, "service": True}
        league.do("scoring", f"/groups/{one}/choices", body)
    league.end_round()
    assert audited(league) == []
    logs = league.logs
    forgeries = (
        change("PlaceSearched", lambda data: data.update(at="dead_scavenger")),
        change("CollarTried", lambda data: data.update(freed=not data["freed"])),
        change("SlavesAppeared", lambda data: data.update(number=9)),
        change(
            "ItemGained",
            lambda data: data["item"].update(good="gatling_laser"),
            lambda data: data["reason"] == "searched",
        ),
    )
    for forgery in forgeries:
        changed, position = forged(logs, "scoring", forgery)
        assert ("decision", position) in {(one.code, one.position) for one in failures(changed)}
    types = {row.type for row in logs["scoring"]}
    assert {"PlaceSearched", "CollarTried", "SlavesAppeared", "EncounterDrawn", "EncounterResolved"} <= types
