"""The outcome of a result before it is sent: scoring answers a preview, or faults for the fields of the form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from muster_client import MusterError, Problem, answers
from muster_client.generated.bodies import Facts
from services.console.forms import Form
from services.console.result_form import ResultForm, facts_of

LOOK = "look"
"""The action of a form that asks for a preview."""
IMPROBABLE = "improbable-result"
TOO_OFTEN, AWAY = 429, 500
"""Status, and lowest status, of problems that say nothing about the values of the form."""

Preview = Callable[[Facts], answers.ScoringPreview | None]


class Look(Struct, frozen=True):
    """The outcome of a preview. given: the score by the ruleset. unchecked: scoring did not answer.

    unlikely: scoring wants the result to be confirmed.
    """

    given: answers.ScoreView | None = None
    unchecked: bool = False
    unlikely: bool = False
    preview: answers.ScoringPreview | None = None


def look(form: Form, asked: ResultForm, preview: Preview, staff: bool = False) -> Look:
    """Preview the facts of a form; add the faults to it. preview: sends the facts to scoring."""
    facts = facts_of(form, asked, staff)
    if not form.is_valid or not facts:
        return Look()
    try:
        answer = preview(facts)
    except Problem as problem:
        if problem.status >= AWAY or problem.status == TOO_OFTEN:
            return Look(unchecked=True)
        form.add_problem(problem)
        return Look(unlikely=problem.code == IMPROBABLE)
    except MusterError:
        return Look(unchecked=True)
    return Look(given=given_by(answer), preview=answer)


def given_by(preview: Any) -> answers.ScoreView | None:
    """Return the score of the game of a preview; None if it has none."""
    games = preview.moves.games if preview is not None else None
    return games[0].score if games else None
