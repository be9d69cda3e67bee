"""Who decides what: the roles that a rules document knows, and which of them settles which question."""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType
from typing import Literal, get_args

from msgspec import Struct

from shared.rules.parts import Part

Role = Literal["organiser", "head_referee", "referee"]
Deciders = Literal["staff", "leading", "head_referee", "organiser"]
Question = Literal["rulings", "final", "disqualification", "reinstatement", "barring", "lists"]

ORGANISER: Role = "organiser"
JUDGES: tuple[Role, ...] = ("head_referee", "referee")
"""Roles of which a tier may say that they do not play."""

ROLES: MappingProxyType[Deciders, tuple[Role, ...]] = MappingProxyType(
    {
        "staff": ("organiser", "head_referee", "referee"),
        "leading": ("organiser", "head_referee"),
        "head_referee": ("head_referee",),
        "organiser": ("organiser",),
    }
)
"""Word in a pack -> the roles it stands for."""


class StaffRules(Part, frozen=True):
    """Who settles what; an organiser stands in where nobody was appointed to a role that would.

    rulings: what a disputed result is, and corrections. final: whose ruling nobody else changes, and who hears
    appeals. changes: who puts something else in the place of a ruling: whoever may rule, or its `author` alone (and in
    any case the head referee on appeal, and an organiser who overrides it). disqualification, reinstatement: who puts a
    player out, and who takes that back. barring: who keeps somebody disqualified from later events, too. lists: who
    accepts and rejects lists. own_games: whether a judge who plays rules on their own games. neutral_advised: one judge
    at least had better not play. titles: what the document calls them.
    """

    rulings: Deciders = "staff"
    final: Deciders = "leading"
    changes: Literal["staff", "author"] = "staff"
    disqualification: Deciders = "leading"
    reinstatement: Deciders = "organiser"
    barring: Deciders = "organiser"
    lists: Deciders = "staff"
    own_games: bool = True
    neutral_advised: bool = False
    titles: dict[Role, str] = {}


SILENT = StaffRules(clause="")
"""What holds where a ruleset says nothing of its staff."""


class Answerer(Struct, frozen=True):
    """Who answers a question of the staff, and the clause that says so."""

    question: Question
    roles: tuple[Role, ...]
    clause: str


def answerer(rules: StaffRules | None, question: Question, appointed: Collection[str]) -> Answerer:
    """Who settles a question among those who were appointed. appointed: the roles that somebody holds.

    The organiser, who is always there, stands in for a role that nobody holds.
    Source: AR-STAFF-1, FF-STAFF-4, FF-AMB-29, DW-STAFF-1.
    """
    said = rules or SILENT
    there = tuple(role for role in ROLES[getattr(said, question)] if role == ORGANISER or role in appointed)
    return Answerer(question, there or (ORGANISER,), said.cites(question))


def answerers(rules: StaffRules | None, appointed: Collection[str]) -> list[Answerer]:
    """Every question with who settles it."""
    return [answerer(rules, question, appointed) for question in get_args(Question)]
