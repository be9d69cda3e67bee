"""Previews of pairing commands: the round, judgement and cut as they would be."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from services.pairing.coop_routes import SessionRoundView, session_round_view
from services.pairing.handlers import FORMATS
from services.pairing.swiss_routes import CutView, cut_view
from services.pairing.views import JudgementView, RoundView, judgement_view, round_view
from shared.coop.seating import SEATING
from shared.service.previews import PreviewOutcome, Previews, PreviewView
from shared.shapes import View
from shared.web.tokens import Caller


class PairingMoves(View, frozen=True, kw_only=True):
    """The resources that the command would change, as they would be afterwards."""

    round: Annotated[
        RoundView | UnsetType | None, "The latest round; null: the command withdraws it and no round is left."
    ] = UNSET
    session_round: Annotated[SessionRoundView | UnsetType | None, "The latest round of sessions."] = UNSET
    judgement: Annotated[JudgementView | UnsetType, "The judgement of a round that would be a draft."] = UNSET
    cut: Annotated[CutView | UnsetType, "The cut, with the players who are tied at its line."] = UNSET


class PairingPreview(PreviewView, frozen=True, kw_only=True):
    """The outcome that a command would have. Nothing is appended.

    Send this answer's ETag as If-Match with the command: it then has exactly this outcome, or is refused.
    """

    moves: PairingMoves


def _round(foreseen: PreviewOutcome) -> RoundView | UnsetType | None:
    before, after = foreseen.before.state, foreseen.after.state
    format = FORMATS.get(after.entries.format)
    latest = after.rounds.latest()
    if format is None or before.rounds == after.rounds:
        return UNSET
    return None if latest is None else round_view(after, latest, format.timing_view(after, latest))


def _judgement(foreseen: PreviewOutcome) -> JudgementView | UnsetType:
    after = foreseen.after.state
    format, latest = FORMATS.get(after.entries.format), after.rounds.latest()
    if format is None or latest is None or not latest.drafts or foreseen.before.state.rounds == after.rounds:
        return UNSET
    # The heads before the command: an unrecorded draw then has the same outcome as in `GET …/judgement`.
    return judgement_view(format, after, latest, foreseen.before.heads, status="draft")


def _session_round(foreseen: PreviewOutcome) -> SessionRoundView | UnsetType | None:
    before, after = foreseen.before.state, foreseen.after.state
    rounds = SEATING.of(after).rounds
    if rounds == SEATING.of(before).rounds:
        return UNSET
    return session_round_view(after, rounds[max(rounds)]) if rounds else None


def _cut(foreseen: PreviewOutcome) -> CutView | UnsetType:
    before, after = foreseen.before.state.rounds, foreseen.after.state.rounds
    unchanged = (before.cut, before.cut_draft, before.given_up) == (after.cut, after.cut_draft, after.given_up)
    return UNSET if unchanged and before.cut_publish_at == after.cut_publish_at else cut_view(foreseen.after.state)


def moves(foreseen: PreviewOutcome, caller: Caller | None) -> PairingMoves:
    """Return the resources that a command would change."""
    return PairingMoves(
        round=_round(foreseen),
        session_round=_session_round(foreseen),
        judgement=_judgement(foreseen),
        cut=_cut(foreseen),
    )


PREVIEWS = Previews(PairingPreview, moves)
