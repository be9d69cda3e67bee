"""What checks say to programs: the shapes that the guide shows, with the exit codes that people get."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from shared.formats.packs import shipped_text
from tests.console.test_roster import FLEET
from tests.state.logs import Club

GUIDE = (Path(__file__).parents[2] / "docs/verify.md").read_text("utf-8")
NIGHT = Club("Ana", "Ben")
NIGHT.play_round()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def shown(command: str) -> Any:
    """The object that the guide shows of a command, below its name."""
    (block,) = re.findall(rf"`muster {command} --format json`.*?\n```json\n(.*?)```", GUIDE, re.DOTALL)
    return json.loads(block)


def members(value: Any) -> Any:
    """The members of an object and of those in it; a list by its first."""
    if isinstance(value, dict):
        return {name: members(one) for name, one in value.items()}
    return [members(one) for one in value[:1]] if isinstance(value, list) else type(value).__name__


def asked(*arguments: str, code: int) -> Any:
    told = CliRunner().invoke(main, [*arguments, "--format", "json"])
    assert (told.exit_code, told.stderr) == (code, "")
    return json.loads(told.stdout)


def test_ruleset_check() -> None:
    text = shipped_text("star-wars-armada-1.1")
    Path("good.yaml").write_text(text)
    Path("my-game.yaml").write_text(text.replace("least: 51,", "least: 60,", 1))
    assert asked("ruleset", "check", "good.yaml", code=0) == {
        "file": "good.yaml",
        "ruleset": "star-wars-armada-1.1",
        "ok": True,
        "faults": [],
    }
    wrong = asked("ruleset", "check", "my-game.yaml", code=2)
    assert (wrong["ok"], wrong["ruleset"], len(wrong["faults"])) == (False, None, 1)
    assert members(wrong) == members(shown("ruleset check"))
    assert asked("ruleset", "check", "nowhere.yaml", code=2)["faults"][0]["where"] == "nowhere.yaml"


def test_roster_check() -> None:
    Path("fleet.yaml").write_text(FLEET)
    of = ("roster", "check", "fleet.yaml", "--ruleset", "star-wars-armada-1.1")
    found = asked(*of, code=2)
    lines = CliRunner().invoke(main, of).stderr.splitlines()
    assert [fault["where"] for fault in found["faults"]] == [line.split(": ")[0] for line in lines]
    assert members(found | {"advice": []}) == members(shown("roster check") | {"advice": []})
    assert set(found) == set(shown("roster check"))
    (fault,) = asked("roster", "check", ".", "--ruleset", "star-wars-armada-1.1", code=2)["faults"]
    assert fault["said"] == "is a directory"


def test_verify() -> None:
    Path("spring.jsonl").write_bytes(NIGHT.file())
    good = asked("verify", "spring.jsonl", code=0)
    assert (good["holds"], good["logs"][0]["holds"]) == (True, True)
    lines = NIGHT.file().splitlines(keepends=True)
    Path("spring.jsonl").write_bytes(b"".join(lines[:1] + lines[2:]))
    wrong = asked("verify", "spring.jsonl", code=1)
    (log,) = wrong["logs"]
    example = shown("verify")
    assert not wrong["holds"]
    assert log["failures"][0]["code"] == "order"
    assert log["notes"]["missing"] == 1
    assert set(wrong) == set(example)
    for name in ("notes", "heads"):
        assert all(isinstance(one, type(next(iter(example["logs"][0][name].values())))) for one in log[name].values())
        del log[name], example["logs"][0][name]
    assert members(log) == members(example["logs"][0])
