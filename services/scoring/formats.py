"""The formats as scoring knows them: a module each."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import cast

from services.scoring.campaign import format as campaign
from services.scoring.coop import results as coop
from services.scoring.season import decide as season
from services.scoring.swiss import format as swiss
from services.scoring.tournament.format import Ending, ScoringFormat

FORMATS: dict[str, ScoringFormat] = {"swiss": swiss, "campaign": campaign}
"""Format whose players meet in games -> its module."""

ENDINGS: Mapping[str, Ending] = ChainMap({"coop": coop, "season": season}, cast(dict[str, Ending], FORMATS))
"""Format -> the module that says how its tournaments end."""
