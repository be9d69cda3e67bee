"""No search for garbage while states are made, by however many threads, and one afterwards."""

from __future__ import annotations

import gc
from threading import Barrier, Thread

import pytest

from shared.service.state import garbage_collection_paused


@pytest.fixture(autouse=True)
def searching():
    """As an application has it; the tests themselves run without."""
    before = gc.isenabled()
    gc.enable()
    yield
    if not before:
        gc.disable()


def test_there_is_none_until_the_last_one_is_done():
    inside, outside = Barrier(2), Barrier(2)

    def building() -> None:
        with garbage_collection_paused():
            inside.wait()
            outside.wait()

    with garbage_collection_paused():
        other = Thread(target=building)
        other.start()
        inside.wait()
        assert not gc.isenabled()
    assert not gc.isenabled()
    outside.wait()
    other.join()
    assert gc.isenabled()


def test_one_that_fails_leaves_nothing_switched_off():
    with pytest.raises(ZeroDivisionError), garbage_collection_paused():
        raise ZeroDivisionError
    assert gc.isenabled()


def test_who_never_searches_does_not_begin_to():
    gc.disable()
    with garbage_collection_paused():
        assert not gc.isenabled()
    assert not gc.isenabled()


def test_what_has_piled_up_is_found_afterwards():
    found = []
    gc.callbacks.append(lambda phase, _: found.append(phase))
    try:
        with garbage_collection_paused():
            piled = [[] for _ in range(gc.get_threshold()[0] * 3)]
            assert found == []
        piled.append([])
        assert "start" in found
    finally:
        gc.callbacks.pop()
