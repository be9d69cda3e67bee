"""Replay: the state of each decision, standings, and every kind of forgery."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from muster.audit.findings import Failure, Findings
from muster.audit.logs import audit, decode_log
from muster.audit.replay import (
    CannotFold,
    Logs,
    NotReplayable,
    RoundNotClosed,
    fold_logs,
    replay_placings,
    states_before_events,
)
from muster.cli.verify import read_log_file
from services.pairing.plans import ByHand
from services.pairing.rounds import PairRound
from services.registration.players import Entry, JoinPlayers
from services.registration.staff import AppointStaff
from services.registration.venues import OpenVenue
from services.registration.withdrawals import DropPlayer
from services.scoring.results import OverrideRuling, RuleResult
from services.scoring.rounds import CloseRound, GiveAward, ReopenRound
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.log.command_record import begins_command
from shared.log.event import Recorded, canonical_json
from shared.rules.model import draw_order
from shared.swiss.ranking import recorded_standings
from shared.swiss.standings import rows_as_json
from shared.tournament.guards import By
from tests.auditing import places
from tests.state.logs import ARMADA, Club, armada_night, rechained

GOLDEN = Path(__file__).parent / "data"


def heard(logs: dict[str, list[Recorded]]) -> Logs:
    findings = Findings()
    read = {source: decode_log(log, findings) for source, log in logs.items()}
    assert findings.failures == []
    return read


def audited(logs: dict[str, list[Recorded]]) -> list[Failure]:
    findings = Findings()
    audit(logs, findings)
    return findings.failures


def codes(failures: Sequence[Failure]) -> list[tuple[str, str, int]]:
    return [(failure.code, failure.source, failure.position) for failure in failures]


def last(log: Sequence[Recorded], type: str) -> Recorded:
    return [event for event in log if event.type == type][-1]


def forged(club: Club, event: Recorded, change: Callable[[dict[str, Any]], None], **members: Any) -> list[Failure]:
    """Return the findings after the data of one event were changed and its log was rehashed."""
    data = json.loads(event.data)
    change(data)
    changed = {event.position: {"data": canonical_json(data), **members}}
    return audited(club.logs | {event.source: rechained(club.logs[event.source], changed)})


# Replay


def test_a_whole_evening_passes_and_every_command_is_decided_again():
    findings, logs = Findings(), armada_night().logs
    audit(logs, findings)
    assert findings.failures == []
    assert findings.counts["commands"] == sum(begins_command(event) for log in logs.values() for event in log) == 26


@pytest.mark.parametrize("round", [1, 2, 3])
def test_replayed_standings_equal_the_last_recorded_ones(round):
    club = armada_night()
    recorded = recorded_standings(club.read("scoring").state, round)
    assert recorded is not None
    assert places(heard(club.logs), round) == rows_as_json(recorded)
    replay = replay_placings(heard(club.logs), round)
    assert not replay.provisional
    assert "Ana" in [row["player"] for row in replay.rows]


def test_the_default_round_is_the_latest_and_provisional_while_open():
    club = Club("Ana", "Ben", "Cy", "Dee")
    with pytest.raises(RoundNotClosed, match="round 1"):
        replay_placings(heard(club.logs))
    club.play_round({"Ana": 300})
    assert not replay_placings(heard(club.logs)).provisional
    club.play_round({"Ana": 220}, close=False)
    assert "round 2" in replay_placings(heard(club.logs)).provisional
    assert places(heard(club.logs))[0]["player"] == "p1"


def test_an_open_reopened_or_unknown_round_has_no_standings():
    club = Club("Ana", "Ben", "Cy", "Dee")
    club.play_round()
    club.play_round()
    club.decide(ReopenRound(round=2, reason="one slip came late"))
    for round in (2, 3):
        with pytest.raises(RoundNotClosed) as refused:
            replay_placings(heard(club.logs), round)
        assert refused.value.closed == [1]


def test_a_log_without_an_announcement_has_no_places():
    with pytest.raises(NotReplayable):
        replay_placings({})
    with pytest.raises(RoundNotClosed):
        replay_placings(heard(Club(format="coop", ruleset=shipped_ruleset("atomic-bonds")).logs))


def test_each_event_is_replayed_on_the_state_that_its_author_had_seen():
    club = Club("Ana", "Ben", "Cy", "Dee")
    club.play_round(close=False)
    club.decide(DropPlayer(player="p2"))
    club.decide(CloseRound(round=1), read=False)  # scoring has not heard of the drop
    club.decide(GiveAward(name="Best painted", player="p1"))
    known = {
        event.type: state.entries.players["p2"].status
        for event, state in states_before_events(heard(club.logs), "scoring")
    }
    assert known["RoundClosed"] == "active"
    assert known["AwardGiven"] == "dropped"
    assert audited(club.logs) == []
    assert ["status" in row for row in places(heard(club.logs), 1)] == [False] * 4


def test_the_result_does_not_depend_on_the_interleaving():
    club = armada_night()
    read = heard(club.logs)
    assert fold_logs(read) == club.read("scoring").state == club.read("pairing").state
    assert fold_logs(dict(reversed(list(read.items())))) == fold_logs(read)


def test_an_impossible_event_is_reported():
    club = Club("Ana", "Ben")
    club.play_round()
    read = dict(heard(club.logs))
    read["scoring"] = [event for event in read["scoring"] if event.type != "ResultReported"]
    with pytest.raises(CannotFold) as stopped:
        fold_logs(read)
    assert stopped.value.event.type == "ResultConfirmed"


def test_a_log_of_an_earlier_day_gives_the_same_standings_today():
    findings = Findings()
    log = read_log_file(str(GOLDEN / "armada-night.jsonl"), findings)
    audit(log.logs, findings)
    assert findings.failures == []
    expected = json.loads((GOLDEN / "armada-night.json").read_text("utf-8"))
    read = heard(log.logs)
    assert {str(round): places(read, round) for round in (1, 2, 3)} == expected


# Forgeries: the hashes are made anew, so that the chain holds and only the meaning is wrong


def test_a_changed_value_in_recorded_standings_is_reported():
    club = armada_night()
    event = last(club.logs["scoring"], "StandingsRecorded")
    margins = []

    def better(data):
        values = data["rows"][1]["values"]
        margins.append(values["margin_of_victory"])
        values["margin_of_victory"] += 1

    failure, *_ = forged(club, event, better)
    assert (failure.code, failure.source, failure.position) == ("decision", "scoring", event.position)
    assert failure.event == event.id
    assert failure.found.endswith(f"rows/1/values/margin_of_victory {margins[0] + 1}")
    assert str(failure.expected).endswith(f"rows/1/values/margin_of_victory {margins[0]}")


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows.reverse(),
        lambda rows: rows.pop(),
        lambda rows: rows.append(rows[-1]),
        lambda rows: rows[0].update(rank=2),
        lambda rows: rows[2].update(tied=True),
        lambda rows: rows[0].update(status="disqualified"),
        lambda rows: rows[0]["values"].update(tournament_points="49/2"),
        lambda rows: rows[0]["values"].pop("tournament_points"),
        lambda rows: rows[0].update(player=rows[1]["player"]),
    ],
)
def test_any_changed_member_of_recorded_standings_is_reported(change):
    club = armada_night()
    event = last(club.logs["scoring"], "StandingsRecorded")
    found = forged(club, event, lambda data: change(data["rows"]))
    assert codes(found)[0] == ("decision", "scoring", event.position)


def test_a_changed_result_shows_in_later_standings():
    club = Club("Ana", "Ben")
    club.play_round({"Ana": 200})
    event = last(club.logs["scoring"], "ResultReported")
    record = json.loads(event.command)
    record["data"]["facts"].update(points_1=250, points_2=250)
    found = forged(club, event, lambda data: data.update(facts=record["data"]["facts"]), command=canonical_json(record))
    assert codes(found) == [("decision", "scoring", 3)]
    assert "StandingsRecorded with rows/0/" in found[0].found


def test_a_changed_order_of_lots_is_reported():
    club = Club("Ana", "Ben", "Cy", "Dee")
    club.play_round()
    event = last(club.logs["scoring"], "StandingsRecorded")
    data = json.loads(event.data)
    assert data["draws"], "equal scores: winners tie with winners"

    def turn(data):
        data["draws"][0]["order"].reverse()

    assert codes(forged(club, event, turn)) == [("decision", "scoring", event.position)]

    def turn_both(data):
        turn(data)
        order = data["draws"][0]["order"]
        rows = [row for row in data["rows"] if row["player"] in order]
        for row, player in zip(rows, order, strict=True):
            row["player"] = player

    (failure,) = forged(club, event, turn_both)
    assert codes([failure]) == [("decision", "scoring", event.position)]
    assert "draws" in failure.found
    assert "rows" in failure.found


def test_a_chosen_seed_is_reported():
    club = Club("Ana", "Ben", "Cy", "Dee")
    club.play_round()
    event = last(club.logs["scoring"], "StandingsRecorded")
    seed = "5" * 64

    def choose(data):
        data["seed"] = seed
        for draw in data["draws"]:
            draw.update(seed=seed, order=draw_order(seed, draw["purpose"], draw["round"], draw["order"]))

    (failure,) = forged(club, event, choose)
    assert codes([failure]) == [("decision", "scoring", event.position)]
    assert f'seed "{seed}"' in failure.found


def test_a_correction_keeps_the_lots_of_the_round():
    club = armada_night()
    drawn = {json.loads(event.data)["seed"] for event in club.logs["scoring"] if event.type == "StandingsRecorded"}
    corrected = last(club.logs["scoring"], "ResultCorrected")
    anew = [event for event in club.logs["scoring"] if event.command_id == corrected.command_id]
    assert [event.type for event in anew] == ["ResultCorrected", "StandingsRecorded", "StandingsRecorded"]
    assert {json.loads(event.data)["seed"] for event in anew[1:]} < drawn
    assert len(drawn) == 3


def test_an_overridden_ruling_passes_like_a_correction():
    club = Club("Ana", "Ben")
    club.start(int(club.pair()[0].game[1:].partition("g")[0]))
    club.decide(AppointStaff(name="Hana", role="head_referee"))
    facts = {"points_1": 300, "points_2": 0, "second_player": 2}
    club.decide(RuleResult(game="r1g1", facts=facts, reason="seen"), By("s1", "head_referee"))
    club.close(1)
    other = {**facts, "points_1": 0, "points_2": 300}
    club.decide(OverrideRuling(game="r1g1", facts=other, reason="misread"), By("organiser", "organiser"))
    assert [event.type for event in club.logs["scoring"][-2:]] == ["RulingOverridden", "StandingsRecorded"]
    assert codes(audited(club.logs)) == []


def test_a_correction_without_new_standings_is_reported():
    club = Club("Ana", "Ben")
    club.play_round()
    club.correct("r1g1", 300, 0)
    ((_, kept),) = [(event.type, event) for event in club.logs["scoring"] if event.type == "ResultCorrected"]
    found = audited({**club.logs, "scoring": club.logs["scoring"][: kept.position]})
    assert codes(found) == [("decision", "scoring", kept.position)]
    assert str(found[0].expected).startswith("StandingsRecorded")


def test_an_invalid_closing_of_a_round_is_reported():
    club = Club("Ana", "Ben")
    club.play_round()
    at = next(place for place, event in enumerate(club.logs["scoring"]) if event.type == "StandingsRecorded")
    closing = club.logs["scoring"][at : at + 2]
    assert [event.type for event in closing] == ["StandingsRecorded", "RoundClosed"]
    without = {**club.logs, "scoring": club.logs["scoring"][:at]}
    answers = json.dumps(json.loads(closing[0].data)["answers"], separators=(",", ":"))
    data = closing[1].data.replace("{", f'{{"answers":{answers},', 1)
    for change, expected in (
        ({"data": data, "command": closing[0].command}, "StandingsRecorded"),
        (
            {
                "data": data,
                "command": closing[0].command.replace('"data":{}', '"data":{"round":2}').replace('"round"', "", 0),
            },
            "",
        ),
    ):
        forged_log = rechained([*without["scoring"], closing[1]], {closing[1].position: change})
        found = audited({**without, "scoring": forged_log})
        assert {failure.code for failure in found} <= {"decision", "command", "draw"}
        assert any(expected in str(failure.expected) for failure in found)
    open_game = [event for event in club.logs["scoring"] if event.type != "ResultConfirmed"]
    found = audited({**club.logs, "scoring": rechained(open_game, {})})
    assert any("a refusal: Round 1 has 1 open game" in str(failure.expected) for failure in found)


def test_a_missing_page_of_standings_is_reported():
    club = Club("Ana", "Ben")
    club.play_round()
    event = last(club.logs["scoring"], "StandingsRecorded")
    assert codes(forged(club, event, lambda data: data.update(pages=2)))[0] == ("decision", "scoring", 3)
    assert codes(forged(club, event, lambda data: data.update(page=2)))[-1] == ("fold", "scoring", 3)


def test_swapped_players_are_reported():
    club = Club("Ana", "Ben", "Cy", "Dee")
    club.pair()
    event = club.logs["pairing"][0]

    def swap(data):
        one, two = data["pairings"]
        one["player_1"], two["player_1"] = two["player_1"], one["player_1"]

    assert codes(forged(club, event, swap)) == [("decision", "pairing", 1)]


def test_a_bye_for_another_player_is_reported():
    club = Club("Ana", "Ben", "Cy")
    club.play_round({"Ana": 300})
    club.pair()
    event = last(club.logs["pairing"], "PairingsDrawn")

    game, bye = (seat["player_1"] for seat in json.loads(event.data)["pairings"])

    def give(data):
        data["pairings"][0]["player_1"], data["pairings"][1]["player_1"] = bye, game

    found = forged(club, event, give)
    assert codes(found) == [("decision", "pairing", event.position)]
    assert (found[0].found, str(found[0].expected)) == (
        f'PairRound: PairingsDrawn with pairings/0/player_1 "{bye}"',
        f'PairingsDrawn with pairings/0/player_1 "{game}"',
    )


def test_a_forgotten_player_is_reported():
    club = Club("Ana", "Ben", "Cy", "Dee")
    club.pair()
    event = club.logs["pairing"][0]
    found = forged(club, event, lambda data: data["pairings"].pop())
    assert codes(found)[0] == ("decision", "pairing", 1)
    assert "pairings" in str(found[0].expected)


def test_pairings_from_other_standings_are_reported():
    club = Club("Ana", "Ben", "Cy", "Dee")
    club.play_round()
    club.pair()
    event = last(club.logs["pairing"], "RoundPaired")
    found = forged(club, event, lambda data: data.update(made_from=data["made_from"] - 1))
    assert codes(found) == [("decision", "pairing", event.position)]


def test_a_changed_draw_or_seed_of_a_pairing_is_reported():
    club = Club("Ana", "Ben", "Cy", "Dee")
    club.pair()
    event = last(club.logs["pairing"], "RoundPaired")
    for change in (
        lambda data: data["draws"][0]["order"].reverse(),
        lambda data: data.update(seed="5" * 64),
        lambda data: data["draws"].clear(),
    ):
        assert codes(forged(club, event, change)) == [("decision", "pairing", event.position)]


def test_manual_pairings_are_accepted():
    club = Club("Ana", "Ben", "Cy", "Dee")
    pairings = [ByHand(player_1="p1", player_2="p2"), ByHand(player_1="p3", player_2="p4")]
    club.decide(PairRound(pairings=pairings, reason="the draw was made from a hat"))
    assert audited(club.logs) == []


def test_players_are_paired_inside_their_venue():
    club = Club(pairing_scope="venue")
    for venue in ("v1", "v2"):
        club.decide(OpenVenue(name=venue))
    club.decide(JoinPlayers(entries=[Entry(name=f"P{n}", venue=f"v{1 + n % 2}") for n in range(1, 8)]))
    seats = club.pair()
    venues = {player: known.venue for player, known in club.read("pairing").state.entries.players.items()}
    assert all({venues[player] for player in seat.players} == {seat.venue} for seat in seats)
    assert audited(club.logs) == []


# Who says what, and what they had seen


def test_an_event_of_a_wrong_owner_is_reported():
    club = Club("Ana", "Ben")
    club.decide(GiveAward(name="Best painted", player="p1"))
    changed = {1: {"type": "PlayerWarned", "data": '{"player":"p1","reason":"late"}'}}
    found = audited(club.logs | {"scoring": rechained(club.logs["scoring"], changed)})
    assert codes(found) == [("owner", "scoring", 1)]
    assert "registration" in str(found[0].expected)


@pytest.mark.parametrize(
    "members",
    [
        {"type": "PlayerTeleported"},
        {"version": 99},
        {"version": 0},
        {"data": '{"player":"p1"}'},
        {"data": '{"award":1,"name":"x","player":"p1"}'},
        {"data": '{"award":"a1","name":"x","player":"p1","more":1}'},
        {"data": '{"award":"a1", "name":"x","player":"p1"}'},
        {"data": '{"player":"p1","award":"a1","name":"x"}'},
        {"data": '{"award":"a1","award":"a1","name":"x","player":"p1"}'},
        {"data": "[]"},
        {"type": "VenueOpened", "version": 1, "data": '{"tables":"x"}', "source": "registration"},
    ],
)
def test_an_event_that_violates_its_schema_is_reported(members):
    club = Club("Ana", "Ben")
    source = members.pop("source", "scoring")
    club.decide(GiveAward(name="x", player="p1"))
    changed = {1: members}
    found = audited(club.logs | {source: rechained(club.logs[source], changed)})
    assert codes(found)[0] == ("schema", source, 1)


def test_an_old_version_is_upcast():
    club = Club("Ana", "Ben")
    club.decide(OpenVenue(name="Hall", tables=3))
    position = len(club.logs["registration"])
    changed = {position: {"version": 1, "data": '{"name":"Hall","tables":3,"venue":"v1"}'}}
    logs = club.logs | {"registration": rechained(club.logs["registration"], changed)}
    assert audited(logs) == []
    assert set(fold_logs(heard(logs)).entries.venues["v1"].tables) == {1, 2, 3}


def test_seen_positions_after_the_end_are_reported():
    club = armada_night()
    found = audited(club.logs | {"registration": club.logs["registration"][:-1]})
    assert {("seen", failure.source) for failure in found if failure.code == "seen"} == {
        ("seen", "pairing"),
        ("seen", "scoring"),
    }
    found = audited({"scoring": club.logs["scoring"]})
    assert codes(found)[:2] == [("seen", "scoring", 1)] * 2


def test_a_truncated_log_passes_if_no_event_saw_the_rest():
    club = Club("Ana", "Ben")
    club.play_round()
    assert audited(club.logs | {"scoring": club.logs["scoring"][:-1]}) != audited(club.logs) == []
    club = Club("Ana", "Ben")
    club.play_round()
    club.decide(GiveAward(name="x", player="p1"))
    assert audited(club.logs | {"scoring": club.logs["scoring"][:-1]}) == []


@pytest.mark.parametrize(
    "seen",
    ['{"pairing":0,"registration":2}', '{"registration":3}', '{"pairing":-1,"registration":3}', '{"scoring":1}'],
)
def test_invalid_seen_positions_are_reported(seen):
    club = Club("Ana", "Ben")
    club.pair()
    club.decide(GiveAward(name="x", player="p1"))
    club.decide(GiveAward(name="y", player="p1"))
    found = audited(club.logs | {"scoring": rechained(club.logs["scoring"], {2: {"seen": seen}})})
    assert ("seen", 2) in {(failure.code, failure.position) for failure in found}


def test_shared_ranks_pass_without_a_draw():
    ruleset = apply_options(ARMADA, {"unresolved_ties": "shared"})
    club = Club("Ana", "Ben", "Cy", "Dee", ruleset=ruleset)
    club.play_round()
    assert audited(club.logs) == []
    assert json.loads(last(club.logs["scoring"], "StandingsRecorded").data).get("draws") is None


def test_standings_of_several_pages_are_joined():
    club = Club(*(f"Player {number}" for number in range(1, 1003)), rounds=2)
    club.play_round()
    pages = [event for event in club.logs["scoring"] if event.type == "StandingsRecorded"]
    assert len(pages) == 3
    assert audited(club.logs) == []
    found = forged(club, pages[1], lambda data: data["rows"][0]["values"].update(margin_of_victory=400))
    assert codes(found)[0] == ("decision", "scoring", pages[1].position)
    found = forged(club, pages[2], lambda data: data["rows"].pop())
    assert codes(found)[0] == ("decision", "scoring", pages[2].position)
