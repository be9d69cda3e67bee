"""Views of a group: sheets, histories, balances, ratings."""

from __future__ import annotations

import pytest

from shared.campaign.dice import Modifier
from shared.campaign.group import group_rating, new_member, rating_parts
from shared.campaign.injuries import roll_injury
from shared.campaign.ledger import Shown, entries_of, history_of, sheet_of
from shared.campaign.outcomes import GroupAccepted, InjurySuffered, MemberJoined
from shared.campaign.post_game_outcomes import CapsMoved
from shared.campaign.roster import GroupBuilt, HeldPerk
from tests.campaign.play import Play
from tests.campaign.story import RULES, a_group, in_step, then, thrown, with_member


@pytest.mark.clause("FS-INJ-2", "FS-RAD-1", "FS-PRK-2", "FS-UPK-3", "FS-UPK-4", "FS-FRC-1")
def test_sheet_shows_the_parts_of_each_value() -> None:
    group = a_group(ranks="ve", goods=[("lucky_baseball_cap", "m-2"), "smg_10mm"])
    group = with_member(
        group,
        "m-2",
        raised={"E": 1},
        injuries=("crippled_body", "eye_wound"),
        rads=7,
        unfed=1,
        unmaintained=2,
        perks=(HeldPerk("gunslinger"), HeldPerk("ninja", True)),
    )
    sheet = sheet_of(RULES, group, group.member("m-2"))
    made = [("profile", 5), ("advancement", 1), ("injury.crippled_body", -1), ("radiation", -1)]
    assert sheet.attributes["E"] == Shown(4, tuple(Modifier(source, value) for source, value in made))
    assert sheet.attributes["S"] == Shown(5, (Modifier("profile", 5),))
    assert (sheet.attributes["P"].value, sheet.attributes["L"].value) == (3, 6)
    assert sheet.perks == {"gunslinger": False, "ninja": True}
    assert (sheet.rank, sheet.hunger, sheet.critical_failure) == ("Experienced", 1, 10)
    assert sheet.carries == ("lucky_baseball_cap",)


@pytest.mark.clause("FS-AUD-1")
def test_history_shows_the_origin_of_an_injury() -> None:
    group = in_step(a_group(ranks="vg"), "1", injured=("m-2",))
    events = roll_injury(RULES, group, "m-2", thrown(6, 6), "s")
    history = history_of(events, "m-2")
    place, scar = next((place, outcome) for place, outcome in history if isinstance(outcome, InjurySuffered))
    assert (place, scar.injury, events[0].roll, events[0].total) == (2, "scarred", scar.roll, 12)
    assert history_of(events, "m-1") == []


@pytest.mark.clause("FS-PGP-3", "FS-GRP-2", "FS-RAT-1")
def test_balances_and_ratings_are_the_sum_of_their_parts() -> None:
    play = Play(RULES, 4, "balances")
    play.play_round(1)
    for id, group in play.groups.items():
        for account in ("caps", "clean", "radiated"):
            entries = list(entries_of(play.said[id], account))
            assert (entries[-1].balance if entries else 0) == getattr(group, account)
            assert all(entry.reason and entry.clause and entry.balance >= 0 for entry in entries)
        assert sum(rating_parts(RULES, group).values()) == group_rating(RULES, group) == group.rating


@pytest.mark.clause("FS-REP-3")
def test_a_history_begins_with_joining() -> None:
    group = in_step(a_group(ranks="vg"), "1b")
    events = [MemberJoined(new_member(RULES, number, "green"), "freed slave", "FS-REP-3") for number in (7, 8)]
    assert history_of(events, "m-8") == [(1, events[1])]
    assert history_of(events, "m-1") == []
    assert then(group, events).member("m-8").rank == "green"


@pytest.mark.clause("FS-GRP-2", "FS-PGP-3")
def test_balance_restarts_with_a_new_accepted_group() -> None:
    first, anew = (GroupBuilt(id="A", force="raiders", caps=caps) for caps in (30, 7))
    assert (first.state.caps, first.state.serial) == (30, 0)
    events = [GroupAccepted(first), CapsMoved(14, "scavenging", "FS-SCV-1", "r-1"), GroupAccepted(anew)]
    assert [(entry.amount, entry.balance) for entry in entries_of(events, "caps")] == [(30, 30), (14, 44), (-37, 7)]
