"""The waiting list: who waits where, who moves up, and what the player who waits is told."""

from __future__ import annotations

import re

import pytest

from tests.console_pages.test_join import open_event


def version(page: str) -> str:
    return re.search(r'name="version" value="([^"]+)"', page)[1].replace("&#34;", '"')


@pytest.fixture
def event(organiser) -> str:
    """Two seats, and two who wait."""
    event = open_event(organiser, capacity="2")
    organiser.send(f"{event}/players", players="Ana\nBen\nCy <i>; Reds\nDi")
    return event


def test_who_waits_is_listed_in_order_and_moves_up_into_a_seat_that_is_given_up(organiser, event):
    organiser.open(f"{event}/players")
    assert organiser.shows("Waiting list: 2")
    organiser.open(f"{event}/waiting")
    assert organiser.shows(
        "2 players are waiting", "2 of 2 seats", "Cy &lt;i&gt;", "Reds", "gets the next seat", "Di", "no free seat"
    )
    organiser.send(f"{event}/player/p1", do="withdraw", reason="")
    organiser.open(f"{event}/waiting")
    assert organiser.shows("1 player is waiting", "Di", "gets the next seat")
    assert not organiser.shows("Cy")

    assert not organiser.shows("Cy &lt;i&gt;")


def test_a_seat_is_added_by_hand_for_the_first_and_two_who_do_so_at_once_add_one(organiser, event):
    organiser.open(f"{event}/waiting")
    stale, known = organiser.page, version(organiser.page)
    organiser.send(seats="3", version=known)
    assert organiser.shows("1 player is waiting", "3 of 3 seats", "There are 3 seats now")
    organiser.page = re.sub(r'name="key" value="[^"]+"', 'name="key" value="another"', stale)
    assert organiser.send(seats="3", version=known).status_code == 412
    assert organiser.shows("3 of 3 seats", "Someone else changed this first")
    assert organiser.send(seats="many", version=version(organiser.page)).status_code == 422


def test_a_guest_sees_the_place_on_the_waiting_list_before_and_after_sign_up(organiser, guest, event):
    guest.open(f"{event}/join")
    assert guest.shows("The event is full", "You would be number 3 on the waiting list")
    guest.send(name="Zoe")
    assert guest.shows("You are number 3 on the waiting list")
    organiser.send(f"{event}/player/p3", do="withdraw", reason="")
    guest.open(f"{event}/table")
    assert guest.shows("You are number 2 on the waiting list")


def test_an_empty_waiting_list_says_so_and_guests_change_nothing(organiser, guest):
    event = open_event(organiser)
    organiser.open(f"{event}/waiting")
    assert organiser.shows("No one is waiting.")
    guest.open(f"{event}/waiting")
    assert guest.send(seats="9").status_code == 200
    organiser.open(f"{event}/settings")
    assert not organiser.shows('name="capacity" type="text" value="9"')


def test_a_chosen_one_is_given_a_seat_after_a_look_at_who_is_passed_over_and_it_is_taken_back(organiser, event):
    organiser.open(f"{event}/waiting?give=p4")
    assert organiser.shows("No seat is free, so one is added: 3 instead of 2", "1 player who has waited longer")
    known = {"give": "p4", "more": "yes"}
    assert organiser.send(**known, reason="").status_code == 422
    assert organiser.shows("Enter a reason")
    assert organiser.send(**known, reason="helps <b>at</b> the desk").status_code == 200
    assert organiser.shows("1 player is waiting", "3 of 3 seats", "Cy &lt;i&gt;", "Di has a seat")
    undo = organiser.page.split('name="undo" value="')[1].split('"')[0]
    organiser.send(f"{event}/undo", undo=undo, back=f"{event}/waiting")
    organiser.open(f"{event}/waiting")
    assert organiser.shows("2 players are waiting", "2 of 2 seats")


def test_a_seat_that_was_free_on_the_page_and_is_gone_is_refused_and_guests_give_none(organiser, guest, event):
    organiser.open(f"{event}/waiting?give=p4")
    assert organiser.send(give="p4", reason="first to ask").status_code == 409
    assert organiser.shows("2 players are waiting", "seats are taken")
    organiser.open(f"{event}/waiting?give=p9")
    assert not organiser.shows("A seat for")
    guest.open(f"{event}/waiting?give=p4")
    assert not guest.shows("Give a seat", "A seat for")
    guest.send(give="p4", more="yes", reason="me")
    organiser.open(f"{event}/waiting")
    assert organiser.shows("2 players are waiting", "2 of 2 seats")


def test_no_one_moves_up_once_round_1_is_paired(organiser, event):
    organiser.send(f"{event}/players/check-in", player=["p1", "p2"], venue="v1")
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    organiser.open(f"{event}/waiting")
    assert organiser.shows("Cy", "Round 1 is paired, so no one moves up any more")
    assert not organiser.shows("Add a seat")
