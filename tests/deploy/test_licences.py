"""The page of licences names everything that runs with Muster."""

from __future__ import annotations

from deploy.licences import DOCUMENT, licence_of, locked


def test_every_locked_package_is_on_the_page_with_its_version_and_a_licence() -> None:
    rows = [line.strip("| ").split(" | ") for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| ")]
    assert [tuple(row[:2]) for row in rows[1:]] == locked()
    assert [row for row in rows if len(row) != 3 or row[2] == "not said"] == []


def test_a_licence_is_what_the_package_itself_says() -> None:
    assert licence_of("flask") == "BSD-3-Clause"
    assert licence_of("no-such-package") == "for other systems or versions of Python"
