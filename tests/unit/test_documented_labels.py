"""Labels of the console that documents print in bold are on its pages."""

from __future__ import annotations

import re

import pytest

from tests.unit.test_links import ROOT

PAGES = "\n".join(
    page.read_text("utf-8")
    for kind in ("templates/*.html", "pages/*.py", "*.py", "static/*.js")
    for page in (ROOT / "services/console").glob(kind)
)


@pytest.mark.parametrize("document", ["docs/tutorial/first-evening.md", "docs/reference/console.md"])
def test_every_label_in_bold_is_on_a_page(document):
    lines = (ROOT / document).read_text("utf-8").splitlines()
    steps = (line for line in lines if document.startswith("docs/tutorial") or line.startswith("| "))
    labels = {label for line in steps for label in re.findall(r"\*\*([^*]+)\*\*", line)}
    assert labels
    patterns = {label: re.sub(r"\d+", r"(\\d+|%\\(\\w+\\)s)", re.escape(label)) for label in labels}
    assert [label for label, pattern in patterns.items() if not re.search(pattern, PAGES)] == []
