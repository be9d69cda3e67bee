"""Reading the tables of a campaign ruleset: YAML files into one value, or every reason why not, with file and line."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any

import msgspec

from shared.refusals import Fault
from shared.rules.campaign.force_tables import Force
from shared.rules.campaign.options import Options, read_options
from shared.rules.campaign.refusals import TablesRefused
from shared.rules.campaign.sound import faults_of_tables
from shared.rules.campaign.tables import (
    Advancement,
    Core,
    Finds,
    Good,
    Injury,
    Merchant,
    Objective,
    Rules,
    Turf,
)
from shared.rules.plain import Lines, placed, read_plain
from shared.rules.shape import faults_of_shape

FILES: Mapping[str, Any] = {
    "core": Core,
    "forces": dict[str, Force],
    "goods": dict[str, Good],
    "merchants": dict[str, Merchant],
    "turfs": tuple[Turf, ...],
    "injuries": tuple[Injury, ...],
    "advancement": Advancement,
    "finds": Finds,
    "objectives": tuple[Objective, ...],
}
"""Each file without its ending, and what it holds; a member of `Rules` has the same name."""


def campaign_rules(chosen: Mapping[str, object] = {}) -> Rules:
    """The shipped tables with these options set. Raises OptionsRefused."""
    return msgspec.structs.replace(_shipped(), options=read_options(chosen))


def load_tables(texts: Mapping[str, str]) -> Rules:
    """The rules that the texts of the nine files make, with every option at its default.

    texts: file name without ending -> YAML. Raises TablesRefused with every fault, each at `file:line:pointer`:
    what is not YAML, wrong shapes, dice rows with a gap or an overlap, names that no table has.
    """
    parts: dict[str, Any] = {}
    lines: dict[str, Lines] = {}
    faults: list[Fault] = []
    for name, wanted in FILES.items():
        if name not in texts:
            faults.append(Fault(f"{name}.yaml", "no such file", "the nine tables"))
            continue
        data, lines[name], found = read_plain(texts[name])
        found += faults_of_shape(data, wanted) if not found else []
        try:
            parts[name] = None if found else msgspec.convert(data, wanted)
        except msgspec.ValidationError as error:
            found = [Fault("", str(error), "a table of the campaign")]
        faults += placed(found, f"{name}.yaml", lines[name])
    if not faults:
        rules = Rules(**parts, options=Options())
        faults = [placed([fault], f"{name}.yaml", lines[name])[0] for name, fault in faults_of_tables(rules)]
        if not faults:
            return rules
    raise TablesRefused("these tables are not ones that a campaign can be played by", faults)


def shipped_texts() -> dict[str, str]:
    """The YAML of the tables that come with Muster, by file name without ending."""
    folder = resources.files("shared.rules.campaign") / "data"
    return {name: (folder / f"{name}.yaml").read_text("utf-8") for name in FILES}


class Versions(msgspec.Struct, frozen=True):
    """What rules a roll was made under: SHA-256 of the tables, and of the options in force. FS-AUD-3."""

    tables: str
    options: str


def versions_of(rules: Rules) -> Versions:
    """The versions that a campaign pins and that its rolls name. FS-AUD-3."""
    told = msgspec.to_builtins(rules)
    options = told.pop("options")
    return Versions(*(sha256(msgspec.json.encode(part, order="sorted")).hexdigest() for part in (told, options)))


@cache
def _shipped() -> Rules:
    return load_tables(shipped_texts())
