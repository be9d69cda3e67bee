"""Promotion, relegation, and invitations to the final."""

from __future__ import annotations

import msgspec
import pytest

from shared.season.ending import final_cut, promotions
from shared.season.ruleset import Division
from shared.season.table import season_table
from tests.season.rules.story import members, placed, rules

NAMES = ("First", "Second", "Third")
EIGHT = [placed(1, "Ana Ben Cy Di Ed Fay Gil Hal")]


def divided(*movers: int, **fields):
    """Return points by place in divisions. movers: members who move between the first and second, and so on."""
    ups, downs = (0, *movers), (*movers, 0)
    every = [
        Division(name=name, up=up, down=down, clause="X") for name, up, down in zip(NAMES, ups, downs, strict=False)
    ]
    return rules(divisions={"divisions": every, "used": True, **fields})


def people(first: str, second: str, third: str = ""):
    return [
        member
        for name, told in zip(NAMES, (first, second, third), strict=True)
        for member in members(told, division=name)
    ]


def moved(ruleset, everybody, gathered=EIGHT, decided=()):
    found = promotions(ruleset, season_table(ruleset, everybody, gathered), decided)
    return [(move.player, move.before, move.after, move.reason) for move in found.moves], found.undecided


@pytest.mark.clause("SEA-DIV-1")
def test_first_are_promoted_and_last_relegated():
    moves, undecided = moved(
        divided(1, 2), people("Ana Ben", "Cy Di Ed", "Fay Gil Hal"), [*EIGHT, placed(2, "Fay Gil")]
    )
    assert moves == [
        ("Ben", "First", "Second", "relegated"),
        ("Cy", "Second", "First", "promoted"),
        ("Ed", "Second", "Third", "relegated"),
        ("Di", "Second", "Third", "relegated"),
        ("Fay", "Third", "Second", "promoted"),
        ("Gil", "Third", "Second", "promoted"),
    ]
    assert not undecided
    assert moved(divided(1, used=False), people("Ana Ben", "Cy Di")) == ([], ())


@pytest.mark.clause("SEA-DIV-1")
def test_no_one_is_promoted_and_relegated_at_once():
    moves, _ = moved(divided(1, 1), people("Ana", "Ben", "Cy"))
    assert moves == [
        ("Ana", "First", "Second", "relegated"),
        ("Ben", "Second", "First", "promoted"),
        ("Cy", "Third", "Second", "promoted"),
    ]


@pytest.mark.clause("SEA-ELIG", "SEA-DIV-1")
def test_ineligible_member_is_not_promoted():
    cast = people("Ana", "Ben Cy Di")
    cast[1] = msgspec.structs.replace(cast[1], status="dropped")
    moves, _ = moved(divided(1), cast)
    assert ("Cy", "Second", "First", "promoted") in moves
    nobody = msgspec.structs.replace(divided(1), eligibility=msgspec.structs.replace(rules().eligibility, minimum=2))
    assert [move[0] for move in moved(nobody, cast)[0]] == ["Ana"]


@pytest.mark.clause("SEA-DIV-3")
def test_member_who_left_takes_a_relegation_place():
    cast = people("Ana Ben Cy", "Di")
    cast[0] = msgspec.structs.replace(cast[0], status="dropped")
    assert [move[0] for move in moved(divided(1), cast)[0]] == ["Di"]
    assert [move[0] for move in moved(divided(2), cast)[0]] == ["Cy", "Di"]


@pytest.mark.clause("SEA-DIV-3", "SEA-MIN")
@pytest.mark.parametrize(
    ("inactive", "found"),
    [
        ("as_ranked", [("Ana", "First", "Second", "relegated")]),
        ("stays", [("Cy", "First", "Second", "relegated")]),
        ("down", [("Ana", "First", "Second", "inactive")]),
    ],
)
def test_inactive_members(inactive, found):
    ruleset = divided(1, inactive=inactive)
    ruleset = msgspec.structs.replace(ruleset, counting=msgspec.structs.replace(ruleset.counting, minimum=2))
    gathered = [placed(1, "Ana Ben Cy"), placed(2, "Ben Cy")]
    moves, _ = moved(ruleset, people("Ana Ben Cy", ""), gathered)
    assert moves == found


@pytest.mark.clause("SEA-DIV-2")
@pytest.mark.parametrize(
    ("ties", "decided", "up", "open_"),
    [
        ("all", (), ["Ben", "Cy"], ()),
        ("none", (), [], ()),
        ("staff", (), [], ("Ben", "Cy")),
        ("staff", ("Cy",), ["Cy"], ()),
        ("staff", ("Ben", "Cy"), [], ("Ben", "Cy")),
    ],
)
def test_tie_at_the_promotion_line(ties, decided, up, open_):
    cast = people("Ana", "Ben Cy Di")
    moves, undecided = moved(divided(1, ties=ties), cast, [placed(1, "Ana Ben=Cy Di")], decided)
    assert [move[0] for move in moves if move[3] == "promoted"] == up
    assert [(one.what, one.division, one.places, one.players) for one in undecided] == (
        [("up", "Second", 1, open_)] if open_ else []
    )


