"""What an organiser does about players: files of them, their lists, and the prize-giving."""

from __future__ import annotations

import io
import re

from tests.console_pages.test_evening import FIELDS, announced, paired
from tests.services.registration.story import FLEET

LOOKED = re.compile(r'name="looked" value="(\w+)"')
ROWS = 5000
FAULTY = 40


def empty_event(organiser) -> str:
    organiser.open("/events/new")
    organiser.send(**FIELDS)
    return organiser.address.removesuffix("/players")


def test_a_file_is_previewed_and_players_are_only_added_after_that(organiser):
    event = empty_event(organiser)
    organiser.open(f"{event}/players/import")
    rows = "name,club\nAna,Reds\n<b>Ben</b>,\n"
    organiser.send(file=(io.BytesIO(b"\xef\xbb\xbf" + rows.encode()), "players.csv"), do="preview")
    assert organiser.shows("2 players to add", "Ana", "Reds", "&lt;b&gt;Ben", "Add 2 players")
    organiser.open(f"{event}/players")
    assert not organiser.shows("<bdi>Ana</bdi>")
    organiser.open(f"{event}/players/import")
    organiser.send(text=rows, do="preview")
    looked = LOOKED.search(organiser.page)[1]
    answer = organiser.send(text=rows.replace("Ana", "Eve"), looked=looked, do="send")
    assert answer.status_code == 422
    assert organiser.shows("No players were added", "have changed since the preview", "2 players to add", "Eve")
    organiser.send(text=rows.replace("\n", "\r\n"), looked=looked, do="send")
    assert organiser.shows("Ana", "2 players added")
    assert organiser.open(f"{event}/players.csv").get_data(as_text=True).startswith("player,name,faction,venue,club")


def test_every_fault_of_a_long_file_is_listed_by_row(organiser):
    event = empty_event(organiser)
    lines = [f"Player {number},Club" for number in range(ROWS)]
    for number in range(FAULTY):
        lines[number * 100] = "no club"
    organiser.open(f"{event}/players/import")
    answer = organiser.send(text="name,club\n" + "\n".join(lines), do="preview")
    assert answer.status_code == 422
    assert organiser.shows("No players were added", "40 errors")
    for number in range(FAULTY):
        assert f'<td class="num">{number * 100 + 2}</td>' in organiser.page
    assert organiser.shows("Add the 4,960 good rows")


def test_all_faults_are_listed_by_row_at_once_and_the_good_rows_are_added(organiser):
    event = empty_event(organiser)
    organiser.open(f"{event}/players")
    organiser.send(players="Old Bob")
    organiser.open(f"{event}/players/import")
    long = "x" * 300
    rows = f"Name;VENUE\nAna;library\nBen;Moon\nCy;\n;v1\n{long};\nCy;Library\nOld Bob;v1\nDee;V2\n"
    assert organiser.send(text=rows, do="preview").status_code == 422
    assert re.findall(r'<tr><td class="num">(\d*)</td>', organiser.page) == ["3", "4", "5", "6", "7", "8"]
    shown = ("Moon", "one of the open venues:", "same name as in row 7", "nothing", "x" * 59 + "…", "another player")
    assert organiser.shows("6 errors", *shown), organiser.page
    assert organiser.shows("2 players to add", "Ana", "Dee", "Add the 2 good rows")
    organiser.send(text=rows, looked=LOOKED.search(organiser.page)[1], do="send")
    assert organiser.shows("Ana", "Dee", "2 players added. 6 rows with errors were left out.")
    exported = organiser.open(f"{event}/players.csv").get_data(as_text=True)
    assert [line.split(",")[1:4:2] for line in exported.splitlines()[2:]] == [["Ana", "v2"], ["Dee", "v2"]]


def test_a_list_is_sent_back_with_a_word_and_accepted(organiser, services):
    event = announced(organiser)
    ours = organiser.client.application.extensions["muster-services"]
    token = services.token("operator")
    ours.acting_as(token).registration.submit_roster(event.split("/")[2], "p1", roster=FLEET)
    organiser.open(f"{event}/lists?state=accepted")
    assert organiser.shows("Ana")
    organiser.open(f"{event}/lists/p1")
    assert organiser.send(do="reject", note="").status_code == 422
    assert organiser.shows("Say why, so that the player can fix it")
    organiser.send(do="reject", note="a <proxy> too many")
    assert organiser.shows("The list was sent back")
    organiser.open(f"{event}/lists/p1")
    assert organiser.shows("Note from staff: a &lt;proxy&gt; too many")
    organiser.send(do="accept")
    organiser.open(f"{event}/lists?state=accepted")
    assert organiser.shows("Ana")


