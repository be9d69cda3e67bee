"""Each text by which a service says what would be right has words of the console, or no page can meet it."""

from __future__ import annotations

import ast

import pytest

from services.console.fault_words import EXPECTED, expected
from services.registration.tournament.state import WITHOUT_SEAT
from shared.tournament.game_status import MENDED_BY
from tests.console_pages.fault_texts import EXAMPLES, PLACE, Expected, expected_texts, filled, forms

OTHER_FORMATS = ("/campaign/", "/coop/", "/season/")
"""Rooms of formats that no page of the console commands."""
PACKS = "rulesets of somebody's own are checked by `muster ruleset`, and no page takes one"
PROGRAMS = "headers, addresses and the form of JSON: the console makes them itself"
STARTING = "whoever starts or repairs a service reads it in a terminal"
READERS = "programs that read feeds and webhooks"
NEVER_MET = {
    "shared/formats/clauses.py": PACKS,
    "shared/formats/by_format.py": PACKS,
    "shared/formats/swiss/rules/catalogue_pack.py": PACKS,
    "shared/formats/swiss/rules/openness.py": PACKS,
    "shared/formats/swiss/rules/semantic_checks.py": PACKS,
    "shared/formats/swiss/rules/semantic_checks_points.py": PACKS,
    "shared/rules/plain.py": PACKS,
    "shared/rules/semantic_checks.py": PACKS,
    "shared/rules/shape_checks.py": PACKS,
    "services/registration/swiss/openings.py": "registration itself opens lists",
    "shared/application/deciding.py": PROGRAMS,
    "shared/web/access.py": PROGRAMS,
    "shared/web/body.py": PROGRAMS,
    "shared/web/idempotency.py": PROGRAMS,
    "shared/web/schemas.py": PROGRAMS,
    "shared/web/versions.py": PROGRAMS,
    "shared/application/recovery.py": STARTING,
    "shared/settings.py": STARTING,
    "services/scoring/feed/cursors.py": READERS,
    "services/scoring/feed/filters.py": READERS,
}
"""Module -> why no page shows what it expects."""
NEVER_SHOWN = {
    "the JSON pointer of a value of this pack": PACKS,
    "{}, the default for {}": PACKS,
    "{}, what is chosen for {}": PACKS,
    "some {} ones, too": "advice on an event, which no page shows",
    "nothing, or a ruleset of the format {}": "only co-op events have data of an operator",
    "this or `pack`, and not both": "the form of a new event has no pack of somebody's own",
    "all players of a tied group, each once: {}": "an order of tied players is entered by programs",
    "all players of a tied group, each once: nobody is tied": "an order of tied players is entered by programs",
    "no {}: {}": "several results at once are entered by programs",
    "as the result form says: {}": "the form of a result sends facts of the right types",
    "the id of a form that holds lists": "Print asks for forms that there are",
}
"""Text with `{}` for each place -> why no page shows it."""
MADE_ELSEWHERE = {
    "table {} too, or {}": ("3", "r1g1 moved, or round 1 closed", "Ana (p1) unpinned"),
    "{}, at table {}": ("3", "r1g1 moved, or round 1 closed", "Ana (p1) unpinned"),
    "the total of that side's list, half of which is awarded, as list_{}=TOTAL{}": ("1", ", or that half as points_2"),
    "an active player; {} is {}": ("Ana", "waiting", "withdrawn", "dropped", "disqualified"),
    "a whole number, {} or more{}": ("1", ", or half"),
}
"""Text -> what other functions put in its places."""
VALUES_ALONE = {
    "services/pairing/swiss/clocks.py": "names of calls that may be made",
    "services/pairing/swiss/decide.py": "scenarios by `one_of`",
    "services/pairing/tournament/changes.py": "ids of venues",
    "services/pairing/tournament/manual.py": "ids of venues",
    "services/pairing/tournament/whole_round.py": "the number of a round",
    "services/registration/tournament/csv_entries.py": "what a field of a player expects",
    "services/registration/tournament/decide/staff.py": "names that are free, for operators",
    "services/registration/tournament/decide/tournaments.py": "the name of a format",
    "services/registration/tournament/packs.py": "ids of tiers",
    "services/registration/tournament/state.py": "ids of venues",
    "services/scoring/swiss/facts.py": "the kind of a game, and MENDED_BY",
    "services/scoring/tournament/routes/results.py": "a media type, for programs",
    "services/scoring/webhooks/management.py": "what `targets.py` expects, for programs",
    "services/scoring/webhooks/targets.py": "what is raised there, for programs",
    "shared/environment.py": STARTING,
    "shared/tournament/guards.py": "ids of venues",
    "shared/formats/options.py": "what `option_values.py` and the rules expect",
    "shared/formats/option_values.py": "its own texts, handed to a function",
    "shared/formats/swiss/rules/catalogue.py": "a value of the catalogue",
    "shared/formats/swiss/rules/crew_checks.py": "a price",
    "shared/formats/swiss/rules/event_parts.py": "advice on an event, which no page shows",
    "shared/formats/swiss/rules/objectives.py": "what _UNIT expects: a number, or true or false",
    "shared/web/faults.py": "what a field expects",
    "shared/web/fields.py": "its own texts",
    "shared/web/paging.py": PROGRAMS,
    "shared/web/since.py": PROGRAMS,
}
"""Module that also expects texts of which nothing is known before it runs -> what they are."""


