"""Encounters in a game and while scavenging: searches, freed slaves, creatures fought.

| encounter                       | in a game                            | while scavenging     | clause             |
|---------------------------------|--------------------------------------|----------------------|--------------------|
| Dead Scavenger, Enclave Outpost | searched twice at most, or once after| the same             | FS-ENC-2, FS-ENC-3 |
| slaves with exploding collars   | a freed slave joins after the game   | the same             | FS-ENC-1           |
| creatures                       | experience with the rest of the game | experience and caps  | FS-ENC-5, FS-SCV-1 |
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.campaign.dice import (
    Modifier,
    Row,
    Thrown,
    check_succeeds,
    dice_or_nothing,
    faces_of,
    parse_formula,
    read_throw,
)
from shared.campaign.experience import change_xp
from shared.campaign.facts import Deeds, GameReport, Search, SideReport
from shared.campaign.group import new_member
from shared.campaign.outcomes import InjuryDue, MemberJoined
from shared.campaign.post_game_outcomes import (
    CapsMoved,
    CollarTried,
    EncounterDrawn,
    EncounterResolved,
    PlaceSearched,
    SlavesAppeared,
)
from shared.campaign.roster import Group, attribute
from shared.campaign.steps import DecisionBuilder, gain, in_step, require, room_for
from shared.campaign.tables import Card, Rules, Treasure
from shared.campaign.words import ChoiceRefused, DiceRefused, Events, Special
from shared.refusals import Fault, expects, one_of
from shared.rules.model import Draws, draw_lots

Met = Literal["creatures_killed", "member_killed", "escaped", "searched", "slaves_met"]
"""How an encounter while scavenging ended."""

FOUGHT = ("creatures_killed", "member_killed", "escaped")
"""Endings of a fight with creatures."""

Roll = Callable[[str, str, str], Thrown]
"""Returns the throw for an expression, a purpose and a member, in the order in which a decision asks for them."""


class Meeting(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The outcome of an encounter while scavenging, as played at the table.

    member: id of the member.
    ending: how it ended.
    met: key of the card; may be omitted if nothing was wounded.
    number: number of creatures.
    wounds, kills: wounds and kills caused to creatures by a member who was beaten or escaped.
    searches: searches made of a place; 0 for as many as are allowed.
    lost: slaves who died before the member reached their collar.
    down: an exploding slave took the member to 0 wounds.
    """

    member: str
    ending: Met
    met: str = ""
    number: int = 0
    wounds: int = 0
    kills: int = 0
    searches: int = 0
    lost: int = 0
    down: bool = False


def draw_encounter(rules: Rules, group: Group, member: str, draws: Draws) -> Events:
    """Draw the card that a scavenger meets from the whole deck, if no one draws it at the table.

    Raises StepRefused or ChoiceRefused. Source: FS-ENC-4, FS-DICE-4.
    """
    phase = in_step(group, "3")
    met = member in phase.encounters and member not in phase.drawn
    fault = Fault("/member", member, expects("member-with-encounter-once"), "FS-ENC-4")
    require([] if met else [fault], "no card is drawn")
    deck = [f"{key} {copy}" for key, card in rules.encounters.cards.items() for copy in range(1, card.copies + 1)]
    order = draw_lots(draws, f"encounter {phase.drawings + 1} of {group.id}", phase.round, deck)
    return [EncounterDrawn(member, order[0].split()[0])]


def resolve_encounter(rules: Rules, group: Group, meeting: Meeting, roll: Roll) -> Events:
    """Return the consequences of a scavenger's encounter as played at the table.

    Raises StepRefused, ChoiceRefused or DiceRefused. Source: FS-SCV-1, FS-ENC-4, FS-ENC-5.
    """
    phase = in_step(group, "3")
    fault = Fault("/member", meeting.member, expects("member-with-encounter"), "FS-SCV-1")
    require([] if meeting.member in phase.encounters else [fault], "nothing was met")
    card = phase.drawn.get(meeting.member, meeting.met)
    escaped_unseen = meeting.ending == "escaped" and not meeting.met
    fault = Fault("/met", meeting.met or "nothing", expects("drawn-card", card=card), "FS-ENC-4")
    require([] if meeting.met == card or escaped_unseen else [fault], "another card was drawn")
    require(_faults_of_meeting(rules, meeting), "this encounter cannot have gone so")
    builder = DecisionBuilder(group)
    if meeting.ending == "searched":
        _searched(rules, builder, meeting, roll)
    elif meeting.ending == "slaves_met":
        _slaves_met(rules, builder, meeting, roll)
    else:
        _fought(rules, builder, meeting, roll)
    return builder.events


