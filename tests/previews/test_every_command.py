"""A preview of every command of every service changes nothing, and the command then does what the preview said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.pairing import handlers as pairing
from services.pairing.publication import PublishDueRound
from services.pairing.swiss_bracket import FollowBracket
from services.pairing.swiss_cut import PublishDueCut
from services.registration import handlers as registration
from services.registration.swiss_rosters import DropAbsentPlayer, OpenRosters
from services.scoring import handlers as scoring
from services.scoring.rounds import PublishDueStandings
from services.scoring.webhooks.commands import SuspendWebhook
from shared.tournament.guards import KeepDraws, ReadBeacon
from tests.formats.stories import STORIES
from tests.previews.evenings import EVENINGS
from tests.previews.previewing import Previewing
from tests.services.conftest import logging_as_it_was

TABLES = (registration.HANDLERS, pairing.HANDLERS, scoring.HANDLERS)
COMMANDS = frozenset(command for handlers in TABLES for command in handlers)

FORMATS = ("swiss", "campaign", "coop", "season")
WITHOUT_ROUTE = {
    DropAbsentPlayer,
    OpenRosters,
    FollowBracket,
    KeepDraws,
    PublishDueCut,
    PublishDueRound,
    PublishDueStandings,
    ReadBeacon,
    SuspendWebhook,
}
"""Commands that only a rule in the worker gives."""


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


def test_every_preview_changes_nothing_and_is_accurate(previewing: Previewing) -> None:
    """What is compared on the way is in `Previewing`."""
    assert sorted(command.__name__ for command in COMMANDS - previewing.reached - WITHOUT_ROUTE) == []


def test_dice_of_players_are_not_predicted(previewing: Previewing) -> None:
    assert {"RollTurfs", "RollJams", "JudgeEvil", "Choose"} <= {one.__name__ for one in previewing.rolled}
