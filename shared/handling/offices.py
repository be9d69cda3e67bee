"""Who of the staff may settle a question, by the ruleset and by who was appointed; one rule for every service."""

from __future__ import annotations

from shared.handling.context import By
from shared.handling.refusals import NotYourDecision
from shared.rules.pack import shipped
from shared.rules.staff import JUDGES, ORGANISER, ROLES, SILENT, Question, answerer
from shared.state.entries import Entries
from shared.state.ruleset import rules_of


def decided_by(question: Question) -> dict[str, dict[str, list[str]]]:
    """For OpenAPI: shipped ruleset -> the roles that settle a question of an operation under it, all being appointed.

    An operation lets in whoever some ruleset names; an operator counts as an organiser.
    """
    found = {}
    for id, ruleset in shipped("swiss").items():
        roles = answerer(ruleset.staff, question, JUDGES).roles
        found[id] = sorted({*roles, *(("operator",) if ORGANISER in roles else ())})
    return {"x-decided-by": found}


def appointed(entries: Entries) -> set[str]:
    """The roles that somebody of the staff holds now."""
    return {member.role for member in entries.staff.values() if member.active}


def settles(entries: Entries, by: By, question: Question) -> bool:
    """Whether the caller may settle a question; an operator counts as an organiser."""
    rules = rules_of(entries).staff
    role = ORGANISER if by.role == "operator" else by.role
    named = ROLES[getattr(rules or SILENT, question)]
    return role in named or role in answerer(rules, question, appointed(entries)).roles


def need_decider(entries: Entries, by: By, question: Question) -> None:
    """Raises NotYourDecision, with the roles that settle the question and the clause that says so."""
    if settles(entries, by, question):
        return
    ruleset = rules_of(entries)
    who = answerer(ruleset.staff, question, appointed(entries))
    titles = (ruleset.staff or SILENT).titles
    named = " or ".join(titles.get(role, role.replace("_", " ")) for role in who.roles)
    raise NotYourDecision(
        f"In {ruleset.title} this is settled by: {named}.", question=question, roles=list(who.roles), clause=who.clause
    )