def search(rules: Rules, group: Group, member: str, at: str, luck: int, roll: Roll) -> Events:
    """Search a place: 1D12 plus Luck in its table, then the dice of the number of items if the row asks for them.

    A good that the group already has as often as it may is left behind. Raises DiceRefused. Source: FS-ENC-2, FS-ENC-3.
    """
    card = rules.encounters.cards[at]
    modifiers = [Modifier("attribute.L", luck)]
    throw = roll("1D12", card.clause, member)
    rolled = read_throw(throw, "1D12", card.clause, modifiers=modifiers, table=at, rows=card.treasure, member=member)
    row = treasure_by(rules, at, rolled.total)
    builder, amount_roll, number = DecisionBuilder(group), rolled.roll, 1
    builder.record(rolled, PlaceSearched(member, at, rolled.roll))
    if row.amount:
        amount = read_throw(roll(row.amount, f"{card.clause} amount", member), row.amount, card.clause, member=member)
        builder.record(amount)
        amount_roll, number = amount.roll, amount.total
    if row.caps:
        builder.record(CapsMoved(row.caps, "searched", card.clause, rolled.roll))
    for _ in range(number if row.item else 0):
        if not room_for(rules, builder.group, row.item):
            builder.record(*gain(builder.group, [row.item], "searched", card.clause, amount_roll))
    return builder.events


def treasure_by(rules: Rules, at: str, total: int) -> Treasure:
    """Return the find of a place for a total of die and Luck, limited to the ends of its table (FS-ENC-2, FS-ENC-3)."""
    rows = rules.encounters.cards[at].treasure
    total = max(rows[0].least, min(rows[-1].most, total))
    return next(row for row in rows if row.least <= total <= row.most)


def try_collar(rules: Rules, group: Group, member: str, throw: Thrown, target: int) -> Events:
    """Try to remove a collar. A freed slave joins for free if the group has room.

    target: highest face of the 1D12 that succeeds: Intelligence less the collar's penalty. Source: FS-ENC-1, FS-GRP-5.
    """
    rolled = read_throw(throw, "1D12", "FS-ENC-1", member=member)
    freed = check_succeeds(rolled.natural, target)
    events: Events = [rolled, CollarTried(member, freed, rolled.roll)]
    rank = next((card.joins for card in rules.encounters.cards.values() if card.joins), None)
    if freed and rank and len(group.members) < rules.forces[group.force].most:
        joining = new_member(rules, group.serial + 1, rank)
        events.append(MemberJoined(joining, "freed slave", "FS-ENC-1", rolled.roll))
    return events


def span_of(card: Card) -> tuple[int, int]:
    """Return the fewest and the most that a card can bring."""
    if card.number.isdecimal():
        return int(card.number), int(card.number)
    formula = parse_formula(card.number)
    return formula.value([1] * formula.count), formula.value([formula.sides] * formula.count)


def places(rules: Rules) -> dict[str, Sequence[Row]]:
    """Return the table of each place that can be searched, by the name used in its rolls."""
    return {at: card.treasure for at, card in rules.encounters.cards.items() if card.treasure}


def no_dice(expression: str, purpose: str, member: str) -> Thrown:
    """Raise ChoiceRefused. The `Roll` of a decision that may ask for no dice."""
    raise ChoiceRefused("no dice here", [Fault("/rolls", expression, expects("no-dice"), "FS-SCV-1")])


