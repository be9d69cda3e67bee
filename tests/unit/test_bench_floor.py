"""What benchmarks lay into databases before they measure."""

from __future__ import annotations

from bench.floor import Floor
from bench.shelf import shelve
from bench.story import Shape
from shared.eventlog.engines.memory import MemoryDatabase
from shared.eventlog.read import heads_of
from shared.secret_keys import INSTALLATION
from shared.signing_keys import SigningKey
from shared.web.tokens import Issuer


def test_a_copy_of_a_floor_ends_where_its_owner_s_log_ends() -> None:
    owner, peer = MemoryDatabase(), MemoryDatabase()
    floor = Floor(owner, Issuer(INSTALLATION, SigningKey("k1", bytes(32))), Shape(4, 1, open=True), 2)
    shelve(peer, floor.logs)
    for tournament in floor.tournaments:
        with owner.reading() as here, peer.reading() as there:
            ends = heads_of(here, tournament)
            assert len(ends) == 3
            assert heads_of(there, tournament) == ends
