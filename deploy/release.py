"""`make wheel` and `make release`: build the archives of the last commit, check, and tag.

Nothing leaves this machine. The last lines explain how to push the tag and publish the archives.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from shared.version import VERSION


class NotReady(Exception):
    """This commit cannot be released; the message says why, and what to do."""


def build(root: Path) -> list[Path]:
    """Build source archives and wheels of Muster and its client into an empty `dist/`.

    They are built from the last commit, not from the folder, so an uncommitted file is noticed here.
    """
    uv, made = Path(sys.executable).with_name("uv"), root / "dist"
    with TemporaryDirectory() as source:
        with tarfile.open(fileobj=BytesIO(_git(root, "archive", "HEAD"))) as archive:
            archive.extractall(source, filter="data")
        made.mkdir(exist_ok=True)
        for old in (*made.glob("*.whl"), *made.glob("*.tar.gz")):
            old.unlink()
        quietly = ["--quiet", "--offline", "--no-build-isolation"]
        build = [str(uv), "build", *quietly, "--python", sys.executable, "--out-dir", str(made)]
        clients = sorted(found.parent for found in Path(source).glob("clients/*/pyproject.toml"))
        for project in (Path(source), *clients):
            subprocess.run(build, cwd=project, check=True)
    return sorted([*made.glob("*.whl"), *made.glob("*.tar.gz")])


def check(root: Path, version: str = VERSION) -> str:
    """Return the tag of this release. Raises NotReady if something prevents the release."""
    if not re.fullmatch(r"\d+\.\d+\.\d+(?:rc\d+)?", version):
        raise NotReady(f"shared/version.py says {version!r}; expected a version such as 1.2.3 or 1.2.3rc1")
    if changed := _git(root, "status", "--porcelain").decode().splitlines():
        raise NotReady(f"not everything is committed ({changed[0].strip()}); commit it or put it away")
    if _git(root, "tag", "--list", f"v{version}"):
        raise NotReady(f"v{version} is tagged already; give shared/version.py the next version")
    headings = re.findall(r"^## (.*)$", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    if not any(re.fullmatch(rf"{re.escape(version)} - \d{{4}}-\d\d-\d\d", heading) for heading in headings):
        raise NotReady(f"CHANGELOG.md has no heading `## {version} - YYYY-MM-DD`; give what is unreleased that heading")
    return f"v{version}"


def tag(root: Path, version: str = VERSION) -> str:
    """Tag the last commit, after `check`, and return the tag."""
    name = check(root, version)
    _git(root, "tag", "--annotate", name, "--message", f"Muster {version}")
    return name


def _git(root: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=root, check=True, stdout=subprocess.PIPE).stdout


def main(step: str) -> int:
    root = Path.cwd()
    try:
        match step:
            case "build":
                print("\n".join(str(made.relative_to(root)) for made in build(root)))
            case "check":
                print(f"{check(root)} can be released")
            case "tag":
                print(
                    f"Tagged {tag(root)}. To publish it:\n  git push origin v{VERSION}\n  .venv/bin/uv publish dist/*"
                )
    except NotReady as reason:
        print(f"No release: {reason}.", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as failed:
        print(f"No release: {failed}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