def _fought(rules: Rules, builder: DecisionBuilder, meeting: Meeting, roll: Roll) -> None:
    """Award experience for wounds and kills and caps for killing all creatures; roll an injury for a killed member."""
    card, won = rules.encounters.cards.get(meeting.met), meeting.ending == "creatures_killed"
    per_wound = rules.options.wound == "per_wound"
    whole = meeting.number * (card.wounds if card and per_wound else 1)
    wounds, kills = (whole, meeting.number) if won else (meeting.wounds, meeting.kills)
    builder.record(
        EncounterResolved(meeting.member, meeting.ending, meeting.met, meeting.number, meeting.wounds, meeting.kills)
    )
    each = rules.advancement.experience
    if wounds:
        earned = wounds * each["wound"] + kills * each["kill"]
        builder.record(*change_xp(rules, builder.group, meeting.member, earned, "creatures", "FS-ENC-5"))
    if won:
        throw = roll(rules.finds.encounter, "FS-SCV-1 encounter", meeting.member)
        rolled = read_throw(throw, rules.finds.encounter, "FS-SCV-1", member=meeting.member)
        builder.record(rolled, CapsMoved(rolled.total, "encounter", "FS-SCV-1", rolled.roll))
    elif meeting.ending == "member_killed":
        builder.record(InjuryDue(meeting.member, "FS-SCV-1"))


def _searched(rules: Rules, builder: DecisionBuilder, meeting: Meeting, roll: Roll) -> None:
    number = meeting.searches or rules.encounters.searches_most
    luck = attribute(rules, builder.group, builder.member(meeting.member), "L")
    builder.record(EncounterResolved(meeting.member, meeting.ending, meeting.met, number))
    for _ in range(number):
        builder.record(*search(rules, builder.group, meeting.member, meeting.met, luck, roll))


def _slaves_met(rules: Rules, builder: DecisionBuilder, meeting: Meeting, roll: Roll) -> None:
    """Roll the number of slaves. Each slave whose collar was reached has one last check."""
    card = rules.encounters.cards[meeting.met]
    builder.record(EncounterResolved(meeting.member, meeting.ending, meeting.met, lost=meeting.lost, down=meeting.down))
    throw = roll(card.number, f"{card.clause} number", meeting.member)
    rolled = read_throw(throw, card.number, card.clause, member=meeting.member)
    builder.record(rolled, SlavesAppeared(meeting.member, rolled.total, rolled.roll))
    fault = Fault("/lost", f"{meeting.lost}", expects("at-most-appeared", most=rolled.total), card.clause)
    require([fault] if meeting.lost > rolled.total else [], "so many slaves there were not")
    target = attribute(rules, builder.group, builder.member(meeting.member), "I") - rules.encounters.collar
    for _ in range(rolled.total - meeting.lost):
        throw = roll("1D12", card.clause, meeting.member)
        builder.record(*try_collar(rules, builder.group, meeting.member, throw, target))
    if meeting.down:
        builder.record(InjuryDue(meeting.member, card.clause))


def _faults_of_meeting(rules: Rules, meeting: Meeting) -> Iterator[Fault]:
    """Yield values that do not fit the card."""
    fitting = {name: card for name, card in rules.encounters.cards.items() if _fits(card, meeting.ending)}
    fought = meeting.ending in FOUGHT
    silent = fought and meeting.ending != "creatures_killed" and not meeting.wounds and not meeting.kills
    may_omit_card = silent and not meeting.met and not meeting.number
    if meeting.met not in fitting and not may_omit_card:
        yield Fault("/met", meeting.met or "nothing", one_of(list(fitting)), "FS-ENC-4")
        return
    allowed_members = {
        "number": fought,
        "wounds": fought and meeting.ending != "creatures_killed",
        "kills": fought and meeting.ending != "creatures_killed",
        "searches": meeting.ending == "searched",
        "lost": meeting.ending == "slaves_met",
        "down": meeting.ending == "slaves_met",
    }
    expected = expects("nothing-with-ending", ending=meeting.ending)
    for name, allowed in allowed_members.items():
        if getattr(meeting, name) and not allowed:
            yield Fault(f"/{name}", f"{getattr(meeting, name)}", expected, "FS-ENC-4")
    if (
        meeting.ending == "searched"
        and meeting.searches
        and not 1 <= meeting.searches <= rules.encounters.searches_most
    ):
        expected = expects("between", least=1, most=rules.encounters.searches_most)
        yield Fault("/searches", f"{meeting.searches}", expected, fitting[meeting.met].clause)
    if meeting.ending == "slaves_met" and meeting.lost < 0:
        yield Fault("/lost", f"{meeting.lost}", expects("at-least", least=0), fitting[meeting.met].clause)
    if fought and meeting.met:
        yield from _faults_of_fight(rules, meeting, fitting[meeting.met])


