"""The module of problems: an exception for each that a service names."""

from __future__ import annotations

from typing import Any

from clients.generate.types import docstring

HEAD = '''"""Every problem that the services name, as an exception of its own; `Problem` is any of them.

Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from muster_client.errors import Problem

'''


def problems(document: dict[str, Any]) -> str:
    """The module, in the order of the codes."""
    classes, rows = [], []
    for code, said in document["x-problems"].items():
        name = "".join(word.title() for word in code.split("-"))
        doc = docstring(f"{said['title']} ({said['status']} `{code}`).\n\n{said['about']}", "    ")
        classes.append(f"class {name}(Problem):\n{doc}\n\n")
        rows.append(f'    "{code}": {name},\n')
    return HEAD + "".join(classes) + "BY_CODE: dict[str, type[Problem]] = {\n" + "".join(rows) + "}\n"
