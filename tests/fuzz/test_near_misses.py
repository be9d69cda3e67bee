"""What is nearly right: packs, rosters, results, rounds by hand and files with something changed in one place.

What is made up at random is mostly refused at the door; this comes further, to where the rules look at it. Each is
done or refused, and nothing that was taken makes anything later fail.
"""

from __future__ import annotations

import json
from random import Random

import pytest

from shared.formats.packs import shipped, shipped_ids, shipped_ruleset
from shared.rules.parts import to_json
from tests.fuzz.muster import ARMADA, MANY, Evening, Json, Muster
from tests.fuzz.mutants import mutant
from tests.services.registration.story import FLEET
from tests.services.story import Answer

FALLOUT, DUST = "fallout-factions-comp-1.0", "dust-warfare-1.0"
IN_ORDER = (200, 201, 403, 404, 409, 413, 422)
"""Done, or refused by name. A body that is JSON is neither malformed (400) nor ever a failure of ours (500)."""

ROSTERS: dict[str, Json] = {id: shipped_ruleset(id).roster.example for id in (ARMADA, FALLOUT, DUST)}
FACTS: dict[str, list[Json]] = {
    ARMADA: [
        {"points_1": 150, "points_2": 90, "end": "rounds"},
        {
            "points_1": 200,
            "points_2": 110,
            "end": "defeated_2",
            "destroyed_1": 180,
            "destroyed_2": 110,
            "objective_1": 20,
            "objective_2": 0,
            "second_player": 2,
            "scenario": "Most Wanted",
        },
        {"points_1": 100, "points_2": 0, "end": "concession", "conceded_by": 2},
        {"kind": "forfeit", "conceded_by": 1},
        {"points_1": 80, "points_2": 80, "end": "time", "winner": 2},
    ],
    FALLOUT: [
        {"points_1": 12, "points_2": 7},
        {"points_1": 12, "points_2": 7, "winner": 1, "extra": {"casualties_1": 2, "casualties_2": 3}},
        {"points_1": 3, "points_2": 0, "conceded_by": 2},
        {"kind": "no_show", "conceded_by": 1, "points_2": 3},
    ],
    DUST: [
        {"points_1": 20, "points_2": 12, "winner": 1},
        {"points_1": 20, "points_2": 12, "winner": "draw", "scenario": "Battle Lines", "end": "rounds"},
        {"points_1": 5, "points_2": 5, "winner": 2, "conceded_by": 1, "extra": {"list_1": 300, "list_2": 290}},
        {"kind": "double_no_show"},
    ],
}


def seeds(number: int) -> range:
    """So many mutants, or more when somebody has the time."""
    return range(number * MANY)


def in_order(answer: Answer, told: str) -> Answer:
    assert answer.status in IN_ORDER, f"{told}: {answer}"
    return answer


@pytest.mark.parametrize("id", shipped("swiss"))
def test_a_pack_that_is_taken_can_be_played_by(muster: Muster, id: str) -> None:
    """Nobody's own pack breaks a tournament in the middle: it is refused when it is announced, or it works."""
    pack = to_json(shipped_ruleset(id))
    for seed in seeds(25):
        own, told = mutant(pack, seed)
        body = {"name": "Own rules", "pack": own, "rounds": 3}
        answer = in_order(muster.ask("POST", "registration", "/tournaments", body, muster.token("operator")), told)
        if answer.status == 201:
            play(Evening(muster, answer.body["id"]), own, ROSTERS.get(id, FLEET), f"{id}, {told}")


def play(evening: Evening, pack: Json, roster: Json, told: str) -> None:
    """One round, with whatever the rules refuse on the way."""

    def ask(method: str, service: str, rest: str, body: Json | None = None) -> Answer:
        answer = in_order(evening.ask(method, service, rest, body), f"{told}: {method} {rest}")
        evening.muster.copy(evening.id)
        return answer

    ask("POST", "registration", "/venues", {"name": "Hall", "tables": 8})
    players = [{"name": f"Player {n}", "faction": f"f{n % 3}"} for n in range(9)]
    ask("POST", "registration", "/players/list", {"players": players})
    ask("POST", "registration", "/players/p1/roster", {"roster": {}})
    for n in range(1, 10):
        ask("POST", "registration", f"/players/p{n}/roster", {"roster": roster})
    scenarios = [scenario["name"] for scenario in pack.get("scenarios", [])][:1]
    if ask("POST", "pairing", "/rounds", {"scenario": scenarios[0]} if scenarios else {}).status != 201:
        return
    ask("GET", "pairing", "/rounds/1")
    ask("POST", "pairing", "/rounds/1/start")
    ask("GET", "pairing", "/clock")
    for game in evening.games(1):
        for facts in (facts for known in FACTS.values() for facts in known):
            if ask("POST", "scoring", f"/games/{game['id']}/result", {"facts": facts}).status == 201:
                break
    ask("POST", "scoring", "/rounds/1/close")
    ask("GET", "scoring", "/standings")
    ask("GET", "scoring", "/standings/p1")
    ask("POST", "scoring", "/conclusion", {"reason": "enough"})


