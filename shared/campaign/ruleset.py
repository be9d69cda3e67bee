"""The ruleset of a campaign league, its versions, and the checks of its tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec.structs import replace

from shared.campaign.dice import Row, parse_formula
from shared.campaign.tables import Core, Rules
from shared.campaign.words import RANKS
from shared.refusals import NOTHING, Fault, display_text, expects, one_of, to_short_json
from shared.rules.parts import AnyRuleset, RoundsOption, Setting

TableFault = tuple[str, Fault]
"""The file with the fault, without its ending, and the fault."""

DECK = 52
"""Cards in a deck."""


def faults_of_tables(rules: Rules) -> Iterator[TableFault]:
    """Yield every fault of the tables, with the file that holds it."""
    yield from _faults_of_clauses(rules)
    yield from _faults_of_rows(rules)
    yield from _faults_of_dice(rules)
    yield from _faults_of_names(rules)
    yield from _faults_of_ladders(rules)
    yield from _faults_of_cards(rules)


def faults_of_rows(rows: Sequence[Row], least: int, most: int, where: str, clause: str) -> Iterator[Fault]:
    """Yield faults unless the rows give every total from `least` to `most` exactly one row, in ascending order."""
    expected_least = least
    for index, row in enumerate(rows):
        place = f"{where}/{index}"
        if row.least > row.most:
            yield Fault(f"{place}/most", f"{row.most}", expects("row-end-from", least=row.least), clause)
        elif row.least > expected_least:
            yield Fault(f"{place}/least", f"{row.least}", expects("row-without-gap", least=expected_least), clause)
        elif row.least < expected_least:
            yield Fault(f"{place}/least", f"{row.least}", expects("row-without-overlap", least=expected_least), clause)
        expected_least = max(expected_least, row.most + 1)
    if expected_least != most + 1:
        yield Fault(where, f"{expected_least - 1}", expects("rows-up-to", most=most), clause)


def _faults_of_clauses(rules: Rules) -> Iterator[TableFault]:
    """Yield faults unless every table and every single number has a clause, and nothing else has one (FS-AUD-3)."""
    tables = set(Rules.__struct_fields__) - {"core", "clause", "clauses", "options"}
    numbers = set(Core.__struct_fields__) - {"clause", "clauses"}
    for where, named, required in (("clauses", rules.clauses, tables), ("core", rules.core.clauses, numbers)):
        pointer = "/clauses" if where == "core" else ""
        for name in sorted(required - named.keys()):
            yield where, Fault(f"{pointer}/{name}", NOTHING, expects("clause-of-origin"), "FS-AUD-3")
        for name in sorted(named.keys() - required):
            yield where, Fault(f"{pointer}/{name}", named[name], one_of(sorted(required)), "FS-AUD-3")


def _faults_of_rows(rules: Rules) -> Iterator[TableFault]:
    tables: list[tuple[str, str, Sequence[Row], int, int, str]] = [
        ("core", "/recruits", rules.core.recruits, 1, 12, "FS-REC-1"),
        ("turfs", "", rules.turfs, 2, 24, "FS-TRF-1"),
        ("injuries", "", rules.injuries, 2, 24, "FS-INJ-1"),
        ("advancement", "/rows", rules.advancement.rows, 2, 24, "FS-ADV-1"),
        ("finds", "/scavenging", rules.finds.scavenging, 1, 12, "FS-SCV-1"),
        ("finds", "/special", rules.finds.special, 1, 12, "FS-SCV-1"),
        ("finds", "/buildings", rules.finds.buildings, 2, 24, "FS-SPC-5"),
        ("objectives", "", rules.objectives, 1, 12, "FS-GAM-5"),
    ]
    for key, card in rules.encounters.cards.items():
        if card.treasure:
            most = card.treasure[-1].most
            tables.append(("encounters", f"/cards/{key}/treasure", card.treasure, 0, most, card.clause))
    for file, where, rows, least, most, clause in tables:
        for fault in faults_of_rows(rows, least, most, where, clause):
            yield file, fault


def _faults_of_dice(rules: Rules) -> Iterator[TableFault]:
    expressions = [("turfs", f"/{n}/caps", turf.caps, "FS-TRF-2") for n, turf in enumerate(rules.turfs)]
    expressions += [("turfs", f"/{n}/food", turf.food, "FS-TRF-2") for n, turf in enumerate(rules.turfs)]
    expressions += [
        ("turfs", f"/{n}/feature/sells", turf.feature.sells, "FS-TRF-2") for n, turf in enumerate(rules.turfs)
    ]
    for name in ("amount", "downed"):
        for n, find in enumerate(rules.finds.scavenging):
            expressions.append(("finds", f"/scavenging/{n}/{name}", getattr(find, name), "FS-SCV-1"))
    expressions.append(("finds", "/encounter", rules.finds.encounter, "FS-SCV-1"))
    expressions.append(("core", "/doctor_addiction_dice", rules.core.doctor_addiction_dice, "FS-AMB-43"))
    for key, card in rules.encounters.cards.items():
        expressions.append(("encounters", f"/cards/{key}/number", card.number, card.clause))
        for n, treasure in enumerate(card.treasure):
            expressions.append(("encounters", f"/cards/{key}/treasure/{n}/amount", treasure.amount, card.clause))
    for n, objective in enumerate(rules.objectives):
        expressions.append(("objectives", f"/{n}/reward/amount", objective.reward.amount, "FS-GAM-10"))
    for file, where, text, clause in expressions:
        if text and not text.isdecimal() and not _is_dice(text):
            yield file, Fault(where, text, expects("dice-or-number"), clause)


def _is_dice(text: str) -> bool:
    try:
        parse_formula(text)
    except ValueError:
        return False
    return True


def _faults_of_names(rules: Rules) -> Iterator[TableFault]:
    goods, forces, merchants = rules.goods, rules.forces, rules.merchants
    references: list[tuple[str, str, str, Collection[str], str]] = []
    for key, force in forces.items():
        references += [("forces", f"/{key}/goods/{n}", item, goods, "FS-FRC-3") for n, item in enumerate(force.goods)]
        references += [
            ("forces", f"/{key}/special/judges/{n}", other, forces, "FS-GAM-4")
            for n, other in enumerate(force.special.judges)
        ]
        for rank, entry in force.ranks.items():
            references += [
                ("forces", f"/{key}/ranks/{rank}/armor/of/{n}", item, force.goods, "FS-GRP-7")
                for n, item in enumerate(entry.armor.of)
            ]
        for rank in RANKS:
            references.append(("forces", f"/{key}/ranks", rank, force.ranks, "FS-FRC-1"))
    for key, merchant in merchants.items():
        references += [
            ("merchants", f"/{key}/goods/{n}/item", offer.item, goods, "FS-BAR-3")
            for n, offer in enumerate(merchant.goods)
        ]
    for key, good in goods.items():
        references += [
            ("goods", f"/{key}", made, goods, "FS-BLD-1") for made in (good.parts_for, good.schematic_for) if made
        ]
    for n, turf in enumerate(rules.turfs):
        for item in (turf.feature.double, turf.feature.yields, turf.feature.becomes):
            references += [("turfs", f"/{n}/feature", item, goods, "FS-TRF-2")] if item else []
    for name, finds in (("special", rules.finds.special), ("buildings", rules.finds.buildings)):
        references += [
            ("finds", f"/{name}/{n}/item", find.item, goods, "FS-SCV-1") for n, find in enumerate(finds) if find.item
        ]
    for key, card in rules.encounters.cards.items():
        references += [
            ("encounters", f"/cards/{key}/treasure/{n}/item", treasure.item, goods, card.clause)
            for n, treasure in enumerate(card.treasure)
            if treasure.item
        ]
    references += [
        ("encounters", f"/sharpens/{n}", drug, goods, "FS-ENC-1") for n, drug in enumerate(rules.encounters.sharpens)
    ]
    for n, objective in enumerate(rules.objectives):
        references += [
            ("objectives", f"/{n}/reward/goods", item, goods, "FS-GAM-10") for item in objective.reward.goods
        ]
        if objective.reward.merchant:
            references.append(
                ("objectives", f"/{n}/reward/merchant", objective.reward.merchant, merchants, "FS-GAM-10")
            )
    references.append(("core", "/recruit_gift", rules.core.recruit_gift, goods, "FS-REC-4"))
    for file, where, name, known, clause in references:
        if name not in known:
            yield file, Fault(where, display_text(name), expects("name-in-other-table"), clause)


def _faults_of_ladders(rules: Rules) -> Iterator[TableFault]:
    """Levels and radiation bands must ascend."""
    thresholds = [level.xp for level in rules.advancement.levels]
    if thresholds != sorted(set(thresholds)):
        yield "advancement", Fault("/levels", ", ".join(map(str, thresholds)), expects("ascending"), "FS-XP-4")
    starts = [band.rads for band in rules.core.bands]
    if starts != sorted(set(starts)) or starts[:1] != [0]:
        yield "core", Fault("/bands", ", ".join(map(str, starts)), expects("ascending-from-0"), "FS-RAD-1")


def _faults_of_cards(rules: Rules) -> Iterator[TableFault]:
    """Yield faults of cards: each is creatures, slaves or a place to search, in a valid number of copies (FS-ENC-5)."""
    encounters = rules.encounters
    for name, least in (("searches_most", 1), ("collar", 0)):
        if getattr(encounters, name) < least:
            expected = expects("at-least", least=least)
            yield "encounters", Fault(f"/{name}", f"{getattr(encounters, name)}", expected, "FS-ENC-2")
    for key, card in encounters.cards.items():
        where = f"/cards/{key}"
        kinds = (card.wounds > 0) + (card.joins is not None) + bool(card.treasure)
        if kinds != 1 or card.wounds < 0:
            expected = expects("exactly-one-of", values=["wounds", "joins", "treasure"])
            yield "encounters", Fault(where, f"{kinds}", expected, card.clause)
        if not 1 <= card.copies <= DECK:
            expected = expects("between", least=1, most=DECK)
            yield "encounters", Fault(f"{where}/copies", f"{card.copies}", expected, card.clause)
        for n, treasure in enumerate(card.treasure):
            if (treasure.caps > 0) + bool(treasure.item) != 1 or treasure.caps < 0:
                expected = expects("exactly-one-of", values=["caps", "item"])
                yield "encounters", Fault(f"{where}/treasure/{n}", to_short_json(treasure), expected, card.clause)


class CampaignRuleset(AnyRuleset, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ruleset that decides how a campaign is played. rules: its tables and the options in force."""

    format: Literal["campaign"]
    rules: Rules
    chosen: dict[str, Setting | dict[str, int]] = {}

    @property
    def rounds_option(self) -> RoundsOption:
        """The option that sets the number of rounds (FS-LGE-3)."""
        return RoundsOption("fs.campaign.rounds", self.rules.options.rounds, "FS-LGE-3")