def met() -> list[Expected]:
    """The texts that a page may show."""
    found = sorted(expected_texts())
    return [
        one for one in found if one.module not in NEVER_MET and not any(room in one.module for room in OTHER_FORMATS)
    ]


def in_german(app, form: str) -> bool:
    """Whether a text has German words, with some of the examples in its places."""
    with app.test_request_context(headers={"Accept-Language": "de"}):
        examples = MADE_ELSEWHERE.get(form, EXAMPLES)
        return any('lang="en"' not in expected(text) for text in filled(form, examples))


def test_everything_that_a_service_expects_has_words_or_a_reason_why_no_page_shows_it(app):
    texts = [one for one in met() if one.form.strip() not in (PLACE, "") and one.form not in NEVER_SHOWN]
    assert len(texts) > 200
    assert [one for one in texts if not in_german(app, one.form)] == [], "give these a row in services/console/faults/"


def test_a_module_that_expects_values_alone_is_known_to():
    assert {one.module for one in met() if one.form == PLACE} == set(VALUES_ALONE)


def test_what_is_never_met_is_still_there_and_has_no_words(app):
    texts = expected_texts()
    assert NEVER_MET.keys() <= {one.module for one in texts}
    assert NEVER_SHOWN.keys() <= {one.form for one in texts}
    assert MADE_ELSEWHERE.keys() <= {one.form for one in texts}
    assert [form for form in NEVER_SHOWN if in_german(app, form)] == []


@pytest.mark.parametrize("form", [form for form in MADE_ELSEWHERE if PLACE in form])
def test_whatever_is_put_in_by_another_function_has_words(app, form):
    with app.test_request_context(headers={"Accept-Language": "de"}):
        first, *others = MADE_ELSEWHERE[form]
        for other in others:
            assert any('lang="en"' not in expected(text) for text in filled(form, (first, other))), (form, other)


@pytest.mark.parametrize("text", [*MENDED_BY.values(), *(f"Ana {why.rstrip('.')}" for why in WITHOUT_SEAT.values())])
def test_what_a_table_of_a_service_says_has_words(app, text):
    assert in_german(app, text)


@pytest.mark.parametrize("why", [*WITHOUT_SEAT.values(), "has not submitted a roster."])
@pytest.mark.parametrize("wanted", ["a player who takes part", "a player whose roster is there"])
def test_why_one_of_several_players_stays_out_is_told_whole(app, wanted, why):
    with app.test_request_context(headers={"Accept-Language": "de"}):
        said, alone = expected(f"{wanted}; Ana {why.rstrip('.')}"), expected(wanted)
    assert said.startswith(f"{alone}; Ana ")
    assert "lang=" not in said


def test_a_new_fault_is_found_in_each_way_that_it_can_be_written():
    source = """
LIMIT = "the limit"
def check(most, found, own):
    wanted = f"at most {most}" if most else "another riddle"
    wanted += ", or a riddle"
    return [Fault("/x", f"{found}", wanted), Fault("/y", "", expected=f"{own!r}, {LIMIT}")]
"""
    found = set(forms(ast.parse(source)))
    assert {"at most {}, or a riddle", "another riddle, or a riddle", "'{}', the limit"} <= found


def test_no_pattern_stands_twice():
    patterns = [pattern for pattern, _ in EXPECTED]
    assert len(set(patterns)) == len(patterns)
