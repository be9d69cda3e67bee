"""Audits of campaign logs: intact logs pass, and every change is reported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muster.audit.findings import Failure
from shared.log.command_record import begins_command
from shared.log.event import Recorded
from tests.auditing import failures, failures_until
from tests.campaign.forging import Event, anything, change, forged, in_hand, of, without
from tests.campaign.simulated import simulated
from tests.state.lost import closed_up, python_in, read, unnoticed, without_each

Logs = dict[str, list[Recorded]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    """Play five groups over two rounds, with a seed that produces every event to be forged."""
    logs = simulated(tmp_path_factory.mktemp("played"), 5, 2, "for the audit 6")
    forgeries = {**FORGERIES, **{name: ("scoring", without(*outcome)) for name, outcome in GONE.items()}}
    missing = [name for name, forgery in forgeries.items() if not can_be_forged(logs, *forgery)]
    assert not missing, "did not happen; choose another seed"
    return logs


def can_be_forged(logs: Logs, source: str, forge: Callable[[list[Event]], int]) -> bool:
    """Return True if the logs contain a matching event."""
    try:
        forge(in_hand(logs[source]))
    except StopIteration:
        return False
    return True


def of_command(log: list[Recorded], position: int) -> set[int]:
    """Return the positions of the events of the command that appended the event at a position."""
    first = max(event.position for event in log[:position] if begins_command(event))
    return {
        event.position for event in log if event.position >= first and event.command_id == log[first - 1].command_id
    }


def found_in(played: Logs, source: str, forge: Callable[[list[Event]], int]) -> list[Failure]:
    """Return the findings in the forged command. Later seeds differ as well and are not included."""
    logs, position = forged(played, source, forge, whole=False)
    places = of_command(logs[source], position)
    found = failures_until(logs, source, len(logs[source]))
    return [one for one in found if one.source == source and one.position in places]


@pytest.mark.parametrize("name", ["a face", "a leader", "the winner"])
def test_finding_in_one_command_equals_that_of_the_full_audit(played: Logs, name: str) -> None:
    logs, position = forged(played, *FORGERIES[name])
    source = FORGERIES[name][0]
    places = of_command(logs[source], position)
    found = [one for one in failures(logs) if one.source == source and one.position in places]
    assert found
    assert found_in(played, *FORGERIES[name]) == found


@pytest.mark.clause("FS-AUD-1", "FS-AUD-2", "FS-RND-2", "FS-LGE-3")
def test_campaign_logs_pass_the_audit(played: Logs) -> None:
    assert failures(played) == []
    rolls = [row for log in played.values() for row in log if row.type == "DieRolled"]
    drawn = [row for row in rolls if json.loads(row.data).get("source") == "service"]
    assert len(rolls) > 100
    assert 0 < len(drawn) < len(rolls)


@pytest.mark.parametrize(
    "options",
    [
        {
            "post__build_and_doctor": "with_step_3",
            "reward__step": "before_injuries",
            "turf__formula": "arithmetic",
            "upkeep__radiated_food": "per_unit",
            "spc__cannibals_when": "any_time",
            "scavenge__who": "all_living",
            "barter__opposed_roll": "per_visit",
            "recruit__order_rating": "recomputed",
            "bye__post_game": "from_step_4",
        },
        {
            "adv__over_maximum": "choose_other",
            "spc__incarcerated_injury": "only_if_escaped",
            "xp__loss": "undo_level",
            "turf__doctor_reroll": "needs_visit",
            "doctor__addiction_price": "4D12",
            "upkeep__emergency_sale": "flat_half",
            "xp__kill": "dead_on_injury_table",
            "leader__reappoint": "whenever_charisma_exceeded",
        },
    ],
)
@pytest.mark.clause("FS-AUD-2", "FS-AUD-3")
def test_logs_with_other_options_pass_the_audit(tmp_path: Path, options: dict[str, Any]) -> None:
    assert failures(simulated(tmp_path, 5, 2, "otherwise", **options)) == []


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


FORGERIES: dict[str, tuple[str, Any]] = {
    "more creatures than a card brings": (
        "scoring",
        change("EncounterResolved", lambda data: data.update(number=99), _is(ending="creatures_killed")),
    ),
    "what creatures gave": (
        "scoring",
        change("ExperienceChanged", lambda data: data.update(amount=50), _is(reason="creatures")),
    ),
    "a card that was drawn": ("scoring", change("EncounterDrawn", lambda data: data.update(met="a better one"))),
    "a face": ("scoring", change("DieRolled", _next_face, lambda data: data["expression"] == "2D12")),
    "a total": ("scoring", change("DieRolled", lambda data: data.update(total=data["total"] + 1))),
    "a roll of the service": ("scoring", change("DieRolled", _next_face, _is(source="service", expression="1D12"))),
    "a roll id": ("scoring", change("DieRolled", lambda data: data.update(roll="s1"), _is(roll="s9"))),
    "a drawn id": ("scoring", change("DieRolled", lambda data: data.update(roll="s9999"), _is(source="service"))),
    "a witness": ("scoring", change("DieRolled", lambda data: data.update(witnessed_by="nobody"), _told_by_hand)),
    "one who sees what he rolls": (
        "scoring",
        change("DieRolled", lambda data: data.update(witnessed_by="judge"), _told_by_hand),
    ),
    "ten caps more": (
        "scoring",
        change("CapsMoved", lambda data: data.update(amount=data["amount"] + 10), _is(reason="scavenging")),
    ),
    "cheaper upkeep": (
        "scoring",
        change("CapsMoved", lambda data: data.update(amount=data["amount"] + 5), _is(reason="maintenance")),
    ),
    "a price": ("scoring", change("PriceQuoted", lambda data: data.update(price=data["price"] + 1))),
    "experience": (
        "scoring",
        change("ExperienceChanged", lambda data: data.update(amount=data["amount"] + 1), _is(reason="wound")),
    ),
    "an injury": (
        "scoring",
        change("InjuryRolled", lambda data: data.update(injury="full_recovery"), _is(injury="scarred")),
    ),
    "what a roll came from": (
        "scoring",
        change("InjuryRolled", lambda data: data.update(cause="scavenge"), _is(cause="roll_injury")),
    ),
    "the decision of a step": ("scoring", change("MerchantSought", lambda data: data.update(cause="a whim"))),
    "a rank of the pool": ("scoring", change("RecruitPoolRolled", _turned, _mixed)),
    "the order of recruits": ("scoring", change("RecruitOrderSet", lambda data: data["order"].reverse())),
    "a rating": ("scoring", change("GroupRatingFinalised", lambda data: data.update(rating=data["rating"] + 1))),
    "a rating at the start": (
        "registration",
        change("GroupRatingFinalised", lambda data: data.update(rating=data["rating"] + 1)),
    ),
    "a leader": (
        "registration",
        change("LeaderAppointed", lambda data: data.update(member="m-4" if data["member"] != "m-4" else "m-5")),
    ),
    "a turf": ("registration", change("TurfGained", lambda data: data["turf"].update(turf="tinkerer"))),
    "a list": ("registration", change("GroupAccepted", lambda data: data["accepted"].update(caps=400))),
    "a group as it enters": ("scoring", change("GroupEntered", lambda data: data["entered"].update(caps=400))),
    "an id given before": ("scoring", change("ItemGained", lambda data: data["item"].update(id="i-5"))),
    "what the report says": (
        "scoring",
        change("PostGameOpened", lambda data: data["phase"]["played"]["side"].update(vp=15)),
    ),
    "a round": ("scoring", change("UpkeepPaid", lambda data: data.update(round=2))),
    "a table": ("scoring", change("StandingsRecorded", lambda data: data["rows"][0]["values"].update(total_vp=99))),
    "the seed of a table": ("scoring", change("StandingsRecorded", lambda data: data.update(seed="f" * 64))),
    "the winner": ("scoring", change("TournamentConcluded", lambda data: data.update(winner="g-07x"))),
    "the length": ("scoring", change("TournamentConcluded", lambda data: data.update(rounds=3))),
}


@pytest.mark.clause("FS-AUD-1", "FS-AUD-2")
@pytest.mark.parametrize("name", FORGERIES)
def test_changed_event_is_reported_with_its_command(played: Logs, name: str) -> None:
    source, forge = FORGERIES[name]
    found = found_in(played, source, forge)
    assert {one.code for one in found} & {"decision", "command", "fold"}, name
    assert all(one.found and str(one.expected) and one.event for one in found)


GONE: dict[str, tuple[str, Any]] = {
    "what scavenging brought": ("CapsMoved", _is(reason="scavenging")),
    "what upkeep cost": ("CapsMoved", _is(reason="maintenance")),
    "a roll": ("DieRolled", anything),
}


@pytest.mark.clause("FS-AUD-2")
@pytest.mark.parametrize("name", GONE)
def test_removed_event_is_reported_as_missing(played: Logs, name: str) -> None:
    kind, like = GONE[name]
    assert any(kind in str(one.expected) for one in found_in(played, "scoring", without(kind, like)))


@pytest.mark.clause("FS-PGP-1", "FS-AUD-2")
def test_swapped_steps_are_reported(played: Logs) -> None:
    def forge(events: list[Event]) -> int:
        first = of(events, "StepClosed", _is(step="1"))
        group = events[first]["data"]["group"]
        second = of(events, "StepClosed", _is(step="1b", group=group))
        events[first]["data"], events[second]["data"] = events[second]["data"], events[first]["data"]
        return first

    assert found_in(played, "scoring", forge)


@pytest.mark.clause("FS-PGP-3", "FS-AUD-2")
def test_negative_balance_stops_the_replay_at_its_event(played: Logs) -> None:
    forge = change("CapsMoved", lambda data: data.update(amount=-9999))
    found = found_in(played, "scoring", forge)
    assert any(one.code == "fold" and "CapsMoved: caps would be -" in one.found for one in found)


@pytest.mark.clause("FS-RND-2", "FS-AUD-2")
def test_changed_pairing_is_reported_with_the_correct_one(played: Logs) -> None:
    def forge(events: list[Event]) -> int:
        index = of(events, "PairingsDrawn", _is(round=2))
        seats = events[index]["data"]["pairings"]
        seats[0]["player_2"], seats[1]["player_2"] = seats[1]["player_2"], seats[0]["player_2"]
        return index

    (found,) = found_in(played, "pairing", forge)
    assert found.found.startswith("PairRound: PairingsDrawn with pairings/0/player_2 ")
    assert str(found.expected).startswith("PairingsDrawn with pairings/0/player_2 ")


@pytest.mark.clause("FS-RND-2", "FS-AUD-2")
def test_changed_seed_of_a_round_is_reported(played: Logs) -> None:
    (found,) = found_in(played, "pairing", change("RoundPaired", lambda data: data.update(seed="f" * 64)))
    assert found.found.startswith('PairRound: RoundPaired with seed "ffff')
    assert str(found.expected).startswith('RoundPaired with seed "')


@pytest.mark.clause("FS-RND-1", "FS-LGE-3")
def test_round_closed_too_early_or_with_another_table_is_reported(played: Logs) -> None:
    def without_table(events: list[Event]) -> int:
        index = of(events, "StandingsRecorded")
        events[index + 1]["command"] = events[index]["command"]
        del events[index]
        return index

    def early(events: list[Event]) -> int:
        index = of(events, "RoundClosed")
        closing = events[index - 1 : index + 1]
        del events[index - 1 : index + 1]
        last = max(n for n, event in enumerate(events[: index - 1]) if event["type"] == "RecruitOrderSet")
        events[last + 1 : last + 1] = closing
        return last + 1

    assert any("StandingsRecorded" in str(one.expected) for one in found_in(played, "scoring", without_table))
    logs, position = forged(played, "scoring", early)
    assert ("command", "scoring", position) in {(one.code, one.source, one.position) for one in failures(logs)}


def test_each_lost_event_is_reported_in_a_sentence(tmp_path: Path) -> None:
    """The gap is closed behind the lost event. One event of each type, since an audit takes a while."""
    logs = simulated(tmp_path, 2, 1, "lost")
    assert unnoticed(logs) == []
    looked_at: set[str] = set()
    for event, rest in without_each(logs):
        if event.type not in looked_at:
            looked_at.add(event.type)
            assert python_in(read(closed_up(event, rest))) == []
