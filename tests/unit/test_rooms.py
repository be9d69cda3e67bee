"""The table of tests that share what they set up names what there is, and whoever shares a stack."""

from __future__ import annotations

import re
from pathlib import Path

from tests.rooms import FIRST, IN_A_BROWSER, ON_A_STACK, ROOMS, place_of, room_of
from tests.shared_stacks import NAMES

ROOT = Path(__file__).parents[2]
ASKS = re.compile(rf"def \w+\([^)]*\b({'|'.join(NAMES)})\b")


def test_every_place_of_the_table_exists() -> None:
    places = [place for places in (*ROOMS.values(), FIRST) for place in places]
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_whoever_shares_a_stack_is_in_its_room() -> None:
    files = {str(file.relative_to(ROOT)) for file in ROOT.glob("tests/**/test_*.py") if ASKS.search(file.read_text())}
    assert len(files) > 5
    assert files <= set(ROOMS[ON_A_STACK])


def test_pages_that_are_opened_in_a_browser_are_in_a_room_that_has_one() -> None:
    pages = (ROOT / "tests/console_pages").glob("test_*.py")
    files = {str(file.relative_to(ROOT)) for file in pages if 'engine("browser")' in file.read_text()}
    assert len(files) > 10
    assert {room_of(file) for file in files} == set(IN_A_BROWSER)


def test_a_room_is_one_unit_and_who_asks_for_one_stack_stands_together() -> None:
    one, other = ROOMS[ON_A_STACK][0], ROOMS[ON_A_STACK][-1]
    assert room_of(one) == room_of(other) == ON_A_STACK
    alone = "tests/rules/test_packs.py"
    assert room_of(alone) == alone
    asked = [(one, NAMES[1]), (other, "tmp_path"), (other, NAMES[0]), (one, NAMES[0])]
    ordered = sorted(asked, key=lambda test: place_of(test[0], [test[1]]))
    assert ordered == [(other, NAMES[0]), (one, NAMES[0]), (one, NAMES[1]), (other, "tmp_path")]
    assert place_of(alone, [NAMES[0]]) > place_of(FIRST[0], []) > place_of(one, [])
