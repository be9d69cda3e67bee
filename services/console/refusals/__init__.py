"""What refusals mean and what to do: a table for each thing that they are about, and what many have in common."""

from __future__ import annotations

from services.console.language import N_

AGAIN = N_("Send it again in a moment; it counts once.")
RELOAD = N_("Something may have changed meanwhile. Load the page again.")
BESIDE = N_("What does not fit stands beside it.")
IN_PARTS = N_("Send it in several parts.")