def _fits(card: Card, ending: Met) -> bool:
    """Return True if an encounter of this card can have this ending."""
    if ending == "searched":
        return bool(card.treasure)
    return card.joins is not None if ending == "slaves_met" else card.wounds > 0


def _faults_of_fight(rules: Rules, meeting: Meeting, card: Card) -> Iterator[Fault]:
    """Yield faults of values that are impossible in a fight with this number of creatures (FS-ENC-5)."""
    least, most = span_of(card)
    if not least <= meeting.number <= most:
        expected = (
            expects("creatures-of-card", least=least, most=most, card=card.name)
            if least < most
            else expects("exact-creatures-of-card", number=most, card=card.name)
        )
        yield Fault("/number", f"{meeting.number}", expected, card.clause)
        return
    if meeting.ending == "creatures_killed":
        return
    each = card.wounds if rules.options.wound == "per_wound" else 1
    if not 0 <= meeting.kills < meeting.number:
        expected = expects("not-all-killed", most=meeting.number - 1)
        yield Fault("/kills", f"{meeting.kills}", expected, card.clause)
        return
    top = meeting.number * each - (meeting.number - meeting.kills if each > 1 else 0)
    if not meeting.kills * each <= meeting.wounds <= top:
        expected = expects("wounds-with-kills", least=meeting.kills * each, most=top, kills=meeting.kills)
        yield Fault("/wounds", f"{meeting.wounds}", expected, card.clause)


def in_game(rules: Rules, group: Group, deeds: Deeds, name: Special) -> int:
    """Return a member's attribute in the game it played, less the withdrawal of an addict without a dose (FS-ADD-1)."""
    member = group.member(deeds.member)
    assert member is not None, f"{deeds.member} was mustered"
    return attribute(rules, group, member, name) - withdrawal(rules, group, deeds)


def withdrawal(rules: Rules, group: Group, deeds: Deeds) -> int:
    """Return by how much each SPECIAL attribute of an addict is lower in a game without its drug (FS-ADD-1)."""
    member = group.member(deeds.member)
    taken = {item.good for dose in deeds.doses if (item := group.item(dose.item)) is not None}
    return 0 if member is None or taken.issuperset(member.addictions) else rules.core.withdrawal


def collar_target(rules: Rules, group: Group, deeds: Deeds) -> int:
    """Return the highest face of a D12 that removes a collar, at best with a drug that sharpens (FS-ENC-1)."""
    taken = {item.good for dose in deeds.doses if (item := group.item(dose.item)) is not None}
    sharper = int(bool(taken & set(rules.encounters.sharpens)))
    return in_game(rules, group, deeds, "I") - rules.encounters.collar + sharper


