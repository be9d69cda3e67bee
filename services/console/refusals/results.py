"""Refusals about results, rulings and the games that they belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.console.language import N_
from services.console.refusals.again import BESIDE, RELOAD

RESULTS: Mapping[str, Sequence[str]] = {
    "not-your-game": (N_("Players speak of their own games alone. Call a referee to any other."),),
    "round-not-begun": (
        N_("Results are taken once round %(round)s is started."),
        N_("Results are taken once it is started."),
    ),
    "round-closed": (
        N_("Results of round %(round)s are corrected by the staff now."),
        N_("Its results are corrected by the staff now."),
    ),
    "game-held": (
        N_("These lists have to be accepted first: %(players)s."),
        N_("The lists of both have to be accepted first."),
    ),
    "result-exists reported": (N_("Confirm it or dispute it, or ask a referee."),),
    "result-exists disputed": (N_("A referee rules on it."),),
    "result-exists": (N_("It counts already. If it is wrong, ask a referee."),),
    "result-settled disputed": (N_("A referee rules on it."),),
    "result-settled": (N_("It counts already. If it is wrong, ask a referee."),),
    "result-missing": (N_("Report it first."),),
    "result-not-binding": (N_("It is confirmed or ruled on first; then it can be corrected."),),
    "own-report": (N_("Whoever reported a result cannot confirm it; the opponent or the staff can."),),
    "own-game": (N_("Somebody else of the staff decides it."),),
    "staff-only": (N_("Call a referee."),),
    "impossible-result": (BESIDE,),
    "improbable-result": (N_("It is possible, and rare. If it is right, say so and send it again."),),
    "bye-has-no-result": (N_("The rules say what it is worth."),),
    "ruling-final": (N_("Only they change it, or an organiser who says why."),),
    "ruling-stands": (N_("Whoever ruled can correct it, a player can appeal, and an organiser can override it."),),
    "appeal-open": (N_("Whoever has the last word decides it first."),),
    "no-head-referee": (N_("Without one a ruling is final."),),
    "not-appealed": (),
    "not-your-decision": (N_("By the rules this is for: %(roles)s."), N_("The rules say who.")),
    "ruling-not-final": (N_("Rule on the result, or correct it."),),
    "game-unknown": (RELOAD,),
    "dice-refused": (BESIDE,),
    "game-report-refused": (BESIDE,),
    "game-not-ready": (BESIDE,),
    "step-refused": (N_("What follows this game has gone on too far. What is in the way stands beside it."),),
}
