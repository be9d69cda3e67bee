"""Every piece refuses settings that it does not use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from shared.formats.options import READERS
from shared.formats.packs import from_values, load, shipped_ruleset
from shared.rules.model import PackRefused
from shared.rules.parts import Cut, to_json
from shared.rules.tiebreakers import OWN_SETTINGS, TIEBREAKERS
from shared.season.counting import SEASON_PIECES
from shared.season.ruleset import SeasonPoints
from shared.swiss.board import FORMULAS, OBJECTIVES
from shared.swiss.checks import BOARD_SETTINGS, OPTION_SETTINGS
from shared.swiss.game_parts import Points
from shared.swiss.registries import (
    BYE_POLICIES,
    BYES_BY_VALUES,
    PAIRING_POLICIES,
    POINTS_SCHEMES,
    ROSTER_CHECKS,
)
from shared.swiss.roster import with_catalogue_values
from shared.swiss.roster_parts import RosterCheck

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
ARMADA, FACTIONS, DUST, SEASON, LEAGUE = (
    to_json(shipped_ruleset(id)) | {"options": []}
    for id in (
        "star-wars-armada-1.1",
        "fallout-factions-comp-1.0",
        "dust-warfare-1.0",
        "season-points",
        "season-league",
    )
)
CHESS = to_json(load((EXAMPLES / "chess-club.yaml").read_text("utf-8"), "chess-club.yaml"))
FOREIGN = "wind"
WORTH: dict[str, Any] = {"cut_lowest": 1, "cut_highest": 1, "full": 3, "drawn": "half_points", "floor": "1/3"}
BOARD: dict[str, Any] = {
    "scoring_rounds": [1], "tokens": [5], "worth": 2, "tie": 1, "zero_tie": 1, "fact": "rating_lost", "per": 7,
    "rating_most": 99, "interrupted_round": "skip",
}  # fmt: skip
OPTION: dict[str, Any] = {"choices": {"word": 1}, "least": 1, "most": 9, "needs_above": 3}


def another(name: str) -> Any:
    """Return a value of a criterion's setting that differs from its default."""
    default = OWN_SETTINGS.get(name, 0)
    return WORTH.get(name, default + 1 if isinstance(default, int) else "1/3")


def fields_of(struct: Any) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(struct)}


def faults(pack: dict[str, Any], pointer: str, value: Any) -> list[str]:
    """Return the places of the faults after a value is set at a pointer of the pack."""
    data = json.loads(json.dumps(pack))
    *path, last = pointer.split("/")[1:]
    holder: Any = data
    for step in path:
        holder = holder[int(step)] if isinstance(holder, list) else holder[step]
    if isinstance(holder, list) and int(last) == len(holder):
        holder.append(value)
    else:
        holder[int(last) if isinstance(holder, list) else last] = value
    try:
        from_values(data, "")
    except PackRefused as refused:
        return [fault.where for fault in refused.faults]
    return []


def tagged(union: Any) -> Iterator[tuple[str, set[str], set[str]]]:
    """Yield every piece of a union: its tag, its own settings, and those of other pieces."""
    every = {str(struct.__struct_config__.tag): fields_of(struct) for struct in get_args(union)}
    for tag, own in every.items():
        yield tag, own, {name for names in every.values() for name in names} - own


def cases() -> Iterator[Any]:
    """Yield pack, pointer and value of each setting that a registered piece does not use."""
    packs = {"margin_table": ARMADA, "outcome_points": DUST, "as_reported": CHESS}
    assert packs.keys() == {str(scheme.__struct_config__.tag) for scheme in POINTS_SCHEMES}
    for tag, _, others in tagged(Points):
        for name in (*others, FOREIGN):
            yield pytest.param(packs[tag], f"/points/{name}", 1, id=f"{tag} {name}")
    seasons = {"by_place": SEASON, "by_result": LEAGUE}
    seasons["as_scored"] = SEASON | {"points": {"scheme": "as_scored", "clause": "X"}}
    for tag, _, others in tagged(SeasonPoints):
        for name in (*others, FOREIGN):
            yield pytest.param(seasons[tag], f"/points/{name}", 1, id=f"season {tag} {name}")
    yield from tiebreakers()
    for policy in PAIRING_POLICIES:
        for name in ("of", "seed", FOREIGN):
            pack = CHESS | {"pairing": {"clause": "X", "stages": [{"from_round": 1, "policy": policy, "clause": "X"}]}}
            yield pytest.param(pack, f"/pairing/stages/0/{name}", 1, id=f"{policy} {name}")
    for policy in BYE_POLICIES:
        pack = CHESS | {"bye": CHESS["bye"] | {"policy": policy, "of": []}}
        yield pytest.param(pack, f"/bye/{FOREIGN}", 1, id=f"bye {policy} {FOREIGN}")
        yield pytest.param(pack, "/bye/scenario_most", 9, id=f"bye {policy} scenario_most")
        if policy not in BYES_BY_VALUES:
            yield pytest.param(pack, "/bye/of", ["half_points"], id=f"bye {policy} of")
    yield from absences()
    yield from brackets()
    yield from roster_checks()
    yield from boards()
    yield from options()


def tiebreakers() -> Iterator[Any]:
    for piece, season in (*((piece, False) for piece in TIEBREAKERS), *((piece, True) for piece in SEASON_PIECES)):
        own = frozenset[str]() if season else TIEBREAKERS[piece].settings
        made = {"column": "x", "piece": piece, "clause": "X"} | ({"full": 3} if "full" in own else {})
        for name in (*(OWN_SETTINGS.keys() - own), FOREIGN):
            if season:
                pack, where = SEASON | {"ranking": {"clause": "X", "criteria": [made]}}, "/ranking/criteria/0/"
            else:
                of = {} if TIEBREAKERS[piece].of_nothing else {"of": "half_points"}
                criteria = [*CHESS["standings"]["criteria"], made | of]
                pack = CHESS | {"standings": CHESS["standings"] | {"criteria": criteria}}
                where = f"/standings/criteria/{len(criteria) - 1}/"
            yield pytest.param(pack, where + name, another(name), id=f"{piece} {name}")