def faults_of_encounters(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], won: Collection[str]
) -> Iterator[Fault]:
    """Yield faults of encounters, searches and freed slaves in a report. won: groups that won."""
    cards = rules.encounters.cards
    for index, encounter in enumerate(report.encounters):
        if encounter.met not in cards:
            yield Fault(f"/encounters/{index}/met", encounter.met or "nothing", one_of(list(cards)), "FS-REP-3")
        elif encounter.number < 1:
            expected = expects("at-least", least=1)
            yield Fault(f"/encounters/{index}/number", f"{encounter.number}", expected, cards[encounter.met].clause)
    for number, side in enumerate(report.sides):
        deeds_of = {deeds.member: deeds for deeds in side.members if groups[side.group].member(deeds.member)}
        for index, search in enumerate(side.searches):
            where = f"/sides/{number}/searches/{index}"
            yield from _faults_of_search(rules, groups[side.group], side, search, deeds_of, won, where)
        for index, freed in enumerate(side.freed):
            where = f"/sides/{number}/freed/{index}"
            if freed.member not in deeds_of:
                yield Fault(f"{where}/member", freed.member, expects("member-who-played"), "FS-ENC-1")
                continue
            yield from _faults_of_throw(freed.roll, "1D12", "FS-ENC-1", f"{where}/roll")
            target = collar_target(rules, groups[side.group], deeds_of[freed.member])
            natural = freed.roll.dice[0].natural if freed.roll.dice else 0
            if not check_succeeds(natural, target):
                expected = expects("collar-check", most=max(target, 1), collar=rules.encounters.collar)
                yield Fault(f"{where}/roll", f"{natural}", expected, "FS-ENC-1")
    yield from _faults_of_numbers(rules, report)


def _faults_of_search(
    rules: Rules,
    group: Group,
    side: SideReport,
    search: Search,
    deeds_of: Mapping[str, Deeds],
    won: Collection[str],
    where: str,
) -> Iterator[Fault]:
    card = rules.encounters.cards.get(search.at)
    if card is None or not card.treasure:
        known = [at for at, other in rules.encounters.cards.items() if other.treasure]
        yield Fault(f"{where}/at", search.at or "nothing", one_of(known), "FS-ENC-2")
        return
    if search.member not in deeds_of:
        yield Fault(f"{where}/member", search.member, expects("member-who-played"), card.clause)
        return
    if search.after and side.group not in won:
        yield Fault(f"{where}/after", "true", expects("search-by-winner"), card.clause)
    faults = list(_faults_of_throw(search.roll, "1D12", card.clause, f"{where}/roll"))
    yield from faults
    if faults:
        return
    total = search.roll.dice[0].natural + in_game(rules, group, deeds_of[search.member], "L")
    dice = treasure_by(rules, search.at, total).amount
    if bool(dice) != (search.amount is not None):
        expected = dice_or_nothing(dice) if dice else expects("nothing-at-total", total=total)
        yield Fault(f"{where}/amount", faces_of(search.amount), expected, card.clause)
    elif search.amount is not None:
        yield from _faults_of_throw(search.amount, dice, card.clause, f"{where}/amount")


def _faults_of_numbers(rules: Rules, report: GameReport) -> Iterator[Fault]:
    """Yield faults if there are more searches or freed slaves than the encounters allow."""
    most, met = rules.encounters.searches_most, [searches.met for searches in report.encounters]
    for at, card in rules.encounters.cards.items():
        if not card.treasure:
            continue
        searches = [search for side in report.sides for search in side.searches if search.at == at]
        during = sum(not search.after for search in searches)
        if during > most * met.count(at):
            expected = expects("at-most-searches", most=most * met.count(at), each=most, card=card.name)
            yield Fault("/encounters", f"{during}", expected, card.clause)
            continue
        untouched = met.count(at) - -(-during // most)
        if len(searches) - during > untouched:
            expected = expects("at-most-searches-after-game", most=untouched, card=card.name)
            yield Fault("/encounters", f"{len(searches) - during}", expected, card.clause)
    freed = sum(len(side.freed) for side in report.sides)
    joining = {key for key, card in rules.encounters.cards.items() if card.joins}
    appeared = sum(searches.number for searches in report.encounters if searches.met in joining)
    if freed > appeared:
        yield Fault("/encounters", f"{freed}", expects("at-most-appeared", most=appeared), "FS-ENC-1")


def _faults_of_throw(throw: Thrown, expression: str, clause: str, where: str) -> Iterator[Fault]:
    try:
        read_throw(throw, expression, clause)
    except DiceRefused as refused:
        yield from (replace(fault, where=fault.where.replace("/roll", where, 1)) for fault in refused.faults)
