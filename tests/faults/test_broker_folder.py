"""The embedded broker is a folder; anybody may delete it at any time."""

from __future__ import annotations

import shutil

import pytest

from deploy.stack import Stack
from shared.messaging.broker import Topology
from shared.settings import SERVICES
from tests.faults.auditor import Auditor
from tests.faults.conftest import EMBEDDED
from tests.faults.holds import check, eventually, hears, publish_nothing
from tests.faults.load import Load
from tests.faults.processes import without

pytestmark = pytest.mark.parametrize("stack", [EMBEDDED], indirect=True)


def test_the_folder_is_deleted_while_messages_are_in_it(stack: Stack) -> None:
    folder = stack.settings("scoring").broker_folder
    waiting = f"*.{Topology().queue_name('pairing')}.msg"
    auditor = Auditor(stack)
    with Load(stack) as load:
        for number in range(3):
            load.more(10)
            hears(auditor, "pairing")
            with without(stack, "pairing"):
                publish_nothing(stack, "scoring")  # whatever the load is waiting for
                eventually(lambda: any(folder.glob(f"queues/{waiting}")), "messages for pairing")
                gone = folder.rename(folder.with_name(f"gone-{number}"))
            load.over()
            shutil.rmtree(gone)
        load.more(20)
    check(stack, load)
    for service in SERVICES:
        hears(auditor, service)


def test_a_power_cut_leaves_the_file_of_the_bindings_empty(stack: Stack) -> None:
    auditor = Auditor(stack)
    with Load(stack) as load:
        load.more(10)
        stack.kill_all()
        bindings = list((stack.settings("scoring").broker_folder / "control").iterdir())
        assert bindings
        for file in bindings:
            file.write_bytes(b"")
        load.over()
        stack.start()
        load.more(10)
    check(stack, load)
    for service in SERVICES:
        hears(auditor, service)
