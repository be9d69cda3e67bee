"""Sentences about refusals, in a table for each topic; this module has those that several tables share."""

from __future__ import annotations

from services.console.language import N_

AGAIN = N_("Send it again in a moment; it counts once.")
RELOAD = N_("Something may have changed meanwhile. Load the page again.")
BESIDE = N_("What does not fit stands beside it.")
IN_PARTS = N_("Send it in several parts.")
