"""Decisions about a campaign as a whole: rounds closed, standings recorded anew, the end. FS-RND-1, FS-LGE-3."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.scoring.campaign.round_decision import RoundDecision, round_closed
from services.scoring.tournament.commands import CloseRound, Conclude
from services.scoring.tournament.refusals import GroupsWaiting, RoundNotClosed, RoundsRemain
from services.scoring.tournament.rounds import concluded, standings_pages
from services.scoring.tournament.state import round_of, running
from shared.campaign.league import as_rows, table_after, waiting
from shared.campaign.state import campaign_of
from shared.log.event import Event
from shared.tournament.format import first_of
from shared.tournament.guards import Context
from shared.tournament.results import Result, ResultCorrected
from shared.tournament.state import Tournament


def close(state: Tournament, command: CloseRound, context: Context) -> Sequence[Event]:
    """Close a round in which nobody is waited for any more, as after a withdrawal; else it closes by itself. FS-RND-1.

    Raises GroupsWaiting with the groups whose step 9 is open, or whose game lacks its result.
    """
    round = round_of(running(state), command.round)
    if round.number in state.results.closed:
        return []
    builder = RoundDecision(state, context, "close")
    after = builder.after()
    left = waiting(after, round.number)
    if left:
        raise GroupsWaiting(
            f"Round {round.number} is not over; groups that are not done: {len(left)}.", groups=left, clause="FS-RND-1"
        )
    return [*builder.said, *round_closed(after, round.number)]


def rerecorded(state: Tournament, corrected: ResultCorrected, context: Context) -> list[Event]:
    """The tables of every closed round from the corrected one on, anew; and the winner, if it is another now."""
    closed = [number for number in sorted(state.results.closed) if number >= corrected.round]
    if not closed:
        return []
    results = {
        **state.results.results,
        corrected.game: Result(corrected.round, corrected.game, corrected.facts, "corrected"),
    }
    after = replace(state, results=replace(state.results, results=results))
    rows = {number: as_rows(table_after(after, number)) for number in closed}
    events = [event for number in closed for event in standings_pages(rows[number], number)]
    if state.results.concluded:
        first = first_of(rows[closed[-1]])
        if state.results.winner not in (first or [""]):
            events.append(concluded(first, closed[-1], context.draws, state.results.early))
    return events


def conclude(state: Tournament, command: Conclude, context: Context) -> Sequence[Event]:
    """The last table stands, after `fs.campaign.rounds` rounds or early with a reason. FS-LGE-3, FS-AMB-59."""
    if state.results.concluded:
        return []
    running(state)
    latest = state.rounds.latest()
    if latest is None or latest.number not in state.results.closed:
        number = latest.number if latest else 1
        raise RoundNotClosed(f"Round {number} is not closed.", round=number)
    planned = campaign_of(state.entries, latest.number).options.rounds
    early = latest.number < planned
    if early and not command.reason:
        raise RoundsRemain(
            f"{latest.number} of {planned} rounds are closed; say in `reason` why it ends here.",
            planned=planned,
            closed=latest.number,
        )
    rows = as_rows(table_after(state, latest.number))
    same = state.results.recorded[latest.number].rows == rows
    anew = [] if same else standings_pages(rows, latest.number)
    return [*anew, concluded(first_of(rows), latest.number, context.draws, command.reason if early else "")]
