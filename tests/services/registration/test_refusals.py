"""Every refusal of registration, each in a story that causes it."""

from __future__ import annotations

import pytest

from services.registration.handlers import HANDLERS
from services.registration.problems import PROBLEMS
from services.registration.tournaments import AnnounceTournament, TournamentExists
from shared.formats.packs import shipped_ruleset
from shared.log.event import EMPTY_HEAD
from shared.rules.parts import to_json
from shared.service.refusals import PROBLEMS as HANDLING
from shared.tournament.guards import By, Context
from shared.tournament.rounds import PublicationNotDue, PublicationPast
from shared.tournament.state import Tournament
from shared.web.refusals import EDGE, Kind, merge
from tests.draws import oracle_of
from tests.services.registration.story import FLEET, Evening, announced
from tests.services.story import NOBODY, Answer, Club
from tests.web.unlisted import unlisted

STORIES = {}


def story(code):
    """Register the decorated function as the story that ends with this refusal."""

    def register(function):
        assert code not in STORIES
        STORIES[code] = function
        return function

    return register


@story("format-not-played")
def _(evening: Evening) -> Answer:
    return evening.club.ask(
        "POST",
        "/tournaments",
        {"name": "Atoms", "ruleset": "star-wars-armada-1.1", "format": "coop"},
        token=evening.club.token("operator"),
    )


@story("already-over")
def _(evening: Evening) -> Answer:
    return evening.post("/amendments", {"ends_on": "2001-04-03"})


@story("dates-out-of-order")
def _(evening: Evening) -> Answer:
    evening.post("/amendments", {"starts_on": "2026-04-04"})
    return evening.post("/amendments", {"ends_on": "2026-04-03"})


@story("too-late-to-change")
def _(evening: Evening) -> Answer:
    evening.begin(*evening.join("Ana", "Ben"))
    return evening.post("/amendments", {"rounds": 4})


@story("not-on-purpose")
def _(evening: Evening) -> Answer:
    body = {"name": "League", "ruleset": "fallout-skirmish", "on_purpose": ["cut"]}
    return evening.club.ask("POST", "/tournaments", body, token=evening.club.token("operator"))


@story("registration-closed")
def _(evening: Evening) -> Answer:
    evening.post("/registration/close")
    return evening.enter("Ana")


@story("external-id-taken")
def _(evening: Evening) -> Answer:
    evening.enter("Ana", external_id="m-17")
    return evening.enter("Ben", external_id="m-17")


@story("name-taken")
def _(evening: Evening) -> Answer:
    evening.join("Ana")
    return evening.enter("ANA")


@story("player-unknown")
def _(evening: Evening) -> Answer:
    return evening.get("/players/p9")


@story("venue-unknown")
def _(evening: Evening) -> Answer:
    return evening.enter("Ana", venue="v9")


@story("form-unknown")
def _(evening: Evening) -> Answer:
    return evening.get("/rosters/sheets?form=standings")


@story("table-unknown")
def _(evening: Evening) -> Answer:
    evening.join("Ana")
    return evening.do("p1", "table", {"venue": evening.venue(tables=4), "table": 5})


@story("staff-unknown")
def _(evening: Evening) -> Answer:
    return evening.post("/staff/s9/dismissal", {})


@story("player-not-active")
def _(evening: Evening) -> Answer:
    evening.join("Ana")
    evening.do("p1", "withdrawal", {})
    return evening.do("p1", "check-in", {})


@story("capacity-too-small")
def _(evening: Evening) -> Answer:
    evening.join("Ana", "Ben", "Cy")
    return evening.post("/amendments", {"capacity": 2})


@story("seat-not-given")
def _(evening: Evening) -> Answer:
    evening.join("Ana")
    return evening.delete("/players/p1/seat")


@story("invite-only")
def _(evening: Evening) -> Answer:
    return evening.post("/sign-up", {"name": "Ana"}, NOBODY)


