"""Measures of the language of code, pages and documents.

    python -m tests.prose               print the measures
    python -m tests.prose --draw 200    print so many docstrings drawn by chance, for a reader (--seed N repeats a draw)

CONTRIBUTING.md says how Muster is written. `tests/unit/test_prose.py` judges two of these measures.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import re
import secrets
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("shared", "services", "muster", "deploy", "bench", "clients", "docs")
GENERATED = ("clients/python/muster_client/generated/", "docs/reference/asyncapi.json")

OPENINGS = re.compile(r"(What|Whether|Who|How|Which|Where|Why|Of|By what)\b")
"""How a docstring opens that names no thing and says no action."""
WORDS = ("told", "whoever", "somebody", "anew", "beside", "by itself", "stands", "heard", "lent", "mend")
"""Words that Muster used in a sense of its own. Each has a plain word; where it is the right word, it may stay."""
_WORD = re.compile(rf"\b({'|'.join(WORDS)}|mends|mended|mending)\b", re.IGNORECASE)
_CODE = re.compile(r"```.*?```|`[^`\n]*`|<[^>]*>|\{[{%].*?[%}]\}", re.DOTALL)
"""Names and code in documents and templates, which are no prose."""


def files(*endings: str) -> Iterator[Path]:
    """Yield the files of the product and its documents with these endings, without generated ones."""
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*")):
            name = file.relative_to(ROOT).as_posix()
            if file.suffix in endings and file.is_file() and not name.startswith(GENERATED) and "vendor" not in name:
                yield file
    yield from (file for file in sorted(ROOT.glob("*.md")) if file.suffix in endings and file.name != "CHANGELOG.md")


def docstrings(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each docstring of a Python file."""
    for node in ast.walk(ast.parse(file.read_text())):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if text := ast.get_docstring(node):
            yield f"{file.relative_to(ROOT).as_posix()}:{getattr(node, 'lineno', 1)}", text


def prose_of(file: Path) -> str:
    """Return the text of a file for people: comments and sentences of Python, documents and pages without code."""
    text = file.read_text()
    if file.suffix != ".py":
        return _CODE.sub(" ", text)
    kept = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_sentence = token.type == tokenize.STRING and " " in token.string
        if token.type == tokenize.COMMENT or is_sentence:
            kept.append(_CODE.sub(" ", token.string))
    return "\n".join(kept)


def openings() -> tuple[list[str], int]:
    """Return the places of docstrings that open with one of OPENINGS, and the number of all docstrings."""
    found = [(place, text) for file in files(".py") for place, text in docstrings(file)]
    return [place for place, text in found if OPENINGS.match(text)], len(found)


def word_counts() -> Counter[tuple[str, str]]:
    """Return how often each of WORDS is in the prose of each file, by file and word."""
    counts: Counter[tuple[str, str]] = Counter()
    for file in files(".py", ".html", ".po", ".md", ".js", ".css", ".txt"):
        name = file.relative_to(ROOT).as_posix()
        counts.update((name, match[0].lower()) for match in _WORD.finditer(prose_of(file)))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.prose")
    parser.add_argument("--draw", type=int, default=0, metavar="N", help="print so many docstrings drawn by chance")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of the draw")
    given = parser.parse_args()
    if given.draw:
        known = [(place, text) for file in files(".py") for place, text in docstrings(file)]
        print(f"seed {given.seed}")
        for place, text in random.Random(given.seed).sample(known, given.draw):
            print(f"\n{place}\n{text}")
        return
    opened, total = openings()
    counts = word_counts()
    print(f"docstrings: {total}; opening with {OPENINGS.pattern}: {len(opened)} ({100 * len(opened) / total:.1f} %)")
    for place in opened:
        print(f"  {place}")
    print(f"words: {counts.total()}")
    for (name, word), count in counts.most_common():
        print(f"  {count:3} {word:10} {name}")


if __name__ == "__main__":
    main()
