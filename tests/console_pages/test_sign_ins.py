"""Several sign-ins in one browser: a link asks before it replaces one, and no player's pushes out that of staff."""

from __future__ import annotations

import re

import pytest

from services.console.signed_in import EVERY_EVENT, MOST, Person, acting_at, add_sign_in, replaced_by
from tests.console_pages.conftest import Browser, signed_in
from tests.console_pages.test_evening import announced

OPERATOR = Person("o", "operator", "op", EVERY_EVENT)
ORGANISER = Person("s", "organiser", "org", "t-1")
ANA = Person("a", "player", "p1", "t-1", "p1")
BEN = Person("b", "player", "p2", "t-1", "p2")


def player(number: int) -> Person:
    return Person(f"x{number}", "player", "p1", f"t-{number}", "p1")


def test_a_player_makes_room_among_players_and_never_among_staff():
    staff = [OPERATOR, ORGANISER]
    held = [*staff, *map(player, range(10, 10 + MOST - 2))]
    for number in range(20, 30):
        held = add_sign_in(held, player(number))
    assert held == [*staff, *map(player, range(30 - MOST + 2, 30))]
    full = [Person(f"s{number}", "referee", "s1", f"t-{number}") for number in range(50, 50 + MOST)]
    assert add_sign_in(full, ANA) is None
    assert add_sign_in(full, ORGANISER) == [*full[1:], ORGANISER]
    assert replaced_by(full, ORGANISER) == full[:1]


@pytest.mark.parametrize(
    ("held", "new", "replaced"),
    [
        ([], ANA, []),
        ([ANA], ANA, []),
        ([ANA], player(2), []),
        ([ORGANISER], player(2), []),
        ([ANA], BEN, [ANA]),
        ([ORGANISER], ANA, [ORGANISER]),
        ([OPERATOR], ANA, [OPERATOR]),
        ([OPERATOR], ORGANISER, [OPERATOR]),
        ([ORGANISER, ANA], OPERATOR, [ANA]),
        ([ANA, ORGANISER], ANA, [ORGANISER]),
    ],
)
def test_a_sign_in_replaces_the_one_that_acts_where_it_would(held, new, replaced):
    assert replaced_by(held, new) == replaced
    assert acting_at(add_sign_in(held, new), new.tournament) == new


def link_of(organiser: Browser, event: str, player: str) -> str:
    organiser.open(f"{event}/players")
    organiser.send(f"{event}/players/{player}", do="link")
    return re.search(rf"{event}/come-in\?token=[\w.-]+", organiser.page)[0]


def test_a_link_replaces_a_sign_in_only_after_confirmation_and_can_be_reversed(organiser):
    event = announced(organiser)
    link = link_of(organiser, event, "p1")
    for _ in range(2):
        organiser.open(link)
        assert organiser.shows("Continue as Ana?", "You are signed in as", "operator", "The link", "Ana")
        assert organiser.client.get(f"{event}/settings").status_code == 200
    unsigned = organiser.client.post(organiser.address, data={"token": link.partition("token=")[2]})
    assert unsigned.status_code == 400
    token = re.search(r'name="token" value="([^"]+)"', organiser.page)[1]
    organiser.send(token=token)
    assert organiser.address == f"{event}/table"
    assert organiser.shows("Switch", "Ana")
    assert organiser.client.get(f"{event}/settings").status_code == 403
    assert organiser.client.get("/operator").status_code == 200
    organiser.open("/sign-ins")
    assert organiser.shows("Ana", "Operator", "All events")
    operator = re.findall(r'name="sign_in" value="(\w+)"', organiser.page)[1]
    organiser.send(sign_in=operator, do="use")
    assert organiser.shows("You are now signed in as operator")
    assert organiser.client.get(f"{event}/settings").status_code == 200
    organiser.open("/sign-ins")
    ana = re.findall(r'name="sign_in" value="(\w+)"', organiser.page)[1]
    organiser.send(sign_in=ana, do="forget")
    assert organiser.shows("You are signed out as Ana.")
    assert "Switch" not in organiser.page


def test_links_of_any_number_of_foreign_events_push_no_staff_out(organiser, app, services):
    own = signed_in(app, services.token("operator"))
    for _ in range(MOST + 1):
        event = announced(organiser)
        own.open(link_of(organiser, event, "p1"))
        own.send(token=re.search(r'name="token" value="([^"]+)"', own.page)[1])
        assert own.address == f"{event}/table"
    assert own.client.get("/operator").status_code == 200


def test_the_link_of_a_second_player_asks_too_and_the_own_link_again_does_not(organiser, guest):
    event = announced(organiser)
    ana, ben = link_of(organiser, event, "p1"), link_of(organiser, event, "p2")
    for link in (ana, ana, link_of(organiser, event, "p1")):
        guest.open(link)
        assert guest.address == f"{event}/table"
    guest.open(ben)
    assert guest.shows("Continue as Ben?", "Ana")
    guest.open(f"{event}/table")
    assert guest.shows("Ana")
