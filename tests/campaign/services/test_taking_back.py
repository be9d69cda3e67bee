"""Statements of a running post-game phase that are taken back, and later statements that are decided again."""

from __future__ import annotations

import pytest

from shared.campaign.state import CAMPAIGN
from tests.campaign.services.conftest import NewGames
from tests.campaign.services.games_story import Games, given, ready, roll, wrong
from tests.services.story import Answer, Json

FELL: Json = {"m-2": {"down": "fall"}, "m-3": {"down": "fall"}}


def choose(told: Games, does: str, of: Json | None = None, by: str = "p1", *rolls: Json, group: str = "p1") -> Answer:
    """Make a choice. Without rolls, the service rolls."""
    body: Json = {"does": does, "of": of or {}, "rolls": list(rolls), "service": not rolls}
    return told.post(f"/groups/{group}/choices", body, by)


def close(told: Games, step: str, by: str = "p1", group: str = "p1") -> Answer:
    return told.post(f"/groups/{group}/steps/{step}/closing", {}, by)


def statements(told: Games, group: str = "p1") -> list[Json]:
    return list(told.get(f"/groups/{group}/statements").body["items"])


def last(told: Games, group: str = "p1") -> int:
    """Return the number of the last statement."""
    return int(statements(told, group)[-1]["id"])


def number(told: Games, does: str, group: str = "p1") -> int:
    """Return the number of the first statement that does this."""
    return next(int(one["id"]) for one in statements(told, group) if one["does"] == does)


def take(told: Games, statement: int, by: str = "organiser", group: str = "p1", **more: object) -> Answer:
    """Take a statement back; staff say why."""
    reason = {"reason": "the wrong line"} if by not in ("p1", "p2") else {}
    preview = "?preview=true" if more.pop("preview", False) else ""
    return told.post(f"/groups/{group}/statements/{statement}/taking-back{preview}", {**reason, **more}, by)


@pytest.fixture
def hurt(games: NewGames) -> Games:
    """A campaign in step 1; m-2 and m-3 of p1 must roll injuries, and p1 has two items."""
    told = ready(games, "brotherhood_of_steel", "vault_residents")
    given(told, "p1", ("jet", "m-1"), ("stimpak", "m-1"))
    told.report("r1g1", deeds=(FELL, {}))
    return told


# Who takes back what


@pytest.mark.clause("FS-REP-5")
def test_a_player_takes_back_the_last_statement(hurt: Games) -> None:
    before = hurt.group("p1")
    assert choose(hurt, "move_item", {"item": "i-100", "holder": "m-4"}).status == 201
    (said,) = statements(hurt)
    assert (said["does"], said["by"], said["dice"], said["player_can"]) == ("move_item", "p1", False, True)
    answer = take(hurt, said["id"], by="p1")
    assert (answer.status, answer.types) == (201, ["StatementTakenBack"])
    assert hurt.group("p1") == before
    assert statements(hurt) == []


@pytest.mark.clause("FS-REP-5")
def test_a_closed_step_is_opened_again_while_nothing_rests_on_it(hurt: Games) -> None:
    hurt.until("4", "p1")
    assert take(hurt, last(hurt)).status == 201
    assert hurt.step("p1") == "3"


@pytest.mark.clause("FS-REP-5", "FS-AUD-1")
def test_after_a_die_only_staff_take_back_and_say_why(hurt: Games) -> None:
    rolled = choose(hurt, "roll_injury", {"member": "m-2"})
    statement = last(hurt)
    assert take(hurt, statement, by="p1").code == "staff-only"
    assert hurt.post(f"/groups/p1/statements/{statement}/taking-back", {}).code == "reason-needed"
    answer = take(hurt, statement)
    assert answer.events[0]["data"]["reason"] == "the wrong line"
    again = choose(hurt, "roll_injury", {"member": "m-2"})
    assert again.events[0]["data"]["dice"] == rolled.events[0]["data"]["dice"]
    history = hurt.get("/groups/p1/members/m-2/history").body["items"]
    assert [event["type"] for event in history].count("StatementTakenBack") == 1


