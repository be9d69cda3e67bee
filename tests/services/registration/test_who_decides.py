"""Decisions of staff under each rules document, by role."""

from __future__ import annotations

import pytest

from services.registration import app as wiring
from shared.formats import packs
from shared.roles import ISSUED
from tests.issuing import member_of
from tests.services.conftest import logging_as_it_was
from tests.services.registration.story import FLEET

ARMADA, FALLOUT, DUST = "star-wars-armada-1.1", "fallout-factions-comp-1.0", "dust-warfare-1.0"
STAFF = ("referee", "head_referee", "organiser", "operator")


def who_may(evening, rest: str, body: dict) -> list[str]:
    """Return the roles that are not refused with `not-your-decision`; roles without a member may do nothing."""
    held = [role for role in STAFF if role not in ISSUED or member_of(evening.club.entries(evening.id), role)]
    return [role for role in held if evening.post(rest, body, by=role).code != "not-your-decision"]


def opened(announce, ruleset: str, *staff: str, **members):
    evening = announce(ruleset=ruleset, **members)
    evening.join("Ana", "Ben")
    for number, role in enumerate(staff):
        evening.staff(f"Staff {number}", role)
    return evening


@pytest.mark.parametrize(
    ("ruleset", "staff", "roles"),
    [
        pytest.param(ARMADA, ("head_referee",), ["head_referee"], marks=pytest.mark.clause("AR-STAFF-1", "AR-DQ-1")),
        pytest.param(ARMADA, (), ["organiser", "operator"], marks=pytest.mark.clause("AR-STAFF-1")),
        pytest.param(
            FALLOUT,
            ("referee", "head_referee"),
            list(STAFF),
            marks=pytest.mark.clause("FF-AMB-29", "FF-DQ-1", "FF-STAFF-6"),
        ),
        pytest.param(
            DUST, ("head_referee",), ["organiser", "operator"], marks=pytest.mark.clause("DW-STAFF-1", "DW-DQ-1")
        ),
    ],
)
def test_roles_that_disqualify(announce, ruleset, staff, roles):
    evening = opened(announce, ruleset, *staff)
    assert who_may(evening, "/players/p1/disqualification", {"reason": "loaded dice"}) == roles
    assert evening.player("p1")["status"] == "disqualified"


@pytest.mark.clause("FF-DQ-3")
def test_an_organiser_bars_from_later_events_with_the_disqualification_or_after_it(announce):
    evening = opened(announce, FALLOUT, "head_referee", "referee")
    out, until = {"reason": "loaded dice"}, {"reason": "loaded dice", "barred": "this club's events until 2027"}
    refused = evening.do("p1", "disqualification", until, by="referee")
    assert (refused.code, refused.data["question"], refused.data["clause"]) == (
        "not-your-decision",
        "barring",
        "FF-DQ-3",
    )
    assert evening.do("p1", "disqualification", out, by="referee").types == ["PlayerDisqualified"]
    assert evening.player("p1")["barred"] == ""
    assert evening.do("p1", "disqualification", out, by="organiser").types == []
    barred = evening.do("p1", "disqualification", until, by="organiser")
    assert barred.types == ["PlayerDisqualified"]
    assert evening.player("p1")["barred"] == "this club's events until 2027"
    assert evening.do("p1", "disqualification", until, by="organiser").types == []
    assert evening.do("p1", "disqualification", out, by="organiser").types == [], "no bar is taken back in silence"
    assert evening.do("p2", "disqualification", until, by="organiser").types == ["PlayerDisqualified"]
    assert [player["barred"] for player in evening.get("/players").body["items"][:2]] == [until["barred"]] * 2
    assert [
        line["data"].get("barred") for line in evening.get("/log").lines if line["type"] == "PlayerDisqualified"
    ] == [
        None,
        until["barred"],
        until["barred"],
    ]
    evening.do("p1", "disqualification/revocation", {"reason": "another's dice"}, by="organiser")
    assert (evening.player("p1")["status"], evening.player("p1")["barred"]) == ("active", "")


@pytest.mark.clause("FF-DQ-3", "FF-AMB-29")
def test_revoking_the_disqualification_of_a_dropped_player_restores_the_drop(announce):
    evening = opened(announce, FALLOUT, "head_referee")
    evening.begin("p1", "p2")
    evening.do("p1", "drop", {})
    evening.do("p1", "disqualification", {"reason": "x"}, by="organiser")
    evening.do("p1", "disqualification", {"reason": "x", "barred": "every later event"}, by="organiser")
    evening.do("p1", "disqualification/revocation", {"reason": "y"}, by="organiser")
    assert evening.player("p1")["status"] == "dropped"


@pytest.mark.clause("FF-AMB-29")
def test_an_organiser_may_keep_disqualification_to_themselves(announce):
    evening = opened(announce, FALLOUT, options={"disqualification_by": "organiser"})
    refused = evening.do("p1", "disqualification", {"reason": "x"}, by="referee")
    assert refused.data["option"] == {"key": "disqualification_by", "value": "staff", "until": "round_1"}
    assert who_may(evening, "/players/p1/disqualification", {"reason": "x"}) == ["organiser", "operator"]


