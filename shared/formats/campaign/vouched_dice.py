"""On whose word dice rest that were told at the table, and who can confirm them. FS-AUD-1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from shared.formats.campaign.groups import ENLISTED
from shared.formats.campaign.state import CAMPAIGN, campaign_of
from shared.formats.campaign.table_dice import Standing, ToldDie, as_told
from shared.roles import REFEREE_UP
from shared.tournament.state import Tournament


def told_dice(state: Any) -> dict[str, ToldDie]:
    """Every die of a campaign that was told, of building and of play, in the order of the logs."""
    return {**ENLISTED.of(state).told_dice, **CAMPAIGN.of(state).told_dice}


def discarded_dice(state: Any) -> dict[str, ToldDie]:
    """Return the dice of the table that a correction took back and whose questions were not asked again, by roll."""
    return {roll.roll: as_told(roll) for roll in CAMPAIGN.of(state).discarded_dice() if roll.source == "table"}


def teller(state: Any, die: ToldDie) -> str:
    """The player whose word a die is: who told it, as a player or as a member of staff who plays; empty for others."""
    if die.role not in REFEREE_UP:
        return die.told_by
    member = state.entries.staff.get(die.told_by)
    own = member.player if member is not None else ""
    return own if own and own in (die.group, die.rolled_by, die.witnessed_by) else ""


def second_word(state: Any, die: ToldDie) -> str:
    """Who else was there by the told die: its witness, or the roller where the witness told it; empty: nobody need."""
    own = teller(state, die)
    if die.agreed or not own:
        return ""
    return die.rolled_by if die.witnessed_by in (own, die.told_by) else die.witnessed_by


def standing_of(state: Any, die: ToldDie, asked: bool) -> Standing:
    """How far a die is vouched for. asked: whether the ruleset has others confirm dice (`fs.dice.witness`)."""
    known: Standing | None = CAMPAIGN.of(state).said_of_dice.get(die.roll)
    if known is not None:
        return known
    if not second_word(state, die):
        return "confirmed"
    return "unconfirmed" if asked else "not_asked"


def standings_of_dice(state: Any, asked: Callable[[int], bool]) -> Iterator[tuple[ToldDie, Standing]]:
    """Every told die with how far it is vouched for. asked: of a round, as for `standing_of`."""
    for die in told_dice(state).values():
        yield die, standing_of(state, die, asked(die.round))


def vouched(state: Tournament) -> Iterator[str]:
    """Yield how far each die of a table is vouched for, and `discarded` for each die that was taken back. FS-AUD-1."""

    def asked(round: int) -> bool:
        return campaign_of(state.entries, round).options.witness == "confirms"

    yield from (standing for _, standing in standings_of_dice(state, asked))
    yield from ("discarded" for _ in CAMPAIGN.of(state).discarded_dice())
