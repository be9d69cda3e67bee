"""An event is announced from one page, from scratch or as a copy of a past one."""

from __future__ import annotations

import re

from tests.console_pages.test_evening import FIELDS

ARMADA = {**FIELDS, "options_of": "star-wars-armada-1.1", "tier": "casual", "option_sos": "tome"}
ARMADA |= {"option_fleet_limit": "300", "option_late_entry": "none", "option_round_minutes": "90"}


def test_the_options_of_the_rules_that_were_chosen_are_shown_and_what_was_typed_is_kept(organiser):
    organiser.open("/events/new")
    assert not organiser.shows("Level of play")
    organiser.send(do="look", name="Spring <Cup>", ruleset="star-wars-armada-1.1", capacity="16")
    assert organiser.shows("Spring &lt;Cup&gt;", "Level of play", "strength of schedule", "AR-AMB-4", "Average of the")
    assert organiser.shows("Summary", "up to 16", "3 with 16 players", "120 minutes")


def test_options_venues_and_sign_up_are_announced_as_they_were_set(organiser, services):
    organiser.open("/events/new")
    fields = {"starts_on": "2026-12-12", "capacity": "16", "sign_up": "open", "tables_2": "13-20"}
    assert organiser.send(**ARMADA | fields).status_code == 200, organiser.page
    assert organiser.shows("Club night is created")
    event = organiser.address.split("/")[2]
    shown = organiser.client.application.extensions["muster-services"].registration.show_tournament(event)
    assert (shown.sign_up, shown.registration_open, shown.capacity, shown.tier) == ("open", True, 16, "casual")
    assert [table.table for table in shown.venues[1].tables] == list(range(13, 21))
    rules = organiser.client.application.extensions["muster-services"].registration.show_tournaments_ruleset(event)
    assert rules.ruleset["chosen"] == {"sos": "tome", "round_minutes": 90}


def test_what_is_kept_back_is_offered_the_cut_only_where_the_rules_have_one(organiser, services):
    asked = organiser.client.application.extensions["muster-services"].registration
    ticked = {"on_purpose": "yes", "on_purpose_standings": "yes", "on_purpose_cut": "yes"}
    cut = 'name="on_purpose_cut"'
    for ruleset, offered, kept in (
        ("star-wars-armada-1.1", False, ["rounds", "standings"]),
        ("dust-warfare-1.0", True, ["rounds", "cut", "standings"]),
    ):
        organiser.open("/events/new")
        organiser.send(do="look", name="Cup", ruleset=ruleset)
        assert organiser.shows(cut) == offered
        organiser.send(**FIELDS | {"ruleset": ruleset, "options_of": ruleset} | ticked)
        event = organiser.address.split("/")[2]
        assert asked.show_tournament(event).on_purpose == kept
        organiser.open(f"/events/new?copy={event}")
        for field in ("on_purpose", "on_purpose_standings", *([cut[6:-1]] if offered else [])):
            assert organiser.shows(f'name="{field}" value="yes" checked'), field


def test_faults_of_console_and_service_are_shown_together(organiser):
    organiser.open("/events/new")
    fields = {"name": "", "tables_1": "many", "tables_2": "9-3", "rounds": "99", "starts_on": "soon"}
    fields |= {"option_round_minutes": "9999"}
    answer = organiser.send(**ARMADA | fields)
    assert answer.status_code == 422
    for beside in ("name", "tables_1", "tables_2", "rounds", "starts_on", "option_round_minutes"):
        assert f'href="#{beside}"' in organiser.page, beside
    assert organiser.shows('value="many"', 'value="9-3"')


def test_a_venue_is_added_and_nothing_typed_is_lost(organiser):
    organiser.open("/events/new")
    organiser.send(do="venue", lines="2", venue_1="Hall", tables_1="4")
    assert organiser.shows('value="Hall"', 'id="venue_3"')
    assert 'id="venue_4"' not in organiser.page


def test_the_fragments_are_the_parts_of_the_page_alone(organiser):
    organiser.open("/events/new")
    csrf = re.search(r'name="csrf_token" value="([^"]+)"', organiser.page)[1]
    data = {"csrf_token": csrf, "do": "look", "ruleset": "round-robin", "capacity": "6"}
    answer = organiser.client.post("/events/new", data=data, headers={"HX-Target": "frag-summary"})
    summary = answer.get_data(as_text=True)
    assert "5 with 6 players" in summary
    assert "<html" not in summary
    answer = organiser.client.post("/events/new", data=data, headers={"HX-Target": "frag-rules"})
    assert "How often does everyone play everyone?" in answer.get_data(as_text=True)


def test_a_past_event_is_copied_as_a_filled_form(organiser):
    organiser.open("/events/new")
    organiser.send(**ARMADA | {"capacity": "16", "sign_up": "open", "tables_2": "13-20"})
    event = organiser.address.split("/")[2]
    organiser.open(f"/events/new?copy={event}")
    assert organiser.shows('value="Club night"', 'value="16"', 'value="Hall"', 'value="4"', 'value="Library"')
    assert organiser.shows('value="13-20"')
    assert re.search(r'value="tome" checked', organiser.page)
    assert re.search(r'value="open" checked', organiser.page)
    assert re.search(r'name="option_round_minutes"[^>]*value="90"', organiser.page)


def test_a_day_before_which_there_is_none_has_no_day_for_lists(organiser):
    organiser.open("/events/new")
    for ruleset in ("dust-warfare-1.0", "fallout-factions-comp-1.0", "star-wars-armada-1.1"):
        shown = organiser.send(
            name="Old", ruleset=ruleset, starts_on="0001-01-01", option_list_due_days="3650", do="look"
        )
        assert shown.status_code == 200, organiser.page
