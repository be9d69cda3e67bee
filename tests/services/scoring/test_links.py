"""Games reported with links that were issued to other people than the players."""

from __future__ import annotations

import pytest

from shared.roles import Via
from tests.services.scoring.story import Floor, score
from tests.services.story import NOBODY

FACTS = score(138, 105)


@pytest.fixture
def link(evening: Floor):
    """Return a player's link: their own, one requested by staff, or one from an entry by staff."""
    return lambda player, **handed: evening.club.token("player", evening.id, player=player, **handed)


def test_links_of_both_sides_from_one_issuer_are_shown(evening, link):
    evening.report("r1g1", FACTS, by=link("p1", via=Via("link", "s1")))
    evening.confirm("r1g1", by=link("p2", via=Via("link", "s1")))
    shown = evening.game("r1g1")
    assert (shown["status"], shown["both_links_of"]) == ("confirmed", "s1")
    told = evening.get("/games/r1g1/history", by=NOBODY).body["items"]
    assert [event["actor_text"] for event in told] == ["p1, player, by a link of s1", "p2, player, by a link of s1"]


def test_an_identical_report_counts_as_such_a_confirmation(evening, link):
    evening.report("r1g1", FACTS, by=link("p1", via=Via("link", "s1")))
    evening.report("r1g1", FACTS, by=link("p2", via=Via("entry", "s1")))
    assert evening.game("r1g1")["both_links_of"] == "s1"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({}, {}),
        ({"via": Via("link", "s1")}, {}),
        ({"via": Via("link", "s1")}, {"via": Via("link", "s2")}),
        ({"via": Via("entry", "organiser")}, {"via": Via("entry", "organiser")}),
    ],
)
def test_other_links_are_not_shown(evening, link, one, two):
    evening.report("r1g1", FACTS, by=link("p1", **one))
    evening.confirm("r1g1", by=link("p2", **two))
    assert evening.game("r1g1")["both_links_of"] == ""


def test_staff_confirm_under_their_own_name(evening, link):
    evening.report("r1g1", FACTS, by=link("p1", via=Via("link", "s2")))
    evening.confirm("r1g1", by="referee")
    told = evening.get("/games/r1g1/history", by=NOBODY).body["items"]
    assert [event["actor_text"] for event in told] == ["p1, player, by a link of s2", "s2, referee"]
