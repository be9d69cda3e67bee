"""The same logs give the same state, for any interleaving and snapshot."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from shared.formats import FORMATS
from shared.formats.fold import EVOLVE, copy_of, decode, encode, evolve, fold
from shared.log.cloudevents import from_wire
from shared.log.event import Recorded
from shared.tournament.state import Tournament

LOG = Path(__file__).parent / "data"
EVENTS = [from_wire(line) for path in sorted(LOG.glob("*.jsonl")) for line in path.read_bytes().splitlines() if line]
LOGS = {source: [event for event in EVENTS if event.source == source] for source in {event.source for event in EVENTS}}
LIVE = encode(fold(Tournament(), EVENTS))


def interleaved(choices: list[str]) -> list[Recorded]:
    """The three logs in one order: each choice names the log whose next event comes; what is left follows."""
    waiting = {source: list(events) for source, events in LOGS.items()}
    order = [waiting[source].pop(0) for source in choices if waiting[source]]
    return order + [event for events in waiting.values() for event in events]


def test_the_log_covers_a_whole_tournament():
    assert set(LOGS) == {"registration", "pairing", "scoring"}
    assert {"TournamentConcluded", "RoundClosed", "PairingsDrawn"} <= {event.type for event in EVENTS}


@given(st.lists(st.sampled_from(sorted(LOGS)), max_size=len(EVENTS)))
def test_the_interleaving_of_logs_does_not_matter(choices: list[str]):
    assert encode(fold(Tournament(), interleaved(choices))) == LIVE


@given(st.integers(0, len(EVENTS)))
def test_a_snapshot_of_any_prefix_and_the_rest_give_the_same_state(length: int):
    snapshot = encode(fold(Tournament(), EVENTS[:length]))
    assert encode(fold(decode(snapshot), EVENTS[length:])) == LIVE


def test_a_copied_state_is_independent():
    state = fold(Tournament(), EVENTS[:-1])
    before = encode(state)
    evolve(copy_of(state), EVENTS[-1])
    assert encode(state) == before


def test_each_slice_is_changed_by_one_log():
    state = Tournament()
    changed_by: dict[int, set[str]] = {}
    for source, changes in EVOLVE.items():
        for reach, _ in changes.values():
            changed_by.setdefault(id(reach(state)), set()).add(source)
    shared = [state.entries, state.rounds, state.results, state.webhooks, *state.draws.values()]
    slices = [*state.formats.values(), *shared]
    assert set(changed_by) == {id(part) for part in slices}
    assert set(state.formats) == {part.name for format in FORMATS.values() for part in format.SLICES}
    assert set(Tournament().usage) == set(EVOLVE)
    assert [member for member, sources in changed_by.items() if len(sources) > 1] == []
