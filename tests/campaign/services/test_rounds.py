"""Two rounds of a campaign with every command about a game, and their audit."""

from __future__ import annotations

from typing import Any

import pytest

from muster.audit.findings import Failure
from shared.log.reading import log_page
from tests.auditing import failures
from tests.campaign.services.league import League, group, new_league, told
from tests.fuzz.muster import Json, Muster


def roll(league: League, game: str, *faces: int) -> Json:
    """Return a roll by the first player of a game, witnessed by the other."""
    one, two = players(league, game)
    return told(*faces, by=one, seen=two)


def players(league: League, game: str) -> tuple[str, str]:
    seat = league.ask("GET", "scoring", f"/games/{game}").body
    return seat["player_1"], seat["player_2"]


def ready(league: League, game: str) -> None:
    """Muster all members who can play and make all rolls: at the table or by the service."""
    for player in players(league, game):
        sheets = league.ask("GET", "scoring", f"/groups/{player}").body["sheets"]
        fielded = [sheet["id"] for sheet in sheets if not sheet["stays_home"]]
        league.do("scoring", f"/games/{game}/muster", {"fielded": fielded}, by=player)
    for due in league.ask("GET", "scoring", f"/games/{game}").body["due"]:
        _, _, player, what, *item = due["where"].split("/")
        body: Json = {"item": item[0]} if item else {}
        if what != "objective":
            body["roll"] = roll(league, game, 3)
        league.do("scoring", f"/games/{game}/{what}", body, by=player)


def report(league: League, game: str, lines: Any, deeds: Json | None = None) -> Json:
    """Return facts of a game. deeds: `p1 m-2` -> deeds."""
    sides = []
    for player, held in zip(players(league, game), lines, strict=True):
        shown = league.ask("GET", "scoring", f"/games/{game}").body["sides"]
        fielded = next(side["fielded"] for side in shown if side["group"] == player)
        members = [{"member": id, **(deeds or {}).get(f"{player} {id}", {})} for id in fielded]
        sides.append({"group": player, "lines": held, "vp": sum(held), "members": members})
    end = roll(league, game, 11)
    return {"facts": {"kind": "game", "report": {"sides": sides, "last_turn": 7, "end_roll": end}}}


def audited(league: League) -> list[Failure]:
    """Return the audit of the three logs."""
    logs = {}
    for name, database in league.muster.databases.items():
        with database.reading() as connection:
            logs[name] = log_page(connection, name, league.id, 0, 100_000)
    return failures(logs)


@pytest.mark.clause("FS-RND-1", "FS-REP-5", "FS-GAM-3", "FS-GAM-4", "FS-AUD-2", "FS-LGE-3", "FS-SVC-1", "FS-SVC-2")
def test_the_audit_of_rounds_with_rulings_finds_nothing(muster_on: Muster) -> None:
    league = new_league(muster_on, 4, options={"fs.campaign.rounds": 3})
    league.build("p1", group("vegg", "regulators", stash=()) | {"members": coats()})
    league.build("p2", group("vegg", "wasteland_survivors", goods=["smg_10mm"]))
    league.build("p3", group("vegg", "raiders", goods=["smg_10mm", "hunting_rifle"]))
    league.build("p4", group("vegg", "vault_residents", goods=[]) | {"members": leathers()})
    league.do("pairing", "/rounds", {"pairings": [pair("p1", "p2"), pair("p3", "p4")], "reason": "as agreed"})
    one, two = (seat["id"] for seat in league.games(1))
    for game in (one, two):
        ready(league, game)
    down = {
        "p1 m-1": {"wounds": 1, "models": 1, "kills": 1, "took": ["m-3"], "evil": 1},
        "p2 m-3": {"down": "rival", "by": "m-1", "melee": True},
        "p2 m-4": {"down": "terrain", "removed": True},
    }
    league.do("scoring", f"/games/{one}/result", report(league, one, ([1, 2], [1]), down), by="p1")
    league.do("scoring", f"/games/{one}/confirmation", by="p2")
    league.do("scoring", f"/games/{one}/dispute", {"reason": "line 2 was ours"}, by="p2")
    ruled = report(league, one, ([1], [1, 4]), down) | {"reason": "seen on a photo"}
    league.do("scoring", f"/games/{one}/ruling", ruled)
    league.do("scoring", f"/games/{two}/result", report(league, two, ([], [5])))
    league.do("scoring", f"/games/{two}/voiding", {"reason": "the wrong slip"})
    league.do("scoring", f"/games/{two}/result", report(league, two, ([5], [])), by="p3")
    league.do("scoring", f"/games/{two}/result", report(league, two, ([5], [])), by="p4")
    late = {"entry": "caps", "amount": 7, "reason": "found under the table", "clause": "FS-REP-3"}
    gain = {"entry": "experience", "member": "m-1", "deeds": {"lock": 1}, "reason": "a lock", "clause": "FS-XP-1"}
    league.refused(409, "step-refused", "scoring", "/groups/p3/ledger", {"entries": [late]})
    league.end_round()
    league.do("scoring", "/groups/p3/ledger", {"entries": [late, gain]})
    league.do("scoring", f"/games/{two}/correction", report(league, two, ([4], [])) | {"reason": "line 5 was nobody's"})
    league.pair()
    for seat in league.games(2):
        if "p1" in (seat["player_1"], seat["player_2"]):
            away = 1 if seat["player_1"] == "p1" else 2
            facts = {"kind": "no_show", "conceded_by": away}
            league.do("scoring", f"/games/{seat['id']}/result", {"facts": facts})
        else:
            ready(league, seat["id"])
            league.do("scoring", f"/games/{seat['id']}/result", report(league, seat["id"], ([3], [1])))
    league.end_round()
    league.do("scoring", "/conclusion", {"reason": "the winter comes"})
    rows = league.ask("GET", "scoring", "/standings").body["items"]
    assert sum(row["values"]["league_points"] for row in rows) == 12
    assert audited(league) == []


def pair(one: str, two: str) -> Json:
    return {"player_1": one, "player_2": two}


def coats() -> list[Json]:
    """Return Regulators in trench coats."""
    ranks = ("veteran", "experienced", "green", "green")
    return [{"rank": rank, "goods": ["trench_coat"]} for rank in ranks]


def leathers() -> list[Json]:
    """Return Vault Residents whose Security Officers wear leather."""
    worn = {"experienced": ["leather_armor"]}
    return [{"rank": rank, "goods": worn.get(rank, [])} for rank in ("veteran", "experienced", "green", "green")]
