"""Every command of every service: shown only, it leaves nothing and comes as foretold; done by staff, it says what
reverses it, or why nothing does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from services.pairing import handlers as pairing
from services.pairing import undo as undo_of_pairing
from services.pairing.tournament.commands import FollowBracket, PublishDueCut, PublishDueRound
from services.registration import handlers as registration
from services.registration import undo as undo_of_registration
from services.registration.tournament.player_commands import DropAbsentPlayer
from services.scoring import handlers as scoring
from services.scoring import undo as undo_of_scoring
from services.scoring.tournament.commands import PublishDueStandings
from services.scoring.webhooks.commands import SuspendWebhook
from shared.roles import REFEREE_UP
from tests.formats.stories import STORIES
from tests.previews.evenings import EVENINGS
from tests.previews.previewing import Previewing
from tests.services.conftest import logging_as_it_was

TABLES = {
    "registration": (registration.HANDLERS, undo_of_registration.UNDO),
    "pairing": (pairing.HANDLERS, undo_of_pairing.UNDO),
    "scoring": (scoring.HANDLERS, undo_of_scoring.UNDO),
}
COMMANDS = frozenset(command for handlers, _ in TABLES.values() for command in handlers)
UNDO: Mapping[type, Any] = {command: row for _, undo in TABLES.values() for command, row in undo.items()}

FORMATS = ("swiss", "campaign", "coop", "season")
WITHOUT_ROUTE = {DropAbsentPlayer, FollowBracket, PublishDueCut, PublishDueRound, PublishDueStandings, SuspendWebhook}
"""Commands that nobody can ask for: a rule gives them, in the worker."""


@pytest.fixture(scope="module")
def previewing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Previewing]:
    """All evenings, each command of which was previewed."""
    with logging_as_it_was():
        muster = Previewing(tmp_path_factory.mktemp("previewing"))
        for format in FORMATS:
            STORIES[format](muster)
        for evening in EVENINGS.values():
            evening(muster)
        yield muster


def test_every_command_is_previewed_leaves_nothing_and_comes_as_foretold(previewing: Previewing) -> None:
    """What is compared on the way is in `Previewing`."""
    assert sorted(command.__name__ for command in COMMANDS - previewing.reached - WITHOUT_ROUTE) == []


def test_dice_that_players_throw_are_not_foretold(previewing: Previewing) -> None:
    assert {"RollTurfs", "RollJams", "JudgeEvil", "CloseStep"} <= {one.__name__ for one in previewing.rolled}


@pytest.mark.parametrize("service", TABLES)
def test_every_command_that_staff_may_give_has_a_row(service: str) -> None:
    handlers, undo = TABLES[service]
    staff = {
        command
        for command, row in handlers.items()
        if not row.by_rule and set(row.roles or REFEREE_UP) & set(REFEREE_UP)
    }
    assert set(undo) == staff


def test_every_answer_of_a_command_of_staff_says_what_reverses_it(previewing: Previewing) -> None:
    assert sorted(command.__name__ for command in set(UNDO) - set(previewing.told)) == []
    for command, answers in previewing.told.items():
        assert all(("method" in undo) != ("reason" in undo) for undo in answers), command
