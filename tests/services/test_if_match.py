"""If-Match with the ETag of a thing: only changes of that thing matter to a command that names it."""

from __future__ import annotations

import pytest

from services.pairing.handlers import HANDLERS as PAIRING
from services.registration.handlers import HANDLERS as REGISTRATION
from services.scoring.handlers import HANDLERS as SCORING
from tests.services.scoring.story import floor, score

THINGS = {"game", "round", "player", "venue", "session", "webhook", "call", "group", "award", "staff"}
"""Members by which a command names a thing that an answer shows with an ETag."""
OTHERWISE = {
    "AppointStaff": "it makes a member of staff",
    "CheckInPlayers": "it is about several players",
    "AcceptInvitation": "the party, or the final of a season, changes with the player",
    "DeclineInvitation": "the final of a season changes with the player",
    "LeaveParty": "the party changes with the player",
    "MergeIdentities": "identities of a season have no version of their own",
    "SplitIdentity": "identities of a season have no version of their own",
    "PairRound": "it makes a round",
    "OpenSessionRound": "it makes a round",
    "OfferSpare": "spare players are shown with all rounds",
    "RecallSpare": "spare players are shown with all rounds",
    "GiveAward": "it makes an award",
    "PublishRanking": "it is about all sessions of the round",
}
"""Commands that are done only where nothing at all was appended since, and why."""


def test_if_match_applies_to_the_named_thing():
    rows = {command: row for rows in (REGISTRATION, PAIRING, SCORING) for command, row in rows.items()}
    names = {command.__name__ for command, row in rows.items() if THINGS & set(command.__struct_fields__)}
    strict = {command.__name__ for command, row in rows.items() if row.version is None and not row.by_rule}
    assert names & strict == set(OTHERWISE)


@pytest.fixture(scope="module")
def club(new_club):
    return new_club("scoring")


FACTS = {"facts": score(210, 150)}
SAID = {"reason": "both were heard"}
UNTIL = {
    "result": (),
    "confirmation": (("result", FACTS, "p1"),),
    "dispute": (("result", FACTS, "p1"),),
    "ruling": (("result", FACTS, "p1"), ("dispute", SAID, "p2")),
    "appeal": (("result", FACTS, "p1"), ("dispute", SAID, "p2"), ("ruling", FACTS | SAID, "referee")),
    "correction": (("result", FACTS, "referee"),),
    "voiding": (("result", FACTS, "referee"),),
}
"""A command about a game -> what happens before it."""
LAST = {"result": (FACTS, "referee"), "confirmation": (None, "p2"), "dispute": (SAID, "p2"), "appeal": (SAID, "p1")}
"""Its body and who asks, if not a referee with facts and a reason."""


@pytest.mark.parametrize("command", UNTIL)
def test_result_is_judged_by_its_game(club, command):
    told = floor(club, 4, staff=("referee", "head_referee"))
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    for before, body, by in UNTIL[command]:
        assert told.post(f"/games/r1g1/{before}", body, by).status == 201
    tag = told.get("/games/r1g1").headers["ETag"]
    told.report("r1g2", score(100, 90))
    body, by = LAST.get(command, (SAID if command == "voiding" else {"facts": score(220, 150)} | SAID, "referee"))
    assert told.post(f"/games/r1g1/{command}", body, by, If_Match=tag).status == 201
    refused = told.post(f"/games/r1g1/{command}", body, by, If_Match=tag)
    assert refused.code == "precondition-failed"


def test_withdrawn_thing_counts_as_changed(club):
    told = floor(club, 2, staff=("referee", "head_referee"))
    told.begin(1, ("p1", "p2"))
    told.report("r1g1", score(210, 150))
    game = told.get("/games/r1g1").headers["ETag"]
    told.void("r1g1")
    assert told.report("r1g1", score(200, 150), If_Match=game).code == "precondition-failed"
    told.report("r1g1", score(200, 150))
    told.close(1)
    closed = told.get("/games/r1g1").headers["ETag"]
    told.reopen(1)
    refused = told.post("/rounds/1/close", None, "head_referee", If_Match=closed)
    assert refused.code == "precondition-failed"
