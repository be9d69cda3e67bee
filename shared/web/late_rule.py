"""Rules of routes that make what builds their addresses when the first is built.

werkzeug makes two functions for each rule when the application is put together, by compiling them: for some hundred
rules that is most of what putting it together takes, and few of them ever build an address.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule


class LateRule(Rule):
    """A rule as Flask uses them (`url_rule_class`)."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        made: list[Callable[..., tuple[str, str]]] = []

        def build(rule: LateRule, /, **values: Any) -> tuple[str, str]:
            if not made:
                made.append(super(LateRule, rule)._compile_builder(append_unknown))
            return made[0](rule, **values)

        return build
