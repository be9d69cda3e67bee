"""Properties of any sequence of commands: seats, waiting list and log stay consistent."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from services.registration import directory
from services.registration.check_in import (
    CheckIn,
    CheckInPlayers,
    CheckOut,
    CheckOutPlayers,
    GiveSeat,
    MovePlayer,
    PinPlayer,
    TakeSeatBack,
    UnpinPlayer,
)
from services.registration.handlers import HANDLERS
from services.registration.players import AmendPlayer, Entry, ErasePersonalData, JoinPlayers
from services.registration.staff import AppointStaff, DismissStaff, RevokeToken
from services.registration.swiss_rosters import AcceptRoster, AcceptRosters, RejectRoster, SubmitRoster
from services.registration.tournaments import (
    AmendTournament,
    CloseRegistration,
    ReopenRegistration,
)
from services.registration.venues import ChangeTables, CloseVenue, OpenVenue, Table
from services.registration.withdrawals import (
    DisqualifyPlayer,
    DropPlayer,
    ReinstatePlayer,
    RevokeDisqualification,
    WarnPlayer,
    WithdrawPlayer,
)
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.refusals import Refusal
from shared.rules.parts import to_json
from shared.tournament.guards import By
from shared.tournament.registration import PlayerPromoted, TournamentAnnounced
from tests.examples import examples
from tests.services.harness import Harness
from tests.services.registration.story import FLEET, announced

LATE = to_json(apply_options(shipped_ruleset("star-wars-armada-1.1"), {"late_entry": "zero_points"}))
NEVER_LATE = to_json(shipped_ruleset("star-wars-armada-1.1"))

names = st.sampled_from(["Ana", "Ben", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal"])
players = st.sampled_from([f"p{number}" for number in range(1, 8)])
venues = st.sampled_from(["", "v1", "v2"])
reasons = st.just("because")
several = st.lists(players, min_size=1, max_size=3, unique=True)
left_out = st.just(UNSET)
entries = st.builds(Entry, name=names, venue=venues)
tables = st.lists(st.builds(Table, table=st.integers(1, 3)), max_size=3, unique_by=lambda table: table.table)

commands = st.one_of(
    st.builds(JoinPlayers, entries=st.lists(entries, min_size=1, max_size=3), late=st.booleans()),
    st.builds(WithdrawPlayer, player=players),
    st.builds(DropPlayer, player=players),
    st.builds(ReinstatePlayer, player=players),
    st.builds(GiveSeat, player=players, reason=reasons, more=st.booleans()),
    st.builds(TakeSeatBack, player=players),
    st.builds(DisqualifyPlayer, player=players, reason=reasons),
    st.builds(RevokeDisqualification, player=players, reason=reasons),
    st.builds(AmendTournament, capacity=st.integers(2, 6), rounds=left_out | st.integers(1, 4)),
    st.builds(AmendPlayer, player=players, name=left_out | names, venue=left_out | venues),
    st.builds(CheckIn, player=players, venue=venues),
    st.builds(CheckOut, player=players),
    st.builds(CheckInPlayers, players=several, venue=venues),
    st.builds(CheckOutPlayers, players=several),
    st.builds(MovePlayer, player=players, venue=venues),
    st.builds(PinPlayer, player=players, venue=venues, table=st.integers(1, 3)),
    st.builds(UnpinPlayer, player=players),
    st.builds(WarnPlayer, player=players, reason=reasons),
    st.builds(SubmitRoster, player=players, roster=st.sampled_from([FLEET, {}]), override=st.sampled_from(["", "x"])),
    st.builds(AcceptRoster, player=players),
    st.builds(AcceptRosters, players=several),
    st.builds(RejectRoster, player=players, note=reasons),
    st.builds(ErasePersonalData, player=players, kept=st.booleans()),
    st.builds(OpenVenue, name=st.sampled_from(["Hall", "Cellar"]), tables=tables),
    st.builds(ChangeTables, venue=venues, tables=tables),
    st.builds(CloseVenue, venue=venues, reason=reasons),
    st.builds(AppointStaff, name=names, role=st.just("referee"), venue=venues),
    st.builds(DismissStaff, staff=st.sampled_from(["s1", "s2"])),
    st.builds(RevokeToken, token_id=st.sampled_from(["t-1.p1.1", "t-1.s1.1"])),
    st.just(CloseRegistration()),
    st.just(ReopenRegistration()),
)
callers = st.sampled_from([By("organiser", "organiser"), By("s1", "referee"), By("p1", "player")])
elsewhere = st.sampled_from(["pair", "start", "close", "take back"])
moves = st.lists(st.tuples(commands, callers) | elsewhere, max_size=30)
"""Commands by anybody, and what pairing and scoring do meanwhile."""

ONCE_MORE = (WarnPlayer, AppointStaff)
"""Commands that do something each time; all others have nothing to do when they come again."""


def announce(capacity: int | None, ruleset: dict) -> Harness:
    harness = Harness("registration", HANDLERS)
    harness.say("registration", TournamentAnnounced(name="Open", format="swiss", ruleset=ruleset, capacity=capacity))
    return harness


def check(harness: Harness) -> None:
    """Seats, names and numbers as they must be."""
    entries = harness.state.entries
    everybody = list(entries.players.values())
    assert [player.order for player in everybody] == list(range(1, len(everybody) + 1))
    present = [player.name.casefold() for player in everybody if player.status != "withdrawn"]
    assert len(set(present)) == len(present)
    if entries.capacity is not None:
        assert entries.seated() <= entries.capacity
        never_paired = not harness.logs["pairing"]
        if never_paired and entries.waiting():
            assert entries.seated() == entries.capacity, "somebody waits beside a free seat"
    for player in everybody:
        assert player.status in ("active", "waiting", "withdrawn", "dropped", "disqualified")
        assert (player.dropped_before is None) or player.status == "disqualified"


@settings(max_examples=examples(100))
@given(st.none() | st.integers(2, 4), st.sampled_from([LATE, NEVER_LATE]), moves)
def test_any_sequence_of_commands_keeps_log_and_seats_consistent(capacity, ruleset, moves):
    harness = announce(capacity, ruleset)
    for move in moves:
        if isinstance(move, str):
            harness.play_on(move)
            continue
        command, by = move
        waiting = [player.id for player in harness.state.entries.waiting()]
        done = harness.run(command, by)
        check(harness)
        if isinstance(done, Refusal):
            continue
        moved_up = [event.player for event in done if isinstance(event, PlayerPromoted)]
        assert moved_up == [player for player in waiting if player != getattr(command, "player", "")][: len(moved_up)]
        if not isinstance(command, ONCE_MORE):
            again = harness.run(command, by)
            assert isinstance(again, Refusal) or again == []
    harness.hold()


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves)
def test_the_directory_says_what_the_log_says(club, moves):
    """The directory row follows the log event by event; rebuilt from the log it is the same."""
    evening = announced(club, capacity=3)
    bodies = {
        JoinPlayers: lambda c: ("/players/list", {"players": [{"name": entry.name} for entry in c.entries]}),
        WithdrawPlayer: lambda c: (f"/players/{c.player}/withdrawal", {}),
        DisqualifyPlayer: lambda c: (f"/players/{c.player}/disqualification", {"reason": c.reason}),
        RevokeDisqualification: lambda c: (
            f"/players/{c.player}/disqualification/revocation",
            {"reason": c.reason},
        ),
        GiveSeat: lambda c: (f"/players/{c.player}/seat", {"reason": c.reason, "more": c.more}),
        AmendTournament: lambda c: ("/amendments", {"capacity": c.capacity, "name": f"Open {c.capacity}"}),
    }
    for move in moves:
        if not isinstance(move, str) and isinstance(move[0], TakeSeatBack):
            evening.delete(f"/players/{move[0].player}/seat")
        elif not isinstance(move, str) and type(move[0]) in bodies:
            evening.post(*bodies[type(move[0])](move[0]))
    with club.database.reading() as connection:
        assert directory.every_line(connection)[evening.id] == directory.line_of(evening.id, evening.state)
