"""Dice reported from the table: confirm, dispute, rule. FS-AUD-1.

Each roll names a roller and a witness who were present. The named witness confirms or disputes it, and staff rule.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated

from msgspec.structs import replace

from shared.campaign.dice import RollPurpose, Thrown, faults_of_people
from shared.campaign.facts import Deeds, GameReport, SideReport
from shared.campaign.format import confirmer_of, die_status, reported_dice, reporter_of
from shared.campaign.league import serving_staff
from shared.campaign.state import CAMPAIGN, rules_at
from shared.campaign.table_dice import DiceConfirmed, DiceDisputed, DieStatus, ReportedDie
from shared.campaign.words import DiceRefused
from shared.log.event import Event
from shared.refusals import Expected, Fault, Refusal, expects
from shared.shapes import Command, Id, Reason, Size
from shared.tournament.guards import By, Context, require_running
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament

RollIds = Annotated[list[Id], Size(500, 1)]


class ConfirmDice(Command, frozen=True, kw_only=True):
    """Confirm reported dice.

    rolls: ids of rolls. Empty: all rolls that wait for the calling player; staff must list them.
    """

    rolls: Annotated[list[Id], Size(500)] = []


class DisputeDice(Command, frozen=True, kw_only=True):
    """Dispute reported dice. rolls: ids of rolls. reason: public."""

    rolls: RollIds
    reason: Reason


_CLAUSE = "FS-AUD-1"
_RULED: tuple[DieStatus, ...] = ("upheld", "rejected")
_WAITING: tuple[DieStatus, ...] = ("unconfirmed", "reported_by_staff")


def confirm(state: Tournament, command: ConfirmDice, context: Context) -> Sequence[Event]:
    """Decide ConfirmDice: by the other person named with the dice, or by staff.

    A person who disputed dice may still confirm them until staff rule. Raises DiceRefused, NotYourDice.
    """
    require_running(state)
    rolls = command.rolls or _waiting_for(state, context.by)
    if not rolls and context.by.staff:
        fault = Fault("/rolls", "nothing", expects("rolls-to-confirm"), _CLAUSE)
        raise DiceRefused("Staff have to name the rolls that they confirm.", [fault])
    dice = known_dice(state, rolls)
    _require_confirmer(state, dice, context.by, staff=True)
    standings = {die.roll: dice_standing(state, die) for die in dice}
    _require_unsettled(standings, _RULED)
    new = [roll for roll, standing in standings.items() if standing != "confirmed"]
    return [DiceConfirmed(rolls=new)] if new else []


def dispute(state: Tournament, command: DisputeDice, context: Context) -> Sequence[Event]:
    """Decide DisputeDice: by the other person named with the dice, whoever reported or confirmed them meanwhile.

    Raises DiceRefused (ruled on, or confirmed by this person), NotYourDice.
    """
    require_running(state)
    dice = known_dice(state, command.rolls)
    _require_confirmer(state, dice, context.by, staff=False)
    standings = {die.roll: dice_standing(state, die) for die in dice}
    confirmed_by, own = CAMPAIGN.of(state).dice_confirmed_by, (context.by.player, context.by.actor)
    spoken = {roll: standing for roll, standing in standings.items() if confirmed_by.get(roll) in own}
    _require_unsettled({**standings, **spoken}, _RULED)
    _require_unsettled(spoken, ("confirmed",))
    new = [roll for roll, standing in standings.items() if standing != "disputed"]
    return [DiceDisputed(rolls=new, reason=command.reason)] if new else []


def _waiting_for(state: Tournament, by: By) -> list[str]:
    return [
        die.roll
        for die in reported_dice(state).values()
        if by.player and confirmer_of(state, die) == by.player and dice_standing(state, die) in _WAITING
    ]


def known_dice(state: Tournament, rolls: Sequence[str], further: Mapping[str, ReportedDie] = {}) -> list[ReportedDie]:
    """Return the dice by their ids, each once. further: other known dice. Raises DiceRefused for unknown rolls."""
    dice = {**reported_dice(state), **further}
    faults = [
        Fault(f"/rolls/{place}", roll, expects("reported-roll"), _CLAUSE)
        for place, roll in enumerate(rolls)
        if roll not in dice
    ]
    if faults:
        raise DiceRefused("Nobody has reported these dice.", faults)
    return [dice[roll] for roll in dict.fromkeys(rolls)]


def dice_standing(state: Tournament, die: ReportedDie) -> DieStatus:
    return die_status(state, die, rules_at(state.entries, die.round).options.witness == "confirms")


def _require_confirmer(state: Tournament, dice: Sequence[ReportedDie], by: By, *, staff: bool) -> None:
    """Raise NotYourDice unless the caller may confirm or dispute the dice. staff: staff may, too."""

    def may_decide(die: ReportedDie) -> bool:
        named = confirmer_of(state, die)
        is_second = die.reported_by != by.actor and not _is_own_report(state, die, by)
        return (staff and by.staff and is_second) or (named != "" and named in (by.player, by.actor))

    def expected(die: ReportedDie) -> Expected:
        person, reporter = confirmer_of(state, die), die.reported_by
        if not person:
            return expects("word-of-staff", reporter=reporter) if staff else expects("no-word", reporter=reporter)
        if staff:
            return expects("word-of-person-or-staff", person=person, reporter=reporter)
        return expects("word-of-person", person=person, reporter=reporter)

    _refuse({die.roll: expected(die) for die in dice if not may_decide(die)})


def require_other_reporter(state: Tournament, dice: Sequence[ReportedDie], by: By) -> None:
    """Raise NotYourDice if the caller reported any of the dice as a player."""
    _refuse(
        {
            die.roll: expects("word-of-other-staff", reporter=die.reported_by)
            for die in dice
            if _is_own_report(state, die, by)
        }
    )


def _is_own_report(state: Tournament, die: ReportedDie, by: By) -> bool:
    """Return True if the calling member of staff also plays and reported the die."""
    member = state.entries.staff.get(by.actor)
    return bool(member is not None and member.player and reporter_of(state, die) == member.player)


def _refuse(wrong: Mapping[str, Expected]) -> None:
    """Raise NotYourDice if there are refused rolls. wrong: roll -> the person who may decide."""
    faults = [Fault("/rolls", roll, expected, _CLAUSE) for roll, expected in wrong.items()]
    if faults:
        raise NotYourDice("Another witness was named for these dice.", faults)


def _require_unsettled(standings: dict[str, DieStatus], over: Sequence[DieStatus]) -> None:
    faults = [
        Fault("/rolls", roll, expects("ruling-of-staff", standing=standing), _CLAUSE)
        for roll, standing in standings.items()
        if standing in over
    ]
    if faults:
        raise DiceRefused("These dice are settled.", faults)


AT = "/facts/report"
"""The place of a report in a request."""

Rolling = Callable[[Thrown, RollPurpose, str], Thrown]
"""Function from (roll, purpose, place in the report) to a replaced roll."""


def with_rolls(report: GameReport, change: Rolling) -> GameReport:
    """Return the report with every roll replaced by `change`, in a fixed order: the end of the game, then each side."""
    ends = RollPurpose(report.sides[0].group, "FS-GAM-8")
    end = None if report.end_roll is None else change(report.end_roll, ends, "/end_roll")
    sides = tuple(_rolls_of_side(side, change, f"/sides/{number}") for number, side in enumerate(report.sides))
    return replace(report, end_roll=end, sides=sides)


def require_present_people(state: Tournament, seat: Seat, report: GameReport) -> None:
    """Raise DiceRefused if a roller or witness was not present (FS-AUD-1)."""
    present = {*seat.players, *serving_staff(state)}
    faults: list[Fault] = []

    def check(roll: Thrown, purpose: RollPurpose, where: str) -> Thrown:
        faults.extend(_people_faults(roll, where, present))
        return roll

    with_rolls(report, check)
    if faults:
        raise DiceRefused("A roll at the table needs a roller and a witness who were there.", faults)


def _rolls_of_side(side: SideReport, change: Rolling, where: str) -> SideReport:
    members = tuple(
        _rolls_of(side.group, deeds, change, f"{where}/members/{index}") for index, deeds in enumerate(side.members)
    )
    searches = tuple(
        replace(
            search,
            roll=change(
                search.roll,
                RollPurpose(side.group, f"search {search.at}", search.member),
                f"{where}/searches/{index}/roll",
            ),
            amount=search.amount
            and change(
                search.amount,
                RollPurpose(side.group, f"search {search.at} amount", search.member),
                f"{where}/searches/{index}/amount",
            ),
        )
        for index, search in enumerate(side.searches)
    )
    freed = tuple(
        replace(
            slave,
            roll=change(slave.roll, RollPurpose(side.group, "FS-ENC-1", slave.member), f"{where}/freed/{index}/roll"),
        )
        for index, slave in enumerate(side.freed)
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


def _people_faults(roll: Thrown, where: str, present: Collection[str]) -> list[Fault]:
    faults = faults_of_people(roll, present)
    return [replace(fault, where=AT + where + fault.where.removeprefix("/roll")) for fault in faults]


class NotYourDice(Refusal):
    """The caller may not confirm, dispute or rule on these dice."""

    code = "not-your-dice"
