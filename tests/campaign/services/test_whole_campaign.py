"""A whole campaign of six groups over HTTP on both databases."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest

from muster.audit.findings import Findings
from muster.audit.logs import decode_log
from muster.audit.replay import fold_logs
from muster.simulator.campaign import CampaignSimulation
from muster.simulator.director import Director
from muster_client import Muster as Client
from services.scoring.campaign_views_groups import group_view
from shared.campaign.ruleset import CampaignRuleset
from shared.formats.packs import shipped_ruleset
from shared.log.cloudevents import from_wire
from shared.log.event import Head
from shared.settings import SERVICES
from tests.auditing import commands, failures
from tests.chance import seeded_chance
from tests.console.in_process import client
from tests.fuzz.muster import Muster
from tests.services.conftest import logging_as_it_was
from tests.services.story import Json

RULESET = "fallout-skirmish"
PLAYERS, ROUNDS = 6, 2
PAGE = 5000
ACCOUNTS = ("caps", "clean", "radiated")


class Campaign(NamedTuple):
    """A finished campaign. logs: the exported lines of each service's log; table: the final one."""

    operator: Client
    director: Director
    table: Json
    logs: dict[str, list[bytes]]

    def get(self, rest: str, **query: Any) -> Any:
        return self.director.organiser.plain.get("scoring", self.director.path(rest), **query)

    def groups(self) -> list[Json]:
        """Return the roster sheets of all groups."""
        return [self.get(f"/groups/{line['id']}") for line in self.get("/groups")["items"]]

    def events(self, service: str = "scoring") -> Iterator[tuple[str, Json]]:
        """Return (type, data) of each event of a log."""
        for line in self.logs[service]:
            event = json.loads(line)
            yield event["type"].rpartition(".")[2], event["data"]


def pages(asked: Client, service: str, path: str, place: str = "position", **query: Any) -> list[bytes]:
    """Return all events of a paged address."""
    found: list[bytes] = []
    after = 0
    while page := asked.plain.lines(service, path, limit=PAGE, after=after, **query):
        found += page
        after = json.loads(found[-1])[place]
    return found


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))])
def campaign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    """A campaign of six groups over two rounds, played by `muster play` with a fixed seed."""
    ruleset = shipped_ruleset(RULESET)
    assert isinstance(ruleset, CampaignRuleset)
    made = None if request.param == "sqlite" else request.getfixturevalue("postgresql_database")
    urls = {f"{service.upper()}_DATABASE_URL": made() for service in SERVICES} if made else {}
    with logging_as_it_was():
        with seeded_chance("a whole campaign"):
            muster = Muster(tmp_path_factory.mktemp("campaign"), **urls)
            operator = client(muster, muster.token("operator"))
            options = {"fs.campaign.rounds": str(ROUNDS)}
            director = Director.announce(operator, name="Wasteland league", ruleset=RULESET, options=options)
            table = CampaignSimulation(director, ruleset.rules, PLAYERS, ROUNDS, seed="sqlite").play()
        logs = {service: pages(operator, service, director.path("/log"), source=service) for service in SERVICES}
        yield Campaign(operator, director, table, logs)
        for database in muster.databases.values():
            database.close()


@pytest.mark.clause("FS-LGE-2", "FS-LGE-3", "FS-RND-1", "FS-RND-3")
def test_a_whole_campaign_is_played_to_its_end(campaign: Campaign) -> None:
    assert campaign.table["final"]
    assert len(campaign.table["items"]) == PLAYERS + 1  # a group joined late
    ranks = [row["rank"] for row in campaign.table["items"]]
    assert ranks == sorted(ranks)
    kinds = [kind for kind, _ in campaign.events()]
    assert kinds.count("RoundClosed") == ROUNDS
    assert kinds[-2:] == ["TournamentConcluded", "DrawsRevealed"]
    assert campaign.get("/standings") == campaign.table


@pytest.mark.clause("FS-PGP-1", "FS-PGP-2")
def test_every_group_closed_every_step_in_order(campaign: Campaign) -> None:
    steps: dict[tuple[str, int], list[str]] = defaultdict(list)
    for kind, data in campaign.events():
        if kind == "StepClosed":
            steps[data["group"], data["round"]].append(data["step"])
    order = ["1", "1b", "2", "3", "4", "5", "6", "7", "8", "9"]
    gone = {row["player"] for row in campaign.table["items"] if row["status"] != "active"}
    gone |= {sheet["id"] for sheet in campaign.groups() if not sheet["members"]}  # out with its last member
    assert len(steps) >= (PLAYERS - len(gone)) * ROUNDS
    for (group, _), closed in steps.items():
        begun = order.index(closed[0])
        expected = order[begun:]
        assert closed == (expected if group not in gone else expected[: len(closed)])


