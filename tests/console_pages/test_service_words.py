"""What services and rulesets say stands in German on a German page; what there is in English alone is marked so."""

from __future__ import annotations

import random
import re

import pytest
import yaml

from deploy.service_texts import PACKS, problem_titles
from deploy.untranslated import keyed_entries, unkeyed
from muster_client import Problem, answers
from services.console import pairing_words, problem_words, words
from services.console.language import LANGUAGES, SOURCE, number, service_texts, whole_number
from services.console.option_words import CHOICES, QUESTIONS
from services.console.pages.events import EDITED
from services.console.result_form import ENDS
from shared.web.schema import Choice, Day, Flag, Identifier, Name, Text, WholeNumber
from tests.console_pages.test_draft import drafted
from tests.console_pages.test_evening import announced
from tests.rules.test_reasons import DUST, FACTIONS, tournament

OTHERS = [code for code in LANGUAGES if code != SOURCE]
SHIPPED = {file.stem: yaml.safe_load(file.read_text()) for file in PACKS.glob("*.yaml")}
NAMES = {"p1": "Ana", "p2": "Ben", "p3": "<Cy>"}


def german(app, ask):
    with app.test_request_context(headers={"Accept-Language": "de"}):
        return str(ask())


def english(app, ask):
    with app.test_request_context():
        return str(ask())


@pytest.mark.parametrize("code", OTHERS)
def test_every_problem_of_the_services_and_every_word_of_a_shipped_ruleset_has_its_form(code):
    assert not unkeyed(code), "python -m deploy.untranslated prints these:\n" + "\n".join(keyed_entries(unkeyed(code)))
    assert len(problem_titles()) > 200


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_every_option_that_is_offered_has_a_question_and_words_for_its_values(ruleset):
    offered = [option for option in SHIPPED[ruleset]["options"] if option["kind"] in EDITED]
    assert not {option["key"] for option in offered} - QUESTIONS.keys() - {"fleet_limit"}
    values = {(option["key"], value) for option in offered for value in option.get("choices", ())}
    assert not {(key, value) for key, value in values if f"{key} {value}" not in CHOICES and value not in CHOICES}
    assert {end["end"] for end in SHIPPED[ruleset]["result"]["ends"]} <= ENDS.keys()


def test_a_word_of_a_custom_ruleset_is_marked_as_english(app):
    assert german(app, lambda: words.heading("glory", {})) == '<span lang="en">Glory</span>'
    assert english(app, lambda: words.heading("glory", {})) == "Glory"
    assert german(app, lambda: words.column("x", {"x": "<b>"})) == '<span lang="en">&lt;b&gt;</span>'
    assert german(app, lambda: words.heading("strength_of_schedule", {})) == "Stärke der Gegner"
    assert english(app, lambda: words.heading("strength_of_schedule", {})) == "Strength of schedule"


def test_what_every_kind_of_field_expects_has_german_words(app):
    kinds = [Name(), Text(500), Text(500, minimum=3), Identifier(), WholeNumber(), WholeNumber(1, 600), Flag(), Day()]
    for field in [*kinds, Choice("open", "invite_only")]:
        right = field.expected
        text = german(app, lambda right=right: problem_words.sentence_text(right.code, right.data))
        assert text != str(right)


def test_a_problem_without_a_sentence_has_its_title_and_the_detail_of_the_service(app):
    body = {"code": "seat-not-given", "title": "T", "detail": "Another <player> has it."}
    problem = Problem("registration", 409, body)
    told = 'Dieser Platz wird nicht zurückgenommen. <span lang="en">Another &lt;player&gt; has it.</span>'
    assert german(app, lambda: problem_words.problem_text(problem)) == told
    assert english(app, lambda: problem_words.problem_text(problem)) == "Another <player> has it."
    newer = Problem("registration", 409, {"code": "never-heard-of", "title": "T", "detail": "Something new."})
    assert german(app, lambda: problem_words.problem_text(newer)) == '<span lang="en">Something new.</span>'


REASONS = {
    "drawn for the first round": "für die erste Runde gelost",
    "same group, 16 points; third meeting; fewest possible": (
        "gleiche Gruppe, 16 Punkte; zum dritten Mal gegeneinander; seltener ging es nicht"
    ),
    "same group, 16 points; meeting no. 4; fewest possible": (
        "gleiche Gruppe, 16 Punkte; zum 4. Mal gegeneinander; seltener ging es nicht"
    ),
    "nearest in the standings for p1 (p1 has met p2 (3 times)), 8 and 5 points; second meeting; fewest possible": (
        "der nächste Gegner in der Rangliste für <bdi>Ana</bdi> (<bdi>Ana</bdi> hat schon gegen <bdi>Ben</bdi> (3-mal) "
        "gespielt), 8 und 5 Punkte; zum zweiten Mal gegeneinander; seltener ging es nicht"
    ),
    "next to each other in the standings, 3.5 and 2 points": "nebeneinander in der Rangliste, 3,5 und 2 Punkte",
    "bye rule: AR-PAIR-7, drawn": "Freilosregel: AR-PAIR-7, gelost",
    "nearest in the standings for p1 (p1 has met p2 and p3; 4 more stand between them), 8 and 5 points": (
        "der nächste Gegner in der Rangliste für <bdi>Ana</bdi> (<bdi>Ana</bdi> hat schon gegen <bdi>Ben</bdi> und "
        "<bdi>&lt;Cy&gt;</bdi> gespielt; 4 weitere stehen dazwischen), 8 und 5 Punkte"
    ),
    "brothers_in arms": "brothers in arms",
}


