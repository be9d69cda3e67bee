"""Which ruleset a tournament is announced with: a shipped pack or one of the organiser's own, with options set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from shared.formats.options import apply_options
from shared.formats.packs import from_values, shipped_ruleset
from shared.formats.rosters import with_catalogue, with_legal_example
from shared.refusals import Fault, expects, one_of, shown
from shared.rules.model import OptionsRefused, PackRefused
from shared.rules.parts import AnyRuleset, to_json
from shared.shapes import Shape, Whole
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
    catalogues: Sequence[Catalogue] = (),
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
        right = one_of(tiers) if tiers else expects("no-tiers")
        raise InvalidRequest("The ruleset has no such tier.", [Fault("/tier", tier, right)])
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
            said = shown(msgspec.to_builtins(catalogues))
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
