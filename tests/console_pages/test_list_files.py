"""A list from a file, and one that staff saw on paper: filled in, judged, and every bad file refused at its field."""

from __future__ import annotations

import io
import json

import pytest
from httpx import ConnectError

from services.console.list_text import LARGEST_FILE, BadFile, as_file, read_file
from services.console.settings import LARGEST_FORM
from shared.formats.packs import shipped_ruleset
from tests.console_pages.test_lists_due import DUST, dust
from tests.console_pages.test_my_list import ARMADA, phone

__all__ = ["dust", "phone"]

RULES = shipped_ruleset(DUST).roster
FIELDS = dict(RULES.fields)
EXAMPLE = as_file(RULES.example, FIELDS)


def file(data: bytes | str, name: str = "army.txt"):
    return {"file": (io.BytesIO(data.encode() if isinstance(data, str) else data), name)}


@pytest.mark.parametrize("ruleset", [DUST, ARMADA, "fallout-factions-comp-1.0"])
def test_the_example_of_a_ruleset_as_a_file_is_read_again(ruleset, app):
    rules = shipped_ruleset(ruleset).roster
    with app.test_request_context():
        found = read_file(as_file(rules.example, rules.fields).encode(), rules.fields)
        told = read_file(json.dumps(rules.example).encode(), rules.fields)
    assert told.roster == rules.example
    assert {name: text.split() for name, text in found.texts.items()} == {
        name: text.split() for name, text in told.texts.items()
    }


@pytest.mark.parametrize("data", [EXAMPLE, "\ufeff" + EXAMPLE.replace("\n", "\r\n"), json.dumps(RULES.example)])
def test_staff_enter_the_list_of_a_player_from_a_file(organiser, dust, data):
    organiser.open(f"{dust}/lists/p1")
    assert organiser.shows("Use a file instead", "An example file", "army_total: 390")
    organiser.send(do="check", **file(data))
    assert organiser.shows("This list is legal. It is not saved yet.", 'value="390"', "Kommandotrupp; 40")
    organiser.send(do="send", **file(data))
    assert organiser.shows("missing: 2", "accepted: 1", "The list of Ana is saved.")


def test_a_player_hands_in_a_file(phone):
    ana, asked, event, players = phone(ARMADA)
    rules = shipped_ruleset(ARMADA).roster
    ana.send(do="send", **file(as_file(rules.example, rules.fields)))
    assert ana.shows("Your list is handed in.")
    assert asked.registration.show_roster(event, players[0].id).roster == rules.example


def test_faults_of_a_file_are_next_to_the_fields_that_it_filled(organiser, dust):
    organiser.open(f"{dust}/lists/p1")
    answer = organiser.send(do="send", **file(EXAMPLE.replace("390", "380")))
    assert answer.status_code == 422
    assert organiser.shows('value="380"', 'id="army_total-f"', "Kommandotrupp; 40")