@pytest.mark.parametrize(
    ("ruleset", "roles"),
    [
        pytest.param(ARMADA, ["head_referee"], marks=pytest.mark.clause("AR-STAFF-1")),
        pytest.param(FALLOUT, ["organiser", "operator"], marks=pytest.mark.clause("FF-AMB-29", "FF-STAFF-6")),
        pytest.param(DUST, ["organiser", "operator"], marks=pytest.mark.clause("DW-STAFF-1")),
    ],
)
def test_roles_that_revoke_a_disqualification(announce, ruleset, roles):
    evening = opened(announce, ruleset, "head_referee")
    evening.do("p1", "disqualification", {"reason": "x"}, by=roles[0])
    rest = "/players/p1/disqualification/revocation"
    may = [role for role in STAFF if evening.post(rest, {"reason": "fair"}, by=role).status == 201]
    assert may == roles


@pytest.mark.clause("DW-ROS-5", "DW-STAFF-1", "FF-STAFF-2", "AR-STAFF-2", "AR-ROS-5")
@pytest.mark.parametrize(
    ("ruleset", "roles"), [(DUST, ["organiser", "operator"]), (FALLOUT, list(STAFF)), (ARMADA, list(STAFF))]
)
def test_roles_that_decide_about_lists(announce, ruleset, roles):
    """Only people can detect a proxy or a misleading conversion; validation cannot."""
    evening = opened(announce, ruleset)
    rosters = {
        ARMADA: FLEET,
        DUST: {
            "faction": "axis",
            "army_total": 45,
            "units": [{"section": "command", "name": "Hero", "points": 45}],
        },
        FALLOUT: {
            "faction": "Survivors",
            "rating": 80,
            "models": [
                {"name": "Boss", "class": "leader", "points": 80, "profile_perks": [{"name": "Natural Leader"}]}
            ],
        },
    }
    assert evening.do("p1", "roster", {"roster": rosters[ruleset]}, by="p1").status == 201
    for word, status, before in (("rejection", "rejected", "accepted"), ("acceptance", "accepted", "rejected")):
        may = []
        for role in STAFF:
            answer = evening.post(f"/players/p1/roster/{word}", {"note": "a proxy"}, by=role)
            if answer.status == 201:
                may.append(role)
            else:
                assert (answer.code, answer.data["clause"]) == ("not-your-decision", "DW-ROS-5")
                assert evening.player("p1")["roster"] == before
        assert (may, evening.player("p1")["roster"]) == (roles, status)
    shown = evening.get("/players/p1/roster", by="p1").body
    assert (shown["status"], shown["note"]) == ("accepted", "a proxy")
    several = {role: evening.post("/rosters/acceptance", {"players": ["p1"]}, by=role) for role in STAFF}
    assert [role for role, answer in several.items() if answer.status == 201] == roles
    assert {answer.code for answer in several.values() if answer.status != 201} <= {"not-your-decision"}
    for operation in ("reject_roster", "accept_roster", "accept_rosters"):
        assert evening.club.deciders(operation, ruleset) == sorted(roles)


@pytest.mark.clause("DW-STAFF-1")
def test_openapi_names_the_deciding_roles_of_each_ruleset(club):
    for name, question in (
        ("accept_roster", "lists"),
        ("accept_rosters", "lists"),
        ("reject_roster", "lists"),
        ("disqualify_player", "disqualification"),
        ("revoke_disqualification", "reinstatement"),
    ):
        said = club.operations[name]["x-decided-by"]
        assert (said["question"], said["rulesets"][DUST]) == (question, ["operator", "organiser"])
        assert "`dust-warfare-1.0`: operator, organiser" in club.operations[name]["description"]


def test_a_service_reads_no_pack_before_openapi_is_requested(club):
    packs._load_shipped.cache_clear()
    with logging_as_it_was():
        client = wiring.build_web(club.env, club.database).test_client()
    assert client.get("/healthz").status_code == 200
    assert packs._load_shipped.cache_info().misses == 0
    paths = client.get("/openapi.json").get_json()["paths"]
    assert paths["/tournaments/{tournament}/rosters/acceptance"]["post"]["x-decided-by"]["rulesets"][DUST]
    assert packs._load_shipped.cache_info().misses > 0


def test_a_refusal_names_the_roles_the_title_and_the_clause(announce):
    evening = opened(announce, ARMADA, "head_referee")
    refused = evening.do("p1", "disqualification", {"reason": "x"}, by="organiser")
    assert (refused.status, refused.data) == (
        403,
        {"question": "disqualification", "roles": ["head_referee"], "clause": "AR-STAFF-1"},
    )
    assert "Head Judge" in refused.body["detail"]


