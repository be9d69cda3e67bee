"""Evenings of Swiss tournaments in which people give every command that there is, each when it does something."""

from __future__ import annotations

from functools import partial
from typing import Any

from services.scoring.feed.readers import Announcements
from services.scoring.feed.results import ResultLines
from services.scoring.webhooks.subscriptions import Subscriptions
from shared.formats.packs import shipped_ruleset
from tests.fuzz.muster import Evening, Json, Muster, service_of
from tests.services.registration.story import FLEET
from tests.services.story import Answer

DUST, FACTIONS = "dust-warfare-1.0", "fallout-factions-comp-1.0"
GUEST = ""
"""A caller without a token."""


def _done(evening: Evening, method: str, service: str, rest: str, body: Any = None, by: str = "organiser") -> Answer:
    """A command by another method than POST."""
    answer = evening.ask(method, service, rest, body, by)
    assert answer.status == 200, answer
    evening.muster.copy(evening.id)
    return answer


def before_the_doors(muster: Muster) -> None:
    """A casual event of Armada until its first round: everything about places, people, lists and links."""
    evening = muster.announce(rounds=1, tier="casual", sign_up="open", capacity=6, starts_on="2026-03-01")
    say = partial(evening.do, "registration")
    say("/amendments", {"name": "Spring night", "starts_on": "2026-03-02"})
    say("/amendments", {"capacity": 4})
    for name in ("Hall", "Attic", "Cellar"):
        say("/venues", {"name": name, "tables": 2})
    say("/venues/v2/amendments", {"name": "Barn", "time_zone": "Europe/Lisbon", "note": "Ring twice."})
    say("/venues/v1/tables", {"tables": [{"table": number, "accessible": number == 1} for number in range(1, 5)]})
    say("/venues/v3/closing", {"reason": "it is wet"})
    for role in ("head_referee", "referee"):
        say("/staff", {"name": role.title(), "role": role})
    say("/players", {"name": "Ana", "venue": "v1", "contact": {"email": "ana@example.org"}}, by="referee")
    say("/players/list", {"players": [{"name": "Ben", "venue": "v1"}, {"name": "Cy", "venue": "v1"}]})
    say("/sign-up", {"name": "Dee", "venue": "v1", "email": "dee@example.org"}, by=GUEST)
    say("/sign-up", {"name": "Eve", "venue": "v1"}, by=GUEST)
    say("/sign-up", {"name": "Fay"}, by="organiser")
    say("/players/p6/seat", {"reason": "came from far away", "more": True})
    _done(evening, "DELETE", "registration", "/players/p6/seat")
    say("/staff/s2/player", {"player": "p3", "override": "nobody else can"})
    say("/staff/s2/player", {"player": "p2", "override": "it was the other one"})
    say("/kept-apart", {"groups": [["p1", "p2"]]})
    say("/kept-apart", {"groups": [["p1", "p2"], ["p3", "p4"]]})
    say("/players/p1/amendments", {"club": "Dice", "faction": "rebels", "external_id": "a-1"}, by="referee")
    say("/players/p1/amendments", {"club": "Two Dice", "external_id": "a-2", "venue": "v2"}, by="referee")
    say("/players/p1/amendments", {"venue": "v1"}, by="referee")
    say("/players/p1/check-in", {}, by="p1")
    say("/players/p2/check-in", {}, by="referee")
    say("/players/p2/check-in", {"venue": "v2"})
    say("/players/p2/check-out", by="referee")
    say("/players/p2/venue", {"venue": "v1", "reason": "a lift"}, by="referee")
    say("/players/check-in", {"players": ["p2", "p3"], "venue": "v1"}, by="referee")
    say("/players/check-out", {"players": ["p2", "p3"]}, by="referee")
    say("/players/p1/table", {"venue": "v1", "table": 1, "reason": "a wheelchair"})
    say("/players/p1/table", {"venue": "v1", "table": 2, "reason": "a wheelchair"})
    _done(evening, "DELETE", "registration", "/players/p1/table")
    link = say("/players/p1/links", {"reason": "a lost phone"}, by="referee").body
    say("/tokens/revocations", {"token_id": link["id"]}, by="referee")
    say("/players/p1/links", {"reason": "all of them", "revoke_older": True})
    say("/players/p1/roster", {"roster": FLEET}, by="p1")
    say("/players/p2/roster", {"roster": FLEET})
    say("/players/p1/warnings", {"reason": "late", "note": "the third time"}, by="head_referee")
    say("/players/p4/disqualification", {"reason": "forged sheets"}, by="head_referee")
    say("/players/p6/withdrawal", {}, by="organiser")
    say("/players/p2/disqualification", {"reason": "shouting"}, by="head_referee")
    say("/players/p2/disqualification/revocation", {"reason": "somebody else shouted"}, by="head_referee")
    _done(evening, "DELETE", "registration", "/players/p1/personal")
    say("/registration/close")
    say("/registration/reopen")
    say("/staff/s2/dismissal", {"reason": "goes home", "revoke_links": True})
    say("/players/p5/drop", {"reason": "ill"})
    say("/amendments", {"sign_up": "invite_only", "capacity": 8})
    say("/cancellation", {"reason": "the hall is flooded"})
    operator = muster.token("operator")
    for path, body in (("organisers", {"organiser": "Club B"}), ("revocations", {"token_id": "x-1"})):
        answer = muster.ask("POST", "registration", f"/tokens/{path}", body, operator)
        assert answer.status == 201, answer


