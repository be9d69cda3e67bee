"""Who may under which shipped ruleset, of those whom an operation lets in: for OpenAPI."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shared.formats.pack import shipped
from shared.rules.staff import ROLES, SILENT, Question


class Narrowing(NamedTuple):
    """Who may of those whom an operation lets in. otherwise: under rulesets that are not named; both for OpenAPI."""

    question: str
    rulesets: dict[str, list[str]]
    otherwise: list[str]


def narrowing(question: Question) -> Callable[[], Narrowing]:
    """What OpenAPI, one document for all rulesets, says of an operation that takes who settles this question.

    Called when that is asked for: it reads every shipped pack, which nobody should wait for when a service starts.
    """

    def told() -> Narrowing:
        said = {id: getattr(ruleset.staff or SILENT, question) for id, ruleset in shipped("swiss").items()}
        named: dict[str, list[str]] = {id: [*ROLES[deciders]] for id, deciders in said.items()}
        return Narrowing(question, named, [*ROLES[getattr(SILENT, question)]])

    return told
