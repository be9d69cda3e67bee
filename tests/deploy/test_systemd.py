"""The units of systemd start what `make run` and the containers start."""

from __future__ import annotations

import importlib.util
import re
from configparser import RawConfigParser
from pathlib import Path

from deploy.process_manager import CONSOLE, PROGRAMS
from deploy.stack import ROOT

UNITS = ROOT / "deploy/systemd"
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()


def command(unit: str, service: str = "") -> list[str]:
    """Return what a unit starts. service: the instance of a template."""
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(UNITS / unit)
    section = parser["Service"]
    assert (section["Restart"], section["User"]) == ("always", "muster")
    return section["ExecStart"].replace("%i", service).split()


def test_each_unit_starts_the_program_of_its_name_from_the_folder_of_the_image():
    home = re.search(r"^WORKDIR (\S+)", DOCKERFILE.rpartition("FROM")[2], re.M)[1]
    for service, program in PROGRAMS.items():
        configuration = Path(program[4]).name
        assert command("muster@.service", service) == [
            f"{home}/bin/gunicorn",
            "--config",
            f"{home}/{configuration}",
            program[-1],
        ]
        *python, module = command("muster-worker@.service", service)
        assert python == [f"{home}/bin/python", "-m"]
        assert importlib.util.find_spec(module)
    configuration = Path(CONSOLE[4]).name
    assert command("muster-console.service") == [
        f"{home}/bin/gunicorn",
        "--config",
        f"{home}/{configuration}",
        CONSOLE[-1],
    ]


def test_the_page_on_installing_names_every_unit():
    page = (ROOT / "docs/how-to/install.md").read_text()
    assert [unit.name for unit in UNITS.iterdir() if unit.name not in page] == []
