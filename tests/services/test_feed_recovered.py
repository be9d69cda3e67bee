"""The public feed after the database of scoring was restored or lost: a cursor stays valid or is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.settings import SERVICES
from tests.faults.backup import Backup
from tests.services.engines import ENGINES
from tests.services.house import House

ANNOUNCED = {"name": "Cup", "ruleset": "star-wars-armada-400", "tier": "casual", "rounds": 3}


class Home(House):
    """A house in which scoring is put back."""

    def announce(self) -> str:
        club = self.clubs["registration"]
        return str(club.ask("POST", "/tournaments", ANNOUNCED, token=club.token("operator")).body["id"])

    def join(self, tournament: str, name: str) -> None:
        club = self.clubs["registration"]
        token = club.token("organiser", tournament)
        answer = club.ask("POST", f"/tournaments/{tournament}/players", {"name": name}, token=token)
        assert answer.status == 201, answer

    def read(self, cursor: str = "") -> tuple[list[str], str]:
        """Ids of what follows a cursor, and the cursor behind them; or the problem's code in their place."""
        answer = self.clubs["scoring"].ask("GET", f"/feed?after={cursor}&limit=500")
        if answer.code:
            return [answer.code], ""
        return [line["id"] for line in answer.lines], answer.headers["Muster-Feed-Cursor"]


@pytest.fixture(params=ENGINES)
def home(request, tmp_path, monkeypatch) -> Iterator[Home]:
    env = {}
    if request.param == "postgresql":
        create = request.getfixturevalue("postgresql_urls")
        env = {f"{name.upper()}_DATABASE_URL": create() for name in SERVICES}
    home = Home(tmp_path, env, monkeypatch)
    yield home
    for name in SERVICES:
        home.end(name)


def test_cursor_is_continued_or_refused_but_skips_nothing(home, tmp_path):
    first, second = sorted([home.announce(), home.announce()])
    home.copy()
    _, early = home.read()
    backup = Backup(home.clubs["scoring"].settings.database_url, tmp_path)
    home.end("scoring")
    backup.take()
    home.begin_anew("scoring")
    for tournament, name in ((second, "Ana"), (first, "Ben")):
        home.join(tournament, name)
        home.copy()
        home.read()
    before, late = home.read()
    home.end("scoring")
    backup.put_back()
    home.begin_anew("scoring")
    assert home.read(late) == (["feed-cursor-unknown"], "")
    assert home.read(early)[0] == []
    home.copy()
    again, _ = home.read()
    assert again != before, "the other order came out: Ben stands before Ana"
    assert sorted(again) == sorted(before)
    assert home.read(late) == (["feed-cursor-unknown"], "")
    assert home.read(early)[0] == again[-2:]
    home.end("scoring")
    backup.lose()
    home.begin_anew("scoring")
    assert home.read(early) == (["feed-cursor-unknown"], "")
    club = home.clubs["scoring"]
    assert club.ask("POST", "/recover", {}, token=club.token("operator")).status == 200
    home.copy()
    assert sorted(home.read()[0]) == sorted(before)
