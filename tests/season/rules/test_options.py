"""Every option of both packs, with its default and another value."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from shared.formats.options import apply_options
from shared.formats.packs import shipped
from shared.rules.model import OptionsRefused
from shared.season.ending import final_cut, promotions
from shared.season.ruleset import GamePlayed, Member, SeasonRuleset, TournamentResults
from shared.season.table import season_table
from tests.season.rules.story import members, placed, played, rules

OTHERWISE: dict[str, tuple[Any, dict[str, Any]]] = {
    "season.best": (1, {}),
    "season.best_per_cent": (30, {"season.best": "all"}),
    "season.planned": (9, {"season.best_per_cent": 30}),
    "season.minimum": (3, {}),
    "season.below_minimum": ("ranked", {"season.minimum": 3}),
    "season.dropped_out": (False, {}),
    "season.before_joining": (False, {}),
    "season.games": ("counted", {"season.best": 1, "season.rating": "none"}),
    "season.participation": (7, {}),
    "season.weights": (None, {}),
    "season.eligible_minimum": (3, {}),
    "season.disqualified": ("stays", {}),
    "season.division_ties": ("all", {"season.divisions": True}),
    "season.inactive": ("down", {"season.divisions": True, "season.minimum": 3}),
    "season.entry": ("highest", {"season.divisions": True}),
    "season.final": (3, {}),
    "season.final_per": ("division", {"season.divisions": True, "season.final": 3}),
    "season.final_ties": ("all", {"season.final": 3, "season.best": "all"}),
    "season.final_minimum": (3, {"season.final": 3}),
    "season.final_replaced": (False, {"season.final": 3}),
    "season.rating": ("elo", {}),
    "season.rating_period": (2, {"season.rating": "glicko2"}),
    "season.rating_initial": (1200, {"season.rating": "elo"}),
    "season.elo_k": (40, {"season.rating": "elo"}),
    "season.glicko_deviation": (200, {"season.rating": "glicko2"}),
    "season.glicko_tau": ("1.2", {"season.rating": "glicko2"}),
    "season.glicko_idle": ("stays", {"season.rating": "glicko2"}),
    "season.shared_places": ("last", {}),
    "season.places": ("members", {}),
    "season.divisions": (None, {}),
    "season.win": (2, {}),
    "season.draw": (0, {}),
    "season.loss": (1, {}),
    "season.bye": (1, {}),
    "season.forfeit": (1, {}),
    "season.movers": (1, {"season.divisions": True}),
}
"""Key -> another value than the default (a flag: the other one), and what else is set for it to make a difference."""

TOLD_ELSEWHERE = {"season.after_end"}
"""What a season does with corrections after its end, which is not a matter of one table."""

PACKS: dict[str, SeasonRuleset] = {id: rules(id) for id in shipped("season")}
each_option = pytest.mark.parametrize(
    ("id", "key"), [(id, option.key) for id, pack in PACKS.items() for option in pack.options]
)


def people() -> list[Member]:
    """Return three members of the first division, three of the second, and one who joined late without a division."""
    return [
        *members("Ana Ben Cy", division="First"),
        *members("Di Ed Fay", division="Second"),
        *members("Gil", joined=3),
    ]


def gathered() -> list[TournamentResults]:
    """Return three tournaments with ties, a weight, a bye, a forfeit, an upset, a leaver and a disqualification."""
    one = played(1, "Ana>Ben Cy=Di Ed>Fay Gil Ana>Cy Xia>Ana Ben>Gil " + "Ana>Fay " * 4, weight=200)
    two = played(2, "Fay>Ana Di>Ben Ed=Di Cy")
    three = placed(3, "Xia Ed Gil=Di")
    statuses = {("t2", "Cy"): "dropped", ("t3", "Ed"): "disqualified"}
    forfeit = GamePlayed("loss", "Xia", "forfeit")
    return [
        msgspec.structs.replace(
            told,
            results=tuple(
                msgspec.structs.replace(
                    result,
                    status=statuses.get((told.tournament, result.entry), "active"),
                    games=(*result.games, forfeit) if result.entry == "Gil" else result.games,
                )
                for result in told.results
            ),
        )
        for told in (one, two, three)
    ]


def outcome(ruleset: SeasonRuleset) -> tuple[object, ...]:
    """Return all visible results of a season: table, promotions, and the final if Ana declines.

    Includes the same for a season without games, and one in which a single game separates Ana from Ben.
    """
    tie = [played(1, "Xia>Ana Xia>Ben Ana>Ben"), placed(2, "Ana Xia Yul Zoe"), placed(3, "Ben Xia Yul Zoe")]
    tables = [season_table(ruleset, people(), season) for season in (gathered(), [], tie)]
    return tuple((table, promotions(ruleset, table), final_cut(ruleset, table, declined=["Ana"])) for table in tables)


def otherwise(pack: SeasonRuleset, key: str) -> Any:
    value, _ = OTHERWISE[key]
    return value if value is not None else not next(option.default for option in pack.options if option.key == key)


@pytest.mark.clause("SEA-WEIGHT", "SEA-GAMES", "SEA-RATE-1", "SEA-END")
@each_option
def test_an_option_makes_a_difference(id, key):
    pack = PACKS[id]
    if key in TOLD_ELSEWHERE:
        assert apply_options(pack, {key: "counts"}).counting.after_end == "counts"
        return
    known = {option.key for option in pack.options}
    others = {other: value for other, value in OTHERWISE[key][1].items() if other in known}
    default = apply_options(pack, others)
    changed = apply_options(pack, {**others, key: otherwise(pack, key)})
    assert changed.chosen[key] == otherwise(pack, key)
    assert outcome(changed) != outcome(default), key


@each_option
def test_defaults_equal_the_values_of_the_pack(id, key):
    pack = PACKS[id]
    default = next(option.default for option in pack.options if option.key == key)
    assert outcome(apply_options(pack, {key: default})) == outcome(pack)


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"season.best": 9, "season.planned": 8}, "/season.best"),
        ({"season.minimum": 9, "season.planned": 8}, "/season.minimum"),
        ({"season.best": -1}, "/season.best"),
        ({"season.final": 1}, "/season.final"),
        ({"season.final": 4, "season.final_per": "division"}, "/season.final_per"),
        ({"season.rating": "trueskill"}, "/season.rating"),
        ({"season.colour": "red"}, "/season.colour"),
    ],
)
def test_invalid_options_are_refused_at_their_place(options, where):
    with pytest.raises(OptionsRefused) as refused:
        apply_options(PACKS["season-points"], options)
    assert where in [fault.where for fault in refused.value.faults]
