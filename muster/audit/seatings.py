"""What an operator entered, and who sits together at a co-operative event, looked at and drawn again."""

from __future__ import annotations

from muster.audit.findings import Findings
from muster.audit.misfit import misfit
from muster.audit.replay import DecodedEvent, Logs, as_seen
from shared.events.recorded import GENESIS
from shared.formats.coop.entries import COOP
from shared.formats.coop.pairing_events import SessionRoundOpened, TableSeated
from shared.formats.coop.registration_events import OperatorDataPinned
from shared.formats.coop.rules.data import read_data
from shared.formats.coop.seats import seats_of
from shared.refusals import Refusal


def audit_data(logs: Logs, findings: Findings) -> None:
    """What the operator entered holds together, and made-up data stand in rehearsals alone. AB-OPS-1, AB-OPS-2."""
    for heard, state in as_seen(logs, "registration"):
        event = heard.event
        if not isinstance(event, OperatorDataPinned):
            continue
        due = len(COOP.of(state).data) + 1
        if event.version != due:
            findings.fail("data", heard, f"version {event.version}", f"version {due}")
        try:
            found = read_data(event.data)
        except Refusal as refusal:
            findings.fail("data", heard, refusal.detail, "data that a table can be played by")
            continue
        if found.placeholder and not state.entries.rehearsal:
            findings.fail("data", heard, "made-up data in an event that counts", "data of the game (AB-OPS-2)")


def audit_seatings(logs: Logs, findings: Findings) -> None:
    """Who sits together, drawn again. AB-SVC-2."""
    due: list[list[str]] = []
    command, seed = "", GENESIS
    for heard, state in as_seen(logs, "pairing"):
        if heard.command_id != command:
            command, seed = heard.command_id, _seed(heard, logs)
        event = heard.event
        if isinstance(event, SessionRoundOpened):
            due = []
            if event.method == "manual":
                findings.counts["by hand"] += 1
                continue
            if event.seed != seed:
                findings.fail("seed", heard, f"seed {event.seed}", f"{seed}, the hash before this command")
            try:
                places = seats_of(state, event.round, event.seed)
            except Exception as error:  # data that nobody can be seated by
                findings.fail("seating", heard, misfit(error, event), "a round that can be seated")
                continue
            due = [survivors for _, survivors in places.tables]
            findings.counts["seatings"] += 1
            if (event.tables, event.waiting) != (len(due), places.waiting):
                told = f"{event.tables} tables, {', '.join(event.waiting) or 'nobody'} waiting"
                right = f"{len(due)} tables, {', '.join(places.waiting) or 'nobody'} waiting"
                findings.fail("seating", heard, told, right)
        elif isinstance(event, TableSeated) and due:
            right_ones = due.pop(0)
            if event.survivors != right_ones:
                findings.fail("seating", heard, ", ".join(event.survivors), ", ".join(right_ones))


def _seed(heard: DecodedEvent, logs: Logs) -> str:
    """The hash of what pairing's log held when a command was decided; of registration's while it held nothing."""
    if heard.position > 1:
        return heard.prev_hash
    seen = heard.seen.get("registration", 0)
    return next((one.hash for one in logs.get("registration", ()) if one.position == seen), GENESIS)
