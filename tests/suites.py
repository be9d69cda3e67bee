"""The suite of each test: `make test`, `make check` (every landing) or `make check-all` (before a release).

`make test` needs Python and make alone. Tests that need an engine, start a program, or take more than about a second of
a processor are in `check`. Tests that only widen what another test proves (more rulesets, more seeds, other Pythons)
are in `check-all`. A place is a folder, a file, a function of a file, or one case of it; the most specific one counts.
"""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path, PurePosixPath

import pytest

SUITES = ("test", "check", "check-all")
"""From the shortest. `check-all` runs the tests of all three; the others run their own."""

ENGINE_FIXTURES = frozenset({"shared_stack", "shared_stack_on_servers"})
"""Fixtures that start programs without an `engine` mark on the test."""

CHECK: tuple[str, ...] = (
    # Programs, browsers, engines, whole Musters.
    "tests/deploy/",
    "tests/door/",
    "tests/engines/",
    "tests/faults/",
    "tests/tournaments/",
    "tests/console/test_previews.py::test_real_services_announce_join_and_take_back",
    "tests/console/test_surroundings.py",
    "tests/console_pages/test_hall.py",
    "tests/console_pages/test_live_crowd.py",
    "tests/console_pages/test_process.py",
    "tests/eventlog/test_append.py::test_concurrent_processes_make_one_chain",
    "tests/eventlog/test_migrations.py::test_concurrent_migrations_run_once",
    "tests/eventlog/test_moving_data.py",
    "tests/messaging/test_documentation.py",
    "tests/messaging/test_folder.py",
    "tests/messaging/test_worker.py",
    "tests/season/test_page.py",
    "tests/season/test_whole.py",
    "tests/services/test_guides.py",
    "tests/unit/test_mutants.py",
    "tests/unit/test_outcomes.py",
    "tests/unit/test_start.py",
    "tests/web/test_process_metrics.py",
    # Those that wait for a clock, or for several processes.
    "tests/coop/test_phones.py::test_four_phones_at_four_processes",
    "tests/messaging/test_measured.py",
    "tests/messaging/test_relay.py::test_a_rejecting_queue_does_not_block_the_others",
    "tests/messaging/test_relay.py::test_an_idle_leader_renews_its_lease",
    "tests/services/scoring/test_streams.py::test_an_expired_token_ends_its_stream",
    # Heavy ones that compute in this process.
    "tests/campaign/services/test_answers.py",
    "tests/campaign/services/test_building.py",
    "tests/campaign/services/test_choice_lists.py",
    "tests/campaign/services/test_encounters.py",
    "tests/campaign/services/test_late_rulings.py",
    "tests/campaign/services/test_kept_dice.py::test_dice_cannot_be_predicted_from_the_log",
    "tests/campaign/services/test_mistyped.py",
    "tests/campaign/services/test_odd_field.py",
    "tests/campaign/services/test_reports_refused.py",
    "tests/campaign/services/test_ruled_dice.py",
    "tests/campaign/services/test_several_groups.py",
    "tests/campaign/services/test_sides_by_hand.py",
    "tests/campaign/services/test_told_dice.py",
    "tests/campaign/services/test_league.py::test_points_and_tiebreakers_follow_the_options",
    "tests/campaign/services/test_two_rounds.py",
    "tests/campaign/services/test_whole_campaign.py",
    "tests/campaign/test_audit.py",
    "tests/campaign/test_replay.py",
    "tests/console/test_round_trip.py::test_a_whole_tournament",
    "tests/console/test_verify.py::test_every_single_byte_counts",
    "tests/console/test_words.py::test_a_pack_is_named_in_any_case",
    "tests/console_pages/test_bad_input.py",
    "tests/console_pages/test_cut.py",
    "tests/console_pages/test_500_players.py",
    "tests/console_pages/test_event_settings.py",
    "tests/console_pages/test_every_page_is_light.py",
    "tests/console_pages/test_german_pages.py",
    "tests/console_pages/test_last_known.py",
    "tests/console_pages/test_live.py",
    "tests/console_pages/test_odd_addresses.py",
    "tests/console_pages/test_referee.py",
    "tests/console_pages/test_screens.py",
    "tests/formats/test_tampering.py",
    "tests/fuzz/test_documents.py",
    "tests/fuzz/test_examples.py",
    "tests/messaging/test_hostile_upstream.py",
    "tests/previews/",
    "tests/rules/test_kept_standings.py::test_an_incremental_ranking_equals_a_new_one",
    "tests/rules/test_whole_rounds.py::test_late_rounds_of_up_to_forty_players_have_the_exact_cost",
    "tests/season/rules/test_properties.py",
    "tests/season/test_orders.py",
    "tests/services/pairing/test_roles.py",
    "tests/services/registration/test_roles.py",
    "tests/services/scoring/test_roles.py",
    "tests/services/test_own_copies.py",
    "tests/services/test_private_tournaments.py::test_private_tournament_does_not_exist_for_strangers",
    "tests/services/pairing/test_parts_in_any_order.py",
    "tests/services/test_pseudonym.py",
    "tests/services/test_snapshots.py",
    "tests/services/test_venues_apart.py",
    "tests/unit/test_clauses.py::test_the_command_prints_every_clause_with_its_tests",
    "tests/unit/test_clauses.py::test_the_command_prints_the_place_of_each_clause",
    "tests/web/test_openapi.py::test_generated_requests_get_documented_answers",
)
CHECK_ALL: tuple[str, ...] = (
    "tests/campaign/services/test_mistyped.py::test_a_campaign_ends_as_if_nothing_had_been_mistyped[full]",
    "tests/campaign/services/test_mistyped.py::test_a_campaign_ends_as_if_nothing_had_been_mistyped[middle]",
    "tests/campaign/services/test_answers.py::test_campaigns_of_five_rounds_are_played_by_answers_alone",
    "tests/campaign/services/test_requests.py",
    "tests/campaign/test_audit.py::test_logs_with_other_options_pass_the_audit",
    "tests/campaign/test_campaign.py::test_twelve_groups_over_ten_rounds_are_replayed_bit_for_bit",
    "tests/console/test_play.py",
    "tests/console/test_play_campaign.py",
    "tests/console/test_play_coop.py",
    "tests/console/test_play_sides.py",
    "tests/coop/test_requests.py",
    "tests/coop/test_sixty_tables.py",
    # One case of each of these is in `check`; the others prove the same on another engine, link, moment or Python.
    "tests/deploy/test_edge_homes.py::test_commands_are_neither_lost_nor_doubled_when_the_process_that_has_them_is_killed[sqlite]",
    "tests/deploy/test_not_migrated.py::test_they_wait_and_go_on_without_a_restart[postgresql]",
    "tests/deploy/test_request_across_services.py::test_the_log_of_each_peer_names_the_request_that_a_copied_event_comes_from[embedded]",
    "tests/deploy/test_wheel.py::test_it_runs_the_whole_of_muster[3.12]",
    "tests/deploy/test_wheel.py::test_it_runs_the_whole_of_muster[3.13]",
    "tests/faults/test_broker.py::test_the_broker_goes_away_and_comes_back[stopped]",
    "tests/faults/test_clock.py::test_the_clock_jumps_and_jumps_back[sqlite-folder-back an hour]",
    "tests/faults/test_network.py::test_a_link_loses_everything[pairing cut from registration]",
    "tests/faults/test_network.py::test_a_link_loses_everything[registration cut from everybody]",
    "tests/faults/test_network.py::test_a_link_loses_everything[scoring cut from both others]",
    "tests/unit/test_mutants.py::test_a_mutant_is_killed_survives_or_is_no_program",
    "tests/fuzz/test_near_misses.py",
    "tests/fuzz/test_requests.py",
    "tests/season/test_documented.py::test_season_answers_match_the_documentation",
)
TEST: tuple[str, ...] = (
    "tests/console/test_play.py::test_a_pack_of_ones_own",
    "tests/console/test_play_campaign.py::test_a_small_league",
    "tests/console/test_play_coop.py::test_an_event_of_two_sessions",
)
"""Functions of `make test` in files or folders that are otherwise elsewhere: one whole event of each format."""

