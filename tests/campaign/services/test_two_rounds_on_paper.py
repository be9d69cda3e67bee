"""Two rounds of two groups with every die typed, against a paper that was worked out from the document beforehand.

The paper, with its sections. Raiders (p1): a veteran with an SMG (50 + 25), an experienced with a hunting rifle
(25 + 35), a green with a tire iron (10 + 10), a green (10): 165 of 500 caps, so 335 are left (§9.1). Vault Residents
(p2): Overseer with a pistol (50 + 15), Security Officer in leather with an SMG (25 + 20 + 25), two dwellers (20): 155,
345 left. Experience at the start is 50 and 25 (§9.1.2). Three turfs of 50 each (§9.1.3): 165 + 75 + 150 = 390 and
155 + 75 + 150 = 380.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.campaign.services.league import League
from tests.campaign.services.paper import RIVAL, Paper
from tests.services.story import Json

New = Callable[..., League]
RAIDERS: Json = {
    "force": "raiders",
    "members": [
        {"rank": "veteran", "goods": ["smg_10mm"]},
        {"rank": "experienced", "goods": ["hunting_rifle"]},
        {"rank": "green", "goods": ["tire_iron_lead_pipe"]},
        {"rank": "green"},
    ],
}
VAULT: Json = {
    "force": "vault_residents",
    "members": [
        {"rank": "veteran", "goods": ["pistol_10mm_chinese"]},
        {"rank": "experienced", "goods": ["leather_armor", "smg_10mm"]},
        {"rank": "green"},
        {"rank": "green"},
    ],
}


@pytest.mark.clause(
    "FS-GRP-2", "FS-TRF-2", "FS-XP-1", "FS-XP-5", "FS-UPK-2", "FS-REC-2", "FS-BAR-3", "FS-SEL-1", "FS-RAT-1"
)
def test_two_rounds_come_out_as_on_paper(new: New) -> None:
    league = new(2, options={"fs.campaign.rounds": "2"})
    paper = Paper(league)
    league.build("p1", RAIDERS, (3, 4), (4, 5), (12, 11))  # Free Trader, Bar, Dairy Farm
    league.build("p2", VAULT, (1, 2), (4, 6), (8, 9))  # Scrapyard, Casino, Cave Fungus Mine
    assert [league.built(group)["rating"] for group in RIVAL] == [390, 380]
    league.pair()
    first_game(paper)
    raiders_after_the_first(paper)
    vault_after_the_first(paper)
    trade_after_the_first(paper)
    # Members 145, goods 95, experience 133, turfs 150; and 105, 80, 81, 150. Three points for the win.
    assert paper.table() == ["1 p1 3/523/7", "2 p2 0/416/4"]
    league.pair()
    second_game(paper)
    raiders_after_the_second(paper)
    vault_after_the_second(paper)
    end_of_the_second(paper)
    # Members 125, goods 160, experience 139, turfs 150; and 105, 70, 88, 150. A point for the draw.
    assert paper.table() == ["1 p1 4/574/12", "2 p2 1/413/9"]


def first_game(paper: Paper) -> None:
    """Won by the Raiders, 7 to 4. The rifle jams on a 12 (§11.1.2). Turn 7 with a 9: 9 + 2 are 10 and more (§5.6)."""
    league = paper.league
    for group in RIVAL:
        league.do("scoring", "/games/r1g1/muster", {"group": group, "fielded": ["m-1", "m-2", "m-3", "m-4"]})
    paper.jam("r1g1", smg_10mm=11, hunting_rifle=12)
    paper.objectives("r1g1", p1=1, p2=6)
    one = [
        {"member": "m-1", "wounds": 1, "models": 1, "kills": 1, "took": ["m-3"]},
        {"member": "m-2", "computers": 1},
        {"member": "m-3"},
        {"member": "m-4", "down": "fire"},
    ]
    two = [
        {"member": "m-1", "wounds": 1, "models": 1},
        {"member": "m-2"},
        {"member": "m-3", "down": "rival", "by": "m-1"},
        {"member": "m-4", "locks": 1},
    ]
    paper.report("r1g1", 7, 9, p1=([1, 2, 4], one), p2=([1, 3], two))


def raiders_after_the_first(paper: Paper) -> None:
    """Steps 1 to 3."""
    paper.choose("p1", "roll_injury", (5, 6), member="m-4")  # 11: scarred
    paper.close("p1", "1", "1b")
    paper.holds("p1", 335 + 100)
    paper.choose("p1", "award_experience")
    # m-1: a wound, a kill, survived, leader of the winners. m-2: a computer, survived; 27 is level 9. Others survived.
    paper.members("p1", "m-1 54/14/0", "m-2 27/9/0", "m-3 1/0/0", "m-4 1/0/0 scarred")
    paper.choose("p1", "roll_advancement", (7, 6), member="m-2")  # 13: Perception
    assert paper.attribute("p1", "m-2", "P") == 6
    paper.close("p1", "2")
    paper.visit("p1", "m-1", "free_trader")
    paper.holds("p1", 435 + 10)
    paper.visit("p1", "m-2", "bar", (7,))  # a 7 of twelve is a 2 of three, times 10
    paper.holds("p1", 445 + 20)
    paper.choose("p1", "scavenge", (7,), (9,), member="m-3")  # caps: a 9 of twelve is a 5 of six, times 5
    paper.holds("p1", 465 + 25)
    paper.choose("p1", "scavenge", (3,), (12,), member="m-4")  # who was taken down finds D3: 3 radiated food
    paper.holds("p1", 490, radiated=3)
    paper.choose("p1", "settle_upkeep", radiated={"m-1": 1, "m-2": 1, "m-3": 1})
    paper.holds("p1", 490 - 3 - 4 * 5)  # a fourth food for 3 caps, 5 caps for each
    paper.members("p1", "m-1 54/14/1", "m-2 27/9/1", "m-3 1/0/1", "m-4 1/0/0 scarred")
    paper.close("p1", "3")


def vault_after_the_first(paper: Paper) -> None:
    """Steps 1 to 3."""
    paper.choose("p2", "choose_clean_home", choice="restaurant")
    paper.choose("p2", "roll_injury", (7, 6), member="m-3")  # 13: a crippled head
    paper.close("p2", "1", "1b")
    paper.choose("p2", "award_experience")
    paper.members("p2", "m-1 52/14/0", "m-2 26/8/0", "m-3 1/0/0 crippled_head", "m-4 2/0/0")
    paper.close("p2", "2")
    paper.visit("p2", "m-1", "casino", (5,))  # a 5 of twelve is a 2 of three; and 1, times 8
    paper.holds("p2", 345 + 24)
    paper.visit("p2", "m-2", "cave_fungus_mine", (4, 11))  # 2 and 6 food
    paper.holds("p2", 369, clean=8)
    paper.choose("p2", "scavenge", (12,), (2,), member="m-4")  # something special: Jet
    paper.choose("p2", "settle_upkeep")  # the restaurant feeds all four
    paper.holds("p2", 369 - 4 * 5, clean=8)
    paper.choose("p2", "sell_food", food="clean", amount=5)
    paper.holds("p2", 349 + 5 * 3, clean=3)
    paper.close("p2", "3")


def trade_after_the_first(paper: Paper) -> None:
    """Steps 4 to 9. The Vault Residents have the lower rating and act first; they may hire no veteran (§11.7.2)."""
    paper.recruits(p1=7, p2=1)  # a green and a veteran
    veteran = {"does": "hire", "of": {"recruit": "recruit-1-2"}, "rolls": []}
    paper.league.refused(422, "choice-refused", "scoring", "/groups/p2/choices", veteran, "p2")
    paper.hire("p2", "recruit-1-1")
    paper.choose("p2", "end_turn")
    paper.hire("p1", "recruit-1-2")
    paper.choose("p1", "end_turn")
    paper.holds("p2", 364 - 40, clean=3)
    paper.holds("p1", 467 - 40)
    paper.choose("p1", "seek_merchant", merchant="fixed")
    # 20 and a 6 for its rarity; 4 + 6 + 1 of the leader against 2 + 9 change nothing.
    paper.choose("p1", "quote_price", (6,), (4,), (2,), six=(1, 2), line="frag_grenade")
    paper.choose("p1", "take_offer")
    paper.holds("p1", 427 - 26)
    # Half of 35 is 18; 3 + 6 of the seller against 3 + 9 are 3 less.
    paper.choose("p1", "quote_sale", (3,), (3,), six=(0, 1), item=paper.item("p1", "hunting_rifle"))
    paper.choose("p1", "take_offer")
    paper.holds("p1", 401 + 15)
    paper.choose("p1", "buy_from_list", good="combat_shotgun")
    paper.holds("p1", 416 - 30)
    paper.close("p1", "5", "6", "7", "8", "9")
    paper.choose("p2", "seek_merchant", (4,), merchant="crow")  # 4 and Luck 6 are not 11
    paper.close("p2", "5", "6", "7")
    paper.choose("p2", "see_doctor", member="m-3", treatment="heal_injury", injury="crippled_head")
    paper.holds("p2", 324 - 75, clean=3)
    paper.choose("p2", "move_item", item=paper.item("p2", "jet"), holder="m-4")
    paper.close("p2", "8", "9")


def second_game(paper: Paper) -> None:
    """A draw at 5 to 5, for which both are rewarded (§13.5). Turn 6 with a 7 and two markers nobody holds: 10."""
    league = paper.league
    league.do("scoring", "/games/r2g1/muster", {"group": "p1", "fielded": ["m-1", "m-2", "m-3", paper.hired["p1"]]})
    league.do(
        "scoring", "/games/r2g1/muster", {"group": "p2", "fielded": ["m-1", "m-2", "m-3", "m-4", paper.hired["p2"]]}
    )
    paper.jam("r2g1", smg_10mm=5)
    paper.objectives("r2g1", p1=9, p2=4)
    dose = {"item": paper.item("p2", "jet"), "roll": paper.dice("p2", 9)}  # above 4, half of Endurance and Luck
    one = [
        {"member": "m-1", "wounds": 2, "models": 1, "kills": 1, "took": ["m-2"]},
        {"member": "m-2"},
        {"member": "m-3", "down": "rival", "by": "m-1"},
        {"member": paper.hired["p1"]},
    ]
    two = [
        {"member": "m-1", "wounds": 1, "models": 1, "kills": 1, "took": ["m-3"]},
        {"member": "m-2", "down": "rival", "by": "m-1"},
        {"member": "m-3"},
        {"member": "m-4", "doses": [dose]},
        {"member": paper.hired["p2"]},
    ]
    paper.report("r2g1", 6, 7, p1=([2, 3], one), p2=([5], two))


def raiders_after_the_second(paper: Paper) -> None:
    """A green dies with the tire iron, and another goes into the pot, since two food are short for four (§11.1.2)."""
    paper.choose("p1", "roll_injury", (2, 2), member="m-3")  # 4: dead
    paper.close("p1", "1")
    paper.choose("p1", "claim_reward", (3,), six=(0,))  # three RadAway
    paper.close("p1", "1b")
    paper.choose("p1", "award_experience")
    # m-1: two wounds, a kill, survived, and nothing for the leader of a draw; 55 is level 15. m-4 stayed at home.
    paper.members("p1", "m-1 58/15/1", "m-2 28/9/1", "m-4 1/0/0 scarred", "hired 51/14/0")
    paper.choose("p1", "roll_advancement", (8, 7), member="m-1")  # 15: a wound, of which three are the most
    paper.choose("p1", "roll_advancement", (6, 6), member="m-1")  # 12: Agility
    assert paper.attribute("p1", "m-1", "A") == 7
    paper.close("p1", "2")
    paper.visit("p1", "m-1", "dairy_farm", (2,), (1, 1), six=(0, 1))  # 2 times 5 caps, and 2 food
    paper.holds("p1", 386 + 10, clean=2)
    paper.choose("p1", "eat_own", winner="m-1")  # m-4: one wound and a kill; 60 is level 16
    paper.members("p1", "m-1 60/16/1", "m-2 28/9/1", "hired 51/14/0")
    paper.choose("p1", "roll_advancement", (10, 9), member="m-1")  # 19: an action point
    assert paper.attribute("p1", "m-1", "AP") == 10
    paper.visit("p1", "m-2", "bar", (12,))
    paper.holds("p1", 396 + 30, clean=2)
    # Clean food: a 5 of twelve is a 3 of six.
    paper.choose("p1", "scavenge", (10,), (5,), member=paper.hired["p1"])
    paper.choose("p1", "settle_upkeep")  # the pot feeds five, and three are there
    paper.holds("p1", 426 - 3 * 5, clean=2 + 3)
    paper.close("p1", "3")


def vault_after_the_second(paper: Paper) -> None:
    """Half maintenance by the objective: 13 for five (§13). m-4 is addicted."""
    paper.choose("p2", "choose_clean_home", choice="restaurant")
    paper.choose("p2", "roll_injury", (12, 12), member="m-2")
    paper.close("p2", "1", "1b")
    paper.choose("p2", "award_experience")
    paper.members("p2", "m-1 55/15/0", "m-2 27/9/0", "m-3 2/0/0", "m-4 3/1/0", "hired 1/0/0")
    paper.choose("p2", "roll_advancement", (4, 4), member="m-1")  # 8: a perk
    paper.choose("p2", "choose_perk", member="m-1", perk="toughness")
    paper.choose("p2", "roll_advancement", (5, 5), member="m-2")  # 10: Charisma
    paper.choose("p2", "roll_advancement", (3, 3), member="m-4")  # 6: Endurance
    assert (paper.attribute("p2", "m-2", "C"), paper.attribute("p2", "m-4", "E")) == (6, 5)
    paper.close("p2", "2")
    paper.visit("p2", "m-1", "casino", (12,))  # 3 and 1, times 8
    paper.holds("p2", 249 + 32, clean=3)
    paper.choose("p2", "settle_upkeep")  # four eat at the restaurant, one of the stores
    paper.holds("p2", 281 - 13, clean=2)
    paper.close("p2", "3")


def end_of_the_second(paper: Paper) -> None:
    """Nobody hires; the addict is cured for 50 (§10.8)."""
    paper.recruits(p1=5, p2=5)
    paper.choose("p2", "end_turn")
    paper.choose("p1", "end_turn")
    paper.close("p1", "5", "6", "7", "8", "9")
    paper.close("p2", "5", "6", "7")
    paper.choose("p2", "see_doctor", member="m-4", treatment="remove_addiction")
    paper.holds("p2", 268 - 50, clean=2)
    paper.close("p2", "8", "9")
