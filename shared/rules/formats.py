"""Rulesets of every format: a pack says its format, and the format says what else a pack has to say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import msgspec

from shared.refusals import Fault
from shared.rules import example
from shared.rules.campaign.ruleset import CampaignRuleset, faults_of_campaign
from shared.rules.coop.ruleset import CoopRuleset, faults_of_coop
from shared.rules.refusals import PackRefused
from shared.rules.ruleset import Ruleset
from shared.rules.season.ruleset import SeasonRuleset
from shared.rules.season.sound import faults_of_season
from shared.rules.shape import faults_of_shape
from shared.rules.sound import faults_of_sense

AnyRuleset = Ruleset | CoopRuleset | CampaignRuleset | SeasonRuleset
Rules = TypeVar("Rules", bound=AnyRuleset)

_DATE = re.compile(r"\d{4}(-\d{2}){0,2}", re.ASCII)


class Format(NamedTuple):
    """How tournaments of one kind are described. faults: what a ruleset of the right shape still gets wrong.

    example: what is illegal about its example roster; legal: the same with an example that its options leave legal.
    """

    ruleset: type[AnyRuleset]
    faults: Callable[[Any], list[Fault]]
    example: Callable[[Any], list[Fault]]
    legal: Callable[[Any], Any]


def _no_example(ruleset: AnyRuleset) -> list[Fault]:
    return []


def _as_it_is(ruleset: Rules) -> Rules:
    return ruleset


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "swiss": Format(Ruleset, faults_of_sense, example.faults_of_example, example.with_legal_example),
        "coop": Format(CoopRuleset, faults_of_coop, _no_example, _as_it_is),
        "campaign": Format(CampaignRuleset, faults_of_campaign, _no_example, _as_it_is),
        "season": Format(SeasonRuleset, faults_of_season, _no_example, _as_it_is),
    }
)
"""Format -> the ruleset that its packs are."""

# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
msgspec.json.Decoder(CoopRuleset)
msgspec.json.Decoder(CampaignRuleset)


def ruleset_type(data: Any) -> type[AnyRuleset]:
    """What the plain values of a pack are to become, by their format; a Swiss ruleset where they name none that is."""
    said = data.get("format") if isinstance(data, Mapping) else None
    return FORMATS[said if isinstance(said, str) and said in FORMATS else "swiss"].ruleset


def faults_of_form(data: Any) -> list[Fault]:
    """Everything in the plain values of a pack that does not fit its format, or any format, each at its pointer."""
    formats = "one of " + ", ".join(FORMATS)
    return [
        msgspec.structs.replace(fault, expected=formats) if fault.where == "/format" else fault
        for fault in faults_of_shape(data, ruleset_type(data))
    ]


def faults_of_ruleset(ruleset: AnyRuleset) -> list[Fault]:
    """Everything a well-formed ruleset still gets wrong, each at its JSON pointer."""
    return [*_faults_of_date(ruleset.document.date), *FORMATS[ruleset.format].faults(ruleset)]


def _faults_of_date(said: str) -> list[Fault]:
    """A document has the day, the month or the year in which it came out."""
    try:
        date.fromisoformat(said + "-01-01"[len(said) - 4 :] if _DATE.fullmatch(said) else "")
    except ValueError:
        return [Fault("/document/date", repr(said), "a day as 2024-01-31, a month as 2024-01, or a year")]
    return []


def faults_of_example(ruleset: AnyRuleset) -> list[Fault]:
    """Everything that makes the example of a pack illegal, each at its JSON pointer."""
    return FORMATS[ruleset.format].example(ruleset)


def with_legal_example(ruleset: Rules) -> Rules:
    """The ruleset with an example that its options leave legal."""
    legal: Rules = FORMATS[ruleset.format].legal(ruleset)
    return legal


def from_json(data: dict[str, Any]) -> AnyRuleset:
    """The ruleset that `to_json` wrote. Raises PackRefused with every fault when it is not one."""
    if faults := faults_of_form(data):
        raise PackRefused("this is not a ruleset", faults)
    return msgspec.convert(data, ruleset_type(data))
