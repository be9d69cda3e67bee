"""`make quick`: lint, types, and the tests of the folders that changed since `main`.

    python -m tests.quick              compare with the merge base of main
    python -m tests.quick HEAD~3       compare with another commit

A change of `shared/rules` runs `tests/rules`, not everything that uses the rules: that is what `make test` is for.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]

TESTS: dict[str, tuple[str, ...]] = {
    "shared/service/": ("tests/services/test_",),
    "shared/log/": ("tests/eventlog/", "tests/events/"),
    "shared/campaign/": ("tests/campaign/test_",),
    "shared/coop/": ("tests/coop/",),
    "shared/season/": ("tests/season/",),
    "shared/swiss/": ("tests/rules/", "tests/state/"),
    "shared/formats/": ("tests/formats/", "tests/state/"),
    "shared/messaging/": ("tests/messaging/",),
    "shared/names.py": ("tests/names/",),
    "shared/rules/": ("tests/rules/",),
    "shared/tournament/": ("tests/state/", "tests/events/"),
    "shared/web/": ("tests/web/",),
    "services/registration/": ("tests/services/registration/",),
    "services/pairing/": ("tests/services/pairing/",),
    "services/scoring/": ("tests/services/scoring/",),
    "services/console/": ("tests/console_pages/",),
    "muster/": ("tests/console/", "tests/state/test_audit"),
    "clients/": ("tests/client/",),
    "deploy/": ("tests/deploy/",),
    "bench/": ("tests/unit/test_bench.py",),
    "docs/": (
        "tests/web/test_guide.py",
        "tests/console/test_documented.py",
        "tests/unit/test_links.py",
        "tests/unit/test_printed_commands.py",
    ),
}
"""Product folder -> its tests, as beginnings of paths; the first entry that fits a file counts."""

ALWAYS = ("tests/unit/test_import_directions.py",)


def changed_files(base: str) -> list[str]:
    """Return files that differ from a commit, untracked ones included, relative to the repository."""
    changed = git("diff", "--name-only", "--diff-filter=d", base)
    return sorted({*changed, *git("ls-files", "--others", "--exclude-standard")})


def choose_tests(files: Iterable[str]) -> list[str]:
    """Return the test files to run for changed files. A changed conftest or helper of tests runs its folder."""
    chosen: set[str] = set()
    for file in files:
        path = Path(file)
        if path.parts[0] == "tests" and path.suffix == ".py" and len(path.parts) > 2:
            chosen.update([file] if path.name.startswith("test_") else files_under(f"{path.parent}/"))
        chosen.update(
            *(map(files_under, next((places for folder, places in TESTS.items() if file.startswith(folder)), ())))
        )
    return sorted(chosen)


def files_under(beginning: str) -> list[str]:
    """Return the test files whose paths begin so."""
    return [
        name
        for path in ROOT.glob("tests/**/test_*.py")
        if (name := path.relative_to(ROOT).as_posix()).startswith(beginning)
    ]


def git(*arguments: str) -> list[str]:
    """Return the lines that git prints."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def main(base: str) -> int:
    """Run the checks; return the first exit code that is not 0."""
    files = changed_files(base)
    python = [file for file in files if file.endswith(".py")]
    tests = [*ALWAYS, *choose_tests(files)]
    print(f"{len(files)} files changed since {base}; {len(tests)} files of tests")
    module = (sys.executable, "-m")
    steps = [
        *([[*module, "ruff", "check", *python], [*module, "ruff", "format", "--check", *python]] if python else []),
        [*module, "mypy"],
        [*module, "pytest", "-p", "no:anyio", "--suite", "test", "-n", "2", "--dist", "loadfile", *tests],
    ]
    for step in steps:
        done = subprocess.run(step, cwd=ROOT, check=False)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else git("merge-base", "main", "HEAD")[0]))
