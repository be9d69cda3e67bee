"""What many refusals have in common: where to look, and what to do again."""

from __future__ import annotations

from services.console.language import N_

AGAIN = N_("Send it again in a moment; it counts once.")
RELOAD = N_("Something may have changed meanwhile. Load the page again.")
BESIDE = N_("What does not fit stands beside it.")
IN_PARTS = N_("Send it in several parts.")
