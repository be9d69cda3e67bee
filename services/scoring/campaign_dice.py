"""Dice told at the table: confirmed, disputed, ruled on. FS-AUD-1.

Rolls are read in a fixed order, and belong to people who were there. Anyone who saw them confirms or disputes them,
and staff rule.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated

from msgspec.structs import replace

from shared.campaign.dice import RollPurpose, Throw, faults_of_people
from shared.campaign.facts import Deeds, GameReport, SideReport
from shared.campaign.format import confirmer_of, die_status, discarded_dice, reported_dice, reporter_of
from shared.campaign.league import serving_staff
from shared.campaign.state import rules_at
from shared.campaign.table_dice import DiceConfirmed, DiceDisputed, DiceRuled, DieStatus, ReportedDie
from shared.campaign.words import DiceRefused
from shared.log.event import Event
from shared.refusals import Expected, Fault, Refusal, expects
from shared.shapes import Command, Id, Reason, Size
from shared.tournament.guards import By, Context, require_decider, require_running
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament

RollIds = Annotated[list[Id], Size(500, 1)]


class ConfirmDice(Command, frozen=True, kw_only=True):
    """rolls: by id; a player may leave them out, who then confirms all that wait for that player."""

    rolls: Annotated[list[Id], Size(500)] = []


class DisputeDice(Command, frozen=True, kw_only=True):
    """rolls: by id. reason: what is wrong with them."""

    rolls: RollIds
    reason: Reason


class RuleDice(Command, frozen=True, kw_only=True):
    """stands: whether the rolls count as they were told."""

    rolls: RollIds
    reason: Reason
    stands: bool


CLAUSE = "FS-AUD-1"
RULED: tuple[DieStatus, ...] = ("upheld", "rejected")


def confirm(state: Tournament, command: ConfirmDice, context: Context) -> Sequence[Event]:
    """Dice fell as they were told: says whoever was named with them beside the teller, or staff.

    Also a word that was taken back: whoever disputed may confirm after all, until staff rule. Raises DiceRefused,
    NotYourDice.
    """
    require_running(state)
    rolls = command.rolls or _waiting_for(state, context.by)
    if not rolls and context.by.staff:
        fault = Fault("/rolls", "nothing", expects("rolls-to-confirm"), CLAUSE)
        raise DiceRefused("Staff have to name the rolls that they confirm.", [fault])
    dice = _known(state, rolls)
    _need_word(state, dice, context.by, staff=True)
    standings = {die.roll: _standing(state, die) for die in dice}
    _need_open(standings, RULED)
    new = [roll for roll, standing in standings.items() if standing != "confirmed"]
    return [DiceConfirmed(rolls=new)] if new else []


def dispute(state: Tournament, command: DisputeDice, context: Context) -> Sequence[Event]:
    """Dice did not fall as they were told, says whoever was named with them. Raises DiceRefused, NotYourDice."""
    require_running(state)
    dice = _known(state, command.rolls)
    _need_word(state, dice, context.by, staff=False)
    standings = {die.roll: _standing(state, die) for die in dice}
    _need_open(standings, (*RULED, "confirmed"))
    new = [roll for roll, standing in standings.items() if standing != "disputed"]
    return [DiceDisputed(rolls=new, reason=command.reason)] if new else []


def rule(state: Tournament, command: RuleDice, context: Context) -> Sequence[Event]:
    """Rule whether dice stand, also those that a correction took back: ruled out, they are rolled again.

    Raises DiceRefused, NotYourDecision, NotYourDice for their own.
    """
    require_running(state)
    require_decider(state.entries, context.by, "rulings")
    dice = _known(state, command.rolls, discarded_dice(state))
    _need_others(state, dice, context.by)
    right: DieStatus = "upheld" if command.stands else "rejected"
    new = [die.roll for die in dice if _standing(state, die) != right]
    return [DiceRuled(rolls=new, stands=command.stands, reason=command.reason)] if new else []


def _waiting_for(state: Tournament, by: By) -> list[str]:
    return [
        die.roll
        for die in reported_dice(state).values()
        if by.player and confirmer_of(state, die) == by.player and _standing(state, die) == "unconfirmed"
    ]


def _known(state: Tournament, rolls: Sequence[str], more: Mapping[str, ReportedDie] = {}) -> list[ReportedDie]:
    """Return the dice by their ids, each once. more: discarded ones. Raises DiceRefused for rolls that nobody told."""
    known = {**reported_dice(state), **more}
    faults = [
        Fault(f"/rolls/{place}", roll, expects("reported-roll"), CLAUSE)
        for place, roll in enumerate(rolls)
        if roll not in known
    ]
    if faults:
        raise DiceRefused("Nobody has reported these dice.", faults)
    return [known[roll] for roll in dict.fromkeys(rolls)]


def _standing(state: Tournament, die: ReportedDie) -> DieStatus:
    return die_status(state, die, rules_at(state.entries, die.round).options.witness == "confirms")


def _need_word(state: Tournament, dice: Sequence[ReportedDie], by: By, *, staff: bool) -> None:
    """Raise NotYourDice unless the caller is the person whose word is asked for. staff: whether staff may give it."""

    def given(die: ReportedDie) -> bool:
        named = confirmer_of(state, die)
        return (staff and by.staff and not _own(state, die, by)) or (named != "" and named in (by.player, by.actor))

    def expected(die: ReportedDie) -> Expected:
        person, reporter = confirmer_of(state, die), die.reported_by
        if not person:
            return expects("word-of-staff", reporter=reporter) if staff else expects("no-word", reporter=reporter)
        if staff:
            return expects("word-of-person-or-staff", person=person, reporter=reporter)
        return expects("word-of-person", person=person, reporter=reporter)

    _refuse({die.roll: expected(die) for die in dice if not given(die)})


def _need_others(state: Tournament, dice: Sequence[ReportedDie], by: By) -> None:
    """Raise NotYourDice for staff who would rule on their own word."""
    _refuse(
        {die.roll: expects("word-of-other-staff", reporter=die.reported_by) for die in dice if _own(state, die, by)}
    )


def _own(state: Tournament, die: ReportedDie, by: By) -> bool:
    """Whether a die is the word of the member of staff who asks, who plays as well."""
    member = state.entries.staff.get(by.actor)
    return bool(member is not None and member.player and reporter_of(state, die) == member.player)


def _refuse(wrong: Mapping[str, Expected]) -> None:
    """Raise NotYourDice if there are any wrong rolls. wrong: roll -> whose word is expected."""
    faults = [Fault("/rolls", roll, expected, CLAUSE) for roll, expected in wrong.items()]
    if faults:
        raise NotYourDice("Somebody else was named with these dice.", faults)


def _need_open(standings: dict[str, DieStatus], over: Sequence[DieStatus]) -> None:
    faults = [
        Fault("/rolls", roll, expects("ruling-of-staff", standing=standing), CLAUSE)
        for roll, standing in standings.items()
        if standing in over
    ]
    if faults:
        raise DiceRefused("These dice are settled.", faults)


AT = "/facts/report"
"""Where a report stands in a request."""

Rolling = Callable[[Throw, RollPurpose, str], Throw]
"""Something done to a roll; called with it, with what it is for and with its place in the report."""


def with_rolls(report: GameReport, change: Rolling) -> GameReport:
    """Return the report with something done to each roll in it, in a fixed order: the end, then side by side."""
    ends = RollPurpose(report.sides[0].group, "FS-GAM-8")
    end = None if report.end_roll is None else change(report.end_roll, ends, "/end_roll")
    sides = tuple(_rolls_of_side(side, change, f"/sides/{number}") for number, side in enumerate(report.sides))
    return replace(report, end_roll=end, sides=sides)


def need_people(state: Tournament, seat: Seat, report: GameReport) -> None:
    """Raises DiceRefused for rolls by, or before, people who were not there. FS-AUD-1."""
    present = {*seat.players, *serving_staff(state)}
    faults: list[Fault] = []

    def look(roll: Throw, asked: RollPurpose, where: str) -> Throw:
        faults.extend(_people(roll, where, present))
        return roll

    with_rolls(report, look)
    if faults:
        raise DiceRefused("A roll at the table needs a roller and a witness who were there.", faults)


def _rolls_of_side(side: SideReport, change: Rolling, where: str) -> SideReport:
    members = tuple(
        _rolls_of(side.group, deeds, change, f"{where}/members/{index}") for index, deeds in enumerate(side.members)
    )
    searches = tuple(
        replace(
            found,
            roll=change(
                found.roll,
                RollPurpose(side.group, f"search {found.at}", found.member),
                f"{where}/searches/{index}/roll",
            ),
            amount=found.amount
            and change(
                found.amount,
                RollPurpose(side.group, f"search {found.at} amount", found.member),
                f"{where}/searches/{index}/amount",
            ),
        )
        for index, found in enumerate(side.searches)
    )
    freed = tuple(
        replace(
            one, roll=change(one.roll, RollPurpose(side.group, "FS-ENC-1", one.member), f"{where}/freed/{index}/roll")
        )
        for index, one in enumerate(side.freed)
    )
    return replace(side, members=members, searches=searches, freed=freed)


def _rolls_of(group: str, deeds: Deeds, change: Rolling, where: str) -> Deeds:
    doses = tuple(
        replace(dose, roll=change(dose.roll, RollPurpose(group, "FS-ADD-1", dose.item), f"{where}/doses/{index}/roll"))
        for index, dose in enumerate(deeds.doses)
    )
    hurt = RollPurpose(group, "FS-INJ-1", deeds.member)
    injury = None if deeds.injury is None else change(deeds.injury, hurt, f"{where}/injury")
    return replace(deeds, doses=doses, injury=injury)


def _people(roll: Throw, where: str, present: Collection[str]) -> list[Fault]:
    found = faults_of_people(roll, present)
    return [replace(fault, where=AT + where + fault.where.removeprefix("/roll")) for fault in found]


class NotYourDice(Refusal):
    """Dice are confirmed or disputed by whoever was named with them beside the teller, or by staff."""

    code = "not-your-dice"
