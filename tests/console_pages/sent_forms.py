"""Forms of which a page comes back: with faults, a preview, or what is true by now. For an event of `crowded_event`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from bench.crowded import name_of

Forms = Mapping[str, Sequence[tuple[str, Mapping[str, object]]]]
"""What takes them -> below which address of the event, and what stands in them."""
ROWS, FAULTY = 5_000, 40
NAMES = [f"{name_of(Random(number))} {number}" for number in range(ROWS)]
FILE = "name,club\n" + "".join(f"{name},Club {number % 40}\n" for number, name in enumerate(NAMES))
STALE = {"version": '"of-yesterday"'}
TYPED = {"points_1": "150", "points_2": "99", "reason": "they counted anew", "do": "preview"}
OF_STAFF: Forms = {
    "players.show": [("players", {"players": "\n".join(NAMES)}), ("players", {"players": ""})],
    "players.check_in_all": [("players/check-in", {"player": [f"p{number}" for number in range(1, 3_000)]})],
    "players.several": [
        ("players/several", {"part": "several", "do": "drop", "player": [f"p{number}" for number in range(1, 3_000)]}),
        ("players/several", {"part": "several", "do": "check-in", "player": ["p1", "p0"], "to": "v99"}),
    ],
    "players.change": [("players/p1", {"do": "check-in", "venue": "v99"})],
    "players.check_in": [("check-in", {"q": "a"}), ("check-in", {"do": "check-in", "player": "p0"})],
    "players.one": [("player/p1", {"do": "disqualify"}), ("player/p1", {"do": "move", "venue": "v99", "reason": "so"})],
    "players.waiting_list": [("waiting", {"give": "p2001"}), ("waiting", {"seats": "1"})],
    "lists.one": [("lists/p1", {"do": "reject"}), ("lists/p1", {"part": "paper", "paper-fleet_total": "900"})],
    "lists.show": [("lists?state=none", {"part": "paper", "player": "p200", "on_paper": "printed"})],
    "event_settings.show": [
        ("settings", {"part": "event", "name": "", "capacity": "1"}),
        ("settings", {"part": "tables:v1", "tables_v1": "9-1"}),
        ("settings", {"part": "cancel", "why_cancelled": "the roof leaks"}),
    ],
    "rounds.act": [
        ("round", {"do": "look", "round": "4"}),
        ("round", {"do": "close", "round": "4"}),
        ("round", {"do": "extend", "round": "4", "minutes": "many"}),
        ("round", {"do": "pair", "round": "5"}),
    ],
    "rounds.quick": [("quick", {"part": "quick", "round": "4", "table": "many"})],
    "rounds.several": [
        ("round/several", {"part": "several", "round": "4", "do": "time", "game": "r4g1", "more": "many"}),
        ("round/several", {"part": "several", "round": "4", "do": "confirm", "game": ["r4g1", "r9g9"]}),
    ],
    "results.show": [
        ("games/r4g1", {**TYPED, "points_1": "many"}),
        ("games/r4g1", TYPED),
        ("games/r1g1", TYPED),
        ("games/r4g1", {"do": "warn"}),
    ],
    "results.look_first": [("games/r4g1/look", TYPED), ("games/r4g1/look", {**TYPED, "points_1": "many"})],
    "reversals.void": [("games/r4g1/voiding", {})],
    "reversals.reopen": [("round/4/reopening", {}), ("round/3/reopening", {"reason": "too early"})],
    "reversals.withdraw_award": [("awards/a1/withdrawal", {})],
    "player_wishes.apart": [("apart", {"players": "\n".join(NAMES[:100])}), ("apart", {"players": "a\nb"})],
    "player_wishes.table": [("player/p1/table", {"venue": "v99", "table": "many"})],
    "player_wishes.erase": [("player/p1/erasure", {})],
    "spares_and_ties.spares": [("spare", {"staff": "s99"})],
    "operator_data.show": [("operator-data", {})],
    "webhooks.of_event": [("webhooks", {"name": "", "url": "ftp://x"})],
    "webhooks.one_of_event": [("webhooks/w1", {"do": "rotate", "hours": "many"})],
    "referee.act": [("referee", {"do": "answer", "call": "c1"}), ("referee", {"do": "take", "call": "c0"})],
    "standings.awards": [("awards", {"do": "give"}), ("awards", {"do": "preview"})],
    "cut.act": [("cut", {"do": "make", "places": "many"}), ("cut", {"do": "publish"})],
    "standings.show": [("standings", {})],
    "prints.codes": [("prints/codes", {}), ("prints/codes", {"page": "many"})],
}
OF_PLAYERS: Forms = {
    "table.show": [("table", {"do": "report"}), ("table", {"do": "dispute"})],
    "lists.mine": [("my-list", {}), ("my-list", {"do": "check"})],
}
OF_GUESTS: Forms = {"home.join": [("join", {"name": ""})]}
