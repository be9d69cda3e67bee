"""What is wrong with a list stands in German on a German page: at once, and later for the player and for staff."""

from __future__ import annotations

import re

import pytest

from services.console.list_text import as_text
from tests.console_pages.conftest import signed_in

CREW = {
    "faction": "Super Mutants",
    "rating": 300,
    "models": [
        {"name": "Alpha", "class": "boss", "points": 300, "xp": 3, "rating": 310},
        {"name": "Beta", "class": "legend", "points": 5, "perks": [{"name": "Toughness", "requisite": 2, "points": 9}]},
        {
            "name": "Gamma",
            "class": "grunt",
            "points": 40,
            "perks": [
                {"name": "Rooted", "kind": "innate", "requisite": 3, "points": 3},
                {"name": "Rooted", "requisite": 3, "points": 3},
                {"name": "Sniper", "points": 3},
            ],
            "upgrades": [
                {"name": "Luck", "from": 4, "to": 5, "points": 5},
                {"name": "Strength", "from": 9, "to": 10},
                {"name": "Strength", "from": 4, "to": 5, "points": 5},
                {"name": "Agility", "from": 4, "to": 4, "points": 5},
                {"name": "Charisma", "points": 5},
            ],
        },
    ],
    "chems": [{"name": "Jet", "kind": "rare", "points": 30}],
    "legend": [{"name": "Mason", "points": 5}, {"name": "Cage"}],
    "ploys": [{"name": "Rally", "list": "Operators"}],
    "supplements": [{"name": "Companion Book"}],
}
LISTS = {
    "star-wars-armada-1.1": {
        "faction": "jawas",
        "fleet_total": 350,
        "ships": [{"name": "Assault Frigate", "points": 240}, {"name": "CR90", "points": 20}],
        "squadrons": [{"name": "X-wing", "points": 130}],
        "objectives": [{"name": "Most Wanted", "category": "assault"}, {"name": "Ambush", "category": "raid"}],
    },
    "dust-warfare-1.0": {
        "faction": "Axis",
        "army_total": 480,
        "units": [{"name": "Ludwig", "points": 475, "options": [{"name": "Flares", "points": 5}]}, {"name": "Wotan"}],
    },
    "fallout-factions-comp-1.0": CREW,
}
SAID = {
    "star-wars-armada-1.1": (
        "350 passt nicht. Richtig ist: höchstens 300 Punkte für Kommandanten, Schiffe, Staffeln; es sind 390",
        "350 passt nicht. Richtig ist: 390, die Summe (AR-ROS-6).",
        "0 passt nicht. Richtig ist: Kommandanten, genau 1 (AR-ROS-3).",
        "0 passt nicht. Richtig ist: Art defense, genau 1 (AR-ROS-3).",
        "jawas passt nicht. Richtig ist: eines davon: rebel, imperial (AR-ROS-4).",
    ),
    "dust-warfare-1.0": (
        "480 passt nicht. Richtig ist: höchstens 400 Punkte für Einheiten; es sind 480, oder die Option "
        "„Höchstens so viele Armeepunkte je Liste“ 480 zusammen mit "
        "„Zusätzliche Minuten je Runde“, gesetzt bei der Ankündigung",
        "Hier fehlt: die Angabe „Abteilung“ (DW-ROS-2).",
        "Hier fehlt: die Angabe „Punkte“ (DW-ROS-2).",
    ),
    "fallout-factions-comp-1.0": (
        "2 passt nicht. Richtig ist: Legende, 0 bis 1 (FF-ROS-4).",
        "Beta passt nicht. Richtig ist: ein Modell der Klasse legend, dessen Caps unter „Legende“ bezahlt sind",
        "3 passt nicht. Richtig ist: nichts, denn das wird hier nicht verwendet (FF-SET-5).",
        "1 passt nicht. Richtig ist: höchstens 0 für die Klasse legend (Perks, Umbauten, Aufwertungen zusammen)",
        "9 passt nicht. Richtig ist: 2 (FF-ROS-6).",
        "Rooted passt nicht. Richtig ist: jedes Perk einmal; es steht schon in /models/2/perks/0 (FF-ROS-7).",
        "Hier fehlt: die Voraussetzung, eine ganze Zahl ab 1 (FF-ROS-6).",
        "Strength passt nicht. Richtig ist: jeder Wert einmal je Modell (FF-ROS-9).",
        "Hier fehlt: der Wert, auf den erhöht wird (FF-ROS-9).",
        "Hier fehlt: ein Modell mit Natural Leader, unter profile_perks oder perks (FF-ROS-21).",
    ),
}
TAGS = re.compile(r"<[^>]+>")
FAULT = re.compile(r'<p class="fault"[^>]*>(.*?)</p>')


@pytest.fixture
def lists(services, app):
    """An event by its ruleset, with a player: the page of their list in German, how services are asked, and staff."""

    def made(ruleset: str):
        asked = app.extensions["muster-services"].acting_as(services.token("operator"))
        event = asked.registration.announce_tournament(name="Club night", ruleset=ruleset, rounds=3).id
        player = asked.registration.join_players(event, players=[{"name": "Ana"}]).players[0].id
        phone = signed_in(app, services.token("player", event, player=player))
        staff = signed_in(app, services.token("organiser", event))
        for browser in (phone, staff):
            browser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
        phone.open(f"/events/{event}/my-list")
        return phone, staff, asked.registration, event, player

    return made


def typed(roster) -> dict[str, str]:
    return {name: as_text(value) if isinstance(value, list) else str(value) for name, value in roster.items()}


def words(page: str) -> str:
    return TAGS.sub("", page).replace("&#34;", '"')


@pytest.mark.parametrize("ruleset", LISTS)
def test_each_fault_of_a_list_is_german(lists, ruleset):
    ana, *_ = lists(ruleset)
    ana.send(do="check", **typed(LISTS[ruleset]))
    faults = " ".join(FAULT.findall(ana.page))
    assert 'lang="en"' not in faults, re.findall('<span lang="en">.*?</span>', faults)
    assert [said for said in SAID[ruleset] if said not in words(faults)] == [], words(faults)


@pytest.mark.parametrize("ruleset", LISTS)
def test_advice_on_a_list_is_german_for_the_player_and_for_staff(lists, ruleset):
    ana, staff, asked, event, player = lists(ruleset)
    roster = asked.show_ruleset(ruleset).ruleset["roster"]["example"]
    if ruleset.startswith("fallout"):
        roster["models"][1]["perks"] = [{"name": "Chemist", "requisite": 3, "points": 3}]
        roster["models"][1]["points"], roster["models"][2]["points"] = 45, 40
    asked.submit_roster(event, player, roster=roster)
    for browser, address in ((ana, f"/events/{event}/my-list"), (staff, f"/events/{event}/lists/{player}")):
        browser.open(address)
        shown = browser.page.partition("<main")[2].partition("<form")[0]
        assert 'lang="en"' not in shown
        assert ("etwas anderes, denn es bewirkt nichts" in shown) == ruleset.startswith("fallout")