@story("kept-apart-not-offered")
def _(evening: Evening) -> Answer:
    competitive = announced(evening.club, tier="competitive")
    competitive.join("Ana", "Ben")
    return competitive.post("/kept-apart", {"groups": [["p1", "p2"]]})


@story("rosters-hidden")
def _(evening: Evening) -> Answer:
    evening.join("Ana", "Ben")
    return evening.get("/players/p1/roster", by="p2")


@story("roster-illegal")
def _(evening: Evening) -> Answer:
    evening.join("Ana")
    return evening.do("p1", "roster", {"roster": {**FLEET, "faction": "empire"}})


@story("roster-locked")
def _(evening: Evening) -> Answer:
    evening.begin(*evening.join("Ana", "Ben"))
    return evening.do("p1", "roster", {"roster": FLEET}, by="p1")


@story("roster-too-large")
def _(evening: Evening) -> Answer:
    evening.join("Ana")
    ships = [{"name": "x" * 40_000, "points": 1}]
    return evening.do("p1", "roster", {"roster": FLEET | {"ships": ships}}, by="p1")


@story("roster-missing")
def _(evening: Evening) -> Answer:
    evening.join("Ana")
    return evening.do("p1", "roster/acceptance", {})


@story("judge-may-not-play")
def _(evening: Evening) -> Answer:
    premier = announced(evening.club, tier="premier")
    premier.join("Ana")
    return premier.post("/staff", {"name": "Ana", "role": "referee", "player": "p1"})


@story("not-yours")
def _(evening: Evening) -> Answer:
    evening.join("Ana", "Ben")
    return evening.do("p2", "withdrawal", {}, by="p1")


@story("still-in-use")
def _(evening: Evening) -> Answer:
    venue = evening.venue()
    evening.begin(*evening.join("Ana", "Ben"))
    return evening.post(f"/venues/{venue}/closing", {"reason": "no light"})


@story("csv-refused")
def _(evening: Evening) -> Answer:
    return evening.post("/players/csv", b"player,shoe\nAna,43\n", Content_Type="text/csv")


@pytest.mark.parametrize("code", sorted(STORIES))
def test_a_story_ends_with_its_refusal(evening, code):
    answer = STORIES[code](evening)
    kind = Kind(*PROBLEMS[code])
    assert answer.code == code
    assert answer.status == (422 if kind.names in SENT else kind.status)
    assert answer.body["type"] == f"/problems/{code}"


def test_an_id_is_announced_once(evening):
    """Over HTTP an id is made from the command, so that only a hash that came twice would lead here."""
    command = AnnounceTournament(name="Another", format="swiss", ruleset={})
    context = Context(
        By("op", "operator"),
        "2026-03-01T10:00:00.000Z",
        {"registration": EMPTY_HEAD},
        "registration",
        oracle_of(Tournament(), "registration"),
    )
    with pytest.raises(TournamentExists):
        HANDLERS[AnnounceTournament].decide(evening.state, command, context)


OF_COOP = {"party-refused", "party-unknown", "invitation-unknown"}
"""Refusals of co-operative events, which are met in tests/coop."""
OF_CAMPAIGNS = {"group-locked", "group-missing", "ruleset-move-refused", "rounds-by-option"}
"""Refusals of campaigns, which are met in tests/campaign/services."""

OF_SEASONS = {
    "tournament-gathered",
    "tournament-not-for-season",
    "tournament-not-gathered",
    "entry-unknown",
    "entry-claimed",
    "identity-merged",
    "identities-met",
    "identity-not-merged",
    "division-unknown",
    "season-not-over",
}
"""Refusals of seasons, which are met in tests/season."""


def test_every_refusal_of_the_table_is_met():
    assert set(STORIES) | {"tournament-exists", "name-not-free"} | OF_COOP | OF_CAMPAIGNS | OF_SEASONS == set(PROBLEMS)


ROOMS = ["services.registration", "shared.service", "shared.log", "shared.tournament"]


