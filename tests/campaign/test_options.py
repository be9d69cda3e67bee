"""Options of a campaign: defaults, other values, and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from shared.campaign.tables import Options
from shared.formats.packs import shipped_ruleset
from shared.rules.model import OptionsRefused
from tests.campaign.story import SHIPPED, campaign_rules

KNOWN: dict[str, dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "data" / "options.yaml").read_text("utf-8"))
OTHERS = [(key, other) for key, known in KNOWN.items() for other in known["others"]]


def read_options(chosen: dict[str, Any]) -> Options:
    return campaign_rules(chosen).options


def as_json(options: Options) -> dict[str, Any]:
    return json.loads(msgspec.json.encode(options))


def test_every_option_exists_with_its_default() -> None:
    assert as_json(Options()) == {key: known["default"] for key, known in KNOWN.items()}
    assert read_options({}) == Options()


def test_every_option_names_an_open_question() -> None:
    settles = {option.key: option.clause for option in shipped_ruleset(SHIPPED).options}
    assert settles == {key: known["settles"] for key, known in KNOWN.items()}
    assert set(settles.values()) == {*(f"FS-AMB-{number}" for number in range(1, 61)), "FS-AUD-1", "FS-RND-5"}


@pytest.mark.parametrize(("key", "other"), OTHERS)
def test_every_other_value_can_be_set_as_itself_and_as_text(key: str, other: Any) -> None:
    changed = as_json(read_options({key: other}))
    assert changed[key] == other
    assert {name for name in changed if changed[name] != KNOWN[name]["default"]} == {key}
    if not isinstance(other, dict):
        text = ",".join(other) if isinstance(other, list) else str(other).lower() if other is True else str(other)
        assert read_options({key: text}) == read_options({key: other})


@pytest.mark.parametrize("key", [key for key in KNOWN if "league" not in key or key == "fs.bye.league_points"])
def test_invalid_value_is_refused_with_the_option(key: str) -> None:
    with pytest.raises(OptionsRefused) as refused:
        read_options({key: "chess"})
    assert [(fault.where, fault.clause) for fault in refused.value.faults] == [(f"/{key}", KNOWN[key]["settles"])]


@pytest.mark.parametrize(
    ("chosen", "where", "clause"),
    [
        ({"fs.start.caps": 600}, "/fs.start.caps", ""),
        ({"fs.campaign.rounds": 0}, "/fs.campaign.rounds", "FS-AMB-59"),
        ({"fs.league.points": {"win": -1}}, "/fs.league.points", "FS-AMB-59"),
        ({"fs.league.points": {"bonus": 1}}, "/fs.league.points", "FS-AMB-59"),
        ({"fs.league.tiebreaks": ["luck"]}, "/fs.league.tiebreaks", "FS-AMB-59"),
    ],
)
def test_unknown_options_and_impossible_numbers_are_refused(chosen: dict[str, object], where: str, clause: str) -> None:
    with pytest.raises(OptionsRefused) as refused:
        read_options(chosen)
    assert [(fault.where, fault.clause) for fault in refused.value.faults] == [(where, clause)]
    assert all(fault.said and str(fault.expected) for fault in refused.value.faults)
