"""The page on season packs lists everything, and its example gives the stated result."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from shared.formats.packs import from_values, shipped, shipped_ruleset
from shared.rules.checks import parse_yaml
from shared.rules.parts import to_json
from shared.season import ruleset
from shared.season.counting import SEASON_PIECES
from shared.season.ruleset import SeasonRuleset
from tests.season.rules.story import placed, points

PAGE = (Path(__file__).parents[3] / "docs/reference/season-packs.md").read_text("utf-8")


def test_example_of_the_page_gives_the_stated_points():
    example, _, faults = parse_yaml(re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[1])
    assert not faults
    pack = from_values({**to_json(shipped_ruleset("season-points")), **example, "options": []}, "")
    assert isinstance(pack, SeasonRuleset)
    field = " ".join(f"p{place}" for place in range(1, 21))
    assert points(pack, "p1 p10", placed(1, field)) == {"p1": 21, "p10": 2}


def test_every_pack_piece_and_field_is_on_the_page():
    told = set(re.findall(r"`([a-z][a-z_0-9-]*)", PAGE))
    assert set(shipped("season")) | set(SEASON_PIECES) <= told
    for part in ("PlacePoints", "ResultPoints", "Weights", "Counting", "Eligibility", "Divisions", "Final", "Rating"):
        fields = {field.name for field in msgspec.structs.fields(getattr(ruleset, part))} - {"clause", "clauses"}
        assert fields <= told, part
