"""Encounters of a game as its report tells them: what cannot be, and how able a member was. FS-ENC-1 to 3."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from shared.formats.campaign.rules.attributes import attribute
from shared.formats.campaign.rules.dice import Thrown, check_succeeds, dice_or_nothing, faces_of, read_throw
from shared.formats.campaign.rules.encounters import treasure_by
from shared.formats.campaign.rules.refusals import DiceRefused
from shared.formats.campaign.rules.reported import Deeds, GameReport, Search, SideReport
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import Special
from shared.refusals import Fault, expects, one_of


def in_game(rules: Rules, group: Group, deeds: Deeds, name: Special) -> int:
    """An attribute of a member in the game that it played, an addict without a dose being worse. FS-ADD-1."""
    found = group.member(deeds.member)
    assert found is not None, f"{deeds.member} was mustered"
    return attribute(rules, group, found, name) - withdrawal(rules, group, deeds)


def withdrawal(rules: Rules, group: Group, deeds: Deeds) -> int:
    """By how much each SPECIAL of an addict is lower in a game without a dose of its drug. FS-ADD-1."""
    member = group.member(deeds.member)
    taken = {item.good for dose in deeds.doses if (item := group.item(dose.item)) is not None}
    return 0 if member is None or taken.issuperset(member.addictions) else rules.core.withdrawal


def collar_target(rules: Rules, group: Group, deeds: Deeds) -> int:
    """What a D12 must not pass to take a collar off, at best: with a drug that sharpens, if it took one. FS-ENC-1."""
    taken = {item.good for dose in deeds.doses if (item := group.item(dose.item)) is not None}
    sharper = int(bool(taken & set(rules.encounters.sharpens)))
    return in_game(rules, group, deeds, "I") - rules.encounters.collar + sharper


def faults_of_encounters(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], won: Collection[str]
) -> Iterator[Fault]:
    """Everything in encounters, searches and freed slaves that the rules do not let happen. won: groups that won."""
    cards = rules.encounters.cards
    for index, told in enumerate(report.encounters):
        if told.met not in cards:
            yield Fault(f"/encounters/{index}/met", told.met or "nothing", one_of(list(cards)), "FS-REP-3")
        elif told.number < 1:
            expected = expects("at-least", least=1)
            yield Fault(f"/encounters/{index}/number", f"{told.number}", expected, cards[told.met].clause)
    for number, side in enumerate(report.sides):
        did = {deeds.member: deeds for deeds in side.members if groups[side.group].member(deeds.member)}
        for index, found in enumerate(side.searches):
            where = f"/sides/{number}/searches/{index}"
            yield from _faults_of_search(rules, groups[side.group], side, found, did, won, where)
        for index, freed in enumerate(side.freed):
            where = f"/sides/{number}/freed/{index}"
            if freed.member not in did:
                yield Fault(f"{where}/member", freed.member, expects("member-who-played"), "FS-ENC-1")
                continue
            yield from _faults_of_throw(freed.roll, "1D12", "FS-ENC-1", f"{where}/roll")
            target = collar_target(rules, groups[side.group], did[freed.member])
            natural = freed.roll.dice[0].natural if freed.roll.dice else 0
            if not check_succeeds(natural, target):
                expected = expects("collar-check", most=max(target, 1), collar=rules.encounters.collar)
                yield Fault(f"{where}/roll", f"{natural}", expected, "FS-ENC-1")
    yield from _faults_of_numbers(rules, report)


def _faults_of_search(
    rules: Rules,
    group: Group,
    side: SideReport,
    found: Search,
    did: Mapping[str, Deeds],
    won: Collection[str],
    where: str,
) -> Iterator[Fault]:
    card = rules.encounters.cards.get(found.at)
    if card is None or not card.treasure:
        known = [at for at, other in rules.encounters.cards.items() if other.treasure]
        yield Fault(f"{where}/at", found.at or "nothing", one_of(known), "FS-ENC-2")
        return
    if found.member not in did:
        yield Fault(f"{where}/member", found.member, expects("member-who-played"), card.clause)
        return
    if found.after and side.group not in won:
        yield Fault(f"{where}/after", "true", expects("search-by-winner"), card.clause)
    faults = list(_faults_of_throw(found.roll, "1D12", card.clause, f"{where}/roll"))
    yield from faults
    if faults:
        return
    total = found.roll.dice[0].natural + in_game(rules, group, did[found.member], "L")
    dice = treasure_by(rules, found.at, total).amount
    if bool(dice) != (found.amount is not None):
        expected = dice_or_nothing(dice) if dice else expects("nothing-at-total", total=total)
        yield Fault(f"{where}/amount", faces_of(found.amount), expected, card.clause)
    elif found.amount is not None:
        yield from _faults_of_throw(found.amount, dice, card.clause, f"{where}/amount")


def _faults_of_numbers(rules: Rules, report: GameReport) -> Iterator[Fault]:
    """No more searches and freed slaves than the encounters that were met allow."""
    most, met = rules.encounters.searches_most, [told.met for told in report.encounters]
    for at, card in rules.encounters.cards.items():
        if not card.treasure:
            continue
        told = [found for side in report.sides for found in side.searches if found.at == at]
        during = sum(not found.after for found in told)
        if during > most * met.count(at):
            expected = expects("at-most-searches", most=most * met.count(at), each=most, card=card.name)
            yield Fault("/encounters", f"{during}", expected, card.clause)
            continue
        untouched = met.count(at) - -(-during // most)
        if len(told) - during > untouched:
            expected = expects("at-most-searches-after-game", most=untouched, card=card.name)
            yield Fault("/encounters", f"{len(told) - during}", expected, card.clause)
    freed = sum(len(side.freed) for side in report.sides)
    joining = {key for key, card in rules.encounters.cards.items() if card.joins}
    appeared = sum(told.number for told in report.encounters if told.met in joining)
    if freed > appeared:
        yield Fault("/encounters", f"{freed}", expects("at-most-appeared", most=appeared), "FS-ENC-1")


def _faults_of_throw(thrown: Thrown, expression: str, clause: str, where: str) -> Iterator[Fault]:
    try:
        read_throw(thrown, expression, clause)
    except DiceRefused as refused:
        yield from (replace(fault, where=fault.where.replace("/roll", where, 1)) for fault in refused.faults)
