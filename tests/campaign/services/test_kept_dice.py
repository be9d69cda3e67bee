"""Dice depend only on their question: they are unpredictable and survive other commands and corrections."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator
from hashlib import sha256

import pytest

from services.scoring.campaign_phase import Choose
from services.scoring.handlers import HANDLERS
from shared.campaign.dice import DieRolled, drawn_dice
from shared.campaign.format import dice_statuses
from shared.campaign.state import CAMPAIGN
from shared.log.event import Recorded
from shared.tournament.guards import By, Context
from tests.campaign.services.games_story import Games, given, ready, roll
from tests.chance import seeded_chance
from tests.draws import oracle_of
from tests.services.story import Answer, Json

New = Callable[..., Games]

FELL = {"m-2": {"down": "fall"}}
INJURY = "die: r1g1, p1/m-2, FS-INJ-1, 1, 1"


def hurt(games: New) -> Games:
    """Return a campaign in which m-2 of p1 has to roll an injury."""
    told = ready(games, "brotherhood_of_steel", "vault_residents")
    told.report("r1g1", deeds=(FELL, {}))
    return told


def roll_injury(told: Games, *faces: int, by: str = "p1") -> Answer:
    """Roll the injury of m-2: these faces at the table, or by the service."""
    body: Json = {"does": "roll_injury", "of": {"member": "m-2"}, "service": not faces}
    return told.post("/groups/p1/choices", body | {"rolls": [roll(*faces)] if faces else []}, by)


def rolled(answer: Answer) -> Json:
    """Return the die in an answer."""
    assert answer.status == 201, answer
    return dict(answer.events[0]["data"])


def faces(die: Json) -> list[int]:
    return [one["natural"] for one in die["dice"]]


def corrected(told: Games, deeds: Json | None = None) -> Answer:
    """Correct the result to a win of the other side. m-2 was taken down, unless `deeds` differs."""
    report = told.told("r1g1", lines=((), (2,)), deeds=(FELL if deeds is None else deeds, {}))
    answer = told.correct("r1g1", {"kind": "game", "report": report})
    assert "GroupRestored" in answer.types, answer
    return answer


# Unpredictable dice


def programs(log: list[Recorded], question: str) -> Iterator[int]:
    """Return the faces predicted from the public log: from its head, from the commitment, from everything.

    An earlier version of the service drew dice from the head of the log.
    """
    number = sum(event.type == "DieRolled" for event in log) + 1
    yield int(sha256(f"{log[-1].hash}|s{number}|0|0".encode()).hexdigest(), 16) % 12 + 1
    digest = next(event.data for event in reversed(log) if event.type == "DrawsCommitted").split('"')[3]
    whole = sha256("".join(event.hash for event in log).encode()).digest()
    for secret in (bytes.fromhex(digest), bytes.fromhex(log[-1].hash), whole):
        yield drawn_dice(hmac.digest(secret, question.encode(), "sha256").hex(), "1D12")[0].natural


@pytest.mark.clause("FS-AUD-1", "FS-DICE-4")
def test_dice_cannot_be_predicted_from_the_log(games: New) -> None:
    """Each prediction of 200 dice is right about one in twelve times."""
    pairs = [(f"p{n}", f"p{n + 1}") for n in range(1, 200, 2)]
    told = games(*["raiders"] * 200, paired=pairs)
    right = [0, 0, 0, 0]
    with seeded_chance("dice that nobody foresees"):
        for number, pair in enumerate(pairs, 1):
            for group in pair:
                told.muster(f"r1g{number}", group)
                question = f"die: r1g{number}, {group}, FS-GAM-5, 1, 1"
                log = told.log
                committed = any(event.type == "DrawsCommitted" for event in log)
                predicted = list(programs(log, question)) if committed else []
                die = rolled(told.objective(f"r1g{number}", group))
                assert die["question"] == question
                for program, face in enumerate(predicted):
                    right[program] += face == faces(die)[0]
    assert all(5 <= hits <= 30 for hits in right), right


@pytest.mark.clause("FS-AUD-1", "FS-PGP-7")
def test_other_commands_before_a_roll_do_not_change_it(games: New) -> None:
    told = ready(games, "brotherhood_of_steel", "vault_residents")
    (item,) = given(told, "p1", ("jet", "m-1"))
    told.report("r1g1", deeds=(FELL, {}))
    command = Choose(group="p1", does="roll_injury", of={"member": "m-2"}, service=True)

    def would_roll() -> DieRolled:
        context = Context(
            By("p1", "player", "p1"),
            "2026-03-01T10:00:00.000Z",
            told.club.folded(told.id).heads,
            "scoring",
            oracle_of(told.state, "scoring"),
        )
        (die, *_) = HANDLERS[Choose].decide(told.state, command, context)
        assert isinstance(die, DieRolled)
        return die

    before = would_roll()
    for number in range(17):
        of = {"item": item, "holder": f"m-{3 + number % 2}"}
        assert told.post("/groups/p1/choices", {"does": "move_item", "of": of}, "p1").types == ["ItemMoved"]
    assert would_roll() == before
    assert before.question == INJURY


@pytest.mark.clause("FS-AUD-1")
def test_a_preview_neither_shows_nor_changes_a_roll(games: New) -> None:
    told = hurt(games)
    body = {"does": "roll_injury", "of": {"member": "m-2"}, "service": True}
    shown = told.post("/groups/p1/choices?preview=true", body, "p1")
    assert (shown.body["events"], shown.body["uncertain"][0]["reason"]) == ([], "rolled")
    assert rolled(roll_injury(told))["question"] == INJURY


# Dice after a correction


@pytest.mark.clause("FS-AUD-1", "FS-REP-5")
def test_an_injury_roll_stays_the_same_after_a_correction(games: New) -> None:
    told = hurt(games)
    first = rolled(roll_injury(told))
    corrected(told)
    again = rolled(roll_injury(told))
    assert (again["question"], again["source"], faces(again)) == (INJURY, "service", faces(first))
    assert again["roll"] != first["roll"]
    assert CAMPAIGN.of(told.state).discarded_dice() == []


@pytest.mark.clause("FS-AUD-1", "FS-REP-5")
def test_other_faces_at_the_table_are_refused_after_a_correction(games: New) -> None:
    told = hurt(games)
    first = rolled(roll_injury(told, 9, 9))
    corrected(told)
    refused = roll_injury(told, 12, 12)
    assert refused.code == "dice-refused"
    (fault,) = refused.faults
    assert (fault["where"], fault["said"], fault["clause"]) == ("/rolls/0/dice", "12, 12", "FS-AUD-1")
    assert fault["code"] == "faces-as-rolled-by"
    assert fault["data"] == {"faces": [9, 9], "roll": first["roll"], "person": "p1"}
    assert fault["expected"].startswith(f"9, 9, as rolled by p1 ({first['roll']})")
    again = rolled(roll_injury(told, 9, 9))
    assert (again["question"], again["rolled_by"], again["witnessed_by"]) == (INJURY, "p1", "p2")


@pytest.mark.clause("FS-AUD-1", "FS-REP-5", "FS-PGP-5")
@pytest.mark.parametrize("absent", [True, False])
def test_the_service_reuses_dice_rolled_at_the_table(games: New, absent: bool) -> None:
    """Whether the die is rolled again or the step closed, the same die is used."""
    told = hurt(games)
    rolled(roll_injury(told, 9, 9))
    corrected(told)
    if absent:
        told.close_step("p1")
        again = next(die for die in reversed(told.of("DieRolled")) if die["purpose"] == "FS-INJ-1")
    else:
        again = rolled(roll_injury(told))
    assert (faces(again), again.get("source", "table"), again["rolled_by"]) == ([9, 9], "table", "p1")
    (asked,) = [die for die in told.get("/dice?standing=unconfirmed").body["items"] if die["purpose"] == "FS-INJ-1"]
    assert (asked["id"], asked["told_by"], asked["waits_for"]) == (again["roll"], "p1", "p2")


@pytest.mark.clause("FS-AUD-1", "FS-REP-5")
def test_a_confirmation_survives_a_correction(games: New) -> None:
    told = hurt(games)
    first = rolled(roll_injury(told, 9, 9))
    told.post("/dice/confirmation", {"rolls": [first["roll"]]}, "p2")
    corrected(told)
    again = rolled(roll_injury(told, 9, 9))
    (line,) = [die for die in told.get("/dice").body["items"] if die["id"] == again["roll"]]
    assert line["standing"] == "confirmed"


@pytest.mark.clause("FS-AUD-1", "FS-REP-5")
def test_a_rejected_die_is_rolled_again_as_a_new_attempt(games: New) -> None:
    told = hurt(games)
    first = rolled(roll_injury(told, 9, 9))
    corrected(told)
    ruling = {"rolls": [first["roll"]], "stands": False, "reason": "it rolled off the table"}
    assert told.post("/dice/ruling", ruling).types == ["DiceRuled"]
    again = rolled(roll_injury(told, 12, 12))
    assert (again["question"], faces(again)) == ("die: r1g1, p1/m-2, FS-INJ-1, 1, 2", [12, 12])
    (line,) = [die for die in told.get("/dice").body["items"] if die["discarded_by"]]
    assert (line["id"], line["standing"]) == (first["roll"], "rejected")


@pytest.mark.clause("FS-AUD-1", "FS-REP-5")
def test_the_final_die_stays_the_same_in_a_corrected_report(games: New) -> None:
    told = hurt(games)
    report = told.told("r1g1", lines=((), (2,)), deeds=(FELL, {}), end_roll=roll(11))
    refused = told.correct("r1g1", {"kind": "game", "report": report})
    assert [fault["where"] for fault in refused.faults] == ["/facts/report/end_roll/dice"]
    ends = [die["question"] for die in told.of("DieRolled") if die["purpose"] == "FS-GAM-8"]
    corrected(told)
    ends += [die["question"] for die in told.of("DieRolled") if die["purpose"] == "FS-GAM-8"][1:]
    assert ends == ["die: r1g1, p1, FS-GAM-8, 1, 1"] * 2


@pytest.mark.clause("FS-AUD-1", "FS-GAM-1")
def test_a_second_muster_keeps_the_objective(games: New) -> None:
    told = games("raiders", "vault_residents")
    told.muster("r1g1", "p1")
    first = rolled(told.objective("r1g1", "p1"))
    told.muster("r1g1", "p1", "m-1", "m-2")
    again = rolled(told.objective("r1g1", "p1"))
    assert (again["question"], faces(again)) == (first["question"], faces(first))


# Dice discarded by a correction


@pytest.mark.clause("FS-AUD-1", "FS-REP-5")
@pytest.mark.parametrize("at_table", [(9, 9), ()])
def test_a_die_without_a_question_is_listed_as_discarded(games: New, at_table: tuple[int, ...]) -> None:
    told = hurt(games)
    first = rolled(roll_injury(told, *at_table))
    answer = corrected(told, {"m-1": {"down": "fall"}})
    by = next(one["id"] for one in answer.events if one["type"] == "GroupRestored" and one["data"]["group"] == "p1")
    discarded = [die for die in told.get("/dice").body["items"] if die["discarded_by"]]
    (line,) = [die for die in discarded if die["purpose"] == "FS-INJ-1"]
    assert (line["id"], line["member"], line["discarded_by"]) == (first["roll"], "m-2", by)
    assert (line["source"], line["faces"], line["waits_for"]) == (
        "table" if at_table else "service",
        faces(first),
        "",
    )
    history = told.get("/groups/p1/members/m-2/history").body["items"]
    assert [event["discarded_by"] for event in history if event["type"] == "DieRolled"] == [by]
    types = [event["type"] for event in history]
    assert types.index("GroupRestored") > types.index("DieRolled")
    assert [roll.roll for roll in CAMPAIGN.of(told.state).discarded_dice()] == [first["roll"]]
    assert list(dice_statuses(told.state)).count("discarded") == 1


@pytest.mark.clause("FS-AUD-1", "FS-REP-5")
def test_a_history_contains_the_event_that_undid_an_injury(games: New) -> None:
    told = hurt(games)
    roll_injury(told, 9, 9)
    corrected(told)
    roll_injury(told, 9, 9)
    history = told.get("/groups/p1/members/m-2/history").body["items"]
    of_injuries = [event["type"] for event in history if event["type"] in ("DieRolled", "GroupRestored")]
    assert of_injuries == ["DieRolled", "GroupRestored", "DieRolled"]
    assert {event.get("discarded_by", "") for event in history} == {""}
