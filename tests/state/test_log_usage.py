"""What a log holds is counted from the log alone, by whom, and bounded in every service alike."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.formats.fold import CATALOGUE, EVOLVE, decode, encode
from shared.log.event import Actor, actor_json, read_actor
from shared.log.log import LARGEST_EVENT, Entry
from shared.roles import Via
from shared.service.handlers import ALWAYS_ACCEPTED, BOUNDS, require_room
from shared.service.refusals import SignUpsPaused
from shared.tournament.guards import BY_GUEST, By
from shared.tournament.state import ActorUsage, LogUsage, Tournament, count_event
from shared.web.refusals import QuotaReached
from tests.acting import actor_of

NOW = "2026-03-01T18:35:10.000Z"
STAFF, PLAYER = By("s1", "referee"), By("p1", "player")

rows = st.builds(
    SimpleNamespace,
    type=st.sampled_from(["RosterSubmitted", "PlayerJoined", "PlayerCheckedIn"]),
    actor=st.sampled_from(
        [
            *map(actor_of, ("guest", "p1", "p22", "t-1.p3", "s1", "organiser")),
            actor_json(Actor("p1", "player", via=Via("link", "s1"))),
            actor_json(Actor("s1", "referee", "p1")),
        ]
    ),
    data=st.sampled_from(['{"player":"p1"}', '{"name":"Zoë"}', "{}"]),
    time=st.sampled_from(["2026-03-01T18:30:00.000Z", "2026-03-01T18:39:59.999Z", "2026-03-01T18:40:00.000Z"]),
)


@given(st.lists(rows))
def test_the_counts_match_the_log(log):
    usage = LogUsage()
    for row in log:
        count_event(usage, row, len(row.data.encode()))
    public = [row for row in log if read_actor(row.actor).actor in ("guest", "p1", "p22", "t-1.p3")]
    guests = [row for row in public if row.actor == actor_of("guest") and row.type == "PlayerJoined"]
    assert (usage.events, usage.bytes) == (len(log), sum(len(row.data.encode()) for row in log))
    assert usage.public_bytes == sum(len(row.data.encode()) for row in public)
    assert usage.guests == len(guests)
    for actor in ("p1", "p22", "t-1.p3"):
        own = [row for row in log if read_actor(row.actor).actor == actor]
        rosters = sum(row.type == "RosterSubmitted" for row in own)
        assert usage.by(actor) == ActorUsage(len(own), sum(len(row.data.encode()) for row in own), rosters)
    assert not set(usage.players) - {"p1", "p22", "t-1.p3"}


def held(source: str, **more: object) -> Tournament:
    state = Tournament()
    for name, value in more.items():
        setattr(state.usage[source], name, value)
    return state


@pytest.mark.parametrize("source", BOUNDS)
def test_each_limit_is_inclusive(source):
    bounds, entry = BOUNDS[source], Entry("PlayerCheckedIn", 1, "{}")
    for by, members, of in (
        (PLAYER, {"players": {"p1": ActorUsage(bounds.player_events - 1, 0)}}, "one player"),
        (PLAYER, {"players": {"p1": ActorUsage(0, bounds.player_bytes - 2)}}, "one player"),
        (PLAYER, {"public_bytes": bounds.public_bytes - 2}, "players and guests together"),
        (STAFF, {"events": bounds.events - 1}, "the whole tournament"),
        (STAFF, {"bytes": bounds.bytes - 2}, "the whole tournament"),
    ):
        require_room(held(source, **members), source, by, NOW, [entry])
        with pytest.raises(QuotaReached) as refused:
            require_room(held(source, **members), source, by, NOW, [entry, entry])
        assert refused.value.data["of"] == of
    require_room(held(source, public_bytes=bounds.public_bytes), source, STAFF, NOW, [entry])


def test_ten_minutes_are_measured_by_event_times():
    joined = Entry("PlayerJoined", 2, "{}")
    many = held("registration", guests=1000, guest_window="2026-03-01T18:3", guests_in_window=1000)
    with pytest.raises(SignUpsPaused) as refused:
        require_room(many, "registration", BY_GUEST, NOW, [joined])
    assert refused.value.data["retry_after"] == 290
    require_room(many, "registration", BY_GUEST, "2026-03-01T18:40:00.000Z", [joined])


def test_every_source_has_limits_and_every_exception_is_an_event():
    assert set(BOUNDS) == set(EVOLVE) == set(Tournament().usage)
    assert set(CATALOGUE) >= ALWAYS_ACCEPTED
    assert all(bounds.bytes > LARGEST_EVENT for bounds in BOUNDS.values())


def test_counts_are_in_snapshots():
    state = held("scoring", events=3, players={"p1": ActorUsage(3, 40, 0)})
    assert decode(encode(state)) == state
