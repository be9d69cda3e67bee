"""Tests that run one after another in one process, and the tests that start first.

A file without a room is run alone, by any free process. Files in a room share what only they set up: a whole Muster,
Chromium, services in the process, what schemathesis computes for every character at its first request. Faults are two
rooms, by their engines: each has one stack, and at most two harm Musters of their own at a time.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from xdist.scheduler import LoadFileScheduling

from tests.shared_stacks import NAMES

ON_A_STACK = "a shared stack"
IN_A_BROWSER = ("what pages look like", "pages in use")
"""Two rooms, since one would be waited for at the end; the other pages need no Chromium."""
FAULTS = {"sqlite-folder": "faults on SQLite", "": "faults on servers"}
"""Part of a test's name -> its room. They come first: they wait most of the time, while the others compute."""
ROOMS: dict[str, tuple[str, ...]] = {
    "made-up requests": (
        "tests/fuzz/",
        "tests/campaign/services/test_requests.py",
        "tests/coop/test_requests.py",
    ),
    IN_A_BROWSER[0]: (
        "tests/console_pages/test_accessibility.py",
        "tests/console_pages/test_board.py",
        "tests/console_pages/test_check_in.py",
        "tests/console_pages/test_density.py",
        "tests/console_pages/test_draft.py",
        "tests/console_pages/test_german_pages.py",
        "tests/console_pages/test_my_list.py",
        "tests/console_pages/test_names.py",
        "tests/console_pages/test_other_formats.py",
        "tests/console_pages/test_prints.py",
        "tests/console_pages/test_progress.py",
        "tests/console_pages/test_public.py",
        "tests/console_pages/test_walls.py",
    ),
    IN_A_BROWSER[1]: (
        "tests/console_pages/test_confirmation.py",
        "tests/console_pages/test_dust_day.py",
        "tests/console_pages/test_event_day.py",
        "tests/console_pages/test_frame.py",
        "tests/console_pages/test_installed.py",
        "tests/console_pages/test_killed_scoring.py",
        "tests/console_pages/test_live_browser.py",
        "tests/console_pages/test_phone.py",
        "tests/console_pages/test_players_page.py",
        "tests/console_pages/test_player_states.py",
        "tests/console_pages/test_quick_entry.py",
        "tests/console_pages/test_result_form.py",
        "tests/console_pages/test_screens.py",
        "tests/console_pages/test_several.py",
        "tests/console_pages/test_venues_apart.py",
    ),
    "readers of source": (
        "tests/console_pages/test_every_refusal.py",
        "tests/unit/test_clauses.py",
        "tests/unit/test_engines_stay_apart.py",
        "tests/unit/test_import_directions.py",
        "tests/unit/test_stored_data.py",
        "tests/unit/test_words.py",
        "tests/web/test_independence.py",
    ),
    "pages without a browser": ("tests/console_pages/",),
    ON_A_STACK: (
        "tests/console/test_export.py",
        "tests/console/test_rebuild.py",
        "tests/console/test_revoke.py",
        "tests/console/test_strangers.py",
        "tests/console/test_tournament.py",
        "tests/console/test_who_asks.py",
        "tests/deploy/test_alerts.py",
        "tests/deploy/test_documentation_in_a_browser.py",
        "tests/deploy/test_private_files.py",
        "tests/deploy/test_readme.py",
        "tests/deploy/test_streams_in_the_guide.py",
        "tests/messaging/test_documentation.py",
        "tests/season/test_page.py",
        "tests/season/test_whole.py",
        "tests/services/test_guides.py",
        "tests/tournaments/test_armada_2025.py",
    ),
}
"""Name -> its files, or a folder of them. The longest first: what begins last would be waited for at the end."""

FIRST = ("tests/campaign/test_audit.py", "tests/formats/test_tampering.py", "tests/console/test_play_campaign.py")
"""Files without a room that take longest."""


def room_of(test: str) -> str:
    """Return the room of a test, or its file. test: its id, or only its file."""
    file = test.partition("::")[0]
    if file.startswith("tests/faults/"):
        return next(room for part, room in FAULTS.items() if part in test)
    return next((room for room, places in ROOMS.items() if file.startswith(places)), file)


def place_of(test: str, fixtures: Collection[str]) -> tuple[int, int]:
    """Return a sort key: rooms and long files first, and tests that use one stack next to each other."""
    order, room = [*FAULTS.values(), *ROOMS, *FIRST], room_of(test)
    asked = [number for number, name in enumerate(NAMES) if name in fixtures] if room == ON_A_STACK else []
    return order.index(room) if room in order else len(order), min(asked, default=len(NAMES))


class Rooms(LoadFileScheduling):  # type: ignore[misc]
    """As `--dist loadfile`, with rooms in place of their files."""

    def _split_scope(self, nodeid: str) -> str:
        return room_of(nodeid)


def scheduling(config: Any, log: Any) -> Rooms | None:
    """Who gives tests to processes, where whole files are given."""
    return Rooms(config, log) if config.getvalue("dist") == "loadfile" else None
