"""A season verified together with its tournaments: everything it says about them must be in their logs.

The seasons of these tests always pass the audit alone. Only the tournaments' logs reveal the changes.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from muster.audit.findings import Findings
from muster.audit.seasons import audit_season
from muster.cli.main import main
from shared.log.cloudevents import to_wire
from shared.log.event import canonical_json
from tests.auditing import Logs, changed, failures, heard_logs, logs_of
from tests.season.story import new_season
from tests.state.logs import rechained


@pytest.fixture(scope="module")
def played(muster) -> SimpleNamespace:
    """Return a season of two cups, the first corrected, and the following season."""
    season = new_season(muster, options={"season.after_end": "counts"})
    one = season.cup("Ana", "Ben", "Cy", "Dee", name="Spring cup", starts_on="2026-03-01")
    two = season.cup("Ana", "Ben", name="Autumn cup", starts_on="2026-10-01")
    season.gather(one)
    claims = [{"tournament": one.id, "entry": one.player(name)} for name in ("Ana", "Ben")]
    season.post("/claims", {"claims": claims})
    season.count(two)
    season.claim_all(one)
    season.table()
    one.loses("p1")
    season.table()
    season.do("scoring", "/conclusion", {})
    after = new_season(muster)
    after.post("/continuation", {"season": season.id})
    logs = {one.id: logs_of(one) for one in (season, one, two, after)}
    return SimpleNamespace(season=season.id, one=one.id, two=two.id, after=after.id, logs=logs)


def beside(season: Logs, *others: tuple[str, Logs]) -> Findings:
    """Return the findings of an audit of a season together with tournaments."""
    findings = Findings()
    audit_season(heard_logs(season), {name: heard_logs(logs) for name, logs in others}, findings)
    return findings


def everything(played: SimpleNamespace, season: Logs, name: str = "season") -> Findings:
    """Return the given season with all other logs as played. The audit of the season alone must find nothing."""
    assert failures(season) == []
    return beside(season, *((one, played.logs[one]) for one in played.logs if one != getattr(played, name)))


def test_season_and_tournaments_pass_the_audit(played):
    found = everything(played, played.logs[played.season])
    assert found.failures == []
    assert found.counts == {"results compared": 3, "entries compared": 8}
    assert everything(played, played.logs[played.after], "after").failures == []


def test_missing_tournaments_are_reported_as_not_compared(played, tmp_path: Path):
    found = beside(played.logs[played.season])
    assert found.failures == []
    assert found.counts == {"results not at hand": 3, "entries not at hand": 8}
    file = tmp_path / "season.jsonl"
    file.write_bytes(b"".join(to_wire(event) + b"\n" for log in played.logs[played.season].values() for event in log))
    result = CliRunner().invoke(main, ["verify", str(file)])
    assert result.exit_code == 0
    assert "3 results not compared: the logs of their tournaments were not given" in result.output
    assert "8 entries not compared" in result.output


def test_invented_results_are_reported(played):
    season = played.logs[played.season]
    forged = changed(season, "scoring", "SeasonResultsTaken", lambda data: data["rows"][0]["games"][0].update(score=1))
    (failure,) = everything(played, forged).failures
    assert (failure.code, failure.source, failure.position) == ("results", "scoring", 2)
    assert failure.found == f"{played.one}: rows/0/games/0/score 1"


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data["causes"][0].update(reason="because I can"),
        lambda data: data["causes"][0].update(actor={"actor": "somebody", "role": "referee"}),
        lambda data: data["causes"].pop(),
        lambda data: data["causes"].append(data["causes"][0]),
    ],
    ids=["reason", "actor", "one too few", "one too many"],
)
def test_wrong_cause_is_reported(played, change):
    """The season repeats what it read; the person who changed a result is in the log of the tournament."""
    (failure,) = everything(
        played, changed(played.logs[played.season], "scoring", "SeasonResultsTaken", change, 2)
    ).failures
    assert (failure.code, failure.source) == ("results", "scoring")


def test_wrong_log_end_is_reported(played):
    other = changed(played.logs[played.one], "scoring", "ResultCorrected", lambda data: data.update(reason="as agreed"))
    (failure,) = beside(played.logs[played.season], (played.one, other)).failures
    assert (failure.code, failure.position) == ("results", 5)
    assert f"{played.one} as of scoring" in failure.found


def recorded(logs: Logs, source: str, change: Any, *types: str) -> Logs:
    """Return the logs with the commands of these types changed."""
    members: dict[int, Any] = {}
    for event in logs[source]:
        record = json.loads(event.command) if event.command else {}
        if record.get("type") in types:
            data = json.loads(event.data)
            change(record, data)
            members[event.position] = {"command": canonical_json(record), "data": canonical_json(data)}
    assert members
    return {**logs, source: rechained(logs[source], members)}


def first(record: Any) -> Any:
    """Return the first row of a command with many rows."""
    (rows,) = [value for value in record["data"].values() if isinstance(value, list)]
    return rows[0]


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("ClaimEntries", lambda record, data: [one.update(club="Elsewhere") for one in (first(record), data)]),
        ("ClaimEntries", lambda record, data: first(record).update(status="dropped")),
        ("ClaimByName", lambda record, data: first(record).update(status="disqualified")),
        ("GatherTournament", lambda record, data: record["data"].update(own_tier="store")),
        ("GatherTournament", lambda record, data: [one.update(name="Summer cup") for one in (record["data"], data)]),
    ],
)
def test_invented_facts_about_tournaments_are_reported(played, kind, change):
    season = played.logs[played.season]
    found = everything(played, recorded(season, "registration", change, kind))
    assert {(failure.code, failure.source) for failure in found.failures} == {("elsewhere", "registration")}


def test_wrong_player_of_an_earlier_season_is_reported(played):
    def other(record: Any, data: Any) -> None:
        (row,) = [row for row in record["data"]["players"] if row["name"] == data["name"]]
        row["name"] = data["name"] = "Zoe"

    forged = recorded(played.logs[played.after], "registration", other, "ContinueSeason")
    found = everything(played, forged, "after")
    assert [(failure.code, "Zoe" in failure.found) for failure in found.failures] == [("elsewhere", True)]


@pytest.mark.parametrize(("hours", "codes"), [(0, []), (1, []), (3, ["results"])])
def test_ignored_results_are_reported(muster, hours, codes):
    """An export may be older than the results. Hours later the season took other results instead of these."""
    season = new_season(muster)
    one = season.cup("Ana", "Ben", name="Spring cup", starts_on="2026-03-01")
    two = season.cup("Ana", "Ben", name="Autumn cup", starts_on="2026-10-01")
    season.count(one, two)
    season.table()
    two.loses("p1")
    season.table()
    logs = logs_of(season)
    one.loses("p1")
    end = logs["scoring"][-1].time
    later = (datetime.fromisoformat(end) + timedelta(hours=hours)).isoformat(timespec="milliseconds")
    members = {"time": later.replace("+00:00", "Z")}
    last = [event.position for event in logs["scoring"] if event.time == end]
    logs["scoring"] = rechained(logs["scoring"], dict.fromkeys(last, members))
    assert failures(logs) == []
    found = beside(logs, *((cup.id, logs_of(cup)) for cup in (one, two)))
    assert [failure.code for failure in found.failures] == codes
    assert found.counts["results not taken"] == (not codes)