def listeners(muster: Muster) -> None:
    """Webhooks: subscribed, changed, given another secret, paused, replayed, given up by a rule, deleted."""
    evening = muster.announce(rounds=1)
    evening.do("registration", "/staff", {"name": "The club's site", "role": "integration"})
    said = {"name": "Site", "url": "https://93.184.216.34/hook", "filter": {"types": ["RoundPaired", "RoundClosed"]}}
    hook = str(evening.do("scoring", "/webhooks", said).body["id"])
    evening.do("scoring", "/webhooks", {**said, "name": "Chat", "form": "discord", "audience": "staff"}, by="operator")
    say = partial(evening.do, "scoring")
    _done(evening, "PATCH", "scoring", f"/webhooks/{hook}", {"name": "The site", "filter": {"types": []}})
    _done(evening, "PATCH", "scoring", f"/webhooks/{hook}", {"url": "https://93.184.216.34/other", "audience": "staff"})
    say(f"/webhooks/{hook}/rotate", {"overlap_hours": 2})
    say(f"/webhooks/{hook}/disable", {"reason": "it is being mended"})
    say(f"/webhooks/{hook}/enable")
    say(f"/webhooks/{hook}/replay")
    scoring = service_of(muster, "scoring")
    Subscriptions(scoring, Announcements(), ResultLines(), lambda: 0).suspend((evening.id, hook), "failing")
    muster.copy(evening.id)
    say(f"/webhooks/{hook}/enable")
    _done(evening, "DELETE", "scoring", f"/webhooks/{hook}")


def the_cut(muster: Muster) -> None:
    """Dust Warfare: a cut, from which somebody gives a seat up."""
    evening = muster.announce(ruleset=DUST, rounds=2, on_purpose=["cut", "standings"])
    evening.do("registration", "/players/list", {"players": [{"name": f"Player {n}"} for n in range(1, 5)]})
    hand_in(evening, DUST, "p1", "p2", "p3", "p4")
    evening.round(1)
    for game in evening.games(1):
        evening.report(game["id"], points_1=20, points_2=12, winner=1)
    evening.do("scoring", "/rounds/1/close")
    evening.do("scoring", "/standings/publication", {"at": "2099-03-01T12:00:00Z"})
    evening.do("scoring", "/standings/publication", {"at": "2099-03-01T14:00:00+01:00"})
    evening.do("scoring", "/standings/publication/cancellation")
    evening.do("scoring", "/standings/publication")
    evening.do("pairing", "/cut", {"places": 2})
    first = evening.ask("GET", "pairing", "/cut").body["seeds"][0]["player"]
    evening.do("pairing", "/cut/publication", {"at": "2099-03-01T12:00:00Z"})
    evening.do("pairing", "/cut/publication", {"at": "2099-03-01T14:00:00+01:00"})
    evening.do("pairing", "/cut/publication/cancellation")
    evening.do("pairing", "/cut/publication")
    evening.do("pairing", "/cut/given-up", {"player": first})


def kept_back(muster: Muster) -> None:
    """A round of Armada that is drafted, mended, and shown when its organiser wants it."""
    evening = muster.announce(rounds=2, on_purpose=["rounds"])
    evening.do("registration", "/venues", {"name": "Hall", "tables": 4})
    players = [{"name": f"Player {n}", "venue": "v1"} for n in range(1, 5)]
    evening.do("registration", "/players/list", {"players": players})
    evening.do("registration", "/amendments", {"on_purpose": [], "options": {"sos": "tome"}})
    evening.do("registration", "/amendments", {"on_purpose": ["rounds"]})
    evening.do("pairing", "/rounds")
    one, two = evening.ask("GET", "pairing", "/rounds/1").body["pairings"]
    evening.do("pairing", "/rounds/1/amendments", {"swap": [one["player_1"], two["player_1"]], "reason": "brothers"})
    evening.do("pairing", "/rounds/1/publication", {"at": "2099-03-01T12:00:00Z"})
    evening.do("pairing", "/rounds/1/publication", {"at": "2099-03-01T14:00:00+01:00"})
    evening.do("pairing", "/rounds/1/publication/cancellation")
    evening.do("pairing", "/rounds/1/publication")
    evening.do("pairing", "/rounds/1/start")


