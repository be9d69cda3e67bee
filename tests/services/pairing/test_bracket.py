"""The bracket as a tree: before it is paired, while it is played, and with its winner."""

from __future__ import annotations

import pytest

from tests.services.pairing.stories import Story, with_cut


def play(pairing) -> None:
    """A round from its pairing to its end; every game is won by its first player."""
    number = int(pairing.post("/rounds").json["id"])
    assert pairing.post(f"/rounds/{number}/start").status_code == 201
    pairing.story.finish(number)


def cut_to_four(serve, bracket: str = "seeded"):
    """Two Swiss rounds of eight players are played, and the first four go on."""
    story = Story(pack=with_cut(bracket), rounds=None)
    story.join(8)
    pairing = serve(story)
    play(pairing)
    play(pairing)
    assert pairing.post("/cut").status_code == 201
    return story, pairing


def tree(pairing) -> list[tuple[str, str, list[int], str]]:
    shown = pairing.get("/bracket").json
    return [
        (game["place"], game["leads_to"], [side["seed"] for side in game["sides"]], game["id"])
        for game in shown["items"]
    ]


@pytest.mark.clause("DW-AMB-4", "DW-CUT-2")
def test_before_it_is_paired_it_says_who_will_meet(serve):
    story, pairing = cut_to_four(serve)
    assert tree(pairing) == [("1.1", "2.1", [1, 4], ""), ("1.2", "2.1", [2, 3], ""), ("2.1", "", [0, 0], "")]
    shown = pairing.get("/bracket").json
    assert (shown["bracket"], shown["size"], shown["winner"]) == ("seeded", 4, "")
    assert [side["comes_from"] for side in shown["items"][2]["sides"]] == ["1.1", "1.2"]
    assert [side["player"] for side in shown["items"][0]["sides"]] == [
        story.state.rounds.cut[0],
        story.state.rounds.cut[3],
    ]
    assert "status" not in shown["items"][0]


def test_winners_go_on_as_their_games_bind_and_the_last_has_won(serve):
    story, pairing = cut_to_four(serve)
    assert pairing.post("/rounds").status_code == 201
    assert [game[3] for game in tree(pairing)] == ["r3g1", "r3g2", ""]
    assert pairing.post("/rounds/3/start").status_code == 201
    story.win("r3g1")
    shown = pairing.get("/bracket").json["items"]
    assert [game.get("status") for game in shown] == ["confirmed", "open", None]
    assert [side["player"] for side in shown[2]["sides"]] == [shown[0]["winner"], ""]
    story.finish(3)
    play(pairing)
    shown = pairing.get("/bracket").json
    assert shown["winner"] == shown["items"][2]["winner"] == shown["items"][2]["sides"][0]["player"] != ""
    assert shown["items"][2]["id"] == "r4g1"


def test_a_seat_given_up_after_a_win_is_empty_in_the_next_game(serve):
    _, pairing = cut_to_four(serve)
    play(pairing)
    winner = pairing.get("/bracket").json["items"][0]["winner"]
    assert pairing.post("/cut/given-up", {"player": winner}).status_code == 201
    final = pairing.get("/bracket").json["items"][2]
    assert winner not in [side["player"] for side in final["sides"]]


def test_no_player_is_named_before_a_draw_or_a_reseeding(serve):
    _, drawn = cut_to_four(serve, "random")
    assert tree(drawn) == [("1.1", "2.1", [0, 0], ""), ("1.2", "2.1", [0, 0], ""), ("2.1", "", [0, 0], "")]
    _, reseeded = cut_to_four(serve, "reseed")
    assert [game[1] for game in tree(reseeded)] == ["", "", ""]
    play(reseeded)
    assert tree(reseeded)[2] == ("2.1", "", [0, 0], "")


def test_without_a_cut_there_is_none(story, serve):
    story.join(4)
    assert serve(story).get("/bracket").json == {"bracket": "none", "size": 0, "winner": "", "items": []}
