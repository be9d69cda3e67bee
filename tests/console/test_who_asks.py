"""Where the token and the address of a command come from: options before or after it, a file, standard input."""

from __future__ import annotations

from pathlib import Path

import pytest

ANNOUNCED = ("tournament", "announce", "Club night", "--ruleset", "star-wars-armada-1.1", "--preview")


@pytest.fixture
def kept(tmp_path: Path, operator: str) -> str:
    """An operator's token in a file, as `muster token > file` leaves it."""
    (tmp_path / "token").write_text(operator + "\n")
    return str(tmp_path / "token")


@pytest.mark.parametrize("place", [0, 1, 6], ids=["before the group", "before the command", "after it"])
def test_the_options_stand_before_the_command_or_after_it(muster, stack, kept, place) -> None:
    given = ("--token-file", kept, "--url", stack.urls["registration"])
    done = muster(*ANNOUNCED[:place], *given, *ANNOUNCED[place:], url="")
    assert done.exit_code == 0, done.stderr
    assert "TournamentAnnounced" in done.stdout


def test_standard_input_and_the_environment_name_a_token_too(muster, stack, kept, operator, monkeypatch) -> None:
    assert muster(*ANNOUNCED, "--token-file", "-", input=operator + "\n").exit_code == 0
    assert muster(*ANNOUNCED, "--token-file", kept, token="no token at all").exit_code == 0
    monkeypatch.setenv("MUSTER_TOKEN_FILE", kept)
    assert muster(*ANNOUNCED).exit_code == 0
    told = muster(*ANNOUNCED, "--token", "no token at all")
    assert (told.exit_code, len(told.stderr.splitlines())) == (2, 1)


def test_the_last_option_wins(muster, stack, kept) -> None:
    address = stack.urls["registration"]
    assert muster("--url", "http://127.0.0.1:1", "tournament", "list", "--url", address, url="").exit_code == 0


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("nothing", "no such file or directory, expected a file that can be read"),
        ("folder", "is a directory, expected a file that can be read"),
        ("", "nothing, expected one token: what `muster token` or an announcement printed"),
        ("two lines\nof words", "4, expected one token: what `muster token` or an announcement printed"),
        ("tökën", "nothing, expected one token: what `muster token` or an announcement printed"),
    ],
)
def test_a_file_without_a_token_is_named(muster, tmp_path, made, said) -> None:
    file = tmp_path / "token"
    if made == "folder":
        file.mkdir()
    elif made != "nothing":
        file.write_text(made, "utf-8")
    told = muster("tournament", "list", "--token-file", str(file))
    assert (told.exit_code, told.stdout, told.stderr) == (2, "", f"--token-file {file}: {said}\n")


def test_a_token_and_a_file_of_one_are_one_too_many(muster, kept) -> None:
    told = muster("tournament", "list", "--token-file", kept, "--token", "x")
    assert (told.exit_code, told.stderr) == (2, f"--token-file: {kept}, expected nothing, since --token is given\n")


def test_a_token_is_revoked_without_showing_it_to_other_users(muster, operator) -> None:
    lost = muster("token", "--role", "integration").stdout
    done = muster("revoke", "-", input=lost, token=operator)
    assert (done.exit_code, done.stdout.endswith(" is revoked\n")) == (0, True)


def test_a_tournament_that_is_nearly_or_wholly_named_is_suggested(muster, evening) -> None:
    for asked in (evening.id[:-1], "evening"):
        told = muster("tournament", "show", asked)
        assert told.exit_code == 2
        assert told.stderr.splitlines()[-1] == f"did you mean {evening.id} (Evening)?"
    assert "did you mean" not in muster("tournament", "show", "nowhere").stderr
