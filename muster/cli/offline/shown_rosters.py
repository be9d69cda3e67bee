"""Rosters as registration shows them, held against the log: every part that is hidden there by its digest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from muster.audit.findings import Findings
from muster.audit.logs import heard_log
from muster.cli.offline.input_files import NotText, read_text
from shared.events.canonical import NotCanonical
from shared.events.recorded import Hidden, Recorded
from shared.formats.swiss.rules.openness import seal
from shared.refusals import Fault
from shared.tournament.events.registration import RosterSubmitted

ANSWER = "an answer of GET /tournaments/{id}/players/{player}/roster, as JSON"


class Part(Struct):
    """A part that the log has a digest of. salt: empty while the part is not shown."""

    field: str
    salt: str = ""


class ShownRoster(Struct):
    """What registration says of a player's roster, as far as it is looked at."""

    player: str
    roster: dict[str, Any]
    sealed: list[Part]


class Submission(Struct, frozen=True):
    """The roster that a player handed in last. where: its place in the log."""

    event: RosterSubmitted
    where: str


class Compared(Struct):
    """held: a line for each file whose hidden parts are those of the log. failures: what is not."""

    held: list[str] = []
    failures: list[Fault] = []


def read_view(paths: Sequence[str], faults: list[Fault]) -> dict[str, ShownRoster]:
    """File -> the answer in it. What is none, or shows no hidden part, goes into `faults`."""
    found = {}
    for path in paths:
        try:
            shown = msgspec.json.decode(read_text(path), type=ShownRoster)
        except NotText as refusal:
            faults += refusal.faults
        except (msgspec.DecodeError, RecursionError):
            faults.append(Fault(path, "is not an answer of a service about a roster", ANSWER))
        else:
            if any(part.salt for part in shown.sealed):
                found[path] = shown
            else:
                expected = "a hidden part, asked for by somebody who may see it, or once everybody may"
                faults.append(Fault(path, "no part with its salt", expected))
    return found


def submitted_last(log: Sequence[Recorded | Hidden]) -> dict[str, Submission]:
    """Player -> the roster handed in last, by registration's log."""
    return {
        heard.event.player: Submission(heard.event, f"{heard.source} {heard.position}")
        for heard in heard_log(log, Findings())
        if isinstance(heard.event, RosterSubmitted)
    }


def faults_of_players(shown: Mapping[str, ShownRoster], last: Mapping[str, Submission]) -> Iterator[Fault]:
    """Rosters of players who handed in none."""
    for path, one in shown.items():
        if one.player not in last:
            yield Fault(path, f"a roster of {one.player}, who handed none in", "one of this tournament")


def compare(shown: Mapping[str, ShownRoster], last: Mapping[str, Submission]) -> Compared:
    """Hold every part that is shown against the log. Source: AR-TIME-6."""
    found = Compared()
    for path, one in shown.items():
        handed_in = last[one.player]
        wrong = list(_differences(path, one, handed_in))
        found.failures += wrong
        if not wrong:
            fields = ", ".join(part.field for part in one.sealed if part.salt)
            found.held.append(f"{path}: {fields} of {one.player} as handed in ({handed_in.where})")
    return found


def _differences(path: str, shown: ShownRoster, last: Submission) -> Iterator[Fault]:
    parts = {part.field: part.salt for part in shown.sealed}
    for field, salt in parts.items():
        if salt:
            digest, right = _digest(salt, field, shown.roster.get(field)), last.event.sealed.get(field, "no digest")
            if digest != right:
                yield _differs(path, field, shown, f"digest {digest}", right, last)
    for field, value in shown.roster.items():
        if field not in parts and value != last.event.roster.get(field):
            right = _as_json(last.event.roster[field]) if field in last.event.roster else "nothing"
            yield _differs(path, field, shown, _as_json(value), right, last)


def _differs(path: str, field: str, shown: ShownRoster, said: str, right: str, last: Submission) -> Fault:
    return Fault(path, f"{field} of {shown.player}: {said}", f"{right}, as handed in ({last.where})")


def _digest(salt: str, field: str, value: Any) -> str:
    try:
        return seal(salt, field, value)
    except NotCanonical as error:
        return f"of nothing that a log holds ({error})"


def _as_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()[:200]
