"""Golden samples of recorded commands, taken from evenings that issue every command.

`python -m tests.events.command_samples` writes missing samples and never changes existing ones: commands of older
releases must stay readable. `<service>.<command>.v<version>.json` contains the record of a command, its events if the
record depends on them, and the command as it is read today.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from muster.audit.decisions import TABLES
from services.pairing.calls import AnswerCall, CallJudge, TakeCall, WithdrawCall
from services.pairing.publication import CancelPublication, PublishDueRound
from services.pairing.swiss_bracket import FollowBracket
from services.pairing.swiss_cut import CancelCutPublication, MakeCut, PublishDueCut
from services.registration.swiss_rosters import DropAbsentPlayer
from services.scoring.campaign_choice_lists import ChooseSeveral, OneChoice
from services.scoring.rounds import CancelStandingsPublication, PublishDueStandings
from shared.campaign.outcomes import StepClosed
from shared.formats.fold import CATALOGUE
from shared.log.command_record import begins_command, encode_record, public_values, read_command, read_record
from shared.log.event import GENESIS, Recorded, canonical_json
from shared.log.reading import heads_of_source, whole_log
from shared.service.handlers import Handler
from shared.tournament.draws import BeaconRead, DrawsCommitted
from shared.tournament.guards import By, KeepDraws, ReadBeacon, by_rule
from shared.tournament.registration import PlayerDropped
from shared.tournament.results import StandingsRecorded
from shared.tournament.rounds import CutMade, PairingAmended, PairingsDrawn, RoundPaired, Seat
from tests.acting import acting, actor_of
from tests.formats.stories import STORIES

SAMPLES = Path(__file__).parent / "commands"
LONGEST = 3_000
"""Characters of a sample: the richest that is shorter is taken, or the shortest of all."""

SAM = acting("Sam")
SEAT = Seat(game="r1g1", kind="game", player_1="p1", player_2="p2")
PAIRED = RoundPaired(round=1, stage="swiss", method="random", games=1)
CUT = CutMade(after_round=1, seeds=["p1", "p2"], made_from=4)

NOT_PLAYED = (
    *(
        (service, by_rule(""), KeepDraws(), DrawsCommitted(number=1, digest="ab" * 32))
        for service in ("registration", "pairing", "scoring")
    ),
    *(
        (service, by_rule(""), ReadBeacon(number=1, signature="ab" * 48), BeaconRead(number=1, signature="ab" * 48))
        for service in ("registration", "pairing", "scoring")
    ),
    (
        "registration",
        by_rule("AR-AMB-18", "t-1.scoring.9"),
        DropAbsentPlayer(player="p2"),
        PlayerDropped(player="p2", after_round=2, reason="no_show"),
    ),
    (
        "pairing",
        by_rule(""),
        PublishDueRound(round=1, at="2026-03-07T12:00:00.000Z", set_by=SAM, paired=PAIRED, pairings=[SEAT]),
        PairingsDrawn(round=1, page=1, pages=1, pairings=[SEAT]),
    ),
    (
        "pairing",
        by_rule("DW-CUT-1", "t-1.scoring.9"),
        FollowBracket(round=4),
        PairingAmended(
            round=4,
            pairings=[Seat(game="r4g1-2", kind="game", player_1="p1", player_2="p3")],
            reason="another player goes on",
            removed=["r4g1"],
        ),
    ),
    (
        "pairing",
        by_rule(""),
        PublishDueCut(at="2026-03-07T12:00:00.000Z", set_by=SAM, made=CUT),
        CUT,
    ),
    ("pairing", By("organiser", "organiser", token="t-1.organiser"), MakeCut(places=2), CUT),
    (
        "scoring",
        By("p1", "player", token="t-1.p1.1"),
        ChooseSeveral(group="p1", choices=[OneChoice(does="close_step", of={"step": "6"}, leave=True)]),
        StepClosed("6", "7", group="p1", round=1, cause="close_step"),
    ),
    (
        "scoring",
        by_rule(""),
        PublishDueStandings(at="2026-03-07T12:00:00.000Z", set_by=SAM),
        StandingsRecorded(round=1, page=1, pages=1, rows=[]),
    ),
)
"""Commands that append nothing in the evenings below, with the event that follows."""

WITHOUT_EVENTS = {
    CallJudge,
    TakeCall,
    AnswerCall,
    WithdrawCall,
    CancelPublication,
    CancelCutPublication,
    CancelStandingsPublication,
}
"""Commands that only write private rows."""

NO_EVENT = {"type": "", "version": 1, "data": {}}
"""In the place of an event that a sample says nothing of."""

Key = tuple[str, str, int]
"""The service, the name of a command and the version of its shape."""


def kind_of(service: str, name: str) -> tuple[type, Handler]:
    """Return a command's type and handler by its name."""
    return next((kind, row) for kind, row in TABLES[service].items() if kind.__name__ == name)


