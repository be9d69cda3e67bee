"""Repair of a damaged log from its own intact events and those of peers."""

from __future__ import annotations

import msgspec
import pytest

from shared.log.event import EMPTY_HEAD, Head, Recorded, compute_hash
from shared.log.log import repair_log
from tests.acting import actor_of
from tests.eventlog.stories import changed, log_of

TRUE = log_of("cup", "cup", "anna", "ben", "cleo", "dora")
HEAD = Head(len(TRUE), TRUE[-1].hash)
LOG = ("registration", "cup")


def rotten(position: int, /, **members: object) -> list[Recorded]:
    """Return the log with members of one event changed after hashing."""
    return [msgspec.structs.replace(event, **members) if event.position == position else event for event in TRUE]


def forged(position: int) -> list[Recorded]:
    """Return the log up to a position with another event there."""
    other = changed(TRUE[position - 1], actor=actor_of("mallory"))
    return [*TRUE[: position - 1], msgspec.structs.replace(other, hash=compute_hash(other))]


@pytest.mark.parametrize(
    ("own", "head", "copies", "taken"),
    [
        (TRUE, HEAD, [], 0),
        (rotten(3, data="{}"), HEAD, [TRUE], 1),
        (rotten(3, hash="f" * 64), HEAD, [TRUE[:3], TRUE[:2]], 1),
        (rotten(3, prev_hash="f" * 64), HEAD, [[], TRUE], 1),
        (rotten(3, position=99), HEAD, [TRUE], 1),
        (TRUE[:-1], HEAD, [TRUE], 1),
        ([*TRUE[:2], *TRUE[3:]], HEAD, [rotten(4, data="{}")], 1),
        (TRUE, Head(len(TRUE) ^ 1, HEAD.hash), [], 0),
        (TRUE, Head(len(TRUE), "f" * 64), [], 0),
        (TRUE, EMPTY_HEAD, [], 0),
        (TRUE[:4], Head(4, TRUE[3].hash), [TRUE], 0),  # what a peer holds beyond the head is not part of the damage
    ],
)
def test_the_repaired_log_equals_the_recorded_one(own, head, copies, taken):
    mended = repair_log(LOG, own, head, copies)
    wanted = TRUE[:4] if head.position == 4 and own == TRUE[:4] else TRUE
    assert (mended.events, mended.taken, mended.lost, mended.forked) == (wanted, taken, None, None)


@pytest.mark.parametrize(
    ("own", "copies", "lost"),
    [
        (rotten(3, data="{}"), [], 3),
        (rotten(3, data="{}"), [rotten(3, data="[]")], 3),
        (TRUE[:-1], [TRUE[:-1]], len(TRUE)),
        (rotten(len(TRUE), data="{}"), [forged(len(TRUE))], len(TRUE)),
    ],
)
def test_an_event_that_no_peer_holds_is_lost(own, copies, lost):
    assert repair_log(LOG, own, HEAD, copies).lost.position == lost


def test_an_intact_event_is_never_replaced_by_a_peers_event():
    mended = repair_log(LOG, rotten(3, data="{}"), HEAD, [forged(3)])
    assert mended.lost is not None or mended.forked is not None
