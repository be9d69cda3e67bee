"""The printed forms of each ruleset and their contents during an event."""

from __future__ import annotations

import pytest

from shared.swiss.roster_parts import salt_of, split_sealed
from shared.tournament.registration import OpenedRoster, RosterAccepted, RostersOpened, RosterSubmitted
from tests.services.registration.story import FLEET
from tests.services.scoring.story import ARMADA, score
from tests.services.story import NOBODY

FALLOUT, DUST = "fallout-factions-comp-1.0", "dust-warfare-1.0"


def cell(text: str) -> int | str:
    """Return numbers as numbers, to compare with the rules."""
    return int(text) if text.isdigit() else text


def sheets(told, form: str, query: str = "", by: str = "organiser") -> list[dict]:
    """Return the sheets with their lines by column."""
    answer = told.get(f"/forms/{form}{query}", by=by)
    assert answer.status == 200, answer
    return [
        {
            "about": sheet["about"],
            "heading": {name: cell(text) for name, text in sheet["heading"].items()},
            "lines": [dict(zip(sheet["columns"], map(cell, line), strict=True)) for line in sheet["lines"]],
        }
        for sheet in answer.body["items"]
    ]


def submit(told, player: str, roster: dict) -> None:
    told.say("registration", RosterSubmitted(player=player, roster=roster), RosterAccepted(player=player))


@pytest.mark.clause("AR-DOC-1", "DW-DOC-1", "DW-DOC-2", "FF-DOC-1")
@pytest.mark.parametrize(
    ("ruleset", "forms"),
    [
        (ARMADA, ["fleet-list", "result-slip", "registration-list", "pairings", "standings"]),
        (FALLOUT, ["crew-roster", "result-note", "registration-list", "pairings", "standings"]),
        (
            DUST,
            [
                "player-score-sheet",
                "player-reporting-sheet",
                "battle-builder",
                "army-list",
                "registration-list",
                "pairings",
                "standings",
            ],
        ),
    ],
)
def test_every_ruleset_lists_its_forms_with_clauses(open_floor, ruleset, forms):
    shown = open_floor(4, ruleset=ruleset, rounds=3).get("/forms", by=NOBODY).body["items"]
    assert [form["id"] for form in shown] == forms
    assert all(form["clause"] and form["columns"] for form in shown)


@pytest.mark.clause("FF-REG-4", "DW-ROS-1")
@pytest.mark.parametrize(("ruleset", "form", "copies"), [(FALLOUT, "crew-roster", 5), (DUST, "army-list", 2)])
def test_the_number_of_printed_copies(open_floor, ruleset, form, copies):
    shown = {one["id"]: one for one in open_floor(4, ruleset=ruleset, rounds=3).get("/forms").body["items"]}
    assert shown[form]["copies"] == copies


@pytest.mark.clause("FF-REG-4")
def test_copies_are_unknown_until_the_rounds_are_fixed(open_floor):
    assert open_floor(4, ruleset=FALLOUT).get("/forms").body["items"][0]["copies"] is None