def venues_apart(muster: Muster) -> None:
    """Two venues that are drafted, published, started and closed by themselves; one is set aside and counted later."""
    evening = muster.announce(rounds=2, pairing_scope="venue", rounds_apart=1, on_purpose=["rounds"])
    for name in ("Hall", "Attic"):
        venue = evening.do("registration", "/venues", {"name": name, "tables": 4}).body["id"]
        players = [{"name": f"{name} {n}", "venue": venue} for n in range(1, 5)]
        evening.do("registration", "/players/list", {"players": players})
    pair, judge = partial(evening.do, "pairing"), partial(evening.do, "scoring")
    pair("/rounds")
    pair("/rounds/1/repairing", {"venue": "v1", "reason": "brothers"})
    pair("/rounds/1/publication", {"venue": "v2", "at": "2099-03-01T12:00:00Z"})
    pair("/rounds/1/publication/cancellation", {"venue": "v2"})
    pair("/rounds/1/publication", {"venue": "v1"})
    pair("/rounds/1/publication")
    pair("/rounds/1/withdrawal", {"venue": "v2", "reason": "somebody is missing"})
    pair("/rounds", {"venue": "v2"})
    pair("/rounds/1/publication", {"venue": "v2"})
    pair("/rounds/1/start", {"venue": "v1"})
    pair("/rounds/1/calls", {"venue": "v1", "call": "start"})
    pair("/rounds/1/extensions", {"venue": "v1", "minutes": 5, "reason": "a fire drill"})
    pair("/rounds/1/start")
    here = [game for game in evening.games(1) if game["venue"] == "v1"]
    there = [game for game in evening.games(1) if game["venue"] == "v2"]
    for game in here:
        evening.report(game["id"])
    judge("/rounds/1/close", {"venue": "v1"})
    judge("/rounds/1/reopening", {"venue": "v1", "reason": "a slip was found"})
    judge("/rounds/1/close", {"venue": "v1"})
    judge("/rounds/1/aside", {"venue": "v2", "reason": "no network"})
    evening.report(there[0]["id"])
    judge("/rounds/1/close", {"venue": "v2", "without": "the hall was flooded"})
    pair("/rounds")


def hand_in(evening: Evening, ruleset: str, *players: str, by: str = "organiser") -> None:
    """The list that a ruleset has as its example, of several players."""
    for player in players:
        evening.do("registration", f"/players/{player}/roster", {"roster": shipped_ruleset(ruleset).roster.example}, by)


def on_the_floor(muster: Muster) -> None:
    """Two rounds of Armada: paired anew and by hand, tables, clocks, and everything that can become of a result."""
    evening = muster.announce(rounds=2, options={"late_entry": "zero_points"})
    evening.do("registration", "/venues", {"name": "Hall", "tables": 6})
    for role in ("head_referee", "referee", "referee"):
        evening.do("registration", "/staff", {"name": role.title(), "role": role})
    players = [{"name": f"Player {n}", "venue": "v1"} for n in range(1, 10)]
    evening.do("registration", "/players/list", {"players": players})

    def pair(rest: str, body: Json | None = None, by: str = "organiser") -> None:
        evening.do("pairing", f"/rounds{rest}", body, by)

    pair("", {"round": 1})
    pair("/1/withdrawal", {"reason": "somebody is missing"})
    pair("")
    pair("/1/repairing", {"reason": "the coffee was spilt"})
    one, two, three, _ = evening.games(1)
    pair("/1/amendments", {"swap": [one["player_1"], two["player_1"]], "reason": "brothers"})
    pair(f"/1/games/{three['id']}/table", {"table": 6, "reason": "the light"}, by="referee")
    pair("/1/start", {"minutes": 90})
    pair("/1/calls", {"call": "start"}, by="referee")
    pair("/1/extensions", {"minutes": 5, "reason": "a fire drill"}, by="referee")
    calls(evening)
    results(evening)


def calls(evening: Evening) -> None:
    """A player calls a judge, who comes and answers; a call that a referee makes is withdrawn."""
    one, two, *_ = evening.games(1)
    call = evening.do(
        "pairing", "/calls", {"game": one["id"], "reason": "rules", "text": "obstructed?"}, one["player_1"]
    )
    evening.do("pairing", f"/calls/{call.body['id']}/taking", by="referee")
    evening.do("pairing", f"/calls/{call.body['id']}/answer", {"answer": "It is not."}, by="referee")
    call = evening.do("pairing", "/calls", {"game": two["id"], "reason": "time"}, by="referee")
    evening.do("pairing", f"/calls/{call.body['id']}/withdrawal", by="referee")


