"""The logs of a campaign prove themselves: decided again from dice and choices, found out where they were changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from muster.audit.findings import Failure, Findings
from muster.audit.logs import audit
from shared.formats.campaign.rules.tables import Rules
from tests.campaign.forging import Event, change, failures, forged, of
from tests.campaign.written import Written
from tests.state.lost import closed_up, python_in, read, unnoticed, without_each


@pytest.fixture(scope="module")
def played() -> Written:
    """Eight groups, one of each force, over three rounds."""
    return Written(8, 3, "for the audit")


def found_in(played: Written, source: str, forge: Callable[[list[Event]], int]) -> list[Failure]:
    """What is found at the place that was forged. Behind it seeds are other ones, and that is found as well."""
    logs, position = forged(played.logs, source, forge)
    return [one for one in failures(logs) if (one.source, one.position) == (source, position)]


@pytest.mark.clause("FS-AUD-1", "FS-AUD-2", "FS-RND-2", "FS-LGE-3")
def test_the_logs_of_a_campaign_hold_and_nothing_is_taken_on_trust(played: Written) -> None:
    findings = Findings()
    audit(played.logs, findings)
    assert findings.failures == []
    counts = findings.counts
    assert (counts["rounds"], counts["standings"], counts["pairings"], counts["winners"]) == (3, 3, 3, 1)
    rolls = [row for log in played.logs.values() for row in log if row.type == "DieRolled"]
    assert counts["rolls"] == len(rolls) > 400
    assert 0 < counts["draws"] < len(rolls)
    assert counts["decisions"] > 800
    assert not counts["entries by hand"]


@pytest.mark.parametrize(
    "options",
    [
        {"post__build_and_doctor": "with_step_3", "reward__step": "before_injuries", "turf__formula": "arithmetic"},
        {"adv__over_maximum": "choose_other", "spc__incarcerated_injury": "only_if_escaped", "xp__loss": "undo_level"},
        {"upkeep__radiated_food": "per_unit", "spc__cannibals_when": "any_time", "scavenge__who": "all_living"},
        {
            "turf__doctor_reroll": "needs_visit",
            "doctor__addiction_price": "4D12",
            "upkeep__emergency_sale": "flat_half",
        },
        {"barter__opposed_roll": "per_visit", "recruit__order_rating": "recomputed", "bye__post_game": "from_step_4"},
        {"xp__kill": "dead_on_injury_table", "leader__reappoint": "whenever_charisma_exceeded"},
    ],
)
@pytest.mark.clause("FS-AUD-2", "FS-AUD-3")
def test_logs_hold_under_other_options(options: dict[str, Any]) -> None:
    assert failures(Written(9, 2, "otherwise", **options).logs) == []


@pytest.mark.clause("FS-AUD-3")
def test_each_round_is_decided_again_by_the_ruleset_that_it_was_played_by() -> None:
    moved = Written(4, 3, "moved", moved={2: _dearer})
    assert failures(moved.logs) == []
    later = change("RulesetMoved", lambda data: data.update(from_round=3))
    wrong = [one for one in failures(forged(moved.logs, "registration", later)[0]) if one.code == "decision"]
    rows = {row.position: json.loads(row.data) for row in moved.logs["scoring"]}
    assert {rows[one.position]["round"] for one in wrong} == {2}
    assert any("CapsMoved: amount" in one.found for one in wrong)
    earlier = change("RulesetMoved", lambda data: data.update(from_round=1))
    found = found_in(moved, "registration", earlier)
    assert [(one.code, one.expected) for one in found] == [("ruleset", "from round 2 on, or later (FS-AUD-3)")]


def _dearer(rules: Rules) -> Rules:
    return replace(rules, core=replace(rules.core, upkeep_caps=6))


def _is(**members: Any) -> Callable[[Any], bool]:
    return lambda data: all(data.get(name) == value for name, value in members.items())


def _told_by_hand(data: Any) -> bool:
    return data.get("source", "table") == "table"


def _next_face(data: Any) -> None:
    die = data["dice"][0]
    die["natural"] = die["natural"] % 12 + 1


def _turned(data: Any) -> None:
    data["ranks"].append(data["ranks"].pop(0))


def _mixed(data: Any) -> bool:
    return data["ranks"][1:] + data["ranks"][:1] != data["ranks"]


FORGERIES: dict[str, tuple[str, Any, str, str]] = {
    "more creatures than a card brings": (
        *("scoring", change("EncounterResolved", lambda data: data.update(number=99), _is(ending="creatures_killed"))),
        *("decision", "FS-ENC-5"),
    ),
    "what creatures gave": (
        *("scoring", change("ExperienceChanged", lambda data: data.update(amount=50), _is(reason="creatures"))),
        *("decision", "FS-ENC-5"),
    ),
    "a card that was drawn": (
        *("scoring", change("EncounterDrawn", lambda data: data.update(met="a better one")), "decision", "FS-ENC-4"),
    ),
    "a face": (
        "scoring",
        change("DieRolled", _next_face, lambda data: data["expression"] == "2D12"),
        "roll",
        "FS-AUD-2",
    ),
    "a total": ("scoring", change("DieRolled", lambda data: data.update(total=data["total"] + 1)), "roll", "FS-AUD-2"),
    "a roll of the service": (
        *("scoring", change("DieRolled", _next_face, _is(source="service", expression="1D12")), "roll", "FS-AUD-2"),
    ),
    "a roll id": (
        "scoring",
        change("DieRolled", lambda data: data.update(roll="s1"), _is(roll="s9")),
        "roll",
        "FS-AUD-1",
    ),
    "a drawn id": (
        *("scoring", change("DieRolled", lambda data: data.update(roll="s9999"), _is(source="service")), "roll"),
        "FS-AUD-1",
    ),
    "a witness": (
        *("scoring", change("DieRolled", lambda data: data.update(witnessed_by="nobody"), _told_by_hand), "people"),
        "FS-AUD-1",
    ),
    "one who sees what he rolls": (
        *("scoring", change("DieRolled", lambda data: data.update(witnessed_by="judge"), _told_by_hand), "people"),
        "FS-AUD-1",
    ),
    "ten caps more": (
        "scoring",
        change("CapsMoved", lambda data: data.update(amount=data["amount"] + 10), _is(reason="scavenging")),
        *("decision", "FS-SCV-1"),
    ),
    "cheaper upkeep": (
        "scoring",
        change("CapsMoved", lambda data: data.update(amount=data["amount"] + 5), _is(reason="maintenance")),
        *("decision", "FS-UPK-1"),
    ),
    "a price": (
        *("scoring", change("PriceQuoted", lambda data: data.update(price=data["price"] + 1)), "decision", "FS-BAR-3"),
    ),
    "experience": (
        "scoring",
        change("ExperienceChanged", lambda data: data.update(amount=data["amount"] + 1), _is(reason="wound")),
        *("decision", "FS-XP-1"),
    ),
    "an injury": (
        *("scoring", change("InjuryRolled", lambda data: data.update(injury="full_recovery"), _is(injury="scarred"))),
        *("decision", "FS-INJ-1"),
    ),
    "what a roll came from": (
        *("scoring", change("InjuryRolled", lambda data: data.update(cause="scavenge"), _is(cause="roll_injury"))),
        *("decision", "FS-INJ-1"),
    ),
    "the decision of a step": (
        *("scoring", change("MerchantSought", lambda data: data.update(cause="a whim"))),
        *("decision", "FS-BAR-1"),
    ),
    "a rank of the pool": (
        "scoring",
        change("RecruitPoolRolled", _turned, _mixed),
        *("decision", "FS-REC-1"),
    ),
    "the order of recruits": (
        *("scoring", change("RecruitOrderSet", lambda data: data["order"].reverse()), "decision", "FS-REC-2"),
    ),
    "a rating": (
        "scoring",
        change("GroupRatingFinalised", lambda data: data.update(rating=data["rating"] + 1)),
        *("decision", "FS-RAT-3"),
    ),
    "a rating at the start": (
        "registration",
        change("GroupRatingFinalised", lambda data: data.update(rating=data["rating"] + 1)),
        *("decision", "FS-RAT-3"),
    ),
    "a leader": (
        "registration",
        change("LeaderAppointed", lambda data: data.update(member="m-4")),
        "decision",
        "FS-LDR-1",
    ),
    "a turf": (
        *("registration", change("TurfGained", lambda data: data["turf"].update(turf="tinkerer"))),
        *("decision", "FS-TRF-1"),
    ),
    "a list": (
        *(
            "registration",
            change("GroupAccepted", lambda data: data["accepted"].update(caps=400)),
            "decision",
            "FS-GRP-1",
        ),
    ),
    "a group as it enters": (
        *("scoring", change("GroupEntered", lambda data: data["entered"].update(caps=400)), "decision", "FS-SVC-1"),
    ),
    "an id given before": (
        *("scoring", change("ItemGained", lambda data: data["item"].update(id="i-5")), "decision", "FS-"),
    ),
    "what the report says": (
        "scoring",
        change("PostGameOpened", lambda data: data["phase"]["played"]["side"].update(vp=15)),
        *("decision", "FS-RND-1"),
    ),
    "a round": ("scoring", change("UpkeepPaid", lambda data: data.update(round=2)), "round", "round 1"),
    "a table": (
        "scoring",
        change("StandingsRecorded", lambda data: data["rows"][0]["values"].update(total_vp=99)),
        *("standings", "rank 1"),
    ),
    "the seed of a table": (
        *("scoring", change("StandingsRecorded", lambda data: data.update(seed="f" * 64)), "seed", "the hash before"),
    ),
    "the winner": (
        *("scoring", change("TournamentConcluded", lambda data: data.update(winner="g-07x")), "winner", "FS-LGE-2"),
    ),
    "the length": (
        *("scoring", change("TournamentConcluded", lambda data: data.update(rounds=2)), "winner", "3, as are closed"),
    ),
}


@pytest.mark.clause("FS-AUD-1", "FS-AUD-2")
@pytest.mark.parametrize("name", FORGERIES)
def test_whatever_is_changed_is_named_where_it_stands_with_its_clause(played: Written, name: str) -> None:
    source, forge, code, clause = FORGERIES[name]
    found = [one for one in found_in(played, source, forge) if one.code == code]
    assert found, name
    assert any(clause in one.expected for one in found), found
    assert all(one.found and one.event for one in found)


@pytest.mark.clause("FS-AUD-2")
def test_a_roll_that_is_gone_is_missed_by_its_outcome(played: Written) -> None:
    def forge(told: list[Event]) -> int:
        index = of(told, "InjuryRolled") - 1
        assert told[index]["type"] == "DieRolled"
        del told[index]
        return index

    assert ("roll", "a roll made before (FS-AUD-2)") in {
        (one.code, one.expected) for one in found_in(played, "scoring", forge)
    }


@pytest.mark.clause("FS-AUD-2")
def test_an_outcome_that_is_gone_is_missed_by_its_roll_and_its_decision(played: Written) -> None:
    def forge(told: list[Event]) -> int:
        index = of(told, "CapsMoved", _is(reason="scavenging"))
        del told[index]
        return index - 1

    found = found_in(played, "scoring", forge)
    assert ("roll", "an outcome, or a roll that replaces it (FS-AUD-2)") in {(one.code, one.expected) for one in found}
    logs, position = forged(played.logs, "scoring", forge)
    near = [one for one in failures(logs) if one.code == "decision" and abs(one.position - position) <= 1]
    assert any("CapsMoved" in one.expected for one in near)


@pytest.mark.clause("FS-PGP-5", "FS-AUD-2")
def test_nothing_is_chosen_for_who_is_away(played: Written) -> None:
    """A perk that might have been chosen, and was not the first of the table."""
    forge = change("PerkChosen", lambda data: data.update(perk="toughness"), _is(cause="close_for_absent"))
    assert [one.found for one in found_in(played, "scoring", forge) if one.code == "decision"] == [
        "PerkChosen: perk toughness"
    ]


@pytest.mark.clause("FS-PGP-1", "FS-AUD-2")
def test_two_steps_in_another_order_are_found(played: Written) -> None:
    def forge(told: list[Event]) -> int:
        first = of(told, "StepClosed", _is(step="1"))
        group = told[first]["data"]["group"]
        second = of(told, "StepClosed", _is(step="1b", group=group))
        told[first]["data"], told[second]["data"] = told[second]["data"], told[first]["data"]
        return first

    assert "decision" in {one.code for one in found_in(played, "scoring", forge)}


@pytest.mark.clause("FS-PGP-3", "FS-AUD-2")
def test_a_balance_below_nothing_stops_the_replay_where_it_falls(played: Written) -> None:
    forge = change("CapsMoved", lambda data: data.update(amount=-9999))
    found = found_in(played, "scoring", forge)
    assert any(one.code == "fold" and "CapsMoved: caps would be -" in one.found for one in found)


@pytest.mark.clause("FS-RND-2", "FS-AUD-2")
def test_another_pairing_is_found_with_who_should_have_met(played: Written) -> None:
    def forge(told: list[Event]) -> int:
        seats = told[of(told, "PairingsDrawn", _is(round=2))]["data"]["pairings"]
        seats[0]["player_2"], seats[1]["player_2"] = seats[1]["player_2"], seats[0]["player_2"]
        return of(told, "RoundPaired", _is(round=2))

    found = [one for one in found_in(played, "pairing", forge) if one.code == "pairing"]
    assert len(found) == 1
    assert "4 groups differ" in found[0].expected
    assert "FS-RND-2" in found[0].expected


@pytest.mark.clause("FS-RND-1", "FS-LGE-3")
def test_a_round_is_closed_with_its_table_and_when_everybody_is_done(played: Written) -> None:
    def without_table(told: list[Event]) -> int:
        index = of(told, "StandingsRecorded")
        del told[index]
        return index

    def early(told: list[Event]) -> int:
        index = of(told, "RoundClosed")
        closing = told[index - 1 : index + 1]
        del told[index - 1 : index + 1]
        last = max(n for n, event in enumerate(told[: index - 1]) if event["type"] == "GroupRatingFinalised")
        told[last:last] = closing
        return last + 1

    for forge, wanted in ((without_table, "FS-LGE-3"), (early, "FS-RND-1")):
        found = [one for one in found_in(played, "scoring", forge) if one.code == "closing"]
        assert any(wanted in one.expected for one in found)


def test_each_event_that_is_lost_is_named_in_a_sentence() -> None:
    """Closed up behind it, one of each type: an audit of a campaign takes its time."""
    logs = Written(2, 1, "lost").logs
    assert unnoticed(logs) == []
    looked_at: set[str] = set()
    for event, rest in without_each(logs):
        if event.type not in looked_at:
            looked_at.add(event.type)
            assert python_in(read(closed_up(event, rest))) == []
