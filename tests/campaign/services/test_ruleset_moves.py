"""A campaign changes to another version of its ruleset from a round on."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from tests.campaign.services.league import RULESET, League, group
from tests.services.story import Json

New = Callable[..., League]
MOVES = "/ruleset-moves"
CLAUSE = "FS-AUD-3"


def version(number: str = "1.1", **core: Any) -> Json:
    """Return the shipped pack as another version with changed numbers."""
    pack = deepcopy(to_json(shipped_ruleset(RULESET)))
    pack["version"] = number
    pack["rules"]["core"] |= core
    return pack


def move(pack: Json | str, from_round: int = 1) -> Json:
    given = {"ruleset": pack} if isinstance(pack, str) else {"pack": pack}
    return {"from_round": from_round, "reason": "erratum", **given}


def refused(league: League, body: Json, code: str = "ruleset-move-refused") -> list[tuple[str, str]]:
    return league.faults(league.refused(422, code, "registration", MOVES, body, "operator"))


def rolls(league: League) -> list[Json]:
    """Return every roll in scoring's log."""
    feed = league.ask("GET", "scoring", "/log?source=scoring&limit=500").text.splitlines()
    events = [json_of(line) for line in feed]
    return [event["data"] for event in events if event["type"].startswith("DieRolled")]


def json_of(line: str) -> Json:
    return dict(json.loads(line))


@pytest.mark.clause("FS-AUD-3", "FS-RAT-1")
def test_a_campaign_changes_its_ruleset_version_from_a_round_on(new: New) -> None:
    league = new(2, built=True)
    league.pair()
    league.play("r1g1", "p1")
    league.end_round()
    before = rating(league)
    league.do("registration", MOVES, move(version(rating_per_turf=60), 2), "operator")
    assert rating(league) == before, "what is final stays"
    shown = league.ask("GET", "registration", MOVES).body["items"]
    assert [(one["from_round"], one["version"]) for one in shown] == [(0, "1.0"), (2, "1.1")]
    reference = league.ask("GET", "registration", "").body["ruleset"]
    assert (reference["version"], reference["address"]) == ("1.1", f"/tournaments/{league.id}/ruleset?round=2")
    for query, expected in (("", "1.1"), ("?round=2", "1.1"), ("?round=1", "1.0")):
        assert league.ask("GET", "registration", f"/ruleset{query}").body["version"] == expected
    league.pair()
    league.play("r2g1", "p1")
    league.end_round()
    gained = {"p1": 5, "p2": 4}
    assert rating(league) == {id: value + 3 * 10 + gained[id] for id, value in before.items()}
    made = {(roll["round"], roll["versions"]) for roll in rolls(league)}
    assert sorted(number for number, _ in made) == [1, 2], "each round has one version, and they differ"
    assert len({versions for _, versions in made}) == 2


def rating(league: League) -> dict[str, int]:
    groups = league.ask("GET", "scoring", "/groups").body["items"]
    return {line["id"]: line["rating"] for line in groups}


@pytest.mark.clause("FS-AUD-3")
def test_a_version_preview_lists_all_differences(new: New) -> None:
    league = new(2)
    pack = version(upkeep_caps=6)
    pack["rules"]["goods"]["ripper"]["caps"] = 45
    heads = league.heads
    shown = league.ask("POST", "registration", f"{MOVES}?preview=true", move(pack), "operator")
    assert (shown.status, league.heads) == (200, heads)
    assert shown.body["moves"]["ruleset"] == {
        "from_round": 1,
        "before": {"id": RULESET, "version": "1.0"},
        "after": {"id": RULESET, "version": "1.1"},
        "differences": [
            {"where": "/rules/core/upkeep_caps", "before": 5, "after": 6},
            {"where": "/rules/goods/ripper/caps", "before": 40, "after": 45},
            {"where": "/version", "before": "1.0", "after": "1.1"},
        ],
    }


@pytest.mark.clause("FS-AUD-3")
def test_a_new_version_keeps_the_announced_options(new: New) -> None:
    league = new(2, options={"fs.campaign.rounds": 8})
    pack = version()
    pack["chosen"]["fs.start.experienced_xp"] = "21"
    pack["rules"]["options"]["fs.start.experienced_xp"] = 21
    league.do("registration", MOVES, move(pack), "operator")
    for player in ("p1", "p2"):
        league.build(player, group("ve"))
    league.pair()
    assert league.ask("GET", "pairing", "/rounds").body["planned"] == 8
    league.do("registration", "/players", {"name": "Late", "late": True})
    league.build("p3", group("ve"))
    assert [member["xp"] for member in league.built("p3")["members"]] == [50, 25]


@pytest.mark.clause("FS-AUD-3", "FS-LGE-3")
def test_paired_rounds_keep_their_version(new: New) -> None:
    league = new(2, built=True)
    assert refused(league, move(version(), 6)) == [("/from_round", "FS-LGE-3")]
    league.do("registration", MOVES, move(version(), 3), "operator")
    assert refused(league, move(version("1.2"), 2)) == [("/from_round", CLAUSE)]
    league.pair()
    league.refused(422, "invalid-request", "registration", MOVES, move(version("1.2"), 0), "operator")
    assert ("/from_round", CLAUSE) in refused(league, move(version("1.2"), 1))


@pytest.mark.clause("FS-AUD-3")
def test_a_new_version_must_contain_everything_groups_have(new: New) -> None:
    league = new(1)
    league.hand_in("p1", group("v", "brotherhood_of_steel", stash=["ripper"]))
    assert refused(league, move(RULESET)) == [("/ruleset", CLAUSE)]
    other = version() | {"id": "wasteland"}
    assert refused(league, move(other)) == [("/pack", CLAUSE)]
    assert refused(league, move("star-wars-armada-1.1")) == [("/ruleset", CLAUSE)]
    smaller = version()
    del smaller["rules"]["advancement"]["perks"]["puppies"]
    league.do("registration", MOVES, move(smaller), "operator")
    assert refused(league, move(without_ripper(version("1.2")))) == [("/pack/rules/goods", CLAUSE)]


def without_ripper(pack: Json) -> Json:
    """Return a pack with Power Fists in place of Rippers."""
    del pack["rules"]["goods"]["ripper"]
    text = json.dumps(pack).replace('"ripper"', '"power_fist"')
    again: Json = json.loads(text)
    for force in again["rules"]["forces"].values():
        force["goods"] = list(dict.fromkeys(force["goods"]))
    harith = again["rules"]["merchants"]["lucky_harith"]
    harith["goods"] = list({offer["item"]: offer for offer in harith["goods"]}.values())
    return again


def test_a_version_without_an_active_option_is_refused(new: New) -> None:
    pack = version()
    pack["options"] = [option for option in pack["options"] if option["key"] != "fs.pairing.method"]
    wheres = [where for where, _ in refused(new(1), move(pack), "ruleset-option-refused")]
    assert wheres == ["/pack/chosen/fs.pairing.method"]


def test_only_the_operator_changes_the_version(new: New) -> None:
    league = new(1)
    league.refused(403, "forbidden", "registration", MOVES, move(version()), "organiser")
    both = move(version()) | {"ruleset": RULESET}
    league.refused(422, "invalid-request", "registration", MOVES, both, "operator")
    league.refused(422, "unknown-ruleset", "registration", MOVES, move("chess"), "operator")
    bad = version()
    del bad["rules"]["turfs"]
    league.refused(422, "ruleset-refused", "registration", MOVES, move(bad), "operator")
    swiss = League(league.muster, league.muster.announce().id)
    swiss.refused(409, "wrong-format", "registration", MOVES, move(RULESET), "operator")
