"""`muster verify`: every byte of an exported log counts, and every fault is told with its place."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as some

from muster.audit.findings import Findings
from muster.audit.logs import CLOCK_ERROR, audit
from muster.cli.main import main
from muster.cli.verify import LogFile
from shared.log.cloudevents import NotAnEvent, from_wire, to_wire
from shared.log.event import Recorded, canonical_json
from tests.examples import examples
from tests.programs import run_program
from tests.state.logs import Club, armada_night, rechained
from tests.state.lost import closed_up, python_in, read, unnoticed, without_each

NIGHT = armada_night().file()
SMALL = Club("Ana", "Ben")
SMALL.play_round()
FEW = SMALL.file()


@pytest.fixture
def verify(tmp_path: Path):
    """Call `muster verify` on a file of these bytes."""

    def call(content: bytes, *options: str) -> Result:
        file = tmp_path / "log.jsonl"
        file.write_bytes(content)
        return CliRunner().invoke(main, ["verify", *options, str(file)])

    return call


def lines_of(*logs: Sequence[Recorded]) -> bytes:
    return b"".join(to_wire(event) + b"\n" for log in logs for event in log)


def without_ruleset(content: bytes) -> bytes:
    """The ruleset of the first event is long, and no different from any other data."""
    return content[content.index(b"\n") + 1 :]


def seen_through(content: bytes) -> bool:
    """Whether form and chain alone tell that a file is not the one it was made from."""
    findings = Findings()
    log = LogFile(findings)
    try:
        for line in content.split(b"\n"):
            if line.strip():
                log.add(line)
    except NotAnEvent:
        return True
    log.settle()
    return bool(findings.failures)


def test_what_holds(verify):
    told = verify(NIGHT)
    assert told.exit_code == 0
    assert told.stderr == ""
    held = "t-club: OK, 53 events, 26 commands re-decided"
    draws = "6 draws checked with revealed secrets"
    late = "2 draws by a secret that was committed to only when it was used"
    assert told.stdout == f"{held} ({draws}; {late})\n"


def test_heads_are_printed_on_request(verify):
    first, *more = verify(NIGHT, "--heads").stdout.splitlines()
    assert ": OK, " in first
    heads = {line.split()[0]: line.split()[-1] for line in more}
    events = [from_wire(line) for line in NIGHT.splitlines()]
    assert heads == {event.source: event.hash for event in events}


def test_byte_order_mark_crlf_blank_lines_no_last_line_end_and_any_order_of_logs(verify):
    assert verify(b"\xef\xbb\xbf" + NIGHT).exit_code == 0
    assert verify(NIGHT.replace(b"\n", b"\r\n")).exit_code == 0
    assert verify(b"\n  \n" + NIGHT.replace(b"\n", b"\n\n")).exit_code == 0
    assert verify(NIGHT.rstrip(b"\n")).exit_code == 0
    lines = NIGHT.splitlines(keepends=True)
    by_time = sorted(lines, key=lambda line: from_wire(bytes(line)).time)
    assert verify(b"".join(by_time)).exit_code == 0
    assert verify(b"".join(reversed([b"".join(lines[:7]), b"".join(lines[7:])]))).exit_code == 0


def test_white_space_between_attributes_means_nothing(verify):
    spaced = b"\n".join(
        line.replace(b'"type":', b' "type" : ', 1).replace(b',"data":', b' , "data": ', 1)
        for line in NIGHT.splitlines()
    )
    assert verify(spaced).exit_code == 0


def test_it_reads_standard_input():
    told = CliRunner().invoke(main, ["verify", "-"], input=NIGHT)
    assert told.exit_code == 0


@pytest.mark.parametrize(
    ("before", "huge"),
    [
        (r'"position":\d+', f'"position":{10**30}'),
        (r'"schemaversion":\d+', f'"schemaversion":-{10**30}'),
        (r'\\"pairing\\":\d+', f'\\\\"pairing\\\\":{10**30}'),
    ],
)
def test_a_number_too_large_for_readers_is_reported(verify, before, huge):
    mangled, times = re.subn(before, huge, NIGHT.decode(), count=1)
    assert times == 1
    told = verify(mangled.encode())
    assert told.exit_code in (1, 2)
    assert isinstance(told.exception, SystemExit)
    assert told.stderr


@pytest.mark.parametrize("bit", [1, 2, 8, 32])
def test_every_single_byte_counts(bit):
    """One bit of each byte in turn; the last line end is left out, for any white space may stand there."""
    content = without_ruleset(FEW).rstrip(b"\n")
    unseen = []
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= bit
        if not seen_through(bytes(changed)):
            unseen.append(place)
    assert unseen == []


@settings(max_examples=examples(300))
@given(some.data())
def test_any_byte_becoming_any_other(data):
    place = data.draw(some.integers(0, len(NIGHT) - 1))
    byte = data.draw(some.integers(0, 255).filter(lambda byte: byte != NIGHT[place]))
    changed = NIGHT[:place] + bytes([byte]) + NIGHT[place + 1 :]
    if not seen_through(changed):
        same = [from_wire(line) for line in changed.splitlines() if line.strip()]
        assert same == [from_wire(line) for line in NIGHT.splitlines()]


@settings(max_examples=examples(100))
@given(some.data())
def test_lines_lost_doubled_or_moved(data):
    lines = NIGHT.splitlines(keepends=True)
    one = data.draw(some.integers(0, len(lines) - 1))
    two = data.draw(some.integers(0, len(lines) - 1))
    doing = data.draw(some.sampled_from(["lose", "double", "swap"]))
    changed = list(lines)
    if doing == "lose":
        del changed[one]
    elif doing == "double":
        changed.insert(two, lines[one])
    else:
        changed[one], changed[two] = lines[two], lines[one]
    told = CliRunner().invoke(main, ["verify", "-"], input=b"".join(changed))
    orders: list[dict[str, list[int]]] = [{}, {}]
    for order, file in zip(orders, (lines, changed), strict=True):
        for line in file:
            event = from_wire(line)
            order.setdefault(event.source, []).append(event.position)
    lost_at_the_end = doing == "lose" and one == len(lines) - 1  # a log's own last event, which nobody had seen
    assert told.exit_code == (0 if orders[0] == orders[1] or lost_at_the_end else 1)
    assert bool(told.stderr) == (told.exit_code == 1)


def test_a_fault_names_log_position_id_found_and_expected(verify):
    content = NIGHT.replace(b'"name":"Ben"', b'"name":"Bob"', 1)
    told = verify(content)
    assert told.exit_code == 1
    changed, decided = told.stderr.splitlines()
    event = next(from_wire(line) for line in NIGHT.splitlines() if b'"name":"Ben"' in line)
    assert changed.startswith(f"registration {event.position} ({event.id}): hash {event.hash}, expected ")
    assert 'PlayerJoined with name "Bob", expected PlayerJoined with name "Ben"' in decided
    assert ": 2 failures, " in told.stdout


def failures(content: bytes) -> list[tuple[str, str, int]]:
    findings = Findings()
    log = LogFile(findings)
    for line in content.splitlines():
        log.add(line)
    log.settle()
    return [(failure.code, failure.source, failure.position) for failure in findings.failures]


def test_a_fork_two_events_at_one_place():
    other = Club("Ana", "Ben")
    other.play_round({"Ana": 300})
    ours, theirs = SMALL.logs["scoring"], other.logs["scoring"]
    assert ours[0].id == theirs[0].id
    assert ours[0].hash != theirs[0].hash
    assert failures(lines_of([ours[0], theirs[0], *ours[1:]])) == [("order", "scoring", 1), ("link", "scoring", 2)]
    assert failures(lines_of([ours[0], *theirs[1:]])) == [("link", "scoring", 2)]


def test_events_in_another_order():
    log = SMALL.logs["scoring"]
    assert failures(lines_of([log[0], log[2], log[1], log[3]])) == [
        ("order", "scoring", 3),
        ("order", "scoring", 2),
        ("order", "scoring", 4),
    ]
    assert failures(lines_of(log[1:])) == [("order", "scoring", 2)]


def changed_line(**attributes: Any) -> bytes:
    line = json.loads(FEW.splitlines()[-1])
    return json.dumps(line | attributes, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "attributes",
    [
        {"subject": "t-other"},
        {"datacontenttype": "text/json"},
        {"dataschema": "urn:muster:event:RoundClosed:2"},
        {"traceparent": "00-1"},
    ],
)
def test_attributes_that_no_hash_covers(attributes):
    lines = [*FEW.splitlines()[:-1], changed_line(**attributes)]
    assert failures(b"\n".join(lines)) == [("form", "scoring", 7)]


def test_a_duplicate_attribute():
    line = FEW.splitlines()[-1]
    lines = [*FEW.splitlines()[:-1], b'{"actor":"somebody",' + line[1:]]
    assert failures(b"\n".join(lines)) == [("form", "scoring", 7)]


def test_an_event_of_another_tournament(verify):
    other = Club("Ana", "Ben", tournament="t-other")
    told = verify(FEW + other.file())
    assert told.exit_code == 1
    assert len(told.stderr.splitlines()) == len(other.lines())


def test_positions_seen_beyond_the_end_are_reported_and_end_the_audit(verify):
    club = armada_night()
    told = verify(lines_of(club.logs["registration"], club.logs["pairing"][:-1], club.logs["scoring"]))
    assert told.exit_code == 1
    (seen,) = told.stderr.splitlines()
    assert seen.startswith("scoring ")
    assert f"seen pairing {len(club.logs['pairing'])}" in seen
    assert "6 commands not re-decided: the events that they had seen are not in the file" in told.stdout


def test_an_event_of_the_future_is_named_and_nothing_is_computed_from_the_rest(verify):
    club = armada_night()
    registration = rechained(club.logs["registration"], {3: {"type": "PlayerTeleported"}})
    told = verify(lines_of(registration, club.logs["pairing"], club.logs["scoring"]))
    assert told.exit_code == 1
    assert len(told.stderr.splitlines()) == 1
    assert "PlayerTeleported" in told.stderr
    assert "nothing re-decided, since 1 event cannot be read" in told.stdout


def test_a_log_that_would_move_the_cursor_of_a_terminal(verify):
    club = Club("Ana", "Ben")
    changed = rechained(club.logs["registration"], {2: {"type": "\u001b[2J"}})
    told = verify(lines_of(changed))
    assert told.exit_code == 1
    assert "\u001b" not in told.stderr


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", "1"),
        (b"\n \n", "1"),
        (b"\xef\xbb\xbf", "1"),
        (FEW + b"{\n", str(len(FEW.splitlines()) + 1)),
        (b"player,name\n" + FEW, "1"),
        (b"[]\n" + FEW, "1"),
        (b"{}\n" + FEW, "1"),
        (FEW.replace(b'"specversion":"1.0"', b'"specversion":"2.0"', 1), "1"),
        (FEW.replace(b'"Ana"', b'"\xff"', 1), "2"),
        (FEW.replace(b"\n", b" "), "1"),
        (b"[" * 100_000 + b"\n" + FEW, "1"),
        (FEW[: len(FEW) // 2], None),
    ],
)
def test_what_is_no_log_is_bad_input_with_its_line(verify, tmp_path, content, place):
    told = verify(content)
    assert told.exit_code == 2, told.output
    assert told.stdout == ""
    place = place or str(content.count(b"\n") + 1)
    assert told.stderr.startswith(f"{tmp_path / 'log.jsonl'}:{place}:")
    assert len(told.stderr.splitlines()) == 1


def test_a_file_of_another_kind_is_reported_in_a_few_lines(verify):
    told = verify(b"something else\n" * 1000)
    assert told.exit_code == 2
    assert len(told.stderr.splitlines()) == 20


def test_a_file_that_is_not_there():
    told = CliRunner().invoke(main, ["verify", "nowhere.jsonl"])
    assert told.exit_code == 2
    assert told.stderr == "nowhere.jsonl: no such file or directory, expected a file that can be read\n"


def test_the_command_itself(tmp_path):
    (tmp_path / "log.jsonl").write_bytes(NIGHT)
    command = [sys.executable, "-m", "muster.cli.main", "verify", str(tmp_path / "log.jsonl")]
    done = run_program(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert done.returncode == 0
    assert ": OK, " in done.stdout


def test_a_different_winner_is_reported_with_its_place(verify):
    club = armada_night()
    event = next(one for one in club.logs["scoring"] if one.type == "TournamentConcluded")
    right = json.loads(event.data)["winner"]
    wrong = next(player for player in club.ids.values() if player != right)
    data = canonical_json({**json.loads(event.data), "winner": wrong})
    told = verify(
        lines_of(*(club.logs | {"scoring": rechained(club.logs["scoring"], {event.position: {"data": data}})}).values())
    )
    assert told.exit_code == 1
    place = f"scoring {event.position} ({event.id})"
    assert f'{place}: Conclude: TournamentConcluded with winner "{wrong}"' in told.stderr


class TestLostEvents:
    """Every line of a file counts; what is lost is told by its number and in a sentence."""

    LOGS = {log[0].source: list(log) for log in armada_night().logs.values()}

    def test_each_line_that_is_left_out_is_named(self):
        assert unnoticed(self.LOGS) == []

    def test_the_command_says_it_and_ends_with_1(self, verify):
        lines = NIGHT.splitlines(keepends=True)
        told = verify(b"".join(lines[:4] + lines[5:]))
        assert told.exit_code == 1
        assert "position 6 after position 4" in told.stderr
        assert "event 5 is missing from this log" in told.stderr
        assert "nothing re-decided, since 1 event is missing" in told.stdout

    def test_a_redacted_event_is_reported_in_a_sentence(self):
        """The log was closed up behind it, with positions and hashes made anew."""
        said = []
        for event, rest in without_each(self.LOGS):
            failures = read(closed_up(event, rest))
            assert python_in(failures) == []
            said += [failure.found for failure in failures if failure.code == "fold"]
        assert "ResultConfirmed names the game r1g2, which no event before it mentions" in said
        assert "PlayerDropped names the player p5, which no event before it mentions" in said


class TestTimes:
    """Order is the position; but no clock has said what is told here."""

    def told(self, club: Club, source: str, times: dict[int, str], now: str | None = None) -> list[str]:
        logs = {**club.logs, source: rechained(club.logs[source], {at: {"time": time} for at, time in times.items()})}
        findings = Findings()
        audit(logs, findings, now)
        return [f"{one.source} {one.position}: {one.found}" for one in findings.failures if one.code == "time"]

    def test_a_time_from_the_future_is_refused(self, verify):
        last = len(SMALL.logs["scoring"])
        forged = rechained(SMALL.logs["scoring"], {last: {"time": "2130-01-01T00:00:00.000Z"}})
        told = verify(lines_of(SMALL.logs["registration"], SMALL.logs["pairing"], forged))
        assert told.exit_code == 1
        assert told.stderr.count("in the future") == 1
        assert f"scoring {last}" in told.stderr

    def test_a_clock_that_is_ahead_by_less_than_two_hours_is_believed(self):
        last = len(SMALL.logs["scoring"])
        time = SMALL.logs["scoring"][-1].time
        moment = datetime.fromisoformat(time)
        for back, found in ((CLOCK_ERROR, 0), (CLOCK_ERROR + timedelta(seconds=1), 1)):
            now = (moment - back).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            assert len(self.told(SMALL, "scoring", {last: time}, now)) == found

    def shifted(self, event: Recorded, by: timedelta) -> str:
        moment = datetime.fromisoformat(event.time) + by
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def test_an_event_from_before_the_one_that_it_follows_is_refused(self):
        log = SMALL.logs["registration"]
        late = self.shifted(log[1], -CLOCK_ERROR - timedelta(minutes=30))
        (told,) = self.told(SMALL, "registration", {3: late})
        assert told.startswith(f"registration 3: {late}: before registration ")
        assert self.told(SMALL, "registration", {3: self.shifted(log[1], -timedelta(minutes=90))}) == []

    def test_an_event_from_before_what_its_appender_had_seen_is_refused(self):
        """All of scoring's log by a clock that is hours behind the others."""
        log = SMALL.logs["scoring"]
        behind = {event.position: self.shifted(event, -timedelta(hours=5)) for event in log}
        (told,) = self.told(SMALL, "scoring", behind)
        assert told.endswith("which was there by then (and 6 more)")
        assert self.told(SMALL, "scoring", {p: self.shifted(log[p - 1], -timedelta(hours=1)) for p in behind}) == []

    @pytest.mark.parametrize("time", ["", "yesterday", "2026-03-07", "2026-03-07T10:00:00.000+01:00"])
    def test_what_is_no_time_is_refused(self, time):
        assert self.told(SMALL, "scoring", {2: time}) == [f"scoring 2: time {time}"]

    def test_a_log_as_it_was_written_holds(self):
        assert self.told(armada_night(), "scoring", {}) == []