OF_RULES = {"player-not-away"}
"""Refusals of what a rule asks by itself: no request is answered with them, an audit is."""
OF_ROUNDS = {PublicationPast.code, PublicationNotDue.code, "part-unknown"}
"""Refusals of times and parts of rounds that pairing and scoring alone take, though `shared` decides them."""


def test_every_refusal_that_the_code_raises_is_in_a_table():
    assert unlisted(merge([HANDLING, PROBLEMS]), ROOMS).keys() == OF_RULES | OF_ROUNDS


SENT = ("venue", "table", "invitation", "entry", "form")
"""What these stories name in a body or a query."""


def test_no_table_repeats_another():
    assert not set(PROBLEMS) & (set(HANDLING) | set(EDGE))


# What handling and the rules refuse, met here.


def test_a_cancelled_tournament_is_over(evening):
    evening.post("/cancellation", {"reason": "the hall is flooded"})
    answer = evening.enter("Ana")
    assert (answer.status, answer.code) == (409, "tournament-over")


def test_no_tournament_of_this_id(club: Club):
    nowhere = club.tournament("t-nowhere")
    for answer in (nowhere.get(), nowhere.get("/players"), nowhere.get("/log"), nowhere.post("/registration/close")):
        assert (answer.status, answer.code) == (404, "tournament-unknown")
    assert club.log("t-nowhere") == []


@pytest.mark.parametrize(
    ("announcement", "code", "places"),
    [
        ({"ruleset": "chess"}, "unknown-ruleset", None),
        ({"ruleset": "star-wars-armada-1.1", "options": {"sos": "guess"}}, "ruleset-option-refused", ["/options/sos"]),
        ({"ruleset": "star-wars-armada-1.1", "options": {"hue": "red"}}, "ruleset-option-refused", ["/options/hue"]),
        ({"ruleset": "star-wars-armada-1.1", "tier": "galactic"}, "invalid-request", ["/tier"]),
        ({"pack": {"id": "mine"}}, "ruleset-refused", None),
        ({}, "invalid-request", ["/ruleset"]),
        ({"ruleset": "star-wars-armada-1.1", "pack": {}}, "invalid-request", ["/ruleset"]),
        ({"ruleset": "star-wars-armada-1.1", "starts_on": "31.3.2026"}, "invalid-request", ["/starts_on"]),
        ({"ruleset": "star-wars-armada-1.1", "capacity": 1}, "invalid-request", ["/capacity"]),
        ({"ruleset": "star-wars-armada-1.1", "colour": "red"}, "invalid-request", ["/colour"]),
    ],
)
def test_an_announcement_that_does_not_hold_together(club: Club, announcement, code, places):
    answer = club.ask("POST", "/tournaments", {"name": "Open", **announcement}, token=club.token("operator"))
    assert answer.code == code, answer
    if places is not None:
        assert answer.places == places


def test_a_roster_larger_than_any_needs_to_be(evening):
    evening.join("Ana")
    crowd = [{"name": "x" * 3000, "points": 0} for _ in range(100)]
    answer = evening.do("p1", "roster", {"roster": {**FLEET, "squadrons": FLEET["squadrons"] + crowd}})
    assert (answer.status, answer.code) == (413, "roster-too-large")
    assert evening.player("p1")["roster"] == ""


def test_more_groups_kept_apart_than_one_event_holds(announce):
    evening = announce(tier="casual")
    players = evening.join(*(f"Player {number}" for number in range(100)))
    answer = evening.post("/kept-apart", {"groups": [players] * 600})
    assert (answer.status, answer.code) == (413, "event-too-large")
    assert evening.state.entries.kept_apart == []


def test_a_tournament_with_an_own_ruleset(club: Club):
    pack = {**to_json(shipped_ruleset("star-wars-armada-1.1")), "id": "house-rules-1"}
    pack.pop("chosen", None)
    answer = club.ask("POST", "/tournaments", {"name": "House rules", "pack": pack}, token=club.token("operator"))
    assert answer.status == 201, answer
    assert club.tournament(answer.body["id"]).get().body["ruleset"]["id"] == "house-rules-1"
