"""Mutants of the rules that are data: another number, another word, a shorter list in a shipped pack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from tests.mutants.model import Mutant, Place, mutant

IDLE = frozenset({"id", "key", "version", "clause", "clauses", "document", "example", "text", "says", "titles", "name"})
"""Members that name and explain, and decide nothing."""

Clauses = frozenset[str]


class Pack:
    """One pack. words: member -> the words that stand there in any shipped pack: what one may be changed into."""

    def __init__(self, root: Path, file: str, ids: Clauses, words: Mapping[str, frozenset[str]]) -> None:
        self.text = (root / file).read_text("utf-8")
        self._file = file
        self._ids = ids
        self._words = words
        self._ways: dict[Place, list[tuple[str, int, int, str]]] = {}
        for key, node, clauses in _values(yaml.compose(self.text), "", frozenset(), ids):
            if ways := list(self._ways_of(key, node)):
                mark = node.start_mark
                self._ways[Place(file, mark.line + 1, mark.column + 1, clauses)] = ways

    def places(self) -> list[Place]:
        """Every value that can be changed, in order of the file."""
        return list(self._ways)

    def ways(self, place: Place) -> int:
        """In how many ways a value can be changed."""
        return len(self._ways[place])

    def broken(self, place: Place, way: int) -> Mutant:
        """A value changed in one of its ways, counted from 0."""
        kind, start, end, value = self._ways[place][way]
        return mutant(place, kind, self.text, self.text[:start] + value + self.text[end:])

    def _ways_of(self, key: str, node: yaml.Node) -> Iterator[tuple[str, int, int, str]]:
        start, end = node.start_mark.index, node.end_mark.index
        if isinstance(node, yaml.SequenceNode):
            last_but_one, last = node.value[-2:]
            yield "shorter", last_but_one.end_mark.index, last.end_mark.index, ""
        elif node.tag.endswith(":int"):
            yield from (("number", start, end, str(int(node.value) + step)) for step in (1, -1))
        elif node.tag.endswith(":bool"):
            yield "truth", start, end, "false" if node.value == "true" else "true"
        elif node.tag.endswith(":str"):
            others = sorted(self._words.get(key, frozenset()) - {node.value})
            yield from (("word", start, end, other) for other in others)


def words_of(texts: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Member -> the single words that stand there in any of the packs. texts: file -> what it holds."""
    found: dict[str, set[str]] = {}
    for text in texts.values():
        for key, node, _ in _values(yaml.compose(text), "", frozenset(), frozenset()):
            if isinstance(node, yaml.ScalarNode) and node.tag.endswith(":str") and node.value.isidentifier():
                found.setdefault(key, set()).add(node.value)
    return {key: frozenset(words) for key, words in found.items()}


def _values(node: yaml.Node, key: str, clauses: Clauses, ids: Clauses) -> Iterator[tuple[str, yaml.Node, Clauses]]:
    """Every value that decides something, with its member and its clauses: its own, or those of what it is part of."""
    if isinstance(node, yaml.MappingNode):
        members = {name.value: value for name, value in node.value}
        own = ids.intersection([members["clause"].value]) if "clause" in members else frozenset()
        named = members.get("clauses")
        further = {} if named is None else {name.value: frozenset([value.value]) & ids for name, value in named.value}
        for name, value in members.items():
            if name not in IDLE:
                yield from _values(value, name, further.get(name) or own or clauses, ids)
    elif isinstance(node, yaml.SequenceNode):
        if len(node.value) > 1 and node.flow_style and all(isinstance(item, yaml.ScalarNode) for item in node.value):
            yield key, node, clauses
        for item in node.value:
            yield from _values(item, key, clauses, ids)
    else:
        yield key, node, clauses
