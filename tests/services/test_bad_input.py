"""What people and scripts send by mistake, and what they are told: each row is a request that is refused.

Of every one: its status and its code, which the operation documents; every place, and what would have been right
there; and that nothing was appended to any log.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from shared.fault_texts import english
from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from shared.web.paging import encode_cursor
from tests.fuzz.muster import ARMADA, Evening, Json, Muster, documents
from tests.services.conftest import logging_as_it_was
from tests.services.registration.story import FLEET
from tests.services.story import Answer

FALLOUT = "fallout-factions-comp-1.0"
NAME = "a name of 1 to 100 characters on one line"
PACK = to_json(shipped_ruleset(ARMADA))

NIGHT, MORNING, BREAK, RAID = "night", "morning", "break", "raid"
"""Tournaments: in round 2, before round 1, with round 2 paired and not begun, and one by Fallout: Factions."""


class Bad(NamedTuple):
    """A request and how it is refused. rest: behind the tournament's address; from `/` on where it begins with `//`.

    places: where -> what is expected there, or how that begins. by: as `Evening.token` has it.
    """

    of: str
    service: str
    method: str
    rest: str
    body: Any
    status: int
    code: str
    places: Mapping[str, str]
    by: str = "organiser"
    evening: str = NIGHT
    headers: Mapping[str, str] = {}
    data: tuple[str, ...] = ()


def join(of: str, body: Any, status: int, code: str, **places: str) -> Bad:
    """Somebody is to be entered; places by the names of members, `_` for the whole."""
    return Bad(of, "registration", "POST", "/players", body, status, code, _pointers(places), evening=MORNING)


def report(of: str, facts: Any, places: Mapping[str, str], code: str = "invalid-request", evening: str = NIGHT) -> Bad:
    """A result of an open game."""
    game = "r1g1" if evening == RAID else "r2g3"
    found = {f"/facts{where}": expected for where, expected in places.items()}
    rest = f"/games/{game}/result"
    return Bad(of, "scoring", "POST", rest, {"facts": facts}, 422, code, found, evening=evening)


def announce(of: str, code: str = "invalid-request", places: Mapping[str, str] = {}, **members: Any) -> Bad:
    """A tournament is to be announced."""
    body = {"name": "Spring Open", "ruleset": ARMADA, **members}
    sent = {name: value for name, value in body.items() if value is not ...}
    return Bad(of, "registration", "POST", "//tournaments", sent, 422, code, places, by="operator")


def headed(of: str, name: str, value: str, status: int, code: str, expected: str) -> Bad:
    """A command that would be done but for one header."""
    return Bad(
        of, "registration", "POST", "/players", {"name": "Ada"}, status, code, {name: expected},
        evening=MORNING, headers={name: value},
    )  # fmt: skip


def read(of: str, service: str, rest: str, status: int, code: str, where: str = "", expected: str = "") -> Bad:
    """A question."""
    return Bad(of, service, "GET", rest, None, status, code, {where: expected} if expected else {})


def file(of: str, data: bytes, places: Mapping[str, str], **headers: str) -> Bad:
    """Players from a file."""
    given = {"Content-Type": "text/csv", **headers}
    rest = "/players/csv"
    return Bad(of, "registration", "POST", rest, data, 422, "csv-refused", places, evening=MORNING, headers=given)


def _pointers(members: Mapping[str, str]) -> dict[str, str]:
    return {"" if name == "_" else f"/{name}": expected for name, expected in members.items()}


R, P, S = "registration", "pairing", "scoring"
INVALID, IMPOSSIBLE = "invalid-request", "impossible-result"
ADA = {"name": "Ada"}
WON = {"points_1": 1, "points_2": 0}
SAID = {"facts": WON}
COLUMNS = "a first row of columns: player, name, faction, venue, club"
OF = "0123456789ab"
CURSOR = "`next` of the previous page, unchanged"
KEY = "1 to 128 visible ASCII characters"
FACT = "a whole number from 0 to 1000000"
WHOLE = "a whole number, 0 or more"
LONG = "x" * 300

# fmt: off
SHAPES = [
    join("malformed JSON", b'{"name": "Ada",}', 400, "malformed-json", _="JSON in UTF-8"),
    join("JSON that ends early", b'{"name": "Ada"', 400, "malformed-json", _="JSON in UTF-8"),
    join("an empty body", b"", 400, "malformed-json", _="JSON in UTF-8"),
    join("a body that is not UTF-8", b'{"name": "Ad\xe0"}', 400, "malformed-json", _="JSON in UTF-8"),
    join("half of a character", b'{"name": "Ad\\ud800"}', 400, "malformed-json", _="JSON in UTF-8"),
    join("NaN", b'{"name": NaN}', 400, "malformed-json", _="JSON in UTF-8"),
    join("a list instead of an object", ["Ada"], 422, INVALID, _="an object with name, faction (optional)"),
    join("null instead of an object", b"null", 422, INVALID, _="an object with name, faction (optional)"),
    join("lists in lists", b'{"name": ' + b"[" * 500 + b"]" * 500 + b"}", 422, INVALID, _="50 lists and objects"),
    join("nothing that is needed", {}, 422, INVALID, name=NAME),
    join("an unknown member", {"name": "Ada", "nmae": 1}, 422, INVALID,
         nmae="one of the known members: name, faction, club, venue, external_id, contact, late"),
    join("wrong types", {"name": 5, "faction": [], "club": {}, "venue": 1, "late": "yes", "contact": "a@b"},
         422, INVALID, name=NAME, faction=NAME, club=NAME, venue="", late="true or false", contact="an object"),
    join("null", {"name": None}, 422, INVALID, name=NAME),
    join("an unknown member of a member", {"name": "Ada", "contact": {"mail": "x"}}, 422, INVALID,
         **{"contact/mail": "one of the known members: email"}),
    join("no e-mail address", {"name": "Ada", "contact": {"email": "ada at home"}}, 422, INVALID,
         **{"contact/email": "an e-mail address"}),
    join("ten megabytes", b'{"name": "' + b"x" * 10_000_000 + b'"}', 413, "too-large"),
    Bad("a form", R, "POST", "/players", b"name=Ada", 415, "unsupported-media-type",
        {"Content-Type": "application/json"}, evening=MORNING,
        headers={"Content-Type": "application/x-www-form-urlencoded"}),
    Bad("whole numbers with a fraction, as text, too large", R, "POST", "/amendments",
        {"capacity": 2.0, "rounds": "3"}, 422, INVALID,
        {"/capacity": "a whole number from 2 to 100000", "/rounds": "a whole number from 1 to 64"}, evening=MORNING),
    Bad("a whole number beyond every database", R, "POST", "/players/p1/table",
        {"venue": "v1", "table": 2**63}, 422, INVALID, {"/table": "a whole number from 1 to 100000"}),
]

NAMES = [
    join("a control character", {"name": "Ada\x07"}, 422, INVALID, name=f"{NAME}; it has a control character (U+0007)"),
    join("NUL", {"name": "A\x00da"}, 422, INVALID, name=f"{NAME}; it has a control character (U+0000)"),
    join("two lines", {"name": "Ada\nBen"}, 422, INVALID, name=f"{NAME}; it has a line break"),
    join("a direction override", {"name": "Ada\u202eneB"}, 422, INVALID,
         name=f"{NAME}; it has a character that changes direction (U+202E)"),
    join("300 letters", {"name": LONG}, 422, INVALID, name=f"{NAME}; it has 300 characters"),
    join("300 letters of another script", {"name": "ש" * 300}, 422, INVALID, name=f"{NAME}; it has 300 characters"),
    join("an empty name", {"name": ""}, 422, INVALID, name=f"{NAME}; it is empty"),
    join("a name of white space", {"name": " \u3000 "}, 422, INVALID, name=f"{NAME}; it is empty"),
    join("a name that shows nothing", {"name": "\u200d\u2800"}, 422, INVALID,
         name=f"{NAME}; nothing in it can be seen"),
    join("somebody's name", {"name": "PLAYER 1"}, 409, "name-taken", name="a name of their own"),
    Bad("the second of a list", R, "POST", "/players/list", {"players": [ADA, {"name": "B\x00"}]},
        422, INVALID, {"/players/1/name": NAME}, evening=MORNING),
    Bad("twice in a list", R, "POST", "/players/list", {"players": [{"name": "Zoe"}, {"name": "ZOE"}]},
        409, "name-taken", {"/players/0/name": "a name", "/players/1/name": "a name"}, evening=MORNING),
    Bad("a hall", R, "POST", "/venues", {"name": "\x1b[31mHall"}, 422, INVALID, {"/name": NAME}),
    Bad("an award", S, "POST", "/awards", {"name": LONG, "player": "p1"}, 422, INVALID, {"/name": NAME}),
    Bad("a member of staff", R, "POST", "/staff", {"name": "\r", "role": "referee"}, 422, INVALID,
        {"/name": NAME}),
    announce("a tournament", name="\x00", places={"/name": NAME}),
]

RESULTS = [
    report("negative points", {"points_1": -1, "points_2": 50}, {"/points_1": FACT}),
    report("points with a fraction", {"points_1": 1.5, "points_2": 50}, {"/points_1": FACT}),
    report("points as text", {"points_1": "100", "points_2": 50}, {"/points_1": FACT}),
    report("points beyond reason", {"points_1": 10**7, "points_2": 50}, {"/points_1": FACT}),
    report("both winning", {"points_1": 100, "points_2": 50, "winner": [1, 2]}, {"/winner": "1, 2 or draw"}),
    report("a third winner", {"points_1": 100, "points_2": 50, "winner": 3}, {"/winner": "1, 2 or draw"}),
    report("true as winner", {"points_1": 100, "points_2": 50, "winner": True}, {"/winner": "1, 2 or draw"}),
    report("a draw where there is none", {"points_1": 50, "points_2": 50, "winner": "draw"},
           {"/winner": "1 or 2: every game has a winner"}, IMPOSSIBLE),
    report("a winner against the end of the game", {"points_1": 100, "points_2": 50, "end": "rounds", "winner": 2},
           {"/winner": "1, or the end of the game that makes it so"}, IMPOSSIBLE),
    report("nobody's points", {}, {"/points_1": WHOLE, "/points_2": WHOLE},
           IMPOSSIBLE),
    report("an unknown fact", {"points_1": 1, "points_2": 0, "weather": "rain"}, {"/weather": "one of the known"}),
    report("a fact of another game", {"points_1": 1, "points_2": 0, "extra": {"dead_1": 1}},
           {"/extra/dead_1": "one of list_1"}, IMPOSSIBLE),
    report("a winner against the points", {"points_1": 6, "points_2": 9, "winner": 1, "scenario": "Raid"},
           {"/winner": "2, by the points"}, IMPOSSIBLE, RAID),
    report("more than the scenario has", {"points_1": 48, "points_2": 0, "scenario": "Raid"},
           {"/points_1": "at most 45"}, IMPOSSIBLE, RAID),
    report("more together than the scenario has", {"points_1": 30, "points_2": 18, "scenario": "Raid"},
           {"/points_1": "at most 45"}, IMPOSSIBLE, RAID),
    report("points that the scenario does not give", {"points_1": 4, "points_2": 0, "scenario": "Raid"},
           {"/points_1": "a multiple of 3"}, IMPOSSIBLE, RAID),
    report("an unknown scenario", {"points_1": 3, "points_2": 0, "scenario": "Picnic"},
           {"/scenario": "Raid, or nothing: that of the round"}, IMPOSSIBLE, RAID),
    Bad("of a bye", S, "POST", "/games/r2g7/result", SAID, 409,
        "bye-has-no-result", {}),
    Bad("of a closed round", S, "POST", "/games/r1g1/result", SAID, 409,
        "round-closed", {}, data=("round",)),
    Bad("of a round that has not begun", S, "POST", "/games/r2g1/result", SAID,
        409, "round-not-begun", {}, evening=BREAK, data=("round",)),
    Bad("of no game", S, "POST", "/games/r7g1/result", SAID, 404,
        "game-unknown", {"/game": "the id of a game in a paired round"}),
    Bad("by a player of another table", S, "POST", "/games/r2g3/result", SAID,
        403, "not-your-game", {}, by="stranger"),
    Bad("another one than the first", S, "POST", "/games/r2g1/result", {"facts": {"points_1": 90, "points_2": 50}},
        409, "result-exists", {}, data=("facts", "status")),
    Bad("another one by the opponent", S, "POST", "/games/r2g2/result", {"facts": {"points_1": 90, "points_2": 50}},
        409, "result-exists", {}, by="opponent", data=("facts", "status")),
    Bad("a report of the opponent, changed", S, "POST", "/games/r2g2/report", SAID, 409,
        "result-exists", {}, by="opponent", data=("facts", "status")),
    Bad("another report than that of the game, confirmed", S, "POST", "/games/r2g2/confirmation", {"report": 1}, 409,
        "report-changed", {}, by="opponent", data=("facts", "report")),
    Bad("a confirmation of a report in words", S, "POST", "/games/r2g2/confirmation", {"report": "mine"}, 422,
        "invalid-request", {"/report": "a whole number"}, by="opponent"),
    Bad("one's own, confirmed", S, "POST", "/games/r2g2/confirmation", None, 409, "own-report", {}, by="reporter"),
    Bad("a list with one that is impossible", S, "POST", "/results",
        {"results": [{"game": "r2g3", "facts": WON}, {"game": "r2g4", "facts": {"points_1": 1}}]},
        422, IMPOSSIBLE, {"/results/1/facts/points_2": WHOLE}),
    Bad("a list with one game twice", S, "POST", "/results",
        {"results": [{"game": "r2g3", "facts": WON}] * 2}, 409, "result-exists",
        {"/results/1/game": "a game that can be reported; this one is refused with result-exists"}),
]

ROSTERS = [
    Bad("a roster of one point too many", R, "POST", "/players/p1/roster",
        {"roster": {**FLEET, "fleet_total": 301, "commanders": [{"name": "General Dodonna", "points": 21}]}},
        422, "roster-illegal", {"/roster/fleet_total": "at most 300"}, evening=MORNING),
    Bad("a fraction in a roster", R, "POST", "/players/p1/roster", {"roster": {**FLEET, "fleet_total": 300.0}},
        422, "roster-illegal", {"/roster/fleet_total": WHOLE}, evening=MORNING),
    Bad("a roster that is none", R, "POST", "/players/p1/roster", {"roster": "Dodonna"}, 422,
        INVALID, {"/roster": "an object"}, evening=MORNING),
    Bad("a roster once play has begun", R, "POST", "/players/p1/roster", {"roster": FLEET}, 409,
        "roster-locked", {}),
    Bad("somebody else's roster", R, "POST", "/players/p1/roster", {"roster": FLEET}, 403, "not-yours", {},
        by="p2", evening=MORNING),
]

FILES = [
    file("no column that says who", b"faction,club\nrebel,North\n", {"row 1": "a column `name` or `player`"}),
    file("an unknown column", b"player,colour\nAda,red\n", {"row 1, column 2 (colour)": "one of these columns"}),
    file("the same player twice", b"player\nAda\n\nBen\nADA\n",
         {"row 2, column 1 (player)": "each player once", "row 5, column 1 (player)": "each player once"}),
    file("an empty file", b"", {"row 1": COLUMNS}),
    file("white space", b"\xef\xbb\xbf \r\n", {"row 1": COLUMNS}),
    file("columns and nobody", b"player,faction\n", {"row 2": "a line for each player"}),
    file("no UTF-8", b"player\nAd\xe0\n", {"row 2": "a file in UTF-8"}),
    file("UTF-16", "player\nAda\n".encode("utf-16"), {"row 1": "a file in UTF-8"}),
    file("a row that is too short", b"player,faction\nAda\n", {"row 2": "2 values"}),
    file("a quote that does not end", b'player\n"Ada\nBen\n', {"row 2": "CSV with quotes in pairs"}),
    file("a cell of 200,000 letters", b"player\n" + b"x" * 200_000, {"row 2": "cells of at most 131072 characters"}),
    file("semicolons and commas", b"player;faction\nAda,rebel\n", {"row 2": "2 values"}),
    file("control characters", b"player\nA\x07da\n", {"row 2, column 1 (player)": NAME}),
    file("NUL", b"player\nA\x00da\n", {"row 2": "a file in UTF-8"}),
]
FILES += [
    row._replace(of=f"{row.of}, with a key", headers={**row.headers, "Idempotency-Key": "once"}) for row in FILES
]

TOURNAMENTS = [
    announce("an unknown ruleset", "unknown-ruleset", ruleset="chess", places={"/ruleset": "one of "}),
    announce("neither ruleset nor pack", ruleset=..., places={"/ruleset": "this or `pack`, and not both"}),
    announce("both", pack=PACK, places={"/ruleset": "this or `pack`, and not both"}),
    announce("an unknown option", "ruleset-option-refused", options={"hue": "red"},
             places={"/options/hue": "one of sos"}),
    announce("an option with a value that it has not", "ruleset-option-refused", options={"sos": "guess"},
             places={"/options/sos": "one of "}),
    announce("an unknown tier", tier="galactic", places={"/tier": "one of casual, competitive, premier"}),
    announce("an unknown format", format="chess", places={"/format": "one of swiss, campaign, coop"}),
    announce("a format that nobody plays", "format-not-played", format="coop", places={"/format": "swiss"}),
    announce("an end before the start", "dates-out-of-order", starts_on="2026-05-02", ends_on="2026-05-01",
             places={"/ends_on": "2026-05-02 or later"}),
    announce("an end so long ago that no link would work", "already-over", ends_on="2001-04-03",
             places={"/ends_on": "2"}),
    announce("the 31st of February", starts_on="2026-02-31", places={"/starts_on": "a day as YYYY-MM-DD"}),
    announce("a day as people write it", ends_on="1.5.2026", places={"/ends_on": "a day as YYYY-MM-DD"}),
    announce("a moment instead of a day", ends_on="2026-05-01T10:00:00Z", places={"/ends_on": "a day as YYYY-MM-DD"}),
    *(
        announce(f"{name} on {day}", **{name: day}, places={f"/{name}": "a day as YYYY-MM-DD, from 1900 to 2999"})
        for name in ("starts_on", "ends_on")
        for day in ("0001-01-01", "1899-12-31", "3000-01-01", "9999-12-31")
    ),
    announce("nobody to play against", capacity=1, places={"/capacity": "a whole number from 2 to 100000"}),
    announce("no seats", capacity=0, places={"/capacity": "a whole number from 2 to 100000"}),
    announce("fewer than no seats", capacity=-5, places={"/capacity": "a whole number from 2 to 100000"}),
    announce("no rounds", rounds=0, places={"/rounds": "a whole number from 1 to 64"}),
    announce("a pack with an unknown tiebreaker", "ruleset-refused", ruleset=...,
             pack={**PACK, "standings": {**PACK["standings"], "criteria": [
                 {**PACK["standings"]["criteria"][0], "piece": "height"}, *PACK["standings"]["criteria"][1:]]}},
             places={"/pack/standings/criteria/0/piece": "one of "}),
    announce("a pack with an unknown key", "ruleset-refused", ruleset=..., pack={**PACK, "colour": "red"},
             places={"/pack/colour": "a known key: advice, "}),
    announce("a pack with a gap in its table", "ruleset-refused", ruleset=...,
             pack={**PACK, "points": {**PACK["points"], "bands": PACK["points"]["bands"][1:]}},
             places={"/pack/points/bands/0/least": "0, without a gap"}),
    announce("a pack without tiers", "ruleset-refused", ruleset=..., pack={**PACK, "tiers": []},
             places={"/pack/tiers": "one tier or more"}),
    announce("a pack that is text", ruleset=..., pack="swiss", places={"/pack": "an object"}),
    Bad("an end before the start, later", R, "POST", "/amendments",
        {"starts_on": "2996-05-02", "ends_on": "2996-05-01"}, 422, "dates-out-of-order",
        {"/ends_on": "2996-05-02 or later"}),
    Bad("fewer seats than players", R, "POST", "/amendments", {"capacity": 12}, 409, "capacity-too-small",
        {"/capacity": "13 or more"}, evening=MORNING),
    Bad("the same table twice", R, "POST", "/venues", {"name": "Yard", "tables": [{"table": 1}, {"table": 1}]},
        422, INVALID, {"/tables": "each table once"}),
]

FORMS = [
    Bad("a member twice", R, "POST", "/players", b'{"name": "Ada", "name": "Ben"}', 400, "duplicate-member",
        {"/name": "each member once"}),
    Bad("a member twice inside", S, "POST", "/games/r2g3/result", b'{"facts": {"points_1": 1, "points_1": 2}}', 400,
        "duplicate-member", {"/facts/points_1": "each member once"}),
    Bad("another charset", R, "POST", "/players", '{"name": "Zoë"}'.encode("latin-1"), 415, "unsupported-media-type",
        {"Content-Type": "application/json in UTF-8"},
        headers={"Content-Type": "application/json; charset=iso-8859-1"}),
    Bad("a file in another charset", R, "POST", "/players/csv", "player\nZoë\n".encode("cp1252"), 415,
        "unsupported-media-type", {"Content-Type": "text/csv in UTF-8"},
        headers={"Content-Type": 'text/csv; charset="windows-1252"'}),
    Bad("an answer in XML", R, "GET", "/players", None, 406, "not-acceptable", {"Accept": "one of application/json"},
        headers={"Accept": "application/xml, image/*;q=0.5"}, data=("types",)),
    Bad("no JSON", R, "POST", "/players", ADA, 406, "not-acceptable", {},
        headers={"Accept": "*/*, application/json;q=0"}),
    Bad("a log as one JSON", P, "GET", "/log", None, 406, "not-acceptable", {"Accept": "application/x-ndjson"},
        headers={"Accept": "application/json"}),
    Bad("problems alone", S, "GET", "/standings", None, 406, "not-acceptable", {},
        headers={"Accept": "application/problem+json"}),
]

HEADERS = [
    headed("a key with spaces", "Idempotency-Key", "once only", 400, "invalid-idempotency-key", KEY),
    headed("a key of 300 letters", "Idempotency-Key", LONG, 400, "invalid-idempotency-key", KEY),
    headed("an empty key", "Idempotency-Key", "", 400, "invalid-idempotency-key", KEY),
    headed("a key beyond ASCII", "Idempotency-Key", "clé", 400, "invalid-idempotency-key", KEY),
    headed("If-Match of nonsense", "If-Match", "nonsense", 412, "precondition-failed", 'an ETag like "registration-'),
    headed("If-Match of nothing", "If-Match", '""', 412, "precondition-failed", 'an ETag like "registration-'),
    headed("If-Match of another service", "If-Match", '"scoring-3"', 412, "precondition-failed", "an ETag like"),
    headed("Muster-Seen of nonsense", "Muster-Seen", "everything", 400, "malformed-seen", "each log once, like"),
    headed("Muster-Seen below nothing", "Muster-Seen", "scoring=-1", 400, "malformed-seen", "each log once, like"),
    headed("Muster-Seen of one log twice", "Muster-Seen", "pairing=1, pairing=2", 400, "malformed-seen", "each log"),
    headed("Muster-Seen of what is to come", "Muster-Seen", "scoring=9999", 503, "not-yet-seen", "at most scoring="),
    Bad("If-Match of what is to come", R, "POST", "/players", ADA, 412, "precondition-failed", {},
        evening=MORNING, headers={"If-Match": '"registration-99999"'}, data=("etag",)),
]

LISTS = [
    read("no cursor", R, "/players?after=!!", 400, "invalid-cursor", "/after", CURSOR),
    read("a cursor that was cut", R, "/players?after=WzEs", 400, "invalid-cursor", "/after", CURSOR),
    read("a cursor of another list", R, f"/players?after={encode_cursor(['a', 'b'], OF)}", 400, "invalid-cursor",
         "/after", CURSOR),
    read("a cursor beyond every database", S, f"/games?after={encode_cursor([2**62], OF)}", 400, "invalid-cursor",
         "/after", CURSOR),
    read("a cursor with NUL", R, f"//tournaments?after={encode_cursor(['a', chr(0)], OF)}", 400, "invalid-cursor",
         "/after", CURSOR),
    read("a cursor of games", S, f"/standings?after={encode_cursor([1, 1], OF)}", 400, "invalid-cursor",
         "/after", CURSOR),
    read("a page around nobody", S, "/standings?around=p999", 422, "player-unknown", "/around", "the id of a player"),
    read("a round around nobody", P, "/rounds/1?around=p999", 422, "player-unknown", "/around", "the id of a player"),
    read("a page around no id", S, "/standings?around=p%201", 422, INVALID, "/around", "an id of 1 to 64"),
    read("a page around and behind", S, "/standings?around=p1&after=x", 422, INVALID, "/around", "nothing together"),
    read("a name of two lines", R, "/players?q=a%0Ab", 422, INVALID, "/q", "a name of 1 to 100"),
    read("an order that there is not", S, "/games?sort=score", 422, INVALID, "/sort", "one of pairing, table"),
    read("an empty page", R, "/players?limit=0", 422, INVALID, "/limit", "a whole number from 1 to 500"),
    read("a page of everything", S, "/games?limit=100000", 422, INVALID, "/limit", "a whole number from 1"),
    read("a limit in words", R, "//tournaments?limit=ten", 422, INVALID, "/limit", "a whole number"),
    read("two limits", R, "/players?limit=1&limit=2", 422, INVALID, "/limit", "a whole number"),
    read("an unknown filter", R, "/players?name=Ada", 422, INVALID, "/name", "one of the known members"),
    read("an unknown status", S, "/games?status=lost", 422, INVALID, "/status", "one of bye, open"),
    read("a log of nobody", P, "/log?source=weather", 422, INVALID, "/source", "text, one of pairing"),
    read("a log from below its start", P, "/log?after=-1", 422, INVALID, "/after", "a whole number from 0"),
    read("standings of a round to come", S, "/standings?round=3", 422, "round-unknown", "/round", "a round"),
    read("a query where none is taken", R, "?round=3&token=x", 422, INVALID, "/round", "no query"),
    read("a preview of what has none", P, "/cut?preview=true", 422, INVALID, "/preview", "no query"),
    read("standings of a round that is played", S, "/standings?round=2", 409, "round-not-closed"),
]

WHO = [
    Bad("nobody", R, "POST", "/players", ADA, 401, "unauthenticated", {}, by=""),
    Bad("nonsense", R, "POST", "/players", ADA, 401, "unauthenticated", {}, by="nonsense"),
    Bad("a token that has expired", R, "POST", "/players", ADA, 401, "token-expired", {},
        by="expired", data=("expired_at",)),
    Bad("a token that was revoked", R, "POST", "/players", ADA, 401, "token-revoked", {}, by="revoked"),
    Bad("a token of another tournament", R, "POST", "/players", ADA, 403, "wrong-tournament", {},
        by="elsewhere", data=("tournament",)),
    Bad("a token of another installation", R, "POST", "/players", ADA, 401, "unauthenticated", {},
        by="forged"),
    Bad("a role that may not", R, "POST", "/players", ADA, 403, "forbidden", {}, by="p1",
        data=("role", "roles")),
    Bad("a link to command with", S, "POST", "/games/r2g3/result?token={p1}", {"facts": {}}, 401, "unauthenticated",
        {}, by=""),
    Bad("a link of an organiser", R, "GET", "?token={organiser}", None, 401, "unauthenticated", {}, by=""),
    Bad("another scheme", R, "POST", "/players", ADA, 401, "unauthenticated", {}, by="",
        headers={"Authorization": "Basic YWRhOmJlbg=="}),
    Bad("who may not is told first", R, "POST", "/players", b"{", 403, "forbidden", {}, by="p1"),
]

ADDRESSES = [
    Bad("a method that is not taken", R, "PATCH", "/players", ADA, 405, "method-not-allowed", {}),
    Bad("what cannot be deleted", S, "DELETE", "/standings", None, 405, "method-not-allowed", {}),
    Bad("an unknown address", R, "POST", "/playerz", ADA, 404, "not-found", {}),
    Bad("an address of another service", S, "POST", "/players", ADA, 404, "not-found", {}),
    Bad("a slash too many", R, "POST", "/players/", ADA, 404, "not-found", {}),
    Bad("an id that is none", R, "GET", "//tournaments/t%2F..%2F1", None, 404, "not-found", {}),
    Bad("an id with NUL", R, "GET", "//tournaments/t%00", None, 404, "not-found", {}),
    Bad("a round that is no number", P, "GET", "/rounds/two", None, 404, "not-found", {}),
    Bad("a round beyond every database", S, "POST", f"/rounds/{10**30}/close", None, 404, "not-found", {}),
    Bad("an unknown tournament", R, "GET", "//tournaments/t-nowhere", None, 404, "tournament-unknown", {}),
    Bad("an unknown tournament elsewhere", S, "GET", "//tournaments/t-nowhere/standings", None, 404,
        "tournament-unknown", {}),
    Bad("an unknown player", R, "GET", "/players/p99", None, 404, "player-unknown", {}),
    Bad("an unknown round", P, "GET", "/rounds/9", None, 404, "round-unknown", {}),
    Bad("an unknown hall", R, "POST", "/players/p1/table", {"venue": "v9", "table": 1}, 422, "venue-unknown",
        {"/venue": "one of v1, v2"}),
    Bad("an unknown hall in the address", R, "POST", "/venues/v9/closing", {"reason": "x"}, 404, "venue-unknown",
        {"/venue": "one of v1, v2"}),
    Bad("an unknown ruleset in the address", R, "GET", "//rulesets/chess", None, 404, "unknown-ruleset",
        {"/ruleset": "one of "}),
    Bad("an award for nobody", S, "POST", "/awards", {"name": "Best", "player": "p99"}, 422, "player-unknown",
        {"/player": "the id of a player"}),
    Bad("rounds that are not over", P, "POST", "/rounds", None, 409, "round-not-closed", {}, data=("games",)),
    Bad("a pairing of strangers", P, "POST", "/rounds", {"pairings": [{"player_1": "p1", "player_2": "p77"}]}, 409,
        "round-not-closed", {}),
]
# fmt: on

ALL = {
    "shapes": SHAPES,
    "forms": FORMS,
    "names": NAMES,
    "results": RESULTS,
    "rosters": ROSTERS,
    "files": FILES,
    "tournaments": TOURNAMENTS,
    "headers": HEADERS,
    "lists": LISTS,
    "who": WHO,
    "addresses": ADDRESSES,
}


class World:
    """The tournaments that the requests are about, and whom they come from."""

    def __init__(self, muster: Muster) -> None:
        self.muster = muster
        night = muster.evening()
        between = muster.evening("between")
        between.do("pairing", "/rounds")
        raid = muster.evening("before", ruleset=FALLOUT)
        alpha = {"name": "Alpha", "class": "leader", "points": 5, "profile_perks": [{"name": "Natural Leader"}]}
        models = {"faction": "The Pack", "rating": 5, "models": [alpha]}
        for number in range(1, 14):
            raid.do("registration", f"/players/p{number}/roster", {"roster": models})
        raid.round(1, scenario="Raid")
        self.evenings = {NIGHT: night, MORNING: muster.evening("before"), BREAK: between, RAID: raid}
        lost = night.do("registration", "/staff", {"name": "Lost", "role": "organiser"}).body
        night.do("registration", "/tokens/revocations", {"token_id": lost["token_id"]})
        reported, strange = (night.ask("GET", "scoring", f"/games/r2g{number}").body for number in (2, 3))
        stranger = next(f"p{n}" for n in range(1, 14) if f"p{n}" not in (strange["player_1"], strange["player_2"]))
        self.people = {
            "reporter": reported["player_1"],
            "opponent": reported["player_2"],
            "stranger": stranger,
            "expired": muster.token("organiser", night.id, exp=1_700_000_001),
            "revoked": lost["token"],
            "elsewhere": muster.token("organiser", between.id),
            "forged": muster.token("organiser", night.id)[:-4] + "AAAA",
        }

    def send(self, bad: Bad) -> Answer:
        evening = self.evenings[bad.evening]
        rest = (
            bad.rest.format(**{name: evening.token(name) for name in ("p1", "organiser")})
            if "{" in bad.rest
            else bad.rest
        )
        address = rest[1:] if rest.startswith("//") else f"/tournaments/{evening.id}{rest}"
        headers = {"Content-Type": "application/json", **bad.headers} if bad.body is not None else bad.headers
        outside = bad.rest == "//tournaments"  # an announcement takes a token of every tournament
        token = evening.muster.token(bad.by) if outside else evening.token(self.people.get(bad.by, bad.by))
        return self.muster.ask(bad.method, bad.service, address, bad.body, token, **dict(headers))


@pytest.fixture(scope="module")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    """The three services."""
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("muster"))


@pytest.fixture(scope="module")
def world(muster: Muster) -> World:
    return World(muster)


@pytest.mark.parametrize(
    "bad", [pytest.param(bad, id=f"{kind}: {bad.of}") for kind, rows in ALL.items() for bad in rows]
)
def test_bad_request_is_refused_with_code_and_place_and_changes_nothing(world: World, bad: Bad) -> None:
    before = world.muster.length
    answer = world.send(bad)
    assert (answer.status, answer.code) == (bad.status, bad.code), answer
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.body["type"] == f"/problems/{bad.code}"
    assert answer.body["title"]
    assert answer.body["detail"]
    assert answer.body["request_id"] == answer.headers["X-Request-Id"]
    if bad.places:
        assert set(answer.places) == set(bad.places), answer
    for fault in answer.faults:
        assert fault["said"], fault
        assert fault["expected"].startswith(bad.places.get(fault["where"], "")), fault
        assert fault["code"], fault
        assert fault["expected"] == sentence(fault), fault
    assert set(bad.data) <= set(answer.data), answer
    assert world.muster.length == before
    assert bad.code in documented(bad) | {"not-found", "method-not-allowed"}


def sentence(expected: Any) -> Any:
    """The English sentence of a code and its values, as a client renders it from an answer."""
    if isinstance(expected, list):
        return [sentence(one) for one in expected]
    if not isinstance(expected, Mapping):
        return expected
    values = {name: sentence(value) for name, value in expected.get("data", {}).items()}
    return english(expected["code"], values)


def documented(bad: Bad) -> set[str]:
    """The codes that the operation documents for the status."""
    path = bad.rest.partition("?")[0]
    parts = (path[1:] if path.startswith("//") else f"/tournaments/x{path}").split("/")
    for known, methods in documents()[bad.service]["paths"].items():
        steps = known.split("/")
        same = len(steps) == len(parts) and all(s == p or s[:1] == "{" for s, p in zip(steps, parts, strict=True))
        if same and bad.method.lower() in methods:
            answer = methods[bad.method.lower()]["responses"].get(str(bad.status), {})
            return set(answer.get("x-problem-codes", ()))
    return set()


def test_malformed_json_has_line_and_column(world: World) -> None:
    answer = world.send(join("", b'{"name": "Ada",\n "club": North}', 400, "malformed-json"))
    assert answer.data == {"line": 2, "column": 10}


def test_method_not_allowed_lists_the_allowed_methods(world: World) -> None:
    answer = world.send(Bad("", "registration", "PATCH", "/players", {}, 405, "", {}))
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS, POST"


def test_rate_limit_returns_retry_after(world: World) -> None:
    answer = world.send(headed("", "Muster-Seen", "scoring=9999", 503, "", ""))
    assert int(answer.headers["Retry-After"]) > 0


def test_too_large_body_returns_the_limit(world: World) -> None:
    assert world.send(join("", b" " * 2_000_000, 413, "")).data == {"limit": 1_048_576}


def test_announcement_ignores_muster_seen(muster: Muster) -> None:
    body = {"name": "Another", "ruleset": ARMADA}
    seen = "registration=400, pairing=30, scoring=99"
    answer = muster.ask("POST", "registration", "/tournaments", body, muster.token("operator"), Muster_Seen=seen)
    assert answer.status == 201


def test_key_reused_for_another_request(muster: Muster) -> None:
    evening = muster.announce()
    first = evening.ask("POST", "registration", "/players", {"name": "Ada"}, Idempotency_Key="k1")
    before = evening.heads
    again = evening.ask("POST", "registration", "/players", {"name": "Ada"}, Idempotency_Key="k1")
    other = evening.ask("POST", "registration", "/players", {"name": "Ben"}, Idempotency_Key="k1")
    assert (again.status, again.body) == (201, first.body)
    assert (other.status, other.code) == (422, "idempotency-key-reused")
    assert evening.heads == before


@pytest.mark.parametrize("key", [{}, {"Idempotency_Key": "list-1"}], ids=["without a key", "with a key"])
def test_valid_file_is_accepted_with_byte_order_mark_and_key(muster: Muster, key: dict[str, str]) -> None:
    evening = muster.announce()
    data = '\ufeffplayer,faction\r\nעדה,rebel\r\n\r\n"O\'Neil, Ben",imperial\r\n'.encode()
    answers = [
        evening.ask("POST", "registration", "/players/csv", data, **{"Content-Type": "text/csv", **key})
        for _ in range(2)
    ]
    assert [player["name"] for player in answers[0].body["players"]] == ["עדה", "O'Neil, Ben"]
    if key:
        assert answers[1].text == answers[0].text
        assert evening.heads["registration"] == 3
    else:  # each row is there already, unchanged
        assert answers[1].body["players"] == []
        assert evening.heads["registration"] == 3


NAMES_OF_ALL_KINDS = ("Zoë 🎲", "👩🏽‍🚀 Ana", "עדה לב", "ساره", "李雷", "Дмитрий", 'o/ \\o "x" <b>&amp;</b>', "नमस्ते")


def test_names_of_every_script_are_unchanged(muster: Muster) -> None:
    """In the log, in lists, in pairings and in standings: as it was written."""
    evening = muster.announce(name="Fest 🎉 עברית")
    evening.do("registration", "/venues", {"name": "Große Halle 🏟️", "tables": 4})
    evening.do("registration", "/players/list", {"players": [{"name": name} for name in NAMES_OF_ALL_KINDS]})
    evening.round(1)
    for game in evening.games(1):
        evening.report(game["id"])
    evening.do("scoring", "/rounds/1/close")
    listed = evening.ask("GET", "registration", "/players").body["items"]
    assert tuple(player["name"] for player in listed) == NAMES_OF_ALL_KINDS
    paired = evening.ask("GET", "pairing", "/rounds/1").body["pairings"]
    assert {pairing[name] for pairing in paired for name in ("name_1", "name_2")} == set(NAMES_OF_ALL_KINDS)
    ranked = evening.ask("GET", "scoring", "/standings").body["items"]
    assert {row["name"] for row in ranked} == set(NAMES_OF_ALL_KINDS)
    for service in ("registration", "scoring"):
        log = evening.ask("GET", service, "/log?source=registration").text
        for name in (*NAMES_OF_ALL_KINDS, "Fest 🎉 עברית", "Große Halle 🏟️"):
            assert json.dumps(name, ensure_ascii=False).encode() in log, (service, name)


def test_corrected_request_is_accepted_after_a_refusal(muster: Muster) -> None:
    """A refusal leaves nothing behind that would stand in the way: no name, no key, no version."""
    evening: Evening = muster.announce()
    bad: Json = {"name": "Ada", "venue": "v9"}
    refused = evening.ask("POST", "registration", "/players", bad, Idempotency_Key="ada")
    assert (refused.status, refused.code, refused.places) == (422, "venue-unknown", ["/venue"])
    done = evening.ask("POST", "registration", "/players", {"name": "Ada"}, Idempotency_Key="ada", If_Match="*")
    assert (done.status, done.types) == (201, ["PlayerJoined"])
