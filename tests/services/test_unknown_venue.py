"""Lists that are limited to a venue: which ones are, what they count, and how an unknown venue is refused."""

from __future__ import annotations

import re

import pytest

from shared.settings import SERVICES
from tests.fuzz.muster import Evening, Muster, documents

CAMPAIGN, COOP = "fallout-skirmish", "atomic-bonds"

OPERATIONS = [
    (service, path, asking["get"])
    for service in SERVICES
    for path, asking in sorted(documents()[service]["paths"].items())
    if "get" in asking
]


def has_venue(operation: dict) -> bool:
    return any((one.get("name"), one.get("in")) == ("venue", "query") for one in operation.get("parameters", ()))


ASKING = [(service, path) for service, path, operation in OPERATIONS if has_venue(operation)]

WITHOUT_VENUE = {
    "list_forms": "of the ruleset",
    "list_ruleset_moves": "of the ruleset",
    "list_webhooks": "of the tournament",
    "show_bracket": "the bracket, which all venues share",
    "list_gathered": "of a season: its tournaments have venues of their own",
    "list_identities": "of a season",
    "show_season_standings": "of a season",
    "show_results_taken": "of a season",
    "show_division_moves": "of a season",
    "show_final": "of a season",
}
"""Lists of a tournament that have no filter by venue, and what they are of."""
OF_ONE_THING = re.compile(r"\{(?!tournament|round|form)\w+\}")
"""In the path of a list of one player, game, group or session."""


def lists_items(service: str, operation: dict) -> bool:
    """Return True if an operation answers a list: an object with `items`."""
    schema = operation["responses"]["200"].get("content", {}).get("application/json", {}).get("schema", {})
    name = schema.get("$ref", "").rpartition("/")[2]
    known = documents()[service]["components"]["schemas"].get(name, schema)
    return "items" in known.get("properties", {})


def test_every_list_of_a_tournament_can_be_limited_to_a_venue() -> None:
    lists = {
        operation["operationId"]: has_venue(operation)
        for service, path, operation in OPERATIONS
        if "{tournament}" in path and not OF_ONE_THING.search(path) and lists_items(service, operation)
    }
    lacking = {name for name, limited in lists.items() if not limited}
    assert lacking == set(WITHOUT_VENUE)
    assert len(lists) - len(lacking) >= 15


@pytest.fixture(scope="module")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Muster:
    return Muster(tmp_path_factory.mktemp("venues"))


@pytest.fixture(scope="module")
def evening(muster: Muster) -> Evening:
    """A Swiss evening with round 1 closed; all players are in the first of two halls."""
    return muster.evening(until="between")


@pytest.fixture(scope="module")
def evenings(muster: Muster, evening: Evening) -> list[Evening]:
    """One tournament of each format that has venues."""
    return [evening, muster.announce(ruleset=CAMPAIGN, rounds=None), muster.announce(ruleset=COOP, rounds=None)]


def addressed(evening: Evening, path: str) -> str:
    form = "score-sheet" if "{form}" not in path else evening.ask("GET", "scoring", "/forms").body["items"][0]["id"]
    return path.replace("{tournament}", evening.id).replace("{round}", "1").replace("{form}", form)


@pytest.mark.parametrize(("service", "path"), ASKING)
def test_an_unknown_venue_is_refused(evenings: list[Evening], service: str, path: str) -> None:
    answers = []
    for evening in evenings:
        if "{form}" in path and evening is not evenings[0]:
            continue
        within = f"&tournament={evening.id}" if "{tournament}" not in path else ""
        address = f"{addressed(evening, path)}?venue=v99{within}"
        answer = evening.muster.ask("GET", service, address, token=evening.token("organiser"))
        if answer.code != "wrong-format":
            answers.append((answer.status, answer.code, answer.places))
    assert answers
    assert set(map(str, answers)) == {str((422, "venue-unknown", ["/venue"]))}, answers


COUNTED = [
    ("pairing", "/rounds/1", ("games", "open", "total"), (6, 0, 7)),
    ("scoring", "/games?round=1", ("total",), (7,)),
    ("registration", "/players?status=active", ("total",), (13,)),
    ("scoring", "/standings", ("total",), (13,)),
]


@pytest.mark.parametrize(("service", "rest", "members", "whole"), COUNTED)
def test_counts_are_those_of_the_venue(evening: Evening, service, rest, members, whole) -> None:
    joined = "&" if "?" in rest else "?"
    everywhere, hall, attic = (
        evening.ask("GET", service, rest + limit).body for limit in ("", f"{joined}venue=v1", f"{joined}venue=v2")
    )
    counts = [tuple(one[name] for name in members) for one in (everywhere, hall, attic)]
    assert counts == [whole, whole, (0,) * len(members)]


def test_rounds_count_the_games_of_the_venue(evening: Evening) -> None:
    for venue, games in (("", 6), ("?venue=v1", 6), ("?venue=v2", 0)):
        (listed,) = evening.ask("GET", "pairing", f"/rounds{venue}").body["items"]
        assert (listed["games"], listed["open"]) == (games, 0)


@pytest.mark.parametrize(
    ("service", "rest", "here"),
    [("pairing", "/tables", ["v1"]), ("scoring", "/awards", ["a1"]), ("registration", "/parties", None)],
)
def test_lists_without_pages_are_limited(evening: Evening, service, rest, here) -> None:
    found = [evening.ask("GET", service, f"{rest}?venue={venue}") for venue in ("v1", "v2")]
    if here is None:
        assert {answer.code for answer in found} == {"wrong-format"}
    else:
        assert [item["id"] for item in found[0].body["items"]] == here
        assert here[0] not in [item["id"] for item in found[1].body["items"]]


def test_the_file_of_players_is_limited(evening: Evening) -> None:
    files = [evening.ask("GET", "registration", f"/players/csv?venue={venue}").text for venue in ("v1", "v2")]
    assert [len(file.splitlines()) for file in files] == [16, 1]
