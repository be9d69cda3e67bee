"""Actions of staff that are rarer than a result: who may do them does, and the log says so; others are refused.

One row is one action. Each is sent three times: with bad input, by a role that may not, and as it should be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec import Struct

from tests.console_pages.conftest import Browser
from tests.console_pages.small_event import FACTIONS, SmallEvent

WON = {"points_1": 150, "points_2": 99}


class Action(Struct, frozen=True):
    """An action. make: makes its event. page, fields: where its form is, and what is sent.

    service, event: what is recorded then. says: the message. bad: fields that are refused, and words of the answer.
    role, claims: who may not. undone: type of the event that Undo appends; empty if there is no Undo.
    """

    make: Callable[..., SmallEvent]
    page: str
    fields: Mapping[str, Any]
    service: str
    event: str
    says: str
    bad: Mapping[str, Any]
    faulty: str
    role: str = "referee"
    claims: Mapping[str, Any] = {}
    undone: str = ""


def played(services, app, **more) -> SmallEvent:
    return SmallEvent(services, app, **more).pair().report(**WON)


def closed(services, app) -> SmallEvent:
    return played(services, app).close()


def awarded(services, app) -> SmallEvent:
    small = SmallEvent(services, app)
    small.asked.scoring.give_award(small.id, name="Best painted", player="p2", reason="the <dragon>")
    return small


def tied(services, app) -> SmallEvent:
    """Both winners of round 1 are equal in everything, and so are both losers."""
    small = SmallEvent(services, app, ruleset=FACTIONS).pair(scenario="Melee")
    return small.report(points_1=12, points_2=4).close()


def with_spare(services, app) -> SmallEvent:
    return SmallEvent(services, app, ruleset=FACTIONS).appoint("Sam", "spare")


def known(services, app) -> SmallEvent:
    small = SmallEvent(services, app)
    entry = {"name": "Eve", "contact": {"email": "eve@example.org", "phone": "123"}}
    small.asked.registration.join_players(small.id, players=[entry])
    return small


def order_of_tie(browser: Browser) -> dict[str, Any]:
    """The fields of the first tie, turned round."""
    form = next(form for form in browser.page.split("<form") if "place_" in form).split("</form>")[0]
    names = re.findall(r'name="(place_p\d+)"', form)
    part = re.search(r'name="part" value="([^"]+)"', form)[1]
    return {"part": part, **{name: len(names) - place for place, name in enumerate(names)}}


ACTIONS = {
    "void a result": Action(
        played, "games/r1g1/voiding", {"reason": "that was table 2"}, "scoring", "ResultVoided", "The result is void",
        {"reason": ""}, "Enter a reason", role="player", claims={"player": "p1"}, undone="ResultReported",
    ),
    "reopen a round": Action(
        closed, "round/1/reopening", {"reason": "too early"}, "scoring", "RoundReopened", "Round 1 is open again",
        {"reason": ""}, "Enter a reason", undone="RoundClosed",
    ),
    "withdraw an award": Action(
        awarded, "awards/a1/withdrawal", {"reason": "wrong army"}, "scoring", "AwardWithdrawn", "Award withdrawn",
        {"reason": "x" * 501}, 'id="reason-f"', undone="AwardGiven",
    ),
    "keep players apart": Action(
        SmallEvent, "apart", {"players": "Ana\nb"}, "registration", "PlayersKeptApart", "Kept apart",
        {"players": "Ana\nNobody"}, "No player is named Nobody", undone="PlayersKeptApart",
    ),
    "reserve a table": Action(
        SmallEvent, "player/p2/table", {"do": "reserve", "venue": "v1", "table": "3", "reason": "a wheelchair"},
        "registration", "PlayerPinned", "Table 3 is reserved for Ben",
        {"do": "reserve", "venue": "v1", "table": "99"}, 'value="99"', role="player", claims={"player": "p1"},
        undone="PlayerUnpinned",
    ),
    "erase personal data": Action(
        known, "player/p5/erasure", {"sure": "yes"}, "registration", "PersonalDataErased",
        "The personal data are erased", {}, "Tick this first",
    ),
    "have a spare stand by": Action(
        with_spare, "spare", {"staff": "s1", "do": "offer"}, "pairing", "SpareAvailable", "Sam stands by",
        {"staff": "s9", "do": "offer"}, "Nothing was saved", undone="SpareUnavailable",
    ),
    "enter a coin toss": Action(
        tied, "ties", {}, "scoring", "CoinEntered", "The order of the coin toss is recorded", {}, "is given twice",
    ),
}  # fmt: skip


@pytest.fixture(params=ACTIONS)
def action(request: pytest.FixtureRequest) -> Action:
    return ACTIONS[request.param]


def test_a_rare_action_is_done_recorded_and_undone(services, app, action):
    small = action.make(services, app)
    page, organiser = f"{small.page}/{action.page}", small.browser("organiser")
    assert organiser.open(page).status_code == 200
    fields, bad = dict(action.fields), dict(action.bad)
    if action.event == "CoinEntered":
        fields = order_of_tie(organiser)
        bad = {name: value if name == "part" else 1 for name, value in fields.items()}

    before = len(small.recorded(action.service))
    assert organiser.send(page, **bad).status_code in (404, 422)
    assert organiser.shows("Nothing was saved. Please check:", action.faulty)
    assert len(small.recorded(action.service)) == before

    organiser.open(page)
    assert organiser.send(page, **fields).status_code == 200
    assert organiser.shows(action.says)
    new = small.recorded(action.service)[before:]
    assert action.event in [event["type"] for event in new]
    assert {json.loads(event["actor"])["role"] for event in new} <= {"organiser", "rule"}

    if not action.undone:
        assert 'name="undo"' not in organiser.page
        return
    undo = re.search(r'name="undo" value="([^"]+)"', organiser.page)[1]
    organiser.send(f"{small.page}/undo", undo=undo, back=page)
    assert organiser.shows("Undone.")
    assert action.undone in [event["type"] for event in small.recorded(action.service)[before + len(new) :]]


def test_a_rare_action_is_refused_for_other_roles(services, app, action):
    small = action.make(services, app)
    page, other = f"{small.page}/{action.page}", small.browser(action.role, **action.claims)
    before = len(small.recorded(action.service))
    shown = other.open(page).status_code
    assert shown == (200 if action.page == "ties" else 403)  # anyone may see how a tie was drawn
    other.open(f"{small.page}/standings")
    assert other.send(page, **action.fields).status_code == 403
    guest = Browser(app)
    guest.open("/sign-in")
    assert guest.send(page, **action.fields).status_code == 403
    assert len(small.recorded(action.service)) == before


def part_closed(services, app) -> SmallEvent:
    """Two venues that are paired apart; the library has closed its part of round 1."""
    small = SmallEvent(services, app, pairing_scope="venue")
    register = small.asked.registration
    register.open_venue(small.id, name="Library", tables=2)
    register.join_players(small.id, players=[{"name": name, "venue": "v2"} for name in ("Eve", "Fay")])
    small.pair().report(**WON)
    small.asked.scoring.close_round(small.id, 1, venue="v2")
    return small


def test_the_part_of_a_venue_is_reopened_by_its_head_referee(services, app):
    small = part_closed(services, app)
    small.appoint("Lee", "head_referee", venue="v2")
    page = f"{small.page}/round/1/reopening"
    lee = small.browser("head_referee", actor="s1", venue="v2")
    lee.open(f"{small.page}/round")
    assert lee.shows(f'href="{page}"')
    lee.open(page)
    assert 'name="venue"' not in lee.page
    assert lee.send(page, reason="one game was missing").status_code == 200
    assert lee.shows("Round 1 is open again")
    event = small.recorded("scoring")[-1]
    assert (event["type"], event["data"]["venue"]) == ("RoundReopened", "v2")
    undo = re.search(r'name="undo" value="([^"]+)"', lee.page)[1]
    lee.send(f"{small.page}/undo", undo=undo, back=page)
    assert small.recorded("scoring")[-1]["type"] == "PartClosed"


def test_an_organiser_chooses_what_to_reopen(services, app):
    small = part_closed(services, app)
    organiser, page = small.browser("organiser"), f"{small.page}/round/1/reopening"
    organiser.open(page)
    assert organiser.shows("the whole round", "Library")
    assert organiser.send(page, venue="v2", reason="").status_code == 422
    assert organiser.shows('<option value="v2" selected>Library')
    organiser.send(page, venue="v2", reason="too early")
    assert small.recorded("scoring")[-1]["data"]["venue"] == "v2"


@pytest.mark.parametrize(
    ("make", "page", "says"),
    [
        (lambda services, app: closed(services, app), "games/r1g1/voiding", "Reopen round 1…"),
        (lambda services, app: played(services, app), "round/1/reopening", "not closed"),
        (lambda services, app: closed(services, app).pair(2), "round/1/reopening", "Correct the result instead."),
    ],
)
def test_what_cannot_be_taken_back_says_why_and_has_no_button(services, app, make, page, says):
    small = make(services, app)
    organiser = small.browser("organiser")
    assert organiser.open(f"{small.page}/{page}").status_code == 200
    assert organiser.shows(says)
    assert 'name="reason"' not in organiser.page
    assert organiser.send(f"{small.page}/{page}", reason="again").status_code == 409


def test_a_player_erases_own_data_and_no_one_elses(services, app):
    small = known(services, app)
    eve = small.browser("player", player="p5")
    eve.open(f"{small.page}/leave")
    assert eve.shows(f'href="{small.page}/player/p5/erasure"')
    eve.open(f"{small.page}/player/p5/erasure")
    assert eve.shows("What stays, for everyone to see", "the public name Eve")
    eve.send(sure="yes")
    assert small.recorded("registration")[-1]["type"] == "PersonalDataErased"
    assert eve.open(f"{small.page}/player/p5/erasure").status_code == 200
    assert eve.shows("No personal data of this player are stored.")
    assert eve.open(f"{small.page}/player/p1/erasure").status_code == 403
    eve.open(f"{small.page}/player/p5/erasure")
    assert eve.send(f"{small.page}/player/p1/erasure", sure="yes").status_code == 403


def test_groups_kept_apart_are_listed_for_the_head_referee_and_changed_by_organisers_alone(services, app):
    small = SmallEvent(services, app)
    small.asked.registration.keep_apart(small.id, groups=[["p1", "p3"]])
    head = small.browser("head_referee")
    head.open(f"{small.page}/players")
    assert head.shows(f'href="{small.page}/apart"')
    head.open(f"{small.page}/apart")
    assert head.shows("Ana", "Cy")
    assert "Add a group" not in head.page
    assert 'value="remove"' not in head.page
    head.open(f"{small.page}/round")
    assert head.shows("1 group is kept apart")
    assert head.send(f"{small.page}/apart", do="remove", group="p1 p3").status_code == 403
    organiser = small.browser("organiser")
    organiser.open(f"{small.page}/apart")
    organiser.send(do="remove", group="p1 p3")
    assert organiser.shows("No one is kept apart.", "The players are no longer kept apart.")
    small.asked.registration.keep_apart(small.id, groups=[["p1", "p3"]])
    small.pair()
    organiser.open(f"{small.page}/apart")
    assert organiser.shows("Ana", "Cy", "Round 1 is paired.")
    assert 'value="remove"' not in organiser.page


UNDO = re.compile(r'name="undo" value="([^"]+)"')


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("voided the result.", "It no longer counts", "Report the result")),
        ("de", ("hat das Ergebnis gestrichen.", "Es zählt nicht mehr", "Ergebnis melden")),
    ],
)
def test_the_phones_of_a_voided_game_say_who_voided_it_and_why_until_it_has_a_result(services, app, language, words):
    small = SmallEvent(services, app).pair()
    game = small.asked.pairing.show_round(small.id, 1).pairings[0]
    phones = [small.browser("player", player=player) for player in (game.player_1, game.player_2)]
    for phone in phones:
        phone.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
        phone.open(f"{small.page}/table")
        assert 'id="voided"' not in phone.page
    small.report(**WON)
    small.asked.scoring.void_result(small.id, game.id, reason="that was <i>table 2")
    for phone in phones:
        phone.open(f"{small.page}/table")
        assert phone.shows('id="voided"', words[0], "that was &lt;i&gt;table 2", *words[1:])
    phones[0].send(do="report", points_1="150", points_2="129", end="rounds")
    phones[1].open(f"{small.page}/table")
    assert 'id="voided"' not in phones[0].page + phones[1].page


def test_the_history_says_that_a_voiding_was_undone(services, app):
    small = played(services, app)
    organiser, game = small.browser("organiser"), f"{small.page}/games/r1g1"
    organiser.open(f"{game}/voiding")
    organiser.send(reason="that was table 2")
    organiser.send(f"{small.page}/undo", undo=UNDO.search(organiser.page)[1], back=game)
    organiser.open(game)
    assert organiser.shows("voided the result", "undid the voiding: 150 : 99.", "confirmed it.")
    small.asked.scoring.void_result(small.id, "r1g1", reason="again")
    small.asked.scoring.report_result(small.id, "r1g1", facts={"points_1": 140, "points_2": 99})
    organiser.open(game)
    assert organiser.shows("voided the result", "undid the voiding", "voided the result", "entered 140 : 99.")
    assert organiser.page.count("undid the voiding") == 1


def test_a_dispute_needs_a_reason_and_its_field_says_so(services, app):
    small = SmallEvent(services, app).pair()
    game = small.asked.pairing.show_round(small.id, 1).pairings[0]
    first, second = (small.browser("player", player=player) for player in (game.player_1, game.player_2))
    first.open(f"{small.page}/table")
    first.send(do="report", points_1="150", points_2="129", end="rounds")
    second.open(f"{small.page}/table")
    assert second.shows("No, that is wrong", "What is wrong? (required)", 'aria-required="true"')
    assert second.send(do="dispute", reason="").status_code == 422
    assert second.shows("Say briefly what is wrong, for the referee.")


def test_phones_offer_a_concession_and_staff_a_no_show(services, app):
    small = SmallEvent(services, app).pair()
    phone, organiser = small.browser("player", player="p1"), small.browser("organiser")
    phone.open(f"{small.page}/table")
    assert phone.shows("<summary>Conceded</summary>")
    organiser.open(f"{small.page}/games/r1g1")
    assert organiser.shows("<summary>Conceded or no-show</summary>")


def test_a_closed_round_does_not_say_when_it_ends(services, app):
    small = SmallEvent(services, app).pair()
    organiser = small.browser("organiser")
    organiser.open(f"{small.page}/round")
    assert organiser.shows(", ends <time")
    small.report(**WON).close()
    organiser.open(f"{small.page}/round?round=1")
    assert organiser.shows("started <time")
    assert not organiser.shows(", ends <time")


@pytest.mark.parametrize(("rounds", "asked"), [(1, False), (3, True)])
def test_prize_giving_shows_points_and_asks_for_a_reason_only_before_the_last_round(services, app, rounds, asked):
    small = played(services, app, rounds=rounds).close()
    organiser = small.browser("organiser")
    organiser.open(f"{small.page}/awards")
    row = small.asked.scoring.show_standings(small.id).items[0]
    assert organiser.shows(
        "Top players", "Tournament points", row.name, f'<td class="num">{row.values["tournament_points"]}</td>'
    )
    assert ("Why it ends early" in organiser.page) is asked
