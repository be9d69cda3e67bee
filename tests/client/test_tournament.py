"""A tournament as a program of a club plays it with the client, on the services themselves."""

from __future__ import annotations

import pytest

from muster_client import Muster, NotSent, Problem, problems
from tests.fuzz.muster import Muster as Services


def test_a_result_is_reported_and_everybody_sees_it(operator: Muster, cup: str) -> None:
    done = operator.scoring.report_result(cup, "r1g1", facts={"points_1": 100, "points_2": 50})
    assert [event.type for event in done.events] == ["ResultReported", "ResultConfirmed"]
    guest = operator.acting_as("")
    game = guest.scoring.show_game(cup, "r1g1")
    assert (game.status, game.binds) == ("confirmed", True)
    rows = guest.scoring.show_standings(cup).items
    assert rows[0].name == game.name_1


def test_what_is_known_is_not_read_again_and_holds_for_a_command(operator: Muster, cup: str) -> None:
    game = operator.scoring.show_game(cup, "r1g1")
    assert operator.scoring.show_game(cup, "r1g1", known=game) is game
    operator.scoring.report_result(cup, "r1g1", facts={"points_1": 100, "points_2": 50}, if_match=game)
    with pytest.raises(problems.PreconditionFailed) as refused:
        operator.scoring.void_result(cup, "r1g1", reason="twice", if_match=game)
    newer = operator.scoring.show_game(cup, "r1g1", known=game)
    assert newer is not game
    assert refused.value.data["etag"] != game.meta.etag
    with pytest.raises(AttributeError, match="part of an answer"):
        operator.scoring.void_result(cup, "r1g1", reason="twice", if_match=operator.scoring.list_games(cup).items[0])


def test_a_preview_does_nothing_and_is_what_is_done(operator: Muster, cup: str) -> None:
    shown = operator.registration.drop_player(cup, "p1", preview=True, reason="a train")
    assert operator.registration.show_player(cup, "p1").status == "active"
    done = operator.registration.drop_player(cup, "p1", reason="a train", if_match=shown)
    assert [event.type for event in done.events] == [event.type for event in shown.events] == ["PlayerDropped"]


def test_the_same_key_is_the_same_command(operator: Muster, entered: str) -> None:
    one = operator.registration.join_player(entered, name="Eve", idempotency_key="the-fifth")
    again = operator.registration.join_player(entered, name="Eve", idempotency_key="the-fifth")
    assert (one.id, one.meta.replayed) == (again.id, False)
    assert again.meta.replayed


def test_a_refusal_is_an_exception_of_its_own_with_every_fault(operator: Muster, entered: str) -> None:
    with pytest.raises(problems.InvalidRequest) as refused:
        operator.registration.join_player(entered, name="", club="x" * 200)
    problem = refused.value
    assert (problem.type, problem.status, problem.service) == ("/problems/invalid-request", 422, "registration")
    assert {fault.where for fault in problem.faults} == {"/name", "/club"}
    with pytest.raises(problems.GameUnknown):
        operator.scoring.show_game(entered, "r9g9")
    with pytest.raises(Problem, match="unauthenticated"):
        operator.acting_as("").registration.join_player(entered, name="Eve")


def test_what_has_another_shape_is_not_sent(operator: Muster, cup: str, services: Services) -> None:
    before = services.length
    with pytest.raises(NotSent, match="pints_1"):
        operator.scoring.report_result(cup, "r1g1", facts={"pints_1": 100})  # type: ignore[typeddict-unknown-key]
    with pytest.raises(NotSent, match="facts"):
        operator.scoring.report_result(cup, "r1g1")  # type: ignore[call-overload]
    with pytest.raises(NotSent, match="Expected `int`"):
        operator.scoring.report_result(cup, "r1g1", facts={"points_1": "many"})  # type: ignore[typeddict-item]
    with pytest.raises(NotSent, match=r"does: 'dance' is none of .*hire"):
        operator.scoring.choose(cup, "p1", {"does": "dance"})  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="takes no reason"):
        operator.scoring.cancel_standings_publication(cup, reason="")  # type: ignore[call-overload]
    assert services.length == before


def test_every_item_comes_once_page_after_page(operator: Muster, cup: str) -> None:
    first = operator.registration.list_players(cup, limit=3, sort="name")
    assert [player.name for player in operator.each(first)] == ["Ana", "Ben", "Cy", "Di"]
    assert [len(page.items) for page in operator.pages(first)] == [3, 1]
    assert [p.name for p in operator.registration.list_players(cup, sort="name", after=first.next).items] == ["Di"]


def test_a_log_comes_page_after_page(operator: Muster, cup: str) -> None:
    first = operator.registration.log(cup, limit=2)
    events = [event for page in operator.pages(first) for event in page.events()]
    assert [event.position for event in events] == list(range(1, 6))
    assert events[1].data == {"name": "Ana", "player": "p1"}


def test_standings_come_as_a_file(operator: Muster, entered: str) -> None:
    head, *rows = operator.scoring.show_standings_csv(entered).splitlines()
    assert head.startswith("rank,player")
    assert len(rows) == 4
    csv = "player,name\nx1,Eve\n"
    assert operator.registration.join_players_csv(entered, csv).players[0].name == "Eve"


def test_an_address_names_what_the_body_names_too(operator: Muster, cup: str) -> None:
    season = operator.registration.announce_tournament(name="Season", ruleset="season-points").id
    gathered = operator.registration.gather_tournament(season, tournament=cup)
    assert [event.type for event in gathered.events] == ["TournamentGathered"]


@pytest.mark.parametrize("id", ["", ".", "..", "a" * 100_000])
def test_what_would_make_another_address_is_not_sent(operator, id):
    with pytest.raises(NotSent, match="names nothing in an address"):
        operator.registration.show_tournament(id)
    with pytest.raises(NotSent):
        operator.scoring.show_game("t-1", id)
