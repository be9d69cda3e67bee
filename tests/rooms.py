"""Which tests `make test` runs one after another in one process, and which of them come first.

Without a room a file is run by itself, by whichever process is free. Files in a room share what only they set up: a
whole Muster, Chromium, services in the process, what schemathesis works out of every character at its first request.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from xdist.scheduler import LoadFileScheduling

from tests.shared_stacks import NAMES

ON_A_STACK = "a shared stack"
IN_A_BROWSER = ("what pages look like", "pages in use")
"""Two rooms, since one would be waited for at the end; the other pages need no Chromium."""
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
        "tests/console_pages/test_draft.py",
        "tests/console_pages/test_german_pages.py",
        "tests/console_pages/test_my_list.py",
        "tests/console_pages/test_names.py",
        "tests/console_pages/test_other_formats.py",
        "tests/console_pages/test_prints.py",
        "tests/console_pages/test_public.py",
        "tests/console_pages/test_walls.py",
    ),
    IN_A_BROWSER[1]: (
        "tests/console_pages/test_event_day.py",
        "tests/console_pages/test_installed.py",
        "tests/console_pages/test_killed_scoring.py",
        "tests/console_pages/test_live_browser.py",
        "tests/console_pages/test_phone.py",
        "tests/console_pages/test_player_states.py",
        "tests/console_pages/test_result_form.py",
        "tests/console_pages/test_screens.py",
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
        "tests/tournaments/test_armada_2025.py",
    ),
}
"""Name -> its files, or a folder of them. The longest first: what begins last would be waited for at the end."""

FIRST = ("tests/campaign/test_audit.py", "tests/formats/test_tampering.py", "tests/console/test_play_campaign.py")
"""Files without a room that take longest."""


def room_of(file: str) -> str:
    """The room of a file, or the file."""
    return next((room for room, places in ROOMS.items() if file.startswith(places)), file)


def place_of(file: str, fixtures: Collection[str]) -> tuple[int, int]:
    """What orders tests: rooms and long files first; who asks for one stack beside one another, so that it is one."""
    order, room = [*ROOMS, *FIRST], room_of(file)
    asked = [number for number, name in enumerate(NAMES) if name in fixtures] if room == ON_A_STACK else []
    return order.index(room) if room in order else len(order), min(asked, default=len(NAMES))


class Rooms(LoadFileScheduling):  # type: ignore[misc]
    """As `--dist loadfile`, with rooms in place of their files."""

    def _split_scope(self, nodeid: str) -> str:
        return room_of(super()._split_scope(nodeid))


def scheduling(config: Any, log: Any) -> Rooms | None:
    """Who gives tests to processes, where whole files are given."""
    return Rooms(config, log) if config.getvalue("dist") == "loadfile" else None
