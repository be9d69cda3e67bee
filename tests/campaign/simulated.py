"""Logs of whole campaigns played at random over HTTP, each command decided by its service.

simulated(folder, 8, 3, "a seed")       eight groups, three rounds, to the end: source -> recorded events
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from muster.simulator.campaign import CampaignSimulation
from muster.simulator.director import Director
from shared.campaign.ruleset import CampaignRuleset
from shared.formats.packs import shipped_ruleset
from shared.log.event import Recorded
from shared.log.reading import whole_log
from tests.campaign.story import SHIPPED
from tests.chance import seeded_chance
from tests.console.in_process import client
from tests.fuzz.muster import Muster
from tests.services.conftest import logging_as_it_was


def simulated(folder: Path, groups: int, rounds: int, seed: str, **options: Any) -> dict[str, list[Recorded]]:
    """Return the logs of a campaign, identical in every run. options: keys without `fs.`, `__` for a dot."""
    ruleset = shipped_ruleset(SHIPPED)
    assert isinstance(ruleset, CampaignRuleset)
    chosen = {"fs." + key.replace("__", "."): str(value) for key, value in options.items()}
    chosen["fs.campaign.rounds"] = str(rounds)
    with logging_as_it_was(), seeded_chance(seed):
        muster = Muster(folder)
        operator = client(muster, muster.token("operator"))
        director = Director.announce(operator, name="Wastes", ruleset=SHIPPED, options=chosen)
        CampaignSimulation(director, ruleset.rules, groups, rounds, seed=seed).play()
        logs = {}
        for source, database in muster.databases.items():
            with database.reading() as connection:
                logs[source] = whole_log(connection, source, director.id)
        return logs
