"""The rolls in a report of a campaign's game: gone through in a fixed order, and by people who were there. FS-AUD-1."""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec.structs import replace

from shared.formats.campaign.league import staff_here
from shared.formats.campaign.rules.dice import Thrown, faults_of_people
from shared.formats.campaign.rules.refusals import DiceRefused
from shared.formats.campaign.rules.reported import Deeds, GameReport, SideReport
from shared.refusals import Fault
from shared.tournament.events.pairing import Seat
from shared.tournament.state import Tournament

AT = "/facts/report"
"""Where a report stands in a request."""

Rolling = Callable[[Thrown, str], Thrown]
"""Something done to a roll; called with it and with its place in the report."""


def with_rolls(report: GameReport, change: Rolling) -> GameReport:
    """The report with something done to each roll in it, in a fixed order: the end, then side by side."""
    end = None if report.end_roll is None else change(report.end_roll, "/end_roll")
    sides = tuple(_rolls_of_side(side, change, f"/sides/{number}") for number, side in enumerate(report.sides))
    return replace(report, end_roll=end, sides=sides)


def need_people(state: Tournament, seat: Seat, report: GameReport) -> None:
    """Raises DiceRefused for rolls by, or before, people who were not there. FS-AUD-1."""
    present = {*seat.players, *staff_here(state)}
    faults: list[Fault] = []

    def look(roll: Thrown, where: str) -> Thrown:
        faults.extend(_people(roll, where, present))
        return roll

    with_rolls(report, look)
    if faults:
        raise DiceRefused("A roll at the table needs a roller and a witness who were there.", faults)


def _rolls_of_side(side: SideReport, change: Rolling, where: str) -> SideReport:
    members = tuple(_rolls_of(deeds, change, f"{where}/members/{index}") for index, deeds in enumerate(side.members))
    searches = tuple(
        replace(
            found,
            roll=change(found.roll, f"{where}/searches/{index}/roll"),
            amount=found.amount and change(found.amount, f"{where}/searches/{index}/amount"),
        )
        for index, found in enumerate(side.searches)
    )
    freed = tuple(
        replace(one, roll=change(one.roll, f"{where}/freed/{index}/roll")) for index, one in enumerate(side.freed)
    )
    return replace(side, members=members, searches=searches, freed=freed)


def _rolls_of(deeds: Deeds, change: Rolling, where: str) -> Deeds:
    doses = tuple(
        replace(dose, roll=change(dose.roll, f"{where}/doses/{index}/roll")) for index, dose in enumerate(deeds.doses)
    )
    injury = None if deeds.injury is None else change(deeds.injury, f"{where}/injury")
    return replace(deeds, doses=doses, injury=injury)


def _people(roll: Thrown, where: str, present: Collection[str]) -> list[Fault]:
    found = faults_of_people(roll, present)
    return [replace(fault, where=AT + where + fault.where.removeprefix("/roll")) for fault in found]
