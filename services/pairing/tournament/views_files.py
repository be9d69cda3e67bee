"""Pairings as a file: the columns of `muster pair`, and behind them names and venue."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response

from services.pairing.tournament.views import RoundView
from shared.web.csv_answers import csv_answer

COLUMNS = ("round", "table", "kind", "player_1", "player_2", "wave", "name_1", "name_2", "venue")


def pairings_file(shown: RoundView, headers: Mapping[str, str]) -> Response:
    """The pairings of a round, one a row; a bye has no table and no second player."""
    rows = [
        {name: getattr(pairing, name) for name in COLUMNS[2:]}
        | {"round": shown.round, "table": pairing.table or None}
        | ({} if pairing.table else {"wave": None})
        for pairing in shown.pairings
    ]
    return csv_answer(COLUMNS, rows, headers)