@pytest.mark.clause("FS-REP-5")
def test_refusals_of_taking_back(hurt: Games) -> None:
    choose(hurt, "move_item", {"item": "i-100", "holder": "m-4"})
    first = last(hurt)
    choose(hurt, "move_item", {"item": "i-101", "holder": "m-4"}, "organiser")
    by_staff = last(hurt)
    heads = len(hurt.log)
    assert take(hurt, first, by="p1").code == "staff-only"  # not the last one
    assert take(hurt, by_staff, by="p1").code == "staff-only"  # said by staff
    assert take(hurt, by_staff, by="p2").code == "not-your-group"
    assert take(hurt, 1).code == "statement-unknown"
    assert take(hurt, by_staff, group="p2").code == "statement-unknown"
    assert take(hurt, by_staff, group="p9").code == "group-unknown"
    assert len(hurt.log) == heads
    assert take(hurt, by_staff).status == 201
    assert take(hurt, by_staff).data["taken_back_by"] == heads + 1
    assert take(hurt, first, by="p1").status == 201
    assert take(hurt, first, by="p1").code == "statement-unknown"


@pytest.mark.parametrize(
    "body", [None, {"reason": 7}, {"reason": "x" * 501}, {"drop": "yes"}, {"reason": "a", "more": 1}, {"reason": "\0"}]
)
def test_a_malformed_request_is_refused(hurt: Games, body: Json | None) -> None:
    choose(hurt, "move_item", {"item": "i-100", "holder": "m-4"})
    heads = len(hurt.log)
    path = f"/groups/p1/statements/{last(hurt)}/taking-back"
    assert hurt.post(path, body).status in (400, 415, 422)
    assert len(hurt.log) == heads


@pytest.mark.clause("FS-REP-5")
def test_after_the_phase_only_the_ledger_corrects(hurt: Games) -> None:
    choose(hurt, "move_item", {"item": "i-100", "holder": "m-4"})
    statement = last(hurt)
    hurt.finish("p1", "p2")
    assert (take(hurt, statement).code, wrong(take(hurt, statement))) == ("step-refused", [("/group", "FS-REP-5")])


# What was said later


@pytest.mark.clause("FS-REP-5")
def test_later_statements_stand_with_their_dice(hurt: Games) -> None:
    choose(hurt, "move_item", {"item": "i-100", "holder": "m-4"})
    first = last(hurt)
    rolled = choose(hurt, "roll_injury", {"member": "m-2"}, "p1", roll(11, 12))
    answer = take(hurt, first)
    assert answer.types == ["StatementTakenBack", "StatementDecidedAgain"]
    assert answer.events[1]["data"]["statement"] == rolled.events[0]["position"]
    item = hurt.group("p1").item("i-100")
    assert item is not None
    assert item.holder == "m-1"
    assert CAMPAIGN.of(hurt.state).discarded_dice() == []
    assert [one["does"] for one in statements(hurt)] == ["roll_injury"]


@pytest.mark.clause("FS-REP-5")
def test_what_no_longer_holds_is_shown_first(hurt: Games) -> None:
    hurt.until("3", "p1")
    gift = {"entry": "item_gained", "good": "stimpak", "reason": "a gift", "clause": "FS-REP-5"}
    hurt.enter("p1", gift)
    statement, item = last(hurt), hurt.group("p1").items[-1].id
    assert choose(hurt, "move_item", {"item": item, "holder": "m-4"}).status == 201
    later = last(hurt)
    rolled = choose(hurt, "scavenge", {"member": "m-4"})
    assert rolled.status == 201
    heads, before = len(hurt.log), hurt.group("p1")
    for preview in (True, False):
        refused = take(hurt, statement, preview=preview)
        assert (refused.code, refused.data["statements"]) == ("statements-fall", [later])
        assert wrong(refused) == [(f"/statements/{later}/item", "FS-PGP-7")]
    shown = take(hurt, statement, drop=True, preview=True)
    assert (shown.status, len(hurt.log)) == (200, heads)
    assert shown.body["moves"]["groups"][0]["items_lost"] == ["stimpak"]
    answer = take(hurt, statement, drop=True)
    assert answer.types == ["StatementTakenBack", "StatementDecidedAgain"]
    assert answer.events[0]["data"]["fallen"] == [later]
    now = hurt.group("p1")
    assert (now.caps, now.phase) == (before.caps, before.phase)
    assert [kept.id for kept in now.items] == [kept.id for kept in before.items if kept.id != item]
    assert take(hurt, later).data["taken_back_by"] == heads + 1


