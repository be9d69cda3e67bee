"""Who of the staff may settle a question, by the ruleset and by who was appointed; one rule for every service."""

from __future__ import annotations

from shared.rules.option_hints import allowing, data_of
from shared.rules.staff import ORGANISER, ROLES, SILENT, Question, answerer
from shared.tournament.context import By
from shared.tournament.entries import Entries
from shared.tournament.refusals import NotYourDecision
from shared.tournament.ruleset import rules_of


def named_deciders(entries: Entries, question: Question) -> str:
    """Who settles a question under the tournament's ruleset, as its document calls them."""
    rules = rules_of(entries).staff
    titles = (rules or SILENT).titles
    roles = answerer(rules, question, appointed(entries)).roles
    return " or ".join(titles.get(role, role.replace("_", " ")) for role in roles)


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
    named = named_deciders(entries, question)
    role = ORGANISER if by.role == "operator" else by.role
    lets_them = [word for word, roles in ROLES.items() if role in roles]
    option = allowing(ruleset, f"/staff/{question}", lambda word: word in lets_them)
    raise NotYourDecision(
        f"In {ruleset.title} this is settled by: {named}" + (f"; by others with {option.said}." if option else "."),
        question=question,
        roles=list(who.roles),
        clause=who.clause,
        **data_of(option),
    )
