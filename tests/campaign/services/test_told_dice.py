"""Dice reported from the table: confirmations, disputes and rulings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from muster.audit.findings import Findings
from muster.audit.logs import audit
from muster.cli.main import main
from shared.log.cloudevents import to_wire
from shared.tournament.registration import StaffAppointed, StaffEntered
from tests.auditing import changed, decided_again
from tests.campaign.services.games_story import Games, ready, roll
from tests.campaign.services.league import League
from tests.campaign.services.league import told as told_roll
from tests.services.story import Answer, Json

New = Callable[..., Games]

STAFF = {"reported_by_staff": 3}
"""The dice that staff reported before step 3: two objectives and the end of the game."""

SOURCES = ("registration", "pairing", "scoring")


def to_scavenge(games: New, **more: Any) -> Games:
    """Return a campaign after a game, with step 3 of p1 open."""
    told = ready(games, "brotherhood_of_steel", "vault_residents", **more)
    told.report("r1g1")
    told.until("3", "p1", "p2")
    return told


def scavenge(told: Games, by: str = "p1", **named: str) -> str:
    """Scavenge with dice reported by p1. Return the id of the first die."""
    rolls = [roll(6, **named), roll(12, **named)]
    body = {"does": "scavenge", "of": {"member": "m-1"}, "rolls": rolls}
    answer = told.post("/groups/p1/choices", body, by)
    assert answer.status == 201, answer
    return str(answer.events[0]["data"]["roll"])


def dice(told: Games, **asked: str) -> list[Json]:
    rest = "&".join(f"{name}={value}" for name, value in asked.items())
    found: list[Json] = told.get(f"/dice?{rest}").body["items"]
    return found


def standing(told: Games, die: str) -> str:
    return str(next(line["standing"] for line in dice(told) if line["id"] == die))


def say(told: Games, what: str, by: str, *rolls: str, **more: Any) -> Answer:
    return told.post(f"/dice/{what}", {"rolls": list(rolls), **more}, by)


def marks(answer: Answer) -> list[tuple[str, str]]:
    return [(fault["where"], fault["clause"]) for fault in answer.faults]


@pytest.mark.clause("FS-AUD-1")
def test_an_unconfirmed_die_is_marked_until_the_rival_confirms(games: New) -> None:
    told = to_scavenge(games)
    die = scavenge(told)
    (line, _) = dice(told, standing="unconfirmed")
    assert (line["id"], line["told_by"], line["waits_for"]) == (die, "p1", "p2")
    assert told.get("/groups/p1").body["marked_dice"][die] == "unconfirmed"
    assert told.get("/groups/p1/post-game").body["marked_dice"][die] == "unconfirmed"
    assert die in told.get("/groups/p2/post-game").body["dice_to_confirm"]
    lines = {group["group"]: group for group in told.get("/post-game").body["groups"]}
    unconfirmed = [mark for mark in lines["p1"]["marked_dice"].values() if mark == "unconfirmed"]
    assert (len(unconfirmed), die in lines["p2"]["dice_to_confirm"]) == (2, True)
    entry = told.get("/groups/p1/balances/caps").body["entries"][-1]
    assert (entry["reason"], entry["mark"]) == ("scavenging", "unconfirmed")
    refused = say(told, "confirmation", "p1", die)
    assert (refused.status, refused.code, marks(refused)) == (403, "not-your-dice", [("/rolls", "FS-AUD-1")])
    answer = say(told, "confirmation", "p2")
    assert answer.types == ["DiceConfirmed"]
    assert standing(told, die) == "confirmed"
    assert die not in told.get("/groups/p1").body["marked_dice"]
    assert told.get("/groups/p1/balances/caps").body["entries"][-1]["mark"] == ""
    assert say(told, "confirmation", "p2", die).types == []


@pytest.mark.clause("FS-AUD-1", "FS-PGP-1")
def test_unconfirmed_dice_do_not_block_the_campaign(games: New) -> None:
    told = to_scavenge(games)
    die = scavenge(told)
    told.finish("p1", "p2")
    assert told.get("/post-game").body["closed"]
    assert standing(told, die) == "unconfirmed"
    assert next(line["id"] for line in dice(told, group="p1", standing="unconfirmed")) == die


@pytest.mark.clause("FS-AUD-1")
def test_the_witness_disputes_and_staff_rule(games: New) -> None:
    told = to_scavenge(games)
    die = scavenge(told)
    denied = say(told, "dispute", "p2", die, reason="it was a 3")
    assert denied.types == ["DiceDisputed"]
    assert standing(told, die) == "disputed"
    assert say(told, "dispute", "p2", die, reason="it was a 3").types == []
    assert say(told, "dispute", "p1", die, reason="no").code == "not-your-dice"
    assert say(told, "dispute", "organiser", die, reason="no").code == "not-your-dice"
    assert say(told, "ruling", "p2", die, reason="no", stands=False).code == "forbidden"
    assert say(told, "ruling", "organiser", die, reason="both were heard", stands=True).types == ["DiceRuled"]
    assert (standing(told, die), die in told.get("/groups/p1").body["marked_dice"]) == ("upheld", False)
    settled = say(told, "confirmation", "p2", die)
    assert (settled.status, settled.code) == (422, "dice-refused")


@pytest.mark.clause("FS-AUD-1")
def test_a_witness_can_confirm_after_a_dispute(games: New) -> None:
    told = to_scavenge(games)
    die = scavenge(told)
    say(told, "dispute", "p2", die, reason="it was a 3")
    assert say(told, "confirmation", "p2", die).types == ["DiceConfirmed"]
    assert say(told, "dispute", "p2", die, reason="after all").code == "dice-refused"


@pytest.mark.clause("FS-AUD-1")
def test_staff_confirm_dice_of_others_but_not_their_own(games: New) -> None:
    told = to_scavenge(games)
    die = scavenge(told, by="organiser")
    assert standing(told, die) == "reported_by_staff"
    assert say(told, "confirmation", "organiser", die).code == "not-your-dice"
    other = to_scavenge(games)
    die = scavenge(other)
    assert marks(say(other, "confirmation", "organiser")) == [("/rolls", "FS-AUD-1")]
    assert say(other, "confirmation", "organiser", die).types == ["DiceConfirmed"]
    assert standing(other, die) == "confirmed"


@pytest.mark.clause("FS-AUD-1")
def test_the_roller_confirms_a_die_reported_by_the_witness(games: New) -> None:
    other = to_scavenge(games)
    rolls = [roll(6, by="p2", seen="p1"), roll(12, by="p2", seen="p1")]
    other.post("/groups/p1/choices", {"does": "scavenge", "of": {"member": "m-1"}, "rolls": rolls}, "p1")
    assert [line["waits_for"] for line in dice(other, standing="unconfirmed")] == ["p2", "p2"]


@pytest.mark.clause("FS-AUD-1", "FS-REP-5")
def test_confirming_a_report_confirms_its_dice(games: New) -> None:
    told = ready(games, "brotherhood_of_steel", "vault_residents")
    told.report("r1g1", by="p1")
    assert told.confirm("r1g1", "p2").status == 201
    (end,) = [line for line in dice(told) if line["purpose"] == "FS-GAM-8"]
    assert end["standing"] == "confirmed"


@pytest.mark.clause("FS-AUD-1", "FS-REP-5")
def test_dice_of_a_voided_game_need_no_confirmation(games: New) -> None:
    told = ready(games, "brotherhood_of_steel", "vault_residents")
    told.report("r1g1", deeds=({"m-2": {"down": "fall"}}, {}))
    body = {"does": "roll_injury", "of": {"member": "m-2"}, "rolls": [roll(12, 12)]}
    answer = told.post("/groups/p1/choices", body, "p1")
    assert [line["id"] for line in dice(told, standing="unconfirmed")] == [answer.events[0]["data"]["roll"]]
    assert told.void("r1g1").status == 201
    assert dice(told, standing="unconfirmed") == []
    standing_dice = [line["purpose"] for line in dice(told) if not line["discarded_by"]]
    assert standing_dice == ["FS-GAM-5", "FS-GAM-5"]


@pytest.mark.clause("FS-AUD-1")
@pytest.mark.parametrize("by", ["p2", "p1"])
def test_the_person_named_with_a_die_of_staff_can_deny_it(games: New, by: str) -> None:
    """The witness, or the player who rolled if the reporting referee names themselves as witness."""
    told = to_scavenge(games, staff=("referee",))
    named = {"by": "p1", "seen": "p2" if by == "p2" else "s1"}
    sender = "organiser" if by == "p2" else told.club.token("referee", told.id, actor="s1")
    rolls = [roll(6, **named), roll(12, **named)]
    answer = told.post("/groups/p1/choices", {"does": "scavenge", "of": {"member": "m-1"}, "rolls": rolls}, sender)
    die = answer.events[0]["data"]["roll"]
    assert standing(told, die) == "reported_by_staff"
    assert die in told.get(f"/groups/{by}/post-game").body["dice_to_confirm"]
    assert told.get("/groups/p1").body["marked_dice"][die] == "reported_by_staff"
    assert audited(told)["reported_by_staff"] == len(dice(told, standing="reported_by_staff"))
    assert say(told, "dispute", "organiser", die, reason="no").code == "not-your-dice"
    assert say(told, "dispute", by, die, reason="I saw a 3").types == ["DiceDisputed"]
    assert standing(told, die) == "disputed"


@pytest.mark.clause("FS-AUD-1")
def test_a_word_of_staff_does_not_silence_the_witness(games: New) -> None:
    told = to_scavenge(games)
    die = scavenge(told)
    assert say(told, "confirmation", "organiser", die).types == ["DiceConfirmed"]
    assert say(told, "dispute", "p2", die, reason="it was a 3").types == ["DiceDisputed"]


@pytest.mark.clause("FS-AUD-1", "FS-REP-5")
def test_the_witness_can_deny_a_die_of_a_report_that_staff_entered(games: New) -> None:
    told = ready(games, "brotherhood_of_steel", "vault_residents")
    told.report("r1g1")
    (end,) = [line for line in dice(told) if line["purpose"] == "FS-GAM-8"]
    assert (end["standing"], end["waits_for"]) == ("reported_by_staff", end["witnessed_by"])
    assert say(told, "dispute", end["waits_for"], end["id"], reason="I saw a 3").types == ["DiceDisputed"]


@pytest.mark.clause("FS-AUD-1")
def test_without_witnesses_no_die_is_marked(games: New) -> None:
    told = to_scavenge(games, options={"dice__witness": "not_asked"})
    die = scavenge(told)
    assert standing(told, die) == "not_asked"
    assert told.get("/groups/p1").body["marked_dice"] == {}
    assert told.get("/groups/p2/post-game").body["dice_to_confirm"] == []


@pytest.mark.clause("FS-AUD-1")
def test_unknown_dice_are_refused_with_their_place(games: New) -> None:
    told = to_scavenge(games)
    die = scavenge(told)
    for what, more in (("confirmation", {}), ("dispute", {"reason": "x"}), ("ruling", {"reason": "x", "stands": True})):
        answer = say(told, what, "organiser" if what == "ruling" else "p2", die, "s999", **more)
        assert (answer.code, marks(answer)) == ("dice-refused", [("/rolls/1", "FS-AUD-1")])
    assert standing(told, die) == "unconfirmed"


@pytest.mark.clause("FS-AUD-1")
def test_a_playing_referee_counts_as_a_player(games: New) -> None:
    told = to_scavenge(games, staff=("referee",))
    told.say("registration", StaffEntered(staff="s1", player="p1"))
    by = told.club.token("referee", told.id, actor="s1")
    die = scavenge(told, by=by)
    assert standing(told, die) == "unconfirmed"
    assert say(told, "confirmation", by, die).code == "not-your-dice"
    told.say("registration", StaffAppointed(staff="s2", name="Another", role="referee"))
    assert say(told, "confirmation", "p2", die).types == ["DiceConfirmed"]


@pytest.mark.clause("FS-AUD-1", "FS-AUD-2")
def test_the_audit_counts_unconfirmed_dice_and_finds_wrong_confirmers(games: New) -> None:
    told = to_scavenge(games)
    die = scavenge(told)
    assert audited(told) == {**STAFF, "unconfirmed": 2}
    say(told, "dispute", "p2", die, reason="it was a 3")
    assert audited(told) == {**STAFF, "unconfirmed": 1, "disputed": 1}
    say(told, "ruling", "organiser", die, reason="two saw a 3", stands=False, again=[roll(3)])
    assert audited(told) == {"reported_by_staff": 4, "unconfirmed": 1, "rejected": 1}
    logs = {source: told.club.log(told.id, source) for source in SOURCES}
    assert decided_again(logs, "scoring") == []
    for rolls in (["s999"], []):
        assert decided_again(changed(logs, "scoring", "DiceDisputed", partial(dict.update, rolls=rolls)), "scoring")


def audited(told: Games) -> dict[str, int]:
    """Return status -> number of dice, according to `muster verify`."""
    findings = Findings()
    audit({source: told.club.log(told.id, source) for source in SOURCES}, findings)
    statuses = ("unconfirmed", "reported_by_staff", "disputed", "rejected")
    return {name: count for name in statuses if (count := findings.counts[name])}


@pytest.mark.clause("FS-AUD-1", "FS-TRF-1", "FS-SVC-1")
def test_reported_turf_dice_are_marked_and_counted(new: Callable[..., League], tmp_path: Path) -> None:
    league = new(2)
    league.build("p2")
    league.hand_in("p1")
    league.roll_turfs("p1", *(told_roll(face, face, seen="p2") for face in (3, 4, 5)))
    assert "3 dice reported from the table and not confirmed by a second person" in verified(league, tmp_path)
    waiting = league.ask("GET", "scoring", "/dice?waits_for=p2").body["items"]
    assert [(die["round"], die["purpose"]) for die in waiting] == [(0, "FS-TRF-1")] * 3
    for query in ("waits_for=Player%202", "group=the%20first"):
        refused = league.ask("GET", "scoring", f"/dice?{query}")
        assert (refused.status, refused.code) == (422, "invalid-request")
    assert league.do("scoring", "/dice/confirmation", {}, "p2").types == ["DiceConfirmed"]
    assert "nobody else has confirmed" not in verified(league, tmp_path)


def verified(league: League, folder: Path) -> str:
    """Return the output of `muster verify` for a campaign and check that it finds nothing."""
    file = folder / "log.jsonl"
    file.write_bytes(b"".join(to_wire(event) + b"\n" for log in league.logs.values() for event in log))
    result = CliRunner().invoke(main, ["verify", str(file)])
    assert result.exit_code == 0, result.output
    return result.stdout
