"""Coins that were flipped for ties, in files: the order of the tie, and what is paired from it."""

from __future__ import annotations

import json
from itertools import permutations

import pytest

FACTIONS = "fallout-factions-comp-1.0"
HEADER = "round,table,kind,player_1,player_2,points_1,points_2,scenario,coins_1,coins_2"
TIED = "player\nana\nben\ncy\ndee\n"


@pytest.fixture
def told(run, tmp_path):
    """Call a command on these rows; four players."""

    def called(command: str, *rows: str, ruleset: str = FACTIONS, options: tuple[str, ...] = ()):
        (tmp_path / "p.csv").write_text(TIED)
        (tmp_path / "r.csv").write_text("\n".join((HEADER, *rows)) + "\n")
        files = ("--players", str(tmp_path / "p.csv"), "--results", str(tmp_path / "r.csv"))
        return run(command, "--ruleset", ruleset, *files, "--format", "json", "--seed", "s", *options)

    return called


def draws(ana: object = "", ben: object = "", cy: object = "", dee: object = "", round: int = 1) -> tuple[str, str]:
    """Two games that end in a draw of ten, all four being tied; what the coins were."""
    return (
        f"{round},1,game,ana,ben,10,10,Melee,{ana},{ben}",
        f"{round},2,game,cy,dee,10,10,Melee,{cy},{dee}",
    )


def order(shown) -> list[str]:
    assert shown.exit_code == 0, shown.stderr
    return [row["player"] for row in json.loads(shown.stdout)]


@pytest.mark.clause("FF-AMB-3", "FF-TB-4")
def test_who_got_more_coins_comes_first_whatever_the_draw_says(told):
    for wanted in permutations(["ana", "ben", "cy", "dee"]):
        coins = {player: 3 - place for place, player in enumerate(wanted)}
        assert order(told("standings", *draws(**coins))) == list(wanted)


@pytest.mark.clause("FF-AMB-3")
def test_the_next_round_is_paired_from_the_order_that_the_coins_gave(told):
    shown = told("pair", *draws(ana=0, ben=2, cy=3, dee=1))
    assert [(row["player_1"], row["player_2"]) for row in json.loads(shown.stdout)] == [("cy", "ben"), ("dee", "ana")]
    explained = told("pair", *draws(ana=0, ben=2, cy=3, dee=1), options=("--explain",))
    ranks = {player: side["rank"] for row in json.loads(explained.stdout) for player, side in row["explain"].items()}
    assert ranks == {"cy": 1, "ben": 2, "dee": 3, "ana": 4}


@pytest.mark.clause("FF-AMB-3")
def test_what_a_coin_decided_is_no_draw_that_could_be_made_again(told):
    explained = told("standings", *draws(ana=0, ben=2, cy=3, dee=1), options=("--explain",))
    made = {"purpose": "standings", "round": 1, "by": "coin", "order": ["cy", "ben", "dee", "ana"]}
    assert [row["draw"] for row in json.loads(explained.stdout)] == [made] * 4
    text = told("standings", *draws(ana=0, ben=2, cy=3, dee=1), options=("--explain", "--format", "table")).stdout
    assert text.endswith("coin: after round 1: cy, ben, dee, ana\n")
    drawn = told("standings", *draws(), options=("--explain",))
    assert {row["draw"]["seed"] for row in json.loads(drawn.stdout)} == {"s"}


@pytest.mark.clause("FF-AMB-20", "FF-AMB-3")
def test_a_coin_holds_in_later_rounds_where_earlier_draws_are_kept(told):
    rows = [*draws(ana=0, ben=2, cy=3, dee=1), "2,1,game,cy,ben,9,9,Raid,,", "2,2,game,dee,ana,9,9,Raid,,"]
    kept = ("--option", "reuse_draws=true")
    assert order(told("standings", *rows, options=kept)) == ["cy", "ben", "dee", "ana"]
    drawn = [rows[0].rstrip("012,") + ",,", rows[1].rstrip("0123,") + ",,", *rows[2:]]
    assert order(told("standings", *rows)) == order(told("standings", *drawn))


@pytest.mark.clause("FF-AMB-3")
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (draws(ana=1, ben=0), "r.csv:2:coins_1: 1, expected another number for each of ana, ben, cy, dee"),
        (draws(1, 1, 2, 3), "r.csv:2:coins_1: 1, expected another number for each of"),
        (draws("heads", 0, 2, 3), "r.csv:2:coins_1: 'heads', expected a whole number, 0 or more"),
        (
            ("1,1,game,ana,ben,12,6,Melee,1,", "1,2,game,cy,dee,9,6,Melee,,"),
            "r.csv:2:coins_1: 1, expected nothing: nobody is tied with ana after round 1",
        ),
        (("1,1,game,ana,ben,10,10,Melee,1,0", "1,2,game,cy,dee,,,Melee,,"), "no coin while the round is being played"),
        (("1,,bye,ana,,,,Melee,,1",), "r.csv:2:coins_2: 1, expected nothing"),
    ],
)
def test_coins_that_decide_no_tie_are_refused(told, rows, said):
    refused = told("standings", *rows)
    assert refused.exit_code == 2
    assert said in refused.stderr


def test_a_ruleset_that_draws_every_tie_takes_no_coins(told):
    refused = told("standings", "1,1,game,ana,ben,100,40,,1,0", ruleset="star-wars-armada-1.1")
    assert refused.exit_code == 2
    assert "coins_1: 1, expected nothing: star-wars-armada-1.1 draws every tie (AR-AMB-15)" in refused.stderr
