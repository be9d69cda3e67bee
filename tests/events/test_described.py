"""docs/reference/events.md matches the catalogue."""

from __future__ import annotations

from pathlib import Path

from deploy.event_page import page
from shared.formats.fold import CATALOGUE

DOCUMENT = Path(__file__).parents[2] / "docs/reference/events.md"


def test_the_page_is_up_to_date():
    assert DOCUMENT.read_text() == page(), "run `make docs`"


def test_every_event_is_described():
    assert [name for name, event in CATALOGUE.items() if not (event.schema.__doc__ or "").strip()] == []
