"""What scoring can be asked to do about a season. Results are read from their tournament before, and given."""

from __future__ import annotations

from msgspec import Struct

from services.scoring.tournament.commands import Command
from shared.formats.season.scoring_events import Because, LogEnd
from shared.tournament.final_results import ResultRow


class Found(Struct, frozen=True, kw_only=True):
    """The results of a tournament as its logs say now. heads: source -> where its log ends.

    because: what changed them since they were taken.
    """

    tournament: str
    rows: list[ResultRow]
    heads: dict[str, LogEnd]
    because: list[Because] = []


class TakeResults(Command, frozen=True, kw_only=True):
    """found: of one tournament or several. Without any the standings are looked at all the same."""

    found: list[Found] = []


class MakeFinalCut(Command, frozen=True, kw_only=True):
    """named: whom staff name of those who share the last place."""

    named: list[str] = []


class AcceptInvitation(Command, frozen=True, kw_only=True):
    player: str


class DeclineInvitation(Command, frozen=True, kw_only=True):
    """named: whom staff name of those who share the place that becomes free."""

    player: str
    reason: str = ""
    named: list[str] = []
