"""The first requests after a start come all at once, in several threads: the process survives them."""

from __future__ import annotations

import json
import sys

import pytest

from deploy.stack import ROOT
from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from tests.coop.story import operator_data
from tests.programs import run_program

TIMES = 8
"""Without care two of three such processes crash."""
PROGRAM = """
import faulthandler, json, os, sys, threading
from {module} import {name} as use
faulthandler.enable()
sys.setswitchinterval(1e-6)
value = json.loads({value!r})
for _ in range({times}):
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        if status:
            sys.exit(f"ended with {{status}}")
        continue
    barrier, used = threading.Barrier(8), []
    def first():
        barrier.wait()
        use(value)
        used.append(True)
    threads = [threading.Thread(target=first) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    os._exit(0 if len(used) == len(threads) else 1)
"""
"""Each time in a process of its own that has imported everything, and has used nothing of it yet."""

SIDE = {"group": "p1", "objective": 3, "lines": [1], "vp": 1}
USES = {
    "facts": ("shared.swiss.games", "parse_facts", {"kind": "game", "points_1": 400}),
    "heads": ("shared.service.state", "read_heads", '{"scoring": {"position": 1, "hash": "00"}}'),
    "ruleset": ("shared.formats.options", "from_json", to_json(shipped_ruleset("star-wars-armada-400"))),
    "common": ("shared.tournament.format", "read_common", to_json(shipped_ruleset("star-wars-armada-400"))),
    "coop": ("shared.formats.options", "from_json", to_json(shipped_ruleset("atomic-bonds"))),
    "data": ("shared.coop.ruleset", "read_data", operator_data()),
    "rolls": ("shared.campaign.dice", "parse_rolls", [{"dice": [{"sides": 12, "natural": 7}]}]),
    "campaign": ("shared.formats.options", "from_json", to_json(shipped_ruleset("fallout-skirmish"))),
    "report": ("shared.campaign.league", "report_of", {"report": {"sides": [SIDE, SIDE], "last_turn": 8}}),
    "moves": ("tests.faults.at_the_door", "read_moves", [{"move": "survivor_killed", "survivor": "p1"}]),
}


@pytest.mark.parametrize("what", USES)
def test_many_threads_are_the_first_to_read_something(what: str) -> None:
    module, name, value = USES[what]
    program = PROGRAM.format(module=module, name=name, value=json.dumps(value), times=TIMES)
    ran = run_program([sys.executable, "-c", program], cwd=ROOT, capture_output=True)
    assert ran.returncode == 0, ran.stderr.decode()[-3000:]