class TestDustWarfare:
    """DW-DOC-1, DW-DOC-2: score sheets and reporting slips."""

    @pytest.fixture
    def told(self, open_floor):
        told = open_floor(3, ruleset=DUST, rounds=2)
        told.begin(1, ("p1", "p2"), ("p3",))
        told.report("r1g1", {"winner": 1, "points_1": 140, "points_2": 60})
        told.close(1)
        told.begin(2, ("p3", "p1"), ("p2",))
        return told

    @pytest.mark.clause("DW-DOC-1")
    def test_a_score_sheet_has_running_totals_and_four_lines(self, told):
        told.report("r2g1", {"winner": "draw", "points_1": 50, "points_2": 30})
        (sheet,) = sheets(told, "player-score-sheet", "?player=p1")
        assert (sheet["about"], sheet["heading"]) == ("p1", {"name": "Ana"})
        assert [tuple(line.values()) for line in sheet["lines"]] == [
            (1, "Ben", 10, 140),
            (2, "Cy", 16, 170),
            ("", "", "", ""),
            ("", "", "", ""),
        ]

    @pytest.mark.clause("DW-DOC-1")
    def test_a_round_being_played_shows_only_the_opponent(self, told):
        (sheet,) = sheets(told, "player-score-sheet", "?player=p1")
        assert tuple(sheet["lines"][1].values()) == (2, "Cy", "", "")
        (sheet,) = sheets(told, "player-score-sheet", "?player=p3")
        assert tuple(sheet["lines"][0].values()) == (1, "", 10, 0)

    @pytest.mark.clause("DW-DOC-2")
    def test_reporting_slips_are_filled_from_the_bottom(self, told):
        told.report("r2g1", {"winner": "draw", "points_1": 50, "points_2": 30})
        (sheet,) = sheets(told, "player-reporting-sheet", "?player=p1")
        assert [tuple(line.values())[:5] for line in sheet["lines"]] == [
            ("", "", "", "", ""),
            ("", "", "", "", ""),
            ("Ana", 2, "Cy", 6, 30),
            ("Ana", 1, "Ben", 10, 140),
        ]
        assert {line["signature of the opponent"] for line in sheet["lines"]} == {""}

    @pytest.mark.clause("DW-DOC-2")
    def test_slips_of_one_round_for_all_players(self, told):
        shown = sheets(told, "player-reporting-sheet", "?round=2")
        assert [(sheet["about"], sheet["lines"][-1]["opponent"]) for sheet in shown] == [
            ("p1", "Cy"),
            ("p2", ""),
            ("p3", "Ana"),
        ]

    @pytest.mark.clause("DW-DOC-1", "DW-DOC-2", "DW-RES-3", "DW-PTS-1")
    def test_the_words_of_the_printed_forms(self, told):
        forms = {form["id"]: form for form in told.get("/forms", by=NOBODY).body["items"]}
        slip, sheet = forms["player-reporting-sheet"], forms["player-score-sheet"]
        assert [sheet["titles"][name] for name in sheet["columns"]] == ["ROUND", "OPPONENT", "TOTAL MP", "TOTAL BP"]
        assert [slip["titles"][name] for name in slip["columns"]] == [
            "YOUR NAME",
            "ROUND #",
            "OPPONENT'S NAME",
            "EARNED MP",
            "EARNED BP",
            "OPPONENT'S SIGNATURE",
        ]
        assert "win 10, tie 6, loss 3" in slip["instructions"][-1]
        filled = told.get("/forms/player-reporting-sheet").body
        assert (filled["titles"], filled["instructions"]) == (slip["titles"], slip["instructions"])
        assert "Tournament Organizer" in filled["instructions"][1]

    @pytest.mark.clause("DW-TBL-4", "DW-SCN-1", "DW-SCN-2", "DW-SCN-5")
    def test_every_table_has_a_copy_of_the_battle_builder(self, open_floor):
        told = open_floor(5, ruleset=DUST, rounds=2)
        (blank,) = sheets(told, "battle-builder")
        assert blank["about"] == ""
        told.begin(1, ("p1", "p2"), ("p3", "p4"), ("p5",))
        one, two = sheets(told, "battle-builder")
        assert [(sheet["about"], sheet["heading"]["table"]) for sheet in (one, two)] == [("r1g1", 1), ("r1g2", 2)]
        assert blank["lines"] == one["lines"] == two["lines"]
        table = [(line["variable"], line["points"], line["name"]) for line in one["lines"]]
        assert table == [
            ("Objectives", 0, "Key Positions"),
            ("Objectives", 1, "Eliminate the Enemy"),
            ("Objectives", 2, "Critical Positions"),
            ("Objectives", 3, "Assassination"),
            ("Deployment", 0, "Advancing Lines"),
            ("Deployment", 1, "Force Collision"),
            ("Deployment", 2, "Fubar"),
            ("Deployment", 3, "Close Engagement"),
            ("Conditions", 0, "Limited Visibility"),
            ("Conditions", 1, "None"),
            ("Conditions", 2, "Radar Support"),
            ("Conditions", 3, "Off Target Shelling"),
        ]
        (mine,) = sheets(told, "battle-builder", "?player=p3")
        assert mine["about"] == "r1g2"
        steps = told.get("/forms/battle-builder").body["instructions"]
        wanted = (
            "army lists",
            "five combat dice",
            "two scenario points",
            "Terrain",
            "own deployment zone",
            "five game turns",
        )
        assert [word in step for word, step in zip(wanted, steps, strict=True)] == [True] * 6

    @pytest.mark.clause("DW-SCN-6", "DW-AMB-22")
    @pytest.mark.parametrize(
        ("name", "words"),
        [
            (
                "Key Positions",
                ["Soldier unit", "Unit Leader in base contact", "two different areas", "or 2 where both"],
            ),
            ("Eliminate the Enemy", ["completely destroyed", "Hero"]),
            (
                "Critical Positions",
                ["Soldier unit", "completely within", "own deployment zone", "every later game turn"],
            ),
            ("Assassination", ["Command Section", "while keeping the own alive", "worth more army points", "a tie"]),
            ("Advancing Lines", ["spent the first scenario point", "9 inches"]),
            ("Force Collision", ["corner", "24 inches"]),
            ("Fubar", ["area of cover", "completely inside", "Reserve", "Air Drop"]),
            ("Close Engagement", ["6 and 18 inches"]),
            ("Limited Visibility", ["16 inches", "Soldier", "Burst and Spray"]),
            ("Radar Support", ["first command phase", "Artillery Strike"]),
            ("Off Target Shelling", ["Suppression", "End phase"]),
        ],
    )
    def test_the_battle_builder_shows_what_decides(self, open_floor, name, words):
        (sheet,) = sheets(open_floor(2, ruleset=DUST, rounds=2), "battle-builder")
        (says,) = [line["says"] for line in sheet["lines"] if line["name"] == name]
        assert [word for word in words if word not in says] == []

    @pytest.mark.clause("DW-ROS-2", "DW-ROS-1")
    def test_an_army_list_has_section_points_name_and_options(self, told):
        unit = {"section": "command", "name": "The Boss", "points": 45, "options": [{"name": "Radio", "points": 5}]}
        submit(told, "p1", {"faction": "allies", "army_total": 50, "units": [unit]})
        (sheet,) = sheets(told, "army-list")
        assert sheet["heading"] == {"name": "Ana", "faction": "allies", "army_total": 50}
        assert sheet["lines"] == [{"section": "command", "points": 45, "name": "The Boss", "options": "Radio (5)"}]

    @pytest.mark.clause("DW-DOC-1", "DW-AMB-24", "DW-CUT-2")
    def test_the_elimination_starts_a_new_sheet(self, open_floor):
        from shared.tournament.rounds import CutMade, PairingsDrawn, RoundPaired
        from tests.services.story import seat_of

        told = open_floor(2, ruleset=DUST, rounds=2)
        told.begin(1, ("p1", "p2"))
        told.report("r1g1", {"winner": 1, "points_1": 140, "points_2": 60})
        told.close(1)
        told.say(
            "pairing",
            CutMade(after_round=1, seeds=["p1", "p2"], made_from=1),
            PairingsDrawn(round=2, page=1, pages=1, pairings=[seat_of(2, 1, ("p1", "p2"))]),
            RoundPaired(round=2, stage="elimination", method="seeded", games=1),
        )
        told.started(2)
        for result in (False, True):
            if result:
                told.report("r2g1", {"winner": 1, "points_1": 20, "points_2": 10})
            first, second = sheets(told, "player-score-sheet", "?player=p1")
            assert (first["lines"][0]["round"], second["lines"][0]["round"]) == (1, 2)
        assert second["lines"][0]["match_points"] == 10


