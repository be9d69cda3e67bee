"""The post-game phase over HTTP: steps, recruits, the end of the round."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from shared.campaign.choices import CHOICES
from shared.campaign.state import CAMPAIGN
from tests.campaign.services.games_story import Games, roll
from tests.campaign.services.league import ABSENT
from tests.fuzz.muster import documents
from tests.services.story import Answer, Json

New = Callable[..., Games]
ORDER = ("1", "1b", "2", "3", "4", "5", "6", "7", "8", "9")


def asked(games: Games, group: str, every: bool = False) -> Json:
    answer = games.get(f"/groups/{group}/post-game" + ("?all=true" if every else ""))
    assert answer.status == 200, answer
    return dict(answer.body)


def choose(games: Games, group: str, does: str, /, by: str = "organiser", rolls: Any = (), **of: Any) -> Answer:
    """Make a choice. Without dice, the service rolls."""
    body = {"does": does, "of": of, "rolls": list(rolls), "service": not rolls}
    return games.post(f"/groups/{group}/choices", body, by)


def close(games: Games, group: str, step: str, by: str = "organiser", **body: Any) -> Answer:
    return games.post(f"/groups/{group}/steps/{step}/closing", body, by)


def clauses(answer: Answer) -> list[tuple[str, str]]:
    errors = answer.body["errors"]
    assert all(fault["said"] and fault["expected"] for fault in errors), errors
    return [(fault["where"], fault["clause"]) for fault in errors]


def played(new: New, *forces: str, **more: Any) -> Games:
    """Return a campaign after a game in which p1 took down m-3 of p2."""
    report = more.pop("report", {})
    games = new(*(forces or ("raiders", "regulators")), **more)
    games.ready("r1g1")
    down = {"m-1": {"wounds": 1, "models": 1, "kills": 1, "took": ["m-3"]}}, {"m-3": {"down": "rival", "by": "m-1"}}
    answer = games.report("r1g1", **{"deeds": down, **report})
    assert answer.status == 201, answer
    return games


def until(games: Games, group: str, step: str) -> None:
    """Close steps of a group as for an absent player until this one is open."""
    while (open := asked(games, group)["step"]) != step:
        assert close(games, group, open, **ABSENT).status == 201


def recruits(games: Games) -> None:
    """Open recruits and let all groups pass."""
    for group in CAMPAIGN.of(games.state).groups:
        until(games, group, "4")
    assert games.post("/recruits", {}).status == 201
    while pool := CAMPAIGN.of(games.state).pool:
        assert choose(games, pool.order[0], "end_turn").status == 201


@pytest.mark.clause("FS-PGP-1", "FS-PGP-2", "FS-RND-1", "FS-RAT-3", "FS-LGE-3", "FS-AMB-2")
def test_a_round_is_played_to_its_end_in_steps(games: New) -> None:
    league = played(games)
    seen: dict[str, list[str]] = {"p1": [], "p2": []}
    for group in seen:
        while (now := asked(league, group))["step"] != "4":
            assert (now["group"], now["done"]) == (group, False)
            seen[group].append(now["step"])
            close(league, group, now["step"], **ABSENT)
    overview = league.get("/post-game").body
    assert [(line["group"], line["step"]) for line in overview["groups"]] == [("p1", "4"), ("p2", "4")]
    assert overview["recruits"] == {"open": False, "recruits": [], "order": [], "waits_for": []}
    recruits(league)
    for group in seen:
        seen[group].append("4")
        while (now := asked(league, group))["step"]:
            seen[group].append(now["step"])
            last = close(league, group, now["step"], by=group)
            assert last.status == 201, last
    assert seen == {"p1": list(ORDER), "p2": list(ORDER)}
    assert last.types[-4:] == ["GroupRatingFinalised", "StepClosed", "StandingsRecorded", "RoundClosed"]
    assert league.get("/post-game").body["closed"] is True
    assert set(CAMPAIGN.of(league.state).ratings[1]) == {"p1", "p2"}
    for group in seen:
        shown = league.get(f"/groups/{group}").body
        assert shown["rating"] == shown["rating_now"] == sum(part["value"] for part in shown["rating_parts"])


@pytest.mark.clause("FS-PGP-1")
@pytest.mark.parametrize("step", ["1b", "3", "9"])
def test_a_step_out_of_order_is_refused(games: New, step: str) -> None:
    league = played(games)
    refused = close(league, "p1", step, by="p1")
    assert (refused.status, refused.code) == (409, "step-refused")
    assert clauses(refused) == [("/step", "FS-PGP-1")]
    early = choose(league, "p1", "buy_from_list", by="p1", good="frag_grenade")
    assert (early.status, early.code) == (409, "step-refused")


@pytest.mark.clause("FS-PGP-1")
def test_other_faults_precede_missing_dice(games: New) -> None:
    league = played(games)
    body = {"does": "scavenge", "of": {"member": "m-1"}}
    assert league.post("/groups/p1/choices", body, "p1").code == "step-refused"
    until(league, "p1", "3")
    missing = league.post("/groups/p1/choices", body, "p1")
    assert (missing.code, clauses(missing)) == ("dice-refused", [("/rolls/0", "FS-AUD-1")])
    absent = league.post("/groups/p1/choices", {"does": "scavenge", "of": {"member": "m-99"}}, "p1")
    assert (absent.code, clauses(absent)[0]) == ("choice-refused", ("/members/m-99", "FS-PGP-4"))


@pytest.mark.clause("FS-AUD-1", "FS-DICE-1", "FS-INJ-1")
@pytest.mark.parametrize(
    ("told", "faults"),
    [
        (roll(13, 4, by="p2", seen="p1"), [("/roll/dice/0/natural", "FS-DICE-1")]),
        (roll(4, by="p2", seen="p1"), [("/roll/dice", "FS-INJ-1")]),
        (roll(4, 4, sides=6, by="p2", seen="p1"), [(f"/roll/dice/{n}/sides", "FS-DICE-1") for n in (0, 1)]),
        (roll(4, 4, by="p2", seen="p3"), [("/rolls/0/witnessed_by", "FS-AUD-1")]),
        (roll(4, 4, by="p2", seen="p2"), [("/rolls/0/witnessed_by", "FS-AUD-1")]),
        (roll(4, 4, by="p3", seen="p1"), [("/rolls/0/rolled_by", "FS-AUD-1")]),
        (roll(4, 4, by="p2", seen=""), [("/rolls/0/witnessed_by", "FS-AUD-1")]),
    ],
)
def test_impossible_dice_of_choices_are_refused(games: New, told: Json, faults: list[tuple[str, str]]) -> None:
    league = played(games, "raiders", "regulators", "enclave")
    refused = choose(league, "p2", "roll_injury", by="p2", rolls=[told], member="m-3")
    assert (refused.status, refused.code) == (422, "dice-refused")
    assert clauses(refused) == faults


@pytest.mark.clause("FS-AUD-1", "FS-AUD-3", "FS-INJ-1", "FS-DICE-4")
def test_dice_at_the_table_and_dice_of_the_service_are_recorded(games: New) -> None:
    league = played(games)
    told = choose(league, "p2", "roll_injury", by="p2", rolls=[roll(5, 6, by="", seen="p1")], member="m-3")
    assert told.types == ["DieRolled", "InjuryRolled", "InjurySuffered"]
    die = told.events[0]["data"]
    assert (die["purpose"], die["expression"], die["total"]) == ("FS-INJ-1", "2D12", 11)
    assert (die["rolled_by"], die["witnessed_by"], die.get("source", "table")) == ("p2", "p1", "table")
    assert die["versions"].count("/") == 2
    assert die["row"] == {"table": "injuries", "least": 11, "most": 12}
    until(league, "p1", "3")
    drawn = choose(league, "p1", "scavenge", by="p1", member="m-1")
    assert drawn.status == 201, drawn
    dice = [event["data"] for event in drawn.events if event["type"] == "DieRolled"]
    assert {die["source"] for die in dice} == {"service"}
    assert dice[0]["question"] == "die: r1g1, p1/m-1, FS-SCV-1, 1, 1"


def test_a_player_decides_only_for_their_group(games: New) -> None:
    league = played(games)
    assert choose(league, "p2", "roll_injury", by="p1", member="m-3").code == "not-your-group"
    assert close(league, "p2", "1", by="p1").code == "not-your-group"
    assert close(league, "p1", "1", by="p1", **ABSENT).code == "staff-only"
    assert choose(league, "p9", "end_turn").code == "group-unknown"
    assert league.get("/groups/p9/post-game").code == "group-unknown"
    assert league.get("/groups/p1/balances/gold").code == "account-unknown"


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"does": "dance"}, "/does"),
        ({"does": "take_injury", "of": {}}, "/of/member"),
        ({"does": "take_injury", "of": {"member": "m-3", "with": "love"}}, "/of/with"),
        ({"does": "organiser_entry", "of": {"reason": "x"}}, "/does"),
    ],
)
def test_an_unknown_choice_is_refused_with_the_known_ones(games: New, body: Json, where: str) -> None:
    refused = played(games).post("/groups/p2/choices", body, "p2")
    assert (refused.status, refused.code) == (422, "choice-refused")
    assert [fault["where"] for fault in refused.body["errors"]] == [where]


def test_offered_choices_match_their_openapi_schemas(games: New) -> None:
    components = documents()["scoring"]["components"]
    assert components["schemas"]["ChooseBody"]["discriminator"]["mapping"].keys() == CHOICES.keys()
    shape = jsonschema.Draft202012Validator({"$ref": "#/components/schemas/ChooseBody", "components": components})
    league, offered = played(games), set()
    for step in ("1", "1b", "2", "3"):
        until(league, "p1", step)
        for choice in asked(league, "p1", every=True)["choices"]:
            shape.validate({"does": choice["does"], "of": choice["of"], "service": True})
            offered.add(choice["does"])
    assert offered >= {"award_experience", "scavenge", "visit_turf", "settle_upkeep"}
    for wrong in ({"does": "dance"}, {"does": "scavenge"}, {"does": "scavenge", "of": {"member": 1}}):
        assert not shape.is_valid(wrong)


@pytest.mark.clause("FS-PGP-4", "FS-TRF-2")
def test_a_turf_can_be_visited_once(games: New) -> None:
    league = played(games)
    until(league, "p1", "3")
    visits = [choice["of"] for choice in asked(league, "p1")["choices"] if choice["does"] == "visit_turf"]
    first = next(of for of in visits if of["choice"] == "income")
    assert choose(league, "p1", "visit_turf", by="p1", **first).status == 201
    other = next(member for member in ("m-1", "m-2", "m-3") if member != first["member"])
    again = choose(league, "p1", "visit_turf", by="p1", **first | {"member": other})
    assert (again.code, clauses(again)) == ("choice-refused", [("/turf", "FS-TRF-2")])
    told = asked(league, "p1", every=True)["choices"]
    why = {fault["clause"] for choice in told for fault in choice["errors"] if not choice["legal"]}
    assert {"FS-TRF-2", "FS-PGP-4"} <= why


@pytest.mark.clause("FS-INJ-5")
def test_captors_are_paid_for_their_prisoners(games: New) -> None:
    deeds = (
        {"m-3": {"down": "rival", "by": "m-1", "melee": True}},
        {"m-1": {"wounds": 1, "models": 1, "kills": 1, "took": ["m-3"]}},
    )
    league = played(games, report={"deeds": deeds})
    assert choose(league, "p1", "roll_injury", by="p1", rolls=[roll(12, 12, seen="p2")], member="m-3").status == 201
    caps = league.group("p2").caps
    jailed = choose(league, "p1", "check_jail", by="p1", rolls=[roll(12, seen="p2")], member="m-3")
    assert jailed.types == ["DieRolled", "MemberIncarcerated", "CapsMoved"]
    assert (jailed.events[2]["data"]["group"], league.group("p2").caps) == ("p2", caps + 25)
    assert league.get("/groups/p2/balances/caps").body["entries"][-1]["reason"] == "prisoner"


RECRUITS = [roll(1, seen="p2") | {"group": "p1"}, roll(7, by="p2", seen="p1") | {"group": "p2"}]


@pytest.mark.clause("FS-REC-1")
def test_recruit_dice_name_each_group_once(games: New) -> None:
    league = played(games)
    for group in ("p1", "p2"):
        until(league, group, "4")
    for rolls, where in (
        ([*RECRUITS, RECRUITS[0]], "/rolls/2/group"),
        ([RECRUITS[0] | {"group": "p9"}], "/rolls/0/group"),
    ):
        answer = league.post("/recruits", {"rolls": rolls})
        assert (answer.code, clauses(answer)) == ("group-unknown", [(where, "FS-REC-1")])
    unseen = league.post("/recruits", {"rolls": [RECRUITS[0] | {"witnessed_by": "p9"}]})
    assert clauses(unseen) == [("/rolls/0/witnessed_by", "FS-AUD-1")]


@pytest.mark.clause("FS-REC-1", "FS-REC-2", "FS-REC-3", "FS-PGP-2")
def test_recruits_wait_for_all_groups_and_go_by_rating(games: New) -> None:
    league = played(games)
    early = league.post("/recruits", {})
    assert (early.code, clauses(early)) == (
        "step-refused",
        [("/groups/p1", "FS-PGP-2"), ("/groups/p2", "FS-PGP-2")],
    )
    for group in ("p1", "p2"):
        until(league, group, "4")
    assert choose(league, "p1", "hire", recruit="recruit-1-1").code == "step-refused"
    opened = league.post("/recruits", {"rolls": RECRUITS})
    assert opened.types == ["DieRolled", "DieRolled", "RecruitPoolRolled", "RecruitOrderSet"]
    pool = league.get("/post-game").body["recruits"]
    assert [recruit["rank"] for recruit in pool["recruits"]] == ["veteran", "green"]
    ratings = {id: league.group(id).rating for id in ("p1", "p2")}
    assert pool["order"] == sorted(ratings, key=lambda id: ratings[id]) or len(set(ratings.values())) == 1
    first, second = pool["order"]
    assert league.post("/recruits", {}).code == "step-refused"
    wrong = choose(league, second, "hire", by=second, recruit="recruit-1-1")
    assert (wrong.code, clauses(wrong)) == ("step-refused", [("/group", "FS-REC-2")])
    assert choose(league, first, "hire", by=first).code == "choice-refused"
    caps = league.group(first).caps
    hired = choose(league, first, "hire", by=first, recruit="recruit-1-1")
    if caps >= 40:
        assert hired.types == ["CapsMoved", "MemberJoined", "ItemGained", "ItemMoved"]
        assert league.group(first).caps == caps - 40
    else:
        assert clauses(hired) == [("/caps", "FS-REC-3")]
    assert {choice["does"] for choice in asked(league, first)["choices"]} >= {"end_turn"}
    assert choose(league, first, "end_turn", by=first).types == ["RecruitTurnPassed"]
    last = close(league, second, "4", **ABSENT)
    assert last.types == ["RecruitTurnPassed", "StepClosed", "StepClosed"]
    assert [asked(league, id)["step"] for id in ("p1", "p2")] == ["5", "5"]


@pytest.mark.clause("FS-PGP-3", "FS-RAT-1")
def test_balances_have_entries_and_scars_have_a_history(games: New) -> None:
    league = played(games)
    choose(league, "p2", "roll_injury", by="p2", rolls=[roll(6, 6, by="p2", seen="p1")], member="m-3")
    recruits(league)
    for group in ("p1", "p2"):
        shown = league.get(f"/groups/{group}").body
        for account in ("caps", "clean", "radiated"):
            balance = league.get(f"/groups/{group}/balances/{account}").body
            assert balance["balance"] == shown[account] == sum(entry["amount"] for entry in balance["entries"])
            assert all(entry["reason"] and entry["clause"] for entry in balance["entries"])
    history = league.get("/groups/p2/members/m-3/history").body["items"]
    assert "InjurySuffered" in [event["type"] for event in history]
    sheet = next(sheet for sheet in league.get("/groups/p2").body["sheets"] if sheet["id"] == "m-3")
    assert sheet["injuries"] == ["scarred"]
    charisma = sheet["attributes"]["C"]
    assert charisma["value"] == sum(part["value"] for part in charisma["parts"])
    assert any(part["source"].startswith("injury") for part in charisma["parts"])


@pytest.mark.clause("FS-AMB-55")
def test_a_group_with_a_bye_starts_at_step_3(games: New) -> None:
    league = games("raiders", "enclave", "regulators", paired=(("p1", "p2"), ("p3",)))
    assert asked(league, "p3")["step"] == "3"
    choice = choose(league, "p3", "scavenge", by="p3", member="m-1")
    assert choice.types[:3] == ["GroupEntered", "GroupEntered", "GroupEntered"]
    assert "PostGameOpened" in choice.types
    assert asked(league, "p3")["step"] == "3"


@pytest.mark.clause("FS-SVC-2")
def test_a_repeated_choice_is_made_once(games: New) -> None:
    league = played(games)
    body = {"does": "roll_injury", "of": {"member": "m-3"}, "service": True}
    key = {"Idempotency-Key": "phone-1"}
    first = league.post("/groups/p2/choices", body, "p2", **key)
    again = league.post("/groups/p2/choices", body, "p2", **key)
    assert (first.status, first.body) == (again.status, again.body) == (201, first.body)


@pytest.mark.clause("FS-AMB-2")
def test_an_organiser_enters_discretionary_choices(games: New) -> None:
    league = played(games, options={"post__hired_guns": "operator_rules"})
    recruits(league)
    until(league, "p1", "6")
    entered = choose(league, "p1", "organiser_entry", caps=5, reason="a friendly guard")
    assert entered.types == ["CapsMoved"]
    assert choose(league, "p1", "organiser_entry", by="p1", reason="mine").code == "choice-refused"


@pytest.mark.clause("FS-PGP-7")
def test_items_cannot_move_while_a_report_waits(games: New) -> None:
    league = games("raiders", "regulators", goods={"p1": [["smg_10mm"]]})
    league.ready("r1g1")
    item = league.group("p1").items[0].id
    assert league.report("r1g1", by="p1").status == 201
    refused = choose(league, "p1", "move_item", by="p1", item=item)
    assert (refused.code, clauses(refused)) == ("step-refused", [("/step", "FS-PGP-7")])
    assert league.confirm("r1g1", "p2").status == 201
    assert choose(league, "p1", "move_item", by="p1", item=item).types == ["ItemMoved"]


@pytest.mark.clause("FS-AMB-35")
def test_a_chosen_pistol_is_named_before_the_roll(games: New) -> None:
    league = played(games, options={"scavenge__pistol_item": "any_pistol_of_choice"})
    until(league, "p1", "3")
    refused = choose(league, "p1", "scavenge", by="p1", member="m-1", good="flamer")
    assert (refused.code, clauses(refused)) == ("choice-refused", [("/of/good", "FS-AMB-35")])
    assert choose(league, "p1", "scavenge", by="p1", member="m-1", good="laser_pistol").status == 201


FORCES = ("raiders", "regulators", "super_mutants", "vault_residents", "wasteland_survivors", "brotherhood_of_steel")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.clause("FS-PGP-1", "FS-PGP-3")
def test_offered_choices_are_accepted(games: New, seed: int) -> None:
    """Every choice listed as legal is accepted, with dice of the service."""
    chance = Random(seed)
    one, two = chance.sample(FORCES, 2)
    deeds = {"m-2": {"down": "creature"}, "m-3": {"down": "fall"}}, {"m-1": {"down": "fire"}, "m-4": {"rads": 3}}
    league = played(games, one, two, report={"deeds": deeds, "lines": ((3, 2), (2,))})
    done: set[str] = set()
    for group in ("p1", "p2"):
        _walk(league, group, chance, done, "4")
    assert league.post("/recruits", {}).status == 201
    while pool := CAMPAIGN.of(league.state).pool:
        _walk(league, pool.order[0], chance, done, "5")
    for group in ("p1", "p2"):
        _walk(league, group, chance, done, None)
    assert league.get("/post-game").body["closed"] is True
    assert {"roll_injury", "award_experience", "settle_upkeep", "end_turn"} <= done


def _walk(league: Games, group: str, chance: Random, done: set[str], until: str | None) -> None:
    """Make random offered choices and close steps, up to this step."""
    for _ in range(200):
        now = asked(league, group)
        if now["step"] == until or (until == "5" and group not in _order(league)):
            return
        offered = [choice for choice in now["choices"] if choice["does"] != "emergency_sale"]
        if offered and (now["waits_for"] or chance.random() < 0.6):
            choice = chance.choice(offered)
            body = {"does": choice["does"], "of": choice["of"], "service": True, "leave": bool(choice["leaves"])}
            answer = league.post(f"/groups/{group}/choices", body, group)
            assert answer.status == 201, (choice, answer)
            done.add(choice["does"])
        elif now["step"] != "4":
            assert close(league, group, now["step"], by=group, leave=bool(now["left_open"])).status == 201, now
    raise AssertionError(f"{group} does not come to an end: {now}")


def _order(league: Games) -> tuple[str, ...]:
    pool = CAMPAIGN.of(league.state).pool
    return pool.order if pool else ()


@pytest.mark.clause("FS-PGP-1", "FS-SPC-3")
def test_a_step_does_not_close_over_what_is_left_without_a_word(games: New) -> None:
    league = played(games, "raiders", "vault_residents", report={"deeds": ({}, {})})
    assert asked(league, "p2")["left_open"] == [
        {"does": "choose_clean_home", "of": {}, "clause": "FS-SPC-3", "won": True}
    ]
    refused = close(league, "p2", "1", by="p2")
    assert (refused.status, refused.code, clauses(refused)) == (409, "leaves-open", [("/leave", "FS-SPC-3")])
    assert refused.data["left_open"] == [{"does": "choose_clean_home", "of": {}, "clause": "FS-SPC-3"}]
    away = {name: value for name, value in ABSENT.items() if name != "leave"}
    assert close(league, "p2", "1", **away).code == "leaves-open"
    assert close(league, "p2", "1", by="p2", leave=True).types == ["StepClosed"]


@pytest.mark.clause("FS-PGP-5")
def test_an_absent_player_needs_a_reason_and_an_announced_time_that_is_past(games: New) -> None:
    league = played(games)
    for missing in ("reason", "announced"):
        body = {name: value for name, value in ABSENT.items() if name != missing}
        for given in ({}, {missing: " "}):
            refused = close(league, "p1", "1", **body, **given)
            assert (refused.status, [fault["where"] for fault in refused.faults]) == (422, [f"/{missing}"])
    for time in ("next Sunday", "2020-03-01", "2020-03-01T20:00:00", "9" * 40):
        assert close(league, "p1", "1", **ABSENT | {"announced": time}).status == 422
    early = close(league, "p1", "1", **ABSENT | {"announced": "2999-03-01T20:00:00+01:00"})
    assert (early.status, early.code, clauses(early)) == (409, "too-early", [("/announced", "FS-PGP-5")])
    assert close(league, "p1", "1", reason="slow").status == 422
    closed = close(league, "p1", "1", **ABSENT | {"announced": "2020-03-01T21:00:00+01:00"}).events[-1]["data"]
    assert (closed["reason"], closed["announced"]) == (ABSENT["reason"], "2020-03-01T20:00:00.000Z")
