"""Only owner and staff see a list until it opens; then the log has its content, which matches the digests."""

from __future__ import annotations

import hashlib
import json

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from services.registration.swiss_rosters import OpenRosters, RosterIllegal
from shared.service.commands import CommandEnvelope
from shared.service.wiring import WIRED, Service
from shared.tournament.guards import by_rule
from shared.tournament.registration import OpenedRoster
from tests.services.story import NOBODY, Tournament

FLEET = {
    "faction": "rebel",
    "fleet_total": 300,
    "commanders": [{"name": "Quixote", "points": 20}],
    "ships": [
        {"name": "Umbra", "points": 81, "upgrades": [{"name": "Zephyr", "points": 8}]},
        {"name": "Ossian", "points": 101},
    ],
    "squadrons": [{"name": "Vesper", "points": 90}],
    "objectives": [
        {"name": "Kestrel", "category": "assault"},
        {"name": "Larkspur", "category": "defense"},
        {"name": "Merlin", "category": "navigation"},
    ],
}
"""A legal fleet with names that stand in no ruleset."""
OBJECTIVES = ["Kestrel", "Larkspur", "Merlin"]
WORDS = ["Quixote", "Umbra", "Zephyr", "Ossian", "Vesper", *OBJECTIVES]
FIRST_ROUND = [field for field in FLEET if field != "objectives"]


@pytest.fixture
def evening(evening):
    evening.join("Ana", "Ben", "Cy")
    evening.do("p1", "roster", {"roster": FLEET}, by="p1")
    return evening


def lines(evening, type, by=NOBODY):
    return [line["data"] for line in evening.get("/log?limit=5000", by=by).lines if line["type"] == type]


def digest(salt, field, value):
    text = json.dumps([salt, field, value], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def failures(evening, tmp_path):
    """Return the findings of `muster verify` about registration's log; the other logs have no commands here."""
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"".join(evening.get(f"/log?source={source}&limit=5000").text for source in evening.club.sources))
    done = CliRunner().invoke(main, ["verify", str(file)])
    assert done.stdout
    return [line for line in done.stderr.splitlines() if line.startswith("registration ")]


@pytest.mark.clause("AR-TIME-6", "FF-COND-2")
class TestBeforeItOpens:
    def test_no_log_has_its_content(self, evening):
        evening.pair_first("p1", "p2")
        club, everywhere = evening.club, "/log?limit=5000"
        texts = [evening.get(rest, by=by).text for rest in ("/log", "/heads") for by in (NOBODY, "p2", "organiser")]
        texts += [club.ask("GET", everywhere, token=club.token(role)).text for role in ("service", "operator")]
        found = [word for word in WORDS for text in texts if word in text.decode()]
        assert found == []

    def test_the_log_has_a_digest_of_each_field_and_none_in_clear(self, evening):
        (submitted,) = lines(evening, "RosterSubmitted")
        assert submitted["roster"] == {}
        assert sorted(submitted["sealed"]) == sorted(evening.get("/ruleset").body["ruleset"]["roster"]["fields"])
        assert len(set(submitted["sealed"].values())) == len(submitted["sealed"])

    def test_the_answers_to_strangers_hold_nothing_of_it(self, evening):
        for rest in (
            "",
            "/players",
            "/players/p1",
            "/players/p1/roster",
            "/players/p1/roster/sheets",
            "/rosters/sheets",
        ):
            text = evening.get(rest, by="p2").text.decode()
            assert not any(word in text for word in WORDS), rest

    def test_a_note_of_staff_is_for_the_player_and_staff_and_not_in_the_log(self, evening):
        answer = evening.do("p1", "roster/rejection", {"note": "the CR90 is a proxy"}, by="referee")
        assert answer.events[0]["data"] == {"player": "p1"}
        for by in ("p1", "referee", "organiser"):
            assert evening.get("/players/p1/roster", by=by).body["note"] == "the CR90 is a proxy"
        assert evening.get("/players/p1/roster", by="integration").body["note"] == ""
        assert "proxy" not in evening.get("/log", by="organiser").text.decode()
        evening.do("p1", "roster/acceptance", {"note": "repainted"})
        assert evening.get("/players/p1/roster", by="p1").body["note"] == "repainted"
        several = evening.post("/rosters/acceptance", {"players": ["p1"], "note": "all of them"})
        assert several.types == ["RosterAccepted"]
        assert evening.get("/players/p1/roster", by="p1").body["note"] == "all of them"
        evening.begin("p1", "p2")
        for by in ("p2", NOBODY):
            assert evening.get("/players/p1/roster", by=by).body["note"] == ""
        assert not any(word in evening.get("/log").text.decode() for word in ("repainted", "all of them"))


