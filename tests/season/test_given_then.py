"""What each event of a season changes: given two players with an entry each, when this happened, it is so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from shared.events import registration, season_registration
from shared.events import season_scoring as said
from shared.events.base import Event
from shared.events.catalogue import CATALOGUE
from shared.events.recorded import EMPTY, Head
from shared.events.season_registration import EntryNamed
from shared.handling.desk import entries_of
from shared.log.append import Stamp, chained
from shared.state.tournament import Tournament, decode, encode, fold

TIME = "2026-03-01T10:00:00.000Z"
CUP = {"name": "Cup", "format": "swiss", "ruleset": "x"}
HERS, HIS = (EntryNamed(tournament="t-1", entry=entry) for entry in ("p7", "p8"))
ROW = said.ResultRow(entry="p7", name="Ana", place=1)
ENDS = [said.LogEnd(source="scoring", position=9, hash="ab")]
GIVEN: list[Event] = [
    registration.TournamentAnnounced(name="League", format="season", ruleset={"id": "x"}),
    registration.PlayerJoined(player="p1", name="Ana"),
    registration.PlayerJoined(player="p2", name="Ben"),
    season_registration.TournamentGathered(tournament="t-1", played_on="2026-05-01", **CUP),
    season_registration.TournamentGathered(tournament="t-0", played_on="2026-04-01", **CUP),
    season_registration.EntryClaimed(player="p1", tournament="t-1", entry="p7"),
    season_registration.EntryClaimed(player="p2", tournament="t-1", entry="p8"),
]
MERGED = season_registration.IdentitiesMerged(player="p2", into="p1", entries=[HIS])
FINAL = said.FinalCutMade(invited=["p1", "p2"], standings=2, named=["p2"])


def taken(page: int, pages: int, *rows: said.ResultRow) -> said.SeasonResultsTaken:
    heads = ENDS if page == 1 else []
    return said.SeasonResultsTaken(
        tournament="t-1", why="concluded", page=page, pages=pages, rows=list(rows), heads=heads
    )


def recorded(number: int, page: int, pages: int, player: str) -> said.SeasonStandingsRecorded:
    rows = [said.SeasonRowRecorded(rank=page, overall=page, player=player, points=3)]
    return said.SeasonStandingsRecorded(number=number, page=page, pages=pages, rows=rows, registration=7)


def told(*events: Event) -> Tournament:
    """The state after these, behind what is given."""
    heads: dict[str, Head] = {}
    state = Tournament()
    for event in [*GIVEN, *events]:
        source = CATALOGUE[type(event).__name__].owners[0]
        made = chained(source, "t-s", heads.get(source, EMPTY), entries_of([event]), Stamp("x", "c", TIME, {}))
        heads[source] = Head(made[-1].position, made[-1].hash)
        fold(state, made)
    return state


STORIES: list[tuple[list[Event], Callable[[Tournament], Any], Any]] = [
    ([], lambda s: [one.tournament for one in s.season_entries.in_order()], ["t-0", "t-1"]),
    ([], lambda s: (s.season_entries.entries_of("p1"), s.season_entries.identity("p1")), ([HERS], "p1")),
    ([], lambda s: s.entries.players["p1"].joined_on, "2026-03-01"),
    (
        [season_registration.TournamentReleased(tournament="t-1", reason="x")],
        lambda s: (list(s.season_entries.gathered), s.season_entries.entries_of("p1")),
        (["t-0"], [HERS]),
    ),
    (
        [MERGED],
        lambda s: (
            s.season_entries.entries_of("p1"),
            s.season_entries.entries_of("p2"),
            s.season_entries.identity("p2"),
        ),
        ([HERS, HIS], [], "p1"),
    ),
    (
        [MERGED, season_registration.IdentitySplit(player="p1", into="p2", entries=[HIS])],
        lambda s: (
            s.season_entries.entries_of("p1"),
            s.season_entries.entries_of("p2"),
            s.season_entries.identity("p2"),
        ),
        ([HERS], [HIS], "p2"),
    ),
    (
        [season_registration.DivisionEntered(division="A", players=["p1", "p2"])],
        lambda s: s.season_entries.divisions,
        {"p1": "A", "p2": "A"},
    ),
    (
        [season_registration.PlayerCarriedOver(player="p1", season="t-last", before="p9")],
        lambda s: s.season_entries.before,
        {"p1": ("t-last", "p9")},
    ),
    ([taken(1, 2, ROW)], lambda s: s.season.taken, {}),
    (
        [taken(1, 2, ROW), taken(2, 2, ROW)],
        lambda s: (
            s.season.taken["t-1"].rows,
            s.season.taken["t-1"].heads["scoring"].position,
            s.season.coming_results,
        ),
        ([ROW, ROW], 9, None),
    ),
    (
        [taken(1, 1, ROW), msgspec.structs.replace(taken(1, 1), told=True)],
        lambda s: (s.season.taken["t-1"].rows, s.season.told["t-1"].rows),
        ([ROW], []),
    ),
    ([recorded(1, 1, 2, "p1")], lambda s: s.season.table, None),
    (
        [recorded(1, 1, 2, "p1"), recorded(1, 2, 2, "p2")],
        lambda s: (s.season.table.number, [row.player for row in s.season.table.rows], s.season.table.registration),
        (1, ["p1", "p2"], 7),
    ),
    (
        [recorded(1, 1, 1, "p1"), recorded(2, 1, 2, "p2")],
        lambda s: (s.season.table.number, [row.player for row in s.season.table.rows]),
        (1, ["p1"]),
    ),
    (
        [
            said.DivisionsDecided(
                moves=[said.DivisionMove(player="p1", division="B", to="A", rank=1, why="promoted")], named=["p1"]
            )
        ],
        lambda s: ([(move.player, move.to) for move in s.season.moves], s.season.moves_named),
        ([("p1", "A")], ["p1"]),
    ),
    (
        [FINAL],
        lambda s: (s.season.final.answers, s.season.final.named, s.season.final.instead),
        ({"p1": "invited", "p2": "invited"}, ["p2"], {}),
    ),
    (
        [
            FINAL,
            said.InvitationAccepted(player="p1"),
            said.InvitationDeclined(player="p2", replaced_by="p3"),
            said.InvitationDeclined(player="p3", reason="abroad", named=["p4"], replaced_by="p4"),
        ],
        lambda s: (s.season.final.answers, s.season.final.named, s.season.final.instead),
        (
            {"p1": "accepted", "p2": "declined", "p3": "declined", "p4": "invited"},
            ["p2", "p4"],
            {"p3": "p2", "p4": "p3"},
        ),
    ),
]


@pytest.mark.parametrize(("happened", "look", "expected"), STORIES)
def test_given_a_season_when_this_happened_then_it_is_so(happened, look, expected):
    assert look(told(*happened)) == expected


@pytest.mark.parametrize("happened", [happened for happened, _, _ in STORIES])
def test_every_state_survives_being_written_and_read(happened):
    state = told(*happened)
    assert decode(encode(state)) == state


def test_every_event_of_seasons_has_its_story():
    told_of = {type(event) for happened, _, _ in STORIES for event in [*GIVEN, *happened]}
    every = {event.schema for event in CATALOGUE.values() if ".season_" in event.schema.__module__}
    assert every <= told_of