BAD = {
    "empty": (b" \n\n", "The file is empty."),
    "utf-16": (EXAMPLE.encode("utf-16"), "Line 1 cannot be read as text. Save the file as plain text in UTF-8."),
    "bad bytes": (b"faction: Axis\n\xff\xfe\x00\x81 \xc3\x28", "Line 2 cannot be read as text."),
    "binary": (b"\x89PNG\r\n\x1a\n\x00\x00", "Line 1 cannot be read as text."),
    "zip": (b"PK\x03\x04\x14\x00", "Line 1 cannot be read as text."),
    "large": (b"faction: " + b"x" * LARGEST_FILE, "The file is larger than 64 KB."),
    "huge": (b"x" * (LARGEST_FORM + 1), "The file is larger than 64 KB."),
    "10 MB": (b"x" * 10_000_000, "The file is larger than 64 KB."),
    "no field": (b"faction: Axis\nhello\n", "Line 2: begin it with one of"),
    "unknown field": (b"fleet: 7", "Line 1: begin it with one of"),
    "field twice": (b"faction: Axis\nfaction: Allies", "Line 2: begin it with one of"),
    "bad entry": (b"faction: Axis\n\nunits: Ludwig; !", "Line 3 cannot be read; see the example."),
    "too many lines": (b"units: a\n" * 501, "Line 501 cannot be read; see the example."),
    "deep text": ("".join(f"{'  ' * n}units: a\n" for n in range(9)).encode(), "Line 7 cannot be read"),
    "not whole": (b"army_total: many", "Enter a whole number."),
    "half of JSON": (b'{"faction": "Axis", ', "The file begins like JSON, but it is not a JSON object."),
    "deep JSON": (b'{"units": ' + b"[" * 30_000, "The file begins like JSON, but it is not a JSON object."),
    "surrogate": (b'{"faction": "\\ud800"}', "The file begins like JSON, but it is not a JSON object."),
    "huge number": (b'{"army_total": 1e400}', "The file begins like JSON, but it is not a JSON object."),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.attack("a file that is no list")
def test_a_bad_file_is_refused_at_its_field(organiser, dust, name):
    data, text = BAD[name]
    organiser.open(f"{dust}/lists/p1")
    answer = organiser.send(do="send", **file(data))
    assert answer.status_code in (413, 422)
    assert organiser.shows("Nothing was saved. Please check:", text.replace('"', "&#34;"))
    organiser.open(f"{dust}/lists")
    assert organiser.shows("missing: 3")


@pytest.mark.parametrize(
    "roster",
    [
        {"army_total": 10**40},
        {"army_total": 1.5, "units": [{"name": ["x"]}]},
        {"units": [{"name": "a;b\nc", "points": -1}]},
        {"wings": 4},
        {"units": "many"},
        {"units": [[[[]]]]},
    ],
)
def test_json_that_is_no_list_of_these_rules_is_refused_with_what_was_sent(organiser, dust, roster):
    organiser.open(f"{dust}/lists/p1")
    assert organiser.send(do="send", **file(json.dumps(roster), "army.json")).status_code == 422
    assert organiser.shows("Nothing was saved. Please check:")


def test_a_large_file_on_the_phone_is_refused_at_its_field(phone):
    ana, *_ = phone(ARMADA)
    assert ana.send(do="send", **file(b"x" * 10_000_000)).status_code == 413
    assert ana.shows("The file is larger than 64 KB.", "Hand in the list")


def test_a_large_file_for_no_event_or_while_services_are_away_has_a_page(organiser, dust, monkeypatch):
    organiser.open(f"{dust}/lists/p1")
    for page in ("/events/t-000000000000/lists/p1", f"{dust}/lists/p99"):
        assert organiser.send(page, do="send", **file(b"x" * 10_000_000)).status_code == 413
        assert organiser.shows("That is more than 512 KB.")
        organiser.open(f"{dust}/lists/p1")
    http = organiser.client.application.extensions["muster-services"].connection.http

    def away(request):
        raise ConnectError("away")

    monkeypatch.setattr(http._transport, "handle_request", away)
    assert organiser.send(do="send", **file(b"x" * 10_000_000)).status_code in (413, 503)


def test_other_forms_that_are_too_large_have_a_page_of_their_own(organiser, dust):
    organiser.open(f"{dust}/players/import")
    assert organiser.send(text="x" * (LARGEST_FORM + 1)).status_code == 413
    assert organiser.shows("That is more than 512 KB.")


def test_a_file_reads_names_of_fields_in_any_case_and_entries_below_them(app):
    with app.test_request_context():
        found = read_file(b"Faction : Axis\nUNITS:\n  Ludwig; 75\n    options: Smoke\nunits: Wotan; 100", FIELDS)
        assert found.texts["faction"].strip() == "Axis"
        assert [line for line in found.texts["units"].splitlines() if line] == [
            "  Ludwig; 75", "    options: Smoke", "Wotan; 100",
        ]  # fmt: skip
        with pytest.raises(BadFile, match="Line 1"):
            read_file(b"  Ludwig; 75", FIELDS)


class TestPaper:
    """The whole way: accepted at the desk, paired, shown to everyone."""

    def accept(self, organiser, dust, player, **typed):
        organiser.open(f"{dust}/lists/{player}")
        return organiser.send(f"{dust}/lists/{player}", part="paper", **typed)

    def test_staff_accept_lists_on_paper_and_pair_round_1(self, organiser, dust):
        organiser.open(f"{dust}/lists/p1")
        assert organiser.shows("Accept the list on paper", "Total army points")
        for player in ("p1", "p2", "p3"):
            self.accept(organiser, dust, player, **{"paper-army_total": "390", "on_paper": "printed"})
            assert organiser.shows("is accepted on paper.")
        organiser.open(f"{dust}/lists?state=accepted")
        assert organiser.shows("accepted: 3", "seen on paper")
        organiser.open(f"{dust}/lists/p1")
        assert organiser.shows("Seen on paper by", "printed")
        organiser.open(f"{dust}/round")
        organiser.send(do="pair", round=1)
        assert organiser.shows("Round 1 of 3")

    def test_what_is_missing_is_named_at_its_field_and_what_was_typed_stays(self, organiser, dust):
        assert self.accept(organiser, dust, "p1", **{"paper-army_total": "39O", "on_paper": ""}).status_code == 422
        assert organiser.shows('value="39O"', "Enter a whole number.", "Say why the list is not entered.")
        assert self.accept(organiser, dust, "p1", on_paper="printed").status_code == 422
        assert organiser.shows('id="paper-army_total-f"', 'value="printed"')
        assert self.accept(organiser, dust, "p1", **{"paper-army_total": "999", "on_paper": "x"}).status_code == 422
        assert organiser.shows('id="paper-army_total-f"', "DW-ROS-4")

    def test_everyone_reads_that_a_list_was_seen_on_paper(self, organiser, guest, dust):
        self.accept(organiser, dust, "p1", **{"paper-army_total": "390", "on_paper": "printed"})
        guest.open(f"{dust}/history/p1")
        assert guest.shows("list seen on paper")
        guest.open(f"{dust}/history/p2")
        assert "seen on paper" not in guest.page


class TestPapersOfSeveral:
    """Papers of a whole hall: totals typed in a row, one reason, one button."""

    def test_totals_typed_in_a_row_accept_the_lists_of_all(self, organiser, dust):
        organiser.open(f"{dust}/lists")
        assert organiser.shows("Ana", 'name="paper-army_total.p1"', "Accept the lists on paper")
        totals = {f"paper-army_total.p{number}": "390" for number in (1, 2, 3)}
        organiser.send(part="paper", on_paper="printed", **totals)
        assert organiser.shows("3 lists are accepted on paper.")
        organiser.open(f"{dust}/lists?state=accepted")
        assert organiser.shows("accepted: 3", "seen on paper")
        assert 'name="on_paper"' not in organiser.page

    def test_faults_are_named_in_their_rows_and_nothing_is_saved(self, organiser, dust):
        organiser.open(f"{dust}/lists?state=none")
        rows = {"paper-army_total.p1": "390", "paper-army_total.p2": "999", "paper-army_total.p3": "39O"}
        assert organiser.send(part="paper", on_paper="printed", **rows).status_code == 422
        assert organiser.shows("Nothing was saved.", "missing: 3", 'value="390"', 'value="999"')
        assert organiser.shows('id="paper-army_total.p2-f"', 'value="39O"', "Enter a whole number.")

    @pytest.mark.parametrize(
        ("sent", "text"),
        [
            ({"on_paper": "printed"}, "Tick the players, or enter the totals of their lists."),
            ({"player": "p1", "on_paper": ""}, "Say why the list is not entered."),
            ({"player": "p1", "on_paper": "printed"}, 'id="paper-army_total.p1-f"'),
            ({"player": "p99", "on_paper": "printed"}, "Nothing was saved."),
            ({"player": "a/b", "on_paper": "printed"}, ""),
            ({"paper-army_total.": "390", "on_paper": "printed"}, ""),
        ],
    )
    def test_what_is_missing_is_named(self, organiser, dust, sent, text):
        organiser.open(f"{dust}/lists?state=none")
        assert organiser.send(part="paper", **sent).status_code in (404, 422)
        assert organiser.shows(text)
        organiser.open(f"{dust}/lists")
        assert organiser.shows("missing: 3")