@pytest.mark.clause("AR-TIME-6", "FF-COND-2")
class TestOpening:
    def test_the_first_round_opens_the_public_fields_with_matching_salts(self, evening):
        (submitted,) = lines(evening, "RosterSubmitted")
        evening.begin("p1", "p2")
        (opened,) = lines(evening, "RostersOpened")
        (roster,) = opened["rosters"]
        assert roster["player"] == "p1"
        assert roster["roster"] == {field: FLEET[field] for field in FIRST_ROUND}
        for field, salt in roster["salts"].items():
            assert digest(salt, field, roster["roster"].get(field)) == submitted["sealed"][field]
        assert not any(word in evening.get("/log").text.decode() for word in OBJECTIVES)

    def test_the_end_opens_the_rest(self, evening):
        (submitted,) = lines(evening, "RosterSubmitted")
        evening.begin("p1", "p2")
        evening.closed(1)
        evening.concluded()
        _, opened = lines(evening, "RostersOpened")
        (roster,) = opened["rosters"]
        assert roster["roster"] == {"objectives": FLEET["objectives"]}
        assert (
            digest(roster["salts"]["objectives"], "objectives", FLEET["objectives"])
            == (submitted["sealed"]["objectives"])
        )

    def test_a_cancellation_opens_everything_as_soon_as_the_worker_looks(self, evening):
        evening.post("/cancellation", {"reason": "snow"})
        evening.regularly()
        evening.regularly()
        (opened,) = lines(evening, "RostersOpened")
        assert opened["rosters"][0]["roster"] == FLEET

    def test_it_happens_once_however_often_registration_is_notified(self, evening):
        evening.begin("p1", "p2")
        for _ in range(3):
            evening.react()
            evening.react("scoring")
        assert len(lines(evening, "RostersOpened")) == 1

    def test_the_row_is_gone_once_all_of_it_is_open(self, evening):
        def rows():
            with evening.club.database.reading() as connection:
                return connection.value("SELECT count(*) FROM sealed_lists WHERE tournament = :id", id=evening.id)

        evening.begin("p1", "p2")
        assert rows() == 1
        evening.concluded()
        assert rows() == 0

    def test_later_submissions_are_recorded_in_clear_where_fields_are_open(self, evening):
        evening.begin("p1", "p2")
        answer = evening.do("p3", "roster", {"roster": FLEET, "override": "came late"}, by="referee")
        submitted, accepted = (event["data"] for event in answer.events)
        assert submitted["roster"] == {field: FLEET[field] for field in FIRST_ROUND}
        assert list(submitted["sealed"]) == ["objectives"]
        assert accepted["note"] == "came late"
        assert len(lines(evening, "RostersOpened")) == 1

    def test_the_same_list_from_staff_after_the_opening_changes_nothing(self, evening):
        evening.begin("p1", "p2")
        assert evening.do("p1", "roster", {"roster": FLEET, "override": "again"}, by="referee").types == []

    def test_an_audit_decides_it_all_again(self, evening, tmp_path):
        evening.do("p1", "roster/rejection", {"note": "a proxy"}, by="referee")
        evening.do("p1", "roster/acceptance", {"note": "repainted"})
        evening.do("p2", "roster", {"roster": FLEET, "override": "not needed"}, by="referee")
        evening.begin("p1", "p2")
        evening.do("p3", "roster", {"roster": FLEET, "override": "came late"}, by="referee")
        evening.concluded()
        assert failures(evening, tmp_path) == []

    def test_many_lists_take_several_events(self, announce):
        evening = announce()
        upgrades = [{"name": f"{number:0100}", "points": 0} for number in range(40)]
        ships = [{**FLEET["ships"][0], "points": 89, "upgrades": upgrades}, FLEET["ships"][1]]
        for player in evening.join(*[f"Player {number:02}" for number in range(1, 31)]):
            assert evening.do(player, "roster", {"roster": {**FLEET, "ships": ships}}).status == 201
        evening.begin("p1", "p2")
        pages = lines(evening, "RostersOpened")
        assert len(pages) > 1
        assert [one["player"] for page in pages for one in page["rosters"]] == [f"p{n}" for n in range(1, 31)]
        assert max(len(json.dumps(page)) for page in pages) < 128 * 1024


@pytest.mark.clause("AR-TIME-6")
class TestWhatDoesNotFit:
    @staticmethod
    def row(evening, sql):
        with evening.club.database.writing() as connection:
            connection.run(f"{sql} WHERE tournament = :id", id=evening.id)

    def test_a_row_that_does_not_fit_is_neither_shown_nor_opened(self, evening):
        other = json.dumps({**FLEET, "faction": "imperial"})
        self.row(evening, f"UPDATE sealed_lists SET fields = '{other}'")
        shown = evening.get("/players/p1/roster", by="p1").body
        assert "faction" not in shown["roster"]
        assert {part["field"]: part["held"] for part in shown["sealed"]}["faction"] is False
        evening.begin("p1", "p2")
        assert len(lines(evening, "RostersOpened")) == 1
        assert lines(evening, "RostersOpened")[0]["rosters"][0]["roster"].keys() == set(FIRST_ROUND) - {"faction"}

    def test_a_lost_list_is_handed_in_again(self, evening):
        self.row(evening, "DELETE FROM sealed_lists")
        evening.begin("p1", "p2")
        assert lines(evening, "RostersOpened") == []
        assert evening.get("/players/p1/roster", by="p1").body["roster"] == {}
        evening.do("p1", "roster", {"roster": FLEET, "override": "lost with the database"}, by="referee")
        assert evening.get("/players/p1/roster", by="p2").body["roster"].keys() == set(FIRST_ROUND)

    @pytest.mark.parametrize(
        ("roster", "salts", "where"),
        [
            ({"faction": "imperial"}, {"faction": "0" * 64}, "/rosters/0/roster/faction"),
            ({"faction": 1.5}, {"faction": "0" * 64}, "/rosters/0/roster/faction"),
            ({"faction": "rebel"}, {}, "/rosters/0/salts/faction"),
            ({}, {"objectives": "0" * 64}, "/rosters/0/salts/objectives"),
        ],
    )
    def test_no_command_opens_it(self, evening, roster, salts, where):
        evening.pair_first("p1", "p2")
        Tournament.started(evening, 1)  # and registration has not reacted yet
        service = evening.club.app.extensions[WIRED][Service]
        command = OpenRosters(rosters=[OpenedRoster(player="p1", roster=roster, salts=salts)])
        with pytest.raises(RosterIllegal) as refused:
            service.handler.run(CommandEnvelope(evening.id, command, by_rule("AR-ROS-6"), "x~y"))
        assert [fault.where for fault in refused.value.faults] == [where]
