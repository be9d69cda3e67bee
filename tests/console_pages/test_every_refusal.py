"""Each kind of problem that the three services know is said in words of the console, or no page of it can meet it."""

from __future__ import annotations

from deploy.service_texts import problem_titles
from services.console.problem_words import FACT_TEXTS, PLACE, SENTENCES, TABLES, VARIANTS, WHOLE
from tests.console_pages.refusal_facts import facts, met

OPERATORS = "an answer to the command line, which recovers and copies logs: no page does"
READERS = "an answer to programs that read logs, feeds and streams: pages show none of it"
CAMPAIGN = "only campaigns: the console has no page that commands them"
CO_OP = "only co-op: the console has no page that commands it"
SEASON = "only seasons: the console shows their tables, and commands nothing of them"
BY_PROGRAMS = "nothing on a page asks for it: programs and the command line do"
NEVER_MET = {
    **dict.fromkeys(("own-log-forked", "peer-unavailable", "peers-disagree", "owner-unavailable"), OPERATORS),
    **dict.fromkeys(("event-unknown", "feed-beyond", "streams-full", "too-many-streams"), READERS),
    **dict.fromkeys(("group-refused", "choice-refused", "balance-too-low", "group-locked", "group-missing"), CAMPAIGN),
    **dict.fromkeys(("ruleset-move-refused", "already-rolled", "not-mustered", "group-unknown"), CAMPAIGN),
    **dict.fromkeys(("account-unknown", "not-your-group", "not-your-dice", "leaves-open", "too-early"), CAMPAIGN),
    **dict.fromkeys(("statement-unknown", "statements-fall", "others-rely-on-it", "reason-needed"), CAMPAIGN),
    **dict.fromkeys(("party-unknown", "session-unknown", "session-has-begun", "seating-refused"), CO_OP),
    **dict.fromkeys(("set-up-refused", "session-set-up", "session-not-begun", "session-ended"), CO_OP),
    **dict.fromkeys(("session-not-ended", "session-settled", "impossible-move", "move-out-of-order"), CO_OP),
    **dict.fromkeys(("other-detail", "time-remains"), CO_OP),
    **dict.fromkeys(("tournament-gathered", "tournament-not-for-season", "tournament-not-gathered"), SEASON),
    **dict.fromkeys(("entry-unknown", "entry-claimed", "identity-merged", "identities-met"), SEASON),
    **dict.fromkeys(("identity-not-merged", "division-unknown", "season-not-over"), SEASON),
    **dict.fromkeys(("no-final", "cut-made", "cut-missing", "not-invited", "not-your-invitation"), SEASON),
    **dict.fromkeys(("seat-not-given",), BY_PROGRAMS),
    "no-timetable": "the page of an event leaves the timetable out where there is none",
}
"""Kind of problem without a sentence -> why no page needs one."""


UNPACKED = {"registration-closed": {"option"}}
"""Code of a problem -> the facts that its refusals pass by unpacking."""


def said() -> set[str]:
    return {key.split()[0] for key in SENTENCES}


def test_each_kind_of_problem_has_a_sentence_or_a_reason_why_no_page_needs_one():
    assert problem_titles().keys() - said() - NEVER_MET.keys() == set(), "give these a sentence in refusals/"
    assert NEVER_MET.keys() & said() == set()
    assert (said() | NEVER_MET.keys()) - problem_titles().keys() == set()


def test_what_needs_no_sentence_is_nothing_that_an_operation_of_a_page_answers():
    found = {code: sorted(met()[code]) for code in NEVER_MET if code in met()}
    assert found == {}, "the console asks for these, which answer so"
    assert "round-closed" in met()
    assert len(met()) > 100


def test_a_sentence_names_facts_that_its_problem_has():
    wrong = {}
    for key, forms in SENTENCES.items():
        code, _, variant = key.partition(" ")
        known = facts().get(code, set()) | UNPACKED.get(code, set())
        named = {place for form in forms for place in PLACE.findall(form)} - {"faults", "request_id"}
        if lacking := named - known:
            wrong[key] = lacking
        if variant and not known & set(VARIANTS):
            wrong[key] = set(VARIANTS)
    assert wrong == {}
    assert facts()["too-few-players"] >= {"minimum", "players"}
    assert "seats" not in facts()["too-few-players"]


def test_a_fact_of_a_sentence_has_words():
    named = {place for forms in SENTENCES.values() for form in forms for place in PLACE.findall(form)}
    assert named == {*FACT_TEXTS, "faults", "request_id"}


def test_each_code_is_in_one_table():
    assert sum(map(len, TABLES)) == len(SENTENCES)


def test_a_whole_sentence_belongs_to_a_kind_of_problem():
    assert set(WHOLE) <= {form for forms in SENTENCES.values() for form in forms}
