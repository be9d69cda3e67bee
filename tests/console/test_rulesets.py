"""`muster ruleset`: list, show, check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from muster.cli.main import COMMANDS, main
from shared.formats.options import apply_options, from_json
from shared.formats.packs import load, shipped, shipped_ids, shipped_ruleset, shipped_text
from shared.rules.parts import AnyRuleset, Option
from shared.swiss.ruleset import Ruleset

ARMADA = "star-wars-armada-1.1"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["ruleset", *arguments])


def test_list_names_every_shipped_ruleset() -> None:
    rows = json.loads(run("list", "--format", "json").stdout)
    assert [row["id"] for row in rows] == list(shipped_ids())
    assert all(id in run("list").stdout for id in shipped_ids())


def test_show_gives_the_pack_or_what_a_tournament_would_hold() -> None:
    assert run("show", ARMADA).stdout == shipped_text(ARMADA)
    assert from_json(json.loads(run("show", ARMADA, "--format", "json").stdout)) == shipped_ruleset(ARMADA)
    shown = run("show", ARMADA, "--option", "sos=tome").stdout
    assert "schedule_mean" in shown
    assert run("show", "chess").exit_code == 2


def test_check_accepts_a_pack_and_tells_the_lines_of_a_broken_one(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(shipped_text(ARMADA), "utf-8")
    assert run("check", str(good)).exit_code == 0
    text = shipped_text(ARMADA).replace("least: 51,", "least: 60,").replace("piece: total", "piece: sum", 1)
    bad.write_text(text, "utf-8")
    result = run("check", str(bad))
    assert result.exit_code == 2
    line = text[: text.index("least: 60,")].count("\n") + 1
    assert f"{bad}:{line}:/points/bands/2/least: 60, expected 51, without a gap" in result.stderr
    assert len(result.stderr.splitlines()) == 2
    assert run("check", str(tmp_path / "none.yaml")).exit_code == 2


def test_a_pack_of_ones_own_can_be_played_by(tmp_path: Path) -> None:
    pack = tmp_path / "mine.yaml"
    pack.write_text(shipped_text(ARMADA).replace(f"id: {ARMADA}", "id: mine-1"), "utf-8")
    assert load(pack.read_text("utf-8"), "mine.yaml").id == "mine-1"
    assert "id: mine-1" in run("show", str(pack)).stdout


def values_of(option: Option) -> list[str]:
    """Every word of an option, both flags, the least and the most of a number, a table."""
    match option.kind:
        case "flag":
            return ["true", "false"]
        case "choice":
            return list(option.choices)
        case "whole":
            return [str(option.least), *option.choices, str(500 if option.most is None else option.most)]
        case "bands":
            return ["0-59:6:5,60+:10:1"]
        case "rounds":
            return ["3-16:4,17-32:4:2:3"]
        case "points":
            return ["win:2,draw:1,loss:0" if "league" in option.key else "victory:2,unfinished:1,defeat:0"]
        case "words":
            return [",".join(option.choices), ",".join(reversed(option.choices))]


def shown_with(ruleset: AnyRuleset, turn: int, tmp_path: Path) -> tuple[Path, list[str], dict[str, str]]:
    """A pack shown with all options at once, with the first value of each, the second, the third: none has more."""
    words: dict[str, str] = {}
    for option in ruleset.options:
        values = values_of(option)
        assert len(values) <= 3
        words[option.key] = values[turn % len(values)]
    chosen = [word for key, value in words.items() for word in ("--option", f"{key}={value}")]
    pack = tmp_path / "shown.yaml"
    pack.write_text(run("show", ruleset.id, *chosen).stdout, "utf-8")
    return pack, chosen, words


@pytest.mark.parametrize("turn", range(3))
@pytest.mark.parametrize("ruleset", shipped().values(), ids=lambda ruleset: ruleset.id)
def test_a_pack_shown_with_options_is_a_pack_to_play_by(ruleset: AnyRuleset, turn: int, tmp_path: Path) -> None:
    pack, _, words = shown_with(ruleset, turn, tmp_path)
    assert run("check", str(pack)).stderr == ""
    assert load(pack.read_text("utf-8"), "shown.yaml") == apply_options(ruleset, words)


@pytest.mark.parametrize("turn", range(3))
@pytest.mark.parametrize("ruleset", shipped("swiss").values(), ids=lambda ruleset: ruleset.id)
def test_options_shown_in_a_pack_make_the_same_standings(ruleset: Ruleset, turn: int, tmp_path: Path) -> None:
    pack, chosen, _ = shown_with(ruleset, turn, tmp_path)
    (tmp_path / "players.csv").write_text("player\nana\nben\n", "utf-8")
    (tmp_path / "results.csv").write_text("round,kind,player_1,player_2,points_1,points_2\n", "utf-8")
    files = ["--players", str(tmp_path / "players.csv"), "--results", str(tmp_path / "results.csv")]
    told = [
        CliRunner().invoke(main, ["standings", *files, "--ruleset", *asked, "--format", "json"]).stdout
        for asked in ([str(pack)], [ruleset.id, *chosen])
    ]
    assert len(json.loads(told[0])) == 2
    assert told[0] == told[1]


def test_what_is_chosen_must_be_what_the_pack_holds(tmp_path: Path) -> None:
    pack = tmp_path / "mine.yaml"
    shown = run("show", ARMADA, "--option", "sos=tome", "--option", "bye_may_move=true").stdout
    pack.write_text(
        shown.replace("sos: tome", "sos: mean\n  elo: true").replace("bye_may_move: true", "bye_may_move: false")
    )
    told = [line.split(":", 2)[2] for line in run("check", str(pack)).stderr.splitlines()]
    assert [line.split(": ")[0] for line in told] == ["/chosen/elo", "/chosen/sos", "/bye/may_move"]
    assert told[2] == "/bye/may_move: true, expected false, what is chosen for bye_may_move (AR-AMB-13)"


def test_every_command_of_the_table_exists() -> None:
    for name in COMMANDS:
        assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0
    assert CliRunner().invoke(main, ["dance"]).exit_code == 2