class TestSlips:
    """Slips for the games of a round, blank or with the reported results."""

    @pytest.mark.clause("AR-DOC-1")
    def test_an_armada_slip(self, evening):
        one, two = sheets(evening, "result-slip")
        assert one["heading"] == {"round": 1, "table": 1, "end": "", "second_player": ""}
        assert [line["player"] for line in one["lines"]] == ["Ana", "Ben"]
        assert {line["score"] for line in (*one["lines"], *two["lines"])} == {""}
        evening.report("r1g1", score(210, 150))
        (one,) = sheets(evening, "result-slip", "?player=p2")
        assert (one["heading"]["end"], one["heading"]["second_player"]) == ("rounds", "Ben")
        assert [list(line.values()) for line in one["lines"]] == [
            ["Ana", 210, "win", 60, 7],
            ["Ben", 150, "loss", 0, 3],
        ]

    @pytest.mark.clause("FF-DOC-1", "FF-RES-4")
    def test_a_factions_note_has_the_scenario_and_the_search_tokens(self, open_floor):
        told = open_floor(2, ruleset=FALLOUT, rounds=2)
        told.begin(1, ("p1", "p2"), scenario="Melee")
        told.report("r1g1", {"points_1": 20, "points_2": 10, "extra": {"search_tokens_1": 2, "search_tokens_2": 3}})
        (note,) = sheets(told, "result-note")
        assert note["heading"] == {"round": 1, "table": 1, "scenario": "Melee"}
        assert [list(line.values()) for line in note["lines"]] == [["Ana", 20, 2], ["Ben", 10, 3]]


@pytest.mark.clause("AR-TBL-1", "AR-DOC-1")
def test_pairings_and_standings_of_a_round(evening):
    sheet, _ = sheets(evening, "pairings")
    assert sheet["lines"] == [
        {"table": 1, "player_1": "Ana", "player_2": "Ben"},
        {"table": 2, "player_1": "Cy", "player_2": "Dee"},
    ]
    assert len(sheets(evening, "pairings")) == 2
    assert sheets(evening, "standings") == []
    evening.play(1, (210, 150), (120, 100))
    (sheet,) = sheets(evening, "standings")
    assert sheet["heading"] == {"tournament": "Club night", "round": 1}
    assert list(sheet["lines"][0].values()) == [1, "Eli", 8, 61, 0]