@pytest.mark.clause("AR-STAFF-1", "FF-STAFF-4", "DW-STAFF-1")
def test_a_tournament_shows_the_deciding_roles(announce):
    evening = opened(announce, ARMADA, "referee")
    shown = {row["question"]: (row["roles"], row["clause"]) for row in evening.get().body["decisions"]}
    assert shown["rulings"] == (["organiser", "referee"], "AR-STAFF-1")
    assert shown["final"] == (["organiser"], "AR-STAFF-1")
    evening.staff("Hilda", "head_referee")
    shown = {row["question"]: row["roles"] for row in evening.get().body["decisions"]}
    assert (shown["final"], shown["disqualification"]) == (["head_referee"], ["head_referee"])
    dust = opened(announce, DUST, "head_referee", "referee").get().body["decisions"]
    assert {tuple(row["roles"]) for row in dust} == {("organiser",)}


class TestJudgesWhoPlay:
    """AR-STAFF-3, AR-AMB-20, FF-STAFF-5: who judges may play, but not at the premier tier."""

    @pytest.mark.clause("AR-STAFF-3", "AR-AMB-20", "AR-SET-2")
    @pytest.mark.parametrize("tier", ["casual", "competitive"])
    @pytest.mark.parametrize("role", ["referee", "head_referee"])
    def test_a_judge_plays_in_casual_and_competitive_events(self, announce, tier, role):
        evening = opened(announce, ARMADA, tier=tier)
        answer = evening.post("/staff", {"name": "Ana", "role": role, "player": "p1"})
        assert answer.types == ["StaffAppointed", "StaffEntered"]
        assert evening.get().body["staff"][0]["player"] == "p1"

    @pytest.mark.clause("AR-AMB-20", "AR-SET-2")
    def test_no_judge_plays_in_premier_events_without_a_reason(self, announce):
        evening = opened(announce, ARMADA, tier="premier")
        body = {"name": "Ana", "role": "referee", "player": "p1"}
        refused = evening.post("/staff", body)
        assert (refused.status, refused.code) == (409, "judge-may-not-play")
        assert refused.data == {"tier": "premier", "clause": "AR-AMB-20"}
        assert [fault["clause"] for fault in refused.faults] == ["AR-AMB-20"]
        answer = evening.post("/staff", {**body, "override": "nobody else came"})
        assert answer.events[1]["data"]["override"] == "nobody else came"

    @pytest.mark.clause("AR-AMB-20")
    def test_no_judge_enters_after_the_appointment_without_a_reason(self, announce):
        evening = opened(announce, ARMADA, "referee", "organiser", tier="premier")
        assert evening.post("/staff/s1/player", {"player": "p1"}).code == "judge-may-not-play"
        assert evening.post("/staff/s2/player", {"player": "p1"}).types == ["StaffEntered"]
        assert evening.post("/staff/s2/player", {"player": "p1"}).types == []
        assert evening.post("/staff/s1/player", {"player": "p2", "override": "alone"}).types == ["StaffEntered"]

    @pytest.mark.clause("FF-STAFF-5", "FF-STAFF-1")
    def test_referees_play_in_factions(self, announce):
        evening = opened(announce, FALLOUT, "referee")
        assert evening.post("/staff/s1/player", {"player": "p1"}).types == ["StaffEntered"]

    def test_playing_staff_are_shown(self, evening):
        evening.staff("Rita", "referee")
        assert evening.post("/staff/s1/player", {"player": "p9"}).code == "player-unknown"
        assert evening.post("/staff/s9/player", {"player": "p1"}).code == "staff-unknown"


@pytest.mark.clause("AR-SET-2", "AR-RND-2", "AR-REG-1", "AR-PAIR-2", "AR-AMB-20")
@pytest.mark.parametrize(
    ("tier", "rules"),
    [
        ("casual", ("organiser", False, True, True)),
        ("competitive", ("table", True, True, False)),
        ("premier", ("table", True, False, False)),
    ],
)
def test_a_tournament_shows_what_depends_on_its_tier(announce, tier, rules):
    shown = announce(tier=tier).get().body["tier_rules"]
    assert tuple(shown[name] for name in ("rounds", "list_due", "judge_may_play", "kept_apart")) == rules
    assert shown["clauses"]["judge_may_play"] == ("AR-AMB-20" if tier == "premier" else "AR-STAFF-3")


@pytest.mark.clause("AR-DOC-1", "DW-DOC-1", "DW-DOC-2", "FF-DOC-1", "FF-REG-4", "DW-ROS-1")
@pytest.mark.parametrize(
    ("ruleset", "form", "copies"),
    [(ARMADA, "fleet-list", (1, 0)), (FALLOUT, "crew-roster", (2, 1)), (DUST, "army-list", (2, 0))],
)
def test_a_ruleset_shows_its_blank_forms(club, ruleset, form, copies):
    shown = club.ask("GET", f"/rulesets/{ruleset}").body
    forms = {one["id"]: one for one in shown["forms"]}
    assert (forms[form]["copies"], forms[form]["copies_a_round"]) == copies
    assert shown["ruleset"]["id"] == shown["id"] == ruleset
    assert [tier["id"] for tier in shown["tier_rules"]] == shown["tiers"]
    assert {row["question"] for row in shown["decisions"]} > {"rulings", "disqualification"}
    assert club.ask("GET", "/rulesets/chess").code == "unknown-ruleset"