@pytest.mark.parametrize(("said", "in_german"), REASONS.items())
def test_the_reason_of_a_pairing_has_the_names_of_players(app, said, in_german):
    assert german(app, lambda: pairing_words.reason_text(said, NAMES)) == in_german


@pytest.mark.parametrize("ruleset", [FACTIONS, DUST], ids=["factions", "dust"])
def test_every_reason_that_pairing_gives_has_its_words(app, ruleset):
    names = {f"p{number}": f"Player {number}" for number in range(9)}
    told, words = set(), set()
    for seed in range(60):
        chance = random.Random(seed)
        field = (chance.randint(4, 9), chance.randint(1, 2), chance, chance.random() < 0.5)
        spare = "zed" if ruleset is FACTIONS and seed % 3 == 0 else ""
        told |= {one.reason for one in tournament(ruleset, field, spare)[2].pairings}
    for reason in told:
        said = german(app, lambda reason=reason: pairing_words.reason_text(reason, names))
        words.add(said.split(" ")[0])
        assert said != reason
        assert 'lang="en"' not in said
        assert not re.search(r"\bp\d\b|\b(?:the|has|who|and|points)\b", said), said
    assert len(words) > 2


def test_findings_about_a_round_are_german(app):
    about_game = {"code": "rematch", "game": "r1g1", "players": ["p1", "p3"], "said": "In <English>.", "clause": ""}
    met = answers.FindingView(**about_game, sentence="finding-met")
    assert german(app, lambda: pairing_words.finding_text(met, NAMES)) == (
        "Ana, &lt;Cy&gt;: sie haben schon gegeneinander gespielt."
    )
    assert english(app, lambda: pairing_words.finding_text(met, NAMES)) == "Ana, &lt;Cy&gt;: they have met before."
    often = answers.FindingView(**about_game, sentence="finding-met-times", data={"times": 3})
    assert german(app, lambda: pairing_words.finding_text(often, NAMES)) == (
        "Ana, &lt;Cy&gt;: sie haben schon 3-mal gegeneinander gespielt."
    )
    about_table = {"code": "table_shared", "game": "", "players": [], "said": "In <English>.", "clause": ""}
    shared = answers.FindingView(**about_table, sentence="finding-table-shared", data={"games": 2, "table": 7})
    assert german(app, lambda: pairing_words.finding_text(shared, NAMES)) == "2 Spiele sind zugleich an Tisch 7."
    older = answers.FindingView(**about_game)
    assert german(app, lambda: pairing_words.finding_text(older, NAMES)) == '<span lang="en">In &lt;English&gt;.</span>'


def test_numbers_are_written_and_typed_as_the_language_has_them(app):
    shown = german(app, lambda: [number(one) for one in (12345, "6.50", -3, "half", "")])
    assert shown == str(["12.345", "6,50", "-3", "half", ""])
    assert english(app, lambda: [number(one) for one in (12345, "6.50")]) == str(["12,345", "6.50"])
    assert german(app, lambda: [whole_number(one) for one in ("1.500", "1,5", "1.5", "١٢", "", "-4", "9" * 40)]) == str(
        [1500, None, None, 12, None, None, None]
    )
    assert english(app, lambda: [whole_number(one) for one in ("1,500", "1.5", "1,5")]) == str([1500, None, None])


def test_signing_in_is_in_german(guest):
    page = guest.client.get("/sign-in", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "Einloggen" in page
    assert "Schlüssel" in page
    assert "You need no account" not in page


def test_a_german_organiser_reads_what_is_wrong_and_why_two_meet(organiser):
    event = announced(organiser)
    organiser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    organiser.open(f"{event}/players")
    organiser.send(players="x" * 300)
    assert organiser.shows("ein Name von höchstens 100 Zeichen in einer Zeile")
    drafted(organiser)
    assert organiser.shows("für die erste Runde gelost")
    assert 'lang="en"' not in organiser.page.partition("<main")[2]


def test_keys_of_a_language_are_of_this_language_alone():
    assert not service_texts(SOURCE)