@pytest.mark.clause("FS-REP-5", "FS-PGP-3")
def test_balances_show_what_was_undone(hurt: Games) -> None:
    hurt.until("3", "p1")
    before = hurt.group("p1").caps
    hurt.enter("p1", {"entry": "caps", "amount": 30, "reason": "a gift", "clause": "FS-REP-5"})
    gift = last(hurt)
    hurt.enter("p1", {"entry": "caps", "amount": -5, "reason": "a fine", "clause": "FS-REP-5"})
    assert take(hurt, gift).types == ["StatementTakenBack", "StatementDecidedAgain"]
    balance = hurt.get("/groups/p1/balances/caps").body
    assert (balance["balance"], hurt.group("p1").caps) == (before - 5, before - 5)
    assert [(one["amount"], one["reason"]) for one in balance["entries"]][-1] == (-30, "the wrong line")


@pytest.mark.clause("FS-REP-5", "FS-GRP-13")
def test_ids_of_later_things_stay(hurt: Games) -> None:
    hurt.until("3", "p1")
    gift = {"entry": "item_gained", "good": "stimpak", "reason": "a gift", "clause": "FS-REP-5"}
    hurt.enter("p1", gift)
    first, one = last(hurt), hurt.group("p1").items[-1].id
    hurt.enter("p1", gift)
    other = hurt.group("p1").items[-1].id
    assert choose(hurt, "move_item", {"item": other, "holder": "m-4"}).status == 201
    assert take(hurt, first).types == ["StatementTakenBack", *["StatementDecidedAgain"] * 2]
    items = {item.id: item.holder for item in hurt.group("p1").items}
    assert (one in items, items[other]) == (False, "m-4")
    hurt.enter("p1", gift)
    assert hurt.group("p1").items[-1].id not in (one, other)


# What others rest on


@pytest.mark.clause("FS-REP-5", "FS-PGP-2")
def test_recruits_rest_on_step_3(hurt: Games) -> None:
    hurt.until("4", "p1", "p2")
    assert hurt.post("/recruits", {}).status == 201
    closing = last(hurt)
    assert wrong(take(hurt, closing)) == [("/statement", "FS-REP-5")]
    assert take(hurt, closing).code == "others-rely-on-it"


@pytest.mark.clause("FS-REP-5", "FS-REC-2")
def test_a_turn_is_taken_back_until_the_next_group_acts(games: NewGames) -> None:
    hurt = ready(games, "raiders", "raiders")
    hurt.report("r1g1")
    hurt.until("4", "p1", "p2")
    for group in ("p1", "p2"):
        gift = {"entry": "caps", "amount": 200, "reason": "a gift", "clause": "FS-REP-5"}
        assert hurt.enter(group, gift).status == 201
    assert hurt.post("/recruits", {}).status == 201
    pool = CAMPAIGN.of(hurt.state).pool
    assert pool is not None
    one, other = pool.order
    recruit = pool.recruits[0]
    members = len(hurt.group(one).members)
    assert choose(hurt, "hire", {"recruit": recruit.id}, one, group=one).status == 201
    assert take(hurt, last(hurt, one), one, one).status == 201
    assert (CAMPAIGN.of(hurt.state).pool, len(hurt.group(one).members)) == (pool, members)
    assert choose(hurt, "hire", {"recruit": recruit.id}, one, group=one).status == 201
    assert choose(hurt, "end_turn", {}, one, group=one).status == 201
    assert take(hurt, last(hurt, one), one, one).status == 201
    assert choose(hurt, "end_turn", {}, one, group=one).status == 201
    assert choose(hurt, "hire", {"recruit": pool.recruits[1].id}, other, group=other).status == 201
    assert take(hurt, number(hurt, "end_turn", one), group=one).code == "others-rely-on-it"
    hired = take(hurt, number(hurt, "hire", one), group=one)  # the turn is over, the recruit is free again
    assert hired.types == ["StatementTakenBack", "StatementDecidedAgain"]
    left = CAMPAIGN.of(hurt.state).pool
    assert left is not None
    assert (recruit in left.recruits, left.order, left.hired) == (True, (other,), 1)
    assert choose(hurt, "end_turn", {}, other, group=other).status == 201
    assert (hurt.step(one), hurt.step(other)) == ("5", "5")
    reopened = take(hurt, last(hurt, other), other, other)  # the last turn closed the step for everyone
    assert (reopened.status, reopened.types) == (201, ["StatementTakenBack"] * 2), reopened
    assert (hurt.step(one), hurt.step(other), CAMPAIGN.of(hurt.state).pool) == ("4", "4", left)
    assert choose(hurt, "end_turn", {}, other, group=other).status == 201
    assert take(hurt, number(hurt, "hire", other), group=other).status == 201
    assert close(hurt, "5", one, group=one).status == 201
    assert take(hurt, number(hurt, "end_turn", other), group=other).code == "others-rely-on-it"


