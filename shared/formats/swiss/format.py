"""The row of the Swiss format. Its events and its state are those that every tournament with games has."""

from __future__ import annotations

from shared.formats.swiss.final_results import final_results
from shared.formats.swiss.ranking import planned_rounds
from shared.formats.swiss.rules import example
from shared.formats.swiss.rules.catalogue_pack import with_catalogue_values
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.semantic_checks import faults_of_sense
from shared.formats.swiss.ruleset import improbable_facts, printed
from shared.tournament.format import Format

SWISS_FORMAT = Format(
    name="swiss",
    ruleset=Ruleset,
    faults=faults_of_sense,
    example=example.faults_of_example,
    legal=example.with_legal_example,
    with_catalogue=with_catalogue_values,
    printed=printed,
    clock=True,
    planned_rounds=planned_rounds,
    improbable=improbable_facts,
    final_results=final_results,
)