@pytest.mark.clause("DW-REG-3", "FF-REG-3", "AR-STAFF-2")
def test_a_registration_list_shows_accepted_lists(open_floor):
    told = open_floor(2)
    submit(told, "p2", FLEET)
    (sheet,) = sheets(told, "registration-list")
    assert [(line["name"], line["status"], line["list"]) for line in sheet["lines"]] == [
        ("Ana", "active", ""),
        ("Ben", "active", "accepted"),
    ]


class TestLists:
    """Lists are printed with their public fields."""

    @pytest.mark.clause("AR-ROS-6", "AR-DOC-1", "FF-COND-2")
    def test_a_fleet_list_is_empty_until_it_opens(self, open_floor):
        told = open_floor(2)
        _, sealed = split_sealed(list(FLEET), FLEET, "a secret")
        told.say("registration", RosterSubmitted(player="p1", roster={}, sealed=sealed), RosterAccepted(player="p1"))
        told.begin(1, ("p1", "p2"))
        for by in (NOBODY, "p1", "referee"):
            (sheet,) = sheets(told, "fleet-list", by=by)
            assert sheet["heading"] == {"name": "Ana", "faction": "", "fleet_total": ""}
            assert {line["name"] for line in sheet["lines"]} == {""}
        salts = {field: salt_of("a secret", field) for field in FLEET}
        told.say("registration", RostersOpened(rosters=[OpenedRoster(player="p1", roster=FLEET, salts=salts)]))
        (sheet,) = sheets(told, "fleet-list", by=NOBODY)
        assert sheet["heading"] == {"name": "Ana", "faction": "rebel", "fleet_total": 300}
        assert sheet["lines"][1] == {
            "list": "ships",
            "name": "Assault Frigate",
            "points": 81,
            "upgrades": "Gallant Haven (8)",
            "category": "",
        }

    @pytest.mark.clause("AR-TIME-6", "AR-DOC-1")
    def test_objective_cards_stay_empty_on_forms(self, open_floor):
        told = open_floor(2)
        clear, sealed = split_sealed(["objectives"], FLEET, "a secret")
        told.say("registration", RosterSubmitted(player="p1", roster=clear, sealed=sealed), RosterAccepted(player="p1"))
        told.begin(1, ("p1", "p2"))
        for by in (NOBODY, "p1", "referee"):
            (sheet,) = sheets(told, "fleet-list", by=by)
            assert [(line["name"], line["category"]) for line in sheet["lines"] if line["list"] == "objectives"] == [
                ("", "assault"),
                ("", "defense"),
                ("", "navigation"),
            ]


def test_sheets_are_paged(open_floor):
    told = open_floor(3, ruleset=DUST, rounds=2)
    first = told.get("/forms/player-score-sheet?limit=2").body
    rest = told.get(f"/forms/player-score-sheet?limit=2&after={first['next']}").body
    assert ([sheet["about"] for sheet in first["items"] + rest["items"]], rest["next"]) == (["p1", "p2", "p3"], None)


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        ("certificate", "form-unknown"),
        ("pairings?round=7", "round-unknown"),
        ("result-slip?player=p77", "player-unknown"),
        ("pairings?after=x", "invalid-cursor"),
    ],
)
def test_unknown_forms_rounds_and_players_are_refused(evening, rest, code):
    assert evening.get(f"/forms/{rest}").code == code


def test_forms_show_players_who_wait_for_a_table(open_floor):
    from msgspec.structs import replace

    from shared.tournament.rounds import PairingsDrawn, RoundPaired
    from tests.services.story import seat_of

    told = open_floor(4, rounds=2)
    games = [("p1", "p2"), ("p3", "p4")]
    seats = [replace(seat_of(1, n, game), table=1, wave=n) for n, game in enumerate(games, 1)]
    told.say(
        "pairing",
        PairingsDrawn(round=1, page=1, pages=1, pairings=seats),
        RoundPaired(round=1, stage="swiss", method="random", games=2),
    )
    (sheet,) = sheets(told, "pairings")
    assert [line["table"] for line in sheet["lines"]] == [1, "1, wave 2"]
    assert [sheet["heading"]["table"] for sheet in sheets(told, "result-slip")] == [1, "1, wave 2"]
    assert [game["wave"] for game in told.get("/games").body["items"]] == [1, 2]
