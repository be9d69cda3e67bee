"""Every link of a page to another page, a section, a picture or a file of the repository leads somewhere."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "services", "shared", "muster", "deploy", "clients", "tests")
PAGES = sorted(
    page
    for page in (*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md")))
    if "node_modules" not in page.parts
)
SOURCES = sorted(
    file
    for folder in ("shared", "services", "muster", "deploy", "clients", "bench", "tests", ".ci")
    for file in (ROOT / folder).rglob("*")
    if file.suffix in ("", ".py", ".sh", ".yml", ".po", ".conf", ".service", ".env", ".toml") and file.is_file()
)
NAMED = re.compile(r"(?<![\w/.-])docs/(?:decisions/\d{4}|(?:[\w.-]+/)*[\w-]+\.(?:md|json|py|mjs|yaml))")
LINK = re.compile(r"(?<!`)\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def faults_of(page: Path) -> list[str]:
    """Return the links of a page that lead nowhere."""
    faults = []
    for link in LINK.findall(CODE.sub("", page.read_text())):
        place, _, section = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        if re.match("[a-z]+:", link):
            continue
        if not target.exists() or (section and target.suffix == ".md" and section not in sections_of(target)):
            faults.append(link)
    return faults


@cache
def sections_of(page: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page; a heading that comes twice has a number."""
    texts: list[str] = []
    anchors = set()
    for heading in HEADING.findall(CODE.sub("", page.read_text())):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        anchors.add(f"{anchor}-{times}" if (times := texts.count(anchor)) else anchor)
        texts.append(anchor)
    return anchors


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    assert faults_of(page) == []


def test_a_missing_page_and_a_missing_section_are_found(tmp_path):
    (tmp_path / "other.md").write_text("# Its `title`, twice\n\n## Its title twice\n")
    page = tmp_path / "page.md"
    page.write_text(
        "# Here\n[1](other.md#its-title-twice-1) [2](#here) [3](https://x.example/y) [4](gone.md) [5](other.md#gone)"
    )
    assert faults_of(page) == ["gone.md", "other.md#gone"]


def test_the_index_of_decisions_lists_each_with_its_title_date_and_status():
    folder = ROOT / "docs/decisions"
    rows = []
    for page in sorted(folder.glob("0*.md")):
        text = page.read_text()
        number, title = re.match(r"# (\d{4})\. (.+)", text).groups()
        status, date = (re.search(rf"^- {word}: (.+)$", text, re.MULTILINE)[1] for word in ("Status", "Date"))
        assert page.name.startswith(f"{number}-")
        rows.append(f"| {number} | [{title}]({page.name}) | {date} | {status} |")
    assert re.findall(r"^\| \d{4} \|.*$", (folder / "README.md").read_text(), re.MULTILINE) == rows


def test_documents_that_sources_name_exist():
    """A decision may be named by its number alone."""
    faults = []
    for file in SOURCES:
        for name in NAMED.findall(file.read_text("utf-8", errors="replace")):
            if not any(ROOT.glob(f"{name}*")):
                faults.append(f"{file.relative_to(ROOT)}: {name}")
    assert faults == []
