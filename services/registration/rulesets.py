"""What registration shows of rulesets: in short, whole, and what of them depends on the level of play."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any

from shared.formats.packs import shipped
from shared.rules.parts import ROLES, AnyRuleset, Form, Option, StaffRules, Tier, answerers, to_json
from shared.service.game_lists import FormPrinted
from shared.shapes import View


class TierView(View, frozen=True, kw_only=True):
    """What depends on the level of play, each with its clause."""

    id: str
    rounds: Annotated[str, "table, or organiser."]
    list_due: Annotated[bool, "No first game without an accepted list."]
    list_due_for: Annotated[str, "pairing: nobody is paired without; start: no round begins."]
    judge_may_play: bool
    kept_apart: Annotated[bool, "Players may ask not to meet in round 1."]
    clauses: dict[str, str]


class DecisionView(View, frozen=True, kw_only=True):
    """A question that staff settle, and the roles that do so here."""

    question: Annotated[str, "rulings, final, disqualification, reinstatement, barring or lists."]
    roles: list[str]
    clause: Annotated[str, "Empty: the ruleset says nothing of it."]


class OptionView(View, frozen=True, kw_only=True):
    """What an organiser may set."""

    key: str
    name: str
    kind: Annotated[str, "flag, choice, whole, bands, rounds, points or words."]
    default: Annotated[Any | None, "As its kind has it; null: none."]
    choices: Annotated[
        list[str],
        "choice: the words to choose from. whole: words in place of a number. points, words: the words that may be"
        " given. Empty: none.",
    ]
    least: Annotated[int, "whole: the smallest number."]
    most: Annotated[int | None, "whole: the largest number; null: no limit."]


class RulesetListed(View, frozen=True, kw_only=True):
    """A ruleset in short."""

    id: str
    name: str
    version: str
    format: str
    tiers: list[str]
    options: list[OptionView]


class RulesetsView(View, frozen=True, kw_only=True):
    """The shipped rulesets."""

    items: list[RulesetListed]


class BlankForm(FormPrinted, frozen=True, kw_only=True):
    """A form as it is printed; scoring fills it in: GET /tournaments/{id}/forms/{form}."""

    copies: int
    copies_a_round: Annotated[int, "More copies for each planned round."]


class RulesetView(RulesetListed, frozen=True, kw_only=True):
    """A ruleset with what depends on its tiers, who of the staff settles what, its forms, and the whole pack."""

    tier_rules: list[TierView]
    decisions: list[DecisionView]
    forms: list[BlankForm]
    ruleset: dict[str, Any]


def rulesets_view() -> RulesetsView:
    """The shipped rulesets: id, name, version, tiers, and the options an organiser may set."""
    return RulesetsView(
        items=[
            RulesetListed(
                id=ruleset.id,
                name=ruleset.name,
                version=ruleset.version,
                format=ruleset.format,
                tiers=[tier.id for tier in ruleset.tiers],
                options=[option_view(option) for option in ruleset.options],
            )
            for ruleset in shipped().values()
        ]
    )


def ruleset_view(ruleset: AnyRuleset) -> RulesetView:
    """A ruleset in short and whole, with its tiers and who of the staff settles what."""
    return RulesetView(
        id=ruleset.id,
        name=ruleset.name,
        version=ruleset.version,
        format=ruleset.format,
        tiers=[tier.id for tier in ruleset.tiers],
        options=[option_view(option) for option in ruleset.options],
        tier_rules=[tier_view(tier) for tier in ruleset.tiers],
        decisions=decisions_view(ruleset.staff, ROLES["staff"]),
        forms=[form_view(form, ruleset) for form in ruleset.forms],
        ruleset=to_json(ruleset),
    )


def option_view(option: Option) -> OptionView:
    """Return an option that an organiser may set."""
    return OptionView(
        key=option.key,
        name=option.name,
        kind=option.kind,
        default=option.default,
        choices=list(option.choices),
        least=option.least,
        most=option.most,
    )


def tier_view(tier: Tier) -> TierView:
    """What depends on a tier, each with its clause."""
    names = [name for name in TierView.__struct_fields__ if name not in ("id", "clauses")]
    return TierView(
        id=tier.id,
        rounds=tier.rounds,
        list_due=tier.list_due,
        list_due_for=tier.list_due_for,
        judge_may_play=tier.judge_may_play,
        kept_apart=tier.kept_apart,
        clauses={name: tier.cites(name) for name in names},
    )


def decisions_view(rules: StaffRules | None, appointed: Collection[str]) -> list[DecisionView]:
    """Return each question that staff settle, with the roles that do so. appointed: the roles that someone holds."""
    return [
        DecisionView(question=answerer.question, roles=list(answerer.roles), clause=answerer.clause)
        for answerer in answerers(rules, appointed)
    ]


def form_view(form: Form, ruleset: AnyRuleset) -> BlankForm:
    """A blank form of a ruleset."""
    printed = ruleset.printed(form)
    return BlankForm(
        id=form.id,
        name=form.name,
        holds=form.holds,
        filled_by=form.filled_by,
        heading=form.heading,
        columns=form.columns,
        titles=printed.titles,
        instructions=printed.instructions,
        lines=form.lines,
        order=form.order,
        clause=form.clause,
        copies=form.copies,
        copies_a_round=form.copies_a_round,
    )
