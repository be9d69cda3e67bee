"""Evenings in which people give the commands that the stories of `tests.formats` leave out, each when it does a thing.

Here are those of co-operative events, campaigns and seasons; `evenings_swiss` holds the others.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import partial

from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from tests.campaign.services.league import RULESET, group, new_league, told
from tests.coop.story import new_night, operator_data
from tests.fuzz.muster import Muster
from tests.previews.evenings_swiss import (
    GUEST,
    before_the_doors,
    crews,
    kept_back,
    listeners,
    on_the_floor,
    the_cut,
    venues_apart,
)
from tests.season.story import LEAGUE, new_season


def companies(muster: Muster) -> None:
    """Run a co-operative event: parties, invitations, manual seating, reports on paper."""
    data = operator_data(table={"survivors_min": 1, "survivors_max": 3})
    night = new_night(muster, 0, seated=False, sign_up="open", data=data, options={"ab.report.detail": "summary"})
    say = partial(night.do, "registration")
    say("/operator-data", {"data": operator_data()})
    say("/players/party", {"players": [{"name": "Ana"}, {"name": "Ben"}]})
    say("/sign-up/party", {"players": [{"name": "Cy"}, {"name": "Dee"}]}, by=GUEST)

    def code(player: str) -> str:
        return str(night.ask("GET", "registration", f"/players/{player}/invitation", by=player).body["invitation"])

    say("/sign-up", {"name": "Eve", "invitation": code("p1")}, by=GUEST)
    say("/players", {"name": "Fay"})
    say("/sign-up", {"name": "Gil", "invitation": code("p3")}, by="organiser")
    say("/players/p7/withdrawal", {})
    say("/players/p6/party", {"invitation": code("p3")}, by="p6")
    say("/players/p6/party/leaving", {}, by="p6")
    say("/players/p4/party/leaving", {}, by="organiser")
    say("/players/p6/party", {"invitation": code("p4")}, by="organiser")
    say("/players/p6/party/leaving", {}, by="organiser")
    say("/parties", {"players": ["p4", "p6"]})
    party = night.ask("GET", "registration", "/parties").body["items"][-1]["id"]
    say(f"/parties/{party}/disbanding", {"reason": "they do not want to"})
    say("/sign-up/party", {"players": [{"name": "Hal"}, {"name": "Ida"}]}, by="organiser")
    for player in ("p8", "p9"):
        say(f"/players/{player}/withdrawal", {}, by=player)
    night.seat()
    one, two = sorted(night.tables())
    sitting = night.tables()
    night.do("pairing", f"/sessions/{two}/seating", {"survivors": sitting[two][::-1], "reason": "the host came late"})
    night.set_up(one)
    told = {"outcome": "victory", "rounds": 7, "completed": ["g01", "g02"], "kills": 1, "cards": 2, "position": 3}
    night.do("scoring", f"/sessions/{one}/report", {"told": told}, by=sitting[one][0])
    night.do("scoring", f"/sessions/{one}/report", {"told": {**told, "rounds": 6}}, by="head_referee")
    night.confirm()
    night.do("scoring", f"/sessions/{one}/correction", {"told": {**told, "rounds": 8}, "reason": "a slip"})
    night.set_up(two)
    night.do("scoring", f"/sessions/{two}/ending", {"outcome": "abandoned", "reason": "they left"})
    (_, ended) = night.ask("GET", "scoring", f"/sessions/{two}/statements").body["items"]
    night.do("scoring", f"/sessions/{two}/statements/{ended['id']}/taking-back", {"reason": "they are back"})
    night.do("scoring", f"/sessions/{two}/ending", {"outcome": "unfinished", "reason": "the hall closes"})
    night.confirm()
    night.do("pairing", "/session-rounds/1/close")
    night.do("scoring", "/session-rounds/1/ranking")


def wasteland(muster: Muster) -> None:
    """A campaign: jams and judgements before a game, dice told and disputed after it, a ledger, another version."""
    league = new_league(muster, 2)
    league.do("registration", "/staff", {"name": "Hera", "role": "head_referee"})
    coats = [{"rank": rank, "goods": ["trench_coat"]} for rank in ("veteran", "experienced", "green")]
    league.build("p1", {"force": "regulators", "members": coats, "stash": []})
    league.hand_in("p2", group("vegg", "wasteland_survivors", goods=["smg_10mm"]), by="organiser")
    league.roll_turfs("p2", by="organiser")
    league.pair()
    for player in ("p1", "p2"):
        fielded = [member["id"] for member in league.built(player)["members"]]
        league.do("scoring", "/games/r1g1/muster", {"group": player, "fielded": fielded})
        due = league.ask("GET", "scoring", "/games/r1g1").body["due"]
        for what in dict.fromkeys(one["where"].split("/")[3] for one in due if one["where"].split("/")[2] == player):
            if what in ("jams", "evil"):
                league.do("scoring", f"/games/r1g1/{what}", {"group": player})
    league.play("r1g1", winner="p1")
    for player in ("p1", "p2"):
        while (now := league.ask("GET", "scoring", f"/groups/{player}/post-game").body)["step"] != "3":
            league._close(now)
    rolls = [told(6, by="p1", seen="p2"), told(12, by="p1", seen="p2")]
    choice = {"does": "scavenge", "of": {"member": "m-1"}, "rolls": rolls}
    one, two = [
        event["data"]["roll"]
        for event in league.do("scoring", "/groups/p1/choices", choice, "p1").events
        if event["type"] == "DieRolled"
    ]
    league.do("scoring", "/dice/dispute", {"rolls": [one], "reason": "it was a 3"}, by="p2")
    league.do("scoring", "/dice/ruling", {"rolls": [one], "reason": "two saw it", "stands": True})
    league.do("scoring", "/dice/confirmation", {"rolls": [two]}, by="p2")
    staff = muster.token("referee", league.id, actor="s1")
    rolls = [told(6, by="p1", seen="s1"), told(12, by="p1", seen="s1")]
    answer = league.do("scoring", "/groups/p1/choices", {**choice, "of": {"member": "m-2"}, "rolls": rolls}, "p1")
    one, two = [event["data"]["roll"] for event in answer.events if event["type"] == "DieRolled"]
    league.do("scoring", "/dice/dispute", {"rolls": [one], "reason": "it was a 3"}, by=staff)
    league.do("scoring", "/dice/confirmation", {"rolls": [two]}, by="organiser")
    while (now := league.ask("GET", "scoring", "/groups/p2/post-game").body)["step"] != "3":
        league._close(now)
    scavenging = {"does": "scavenge", "of": {"member": "m-1"}, "service": True}
    league.do("scoring", "/groups/p2/choices", scavenging)
    said = league.ask("GET", "scoring", "/groups/p2/statements").body["items"]
    back = f"/groups/p2/statements/{said[-1]['id']}/taking-back"
    league.do("scoring", back, {"reason": "it was another member"}, by="head_referee")
    league.do("scoring", "/groups/p2/choices/list", {"choices": [scavenging | {"of": {"member": "m-2"}}]})
    entry = {"entry": "caps", "amount": 25, "reason": "the bounty was forgotten", "clause": "FS-INJ-5"}
    league.do("scoring", "/groups/p1/ledger", {"entries": [entry]}, by="head_referee")
    pack = deepcopy(to_json(shipped_ruleset(RULESET)))
    pack["version"] = "1.1"
    pack["rules"]["core"]["rating_per_turf"] = 60
    league.do("registration", "/ruleset-moves", {"from_round": 2, "reason": "erratum", "pack": pack}, by="operator")


def following_years(muster: Muster) -> None:
    """Seasons: entries claimed by link, merged and split, divisions, a cup released, the final, the next year."""
    season = new_season(muster, LEAGUE, options={"season.movers": 1})
    names = ("Ana", "Ben", "Cy", "Dee", "Eve", "Fay")
    cup, other = season.cup(*names, rounds=3), season.cup("Ana B", "Gil")
    for one in (cup, other):
        season.gather(one)
    own = muster.ask("POST", "registration", f"/tournaments/{season.id}/season/claims/own", {}, other.token("p1"))
    assert own.status == 201, own
    muster.copy(season.id)
    season.claim_all(cup)
    season.post("/claims", {"claims": [{"tournament": other.id, "entry": "p2"}]})
    player = season.player
    season.post("/merges", {"player": player("Ana B"), "into": player("Ana"), "reason": "married"})
    season.post("/splits", {"player": player("Ana"), "into": player("Ana B"), "reason": "two after all"})
    season.post(f"/tournaments/{other.id}/release", {"reason": "not ours"})
    season.post("/divisions", {"division": "First", "players": [player(name) for name in names[:3]]})
    season.post("/divisions", {"division": "Second", "players": [player("Cy")]})
    season.post("/divisions", {"division": "First", "players": [player("Cy")]})
    season.table()
    season.do("scoring", "/conclusion", {})
    following = new_season(muster, LEAGUE, name="League, second year")
    following.post("/continuation", {"season": season.id})
    final(muster)


def final(muster: Muster) -> None:
    """Two of four are invited."""
    season = new_season(muster, options={"season.final": 2})
    season.count(season.cup("Ana", "Ben", "Cy", "Dee", rounds=2))
    season.post("/cut", {}, service="scoring")
    first, second = [one["player"] for one in season.ask("GET", "scoring", "/season/final").body["items"]]
    season.post(f"/final/{first}/acceptance", service="scoring")
    season.post(f"/final/{second}/decline", {"reason": "abroad"}, service="scoring")


EVENINGS: dict[str, Callable[[Muster], None]] = {
    "before the doors": before_the_doors,
    "listeners": listeners,
    "kept back": kept_back,
    "venues apart": venues_apart,
    "the cut": the_cut,
    "on the floor": on_the_floor,
    "crews": crews,
    "companies": companies,
    "wasteland": wasteland,
    "following years": following_years,
}