# Build the decoder at import: msgspec 0.22 crashes if several threads use a type for the first time at once.
msgspec.json.Decoder(CampaignRuleset)


def faults_of_campaign(ruleset: CampaignRuleset) -> list[Fault]:
    """Return every fault of well-formed tables, each at its JSON pointer in the ruleset."""
    return [replace(fault, where=f"/rules/{table}{fault.where}") for table, fault in faults_of_tables(ruleset.rules)]


SHORT = 16
"""Hex digits of a hash that a roll names."""


class Versions(msgspec.Struct, frozen=True):
    """Versions of a campaign ruleset.

    document: version of the rules document.
    tables: SHA-256 of the tables, 64 hex digits.
    options: SHA-256 of the options in force, 64 hex digits.
    """

    document: str
    tables: str
    options: str

    @property
    def named(self) -> str:
        """The versions as a roll names them: `document/tables/options`, with shortened hashes."""
        return "/".join((self.document, self.tables[:SHORT], self.options[:SHORT]))


def versions_of(ruleset: CampaignRuleset) -> Versions:
    """Return the versions that a campaign pins with its ruleset and that its rolls name."""
    tables = msgspec.to_builtins(ruleset.rules)
    options = tables.pop("options")
    hashes = (sha256(msgspec.json.encode(part, order="sorted")).hexdigest() for part in (tables, options))
    return Versions(ruleset.document.version, *hashes)
