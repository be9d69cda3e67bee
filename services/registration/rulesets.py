"""Rulesets: the one that a tournament is announced with, and views of shipped ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from shared.formats.options import apply_options, with_catalogue, with_legal_example
from shared.formats.packs import from_values, shipped, shipped_ruleset
from shared.refusals import Fault, expects, one_of, to_short_json
from shared.rules.model import OptionsRefused, PackRefused
from shared.rules.parts import ROLES, AnyRuleset, Form, Option, StaffRules, Tier, all_deciding_roles, to_json
from shared.service.game_lists import FormPrinted
from shared.shapes import Shape, View, Whole
from shared.web.refusals import InvalidRequest


class CatalogueItem(Shape, frozen=True, kw_only=True):
    """Something a roster may hold. in_list: the list it stands in; fields: what its entry states besides."""

    in_list: str
    name: str
    points: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    factions: list[str] | UnsetType = UNSET
    more: dict[str, Any] | UnsetType = field(name="fields", default=UNSET)
    released: Annotated[str | UnsetType, "The day it came out, YYYY-MM-DD."] = UNSET
    release: Annotated[str | UnsetType, "Its kind, as the ruleset's `legality.weekdays` names it."] = UNSET
    legal_from: Annotated[
        str | UnsetType, "The day from which it is legal here, whatever the delay after its release says."
    ] = UNSET


class Catalogue(Shape, frozen=True, kw_only=True):
    """What there is to choose from, for the ruleset with this id. document: where names and prices come from."""

    ruleset: str
    document: str
    items: list[CatalogueItem]


class ChosenRuleset(Struct, frozen=True):
    """The pack as the announcement carries it, the tier (empty where it has none), and the format it is for."""

    pack: dict[str, Any]
    tier: str
    format: str


def chosen_ruleset(
    id: str | None,
    pack: Mapping[str, Any] | None,
    options: Mapping[str, Any],
    tier: str,
    catalogues: Sequence[Catalogue] = (),
) -> ChosenRuleset:
    """The ruleset with its options in force and the catalogues in it.

    Raises InvalidRequest unless exactly one of id and pack is given or when the tier is none of the ruleset's,
    UnknownRuleset, RulesetRefused and OptionsRefused with every fault.
    """
    ruleset = _given(id, pack)
    try:
        ruleset = apply_options(ruleset, options)
    except OptionsRefused as refused:
        raise OptionsRefused(refused.detail, _placed(refused.faults, options), **refused.data) from refused
    if catalogues:
        ruleset = _with_catalogues(ruleset, catalogues)
    tiers = [known.id for known in ruleset.tiers]
    if tier and tier not in tiers:
        right = one_of(tiers) if tiers else expects("no-tiers")
        raise InvalidRequest("The ruleset has no such tier.", [Fault("/tier", tier, right)])
    return ChosenRuleset(to_json(ruleset), tier or next(iter(tiers), ""), ruleset.format)


def moved_ruleset(
    id: str | None, pack: Mapping[str, Any] | None, format: str, options: Mapping[str, Any]
) -> AnyRuleset:
    """Another version of a ruleset with the options of the one before; as it is where it is of another format.

    Raises as `chosen_ruleset`.
    """
    ruleset = _given(id, pack)
    if ruleset.format != format:
        return ruleset
    try:
        return apply_options(ruleset, options)
    except OptionsRefused as refused:
        at = "/pack/chosen" if id is None else "/ruleset/chosen"
        faults = [msgspec.structs.replace(fault, where=at + fault.where) for fault in refused.faults]
        raise OptionsRefused(refused.detail, faults, **refused.data) from refused


def _given(id: str | None, pack: Mapping[str, Any] | None) -> AnyRuleset:
    """The shipped ruleset of this id, or the one of the pack. Raises InvalidRequest unless exactly one is given."""
    if (id is None) == (pack is None):
        raise InvalidRequest(
            "Give either `ruleset` or `pack`.",
            [Fault("/ruleset", id or "nothing", expects("one-of-two-members", member="pack"))],
        )
    return shipped_ruleset(id or "") if pack is None else from_values(pack, "/pack")


def _with_catalogues(ruleset: AnyRuleset, catalogues: Sequence[Catalogue]) -> AnyRuleset:
    """The ruleset with these catalogues added. Raises PackRefused with every fault of all of them."""
    faults: list[Fault] = []
    for index, catalogue in enumerate(catalogues):
        try:
            added = with_catalogue(ruleset, msgspec.to_builtins(catalogue), f"/catalogues/{index}")
        except PackRefused as refused:
            faults += refused.faults
            continue
        if added is None:
            said = to_short_json(msgspec.to_builtins(catalogues))
            fault = Fault("/catalogues", said, expects("no-rosters", format=ruleset.format))
            raise PackRefused(f"{ruleset.id} has no rosters.", [fault])
        ruleset = added
    if faults:
        raise PackRefused(f"The catalogues are not valid; faults: {len(faults)}.", faults)
    return with_legal_example(ruleset)


def _placed(faults: Sequence[Fault], options: Mapping[str, Any]) -> list[Fault]:
    """Faults of options at their places in the body; one that no option explains keeps the ruleset's."""
    return [
        msgspec.structs.replace(fault, where=f"/options{fault.where}") if fault.where[1:] in options else fault
        for fault in faults
    ]


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
        DecisionView(question=deciding.question, roles=list(deciding.roles), clause=deciding.clause)
        for deciding in all_deciding_roles(rules, appointed)
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
