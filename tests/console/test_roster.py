"""`muster roster check`: every fault of a list with its line, its place and its clause; advice apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from muster.cli.main import main
from shared.formats.packs import shipped, shipped_ruleset
from tests.examples import examples

ARMADA, DUST, FACTIONS = "star-wars-armada-1.1", "dust-warfare-1.0", "fallout-factions-comp-1.0"

FLEET = """\
faction: hutt
fleet_total: 299
commanders:
  - {name: General Dodonna, points: 20}
  - {name: Another, points: 1}
ships:
  - {name: Assault Frigate, points: 281}
squadrons:
  - {name: X-wing, points: 103}
objectives:
  - {name: Most Wanted, category: assault}
  - {name: Contested Outpost, category: defense}
"""

UNITS = """\
ruleset: dust-warfare-1.0
document: the operator's own list
items:
  - {in_list: units, name: Officers, points: 45}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(roster: str, ruleset: str = ARMADA, *more: str, name: str = "list.yaml") -> Result:
    Path(name).write_text(roster, "utf-8")
    return CliRunner().invoke(main, ["roster", "check", "--ruleset", ruleset, *more, name])


def faults(result: Result) -> list[str]:
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    return result.stderr.splitlines()


@pytest.mark.parametrize("id", shipped("swiss"))
@pytest.mark.parametrize("write", [json.dumps, yaml.safe_dump])
def test_the_example_of_every_ruleset_is_legal(id: str, write: Any) -> None:
    result = check(write(shipped_ruleset(id).roster.example), id)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"list.yaml: legal under {id}\n"


@pytest.mark.clause("AR-ROS-1", "AR-ROS-2", "AR-ROS-3", "AR-ROS-4", "AR-ROS-6")
def test_a_roster_with_six_faults() -> None:
    assert faults(check(FLEET)) == [
        "list.yaml:2:/fleet_total: 299, expected at most 300 points of commanders, ships, squadrons, "
        "which have 405, or the"
        " option fleet_limit=405 with squadron_limit, margin_table, set with the announcement (AR-ROS-1)",
        "list.yaml:2:/fleet_total: 299, expected 405, the sum (AR-ROS-6)",
        "list.yaml:8:/squadrons: 103, expected at most 100 points of squadrons, which have 103, or the option"
        " squadron_limit=103, set with the announcement (AR-ROS-2)",
        "list.yaml:3:/commanders: 2, expected exactly 1 of commanders (AR-ROS-3)",
        "list.yaml:10:/objectives: 0, expected exactly 1 of category navigation (AR-ROS-3)",
        "list.yaml:1:/faction: hutt, expected one of rebel, imperial (AR-ROS-4)",
    ]
    document = json.dumps(yaml.safe_load(FLEET), indent="\t")
    told = faults(check(document, name="list.json"))
    lines = [1 + document[: document.index(f'"{key}"')].count("\n") for key in ("fleet_total", "squadrons", "faction")]
    assert [int(told[index].split(":")[1]) for index in (0, 2, 5)] == lines


@pytest.mark.clause("AR-AMB-19")
def test_options_change_what_is_legal() -> None:
    larger = ["--option", "fleet_limit=500", "--option", "squadron_limit=134", "--option", "margin_table=0+:6:5"]
    assert [line.split(": ")[0] for line in faults(check(FLEET, ARMADA, *larger))] == [
        "list.yaml:2:/fleet_total",
        "list.yaml:3:/commanders",
        "list.yaml:10:/objectives",
        "list.yaml:1:/faction",
    ]


@pytest.mark.clause("FF-ROS-20")
def test_advice_is_reported_and_is_not_a_fault() -> None:
    crew: dict[str, Any] = json.loads(json.dumps(shipped_ruleset(FACTIONS).roster.example))
    model = next(model for model in crew["models"] if model.get("class") == "leader")
    bought = {"name": "Warden", "kind": "charisma", "requisite": 1, "points": 1}
    model["perks"] = [*model.get("perks", []), bought][-1:]
    crew["rating"] = points(crew["models"])
    good = check(yaml.safe_dump(crew, sort_keys=False), FACTIONS)
    assert (good.exit_code, good.stderr) == (0, "")
    first, advice = good.stdout.splitlines()
    assert first == f"list.yaml: legal under {FACTIONS}"
    assert advice.startswith("advice: list.yaml:")
    assert advice.endswith("/name: Warden, expected another: it has no effect (FF-ROS-20)")
    crew["faction"] = "Hutt"
    bad = faults(check(yaml.safe_dump(crew, sort_keys=False), FACTIONS))
    assert [line.startswith("advice: ") for line in bad] == [False, True]


