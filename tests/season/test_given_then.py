"""State changes by each season event, given two players with an entry each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from shared.formats.fold import CATALOGUE, decode, encode, fold
from shared.log.event import EMPTY_HEAD, Event, Head
from shared.log.log import Stamp, chain_events
from shared.season import entries
from shared.season.entries import SEASON_ENTRIES, EntryNamed
from shared.season.state import (
    SEASON,
    DivisionMove,
    DivisionsDecided,
    FinalCutMade,
    InvitationAccepted,
    InvitationDeclined,
    LogEnd,
    SeasonResultsTaken,
    SeasonRowRecorded,
    SeasonStandingsRecorded,
)
from shared.service.commands import entries_of
from shared.tournament import registration
from shared.tournament.format import ResultRow
from shared.tournament.state import Tournament
from tests.acting import acting

TIME = "2026-03-01T10:00:00.000Z"
CUP = {"name": "Cup", "format": "swiss", "ruleset": "x"}
HERS, HIS = (EntryNamed(tournament="t-1", entry=entry) for entry in ("p7", "p8"))
ROW = ResultRow(entry="p7", name="Ana", place=1)
ENDS = [LogEnd(source="scoring", position=9, hash="ab")]
GIVEN: list[Event] = [
    registration.TournamentAnnounced(name="League", format="season", ruleset={"id": "x"}),
    registration.PlayerJoined(player="p1", name="Ana"),
    registration.PlayerJoined(player="p2", name="Ben"),
    entries.TournamentGathered(tournament="t-1", played_on="2026-05-01", **CUP),
    entries.TournamentGathered(tournament="t-0", played_on="2026-04-01", **CUP),
    entries.EntryClaimed(player="p1", tournament="t-1", entry="p7"),
    entries.EntryClaimed(player="p2", tournament="t-1", entry="p8"),
]
MERGED = entries.IdentitiesMerged(player="p2", into="p1", entries=[HIS])
FINAL = FinalCutMade(invited=["p1", "p2"], standings=2, named=["p2"])


def taken(page: int, pages: int, *rows: ResultRow) -> SeasonResultsTaken:
    heads = ENDS if page == 1 else []
    return SeasonResultsTaken(
        tournament="t-1", reason="concluded", page=page, pages=pages, rows=list(rows), heads=heads
    )


def recorded(number: int, page: int, pages: int, player: str) -> SeasonStandingsRecorded:
    rows = [SeasonRowRecorded(rank=page, overall=page, player=player, points=3)]
    return SeasonStandingsRecorded(number=number, page=page, pages=pages, rows=rows, registration=7)


def state_after(*events: Event) -> Tournament:
    """Return the state after these events, following the given ones."""
    heads: dict[str, Head] = {}
    state = Tournament()
    for event in [*GIVEN, *events]:
        source = CATALOGUE[type(event).__name__].owners[0]
        made = chain_events(
            source, "t-s", heads.get(source, EMPTY_HEAD), entries_of([event]), Stamp(acting("x"), "c", TIME, {})
        )
        heads[source] = Head(made[-1].position, made[-1].hash)
        fold(state, made)
    return state


STORIES: list[tuple[list[Event], Callable[[Tournament], Any], Any]] = [
    ([], lambda s: [one.tournament for one in SEASON_ENTRIES.of(s).in_order()], ["t-0", "t-1"]),
    ([], lambda s: (SEASON_ENTRIES.of(s).entries_of("p1"), SEASON_ENTRIES.of(s).identity("p1")), ([HERS], "p1")),
    ([], lambda s: s.entries.players["p1"].joined_on, "2026-03-01"),
    (
        [entries.TournamentReleased(tournament="t-1", reason="x")],
        lambda s: (list(SEASON_ENTRIES.of(s).gathered), SEASON_ENTRIES.of(s).entries_of("p1")),
        (["t-0"], [HERS]),
    ),
    (
        [MERGED],
        lambda s: (
            SEASON_ENTRIES.of(s).entries_of("p1"),
            SEASON_ENTRIES.of(s).entries_of("p2"),
            SEASON_ENTRIES.of(s).identity("p2"),
        ),
        ([HERS, HIS], [], "p1"),
    ),
    (
        [MERGED, entries.IdentitySplit(player="p1", into="p2", entries=[HIS])],
        lambda s: (
            SEASON_ENTRIES.of(s).entries_of("p1"),
            SEASON_ENTRIES.of(s).entries_of("p2"),
            SEASON_ENTRIES.of(s).identity("p2"),
        ),
        ([HERS], [HIS], "p2"),
    ),
    (
        [entries.DivisionEntered(division="A", players=["p1", "p2"])],
        lambda s: SEASON_ENTRIES.of(s).divisions,
        {"p1": "A", "p2": "A"},
    ),
    (
        [entries.PlayerCarriedOver(player="p1", season="t-last", before="p9")],
        lambda s: SEASON_ENTRIES.of(s).before,
        {"p1": ("t-last", "p9")},
    ),
    ([taken(1, 2, ROW)], lambda s: SEASON.of(s).taken, {}),
    (
        [taken(1, 2, ROW), taken(2, 2, ROW)],
        lambda s: (
            SEASON.of(s).taken["t-1"].rows,
            SEASON.of(s).taken["t-1"].heads["scoring"].position,
            SEASON.of(s).coming_results,
        ),
        ([ROW, ROW], 9, None),
    ),
    (
        [taken(1, 1, ROW), msgspec.structs.replace(taken(1, 1), told=True)],
        lambda s: (SEASON.of(s).taken["t-1"].rows, SEASON.of(s).told["t-1"].rows),
        ([ROW], []),
    ),
    ([recorded(1, 1, 2, "p1")], lambda s: SEASON.of(s).table, None),
    (
        [recorded(1, 1, 2, "p1"), recorded(1, 2, 2, "p2")],
        lambda s: (
            SEASON.of(s).table.number,
            [row.player for row in SEASON.of(s).table.rows],
            SEASON.of(s).table.registration,
        ),
        (1, ["p1", "p2"], 7),
    ),
    (
        [recorded(1, 1, 1, "p1"), recorded(2, 1, 2, "p2")],
        lambda s: (SEASON.of(s).table.number, [row.player for row in SEASON.of(s).table.rows]),
        (1, ["p1"]),
    ),
    (
        [
            DivisionsDecided(
                moves=[DivisionMove(player="p1", division="B", to="A", rank=1, reason="promoted")], named=["p1"]
            )
        ],
        lambda s: ([(move.player, move.to) for move in SEASON.of(s).moves], SEASON.of(s).moves_named),
        ([("p1", "A")], ["p1"]),
    ),
    (
        [FINAL],
        lambda s: (SEASON.of(s).final.answers, SEASON.of(s).final.named, SEASON.of(s).final.instead),
        ({"p1": "invited", "p2": "invited"}, ["p2"], {}),
    ),
    (
        [
            FINAL,
            InvitationAccepted(player="p1"),
            InvitationDeclined(player="p2", replaced_by="p3"),
            InvitationDeclined(player="p3", reason="abroad", named=["p4"], replaced_by="p4"),
        ],
        lambda s: (SEASON.of(s).final.answers, SEASON.of(s).final.named, SEASON.of(s).final.instead),
        (
            {"p1": "accepted", "p2": "declined", "p3": "declined", "p4": "invited"},
            ["p2", "p4"],
            {"p3": "p2", "p4": "p3"},
        ),
    ),
]


@pytest.mark.parametrize(("happened", "look", "expected"), STORIES)
def test_state_after_each_event(happened, look, expected):
    assert look(state_after(*happened)) == expected


@pytest.mark.parametrize("happened", [happened for happened, _, _ in STORIES])
def test_state_survives_serialisation(happened):
    state = state_after(*happened)
    assert decode(encode(state)) == state


def test_every_season_event_is_tested():
    told_of = {type(event) for happened, _, _ in STORIES for event in [*GIVEN, *happened]}
    every = {event.schema for event in CATALOGUE.values() if ".season_" in event.schema.__module__}
    assert every <= told_of
