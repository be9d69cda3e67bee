"""Access in pairing: every operation with every role, and without a token."""

from __future__ import annotations

import pytest

from shared.roles import ROLES
from tests.services.roles import CREW, EVERYBODY, HEADS, OF_EVERY_SERVICE

MAY = {
    **OF_EVERY_SERVICE,
    "open_session_round": HEADS,
    "list_session_rounds": EVERYBODY,
    "reseat_table": HEADS,
    "close_session_round": HEADS,
    "list_rounds": EVERYBODY,
    "show_round": EVERYBODY,
    "show_pairing": EVERYBODY,
    "show_bracket": EVERYBODY,
    "show_players_pairing": EVERYBODY,
    "show_clock": EVERYBODY,
    "show_progress": EVERYBODY,
    "show_timetable": EVERYBODY,
    "show_calendar": EVERYBODY,
    "list_tables": EVERYBODY,
    "show_cut": EVERYBODY,
    "pair_round": HEADS,
    "repair_round": HEADS,
    "publish_round": HEADS,
    "cancel_publication": HEADS,
    "judge_round": HEADS,
    "withdraw_round": HEADS,
    "amend_pairings": HEADS,
    "move_table": CREW,
    "start_round": HEADS,
    "list_held_games": CREW,
    "call_time": CREW,
    "extend_clock": CREW,
    "make_cut": HEADS,
    "publish_cut": HEADS,
    "cancel_cut_publication": HEADS,
    "give_up_seat": HEADS,
    "offer_spare": HEADS,
    "recall_spare": HEADS,
    **dict.fromkeys(("list_calls", "show_call", "call_judge", "withdraw_call"), CREW | {"spare", "player"}),
    "take_call": CREW,
    "answer_call": CREW,
    "show_unpublished": CREW | {"service"},
}
"""Operation -> roles that may; EVERYBODY: no token is needed."""


def operations(house) -> dict[str, tuple[str, str, frozenset[str]]]:
    """Return operation -> method, address with unknown ids, and the documented roles."""
    found = {}
    for path, methods in house.openapi["paths"].items():
        address = path.replace("{tournament}", "t-nowhere").replace("{round}", "1")
        for part in ("player", "staff", "venue", "game", "session", "call"):
            address = address.replace("{" + part + "}", f"{part}-1")
        for method, operation in methods.items():
            if method != "parameters":
                roles = frozenset(operation.get("x-roles", ()))
                found[operation["operationId"]] = method.upper(), address, roles
    return found


def test_the_table_names_every_operation_as_it_is_documented(house):
    assert {name: roles for name, (_, _, roles) in operations(house).items()} == MAY


@pytest.mark.clause("AR-STAFF-2", "DW-STAFF-1", "FF-STAFF-1", "FF-STAFF-2")
def test_every_operation_admits_exactly_its_documented_roles(house):
    client, wrong = house.app.test_client(), []
    for name, (method, address, _) in operations(house).items():
        body = None if method == "GET" else {}
        for role in ROLES:
            token = house.token("t-nowhere", role, "p1" if role == "player" else None)
            answer = client.open(address, method=method, json=body, headers={"Authorization": f"Bearer {token}"})
            out = answer.status_code == 403 and answer.json["code"] == "forbidden"
            if out != bool(MAY[name] and role not in MAY[name]):
                wrong.append(f"{name} answers a {role} with {answer.status_code}")
        if MAY[name] and client.open(address, method=method, json=body).status_code != 401:
            wrong.append(f"{name} asks nobody for a token")
    assert wrong == []
