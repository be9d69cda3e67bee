"""Contract of the whole service: every command has a decision, every refusal a problem; private data stay private."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

from services import pairing
from services.pairing import problems
from services.pairing.handlers import HANDLERS
from shared.formats.fold import EVOLVE, OWNERS
from shared.refusals import Refusal
from shared.service.refusals import PROBLEMS as HANDLING
from shared.swiss import ranking
from shared.tournament import parts, rounds
from shared.web.refusals import EDGE


def classes(module, base):
    return {
        found
        for _, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, base) and found is not base
    }


def test_two_people_who_edit_one_thing_notice_each_other():
    """Every command that people send is judged by the version of what it names, but for those that make something."""
    without = {command.__name__ for command, row in HANDLERS.items() if not row.version and not row.by_rule}
    assert without == {"OfferSpare", "OpenSessionRound", "PairRound", "RecallSpare"}


OWN = ("services.pairing", parts.__name__, rounds.__name__, ranking.__name__)
"""Where refusals of pairing are defined."""
OF_RULES = {"publication-not-due"}
"""Refusals of what a rule alone asks for; nobody is answered with them."""


def test_every_refusal_of_the_domain_has_a_problem_and_every_problem_a_refusal():
    folder = Path(pairing.__file__).parent
    own = [
        importlib.import_module(f"services.pairing.{file.stem}") for file in folder.glob("*.py") if file.stem != "wsgi"
    ]
    found = {refusal for module in (*own, parts, rounds, ranking) for refusal in classes(module, Refusal)}
    codes = {refusal.code for refusal in found if refusal.__module__.startswith(OWN)}
    assert codes - OF_RULES == set(problems.PROBLEMS)
    assert not problems.PROBLEMS.keys() & (HANDLING.keys() | EDGE.keys())


def test_every_event_of_pairing_is_folded():
    assert set(OWNERS["pairing"]) == set(EVOLVE["pairing"])


@pytest.mark.parametrize("module", ["services.pairing.app", "services.pairing.handlers"])
def test_importing_does_nothing(module):
    assert importlib.import_module(module)


def test_every_operation_is_documented_with_roles_and_every_problem(story, serve):
    documented = serve(story).openapi
    codes: set[str] = set()
    for path, operations in documented["paths"].items():
        for method in operations.keys() & {"get", "post", "put", "delete"}:
            operation = operations[method]
            assert operation["summary"], path
            if method != "get":
                assert operation["x-roles"], path
            for response in operation["responses"].values():
                codes.update(response.get("x-problem-codes", ()))
    assert set(problems.PROBLEMS) <= codes
