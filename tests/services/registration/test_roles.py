"""Access in registration: roles, players acting for themselves, revoked tokens."""

from __future__ import annotations

from tests.acting import text_of
from tests.services.registration.story import FLEET
from tests.services.roles import CREW, EVERYBODY, HEADS, LEADING, OF_EVERY_SERVICE, wrong_answers
from tests.services.story import NOBODY

OWN = CREW | {"player"}

MAY = {
    **OF_EVERY_SERVICE,
    **dict.fromkeys(("list_revocations", "revoke_installation_token"), frozenset({"operator"})),
    **dict.fromkeys(("list_organiser_tokens", "issue_organiser_token"), frozenset({"operator"})),
    "list_rulesets": EVERYBODY,
    "show_ruleset": EVERYBODY,
    "list_tournaments": EVERYBODY,
    "show_tournament": EVERYBODY,
    "show_tournaments_ruleset": EVERYBODY,
    "announce_tournament": LEADING,
    "amend_tournament": LEADING,
    "cancel_tournament": LEADING,
    "close_registration": LEADING,
    "reopen_registration": LEADING,
    "check_ruleset": LEADING,
    "open_venue": LEADING,
    "amend_venue": LEADING,
    "change_tables": HEADS,
    "close_venue": LEADING,
    "appoint_staff": LEADING,
    "enter_staff": LEADING,
    "dismiss_staff": LEADING,
    "give_seat": LEADING,
    "take_seat_back": LEADING,
    "revoke_token": CREW,
    "join_player": CREW,
    "join_players": CREW,
    "join_players_csv": CREW,
    "sign_up": EVERYBODY,
    "sign_up_party": EVERYBODY,
    "join_party": CREW,
    "show_invitation": OWN,
    "accept_invitation": OWN,
    "leave_party": OWN,
    "form_party": CREW,
    "gather_tournament": LEADING,
    "list_gathered": EVERYBODY,
    "release_tournament": LEADING,
    "list_entries": EVERYBODY,
    "enter_division": LEADING,
    "continue_season": LEADING,
    "claim_entries": HEADS,
    "claim_by_name": HEADS,
    "claim_own": frozenset({"player"}),
    "merge_identities": LEADING,
    "split_identity": LEADING,
    "list_identities": EVERYBODY,
    "show_identity": EVERYBODY,
    "disband_party": CREW,
    "list_parties": EVERYBODY,
    "pin_operator_data": LEADING,
    "show_operator_data": EVERYBODY,
    "keep_apart": LEADING,
    "list_players": EVERYBODY,
    "list_barred": CREW,
    "list_warnings": CREW,
    "show_player": EVERYBODY,
    "export_players": EVERYBODY,
    "amend_player": CREW,
    "withdraw_player": OWN,
    "submit_group": OWN,
    "roll_turfs": OWN,
    "show_built_group": EVERYBODY,
    "list_built_groups": EVERYBODY,
    "move_ruleset": {"operator"},
    "list_ruleset_moves": EVERYBODY,
    "submit_roster": OWN,
    "show_roster": EVERYBODY,
    "print_roster": EVERYBODY,
    "print_rosters": EVERYBODY,
    "accept_roster": CREW,
    "accept_rosters": CREW,
    "reject_roster": CREW,
    "check_in": OWN,
    "check_out": CREW,
    "check_in_players": CREW,
    "check_out_players": CREW,
    "move_player": CREW,
    "pin_player": CREW,
    "unpin_player": CREW,
    "drop_player": OWN,
    "reinstate_player": CREW,
    "warn_player": CREW,
    "disqualify_player": CREW,
    "revoke_disqualification": HEADS,
    "issue_player_link": CREW,
    "list_player_links": OWN,
    "show_me": {"player"},
    "show_personal_data": HEADS | {"player"},
    "list_looks": LEADING | {"player"},
    "erase_personal_data": LEADING | {"player"},
}
"""Operation -> roles that may; EVERYBODY: no token is needed."""


def test_the_table_names_every_operation(club):
    assert set(MAY) == set(club.operations)


def test_every_operation_admits_exactly_its_documented_roles(club):
    assert wrong_answers(club, MAY) == []


def test_the_documentation_says_who_may(club):
    said = {name: frozenset(operation.get("x-roles", ())) for name, operation in club.operations.items()}
    assert said == MAY


def test_a_player_acts_for_themselves_only(evening):
    evening.join("Ana", "Ben")
    attempts = [
        evening.do("p2", "withdrawal", {}, by="p1"),
        evening.do("p2", "drop", {}, by="p1"),
        evening.do("p2", "check-in", {}, by="p1"),
        evening.do("p2", "roster", {"roster": FLEET}, by="p1"),
        evening.get("/players/p2/personal", by="p1"),
        evening.get("/players/p2/personal/looks", by="p1"),
        evening.delete("/players/p2/personal", by="p1"),
    ]
    assert {(answer.status, answer.code) for answer in attempts} == {(403, "not-yours")}


def test_a_player_does_for_themselves_what_staff_would_do(evening):
    evening.join("Ana", "Ben")
    assert evening.do("p1", "roster", {"roster": FLEET}, by="p1").types == ["RosterSubmitted", "RosterAccepted"]
    assert evening.do("p1", "check-in", {}, by="p1").types == ["PlayerCheckedIn"]
    assert evening.do("p1", "withdrawal", {}, by="p1").types == ["PlayerWithdrawn"]
    assert [text_of(event) for event in evening.log[-4:]] == ["p1, player"] * 4


def test_a_public_tournament_is_readable_by_all_and_a_private_one_by_its_members(announce, club):
    public, private = announce(), announce(visibility="private")
    reads = ("", "/players", "/log?source=pairing", "/heads")
    for rest in reads:
        assert public.get(rest, by=NOBODY).status == 200
        assert private.get(rest, by=NOBODY).code == "tournament-unknown"
        assert private.get(rest, by=public.token("organiser")).code == "tournament-unknown"
        for insider in ("player", "referee", "spare", "integration"):
            token = club.token(insider, private.id, **({"player": "p1"} if insider == "player" else {}))
            assert private.get(rest, by=token).status == 200
        assert private.get(rest, by=club.token("service")).status == 200


def test_the_link_of_a_player_opens_a_private_tournament_for_reading(announce, club):
    private = announce(visibility="private")
    private.join("Ana")
    token = private.post("/players/p1/links", {}).body["token"]
    assert club.ask("GET", f"/tournaments/{private.id}/players?token={token}").status == 200
    refused = club.ask("POST", f"/tournaments/{private.id}/players/p1/check-in?token={token}", {})
    assert refused.code == "unauthenticated"
    assert private.do("p1", "check-in", {}, by=token).status == 201


def test_the_directory_shows_private_tournaments_to_those_who_belong_there(announce, club):
    private = announce(visibility="private", name="Behind closed doors")

    def listed(token: str = "") -> set[str]:
        found, address = set(), "/tournaments?limit=500"
        while address:
            page = club.ask("GET", address, token=token).body
            found |= {line["id"] for line in page["items"]}
            address = page["next"] and f"/tournaments?limit=500&after={page['next']}"
        return found

    assert private.id not in listed()
    assert private.id not in listed(club.token("organiser", "t-elsewhere"))
    assert private.id in listed(private.token("referee"))
    assert private.id in listed(club.token("operator"))