def score(one: int, two: int) -> Json:
    """The body of a report."""
    return {"facts": {"points_1": one, "points_2": two}}


def results(evening: Evening) -> None:
    """Everything that can become of a result."""
    say = partial(evening.do, "scoring")
    referee, another = (evening.muster.token("referee", evening.id, actor=staff) for staff in ("s2", "s3"))
    one, two, three, four = evening.games(1)
    say(f"/games/{one['id']}/result", score(100, 50), by=referee)
    say(f"/games/{one['id']}/voiding", {"reason": "the wrong game"}, by=referee)
    say(f"/games/{one['id']}/result", score(100, 60), by=one["player_1"])
    say(f"/games/{one['id']}/report", score(100, 55), by=one["player_1"])
    report = say(f"/games/{one['id']}/report", score(100, 65), by=one["player_1"]).events[0]["position"]
    say(f"/games/{one['id']}/confirmation", {"report": report}, by=one["player_2"])
    say(f"/games/{two['id']}/result", score(80, 60), by=two["player_1"])
    say(f"/games/{two['id']}/dispute", {"reason": "no", **score(60, 80)}, by=two["player_2"])
    say(f"/games/{two['id']}/ruling", {"reason": "counted", **score(70, 60)}, by=referee)
    say(f"/games/{two['id']}/appeal", {"reason": "no"}, by=two["player_2"])
    say(f"/games/{two['id']}/appeal/rejection", {"reason": "it stands"}, by="head_referee")
    say(f"/games/{two['id']}/override", {"reason": "read wrongly", **score(71, 60)})
    say("/results", {"results": [{"game": three["id"], **score(90, 10)}]}, by=another)
    say(f"/games/{four['id']}/result", score(30, 20), by=four["player_1"])
    say(f"/games/{four['id']}/confirmation", by=another)
    say("/rounds/1/close", by="head_referee")
    say(f"/games/{three['id']}/correction", {"reason": "misread", **score(20, 10)}, by=another)
    say("/rounds/1/reopening", {"reason": "a slip was found"})
    say(f"/games/{three['id']}/correction", {"reason": "misread again", **score(25, 10)})
    say("/rounds/1/close")
    evening.do("registration", f"/players/{one['player_1']}/drop", {"reason": "a train"})
    evening.do("registration", f"/players/{one['player_1']}/reinstatement")
    evening.do("registration", "/players", {"name": "Late", "late": True, "venue": "v1"})
    award = say("/awards", {"name": "Best painted", "player": "p1"}).events[0]["data"]["award"]
    say(f"/awards/{award}/withdrawal", {"reason": "bought"})
    evening.round(2)
    for game in evening.games(2):
        evening.report(game["id"])
    say("/rounds/2/close")
    say("/conclusion", {})


def crews(muster: Muster) -> None:
    """Fallout: Factions: a spare player, a tie that a coin decides, lists of crews."""
    evening = muster.announce(ruleset=FACTIONS, rounds=2)
    evening.do("registration", "/staff", {"name": "Sam", "role": "spare"})
    evening.do("registration", "/players/list", {"players": [{"name": f"Player {n}"} for n in range(1, 5)]})
    evening.do("pairing", "/spare", {"staff": "s1"})
    _done(evening, "DELETE", "pairing", "/spare?staff=s1")
    evening.do("pairing", "/spare", {"staff": "s1"})
    _done(evening, "DELETE", "pairing", "/spare")
    hand_in(evening, FACTIONS, "p1", by="p1")
    hand_in(evening, FACTIONS, "p2", by="p2")
    hand_in(evening, FACTIONS, "p3", by="p3")
    hand_in(evening, FACTIONS, "p4")
    reject = {"note": "the faction is missing"}
    evening.do("registration", "/players/p1/roster/rejection", reject, by="head_referee")
    evening.do("registration", "/players/p1/roster/acceptance", {"note": "amended on paper"}, by="head_referee")
    evening.do("registration", "/rosters/acceptance", {"players": ["p2", "p3"]}, by="head_referee")
    evening.round(1, scenario="Melee")
    for game in evening.games(1):
        evening.report(game["id"], points_1=10, points_2=10)
    evening.do("scoring", "/rounds/1/close")
    tied = [row["player"] for row in evening.ask("GET", "scoring", "/standings").body["items"]]
    evening.do("scoring", "/rounds/1/coin", {"order": tied[::-1], "reason": "a bottle cap"})
