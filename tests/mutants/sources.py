"""Every file of rules with the places where it can be broken."""

from __future__ import annotations

from pathlib import Path

from tests.mutants.claims import CodeClaims, held_by_file, known
from tests.mutants.code import Code
from tests.mutants.model import Source
from tests.mutants.packs import Pack, words_of

FORMATS = ("campaign", "coop", "season", "swiss")
NO_RULES = {
    *(f"shared/{name}/{file}.py" for name in FORMATS for file in ("__init__", "format", "state", "entries")),
    *("shared/campaign/table_dice.py", "shared/coop/events.py", "shared/coop/sessions.py", "shared/season/ranking.py"),
    *("shared/swiss/games.py", "shared/swiss/printed_sheets.py", "shared/swiss/ranking.py"),
}
"""Files of the formats that hold events and state; the others hold rules."""


def sources(root: Path) -> list[Source]:
    """Code first, then data, each in order of names. root: the repository."""
    ids, held = known(), held_by_file()
    code = []
    for path in sorted(path for room in ("rules", *FORMATS) for path in (root / "shared" / room).glob("*.py")):
        file = path.relative_to(root).as_posix()
        if file in NO_RULES:
            continue
        code.append(Code(root, file, CodeClaims(path.read_text("utf-8"), ids, held.get(file, ()))))
    packs = {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in root.glob("shared/*/packs/*.yaml")}
    words = words_of(packs)
    return [*code, *(Pack(root, file, ids, words) for file in sorted(packs))]
