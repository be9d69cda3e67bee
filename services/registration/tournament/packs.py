"""Which ruleset a tournament is announced with: a shipped pack or one of the organiser's own, with options set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from shared.formats.options import apply_options
from shared.formats.pack import from_values, shipped, shipped_ruleset
from shared.formats.swiss.rules.battle_builder import instructions_of
from shared.formats.swiss.rules.catalogue_pack import with_catalogue_values
from shared.formats.swiss.rules.roster import with_legal_example
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Fault
from shared.rules.parts import Tier
from shared.rules.printed_forms import Form, titles_of
from shared.rules.refusals import OptionsRefused, PackRefused
from shared.rules.ruleset import AnyRuleset, to_json
from shared.rules.staff import ROLES, Answerer, answerers
from shared.web.refusals import InvalidRequest


class Chosen(Struct, frozen=True):
    """The pack as the announcement carries it, the tier (empty where it has none), and the format it is for."""

    pack: dict[str, Any]
    tier: str
    format: str


def chosen_ruleset(
    id: str | None,
    pack: Mapping[str, Any] | None,
    options: Mapping[str, Any],
    tier: str,
    catalogues: Sequence[Mapping[str, Any]] = (),
) -> Chosen:
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
        raise InvalidRequest("The ruleset has no such tier.", [Fault("/tier", tier, " or ".join(tiers) or "nothing")])
    return Chosen(to_json(ruleset), tier or next(iter(tiers), ""), ruleset.format)


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
            "One of `ruleset` and `pack` is needed.",
            [Fault("/ruleset", "neither" if id is None else "both `ruleset` and `pack`", "one of them")],
        )
    return shipped_ruleset(id or "") if pack is None else from_values(pack, "/pack")


def _with_catalogues(ruleset: AnyRuleset, catalogues: Sequence[Mapping[str, Any]]) -> Ruleset:
    """The ruleset with these catalogues added. Raises PackRefused with every fault of all of them."""
    faults: list[Fault] = []
    if not isinstance(ruleset, Ruleset):
        fault = Fault("/catalogues", f"with the format {ruleset.format}", "nothing: there are no rosters")
        raise PackRefused(f"{ruleset.id} has no rosters.", [fault])
    for index, values in enumerate(catalogues):
        try:
            ruleset = with_catalogue_values(ruleset, values, f"/catalogues/{index}")
        except PackRefused as refused:
            faults += refused.faults
    if faults:
        raise PackRefused(f"{len(faults)} faults in what rosters may hold.", faults)
    return with_legal_example(ruleset)


def _placed(faults: Sequence[Fault], options: Mapping[str, Any]) -> list[Fault]:
    """Faults of options at their places in the body; one that no option explains keeps the ruleset's."""
    return [
        msgspec.structs.replace(fault, where=f"/options{fault.where}") if fault.where[1:] in options else fault
        for fault in faults
    ]


def rulesets_view() -> list[dict[str, Any]]:
    """The shipped rulesets: id, title, document, tiers, and the options an organiser may set."""
    return [
        {
            "id": ruleset.id,
            "title": ruleset.title,
            "version": ruleset.version,
            "format": ruleset.format,
            "tiers": [tier.id for tier in ruleset.tiers],
            "options": [
                {"key": option.key, "title": option.title, "kind": option.kind, "default": option.default}
                for option in ruleset.options
            ],
        }
        for ruleset in shipped().values()
    ]


def ruleset_view(id: str) -> dict[str, Any]:
    """A shipped ruleset in short and whole, with its tiers and who of the staff settles what.

    Raises UnknownRuleset.
    """
    ruleset = shipped_ruleset(id)
    (listed,) = [line for line in rulesets_view() if line["id"] == ruleset.id]
    return {
        **listed,
        "tier_rules": [tier_view(tier) for tier in ruleset.tiers],
        "decisions": [decision_view(who) for who in answerers(ruleset.staff, ROLES["staff"])],
        "forms": [form_view(form, ruleset) for form in ruleset.forms],
        "ruleset": to_json(ruleset),
    }


def tier_view(tier: Tier) -> dict[str, Any]:
    """What depends on a tier, each with its clause."""
    names = ("rounds", "list_due", "list_due_for", "judge_may_play", "kept_apart")
    return {
        "id": tier.id,
        **{name: getattr(tier, name) for name in names},
        "clauses": {name: tier.cites(name) for name in names},
    }


def decision_view(who: Answerer) -> dict[str, Any]:
    """A question that staff settle, the roles that do, and the clause."""
    return {"question": who.question, "roles": list(who.roles), "clause": who.clause}


FORM = (
    "id",
    "name",
    "holds",
    "filled_by",
    "heading",
    "columns",
    "lines",
    "order",
    "copies",
    "copies_a_round",
    "clause",
)
"""What is shown of a blank form."""


def form_view(form: Form, ruleset: AnyRuleset) -> dict[str, Any]:
    """A blank form of a ruleset."""
    words, builder = (ruleset.words, ruleset.builder) if isinstance(ruleset, Ruleset) else (None, None)
    printed = {"titles": titles_of(form, words), "instructions": instructions_of(form, builder)}
    return {name: getattr(form, name) for name in FORM} | printed
