"""What scoring shows of dice: how far those of the table are vouched for, and which were discarded. FS-AUD-1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from shared.campaign.dice import Source
from shared.campaign.format import second_word, standing_of, standings_of_dice
from shared.campaign.state import CAMPAIGN, campaign_of
from shared.campaign.table_dice import Standing, ToldDie, as_told
from shared.log.event import event_id
from shared.shapes import View
from shared.tournament.state import Tournament

STANDING = (
    "`unconfirmed`: it rests on one word; `disputed`: whoever was named denies it; `confirmed`; `upheld` and "
    "`rejected` by staff; or `not_asked` where `fs.dice.witness` asks nobody, and of discarded rolls."
)

OPEN: tuple[Standing, ...] = ("unconfirmed", "disputed")
"""What somebody has still to say something about."""

MARKED: tuple[Standing, ...] = ("unconfirmed", "disputed", "rejected")
"""What is marked wherever it is shown."""


class DieView(View, frozen=True, kw_only=True):
    """A roll that was told at the table, and how far it is vouched for."""

    id: Annotated[str, "The id of the roll; commands take it in `rolls`."]
    group: str
    round: int
    purpose: Annotated[str, "The clause that asked for it."]
    faces: list[int]
    rolled_by: str
    witnessed_by: str
    told_by: Annotated[str, "Who entered it."]
    standing: Annotated[str, STANDING]
    waits_for: Annotated[str, "Who has to confirm it, besides staff; empty: nobody."]
    member: Annotated[str, "The member that it was rolled for; empty: none."] = ""
    source: Annotated[Source, "`table`, or `service` where Muster rolled."] = "table"
    discarded_by: Annotated[
        str, "The id of the event that took it back, where its question was not asked again; empty: it stands."
    ] = ""


def dice_of(state: Tournament) -> Iterator[tuple[ToldDie, Standing]]:
    """Every told die of a campaign with how far it is vouched for."""
    asked: dict[int, bool] = {}

    def in_round(round: int) -> bool:
        if round not in asked:
            asked[round] = campaign_of(state.entries, round).options.witness == "confirms"
        return asked[round]

    return standings_of_dice(state, in_round)


def die_view(state: Tournament, die: ToldDie, standing: Standing) -> DieView:
    """A die as the list of dice shows it."""
    return _view(die, standing, waits_for=second_word(state, die) if standing in OPEN else "")


def discarded_views(state: Tournament, tournament: str) -> Iterator[DieView]:
    """Yield the rolls that a correction discarded, of the table and of the service."""
    for roll in CAMPAIGN.of(state).discarded_dice():
        die = as_told(roll)
        discarded_by = event_id("scoring", tournament, roll.discarded_by)
        yield _view(die, standing_of(state, die, asked=False), source=roll.source, discarded_by=discarded_by)


def _view(
    die: ToldDie, standing: Standing, *, waits_for: str = "", source: Source = "table", discarded_by: str = ""
) -> DieView:
    return DieView(
        id=die.roll,
        group=die.group,
        round=die.round,
        purpose=die.purpose,
        faces=list(die.faces),
        rolled_by=die.rolled_by,
        witnessed_by=die.witnessed_by,
        told_by=die.told_by,
        standing=standing,
        waits_for=waits_for,
        member=die.member,
        source=source,
        discarded_by=discarded_by,
    )


Marks = tuple[dict[str, dict[str, Standing]], dict[str, list[str]]]
"""Group -> its marked rolls with their marks; player -> rolls that wait for that player's word."""


def marked_dice(state: Tournament) -> dict[str, Standing]:
    """Rolls that rest on one word, or that somebody denies -> their mark."""
    return {die.roll: standing for die, standing in dice_of(state) if standing in MARKED}


def marks_of(state: Tournament) -> Marks:
    """What is marked of all dice, and who is asked about which."""
    marked: dict[str, dict[str, Standing]] = {}
    asked: dict[str, list[str]] = {}
    for die, standing in dice_of(state):
        if standing in MARKED:
            marked.setdefault(die.group, {})[die.roll] = standing
        if standing == "unconfirmed":
            asked.setdefault(second_word(state, die), []).append(die.roll)
    return marked, asked
