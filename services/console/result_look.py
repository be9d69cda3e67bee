"""What a result would give, before it is sent: scoring is asked, and its refusal stands beside the fields it names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from muster_client import MusterError, Problem, answers
from muster_client.generated.bodies import Facts
from services.console.forms import Form
from services.console.result_form import ResultForm, facts_of

LOOK = "look"
"""What a form does that is looked at, and not sent."""
IMPROBABLE = "improbable-result"
TOO_OFTEN, AWAY = 429, 500
"""Status, and status from which on, a refusal says nothing of what was typed."""

Preview = Callable[[Facts], answers.ScoringPreview | None]


class Look(Struct, frozen=True):
    """What was found. given: what the ruleset makes of it. unchecked: scoring could not be asked.

    unlikely: it is possible, and asked back.
    """

    given: answers.ScoreView | None = None
    unchecked: bool = False
    unlikely: bool = False
    preview: answers.ScoringPreview | None = None


def look(form: Form, asked: ResultForm, preview: Preview, staff: bool = False) -> Look:
    """Ask what the facts of a form would give; faults are noted in it. preview: asks, of facts, what they would do."""
    facts = facts_of(form, asked, staff)
    if not form.is_valid or not facts:
        return Look()
    try:
        found = preview(facts)
    except Problem as problem:
        if problem.status >= AWAY or problem.status == TOO_OFTEN:
            return Look(unchecked=True)
        form.add_problem(problem)
        return Look(unlikely=problem.code == IMPROBABLE)
    except MusterError:
        return Look(unchecked=True)
    return Look(given=given_by(found), preview=found)


def given_by(preview: Any) -> answers.ScoreView | None:
    """What the ruleset makes of the game that a preview is about."""
    games = preview.moves.games if preview is not None else None
    return games[0].score if games else None
