"""Checks that rolls and events of a campaign belong together (FS-AUD-1, FS-AUD-2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from msgspec.structs import fields

from shared.campaign.dice import DieRolled, Hit, Row, Thrown, drawn_dice, read_throw
from shared.campaign.encounters import places
from shared.campaign.outcomes import MemberRemoved, TurfGained
from shared.campaign.post_game_outcomes import ItemGained, MerchantSought, PriceQuoted
from shared.campaign.tables import Rules
from shared.campaign.words import CampaignEvent, DiceRefused
from shared.rules.model import Draws

BY_REASON = frozenset(
    {
        *(("scavenging", "FS-SCV-1"), ("encounter", "FS-SCV-1"), ("recruit", "FS-REC-4")),
        *(("searched", "FS-ENC-2"), ("searched", "FS-ENC-3"), ("freed slave", "FS-ENC-1")),
    }
)
"""What dice always decide of the ledger and of those who join, by reason and clause; a gift is none of it."""


class Mismatch(NamedTuple):
    """A mismatch of an event and its dice. where: its place in the sequence; found, right: in words."""

    where: str
    found: str
    right: str
    clause: str


def faults_of_rolls(
    rules: Rules | Sequence[Rules], outcomes: Sequence[CampaignEvent], draws: Draws | None = None
) -> Iterator[Mismatch]:
    """Return every mismatch of dice in a campaign (FS-AUD-2).

    rules: of the campaign, or of each event if they changed (FS-AUD-3).
    draws: answers the questions whose answers are not in the events.

    A roll must equal its faces, be used or replaced, and have a unique id. An event decided by dice must name an
    earlier roll.
    """
    made: dict[str, int] = {}
    answers = {answer.question: answer.value for outcome in outcomes for answer in outcome.answers}
    used: set[str] = set()
    known = [rules] * len(outcomes) if isinstance(rules, Rules) else rules
    for index, (outcome, by) in enumerate(zip(outcomes, known, strict=True)):
        where = f"/{index}"
        if isinstance(outcome, DieRolled):
            if outcome.roll in made:
                yield Mismatch(f"{where}/roll", f"{outcome.roll} for the second time", "a roll id once", "FS-AUD-1")
            made[outcome.roll] = index
            if outcome.replaces:
                if outcome.replaces not in made:
                    yield Mismatch(f"{where}/replaces", outcome.replaces, "a roll made before", "FS-DICE-5")
                used.add(outcome.replaces)
            yield from _recomputed(by, outcome, where)
            if outcome.source == "service" and outcome.question:
                answer = draws.answer(outcome.question) if draws else answers[outcome.question]
                if outcome.dice != drawn_dice(answer, outcome.expression):
                    yield Mismatch(
                        f"{where}/dice", "other faces than the answer gives", "the faces of the answer", "FS-AUD-2"
                    )
            continue
        named = _rolls_of(outcome)
        if not named and _is_rolled(by, outcome):
            yield Mismatch(where, f"{type(outcome).__name__} names no roll", "the roll that decided it", "FS-AUD-2")
        for roll in named:
            if roll not in made:
                yield Mismatch(where, f"{type(outcome).__name__} names {roll}", "a roll made before", "FS-AUD-2")
        used.update(named)
    for roll, index in made.items():
        if roll not in used:
            yield Mismatch(f"/{index}", f"nothing uses {roll}", "an outcome, or a roll that replaces it", "FS-AUD-2")


def _recomputed(rules: Rules, rolled: DieRolled, where: str) -> Iterator[Mismatch]:
    """Return the roll recomputed from its faces."""
    arithmetic = rolled.purpose == "FS-TRF-2" and rules.options.turf_formula == "arithmetic"
    table = rolled.row.table if rolled.row else ""
    thrown = Thrown(rolled.roll, rolled.dice, rolled.replaces, rolled.source, rolled.rolled_by, rolled.witnessed_by)
    try:
        again = read_throw(
            thrown,
            rolled.expression,
            rolled.purpose,
            modifiers=rolled.modifiers,
            table=table,
            rows=_tables(rules).get(table, ()),
            member=rolled.member,
            replaces=rolled.replaces,
            arithmetic=arithmetic,
        )
    except (DiceRefused, ValueError) as refused:
        yield Mismatch(where, str(refused), "dice that fit the expression", "FS-AUD-2")
        return
    for field in ("derived", "total", "row"):
        if getattr(again, field) != getattr(rolled, field):
            was, right = _shown(getattr(rolled, field)), _shown(getattr(again, field))
            yield Mismatch(f"{where}/{field}", was, right, "FS-AUD-2")


def _tables(rules: Rules) -> Mapping[str, Sequence[Row]]:
    """Return every dice table by the name used in its rolls."""
    return {
        "injuries": rules.injuries,
        "turfs": rules.turfs,
        "advancement": rules.advancement.rows,
        "scavenging": rules.finds.scavenging,
        "special": rules.finds.special,
        "buildings": rules.finds.buildings,
        "recruits": rules.core.recruits,
        "objectives": rules.objectives,
        **places(rules),
    }


def _is_rolled(rules: Rules, outcome: CampaignEvent) -> bool:
    """Return True if dice decided the event, by its type or members."""
    match outcome:
        case MemberRemoved():
            return outcome.reason == "dead"
        case TurfGained():
            return outcome.clause == "FS-TRF-1"
        case MerchantSought():
            return rules.merchants[outcome.merchant].find > 0
        case ItemGained():
            return outcome.reason == "scavenging"
        case PriceQuoted():
            return bool(outcome.seller) or rules.options.opposed_roll == "per_item"
    entry = (getattr(outcome, "reason", ""), getattr(outcome, "clause", ""))
    return _names_its_roll(type(outcome)) or entry in BY_REASON


@cache
def _names_its_roll(event: type[CampaignEvent]) -> bool:
    """Return True if events of this type must name a roll."""
    return any(field.name in ("roll", "rolls") and field.required for field in fields(event))


def _rolls_of(outcome: CampaignEvent) -> tuple[str, ...]:
    rolls: tuple[str, ...] = getattr(outcome, "rolls", ())
    roll: str = getattr(outcome, "roll", "")
    return (*rolls, *([roll] if roll else []))


def _shown(value: object) -> str:
    return f"{value.table} {value.least} to {value.most}" if isinstance(value, Hit) else str(value)
