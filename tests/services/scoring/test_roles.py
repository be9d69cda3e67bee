"""The roles that each operation admits."""

from __future__ import annotations

from shared.tournament.registration import StaffDismissed, TokenRevoked
from tests.issuing import issued_id
from tests.services.roles import CREW, EVERYBODY, HEADS, LEADING, OF_EVERY_SERVICE, wrong_answers
from tests.services.scoring.story import score
from tests.services.story import NOBODY

TABLE = CREW | {"player", "spare"}
SEATED = frozenset({"player", "spare"})
AT_TABLE = CREW | {"player"}

MAY = {
    **OF_EVERY_SERVICE,
    "public_feed": EVERYBODY,
    "feed_stream": EVERYBODY,
    "tournament_stream": EVERYBODY,
    **dict.fromkeys(
        (
            *("subscribe_webhook", "change_webhook", "rotate_webhook_secret", "enable_webhook", "disable_webhook"),
            *("replay_webhook", "delete_webhook", "list_webhooks", "show_webhook"),
            *("list_deliveries", "show_delivery", "resend_delivery", "ping_webhook"),
        ),
        LEADING | {"integration"},
    ),
    "list_games": EVERYBODY,
    "show_game": EVERYBODY,
    "show_game_history": EVERYBODY,
    "report_result": TABLE,
    "report_results": CREW,
    "confirm_result": TABLE,
    "change_report": SEATED,
    "dispute_result": SEATED,
    "rule_result": CREW,
    "appeal_ruling": SEATED,
    "reject_appeal": HEADS,
    "correct_result": CREW,
    "override_ruling": LEADING,
    "void_result": CREW,
    "close_round": HEADS,
    "reopen_round": HEADS,
    "set_part_aside": HEADS,
    "publish_standings": HEADS,
    "cancel_standings_publication": HEADS,
    "enter_coin": HEADS,
    "show_standings": EVERYBODY,
    "show_overlay": EVERYBODY,
    "explain_rank": EVERYBODY,
    "list_awards": EVERYBODY,
    "give_award": LEADING,
    "withdraw_award": LEADING,
    "conclude_tournament": LEADING,
    "list_forms": EVERYBODY,
    "show_sheets": EVERYBODY,
    "show_result_form": EVERYBODY,
    "list_sessions": EVERYBODY,
    "show_session": EVERYBODY,
    "show_session_history": EVERYBODY,
    "set_up_session": AT_TABLE,
    "play_moves": AT_TABLE,
    "end_session": HEADS,
    "report_session": AT_TABLE,
    "confirm_session": AT_TABLE,
    "correct_session": HEADS,
    "list_session_statements": EVERYBODY,
    "take_back_move": AT_TABLE,
    "list_statements": EVERYBODY,
    "take_back": AT_TABLE,
    "choose_several": AT_TABLE,
    "publish_ranking": HEADS,
    "show_ranking": EVERYBODY,
    "explain_survivor": EVERYBODY,
    "muster_group": AT_TABLE,
    "roll_jams": AT_TABLE,
    "judge_evil": AT_TABLE,
    "roll_objective": AT_TABLE,
    "enter_ledger": HEADS,
    "choose": AT_TABLE,
    "close_step": AT_TABLE,
    "open_recruits": CREW,
    "show_post_game": EVERYBODY,
    "show_what_is_asked": EVERYBODY,
    "list_dice": EVERYBODY,
    "confirm_dice": AT_TABLE,
    "dispute_dice": AT_TABLE,
    "rule_dice": CREW,
    "list_groups": EVERYBODY,
    "show_group": EVERYBODY,
    "show_member_history": EVERYBODY,
    "show_balance": EVERYBODY,
    "take_results": HEADS,
    "show_results_taken": EVERYBODY,
    "show_season_standings": EVERYBODY,
    "explain_season_rank": EVERYBODY,
    "show_season_history": EVERYBODY,
    "show_season_tournaments": EVERYBODY,
    "list_season_warnings": CREW,
    "list_warnings_in_seasons": CREW,
    "show_division_moves": EVERYBODY,
    "make_final_cut": LEADING,
    "show_final": EVERYBODY,
    "accept_final_invitation": AT_TABLE,
    "decline_final_invitation": AT_TABLE,
}
"""Operation -> admitted roles. EVERYBODY: no token is needed."""


def test_the_role_table_lists_every_operation(club):
    assert set(MAY) == set(club.operations)


def test_every_operation_admits_exactly_its_roles(club):
    assert wrong_answers(club, MAY) == []


def test_the_documentation_lists_the_roles(club):
    said = {name: frozenset(operation.get("x-roles", ())) for name, operation in club.operations.items()}
    assert said == MAY


def test_a_player_of_another_game_is_refused(evening):
    evening.report("r1g1", score(100, 50), by="p1")
    attempts = [
        evening.report("r1g1", score(100, 50), by="p3"),
        evening.confirm("r1g1", by="p3"),
        evening.dispute("r1g1", by="p3"),
    ]
    evening.rule("r1g1", score(100, 50))
    attempts.append(evening.appeal("r1g1", by="p3"))
    assert {(answer.status, answer.code) for answer in attempts} == {(403, "not-your-game")}


def test_staff_rule_instead_of_disputing(evening, club):
    """Staff who play use a player's token."""
    assert evening.dispute("r1g1", by="referee").code == "forbidden"


def test_only_token_holders_read_a_private_tournament(open_floor):
    public, private = open_floor(4), open_floor(4, visibility="private")
    for told in (public, private):
        told.begin(1, ("p1", "p2"))
    for rest in ("/games", "/games/r1g1", "/games/r1g1/history", "/standings", "/standings/p1", "/awards", "/log"):
        assert public.get(rest, by=NOBODY).status == 200
        assert private.get(rest, by=NOBODY).code == "tournament-unknown"
        assert private.get(rest, by=public.token("p1")).code == "tournament-unknown"
        assert private.get(rest, by="p1").status == 200


def test_players_and_referees_need_an_issued_token(evening, club):
    """The id of an issued token proves the actor in the log."""
    others = {"p1": ("player", {"player": "p1"}), "s2": ("referee", {"actor": "s2"})}
    for who, (role, claims) in others.items():
        for jti in (f"{evening.id}.{who}.1", issued_id(evening.id, evening.state.entries, "p2"), "0" * 24):
            token = club.token(role, evening.id, jti=jti, **claims)
            assert evening.report("r1g1", score(100, 50), by=token).code == "forbidden"
        assert evening.report("r1g1", score(100, 50), by=club.token(role, evening.id, **claims)).status == 201


def test_a_token_revoked_by_registration_is_refused(evening, club):
    token = club.token("player", evening.id, player="p1")
    phone = issued_id(evening.id, evening.state.entries, "p1")
    assert evening.report("r1g1", score(100, 50), by=token).status == 201
    evening.say("registration", TokenRevoked(token=phone), StaffDismissed(staff="s2"))
    assert evening.confirm("r1g1", by=token).code == "token-revoked"
    assert evening.rule("r1g1", score(1, 0), by=club.token("referee", evening.id, actor="s2")).code == "token-revoked"
    assert evening.get("/games", by=token).code == "token-revoked"
