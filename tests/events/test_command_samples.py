"""Old commands stay readable: a golden sample of every version of every command, as its events carry it.

Samples are never changed; `python -m tests.events.command_samples` writes missing ones.
"""

from __future__ import annotations

import json

import msgspec
import pytest

from shared.log.command_record import (
    Authority,
    CommandForm,
    UnreadableCommand,
    encode_record,
    public_values,
    read_command,
    read_record,
)
from shared.log.event import canonical_json
from tests.events.command_samples import NO_EVENT, SAMPLES, every_version, file_of, kind_of, read_sample, recorded

EVERY = list(every_version())
CURRENT = [key for key in EVERY if key[2] == kind_of(*key[:2])[1].form.version]


def test_every_version_of_every_command_has_a_sample_and_no_sample_is_without_its_command():
    assert {path.name for path in SAMPLES.iterdir()} == {file_of(key).name for key in EVERY}


def test_every_version_is_read_as_the_current_command():
    for key in EVERY:
        command, _, reads_as = read_sample(key)
        assert type(command) is kind_of(*key[:2])[0], key
        assert public_values(command) == reads_as, key


def test_the_newest_version_is_written_as_its_sample_byte_for_byte():
    for key in CURRENT:
        command, events, _ = read_sample(key)
        by = read_record(events[0]).by
        text = encode_record(command, by, kind_of(*key[:2])[1].form, [json.loads(event.data) for event in events])
        assert text == events[0].command, key


class Invite(msgspec.Struct, frozen=True):
    """A command whose shape changed twice: `ground` became `reason`, and one guest became a list of them."""

    guests: list[Guest]
    reason: str


class Guest(msgspec.Struct, frozen=True):
    """The recipient of an invitation."""

    name: str


def _reason(data):
    return {"reason": data["ground"], "name": data["name"]}


def _guests(data):
    return {"reason": data["reason"], "guests": [{"name": data["name"]}]}


FORM = CommandForm(older=(_reason, _guests))


def invitation(version: int, data: dict[str, object]) -> object:
    """Return an invitation of an older release as it is read today."""
    record = {"by": {}, "data": data, "decision": 1, "type": "Invite", "version": version}
    event = recorded("registration", NO_EVENT, record)
    return read_command(read_record(event), Invite, FORM, [event])


@pytest.mark.parametrize(
    ("version", "data"),
    [
        (1, {"ground": "late", "name": "Ana"}),
        (2, {"reason": "late", "name": "Ana"}),
        (3, {"guests": [{"name": "Ana"}], "reason": "late"}),
    ],
)
def test_an_older_version_is_brought_up_step_by_step(version, data):
    assert invitation(version, data) == Invite([Guest("Ana")], "late")


@pytest.mark.parametrize(
    ("version", "data"),
    [
        (0, {}),
        (4, {}),
        (1, {"reason": "late"}),
        (3, {"ground": "late", "name": "Ana"}),
        (2, {"reason": "x", "name": 4}),
    ],
)
def test_unknown_versions_and_other_shapes_are_refused(version, data):
    with pytest.raises(UnreadableCommand):
        invitation(version, data)


def test_the_version_written_is_one_more_than_the_steps():
    assert FORM.version == 3
    text = encode_record(Invite([Guest("Ana")], "late"), Authority("t-1.s1"), FORM, [{"reason": "late"}])
    assert text == canonical_json(
        {
            "by": {"token": "t-1.s1"},
            "data": {"guests": [{"name": "Ana"}], "reason": "late"},
            "decision": 1,
            "type": "Invite",
            "version": 3,
        }
    )
