"""What is stored is read through the catalogue alone, which knows what older versions of an event meant."""

from __future__ import annotations

import ast

from tests.unit.test_import_directions import modules, tree

DECODERS = {"decode", "loads", "_decoded", "is_canonical"}
READERS = {"shared.formats.fold"}
BYTES = {
    "shared.service.gates": "whether data that come from elsewhere are in canonical form",
    "muster.audit.logs": "whether data that come from elsewhere are in canonical form",
    "muster_client.stream": "the data line of a message on a stream, from a service and not from a store",
}
"""Modules that look at the bytes of stored data, and for what; they read no member of them."""


def raw_reads(module: str) -> list[int]:
    """The lines on which a module decodes what a member `data` of something holds, or asks the database of its text."""
    found = []
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in DECODERS:
            found += [node.lineno for one in node.args[:1] if isinstance(one, ast.Attribute) and one.attr == "data"]
        if isinstance(node, ast.Constant) and node.value in ("data like", "data is"):
            found.append(node.lineno)
    return found


def test_stored_data_are_read_through_the_catalogue():
    product = {name for name in modules() if name.startswith(("shared", "services", "muster"))}
    found = {f"{name}:{line}" for name in product - READERS - BYTES.keys() for line in raw_reads(name)}
    assert not found, "use read_event or data_of, of shared/formats/fold.py"


def test_those_that_look_at_bytes_still_do():
    assert all(raw_reads(module) for module in {*READERS, *BYTES})
