"""Rulesets: the choice of a tournament's ruleset, and views of rulesets."""

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
    """An item that a roster may contain."""

    in_list: Annotated[str, "The list of the roster to which the item belongs."]
    name: str
    points: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    factions: list[str] | UnsetType = UNSET
    more: Annotated[dict[str, Any] | UnsetType, "Other fields of the item's entry."] = field(
        name="fields", default=UNSET
    )
    released: Annotated[str | UnsetType, "The release day, YYYY-MM-DD."] = UNSET
    release: Annotated[str | UnsetType, "The kind of release, a key of the ruleset's `legality.weekdays`."] = UNSET
    legal_from: Annotated[
        str | UnsetType, "The day from which it is legal in this tournament, regardless of the release delay."
    ] = UNSET


class Catalogue(Shape, frozen=True, kw_only=True):
    """The items that rosters may contain."""

    ruleset: Annotated[str, "The id of the ruleset to which the catalogue belongs."]
    document: Annotated[str, "The source of names and points."]
    items: list[CatalogueItem]


class ChosenRuleset(Struct, frozen=True):
    """The pack for the announcement, the tier (empty if the ruleset has none), and the format."""

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
    """Return the ruleset with options and catalogues applied.

    Raises InvalidRequest unless exactly one of id and pack is given, and for an unknown tier; UnknownRuleset,
    RulesetRefused and OptionsRefused with every fault.
    """
    ruleset = _load_ruleset(id, pack)
    try:
        ruleset = apply_options(ruleset, options)
    except OptionsRefused as refused:
        raise OptionsRefused(refused.detail, _locate_faults(refused.faults, options), **refused.data) from refused
    if catalogues:
        ruleset = _with_catalogues(ruleset, catalogues)
    tiers = [known.id for known in ruleset.tiers]
    if tier and tier not in tiers:
        expected = one_of(tiers) if tiers else expects("no-tiers")
        raise InvalidRequest("The ruleset has no such tier.", [Fault("/tier", tier, expected)])
    return ChosenRuleset(to_json(ruleset), tier or next(iter(tiers), ""), ruleset.format)


def moved_ruleset(
    id: str | None, pack: Mapping[str, Any] | None, format: str, options: Mapping[str, Any]
) -> AnyRuleset:
    """Return another version of a ruleset with the options of the previous one; without them if the format differs.

    Raises the refusals of `chosen_ruleset`.
    """
    ruleset = _load_ruleset(id, pack)
    if ruleset.format != format:
        return ruleset
    try:
        return apply_options(ruleset, options)
    except OptionsRefused as refused:
        parent = "/pack/chosen" if id is None else "/ruleset/chosen"
        faults = [msgspec.structs.replace(fault, where=parent + fault.where) for fault in refused.faults]
        raise OptionsRefused(refused.detail, faults, **refused.data) from refused


def _load_ruleset(id: str | None, pack: Mapping[str, Any] | None) -> AnyRuleset:
    """Return the shipped ruleset with this id, or that of the pack. Raises InvalidRequest unless one is given."""
    if (id is None) == (pack is None):
        raise InvalidRequest(
            "Give either `ruleset` or `pack`.",
            [Fault("/ruleset", id or "nothing", expects("one-of-two-members", member="pack"))],
        )
    return shipped_ruleset(id or "") if pack is None else from_values(pack, "/pack")


def _with_catalogues(ruleset: AnyRuleset, catalogues: Sequence[Catalogue]) -> AnyRuleset:
    """Return the ruleset with these catalogues added. Raises PackRefused with the faults of all of them."""
    faults: list[Fault] = []
    for index, catalogue in enumerate(catalogues):
        try:
            added = with_catalogue(ruleset, msgspec.to_builtins(catalogue), f"/catalogues/{index}")
        except PackRefused as refused:
            faults += refused.faults
            continue
        if added is None:
            catalogue_json = to_short_json(msgspec.to_builtins(catalogues))
            fault = Fault("/catalogues", catalogue_json, expects("no-rosters", format=ruleset.format))
            raise PackRefused(f"{ruleset.id} has no rosters.", [fault])
        ruleset = added
    if faults:
        raise PackRefused(f"The catalogues are not valid; faults: {len(faults)}.", faults)
    return with_legal_example(ruleset)


def _locate_faults(faults: Sequence[Fault], options: Mapping[str, Any]) -> list[Fault]:
    """Return faults with their places in the request body; other faults than those of options keep their place."""
    return [
        msgspec.structs.replace(fault, where=f"/options{fault.where}") if fault.where[1:] in options else fault
        for fault in faults
    ]


class TierView(View, frozen=True, kw_only=True):
    """The rules that depend on the tier (level of play), with their clauses."""

    id: str
    rounds: Annotated[str, "Who sets the number of rounds: `table` or `organiser`."]
    list_due: Annotated[bool, "True if a player needs an accepted list before the first game."]
    list_due_for: Annotated[str, "`pairing`: players without a list are not paired. `start`: their games cannot start."]
    judge_may_play: bool
    kept_apart: Annotated[bool, "True if players may ask not to meet in round 1."]
    clauses: dict[str, str]


class DecisionView(View, frozen=True, kw_only=True):
    """A kind of decision by staff, and the roles that make it."""

    question: Annotated[str, "`rulings`, `final`, `disqualification`, `reinstatement`, `barring` or `lists`."]
    roles: list[str]
    clause: Annotated[str, "Empty if the ruleset does not mention it."]


class OptionView(View, frozen=True, kw_only=True):
    """An option that an organiser may set."""

    key: str
    name: str
    kind: Annotated[str, "`flag`, `choice`, `whole`, `bands`, `rounds`, `points` or `words`."]
    default: Annotated[Any | None, "The default, in the form of the kind; null: none."]
    choices: Annotated[
        list[str],
        "`choice`: the possible values. `whole`: values allowed instead of a number. `points`, `words`: the possible "
        "keys. Empty: none.",
    ]
    least: Annotated[int, "`whole`: the minimum."]
    most: Annotated[int | None, "`whole`: the maximum; null: none."]


class RulesetListed(View, frozen=True, kw_only=True):
    """A summary of a ruleset."""

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
    """A blank form. Scoring fills it in: GET /tournaments/{id}/forms/{form}."""

    copies: int
    copies_a_round: Annotated[int, "Additional copies for each planned round."]


class RulesetView(RulesetListed, frozen=True, kw_only=True):
    """A ruleset with its tiers, staff decisions and forms, and the whole pack."""

    tier_rules: list[TierView]
    decisions: list[DecisionView]
    forms: list[BlankForm]
    ruleset: dict[str, Any]


def rulesets_view() -> RulesetsView:
    """Return the shipped rulesets."""
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
    """Return a ruleset with its tiers, staff decisions and forms."""
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
    """Return the view of an option."""
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
    """Return the rules of a tier, with their clauses."""
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
    """Return each kind of decision by staff, with the roles that make it. appointed: the roles that someone holds."""
    return [
        DecisionView(question=deciding.question, roles=list(deciding.roles), clause=deciding.clause)
        for deciding in all_deciding_roles(rules, appointed)
    ]


def form_view(form: Form, ruleset: AnyRuleset) -> BlankForm:
    """Return a blank form of a ruleset."""
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
