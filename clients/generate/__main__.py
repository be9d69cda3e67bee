"""`python -m clients.generate`: generate the joined OpenAPI document and the typed client from the services."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from clients.generate.document import Json, joined, served
from clients.generate.operations import COMMON, common_class, operations, service_class
from clients.generate.shapes import answers, bodies, problems
from deploy.laid_out import laid_out
from shared.settings import SERVICES

ROOT = Path(__file__).parents[2]
DOCUMENT = "clients/openapi.json"
GENERATED = "clients/python/muster_client/generated"


def written(documents: Mapping[str, Json]) -> dict[str, str]:
    """Return the content of every generated file, by its path in the repository. documents: by service."""
    document = joined(documents)
    schemas, found = document["components"]["schemas"], operations(document)
    version = document["info"]["version"]
    modules = {
        "__init__": f'"""Made of clients/openapi.json by `make client`."""\n\nVERSION = "{version}"\n',
        "answers": answers(schemas, found),
        "bodies": bodies(schemas, found),
        "problems": problems(document),
        COMMON: common_class(found),
        **{service: service_class(service, found) for service in SERVICES},
    }
    made = {f"{GENERATED}/{name}.py": text for name, text in modules.items()}
    return {DOCUMENT: laid_out(document), **formatted(made)}


def formatted(modules: Mapping[str, str]) -> dict[str, str]:
    """Return the modules formatted by ruff with the settings of the repository."""
    with TemporaryDirectory() as folder:
        for path, text in modules.items():
            (Path(folder) / Path(path).name).write_text(text, encoding="utf-8")
        ruff = [sys.executable, "-m", "ruff"]
        settings = ["--quiet", "--config", str(ROOT / "pyproject.toml"), folder]
        for step in (["check", "--fix", "--select", "F401,I", *settings], ["format", *settings]):
            subprocess.run([*ruff, *step], check=True)
        return {path: (Path(folder) / Path(path).name).read_text(encoding="utf-8") for path in modules}


def main() -> None:
    """Write every generated file that is missing or outdated, and print its path."""
    for path, text in written(served()).items():
        file = ROOT / path
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main()
