"""What a command of pairing would move beside its events: a row for each thing, made where there is such a thing."""

from __future__ import annotations

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
    """What would be another than it is: the latest round as it would be; null: it would be taken back.

    judgement: what the rules think of a round that would be a draft. cut: with the players who are tied at its line.
    """

    round: RoundView | UnsetType | None = UNSET
    session_round: SessionRoundView | UnsetType | None = UNSET
    judgement: JudgementView | UnsetType = UNSET
    cut: CutView | UnsetType = UNSET


class PairingPreview(PreviewView, frozen=True, kw_only=True):
    """What a command would do; nothing was appended. With If-Match of this answer's ETag it is done so or refused."""

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
    if format is None or latest is None or not latest.draft or foreseen.before.state.rounds == after.rounds:
        return UNSET
    # The logs as they were: by a draw that is not on record, the same as beside the round as it stands.
    return judgement_view(format, after, latest, foreseen.before.heads, status="draft")


def _session_round(foreseen: PreviewOutcome) -> SessionRoundView | UnsetType | None:
    before, after = foreseen.before.state, foreseen.after.state
    rounds = SEATING.of(after).rounds
    if rounds == SEATING.of(before).rounds:
        return UNSET
    return session_round_view(after, rounds[max(rounds)]) if rounds else None


def _cut(foreseen: PreviewOutcome) -> CutView | UnsetType:
    before, after = foreseen.before.state.rounds, foreseen.after.state.rounds
    same = (before.cut, before.cut_draft, before.given_up) == (after.cut, after.cut_draft, after.given_up)
    return UNSET if same and before.cut_publish_at == after.cut_publish_at else cut_view(foreseen.after.state)


def moves(foreseen: PreviewOutcome, who: Caller | None) -> PairingMoves:
    """Everything that a command would move."""
    return PairingMoves(
        round=_round(foreseen),
        session_round=_session_round(foreseen),
        judgement=_judgement(foreseen),
        cut=_cut(foreseen),
    )


PREVIEWS = Previews(PairingPreview, moves)
