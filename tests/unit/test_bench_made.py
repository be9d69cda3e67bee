"""What benchmarks make before they measure."""

from __future__ import annotations

from bench.floor import Floor
from bench.season import season
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


def test_a_season_has_all_results_of_its_tournaments() -> None:
    members, gathered = season(3, 4, 8)
    assert len(members) == 8
    assert [len(one.results) for one in gathered] == [4, 4, 4]
    assert sum(len(member.entries) for member in members) == 12
