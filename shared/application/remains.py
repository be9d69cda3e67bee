"""What a reversal leaves different, by a stable word: programs switch on the word, people read the sentence."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

REMAINS: Mapping[str, str] = MappingProxyType(
    {
        "left-once": "The log keeps the round after which the player left.",
        "personal-data": "What is kept with the player's personal data stays, until that is erased.",
        "listed-as-gone": "The player stays listed as gone.",
        "at-the-venue": "The player stays at the venue of the check-in.",
        "all-at-the-venue": "Players stay at the venue of the check-in.",
        "party-id": "The party gets a new id.",
        "venue-listed": "The venue stays listed as closed, and its name stays taken.",
        "screen-last": "The screen stands last in the list.",
        "data-number": "The data get the next number.",
        "paired-by-hand": "The games stand as paired by hand, under new ids.",
        "shown-as-corrected": "The game is shown as corrected.",
        "drawn-again": "A tie that a draw decides is drawn again, if the ruleset does not keep earlier draws.",
        "dice-on-record": "The groups are as before; rolled dice and entries of balances stay on record.",
        "award-id": "The award gets a new id.",
        "was-sent": "What was sent stays with whoever received it.",
        "disabled-since": "It is shown as disabled since then.",
        "disabled-by-somebody": "It is shown as disabled by somebody, not by a rule.",
        "right-of-another": "It goes on by the right of whoever enables it to see.",
    }
)
"""Word -> sentence."""