@pytest.mark.clause("FS-REP-5", "FS-XP-1")
def test_kills_of_a_rival_rest_on_the_dead(games: NewGames) -> None:
    told = ready(games, "raiders", "raiders", options={"xp__kill": "dead_on_injury_table"})
    deaths: Json = {"m-2": {"down": "rival", "by": "m-1"}}
    took: Json = {"m-1": {"wounds": 1, "models": 1, "kills": 1, "took": ["m-2"]}}
    answer = told.report("r1g1", deeds=(deaths, took))
    assert answer.status == 201, answer
    choose(told, "roll_injury", {"member": "m-2"}, "p1", roll(1, 1))
    for step in ("1", "1b"):
        assert close(told, step).status == 201
    told.until("2", "p2")
    assert choose(told, "award_experience", {}, "p2", group="p2").status == 201
    assert take(told, number(told, "roll_injury"), drop=True).code == "others-rely-on-it"
    assert take(told, number(told, "award_experience", "p2"), group="p2").status == 201
    assert take(told, number(told, "roll_injury"), drop=True).status == 201


@pytest.mark.clause("FS-REP-5", "FS-INJ-5")
def test_a_voided_game_ends_what_can_be_taken_back(hurt: Games) -> None:
    choose(hurt, "move_item", {"item": "i-100", "holder": "m-4"})
    statement = last(hurt)
    hurt.void("r1g1")
    assert take(hurt, statement).code == "step-refused"


@pytest.mark.clause("FS-REP-5")
def test_a_game_can_be_voided_after_its_steps_were_opened_again(hurt: Games) -> None:
    hurt.until("3", "p1")
    closing = [one["id"] for one in statements(hurt) if one["does"] == "CloseStep"][-1]
    assert take(hurt, closing).status == 201
    assert hurt.step("p1") == "2"
    assert hurt.void("r1g1").types == ["ResultVoided", "GroupRestored", "GroupRestored"]
    assert hurt.group("p1").phase is None


@pytest.mark.clause("FS-REP-5", "FS-AUD-1")
def test_nobody_passes_over_a_die(games: NewGames) -> None:
    """The first die of a kind is the first, although the statement that asked it is taken back."""
    told = ready(games, "raiders", "raiders")
    told.report("r1g1")
    told.until("2", "p1")
    choose(told, "award_experience", {})
    gift: Json = {"entry": "experience", "member": "m-3", "deeds": {"kill": 9}, "reason": "found", "clause": "FS-XP-1"}
    told.until("3", "p1", "p2")
    assert told.enter("p1", gift).status == 201
    first = choose(told, "roll_advancement", {"member": "m-3"}, "p1", roll(2, 3))
    second = choose(told, "roll_advancement", {"member": "m-3"}, "p1", roll(9, 9))
    assert (first.status, second.status) == (201, 201), (first, second)
    answer = take(told, number(told, "roll_advancement"), drop=True)
    dice = [event["data"] for event in answer.events if event["type"] == "DieRolled"]
    assert [[die["natural"] for die in one["dice"]] for one in dice] == [[2, 3]]
    assert dice[0]["question"] == first.events[0]["data"]["question"]


@pytest.mark.clause("FS-REP-5", "FS-PGP-4")
def test_two_phones_say_and_take_back_the_same(hurt: Games) -> None:
    """The second phone is refused, and nothing of its request is recorded."""
    assert choose(hurt, "roll_injury", {"member": "m-2"}).status == 201
    statement, heads = last(hurt), len(hurt.log)
    assert choose(hurt, "roll_injury", {"member": "m-2"}).code == "choice-refused"
    assert len(hurt.log) == heads
    assert take(hurt, statement).status == 201
    again = take(hurt, statement)
    assert (again.code, again.data["taken_back_by"], len(hurt.log)) == ("statement-unknown", heads + 1, heads + 1)


@pytest.mark.clause("FS-REP-5", "FS-PGP-1", "FS-AUD-1")
def test_a_list_of_choices_is_decided_again_with_its_dice(hurt: Games) -> None:
    choose(hurt, "move_item", {"item": "i-100", "holder": "m-4"})
    first = last(hurt)
    both = [{"does": "roll_injury", "of": {"member": member}, "service": True} for member in ("m-2", "m-3")]
    assert hurt.post("/groups/p1/choices/list", {"choices": both}, "p1").status == 201
    assert take(hurt, first).types == ["StatementTakenBack", "StatementDecidedAgain"]
    assert CAMPAIGN.of(hurt.state).discarded_dice() == []