def test_awards_are_given_and_taken_back_and_the_event_concluded_once_it_was_looked_at(organiser):
    event = paired(organiser)
    organiser.open(f"{event}/awards")
    assert organiser.send(do="give", name="", player="p1").status_code == 422
    organiser.send(do="give", name="Best painted", player="p1", reason="that <ship>")
    assert organiser.shows("Best painted", "Ana", "that &lt;ship&gt;", "Award given: Best painted", "Undo")
    undo = organiser.page.split('name="undo" value="')[1].split('"')[0]
    organiser.send(f"{event}/undo", undo=undo, back=f"{event}/awards")
    assert organiser.shows("No awards yet", "Undone")
    assert organiser.send(do="conclude").status_code == 422
    assert organiser.shows("Nothing was saved. Please check:")


def test_a_forged_undo_or_one_for_another_event_does_nothing(organiser):
    event = announced(organiser)
    organiser.send(f"{event}/undo", undo="made-up", back="//example.org/")
    assert organiser.shows("can no longer be undone")
    assert organiser.address.startswith("/events/")
    organiser.open(f"{event}/players")
    assert organiser.send(f"{event}/undo", undo="made-up", back="//[").status_code == 200


def test_a_player_leaves_comes_back_by_undo_moves_and_is_disqualified_with_a_reason(organiser):
    event = paired(organiser)
    organiser.open(f"{event}/players")
    assert f'href="{event}/player/p1#leave"' in organiser.page
    assert organiser.page.count('value="drop"') == 1  # for selected players, with a reason
    organiser.open(f"{event}/player/p1")
    assert organiser.send(do="drop", reason="").status_code == 422
    assert organiser.shows(">active<", "Enter a reason")
    organiser.send(do="drop", reason="a train <to catch>")
    assert organiser.shows("dropped out", "Reinstate", "Ana has dropped out", "Undo")
    undo = organiser.page.split('name="undo" value="')[1].split('"')[0]
    organiser.send(f"{event}/undo", undo=undo, back=f"{event}/player/p1")
    assert organiser.shows("active", "Undone")
    library = organiser.page.split('">Library<')[0].rsplit('value="', 1)[1]
    organiser.send(do="move", venue=library)
    assert organiser.shows("Library", "changes venue from the next round")
    organiser.send(do="amend", name="Ana <b>Bell", club="Blues")
    assert organiser.shows("Ana &lt;b&gt;Bell", "Blues")
    assert organiser.send(do="disqualify", reason="").status_code == 422
    assert organiser.shows("Enter a reason", '<details class="panel" open>', 'id="why-f"')
    assert 'id="reason-f"' not in organiser.page, "the other form of the page has no fault"
    organiser.send(do="disqualify", reason="hit the table")
    assert organiser.shows("disqualified", "Revoke the disqualification")


def test_a_guest_sees_nothing_to_do_on_a_players_page(organiser, guest):
    event = announced(organiser)
    assert guest.open(f"{event}/player/p1").status_code in (401, 403)
    assert not guest.shows("Disqualify")


def test_an_event_is_concluded_early_with_a_reason_and_enter_only_looks(organiser):
    event = paired(organiser)
    for game in ("r1g1", "r1g2"):
        organiser.open(f"{event}/games/{game}")
        organiser.send(points_1="150", points_2="129", do="send")
    organiser.open(f"{event}/round")
    organiser.send(do="close", round=1)
    assert organiser.shows("Prize-giving", "Pair round 2")
    organiser.open(f"{event}/awards")
    organiser.send(do="preview", why="the hall <closes>")
    form = organiser.page.split('aria-labelledby="end"')[1]
    assert form.index('value="preview"') < form.index('name="why"') < form.index('value="conclude"')
    assert organiser.shows("this cannot be undone", "End for good")
    organiser.send(do="conclude", why="the hall <closes>")
    assert organiser.shows("The event is over. The standings are final.")
    assert not organiser.shows("End the event")


def test_the_players_are_listed_in_german(organiser):
    event = announced(organiser)
    page = organiser.client.get(f"{event}/players", headers={"Accept-Language": "de"}).get_data(as_text=True)
    for text in ("Spieler suchen", "4 dabei", "Spieler eintragen", "Ausstieg", "Siegerehrung"):
        assert text in page
    for text in ("Add players", "active", "not checked in", "Drop<"):
        assert text not in page


def test_a_guest_is_not_led_to_the_prize_giving(organiser, guest):
    event = announced(organiser)
    guest.open(f"{event}/players")
    assert not guest.shows("Prize-giving")
