"""Every binding clause has a test that cites it, or a reason why software cannot enforce it."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from muster.cli import clauses as cli
from muster.cli.clauses import places_of, proving_tests
from muster.cli.main import main
from shared.formats.packs import Clause, read_clauses, shipped_clauses, unproved_clauses
from shared.rules.model import ClausesRefused
from tests.sources import parsed

TESTS = Path(__file__).parents[1]
SHIPPED = shipped_clauses()
SAMPLE = """
- {id: X-1, level: MUST, says: a rule}
- {id: X-2, level: MUST, says: conduct, not_enforceable: people judge it}
- {id: X-3, level: SHOULD, says: advice}
- {id: X-4, level: DATA, says: a number}
"""

ARMADA = "star-wars-armada-1.1"
SHARED_BY_RULESETS = (
    "services/*/[!cs]*.py",
    "services/*/s[!e]*.py",
    "services/*/c[!ao]*.py",
    "shared/tournament/**/*.py",
    "shared/rules/**/*.py",
    "shared/service/**/*.py",
    "shared/swiss/**/*.py",
)


@pytest.fixture(scope="module", autouse=True)
def sources_read_once() -> Iterator[None]:
    """Read each folder once for all tests of this file, because reading all tests takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("proving_tests", "places_of"):
            patch.setattr(cli, name, read_once(getattr(cli, name)))
        yield


def read_once(read: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with a cache by folder and clauses."""
    known: dict[str, Any] = {}

    def remembering(folder: Path, *rulesets: Any) -> Any:
        key = repr((folder.resolve(), *map(list, rulesets)))
        if key not in known:
            known[key] = read(folder, *rulesets)
        return known[key]

    return remembering


def test_every_binding_clause_has_a_test_or_a_reason() -> None:
    proved = cli.proving_tests(TESTS)
    assert [clause.id for clauses in SHIPPED.values() for clause in unproved_clauses(clauses, proved)] == []


def test_shared_code_cites_no_clause_of_a_single_document() -> None:
    """Refusals cite the clause of the pack. Only the campaign knows games in sides."""
    ids = {clause.id for clauses in SHIPPED.values() for clause in clauses}
    shared = [path for room in SHARED_BY_RULESETS for path in sorted(TESTS.parent.glob(room))]
    assert len(shared) > 30
    cited = {
        (path.name, node.value)
        for path in shared
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant) and node.value in ids
    }
    assert cited == {("plans.py", "FS-RND-5")}


def test_a_binding_clause_needs_a_test_or_a_reason() -> None:
    clauses = read_clauses(SAMPLE, "sample.yaml")
    assert [clause.id for clause in unproved_clauses(clauses, {"X-4": ["test_it"]})] == ["X-1"]


def test_markers_are_read_from_functions_classes_and_parameters(tmp_path: Path) -> None:
    text = """
import pytest
from tests.sources import parsed
pytestmark = pytest.mark.clause("A-0")
@pytest.mark.clause("A-1", "A-2")
@pytest.mark.clause("A-1")
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.clause("A-3"))])
def test_one(x): ...
class TestTwo:
    @pytest.mark.clause("A-2")
    def test_two(self): ...
"""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_some.py").write_text(text, "utf-8")
    name = "tests/test_some.py"
    assert proving_tests(tmp_path / "tests") == {
        "A-0": [name],
        "A-1": [f"{name}::test_one"],
        "A-2": [f"{name}::test_one", f"{name}::TestTwo::test_two"],
        "A-3": [f"{name}::test_one"],
    }


@pytest.mark.parametrize("text", ["{", "a: 1", "- {id: X-1, level: LOUD, says: x}", SAMPLE + SAMPLE])
def test_an_invalid_list_of_clauses_is_refused(text: str) -> None:
    with pytest.raises(ClausesRefused) as refused:
        read_clauses(text, "sample.yaml")
    assert all(fault.where.startswith("sample.yaml") for fault in refused.value.faults)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    """Return the output of `muster clauses` for all tests; reading them takes seconds."""
    reported: list[dict[str, Any]] = json.loads(
        CliRunner().invoke(main, ["clauses", "--tests", str(TESTS), "--format", "json"]).stdout
    )
    return reported


def test_the_command_prints_every_clause_with_its_tests(rows: list[dict[str, Any]]) -> None:
    result = CliRunner().invoke(main, ["clauses", "--tests", str(TESTS), "--ruleset", ARMADA, "--format", "csv"])
    assert result.exit_code == 0
    assert all(clause.id in result.stdout for clause in SHIPPED[ARMADA])
    assert len(rows) == sum(map(len, SHIPPED.values()))
    assert CliRunner().invoke(main, ["clauses", "--ruleset", "chess", "--tests", "nowhere"]).exit_code == 2


def test_the_command_prints_the_place_of_each_clause(rows: list[dict[str, Any]]) -> None:
    lives = {row["clause"]: row["lives_in"] for row in rows}
    for place in {place for places in lives.values() for place in places}:
        file, _, line = place.partition(":")
        assert int(line) <= len((TESTS.parent / file).read_text("utf-8").splitlines()), place
    assert lives["FS-SCV-2"][0].startswith("shared/campaign/scavenging.py:")
    table = CliRunner().invoke(main, ["clauses", "--tests", str(TESTS), "--ruleset", "fallout-skirmish"])
    assert all(clause.id in table.stdout for clause in SHIPPED["fallout-skirmish"])
    assert "shared/campaign/scavenging.py:" in table.stdout


def test_the_place_of_a_clause_is_a_citing_docstring_or_a_part_of_the_pack(
    tmp_path: Path,
) -> None:
    (tmp_path / "shared" / "swiss" / "packs").mkdir(parents=True)
    (tmp_path / "services").mkdir()
    (tmp_path / "shared" / "a.py").write_text('"""X-Y-1 and X-Y-2 to X-Y-3."""\n\nRULE = "X-Y-1"\n', "utf-8")
    pack = "kit:\n  dice: 3  # X-Y-4\noptions:\n  - {key: x.rounds, name: Rounds}\n"
    (tmp_path / "shared" / "swiss" / "packs" / "x.yaml").write_text(pack, "utf-8")
    wheres = {1: "shared/a.py", 2: "", 3: "kit.dice", 4: "", 5: "options.x.rounds", 6: "nowhere"}
    clauses = [Clause(id=f"X-Y-{number}", level="MUST", says="so", where=where) for number, where in wheres.items()]
    held = "shared/swiss/packs/x.yaml"
    assert places_of(tmp_path, {"x": clauses}) == {
        "X-Y-1": ["shared/a.py:3"],
        "X-Y-2": ["shared/a.py:1"],
        "X-Y-3": [f"{held}:2", "shared/a.py:1"],
        "X-Y-4": [f"{held}:2"],
        "X-Y-5": [f"{held}:4"],
        "X-Y-6": [],
    }
