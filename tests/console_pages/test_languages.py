"""German is complete: whatever the console says in English it says in German, with the same places for names."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from jinja2 import Environment

from deploy.service_texts import keyed_texts
from deploy.untranslated import entries, texts, untranslated
from services.console.language import FOLDER, LANGUAGES, SOURCE, catalog, service_texts

TEMPLATES = FOLDER.parent / "templates"
OTHERS = [code for code in LANGUAGES if code != SOURCE]
PLACE = re.compile(r"%\((\w+)\)s")
ENTRY = re.compile(r'^(?:msgctxt (".*")\n)?msgid (".*"(?:\n".*")*)$', re.MULTILINE)
"""The context and the text of an entry, as they are written in the file."""


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_has_a_translation(code):
    assert not untranslated(code), "python -m deploy.untranslated prints these:\n" + "\n".join(
        entries(untranslated(code))
    )


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_places_of_its_text(code):
    for message in catalog(code):
        for one in message.string if isinstance(message.string, tuple) else (message.string,):
            said = message.id[0] if isinstance(message.id, tuple) else message.id
            assert set(PLACE.findall(one)) | {"num"} == set(PLACE.findall(said)) | {"num"}, said


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_is_translated_that_is_no_longer_said(code):
    said = {text if isinstance(text, str) else text[0] for text in texts()}
    own = [message for message in catalog(code) if not message.context]
    kept = {message.id[0] if isinstance(message.id, tuple) else message.id for message in own} - {""}
    assert kept <= said
    assert service_texts(code).keys() <= keyed_texts().keys()


@pytest.mark.parametrize("code", OTHERS)
def test_no_text_is_translated_twice(code):
    entries = Counter(ENTRY.findall((FOLDER / f"{code}.po").read_text()))
    assert len(entries) > 1500
    assert [entry for entry, times in entries.items() if times > 1] == []


def test_a_page_is_in_the_language_that_the_browser_asks_for(guest):
    page = guest.client.get("/", headers={"Accept-Language": "de-AT, en;q=0.5"}).get_data(as_text=True)
    assert '<html lang="de"' in page
    assert "Zum Inhalt springen" in page
    page = guest.client.get("/", headers={"Accept-Language": "fr"}).get_data(as_text=True)
    assert '<html lang="en"' in page
    assert "Skip to content" in page


def test_no_template_says_anything_that_is_not_to_be_translated():
    """What stands in a template itself, outside of `_()`, is markup, or the name of Muster."""
    classes = re.compile(r"\{% block (?:narrow|concerns) %\}.*?\{% endblock %\}")
    left = {}
    for file in TEMPLATES.glob("*.html"):
        tokens = Environment(extensions=["jinja2.ext.i18n"]).lex(classes.sub("", file.read_text()))
        plain = "".join(value if kind == "data" else "\0" * kind.endswith("_begin") for _line, kind, value in tokens)
        plain = re.sub(r"<(code|script|style)\b.*?</\1>", "", plain, flags=re.S)
        spoken = re.findall(r'(?:aria-label|placeholder|title|alt)="([^"]*)"', plain)
        texts = [*re.split(r"<[^>]*>|\0", plain), *spoken]
        if words := {text.strip() for text in texts if re.search("[A-Za-z]{2}", text.replace("Muster", ""))}:
            left[file.name] = words
    assert not left