FAULTS_ON_SQLITE = (
    "tests/faults/test_clock.py",
    "tests/faults/test_feed.py",
    "tests/faults/test_forgery.py",
    "tests/faults/test_frozen.py",
    "tests/faults/test_relays.py",
    "tests/faults/test_rolling.py",
    "tests/faults/test_streams.py",
)
"""Faults that `make check` runs on SQLite and the folder; it runs the others on PostgreSQL and RabbitMQ.

A fault that is written for both pairs of engines runs on both in `make check-all`.
"""

PLACES = {**dict.fromkeys(TEST, "test"), **dict.fromkeys(CHECK, "check"), **dict.fromkeys(CHECK_ALL, "check-all")}


def suite_of_place(file: str, function: str, case: str = "") -> str | None:
    """Return the suite that the table names for a case. file: relative to the repository, with slashes."""
    folders = [f"{folder}/" for folder in PurePosixPath(file).parents]
    places = (f"{file}::{case}", f"{file}::{function}", file, *folders)
    return next((PLACES[place] for place in places if place in PLACES), None)


def suite_of(item: pytest.Item) -> str:
    """Return the suite of a collected test."""
    if item.get_closest_marker("image"):
        return "check-all"
    file, function = item.nodeid.partition("::")[0], getattr(item, "originalname", item.name)
    named = suite_of_place(file, function, item.name)
    marked = any(map(item.get_closest_marker, ("engine", "fault", "attack")))
    needs_engine = marked or ENGINE_FIXTURES.intersection(getattr(item, "fixturenames", ()))
    return "check" if needs_engine and named in (None, "test") else named or "test"


def is_second_run(item: pytest.Item, names: Container[str]) -> bool:
    """Return True for a fault that `make check` runs on the other engines. names: the names of all tests."""
    file = item.nodeid.partition("::")[0]
    if not file.startswith("tests/faults/"):
        return False
    pair, other = ("sqlite-folder", "postgresql-rabbitmq")
    if file in FAULTS_ON_SQLITE:
        pair, other = other, pair
    return pair in item.nodeid and item.nodeid.replace(pair, other) in names


def is_skipped_whole(path: Path, root: Path, suite: str | None) -> bool:
    """Return True if no test of a file or folder is in the suite, so that it need not be imported."""
    if suite in (None, "check-all") or path.is_dir():
        return False
    file = path.relative_to(root).as_posix()
    named = suite_of_place(file, "")
    # A test without a place may have an engine mark, and then it is in `check`.
    only = {"check-all"} if named == "check-all" else {"check"} if named == "check" else {"test", "check"}
    return suite not in only | {suite for place, suite in PLACES.items() if place.startswith(f"{file}::")}


def select(items: list[pytest.Item], suite: str | None, config: pytest.Config) -> None:
    """Keep the tests of a suite; None and `check-all` keep all."""
    if suite in (None, "check-all"):
        return
    names = {item.nodeid for item in items}
    others = [item for item in items if suite_of(item) != suite or is_second_run(item, names)]
    if others:
        config.hook.pytest_deselected(items=others)
        left_out = set(map(id, others))
        items[:] = [item for item in items if id(item) not in left_out]