def points(entries: Any) -> int:
    return sum(
        entry.get("points", 0) + sum(points(inner) for inner in entry.values() if isinstance(inner, list))
        for entry in entries
    )


@pytest.mark.clause("DW-ROS-5")
def test_catalogues_say_what_there_is() -> None:
    army = "faction: allies\narmy_total: 90\nunits:\n  - {section: command, name: Officers, points: 40}\n"
    army += "  - {section: platoon, name: Proxy, points: 50}\n"
    Path("units.yaml").write_text(UNITS, "utf-8")
    Path("more.yaml").write_text(UNITS.replace("Officers", "Walker"), "utf-8")
    assert check(army, DUST).exit_code == 0
    assert faults(check(army, DUST, "--catalogue", "units.yaml", "--catalogue", "more.yaml")) == [
        "list.yaml:4:/units/0/points: 40, expected 45, its price (DW-ROS-5)",
        "list.yaml:5:/units/1/name: Proxy, expected a name of the catalogue (DW-ROS-5)",
    ]
    Path("more.yaml").write_text(UNITS.replace("units,", "unit,").replace("45", "-45"), "utf-8")
    Path("units.yaml").write_text(UNITS.replace(DUST, ARMADA), "utf-8")
    told = faults(
        check(army, DUST, "--catalogue", "units.yaml", "--catalogue", "more.yaml", "--catalogue", "none.yaml")
    )
    assert [line.split(": ")[0] for line in told] == [
        "units.yaml:1:/ruleset", "more.yaml:4:/items/0/in_list", "more.yaml:4:/items/0/points", "none.yaml"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("roster", "told"),
    [
        ("", "list.yaml:1: nothing, expected a roster"),
        ("[1]", "list.yaml:1: [1], expected an object with faction, "),
        ("ships: [\n", "list.yaml:2: "),
        ("ships: 3\n", "list.yaml:1:/ships: 3, expected a list (AR-ROS-6)"),
        ("ships:\n  - {name: x, points: 1.5}\n", "list.yaml:2:/ships/0/points: 1.5, expected quoted text"),
        ('{"ships": [{"name": "\\ud83d\\ude80", "points": 2.0}]}', "list.yaml:1:/ships/0/points: 2.0, expected"),
    ],
)
def test_what_is_no_roster(roster: str, told: str) -> None:
    assert faults(check(roster))[0].startswith(told)


def test_what_is_no_json() -> None:
    assert faults(check('{"ships": [],\n "x" 1}', name="list.json")) == [
        "list.json:2: \"x\" 1}, expected JSON (expecting ':' delimiter)"
    ]


def test_what_is_no_file() -> None:
    Path("folder").mkdir()
    for path in ("folder", "none.json"):
        result = CliRunner().invoke(main, ["roster", "check", "--ruleset", ARMADA, path])
        assert faults(result)[0].endswith(", expected a file that can be read")


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    id=some.sampled_from([ARMADA, DUST, FACTIONS]),
    where=some.integers(0, 400),
    gone=some.integers(0, 20),
    put=some.binary(max_size=4) | some.sampled_from([b"{", b"- ", b": ", b"\n", b"[]", b"-1", b"null", b"&a", b"*a"]),
    form=some.sampled_from(["list.json", "list.yaml"]),
)
def test_whatever_is_changed_in_a_roster_is_read_or_refused(
    id: str, where: int, gone: int, put: bytes, form: str
) -> None:
    write = json.dumps if form == "list.json" else yaml.safe_dump
    text = write(shipped_ruleset(id).roster.example).encode()
    Path(form).write_bytes(text[:where] + put + text[where + gone :])
    result = CliRunner().invoke(main, ["roster", "check", "--ruleset", id, form])
    assert isinstance(result.exception, SystemExit | None)
    assert result.exit_code in (0, 2)
    assert bool(result.stdout) == (result.exit_code == 0)
