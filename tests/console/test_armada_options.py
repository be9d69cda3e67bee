"""Every option of Star Wars: Armada on and off, as an organiser meets it at the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from muster.cli.main import main
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.model import Facts
from shared.swiss.rounds import hard_stop, round_minutes
from shared.swiss.scoring import score_game

ARMADA = "star-wars-armada-1.1"
HEADER = "round,kind,player_1,player_2,winner,points_1,points_2,conceded_by"
BANDS = "0-59:6:5,60-139:7:4,140-219:8:3,220-299:9:2,300+:10:1"
LARGER = ("fleet_limit=400", "squadron_limit=134", f"margin_table={BANDS}")
FLEET: dict[str, Any] = {
    "faction": "imperial",
    "fleet_total": 320,
    "commanders": [{"name": "Motti", "points": 24}],
    "ships": [{"name": "Victory", "points": 186}],
    "squadrons": [{"name": "TIE fighter", "points": 110}],
    "objectives": [{"name": kind, "category": kind} for kind in ("assault", "defense", "navigation")],
}


@pytest.fixture
def muster(tmp_path: Path):
    """Call a command with options, players (`ana!` was disqualified) and rows of results."""

    def call(command: str, players: str, rows: list[str], *options: str) -> Result:
        lines = [name.replace("!", ",disqualified") if "!" in name else f"{name}," for name in players.split()]
        (tmp_path / "players.csv").write_text("\n".join(["player,status", *lines]) + "\n", "utf-8")
        (tmp_path / "results.csv").write_text("\n".join([HEADER, *rows]) + "\n", "utf-8")
        files = ["--players", str(tmp_path / "players.csv"), "--results", str(tmp_path / "results.csv")]
        chosen = [word for option in options for word in ("--option", option)]
        return CliRunner().invoke(main, [command, "--ruleset", ARMADA, *files, *chosen, "--format", "json"])

    return call


def ranked(result: Result) -> list[str]:
    """The standings as `1 ana 6/50/4`."""
    assert result.exit_code == 0, result.output
    names = ("tournament_points", "margin_of_victory", "strength_of_schedule")
    rows = json.loads(result.stdout)
    return [f"{row['rank']} {row['player']} " + "/".join(str(row[name]) for name in names) for row in rows]


def bye(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return next(row["player_1"] for row in json.loads(result.stdout) if row["kind"] == "bye")


@pytest.mark.clause("AR-AMB-4", "AR-TB-4")
def test_sos(muster) -> None:
    rows = ["1,game,ana,ben,,150,100,", "1,bye,cy,,,,,", "2,game,ana,cy,,100,90,", "2,bye,ben,,,,,"]
    summed = ["1 cy 13/61/11", "2 ben 12/61/11", "3 ana 11/60/25"]
    assert ranked(muster("standings", "ana ben cy", rows)) == summed
    assert ranked(muster("standings", "ana ben cy", rows, "sos=sum")) == summed
    meant = ["1 cy 13/61/2.75", "2 ben 12/61/2.75", "3 ana 11/60/6.25"]
    assert ranked(muster("standings", "ana ben cy", rows, "sos=tome")) == meant


@pytest.mark.clause("AR-AMB-15")
def test_unresolved_ties(muster) -> None:
    rows = ["1,game,ana,ben,,150,100,", "1,game,cy,dee,,150,100,"]
    drawn = ranked(muster("standings", "ana ben cy dee", rows, "unresolved_ties=draw"))
    assert [line[0] for line in drawn] == ["1", "2", "3", "4"]
    shared = ranked(muster("standings", "ana ben cy dee", rows, "unresolved_ties=shared"))
    assert [line[0] for line in shared] == ["1", "1", "3", "3"]


@pytest.mark.clause("AR-AMB-16")
def test_dq_opponent_results(muster) -> None:
    rows = ["1,game,ana,ben,,150,100,", "1,game,cy,dee,,150,140,"]
    kept = ["1 ana 6/50/4", "2 cy 5/10/5", "3 dee 5/0/5"]
    assert ranked(muster("standings", "ana ben! cy dee", rows, "dq_opponent_results=keep")) == kept
    void = ["1 cy 5/10/5", "2 dee 5/0/5", "3 ana 0/0/0"]
    assert ranked(muster("standings", "ana ben! cy dee", rows, "dq_opponent_results=void_games")) == void


@pytest.mark.clause("AR-AMB-18")
@pytest.mark.parametrize("kind", ["forfeit", "no_show"])
def test_no_show(muster, kind: str) -> None:
    rows = [f"1,{kind},ana,ben,,,,2"]
    assert ranked(muster("standings", "ana ben", rows, "no_show=bye")) == ["1 ana 8/61/0", "2 ben 0/0/0"]
    conceded = ["1 ana 10/300/0", "2 ben 0/0/10"]
    assert ranked(muster("standings", "ana ben", rows, "no_show=concession")) == conceded


@pytest.mark.clause("AR-AMB-14")
def test_avoid_repeat_byes(muster) -> None:
    rows = ["1,game,ana,ben,,300,0,", "1,game,cy,dee,,100,90,", "1,bye,eli,,,,,"]
    rows += ["2,game,ana,cy,,300,0,", "2,game,dee,eli,,300,0,", "2,bye,ben,,,,,"]
    rows += ["3,game,ana,dee,,200,0,", "3,game,cy,ben,,300,0,", "3,bye,eli,,,,,"]
    players = "ana ben cy dee eli"
    assert bye(muster("pair", players, rows, "avoid_repeat_byes=false")) == "ben"
    assert bye(muster("pair", players, rows, "avoid_repeat_byes=true")) == "cy"


@pytest.mark.clause("AR-AMB-13")
def test_bye_may_move(muster) -> None:
    """With cy away ana and ben would meet again, with ben away ana and cy."""
    rows = ["1,game,ana,ben,,100,90,", "1,bye,cy,,,,,", "2,game,ana,cy,,300,0,", "2,bye,ben,,,,,"]
    assert bye(muster("pair", "ana ben cy", rows, "bye_may_move=false")) == "cy"
    assert bye(muster("pair", "ana ben cy", rows, "bye_may_move=true")) == "ana"


@pytest.mark.clause("AR-AMB-19", "AR-CON-1", "AR-PTS-1")
def test_fleet_limit_and_margin_table(muster) -> None:
    rows = ["1,game,ana,ben,,430,100,2"]
    assert ranked(muster("standings", "ana ben", rows)) == ["1 ana 10/330/0", "2 ben 0/0/10"]
    assert ranked(muster("standings", "ana ben", rows, *LARGER)) == ["1 ana 10/330/0", "2 ben 0/0/10"]
    smaller = ["1,game,ana,ben,,330,270,2"]
    assert ranked(muster("standings", "ana ben", smaller))[0] == "1 ana 7/60/0"
    refused = muster("standings", "ana ben", smaller, *LARGER)
    assert refused.exit_code == 2
    assert "at least 400" in refused.stderr
    played = ["1,game,ana,ben,,160,100,"]
    assert ranked(muster("standings", "ana ben", played, LARGER[2])) == ["1 ana 7/60/4", "2 ben 4/0/7"]


@pytest.mark.clause("AR-AMB-19", "AR-ROS-1", "AR-ROS-2")
def test_squadron_limit(tmp_path: Path) -> None:
    (tmp_path / "fleet.json").write_text(json.dumps(FLEET), "utf-8")

    def told(*options: str) -> list[str]:
        chosen = [word for option in options for word in ("--option", option)]
        arguments = ["roster", "check", "--ruleset", ARMADA, *chosen, str(tmp_path / "fleet.json")]
        return [line[-10:-1].strip("(") for line in CliRunner().invoke(main, arguments).stderr.splitlines()]

    assert told() == ["AR-ROS-1", "AR-ROS-2"]
    assert told("squadron_limit=110") == ["AR-ROS-1"]
    assert told(*LARGER) == []


@pytest.mark.clause("AR-AMB-19", "AR-AMB-22", "AR-AMB-23")
def test_what_files_do_not_show_is_in_the_ruleset() -> None:
    ruleset = apply_options(
        shipped_ruleset(ARMADA), {"round_minutes": 150, "overtime_minutes": 10, "late_entry": "zero_points"}
    )
    assert (round_minutes(ruleset), hard_stop(ruleset), ruleset.entry.late) == (150, 9600, "zero_points")
    assert score_game(ruleset, Facts("bye")) == score_game(shipped_ruleset(ARMADA), Facts("bye"))


def test_no_option_is_left_out() -> None:
    tested = {"sos", "unresolved_ties", "dq_opponent_results", "no_show", "avoid_repeat_byes", "bye_may_move"}
    tested |= {"fleet_limit", "squadron_limit", "margin_table", "round_minutes", "overtime_minutes", "late_entry"}
    assert tested == {option.key for option in shipped_ruleset(ARMADA).options}