@pytest.mark.clause("FS-AUD-1", "FS-AUD-2")
def test_the_logs_verify_and_are_in_the_feed(campaign: Campaign) -> None:
    logs = {service: [from_wire(line) for line in lines] for service, lines in campaign.logs.items()}
    assert failures(logs) == []
    assert commands(logs) > 100 * ROUNDS
    for service, lines in campaign.logs.items():
        told = [json.loads(line)["id"] for line in pages(campaign.operator, service, "/log", place="feedposition")]
        assert [id for id in told if id.startswith(campaign.director.id)] == [json.loads(line)["id"] for line in lines]


@pytest.mark.clause("FS-AUD-2", "FS-SVC-1")
def test_roster_sheets_follow_from_the_exported_log(campaign: Campaign) -> None:
    logs = {service: [from_wire(line) for line in lines] for service, lines in campaign.logs.items()}
    heads = {service: Head(events[-1].position, events[-1].hash) for service, events in logs.items()}
    replayed = fold_logs({service: decode_log(events, Findings()) for service, events in logs.items()})
    for sheet in campaign.groups():
        made = msgspec.to_builtins(group_view(replayed, heads, sheet["id"]))
        assert json.dumps(made, sort_keys=True) == json.dumps(sheet, sort_keys=True)


@pytest.mark.clause("FS-PGP-3", "FS-GRP-2")
def test_every_balance_is_the_sum_of_its_entries(campaign: Campaign) -> None:
    entries = 0
    for sheet in campaign.groups():
        for account in ACCOUNTS:
            found = campaign.get(f"/groups/{sheet['id']}/balances/{account}")
            assert found["balance"] == sum(entry["amount"] for entry in found["entries"]) == sheet[account]
            assert all(entry["balance"] >= 0 and entry["reason"] and entry["clause"] for entry in found["entries"])
            entries += len(found["entries"])
    assert entries > PLAYERS * ROUNDS


@pytest.mark.clause("FS-RAT-1", "FS-RAT-3", "FS-LGE-1", "FS-LGE-2")
def test_every_rank_and_rating_is_explained(campaign: Campaign) -> None:
    sheets = {sheet["id"]: sheet for sheet in campaign.groups()}
    rows = campaign.table["items"]
    for index, row in enumerate(rows):
        sheet = sheets[row["player"]]
        assert sum(part["value"] for part in sheet["rating_parts"]) == sheet["rating_now"]
        told = campaign.get(f"/standings/{row['player']}")
        values = {value["column"]: value for value in told["values"]}
        assert {column: int(value["value"]) for column, value in values.items()} == row["values"]
        assert sum(values["group_rating"]["parts"].values()) == row["values"]["group_rating"] == sheet["rating"]
        for column in ("league_points", "total_vp"):
            assert sum(int(part["value"]) for part in values[column]["from"]) == row["values"][column]
        below = told["below"]
        assert (below and below["player"]) == (rows[index + 1]["player"] if index + 1 < len(rows) else None)
        if below and below["separated_by"]:
            by = below["separated_by"]
            assert row["values"][by] > rows[index + 1]["values"][by]


@pytest.mark.clause("FS-INJ-1", "FS-AUD-1")
def test_every_scar_has_an_origin(campaign: Campaign) -> None:
    rolls = {data["roll"]: data for kind, data in campaign.events() if kind == "DieRolled"}
    scars = 0
    for sheet in campaign.groups():
        for member in filter(lambda one: one["injuries"], sheet["sheets"]):
            place = f"/groups/{sheet['id']}/members/{member['id']}/history"
            history = [(event["type"], event["data"]) for event in campaign.get(place)["items"]]
            suffered = [data for kind, data in history if kind == "InjurySuffered"]
            healed = [data["injury"] for kind, data in history if kind == "InjuryHealed"]
            for scar in {*member["injuries"]}:
                came = [data for data in suffered if data["injury"] == scar]
                assert len(came) - healed.count(scar) >= member["injuries"].count(scar)
                for data in came:
                    assert rolls[data["roll"]]["purpose"] == "FS-INJ-1"
                    assert rolls[data["roll"]]["member"] == member["id"]
                    scars += 1
    assert scars
