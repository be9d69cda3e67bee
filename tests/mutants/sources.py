"""Every file of rules with the places where it can be broken."""

from __future__ import annotations

from pathlib import Path

from tests.mutants.claims import CodeClaims, held_by_file, known
from tests.mutants.code import Code
from tests.mutants.model import Source
from tests.mutants.packs import Pack, words_of


def sources(root: Path) -> list[Source]:
    """Code first, then data, each in order of names. root: the repository."""
    ids, held = known(), held_by_file()
    code = []
    formats = root / "shared/formats"
    for path in sorted([*(root / "shared/rules").rglob("*.py"), *formats.glob("*/rules/*.py")]):
        file = path.relative_to(root).as_posix()
        code.append(Code(root, file, CodeClaims(path.read_text("utf-8"), ids, held.get(file, ()))))
    packs = {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in formats.glob("*/packs/*.yaml")}
    words = words_of(packs)
    return [*code, *(Pack(root, file, ids, words) for file in sorted(packs))]
