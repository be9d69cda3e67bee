"""What `muster` says of a file of Dust Warfare that cannot be right: every fault with row, column and clause."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from muster.cli.main import main

HEADER = "round,kind,player_1,player_2,winner,points_1,points_2,conceded_by"


def faults(folder: Path, *rows: str, options: tuple[str, ...] = ()) -> list[str]:
    """The places of the faults, as `row:column`, and that nothing else was said."""
    (folder / "p.csv").write_text("player\na\nb\nc\nd\n", "utf-8")
    (folder / "r.csv").write_text("\n".join([HEADER, *rows]) + "\n", "utf-8")
    files = ["--players", str(folder / "p.csv"), "--results", str(folder / "r.csv")]
    chosen = [word for option in options for word in ("--option", option)]
    result = CliRunner().invoke(main, ["standings", "--ruleset", "dust-warfare-1.0", *files, *chosen])
    assert (result.exit_code, result.stdout) == (2, "")
    return [line.removeprefix(f"{folder}/r.csv:").partition(": ")[0] for line in result.stderr.splitlines()]


@pytest.mark.clause("DW-RES-1", "DW-RES-2", "DW-FOR-2", "DW-AMB-19", "DW-PTS-1")
def test_every_fault_of_a_file(tmp_path: Path) -> None:
    found = faults(
        tmp_path,
        "1,game,a,b,1,401,999,",  # more than any list
        "1,game,c,d,,50,60,",  # nobody said who won
        "2,forfeit,a,b,,149,,",  # without an offender
        "2,game,c,d,2,10,20,2",  # the conceder as the winner
        "3,spare,a,b,1,10,20,",  # no such game here
        "4,bye,c,,,,7,",  # points of a bye come from the ruleset
        "4,game,a,b,,-1,,",
        "5,game,a,b,,,,2",  # a concession without what is on the table
    )
    assert found == [
        "2:points_1",
        "2:points_2",
        "3:winner",
        "4:conceded_by",
        "5:winner",
        "6:kind",
        "7:points_2",
        "8:points_1",
        "9:points_1",
    ]


@pytest.mark.clause("DW-SET-2", "DW-RES-2")
def test_the_limit_of_the_event_bounds_break_points(tmp_path: Path) -> None:
    assert faults(tmp_path, "1,game,a,b,1,301,0,", options=("ap_limit=300",)) == ["2:points_1"]


@pytest.mark.clause("DW-AMB-6", "DW-AMB-10", "DW-AMB-25")
def test_all_impossible_options_are_reported(tmp_path: Path) -> None:
    found = faults(tmp_path, options=("ap_limit=500", "bye_bp=lots", "rounds_table=3-9:4:3:3", "hero_bp=maybe"))
    assert len(found) == 4
    assert all(place.startswith("--option ") for place in found)
