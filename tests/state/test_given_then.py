"""The effect of each event on the state, as given / when / then stories."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from shared.formats.fold import CATALOGUE, decode, encode, fold
from shared.log.event import EMPTY_HEAD, Event, Head, Recorded
from shared.log.log import Stamp, chain_events
from shared.service.commands import entries_of
from shared.tournament import draws, registration, results, rounds, webhooks
from shared.tournament.registration import OpenedRoster, RosterFault, Table
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament
from tests.acting import acting

State = Tournament
TIME = "2026-03-01T10:00:00.000Z"
FACTS = {"kind": "game", "points_1": 100, "points_2": 50}
OTHER = {"kind": "game", "points_1": 50, "points_2": 100}
GIVEN: list[Event] = [
    registration.TournamentAnnounced(name="Open", format="swiss", ruleset={"id": "x"}, capacity=3),
    registration.VenueOpened(venue="v1", name="Hall", tables=[Table(table=1), Table(table=2, accessible=True)]),
    registration.StaffAppointed(staff="s1", name="Rita", role="referee"),
    registration.PlayerJoined(player="p1", name="Ana", contact=True),
    registration.PlayerJoined(player="p2", name="Ben"),
    registration.PlayerJoined(player="p3", name="Cy", venue="v1"),
    registration.PlayerWaitlisted(player="p4", name="Dee"),
    rounds.PairingsDrawn(
        round=1,
        page=1,
        pages=2,
        pairings=[Seat(game="r1g1", kind="game", player_1="p1", player_2="p2", venue="v1", table=1)],
    ),
    rounds.PairingsDrawn(round=1, page=2, pages=2, pairings=[Seat(game="r1g2", kind="bye", player_1="p3")]),
    rounds.RoundPaired(round=1, stage="swiss", method="random", games=2, seed="ab", scenario="Raid"),
]
REPORTED = results.ResultReported(round=1, game="r1g1", facts=FACTS, side=1)
RULED = results.ResultRuled(round=1, game="r1g1", facts=OTHER, level="referee", reason="x")
DROPPED = registration.PlayerDropped(player="p1", after_round=1)
OUT = registration.PlayerDisqualified(player="p1", after_round=2, reason="x")
ROSTER = registration.RosterSubmitted(player="p1", roster={"a": 1})
FIRST = results.StandingsRecorded(
    round=1, page=1, pages=2, rows=[results.StandingRow(rank=1, player="p1", values={"w": 1})], seed="cd"
)
SECOND = results.StandingsRecorded(
    round=1, page=2, pages=2, rows=[results.StandingRow(rank=2, player="p2", values={"w": 0})]
)
CLOSED = results.RoundClosed(round=1, games=2)
HELD_BACK = results.RoundClosed(round=1, games=2, seed="ab")
REOPENED = results.RoundReopened(round=1, reason="x")
STARTED = rounds.RoundStarted(round=1, minutes=90, ends_at="z", overtime=5)
ASIDE = results.PartSetAside(round=1, venue="v1", reason="x")
PART = results.PartClosed(round=1, venue="v1", games=1)
SUBSCRIBED = webhooks.WebhookSubscribed(webhook="w1", name="Site")


def webhook(state: Tournament) -> Any:
    """Return the subscribed webhook."""
    return state.webhooks.by_id["w1"]


def told(*events: Event) -> Tournament:
    """Return the state after the given events and these."""
    heads: dict[str, Head] = {}
    state = Tournament()
    for event in [*GIVEN, *events]:
        source = CATALOGUE[type(event).__name__].owners[0]
        stamp = Stamp(acting("somebody"), "c", TIME, {})
        recorded: list[Recorded] = chain_events(
            source, "t-1", heads.get(source, EMPTY_HEAD), entries_of([event]), stamp
        )
        heads[source] = Head(recorded[-1].position, recorded[-1].hash)
        fold(state, recorded)
    return state


def player(state: State, id: str = "p1") -> Any:
    return state.entries.players[id]


def result(state: State) -> Any:
    return state.results.results["r1g1"]


def seat(state: State, game: str = "r1g1") -> Seat:
    return state.rounds.rounds[1].seats[game]


STORIES: list[tuple[list[Event], Callable[[State], Any], Any]] = [
    ([], lambda s: (s.entries.status, s.entries.registration_open, s.entries.announced_at), ("announced", True, TIME)),
    ([], lambda s: (s.entries.seated(), [p.id for p in s.entries.waiting()]), (3, ["p4"])),
    ([registration.TournamentAmended(capacity=9)], lambda s: (s.entries.capacity, s.entries.name), (9, "Open")),
    (
        [registration.TournamentCancelled(reason="x")],
        lambda s: (s.entries.status, s.entries.registration_open),
        ("cancelled", False),
    ),
    ([], lambda s: s.entries.venues["v1"].tables, {1: False, 2: True}),
    (
        [registration.TablesChanged(venue="v1", tables=[Table(table=7)])],
        lambda s: s.entries.venues["v1"].tables,
        {7: False},
    ),
    (
        [registration.TablesChanged(venue="v1", tables=[Table(table=7, label="A7")])],
        lambda s: [s.entries.table_name("v1", table) for table in (7, 8)],
        ["A7", "8"],
    ),
    (
        [registration.VenueAmended(venue="v1", name="Barn", time_zone="Europe/Lisbon")],
        lambda s: (s.entries.venues["v1"].name, s.entries.venues["v1"].time_zone, s.entries.venues["v1"].address),
        ("Barn", "Europe/Lisbon", ""),
    ),
    ([registration.VenueClosed(venue="v1", reason="x")], lambda s: s.entries.venues["v1"].open, False),
    ([registration.StaffDismissed(staff="s1")], lambda s: s.entries.staff["s1"].active, False),
    ([registration.StaffEntered(staff="s1", player="p1")], lambda s: s.entries.staff["s1"].player, "p1"),
    ([registration.OrganiserTokenIssued(token="organiser-1", organiser="A", days=2)], lambda s: s.entries.issued, 1),
    ([registration.InstallationTokenRevoked(token="3f1c")], lambda s: s.entries.revoked, {"3f1c": True}),
    ([registration.TokenRevoked(token="t-1.p1.1")], lambda s: s.entries.revoked, {"t-1.p1.1": True}),
    (
        [registration.PlayerLinkIssued(player="p1", token="t-1.p1.l1", reason="a lost phone")],
        lambda s: [(link.token, link.reason) for link in s.entries.players["p1"].links],
        [("t-1.p1.l1", "a lost phone")],
    ),
    ([registration.RegistrationClosed()], lambda s: s.entries.registration_open, False),
    (
        [registration.RegistrationClosed(), registration.RegistrationReopened()],
        lambda s: s.entries.registration_open,
        True,
    ),
    ([], lambda s: (player(s).order, player(s).status, player(s).contact), (1, "active", True)),
    ([registration.PlayerPromoted(player="p4")], lambda s: player(s, "p4").status, "active"),
    (
        [registration.SeatGiven(player="p4", reason="helps", capacity=4)],
        lambda s: (player(s, "p4").status, player(s, "p4").seat_given, s.entries.capacity),
        ("active", "added", 4),
    ),
    (
        [registration.SeatGiven(player="p4", reason="helps", late=True)],
        lambda s: (player(s, "p4").late, player(s, "p4").seat_given, s.entries.capacity),
        (True, "free", 3),
    ),
    (
        [
            registration.SeatGiven(player="p4", reason="helps", capacity=4),
            registration.SeatTakenBack(player="p4", capacity=3),
        ],
        lambda s: (player(s, "p4").status, player(s, "p4").seat_given, s.entries.capacity),
        ("waiting", "", 3),
    ),
    ([registration.PlayerWithdrawn(player="p1")], lambda s: (player(s).status, s.entries.seated()), ("withdrawn", 2)),
    (
        [registration.PlayerAmended(player="p1", club="Reds")],
        lambda s: (player(s).name, player(s).club),
        ("Ana", "Reds"),
    ),
    (
        [registration.PlayersKeptApart(groups=[["p1", "p2"]]), registration.PlayersKeptApart(groups=[["p2", "p3"]])],
        lambda s: s.entries.kept_apart,
        [["p2", "p3"]],
    ),
    ([registration.PersonalDataErased(player="p1")], lambda s: player(s).contact, False),
    ([ROSTER], lambda s: (player(s).roster, player(s).roster_sheet), ("submitted", {"a": 1})),
    (
        [ROSTER, registration.RosterAccepted(player="p1", note="seen")],
        lambda s: (player(s).roster, player(s).roster_note),
        ("accepted", "seen"),
    ),
    (
        [ROSTER, registration.RosterRejected(player="p1", faults=[RosterFault(where="/a", said="1")], note="no")],
        lambda s: (player(s).roster, len(player(s).roster_faults), player(s).roster_note),
        ("rejected", 1, "no"),
    ),
    (
        [ROSTER, registration.RosterRejected(player="p1", note="no"), ROSTER],
        lambda s: (player(s).roster, player(s).roster_faults, player(s).roster_note),
        ("submitted", [], ""),
    ),
    (
        [
            registration.RosterSubmitted(player="p1", roster={"a": 1}, sealed={"b": "0", "c": "1", "d": "2"}),
            registration.RosterAccepted(player="p1"),
            registration.RostersOpened(
                rosters=[OpenedRoster(player="p1", roster={"b": 2}, salts={"b": "x", "c": "y"})]
            ),
        ],
        lambda s: (player(s).roster, player(s).roster_sheet, player(s).roster_sealed),
        ("accepted", {"a": 1, "b": 2}, {"d": "2"}),
    ),
    (
        [registration.PlayerCheckedIn(player="p3")],
        lambda s: (player(s, "p3").checked_in, player(s, "p3").venue),
        (True, "v1"),
    ),
    (
        [registration.PlayerCheckedIn(player="p1", venue="v1"), registration.PlayerCheckedOut(player="p1")],
        lambda s: (player(s).checked_in, player(s).venue),
        (False, "v1"),
    ),
    (
        [registration.PlayerCheckedIn(player="p3"), registration.PlayerMoved(player="p3", venue="v2", reason="x")],
        lambda s: (player(s, "p3").venue, player(s, "p3").checked_in, s.entries.venues["v1"].open),
        ("v2", True, True),
    ),
    ([registration.PlayerMoved(player="p3", venue="v2")], lambda s: seat(s, "r1g1").venue, "v1"),
    ([registration.PlayerPinned(player="p1", venue="v1", table=2)], lambda s: player(s).pinned, ("v1", 2)),
    (
        [registration.PlayerPinned(player="p1", venue="v1", table=2), registration.PlayerUnpinned(player="p1")],
        lambda s: player(s).pinned,
        None,
    ),
    ([DROPPED], lambda s: (player(s).status, player(s).after_round), ("dropped", 1)),
    ([DROPPED, registration.PlayerReinstated(player="p1")], lambda s: player(s).status, "active"),
    ([registration.PlayerWarned(player="p1", reason="x")] * 2, lambda s: player(s).warnings, 2),
    ([OUT], lambda s: (player(s).status, player(s).after_round), ("disqualified", 2)),
    ([OUT, registration.DisqualificationRevoked(player="p1", reason="x")], lambda s: player(s).status, "active"),
    (
        [DROPPED, OUT, registration.DisqualificationRevoked(player="p1", reason="x")],
        lambda s: (player(s).status, player(s).after_round),
        ("dropped", 1),
    ),
    (
        [],
        lambda s: (list(s.rounds.rounds[1].seats), s.rounds.rounds[1].scenario, s.rounds.pending),
        (["r1g1", "r1g2"], "Raid", []),
    ),
    ([], lambda s: [seat.players for seat in s.rounds.rounds[1].seats.values()], [("p1", "p2"), ("p3",)]),
    (
        [
            rounds.PairingAmended(
                round=1,
                removed=["r1g2"],
                reason="x",
                pairings=[Seat(game="r1g3", kind="game", player_1="p3", player_2="p4")],
            )
        ],
        lambda s: (list(s.rounds.rounds[1].seats), s.rounds.rounds[1].game_count),
        (["r1g1", "r1g3"], 3),
    ),
    (
        [rounds.TableMoved(round=1, game="r1g1", venue="v1", table=2)],
        lambda s: (seat(s).table, seat(s).player_2),
        (2, "p2"),
    ),
    ([rounds.RoundWithdrawn(round=1, reason="x")], lambda s: (s.rounds.rounds, s.rounds.withdrawn), ({}, {1: 1})),
    (
        [rounds.RoundStarted(round=1, minutes=90, ends_at="z", overtime=5)],
        lambda s: s.rounds.rounds[1].clocks,
        {"": rounds.Clock(TIME, 90, "z", 5)},
    ),
    (
        [STARTED, rounds.TimeCalled(round=1, call="start"), rounds.TimeCalled(round=1, call="end", venue="v1")],
        lambda s: {venue: clock.calls for venue, clock in s.rounds.rounds[1].clocks.items()},
        {"": ["start"], "v1": ["start", "end"]},
    ),
    (
        [
            STARTED,
            rounds.RoundStarted(round=1, minutes=60, ends_at="y", venue="v1"),
            rounds.ClockExtended(round=1, minutes=5, ends_at="later", reason="x", venue="v2"),
        ],
        lambda s: {venue: clock.ends_at for venue, clock in s.rounds.rounds[1].clocks.items()},
        {"": "z", "v1": "y", "v2": "later"},
    ),
    (
        [STARTED, rounds.ClockExtended(round=1, minutes=5, ends_at="later", reason="x")],
        lambda s: s.rounds.rounds[1].ends_at,
        "later",
    ),
    ([rounds.SpareAvailable(staff="s1")], lambda s: s.rounds.spares, ["s1"]),
    ([rounds.SpareAvailable(staff="s1"), rounds.SpareUnavailable(staff="s1")], lambda s: s.rounds.spares, []),
    (
        [rounds.CutMade(after_round=1, seeds=["p1", "p2"], made_from=3)],
        lambda s: (s.rounds.cut, s.rounds.cut_after),
        (["p1", "p2"], 1),
    ),
    (
        [
            rounds.CutMade(after_round=1, seeds=["p1", "p2"], made_from=3),
            rounds.SeatGivenUp(player="p1", promoted="p3"),
        ],
        lambda s: (s.rounds.cut, s.rounds.given_up),
        (["p3", "p2"], {"p1": "p3"}),
    ),
    ([REPORTED], lambda s: (result(s).status, result(s).side, result(s).binds), ("reported", 1, False)),
    (
        [REPORTED, results.ResultConfirmed(round=1, game="r1g1", side=2)],
        lambda s: (result(s).status, result(s).binds),
        ("confirmed", True),
    ),
    (
        [REPORTED, results.ResultDisputed(round=1, game="r1g1", side=2, reason="x", facts=OTHER)],
        lambda s: (result(s).status, result(s).facts, result(s).counter),
        ("disputed", FACTS, OTHER),
    ),
    ([RULED], lambda s: (result(s).status, result(s).level, result(s).binds), ("ruled", "referee", True)),
    (
        [RULED, results.RulingAppealed(round=1, game="r1g1", side=1, reason="x")],
        lambda s: (result(s).appealed, result(s).binds),
        (True, True),
    ),
    (
        [
            RULED,
            results.RulingAppealed(round=1, game="r1g1", side=1, reason="x"),
            results.AppealRejected(round=1, game="r1g1", reason="x"),
        ],
        lambda s: (result(s).appealed, result(s).level),
        (False, "head_referee"),
    ),
    (
        [RULED, results.ResultCorrected(round=1, game="r1g1", facts=FACTS, reason="x")],
        lambda s: (result(s).status, result(s).level, result(s).facts),
        ("corrected", "referee", FACTS),
    ),
    (
        [RULED, results.RulingOverridden(round=1, game="r1g1", facts=FACTS, reason="x")],
        lambda s: (result(s).status, result(s).level, result(s).facts),
        ("corrected", "referee", FACTS),
    ),
    (
        [
            replace(RULED, level="head_referee"),
            results.RulingOverridden(round=1, game="r1g1", facts=FACTS, reason="x"),
        ],
        lambda s: (result(s).status, result(s).level, result(s).facts),
        ("corrected", "organiser", FACTS),
    ),
    (
        [
            RULED,
            results.RulingAppealed(round=1, game="r1g1", side=1, reason="x"),
            results.ResultCorrected(round=1, game="r1g1", facts=FACTS, reason="x"),
        ],
        lambda s: (result(s).level, result(s).appealed, result(s).facts),
        ("head_referee", False, FACTS),
    ),
    (
        [registration.RulesetMoved(from_round=3, ruleset={"id": "next"}, reason="x")],
        lambda s: [(move.from_round, move.ruleset) for move in s.entries.moves],
        [(3, {"id": "next"})],
    ),
    ([REPORTED, results.ResultVoided(round=1, game="r1g1", reason="x")], lambda s: s.results.results, {}),
    (
        [REPORTED, results.ReportChanged(round=1, game="r1g1", facts=OTHER, side=1)],
        lambda s: [(one.status, one.facts, one.report, one.report_changed) for one in s.results.results.values()],
        [("reported", OTHER, 2, True)],
    ),
    (
        [REPORTED, results.ReportChanged(round=1, game="r1g1", facts={"kind": "game"}), REPORTED],
        lambda s: (s.results.results["r1g1"].report, s.results.results["r1g1"].report_changed),
        (3, False),
    ),
    (
        [results.ResultReported(round=1, game="r1g1", facts={"kind": "no_show", "conceded_by": 2})],
        lambda s: s.results.absences,
        {"r1g1": (2,)},
    ),
    (
        [results.ResultReported(round=1, game="r1g1", facts={"kind": "double_no_show"}), RULED],
        lambda s: s.results.absences,
        {},
    ),
    (
        [FIRST, SECOND, CLOSED],
        lambda s: ([row.player for row in s.results.recorded[1].rows], s.results.recorded[1].seed),
        (["p1", "p2"], "cd"),
    ),
    ([FIRST, SECOND, CLOSED, FIRST, SECOND], lambda s: len(s.results.recorded[1].rows), 2),
    ([PART], lambda s: (s.results.closed, s.results.is_closed(1, "v1"), s.results.is_closed(1, "")), ({}, True, False)),
    (
        [PART, results.RoundClosed(round=1, games=2, venues=["v2"])],
        lambda s: (sorted(s.results.closed), sorted(s.results.closed_parts[1])),
        ([1], ["v1", "v2"]),
    ),
    (
        [PART, results.RoundReopened(round=1, reason="x", venue="v1")],
        lambda s: (s.results.closed, s.results.is_closed(1, "v1")),
        ({}, False),
    ),
    (
        [
            PART,
            results.RoundClosed(round=1, games=2, venues=["v2"]),
            results.RoundReopened(round=1, reason="x", venue="v2"),
        ],
        lambda s: (s.results.closed, list(s.results.closed_parts[1])),
        ({}, ["v1"]),
    ),
    (
        [ASIDE, CLOSED],
        lambda s: (s.results.aside, list(s.results.closed), s.results.is_closed(1, "v1"), s.open_games(1)),
        ({1: {"v1": "x"}}, [1], False, ["r1g1"]),
    ),
    (
        [ASIDE, CLOSED, results.PartClosed(round=1, venue="v1", games=1, missing=["r1g1"], reason="y")],
        lambda s: (s.results.aside, s.results.is_closed(1, "v1"), s.open_games(1)),
        ({}, True, []),
    ),
    ([FIRST, SECOND, CLOSED], lambda s: (s.results.rounds_closed(), s.results.closed), (1, {1: 3})),
    (
        [FIRST, SECOND, CLOSED, REOPENED],
        lambda s: (s.results.rounds_closed(), s.results.recorded),
        (0, {}),
    ),
    (
        [results.CoinEntered(round=1, order=["p2", "p1"]), results.CoinEntered(round=1, order=["p4", "p3"])],
        lambda s: [coin.order for coin in s.results.coins[1]],
        [["p4", "p3"], ["p2", "p1"]],
    ),
    (
        [FIRST, SECOND, CLOSED, results.CoinEntered(round=1, order=["p2", "p1"]), REOPENED],
        lambda s: s.results.coins,
        {},
    ),
    (
        [results.AwardGiven(award="a1", name="x", player="p1")],
        lambda s: (list(s.results.awards), s.results.awarded),
        (["a1"], 1),
    ),
    (
        [results.AwardGiven(award="a1", name="x", player="p1"), results.AwardWithdrawn(award="a1", reason="x")],
        lambda s: (s.results.awards, s.results.awarded),
        ({}, 1),
    ),
    (
        [HELD_BACK],
        lambda s: (s.results.closed, s.results.standings_changed_at(1), s.results.seed_of(1), s.results.recorded),
        ({1: 1}, 1, "ab", {}),
    ),
    (
        [HELD_BACK, results.CoinEntered(round=1, order=["p2", "p1"])],
        lambda s: (s.results.standings_changed_at(1), s.results.seed_of(1)),
        (2, "ab"),
    ),
    (
        [HELD_BACK, FIRST, SECOND],
        lambda s: (s.results.held_back, s.results.standings_changed_at(1), s.results.seed_of(1), s.results.published),
        ({}, 1, "cd", 3),
    ),
    (
        [HELD_BACK, REOPENED],
        lambda s: (s.results.held_back, s.results.standings_changed_at(1), s.results.seed_of(1)),
        ({}, 0, ""),
    ),
    (
        [SUBSCRIBED],
        lambda s: (webhook(s).name, webhook(s).enabled, webhook(s).subscribed, s.webhooks.made),
        ("Site", True, 1, 1),
    ),
    (
        [SUBSCRIBED, webhooks.WebhookChanged(webhook="w1", audience="staff")],
        lambda s: (webhook(s).name, webhook(s).audience, webhook(s).changed),
        ("Site", "staff", 2),
    ),
    (
        [SUBSCRIBED, webhooks.WebhookSecretRotated(webhook="w1", secret=2, overlap_hours=24)],
        lambda s: webhook(s).secret,
        2,
    ),
    (
        [SUBSCRIBED, webhooks.WebhookDisabled(webhook="w1", cause="failing", reason="x")],
        lambda s: (webhook(s).enabled, webhook(s).cause, webhook(s).reason),
        (False, "failing", "x"),
    ),
    (
        [
            SUBSCRIBED,
            webhooks.WebhookDisabled(webhook="w1", cause="failing"),
            webhooks.WebhookEnabled(webhook="w1"),
        ],
        lambda s: (webhook(s).enabled, webhook(s).cause),
        (True, ""),
    ),
    (
        [SUBSCRIBED, webhooks.WebhookReplayed(webhook="w1")],
        lambda s: (webhook(s).enabled, webhook(s).changed),
        (True, 2),
    ),
    (
        [SUBSCRIBED, webhooks.WebhookDeleted(webhook="w1")],
        lambda s: (s.webhooks.by_id, s.webhooks.made),
        ({}, 1),
    ),
    (
        [draws.DrawsCommitted(number=1, digest="d1"), draws.DrawsRevealed(number=1, secret="5e")],
        lambda s: (s.draws["registration"].revealed, s.draws["registration"].current),
        ({1: "5e"}, 0),
    ),
    (
        [draws.DrawsCommitted(number=1, digest="d1"), draws.DrawsLost(number=1, reason="no row holds it")],
        lambda s: (s.draws["registration"].lost, s.draws["registration"].current),
        ([1], 0),
    ),
    (
        [
            draws.DrawsCommitted(number=1, digest="d1", beacon=7),
            draws.BeaconRead(number=1, signature="00"),
        ],
        lambda s: s.draws["registration"].with_beacon_value(1, "pairing: 1, 1"),
        "pairing: 1, 1, beacon 6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    ),
    (
        [
            draws.DrawsCommitted(number=1, digest="d1", beacon=7),
            draws.BeaconMissed(number=1, reason="ConnectTimeout"),
        ],
        lambda s: s.draws["registration"].with_beacon_value(1, "pairing: 1, 1"),
        "pairing: 1, 1",
    ),
    (
        [results.TournamentConcluded(winner="p1", rounds=1, reason="storm")],
        lambda s: (s.results.concluded, s.results.winner, s.results.early_reason),
        (True, "p1", "storm"),
    ),
]


@pytest.mark.parametrize(("happened", "look", "expected"), STORIES)
def test_given_when_then(happened, look, expected):
    assert look(told(*happened)) == expected


@pytest.mark.parametrize("happened", [happened for happened, _, _ in STORIES])
def test_every_state_survives_encoding_and_decoding(happened):
    state = told(*happened)
    assert decode(encode(state)) == state


def test_every_event_has_a_story():
    """Those of co-operative events are in tests/coop/test_given_then.py, those of campaigns in tests/campaign,
    those of seasons in tests/season."""
    told_of = {type(event) for happened, _, _ in STORIES for event in [*GIVEN, *happened]}
    assert told_of == {
        event.schema for event in CATALOGUE.values() if event.schema.__module__.startswith("shared.tournament.")
    }


def test_the_last_change_of_a_resource_is_known():
    state = told(ROSTER, REPORTED, registration.TournamentAmended(name="Other"))
    assert (player(state).changed, result(state).changed, state.entries.changed) == (8, 1, 9)
    assert (state.rounds.rounds[1].changed, player(state, "p2").changed) == (3, 5)
