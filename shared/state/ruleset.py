"""The ruleset inside a tournament's state, as the rules want it."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from shared.rules.ruleset import Ruleset, from_json
from shared.state.entries import Entries

_KEEP = 512
_known: OrderedDict[int, tuple[dict[str, Any], Ruleset]] = OrderedDict()


def ruleset_of(entries: Entries) -> Ruleset:
    """The tournament's ruleset, with the organiser's options in force. Read from JSON once a state."""
    pack = entries.ruleset
    found = _known.get(id(pack))
    if found is None or found[0] is not pack:
        found = _known[id(pack)] = (pack, from_json(pack))
        while len(_known) > _KEEP:
            _known.popitem(last=False)
    return found[1]
