"""Checks of events besides the hash chain: the form of actor and command, and sizes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shared.log.event import LARGEST_COMMAND, LARGEST_EVENT, canonical_json
from shared.service.gates import event_fault
from tests.eventlog.stories import log_of
from tests.messaging.stage import quoted_command

_, EVENT = log_of("cup", "anna", "ben")
RECORD = {"by": {"token": "t-1.s1"}, "data": {}, "decision": 1, "type": "JoinPlayers", "version": 1}


def test_events_with_and_without_a_command_are_accepted():
    for command in ("", canonical_json(RECORD), quoted_command(LARGEST_COMMAND)):
        assert event_fault(replace(EVENT, command=command)) is None


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"actor": "organiser"}, "actor: JSON is malformed"),
        ({"actor": '{"actor":"p1"}'}, "actor: Object missing required field `role`"),
        ({"actor": '{"actor":"p1","role":"emperor"}'}, "actor: Invalid enum value"),
        ({"actor": '{"role":"player","actor":"p1"}'}, "actor: not canonical JSON"),
        ({"command": "{}"}, "its command cannot be read"),
        ({"command": canonical_json({**RECORD, "rows": []})}, "its command cannot be read"),
        ({"command": canonical_json({**RECORD, "by": {"role": "organiser"}})}, "its command cannot be read"),
        ({"command": canonical_json(RECORD).replace(",", ", ")}, "its command is not canonical JSON"),
        ({"command": quoted_command(LARGEST_COMMAND + 1)}, f"its command has more than {LARGEST_COMMAND} bytes"),
        ({"data": canonical_json({"t": "x" * LARGEST_EVENT})}, f"its data have more than {LARGEST_EVENT} bytes"),
    ],
)
def test_other_events_are_refused_with_the_reason(members, reason):
    fault = event_fault(replace(EVENT, **members))
    assert fault is not None
    assert reason in fault.reason