def absences() -> Iterator[Any]:
    for name in ("forfeit", "no_show"):
        for award in ("bye", "concession"):
            pack = CHESS | {name: CHESS[name] | {"award": award}}
            yield pytest.param(pack, f"/{name}/half", "up", id=f"{name} {award} half")
    for pack, award in ((ARMADA, "full_fleet"), (ARMADA, "table"), (DUST, "half_list"), (CHESS, "most")):
        made = pack | {"concession": pack["concession"] | {"award": award}}
        yield pytest.param(made, "/concession/scenario_most", 9, id=f"concession {award} scenario_most")
        yield pytest.param(made, f"/concession/{FOREIGN}", 9, id=f"concession {award} {FOREIGN}")


def brackets() -> Iterator[Any]:
    row = {"least": 2, "most": 9, "rounds": 3}
    for bracket in get_args({field.name: field.type for field in msgspec.structs.fields(Cut)}["bracket"]):
        pack = CHESS | {"cut": {"bracket": bracket, "clause": "X"}}
        pack |= {"rounds": {"table": [row], "outside": "organiser", "clause": "X"}}
        yield pytest.param(pack, f"/cut/{FOREIGN}", 1, id=f"cut {bracket} {FOREIGN}")
        yield pytest.param(pack, "/rounds/table/0/cut_after", 2, id=f"cut {bracket} cut_after alone")
        if bracket == "none":
            pack = pack | {"rounds": {"table": [row | {"cut_after": 2}], "outside": "organiser", "clause": "X"}}
            yield pytest.param(pack, "/rounds/table/0/cut_to", 2, id="cut none cut_to")


def roster_checks() -> Iterator[Any]:
    assert {str(check.__struct_config__.tag) for check in ROSTER_CHECKS} == {tag for tag, *_ in tagged(RosterCheck)}
    for tag, _, others in tagged(RosterCheck):
        every = ((pack, index) for pack in (ARMADA, FACTIONS, DUST) for index in range(len(pack["roster"]["checks"])))
        found = next((one for one in every if one[0]["roster"]["checks"][one[1]]["check"] == tag), None)
        assert found, f"no shipped pack has a check {tag}"
        for name in (*others, FOREIGN):
            yield pytest.param(found[0], f"/roster/checks/{found[1]}/{name}", 1, id=f"{tag} {name}")


def boards() -> Iterator[Any]:
    assert BOARD.keys() == BOARD_SETTINGS.keys()
    for formula, known in FORMULAS.items():
        index = next(
            index for index, one in enumerate(FACTIONS["scenarios"]) if one.get("board", {}).get("formula") == formula
        )
        for name in (*(BOARD.keys() - known.settings), FOREIGN):
            yield pytest.param(FACTIONS, f"/scenarios/{index}/board/{name}", BOARD.get(name, 1), id=f"{formula} {name}")
    for index, objective in enumerate(DUST["builder"]["objectives"]):
        assert objective["formula"] in OBJECTIVES
        for name in ("worth", "tokens", FOREIGN):
            yield pytest.param(DUST, f"/builder/objectives/{index}/{name}", 1, id=f"{objective['formula']} {name}")


def options() -> Iterator[Any]:
    assert OPTION.keys() == OPTION_SETTINGS.keys()
    for kind in READERS:
        option = {"key": "k", "name": "t", "kind": kind, "until": "any", "sets": [], "clause": "X"}
        pack = CHESS | {"options": [option]}
        for name in (*(name for name, kinds in OPTION_SETTINGS.items() if kind not in kinds), FOREIGN):
            yield pytest.param(pack, f"/options/0/{name}", OPTION.get(name, 1), id=f"option {kind} {name}")
        yield pytest.param(pack, "/options/0/needs_above", 3, id=f"option {kind} needs_above without needs")


@pytest.mark.parametrize(("pack", "pointer", "value"), sorted(cases(), key=lambda case: str(case.id)))
def test_a_setting_of_another_piece_is_refused_at_its_place(pack: dict[str, Any], pointer: str, value: Any) -> None:
    found = faults(pack, pointer, value)
    if pointer.endswith("cut_to"):
        assert pointer in found
    else:
        assert found == [pointer]


@pytest.mark.parametrize("name", ["weapon", FOREIGN, "release"])
def test_a_catalogue_item_has_only_its_own_fields(name: str) -> None:
    armada: Any = shipped_ruleset("star-wars-armada-1.1")
    item = {"in_list": "ships", "name": "A", "points": 5}
    catalogue = {"ruleset": armada.id, "document": "cards", "items": [item]}
    with_catalogue_values(armada, catalogue, "")
    with pytest.raises(PackRefused) as refused:
        with_catalogue_values(armada, catalogue | {"items": [item | {name: "digital"}]}, "")
    assert {fault.where for fault in refused.value.faults} == {f"/items/0/{name}"}


def test_a_setting_that_an_option_may_set_is_allowed() -> None:
    """Dust Warfare has rows with a cut, and an option that removes the bracket."""
    assert faults(DUST, "/cut/bracket", "none") != []
    whole = to_json(shipped_ruleset("dust-warfare-1.0"))
    assert any("/cut/bracket" in option["sets"] for option in whole["options"])
    from_values(whole, "")