@pytest.mark.clause("SEA-DIV-2")
@pytest.mark.parametrize(
    ("ties", "decided", "down", "open_"),
    [
        ("all", (), ["Cy", "Di"], ()),
        ("none", (), [], ()),
        ("staff", (), [], ("Cy", "Di")),
        ("staff", ("Di",), ["Di"], ()),
    ],
)
def test_tie_at_the_relegation_line(ties, decided, down, open_):
    moves, undecided = moved(divided(1, ties=ties), people("Ana Ben Cy Di", ""), [placed(1, "Ana Ben Cy=Di")], decided)
    assert [move[0] for move in moves] == down
    assert [(one.what, one.division, one.places, one.players) for one in undecided] == (
        [("down", "First", 1, open_)] if open_ else []
    )


def invited(ruleset, everybody, gathered=EIGHT, **chosen):
    found = final_cut(ruleset, season_table(ruleset, everybody, gathered), **chosen)
    return [(one.seed, one.player, one.instead) for one in found.invited], found.undecided


@pytest.mark.clause("SEA-FINAL-1")
def test_number_and_order_of_invitations():
    ruleset = rules(final={"to": 3})
    assert invited(ruleset, members("Ana Ben Cy Di")) == ([(1, "Ana", False), (2, "Ben", False), (3, "Cy", False)], ())
    assert invited(rules(), members("Ana Ben")) == ([], ())
    assert invited(rules(final={"to": 8}), members("Ana Ben"))[0] == [(1, "Ana", False), (2, "Ben", False)]


@pytest.mark.clause("SEA-FINAL-1")
@pytest.mark.parametrize(
    ("per", "found"),
    [("season", [("Ana", 1), ("Cy", 2)]), ("division", [("Ana", 1), ("Ben", 2), ("Cy", 1), ("Di", 2)])],
)
def test_final_of_the_season_or_of_each_division(per, found):
    ruleset = msgspec.structs.replace(divided(1), final=msgspec.structs.replace(rules().final, to=2, per=per))
    gathered = [placed(1, "Ana Cy Ben Di")]
    coming = final_cut(ruleset, season_table(ruleset, people("Ana Ben", "Cy Di"), gathered)).invited
    assert [(one.player, one.rank) for one in coming] == found


@pytest.mark.clause("SEA-FINAL-2")
@pytest.mark.parametrize(("replaced", "found"), [(True, [("Ana", False), ("Cy", True)]), (False, [("Ana", False)])])
def test_declined_invitations(replaced, found):
    ruleset = rules(final={"to": 2, "replaced": replaced})
    seeds = invited(ruleset, members("Ana Ben Cy Di"), declined=["Ben"])[0]
    assert [one[1:] for one in seeds] == found
    assert [one[0] for one in seeds] == list(range(1, len(seeds) + 1))


@pytest.mark.clause("SEA-ELIG", "SEA-FINAL-1")
@pytest.mark.parametrize(
    ("part", "fields"),
    [
        ("eligibility", {"minimum": 2}),
        ("eligibility", {"venues": ["Hall"]}),
        ("eligibility", {"clubs": ["Owls"]}),
        ("final", {"to": 2, "minimum": 2}),
    ],
)
def test_eligibility_for_the_final(part, fields):
    ruleset = rules(**{"final": {"to": 2}, part: fields})
    everybody = [*members("Ana Ben"), *members("Cy Di", venue="Hall", club="Owls")]
    gathered = [*EIGHT, placed(2, "Cy Di")]
    assert [one[1] for one in invited(ruleset, everybody, gathered)[0]] == ["Cy", "Di"]


@pytest.mark.clause("SEA-ELIG")
def test_eligibility_by_division():
    ruleset = msgspec.structs.replace(
        divided(1),
        final=msgspec.structs.replace(rules().final, to=2),
        eligibility=msgspec.structs.replace(rules().eligibility, divisions=["Second"]),
    )
    assert [one[1] for one in invited(ruleset, people("Ana Ben", "Cy Di"))[0]] == ["Cy", "Di"]


@pytest.mark.clause("SEA-ELIG", "SEA-DQ")
@pytest.mark.parametrize(("disqualified", "found"), [("out", ["Ben", "Cy"]), ("stays", ["Ana", "Ben"])])
def test_eligibility_after_a_disqualification_in_a_tournament(disqualified, found):
    gathered = placed(2, "Ana")
    (result,) = gathered.results
    out = msgspec.structs.replace(gathered, results=(msgspec.structs.replace(result, status="disqualified"),))
    ruleset = rules(final={"to": 2}, eligibility={"disqualified": disqualified})
    assert [one[1] for one in invited(ruleset, members("Ana Ben Cy"), [*EIGHT, out])[0]] == found


@pytest.mark.clause("SEA-FINAL-1")
@pytest.mark.parametrize(
    ("ties", "decided", "found", "open_"),
    [
        ("all", (), ["Ana", "Ben", "Cy"], ()),
        ("none", (), ["Ana"], ()),
        ("staff", (), ["Ana"], ("Ben", "Cy")),
        ("staff", ("Cy",), ["Ana", "Cy"], ()),
    ],
)
def test_tie_for_the_last_place_in_the_final(ties, decided, found, open_):
    ruleset = rules(final={"to": 2, "ties": ties})
    seeds, undecided = invited(ruleset, members("Ana Ben Cy"), [placed(1, "Ana Ben=Cy")], decided=decided)
    assert [one[1] for one in seeds] == found
    assert [(one.what, one.places, one.players) for one in undecided] == ([("final", 1, open_)] if open_ else [])