@pytest.mark.parametrize("ruleset", ROSTERS)
def test_rosters(muster: Muster, ruleset: str) -> None:
    evening = muster.evening("before", ruleset=ruleset)
    taken = 0
    for seed in seeds(100):
        roster, told = mutant(ROSTERS[ruleset], seed)
        before = evening.heads
        answer = in_order(evening.ask("POST", "registration", "/players/p1/roster", {"roster": roster}), told)
        taken += answer.status == 201
        assert answer.status == 201 or evening.heads == before
        in_order(evening.ask("GET", "registration", "/players/p1/roster"), told)
    assert taken


@pytest.mark.parametrize("ruleset", FACTS)
def test_results(muster: Muster, ruleset: str) -> None:
    evening = evening_of(muster, ruleset)
    game = evening.games(1)[0]["id"]
    taken = 0
    for seed in seeds(100):
        facts, told = mutant(FACTS[ruleset][seed % len(FACTS[ruleset])], seed)
        before = evening.heads
        answer = in_order(evening.ask("POST", "scoring", f"/games/{game}/result", {"facts": facts}), told)
        if answer.status == 201:
            taken += 1
            for rest in (f"/games/{game}", "/standings"):
                in_order(evening.ask("GET", "scoring", rest), told)
            assert evening.ask("POST", "scoring", f"/games/{game}/voiding", {"reason": "again"}).status == 201, told
        else:
            assert evening.heads == before, told
    assert taken


def evening_of(muster: Muster, ruleset: str) -> Evening:
    """A tournament by a ruleset in round 1."""
    evening = muster.evening("before", ruleset=ruleset)
    for n in range(1, 14):
        evening.do("registration", f"/players/p{n}/roster", {"roster": ROSTERS[ruleset]})
    scenarios = shipped_ruleset(ruleset).scenarios
    evening.round(1, **({"scenario": scenarios[0].name} if scenarios else {}))
    return evening


def test_rounds_by_hand(muster: Muster) -> None:
    evening = muster.evening("between")
    drawn = evening.ask("POST", "pairing", "/rounds?preview=true").body["moves"]["round"]["pairings"]
    pairings = [
        {
            "player_1": seat["player_1"],
            "player_2": seat["player_2"] or None,
            "venue": "v1",
            "table": seat["table"] or None,
        }
        for seat in drawn
    ]
    body = {"pairings": pairings, "reason": "The printer broke.", "sitting_out": [], "round": 2, "allow_rematch": False}
    assert evening.ask("POST", "pairing", "/rounds?preview=true", body).status == 200
    for seed in seeds(200):
        by_hand, told = mutant(body, seed)
        before = evening.heads
        in_order(evening.ask("POST", "pairing", "/rounds?preview=true", by_hand), told)
        assert evening.heads == before, told


def test_files_of_players(muster: Muster) -> None:
    evening = muster.announce()
    good = 'player,faction,club\n"Ada, of Kiel",rebel,North\nBéla,imperial,\n\n עדה 🎉,rebel,"two\nlines"\n'
    pieces = ['"', ",", "\n", "\r", "\r\n", "\ufeff", "\x00", ";", "player", "name", " ", "🎉", "x" * 140_000, "", "\t"]
    statuses = set()
    for seed in seeds(200):
        chance = Random(seed)
        text = list(good)
        for _ in range(chance.choice((1, 2, 3))):
            text[chance.randrange(len(text))] = chance.choice(pieces)
        data = "".join(text).encode()
        if chance.random() < 0.1:
            data = data[:40] + b"\xff" + data[40:]
        headers = {"Content-Type": "text/csv", **({"Idempotency_Key": f"k{seed}"} if seed % 2 else {})}
        before = evening.heads
        answer = in_order(evening.ask("POST", "registration", "/players/csv", data, **headers), repr(data[:200]))
        assert answer.status == 201 or evening.heads == before
        statuses.add(answer.code)
        if answer.status == 201:
            evening = muster.announce()
    assert statuses == {"", "csv-refused"}


def test_options(muster: Muster) -> None:
    for id in shipped_ids():
        keys = [option.key for option in shipped_ruleset(id).options]
        for seed, key in enumerate(keys * 12):
            value = mutant(
                [{key: [{"least": 0, "most": 9, "winner": 5, "loser": 0}, "0-59:6:5,60+:10:1", 3, "true"]}], seed
            )
            chosen = {key: value[0] if seed % 3 else Random(seed).choice(value[0] or [None])}
            body = {"name": "Options", "ruleset": id, "options": json.loads(json.dumps(chosen))}
            answer = muster.ask("POST", "registration", "/tournaments", body, muster.token("operator"))
            in_order(answer, f"{id} {chosen}")