def every_version() -> Iterator[Key]:
    """Yield every version of every command that any release has written."""
    for service, handlers in TABLES.items():
        for kind, row in handlers.items():
            if kind in WITHOUT_EVENTS:
                continue
            for version in range(1, row.form.version + 1):
                yield service, kind.__name__, version


def file_of(key: Key) -> Path:
    """Return the path of a sample."""
    service, name, version = key
    return SAMPLES / f"{service}.{name}.v{version}.json"


def recorded(service: str, event: Mapping[str, Any], record: Mapping[str, Any] | None = None) -> Recorded:
    """Return an event of a sample as stored. `record`: record of its command, on the first event."""
    return Recorded(
        source=service,
        tournament="t-1",
        position=1,
        id=f"t-1.{service}.1",
        type=event["type"],
        version=event["version"],
        time="2026-03-01T10:00:00.000Z",
        actor=actor_of("p1"),
        command_id="k~0123456789abcdef",
        seen="{}",
        data=canonical_json(event["data"]),
        prev_hash=GENESIS,
        hash=GENESIS,
        command=canonical_json(record) if record else "",
    )


def read_sample(key: Key) -> tuple[Any, list[Recorded], dict[str, Any]]:
    """Return the command of a sample as read today, its events, and the expected command."""
    service, name, _ = key
    sample = json.loads(file_of(key).read_text())
    first, *others = sample.get("events") or [NO_EVENT]
    events = [recorded(service, first, sample["record"]), *(recorded(service, event) for event in others)]
    kind, row = kind_of(service, name)
    return read_command(read_record(events[0]), kind, row.form, events), events, sample["reads_as"]


def _sample(service: str, events: list[Recorded]) -> tuple[Key, str]:
    plain = json.loads(events[0].command)
    if isinstance(ruleset := plain["data"].get("ruleset"), dict):
        plain["data"]["ruleset"] = {name: ruleset[name] for name in ("id", "version", "name", "format")}
    events = [msgspec.structs.replace(events[0], command=canonical_json(plain)), *events[1:]]
    record = read_record(events[0])
    kind, row = kind_of(service, record.type)
    sample: dict[str, Any] = {"record": plain}
    if row.form.open_part:
        sample["events"] = [
            {"type": event.type, "version": event.version, "data": json.loads(event.data)} for event in events
        ]
    sample["reads_as"] = public_values(read_command(record, kind, row.form, events))
    return (service, record.type, record.version), json.dumps(sample, indent=1, ensure_ascii=False) + "\n"


def _given() -> Iterator[tuple[Key, str]]:
    """Yield every command of every evening as a sample."""
    from tests.previews.evenings import EVENINGS
    from tests.previews.previewing import Previewing

    with tempfile.TemporaryDirectory() as folder:
        muster = Previewing(Path(folder))
        for evening in (*(STORIES[format] for format in ("swiss", "campaign", "coop", "season")), *EVENINGS.values()):
            evening(muster)
        for service, database in muster.databases.items():
            with database.reading() as connection:
                for tournament in heads_of_source(connection, service):
                    log = whole_log(connection, service, tournament)
                    number = 0
                    starts = [number := number + begins_command(event) for event in log]
                    for _, pairs in groupby(zip(starts, log, strict=True), key=lambda pair: pair[0]):
                        yield _sample(service, [event for _, event in pairs])
    for service, by, command, event in NOT_PLAYED:
        name, data = type(event).__name__, msgspec.to_builtins(event)
        form = kind_of(service, type(command).__name__)[1].form
        record = json.loads(encode_record(command, by.authority, form, [data]))
        event_data = {"type": name, "version": CATALOGUE[name].version, "data": data}
        yield _sample(service, [recorded(service, event_data, record)])


def write_missing() -> None:
    """Write a sample of each version of each command that has none."""
    missing = {key for key in every_version() if not file_of(key).exists()}
    found: dict[Key, list[str]] = {}
    for key, text in _given():
        if key in missing:
            found.setdefault(key, []).append(text)
    for key, texts in found.items():
        short = [text for text in texts if len(text) <= LONGEST]
        file_of(key).write_text(max(short, key=len) if short else min(texts, key=len))
    print(f"{len(found)} written, {len(missing - found.keys())} missing: {sorted(missing - found.keys())}")


if __name__ == "__main__":
    write_missing()
