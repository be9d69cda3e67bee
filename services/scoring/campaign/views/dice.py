"""What scoring shows of dice that were told at the table: how far each is vouched for. FS-AUD-1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shared.formats.campaign.ruleset import campaign_of
from shared.formats.campaign.table_dice import Standing, ToldDie
from shared.formats.campaign.vouched_dice import second_word, standings_of_dice
from shared.tournament.state import Tournament

OPEN: tuple[Standing, ...] = ("unconfirmed", "disputed")
"""What somebody has still to say something about."""

MARKED: tuple[Standing, ...] = ("unconfirmed", "disputed", "rejected")
"""What is marked wherever it is shown."""


def dice_of(state: Tournament) -> Iterator[tuple[ToldDie, Standing]]:
    """Every told die of a campaign with how far it is vouched for."""
    asked: dict[int, bool] = {}

    def in_round(round: int) -> bool:
        if round not in asked:
            asked[round] = campaign_of(state.entries, round).options.witness == "confirms"
        return asked[round]

    return standings_of_dice(state, in_round)


def die_view(state: Tournament, die: ToldDie, standing: Standing) -> dict[str, Any]:
    """A die as the list of dice shows it."""
    return {
        "roll": die.roll,
        "group": die.group,
        "round": die.round,
        "purpose": die.purpose,
        "faces": list(die.faces),
        "rolled_by": die.rolled_by,
        "witnessed_by": die.witnessed_by,
        "told_by": die.told_by,
        "standing": standing,
        "waits_for": second_word(state, die) if standing in OPEN else "",
    }


def marked_dice(state: Tournament) -> dict[str, Standing]:
    """Rolls that rest on one word, or that somebody denies -> their mark."""
    return {die.roll: standing for die, standing in dice_of(state) if standing in MARKED}


def marks_of(state: Tournament) -> tuple[dict[str, dict[str, Standing]], dict[str, list[str]]]:
    """Group -> its marked rolls with their marks; player -> rolls that wait for that player's word."""
    marked: dict[str, dict[str, Standing]] = {}
    asked: dict[str, list[str]] = {}
    for die, standing in dice_of(state):
        if standing in MARKED:
            marked.setdefault(die.group, {})[die.roll] = standing
        if standing == "unconfirmed":
            asked.setdefault(second_word(state, die), []).append(die.roll)
    return marked, asked
