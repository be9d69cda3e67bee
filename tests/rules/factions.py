"""The ruleset of Fallout: Factions and its worked examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from shared.formats.packs import shipped_ruleset

FACTIONS = shipped_ruleset("fallout-factions-comp-1.0")
EXAMPLES: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "data" / "factions_examples.yaml").read_text("utf-8")
)
